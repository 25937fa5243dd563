import {
  EmbedSettings,
  pageRetentionDays,
  usualEmbed,
  type WebChannel,
} from '../../../shared/contracts/web-channels.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import type { Flag } from '../../infra/db.types.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { newSecret } from '../../infra/sealed.ts';
import { record } from '../audit/audit.ts';
import { mustFindBot } from '../bots/bots.ts';
import {
  addConnection,
  botOf,
  deleteConnectionOf,
  findConnectionOf,
  listConnectionsOf,
  mustFindConnectionOf,
  switchConnectionOf,
  updateConnectionRow,
  type ConnectionRow,
} from '../connections/connections.ts';
import { countWeek, toWeek, type Begun } from '../conversations/figures.ts';
import { avatarUrl, mustOwnAvatar } from '../files/files.ts';
import {
  deleteChannel,
  findChannelRow,
  insertChannel,
  insertGone,
  listChannelRows,
  updateChannelRow,
} from './web-channels.store.ts';
import type { WebChannelTable } from './web-channels.tables.ts';

export async function listChannels(
  context: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const { db } = context;
  const rows = await listChannelRows(db, {
    workspace: caller.workspace,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.updated_at);
  const connections = await listConnectionsOf(
    db,
    shown.rows.map(({ uuid }) => uuid),
  );
  const begun = await countWeek(context, caller.workspace);
  return {
    data: shown.rows.flatMap((row) => {
      const connection = connections.find(({ channel_id }) => channel_id === row.uuid);
      return connection ? [toChannel(row, connection, begun)] : [];
    }),
    meta: { nextCursor: shown.nextCursor },
  };
}

const maxChannels = 100;

export async function createChannel(
  context: Context,
  caller: Caller,
  { name, bot = null, domains = [] }: { name: string; bot?: string | null | undefined; domains?: string[] | undefined },
): Promise<WebChannel> {
  if (bot) await mustFindBot(context, caller, bot);
  const { workspace } = caller;
  const own = await listChannelRows(context.db, { workspace, q: undefined, limit: maxChannels, after: undefined });
  if (own.length >= maxChannels) throw new AppError('too-many', { limit: maxChannels });
  const now = Date.now();
  const uuid = newId();
  await context.db.transaction().execute(async (trx) => {
    await insertChannel(trx, {
      uuid,
      workspace,
      settings: JSON.stringify({ ...usualEmbed, domains: [...new Set(domains)] }),
      avatar: null,
      secret: null,
      seen_at: null,
      seen_on: null,
      listing: null,
      created_at: now,
      updated_at: now,
    });
    await addConnection(trx, { workspace, name, channel: 'web', channelId: uuid, bot });
    await record(trx, caller, 'channel.created', name);
  });
  return getChannel(context, caller, uuid);
}

export async function getChannel(context: Context, caller: Caller, uuid: string): Promise<WebChannel> {
  const { row, connection } = await mustFindOwn(context, caller, uuid);
  return toChannel(row, connection, await countWeek(context, caller.workspace));
}

export async function mustFindOwn({ db }: Context, { workspace }: Pick<Caller, 'workspace'>, uuid: string) {
  const [row] = await findChannelRow(db, { uuid });
  const [connection] = await findConnectionOf(db, { channel: 'web', channelId: uuid });
  if (row?.workspace !== workspace || row.listing !== null || !connection) throw new AppError('channel-not-found');
  return { row, connection };
}

export async function changeChannel(
  context: Context,
  caller: Caller,
  uuid: string,
  {
    name,
    seen,
    ...given
  }: { name?: string | undefined; seen?: string | undefined } & Partial<{
    [K in keyof EmbedSettings]: EmbedSettings[K] | undefined;
  }>,
): Promise<WebChannel> {
  const { connection } = await mustFindOwn(context, caller, uuid);
  if (given.look?.avatar) await mustOwnAvatar(context, caller, given.look.avatar);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'web_channel', uuid);
    const [row] = await findChannelRow(trx, { uuid });
    if (!row) throw new AppError('channel-not-found');
    if (seen !== undefined && Date.parse(seen) !== row.updated_at) throw new AppError('conflict');
    const settings = { ...settingsOf(row), ...withoutUndefined(given) };
    await updateChannelRow(trx, uuid, {
      settings: JSON.stringify({ ...settings, domains: [...new Set(settings.domains)] }),
      avatar: settings.look.avatar,
      // Two changes of one moment are two.
      updated_at: Math.max(Date.now(), row.updated_at + 1),
    });
    if (name !== undefined) await updateConnectionRow(trx, connection.uuid, { name });
    await record(trx, caller, 'channel.changed', name ?? connection.name);
  });
  return getChannel(context, caller, uuid);
}

