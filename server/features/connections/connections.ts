import {
  ConnectionSettings,
  usualConnection,
  type ChannelKind,
  type Connection,
  type MessageKind,
} from '../../../shared/contracts/connections.ts';
import type { RichUse } from '../../../shared/contracts/rich-messages.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context, GuestThread, Named } from '../../feature.ts';
import { lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Flag } from '../../infra/db.types.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { record } from '../audit/audit.ts';
import { findBot, mustFindBot } from '../bots/bots.ts';
import { avatarUrl } from '../files/files.ts';
import { mustKnowRich } from '../rich-messages/rich-messages.ts';
import {
  findConnection,
  findConnectionOf,
  insertConnection,
  listConnectionRows,
  listConnectionSettings,
  listConnectionsWithBot,
  updateConnectionRow,
  type ConnectionRow,
} from './connections.store.ts';
import { configFor, wantsPerson } from './asks-for-person.ts';
import { decide } from './decide.ts';
import { nextJapaneseHolidays, isOpen } from './hours.ts';
import { kindOf, toHandling } from './kinds.ts';
import { answersOn, askedNoticeOf, languageFor, noticeOf } from './notice.ts';
import { findRule } from './rules.ts';

export async function listConnections(
  { db }: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listConnectionRows(db, {
    workspace: caller.workspace,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.updated_at);
  return { data: shown.rows.map((row) => toConnection(row)), meta: { nextCursor: shown.nextCursor } };
}

export async function getConnection({ db }: Context, caller: Caller, uuid: string): Promise<Connection> {
  const row = await findConnection(db, caller.workspace, uuid);
  if (!row) throw new AppError('connection-not-found');
  return toConnection(row);
}

/** The connection of a channel that is made in the same transaction. */
export async function addConnection(
  trx: Trx,
  given: {
    workspace: string;
    name: string;
    channel: ChannelKind;
    channelId: string;
    bot: string | null;
    /** The bot alone answers there, and no list of connections has it. */
    hidden?: { active: Flag };
  },
): Promise<void> {
  const now = Date.now();
  await insertConnection(trx, {
    uuid: newId(),
    workspace: given.workspace,
    name: given.name,
    channel: given.channel,
    channel_id: given.channelId,
    bot: given.bot,
    active: given.hidden?.active ?? 1,
    settings: JSON.stringify(given.hidden ? onlyBot : usualConnection),
    hidden: given.hidden ? 1 : 0,
    created_at: now,
    updated_at: now,
  });
}

const onlyBot: ConnectionSettings = {
  ...usualConnection,
  handoff: { ...usualConnection.handoff, offered: false },
};

type Changes = { bot?: string | null | undefined; active?: boolean | undefined } & Partial<{
  [K in keyof ConnectionSettings]: ConnectionSettings[K] | undefined;
}>;

export async function changeConnection(
  context: Context,
  caller: Caller,
  uuid: string,
  { bot, active, seen, ...settings }: Changes & { seen?: string | undefined },
): Promise<Connection> {
  await getConnection(context, caller, uuid);
  if (bot) await mustFindBot(context, caller, bot);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'connection', uuid);
    const row = await findConnection(trx, caller.workspace, uuid);
    if (!row) throw new AppError('connection-not-found');
    if (seen !== undefined && Date.parse(seen) !== row.updated_at) throw new AppError('conflict');
    await mustKnowRules(trx, caller, settings.rules);
    await updateConnectionRow(trx, uuid, {
      ...(bot !== undefined && { bot }),
      ...(active !== undefined && { active: active ? 1 : 0 }),
      settings: JSON.stringify({ ...settingsOf(row), ...given(settings) }),
      // Two changes of one moment are two.
      updated_at: Math.max(Date.now(), row.updated_at + 1),
    });
    await record(trx, caller, 'connection.changed', row.name);
  });
  return getConnection(context, caller, uuid);
}

const given = <T extends object>(changes: T) =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));

const mustKnowRules = (db: Db | Trx, { workspace }: Pick<Caller, 'workspace'>, rules: Changes['rules'] = []) =>
  mustKnowRich(
    db,
    workspace,
    rules.flatMap(({ rich }, at) => (rich === null ? [] : [{ path: `rules.${at}.rich`, uuid: rich }])),
  );

