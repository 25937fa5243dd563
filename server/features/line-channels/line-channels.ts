import {
  type LineSettings,
  usualLine,
  type LineChannel,
  type LineProblem,
  type LineQuota,
} from '../../../shared/contracts/line-channels.ts';
import type { RichUse } from '../../../shared/contracts/rich-messages.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentOf, page, readCursor } from '../../infra/page.ts';
import { newSecret } from '../../infra/sealed.ts';
import { isWrongSecret, LineError, type Line } from '../../providers/channels/line/api.ts';
import { record } from '../audit/audit.ts';
import { mustFindBot } from '../bots/bots.ts';
import {
  addConnection,
  botOf,
  deleteConnectionOf,
  findConnectionOf,
  listConnectionsOf,
  updateConnectionRow,
  type ConnectionRow,
} from '../connections/connections.ts';
import { countWeek, toWeek, type Begun } from '../conversations/figures.ts';
import { avatarUrl } from '../files/files.ts';
import { mustKnowBubbles } from '../rich-messages/rich-messages.ts';
import { mustFindOwn as mustFindWebsite } from '../web-channels/web-channels.ts';
import { lineOf, lineWith, secretPlace } from './access.ts';
import { keepPicture } from './people.ts';
import { forecastOf, isSpent, settingsOf } from './settings.ts';
import {
  deleteChannel,
  findChannelRow,
  findTaken,
  insertChannel,
  listChannelRows,
  listChannelSettings,
  updateChannelRow,
} from './line-channels.store.ts';
import type { LineChannelTable, StoredTest } from './line-channels.tables.ts';

export async function listChannels(
  context: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listChannelRows(context.db, {
    workspace: caller.workspace,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.updated_at);
  const connections = await listConnectionsOf(
    context.db,
    shown.rows.map(({ uuid }) => uuid),
  );
  const begun = await countWeek(context, caller.workspace);
  return {
    data: shown.rows.flatMap((row) => {
      const connection = connections.find(({ channel_id }) => channel_id === row.uuid);
      return connection ? [toChannel(context, row, connection, begun)] : [];
    }),
    meta: { nextCursor: shown.nextCursor },
  };
}

export async function getChannel(context: Context, caller: Caller, uuid: string): Promise<LineChannel> {
  const { row, connection } = await mustFindOwn(context, caller, uuid);
  return toChannel(context, row, connection, await countWeek(context, caller.workspace));
}

export async function mustFindOwn({ db }: Context, { workspace }: Pick<Caller, 'workspace'>, uuid: string) {
  const [[row], [connection]] = await Promise.all([
    findChannelRow(db, { uuid }),
    findConnectionOf(db, { channel: 'line', channelId: uuid }),
  ]);
  if (row?.workspace !== workspace || !connection) throw new AppError('channel-not-found');
  return { row, connection };
}

const maxChannels = 100;

/** Proves the id and the secret by asking LINE for a token, learns who the account is, and tells LINE where its events go. */
export async function connectChannel(
  context: Context,
  caller: Caller,
  { channelId, secret, bot = null }: { channelId: string; secret: string; bot?: string | null | undefined },
): Promise<LineChannel> {
  if (bot) await mustFindBot(context, caller, bot);
  const { workspace } = caller;
  const own = await listChannelRows(context.db, { workspace, q: undefined, limit: maxChannels, after: undefined });
  if (own.length >= maxChannels) throw new AppError('too-many', { limit: maxChannels });
  const line = lineWith(context, { channelId, secret });
  const info = await asking(() => line.botInfo());
  const row = await addChannel(context, caller, { channelId, secret, bot, info });
  const { uuid } = row;
  // It is connected, whatever LINE says of the rest: that stands on its page.
  await learn(context, row, line).catch((err: unknown) =>
    context.log.warn({ err, channel: uuid }, 'LINE did not tell all'),
  );
  return getChannel(context, caller, uuid);
}

/** Keeps a channel of which LINE has said whose it is. */
export async function addChannel(
  context: Context,
  caller: Caller,
  {
    channelId,
    secret,
    bot,
    info,
  }: {
    channelId: string;
    secret: string;
    bot: string | null;
    info: { userId: string; basicId: string; displayName: string; chatMode: string };
  },
): Promise<LineChannelTable> {
  const { workspace } = caller;
  const now = Date.now();
  const uuid = newId();
  const row: LineChannelTable = {
    uuid,
    workspace,
    key: newSecret(),
    line_id: channelId,
    bot_user: info.userId,
    secret: context.sealer.seal(secret, secretPlace(uuid)),
    basic_id: info.basicId,
    avatar: null,
    chat_mode: modeOf(info),
    settings: JSON.stringify(usualLine),
    registered: null,
    webhook_active: null,
    tested_at: null,
    test: null,
    checked_at: null,
    quota: null,
    quota_at: null,
    secret_failed_at: null,
    strayed_at: null,
    last_event_at: null,
    refused: 0,
    created_at: now,
    updated_at: now,
  };
  await context.db.transaction().execute(async (trx) => {
    const taken = await findTaken(trx, { lineId: channelId, botUser: info.userId });
    if (taken) throw new AppError('line-taken');
    await insertChannel(trx, row);
    await addConnection(trx, { workspace, name: info.displayName.slice(0, 80), channel: 'line', channelId: uuid, bot });
    await record(trx, caller, 'channel.created', info.displayName);
  });
  return row;
}

/** Changes its name, its settings, or its secret, which LINE proves first and which has to be of the same account. */
export async function changeChannel(
  context: Context,
  caller: Caller,
  uuid: string,
  {
    name,
    secret,
    seen,
    ...given
  }: {
    name?: string | undefined;
    secret?: string | undefined;
    seen?: string | undefined;
  } & Partial<{ [K in keyof LineSettings]: LineSettings[K] | undefined }>,
): Promise<LineChannel> {
  const { row: before, connection } = await mustFindOwn(context, caller, uuid);
  if (given.accountLink) await mustFindWebsite(context, caller, given.accountLink.website);
  if (given.transcription) await context.models.transcriber(caller.workspace, given.transcription);
  if (secret !== undefined) {
    const info = await asking(() => lineWith(context, { channelId: before.line_id, secret }).botInfo());
    if (info.userId !== before.bot_user) throw wrongSecret();
  }
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'line_channel', uuid);
    const [row] = await findChannelRow(trx, { uuid });
    if (!row) throw new AppError('channel-not-found');
    if (seen !== undefined && Date.parse(seen) !== row.updated_at) throw new AppError('conflict');
    if (given.greeting) await mustKnowBubbles(trx, caller.workspace, given.greeting, 'greeting');
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
    await updateChannelRow(trx, uuid, {
      settings: JSON.stringify({ ...settingsOf(row), ...changes }),
      ...(secret !== undefined && {
        secret: context.sealer.seal(secret, secretPlace(uuid)),
        secret_failed_at: null,
        refused: 0,
      }),
      // Two changes of one moment are two.
      updated_at: Math.max(Date.now(), row.updated_at + 1),
    });
    if (name !== undefined) await updateConnectionRow(trx, connection.uuid, { name });
    await record(trx, caller, secret === undefined ? 'channel.changed' : 'channel.secret', name ?? connection.name);
  });
  return getChannel(context, caller, uuid);
}