const withoutUndefined = <T extends object>(given: T) =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));

export async function removeChannel(context: Context, caller: Caller, uuid: string): Promise<void> {
  const { row, connection } = await mustFindOwn(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    await endChannel(trx, row);
    await record(trx, caller, 'channel.deleted', connection.name);
  });
}

/** The widget is gone at once; what was said stays as long as the channel had promised, though nobody can answer it there any more. */
async function endChannel(trx: Trx, row: WebChannelTable): Promise<void> {
  const { uuid, workspace } = row;
  const { retentionDays } = settingsOf(row).history;
  const now = Date.now();
  await deleteConnectionOf(trx, uuid);
  await deleteChannel(trx, uuid);
  if (retentionDays !== null)
    await insertGone(trx, { uuid, workspace, retention_days: retentionDays, created_at: now, updated_at: now });
}

/** What a public page lets a visitor do, and everybody from one address. */
const pageLimits = { visitorPerMinute: 6, visitorPerDay: 30, addressPerDay: 30 };

const pageSettings = (creditsPerDay: number): string =>
  JSON.stringify({
    ...usualEmbed,
    // The page around the frame says whose chat it is.
    look: {
      ...usualEmbed.look,
      css: 'header{padding-block:8px 2px;border:0}header>:first-child,header h1{display:none}',
    },
    limits: { ...pageLimits, creditsPerDay },
    history: { ...usualEmbed.history, retentionDays: pageRetentionDays },
  } satisfies EmbedSettings);

/** The channel of a bot's public page, in the transaction that publishes it: on our own pages only, and in no list of websites. */
export async function addPageChannel(
  trx: Trx,
  {
    uuid,
    workspace,
    listing,
    bot,
    name,
    creditsPerDay,
    active,
  }: {
    uuid: string;
    workspace: string;
    listing: string;
    bot: string;
    name: string;
    creditsPerDay: number;
    active: Flag;
  },
): Promise<void> {
  const now = Date.now();
  await insertChannel(trx, {
    uuid,
    workspace,
    settings: pageSettings(creditsPerDay),
    avatar: null,
    secret: null,
    seen_at: null,
    seen_on: null,
    listing,
    created_at: now,
    updated_at: now,
  });
  await addConnection(trx, { workspace, name, channel: 'web', channelId: uuid, bot, hidden: { active } });
}

/** Whether anybody may talk there, and what the answers may cost in a day. */
export async function changePageChannel(
  trx: Trx,
  uuid: string,
  { creditsPerDay, active }: { creditsPerDay: number; active: Flag },
): Promise<void> {
  const [row] = await findChannelRow(trx, { uuid });
  const settings = pageSettings(creditsPerDay);
  if (row && row.settings !== settings)
    await updateChannelRow(trx, uuid, { settings, updated_at: Math.max(Date.now(), row.updated_at + 1) });
  await switchConnectionOf(trx, uuid, active);
}

export async function removePageChannel(trx: Trx, uuid: string): Promise<void> {
  const [row] = await findChannelRow(trx, { uuid });
  if (row) await endChannel(trx, row);
}

const secretPlace = (uuid: string) => `web_channel:${uuid}:secret`;