/** What a message would do, by what is saved and what of it is being changed. */
export async function tryMessage(
  context: Context,
  caller: Caller,
  uuid: string,
  {
    text,
    at,
    kind: instead,
    ...changes
  }: Changes & { text: string; at?: string | undefined; kind?: MessageKind | undefined },
) {
  const saved = await getConnection(context, caller, uuid);
  const row = changes.bot ? await mustFindBot(context, caller, changes.bot) : null;
  await mustKnowRules(context.db, caller, changes.rules);
  const chosen = row && { name: row.name, published: row.published_version !== null };
  const bot = changes.bot === undefined ? saved.bot : chosen;
  const { active = saved.active } = changes;
  const settings: ConnectionSettings = { ...saved.settings, ...given(changes) };
  const nothing = { rule: null, kind: null, reply: '', notice: '', answersOn: false, rich: null, bot: null };
  if (!active) return { does: 'nothing' as const, ...nothing };
  const now = at === undefined ? Date.now() : Date.parse(at);
  const found = findRule(settings, instead === undefined ? text : '', now);
  const rule = settings.rules[found];
  const answering = changes.bot === undefined ? (saved.bot?.uuid ?? null) : changes.bot;
  const config =
    settings.handoff.offered && instead === undefined
      ? await configFor(context, { workspace: caller.workspace, bot: answering })
      : undefined;
  const asks = settings.handoff.offered && instead === undefined && wantsPerson(text, config);
  // Whoever tries it stands for a visitor with the same browser.
  const locale = languageFor(settings, { language: caller.locale });
  const kind = rule || asks ? undefined : (instead ?? kindOf({ text }));
  const silent = bot?.published ? null : 'no-bot';
  const goesOn = silent === null && answersOn(settings, now);
  const { reply, rich, handsOff, tells, isAside } = decide(
    { status: 'bot', assignee: null, reason: null, waiting_since: null },
    {
      silent,
      rule,
      asks,
      handling: kind && toHandling(settings, kind, { locale, picked: new Date(now).toISOString().slice(0, 16) }),
      answersOn: goesOn,
    },
  );
  const isToPeople = handsOff === 'rule' || handsOff === 'asked' || handsOff === 'content';
  const does = isToPeople ? 'handOff' : reply || rich ? 'reply' : isAside ? 'silent' : handsOff ? 'people' : 'bot';
  return {
    does,
    rule: rule ? found : null,
    kind: kind ?? null,
    reply,
    notice: !tells
      ? ''
      : handsOff === 'asked'
        ? askedNoticeOf(settings, locale, config, now)
        : noticeOf(settings, locale, now),
    answersOn: handsOff !== null && goesOn,
    rich,
    bot: bot?.name ?? null,
  } as const;
}

/** What was stored before a setting existed has its usual value. */
export const settingsOf = ({ settings }: Pick<ConnectionRow, 'settings'>): ConnectionSettings =>
  ConnectionSettings.parse({ ...usualConnection, ...JSON.parse(settings) });

/** The connection through which a guest's messages come. Throws `channel-not-found` where there is none, or it is switched off. */
export async function mustFindConnectionOf(
  { db }: Context,
  {
    channel,
    channelId,
    ...guest
  }: { channel: ChannelKind; channelId: string; workspace?: string; isPreview?: boolean },
): Promise<ConnectionRow> {
  const [row] = await findConnectionOf(db, { channel, channelId });
  if (row && row.active === 1) return row;
  // Whoever may edit a bot tries it without a channel.
  const bot =
    channel === 'web' && guest.isPreview && guest.workspace ? await findBot(db, guest.workspace, channelId) : undefined;
  if (row || !bot) throw new AppError('channel-not-found');
  return {
    uuid: bot.uuid,
    workspace: bot.workspace,
    name: bot.name,
    channel: 'web',
    channel_id: bot.uuid,
    bot: bot.uuid,
    active: 1,
    settings: JSON.stringify(usualConnection),
    hidden: 0,
    created_at: bot.created_at,
    updated_at: bot.updated_at,
    bot_name: bot.name,
    bot_avatar: bot.avatar,
    bot_mark: bot.mark,
    bot_version: bot.published_version,
  };
}

export function toConnection(row: ConnectionRow): Connection {
  const settings = settingsOf(row);
  return {
    uuid: row.uuid,
    name: row.name,
    channel: row.channel,
    channelId: row.channel_id,
    bot: botOf(row),
    active: row.active === 1,
    settings,
    open: isOpen(settings.hours),
    japaneseHolidays: nextJapaneseHolidays(),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

export const botOf = ({ bot, bot_name, bot_avatar, bot_mark, bot_version }: ConnectionRow): Connection['bot'] =>
  bot === null || bot_name === null || bot_mark === null
    ? null
    : {
        uuid: bot,
        name: bot_name,
        avatar: bot_avatar === null ? null : { url: avatarUrl(bot_avatar) },
        mark: bot_mark,
        published: bot_version !== null,
      };

/** Which connections answer with which bot. */
export async function connectionsByBot({ db }: Context, workspace: string): Promise<Map<string, Named[]>> {
  const users = new Map<string, Named[]>();
  for (const { uuid, name, bot } of await listConnectionsWithBot(db, workspace))
    if (bot) users.set(bot, [...(users.get(bot) ?? []), { uuid, name, mark: 0 }]);
  return users;
}

/** Which connections send which rich message. */
export async function connectionsByRich({ db }: Context, workspace: string): Promise<Map<string, RichUse[]>> {
  const users = new Map<string, RichUse[]>();
  for (const row of await listConnectionSettings(db, workspace)) {
    const use: RichUse = { kind: 'rules', uuid: row.uuid, name: row.name, channel: null, state: null };
    for (const { rich } of settingsOf(row).rules) {
      if (rich === null) continue;
      const known = users.get(rich) ?? [];
      known.push(use);
      users.set(rich, known);
    }
  }
  return users;
}

/** Why the visitor would not see what is written to a thread. */
export async function whyUnreachable(
  { db }: Context,
  { channel, channel_id: channelId, left_at }: Pick<GuestThread, 'channel' | 'channel_id' | 'left_at'>,
): Promise<'channel-gone' | 'channel-off' | 'left' | null> {
  const [connection] =
    channel === 'app' || channelId === null ? [] : await findConnectionOf(db, { channel, channelId });
  if (!connection) return 'channel-gone';
  if (connection.active === 0) return 'channel-off';
  return left_at === null ? null : 'left';
}

export {
  channelNames,
  deleteConnectionOf,
  findConnectionOf,
  listConnectionsOf,
  switchConnectionOf,
  switchHidden,
  updateConnectionRow,
} from './connections.store.ts';
export type { ConnectionRow } from './connections.store.ts';