/** Which channels greet with which rich message. */
export async function channelsByRich({ db }: Context, workspace: string): Promise<Map<string, RichUse[]>> {
  const rows = await listChannelSettings(db, workspace);
  const found = await listConnectionsOf(
    db,
    rows.map(({ uuid }) => uuid),
  );
  const connections = new Map(found.map((each) => [each.channel_id, each]));
  const users = new Map<string, RichUse[]>();
  for (const row of rows)
    for (const bubble of settingsOf(row).greeting) {
      if (bubble.type !== 'rich') continue;
      // By its connection, which its rules are of: what greets and answers with one is one.
      const { uuid, name } = connections.get(row.uuid) ?? { uuid: row.uuid, name: '' };
      const use: RichUse = { kind: 'greeting', uuid, name, channel: row.uuid, state: null };
      const known = users.get(bubble.message) ?? [];
      known.push(use);
      users.set(bubble.message, known);
    }
  return users;
}

/** LINE is told as far as it can be told; what we have of it is gone at once, and its conversations stay. */
export async function removeChannel(context: Context, caller: Caller, uuid: string): Promise<void> {
  const { row, connection } = await mustFindOwn(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    for (const feature of context.features) await feature.channelGoes?.(context, trx, uuid);
    await deleteConnectionOf(trx, uuid);
    await deleteChannel(trx, uuid);
    await record(trx, caller, 'channel.deleted', connection.name);
  });
  context.queue.wake();
  // There is no call that takes the address away. Requests to it are answered with 404 from here on.
  context.log.info({ channel: uuid, line: row.line_id }, 'a LINE channel was disconnected');
}

/** Tells LINE where its events go, reads it back, and lets LINE try it. */
export async function syncWebhook(context: Context, caller: Caller, uuid: string): Promise<LineChannel> {
  const { row } = await mustFindOwn(context, caller, uuid);
  const line = lineOf(context, row);
  const url = webhookUrl(context, row);
  await asking(() => line.setWebhook(url), context, row);
  const tested = await asking(() => line.testWebhook(url), context, row);
  const test: StoredTest = {
    success: tested.success,
    reason: tested.reason,
    detail: tested.detail,
    status: tested.statusCode,
  };
  await updateChannelRow(context.db, uuid, { tested_at: Date.now(), test: JSON.stringify(test) });
  await asking(() => learn(context, row, line), context, row);
  return getChannel(context, caller, uuid);
}

export async function refreshChannel(context: Context, caller: Caller, uuid: string): Promise<LineChannel> {
  const { row } = await mustFindOwn(context, caller, uuid);
  await asking(() => learn(context, row, lineOf(context, row)), context, row);
  return getChannel(context, caller, uuid);
}