export async function renewSecret(context: Context, caller: Caller, uuid: string): Promise<{ secret: string }> {
  const { connection } = await mustFindOwn(context, caller, uuid);
  const secret = newSecret();
  await context.db.transaction().execute(async (trx) => {
    await updateChannelRow(trx, uuid, { secret: context.sealer.seal(secret, secretPlace(uuid)) });
    await record(trx, caller, 'channel.secret', connection.name);
  });
  return { secret };
}

/** The secret with which a site proves who its visitor is; nothing where it has none. */
export const secretOf = ({ sealer }: Context, row: WebChannelTable | undefined): string | undefined =>
  row?.secret == null ? undefined : sealer.open(row.secret, secretPlace(row.uuid));

/** The same by the website's id; nothing where another workspace has it, too. */
export async function findSecret(context: Context, workspace: string, uuid: string): Promise<string | undefined> {
  const [row] = await findChannelRow(context.db, { uuid });
  return row?.workspace === workspace ? secretOf(context, row) : undefined;
}

/** Settings as they were read, by their channel: a change has another time, and the longest take tens of milliseconds to check. */
const parsed = new Map<string, { at: number; settings: EmbedSettings }>();
const mostParsed = 200;

export function settingsOf({ uuid, settings, updated_at }: Stored): EmbedSettings {
  const known = parsed.get(uuid);
  if (known?.at === updated_at) return known.settings;
  const read = EmbedSettings.parse({ ...usualEmbed, ...JSON.parse(settings) });
  parsed.delete(uuid);
  parsed.set(uuid, { at: updated_at, settings: read });
  for (const oldest of parsed.keys()) {
    if (parsed.size <= mostParsed) break;
    parsed.delete(oldest);
  }
  return read;
}

type Stored = Pick<WebChannelTable, 'uuid' | 'settings' | 'updated_at'>;

/** A channel that is switched on, with its connection. Throws `channel-not-found`. */
export async function mustFindChannel(
  context: Context,
  guest: { channelId: string; workspace?: string; isPreview?: boolean },
): Promise<{ row: WebChannelTable | undefined; connection: ConnectionRow; settings: EmbedSettings }> {
  const [connection, [row]] = await Promise.all([
    mustFindConnectionOf(context, { ...guest, channel: 'web' }),
    findChannelRow(context.db, { uuid: guest.channelId }),
  ]);
  return { row, connection, settings: row ? settingsOf(row) : usualEmbed };
}

/** Where the widget of a channel may be shown, as hosts; nothing where there is no such channel. */
export async function framesOf(context: Context, uuid: string): Promise<string[] | undefined> {
  const found = await mustFindChannel(context, { channelId: uuid }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'channel-not-found') return undefined;
    throw error;
  });
  return found?.settings.domains;
}

/** Whether a page of this origin may show the widget. Plain http is for machines of makers only. */
export function isAllowed(domains: string[], origin: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, host, hostname, port } = new URL(origin);
  if (protocol !== 'https:' && !(protocol === 'http:' && isLocal(hostname))) return false;
  // As an address is written without its usual port.
  const full = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  return domains.some((domain) => {
    if (domain.startsWith('*.')) return [host, full].some((each) => each.endsWith(domain.slice(1)));
    return domain === host || domain === full || (domain === hostname && isLocal(hostname));
  });
}

export const isLocal = (host: string) => /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

function toChannel(row: WebChannelTable, connection: ConnectionRow, begun: Map<string, Begun>): WebChannel {
  const settings = settingsOf(row);
  return {
    uuid: row.uuid,
    name: connection.name,
    connection: connection.uuid,
    bot: botOf(connection),
    active: connection.active === 1,
    settings,
    hasSecret: row.secret !== null,
    avatar: settings.look.avatar === null ? null : { url: avatarUrl(settings.look.avatar) },
    seenAt: row.seen_at === null ? null : new Date(row.seen_at).toISOString(),
    seenOn: row.seen_on,
    ...toWeek(begun.get(row.uuid)),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