/** Asks LINE for everything that the page of a channel shows of it. Throws what LINE or the network says. */
export async function learn(
  context: Context,
  { uuid, workspace, avatar }: Pick<LineChannelTable, 'uuid' | 'workspace' | 'avatar'>,
  line: Line,
): Promise<void> {
  const now = Date.now();
  const [info, webhook, quota, used] = await Promise.all([
    line.botInfo(),
    line.getWebhook().catch((error: unknown) => {
      if (error instanceof LineError && error.status === 404) return undefined;
      throw error;
    }),
    line.quota(),
    line.consumption(),
  ]);
  const stored: Pick<LineQuota, 'limit' | 'used'> = {
    limit: quota.type === 'limited' ? (quota.value ?? null) : null,
    used,
  };
  const picture =
    avatar === null && info.pictureUrl !== undefined
      ? await keepPicture(context, workspace, info.pictureUrl)
      : undefined;
  await updateChannelRow(context.db, uuid, {
    ...(picture !== undefined && { avatar: picture }),
    basic_id: info.basicId,
    chat_mode: modeOf(info),
    registered: webhook?.endpoint ?? null,
    webhook_active: webhook === undefined ? null : webhook.active ? 1 : 0,
    checked_at: now,
    quota: JSON.stringify(stored),
    quota_at: now,
    secret_failed_at: null,
  });
}

/** Asks LINE how many messages the month has, and how many are used. Throws what LINE or the network says. */
export async function learnQuota(context: Context, row: LineChannelTable, line: Line): Promise<LineChannelTable> {
  const [{ type, value }, used] = await Promise.all([line.quota(), line.consumption()]);
  const stored: Pick<LineQuota, 'limit' | 'used'> = { limit: type === 'limited' ? (value ?? null) : null, used };
  const changes = { quota: JSON.stringify(stored), quota_at: Date.now() };
  await updateChannelRow(context.db, row.uuid, changes);
  return { ...row, ...changes };
}

/** With `chat` LINE's own app answers, too; what LINE may call a mode one day is none that answers beside us. */
const modeOf = ({ chatMode }: { chatMode: string }) => (chatMode === 'chat' ? 'chat' : 'bot');

const wrongSecret = () =>
  new AppError('validation-failed', { fields: [{ path: 'secret', code: 'line-secret-wrong' }] });

/** What LINE or the network says against a maker's wish, as an error of ours; a secret that is no longer taken is remembered. */
export async function asking<T>(ask: () => Promise<T>, context?: Context, row?: LineChannelTable): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (isWrongSecret(error)) {
      if (context && row) await updateChannelRow(context.db, row.uuid, { secret_failed_at: Date.now() });
      throw wrongSecret();
    }
    if (error instanceof AppError) throw error;
    if (error instanceof LineError)
      throw new AppError('line-refused', { message: error.message.slice(0, 300) }, { cause: error });
    throw new AppError('line-unreachable', {}, { cause: error });
  }
}

/** Where LINE sends what happens: the key is in the path, since the secret that proves the rest belongs to a channel. */
export const webhookUrl = ({ links }: Context, { key }: Pick<LineChannelTable, 'key'>): string =>
  links.to(`/webhook/line/${key}`);

function toChannel(
  context: Context,
  row: LineChannelTable,
  connection: ConnectionRow,
  begun: Map<string, Begun>,
): LineChannel {
  const settings = settingsOf(row);
  const url = webhookUrl(context, row);
  const test: StoredTest | null = row.test === null ? null : JSON.parse(row.test);
  const quota: Pick<LineQuota, 'limit' | 'used'> | null = row.quota === null ? null : JSON.parse(row.quota);
  const problems: LineProblem[] = [];
  if (row.secret_failed_at !== null) problems.push('secret');
  if (row.strayed_at !== null && row.strayed_at > (row.last_event_at ?? 0)) problems.push('destination');
  if (row.checked_at !== null && row.registered !== url) problems.push('elsewhere');
  else if (row.webhook_active === 0) problems.push('inactive');
  else if (test !== null && !test.success && (row.tested_at ?? 0) > (row.last_event_at ?? 0))
    problems.push('unreachable');
  if (row.chat_mode === 'chat') problems.push('chat-mode');
  if (isSpent(row)) problems.push('quota');
  return {
    uuid: row.uuid,
    name: connection.name,
    connection: connection.uuid,
    bot: botOf(connection),
    active: connection.active === 1,
    channelId: row.line_id,
    basicId: row.basic_id,
    avatar: row.avatar === null ? null : { url: avatarUrl(row.avatar) },
    chatMode: row.chat_mode,
    webhook: {
      url,
      registered: row.registered,
      active: row.webhook_active === null ? null : row.webhook_active === 1,
      test: test && { ...test, at: new Date(row.tested_at ?? 0).toISOString() },
      checkedAt: momentOf(row.checked_at),
    },
    quota: quota && {
      ...quota,
      forecast: forecastOf(quota.used, row.quota_at ?? 0),
      at: new Date(row.quota_at ?? 0).toISOString(),
    },
    settings,
    problems,
    refused: row.refused,
    lastEventAt: momentOf(row.last_event_at),
    ...toWeek(begun.get(row.uuid)),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

export { findChannelRow, listChannelIds, listFollowed, updateChannelRow } from './line-channels.store.ts';
export type { LineChannelTable } from './line-channels.tables.ts';
