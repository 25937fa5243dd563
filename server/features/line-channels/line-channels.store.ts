import { sql } from 'kysely';
import { inBatches, prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import { readEvent } from '../../providers/channels/line/events.ts';
import { channelNames } from '../connections/connections.ts';
import type { LineChannelTable, LineEventTable, LineMessageTable, LineRequestTable } from './line-channels.tables.ts';

export const findChannelRow = prepareQuery((db, { uuid }: { uuid: string }) =>
  db.selectFrom('line_channel').selectAll().where('uuid', '=', uuid),
);

export const findByPathKey = prepareQuery((db, { key }: { key: string }) =>
  db.selectFrom('line_channel').selectAll().where('key', '=', key),
);

export function listChannelRows(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
): Promise<LineChannelTable[]> {
  let query = db.selectFrom('line_channel').selectAll('line_channel').where('line_channel.workspace', '=', workspace);
  if (q)
    query = query.where('line_channel.uuid', 'in', (named) =>
      named
        .selectFrom(channelNames(db))
        .select('channel.channel_id')
        .where(sql<boolean>`lower(channel.name) like ${containing(q)} escape '\\'`),
    );
  if (after) query = query.where(sql<boolean>`(updated_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('updated_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Channels of a workspace, the first first. */
export function listChannelIds(
  db: Db,
  { workspace, limit, after }: { workspace: string; limit: number; after: Position | undefined },
) {
  let query = db.selectFrom('line_channel').select(['uuid', 'created_at']).where('workspace', '=', workspace);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) > (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at')
    .orderBy('uuid')
    .limit(limit + 1)
    .execute();
}

export const listChannelSettings = (db: Db, workspace: string) =>
  db.selectFrom('line_channel').select(['uuid', 'settings']).where('workspace', '=', workspace).execute();

/** Of a channel of LINE's there is one in an installation, since LINE sends its events to one address. */
export const findTaken = (db: Db | Trx, { lineId, botUser }: { lineId: string; botUser: string }) =>
  db
    .selectFrom('line_channel')
    .select(['uuid', 'workspace'])
    .where((where) => where.or([where('line_id', '=', lineId), where('bot_user', '=', botUser)]))
    .executeTakeFirst();

export const insertChannel = (trx: Trx, row: LineChannelTable) => trx.insertInto('line_channel').values(row).execute();

export const updateChannelRow = (db: Db | Trx, uuid: string, changes: Partial<LineChannelTable>) =>
  db.updateTable('line_channel').set(changes).where('uuid', '=', uuid).execute();

export const deleteChannel = (trx: Trx, uuid: string) =>
  trx.deleteFrom('line_channel').where('uuid', '=', uuid).execute();

/** Those of which LINE was not asked since a moment. */
export const listUnasked = (db: Db, before: number, limit: number) =>
  db
    .selectFrom('line_channel')
    .selectAll()
    .where((where) => where.or([where('quota_at', 'is', null), where('quota_at', '<', before)]))
    .orderBy('quota_at')
    .limit(limit)
    .execute();

export const insertRequest = (trx: Trx, row: LineRequestTable) => trx.insertInto('line_request').values(row).execute();

/**
 * Events of a request; one that is there already is not there twice. Sent again by LINE while it waits, or after it has failed,
 * it has a new time to be answered in.
 */
export const insertEvents = (trx: Trx, rows: LineEventTable[]) =>
  trx
    .insertInto('line_event')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['channel', 'line_id'])
        .doUpdateSet({
          token_at: sql`excluded.token_at`,
          redelivered: 1,
          due_at: sql`excluded.due_at`,
          state: 'pending',
          reason: null,
          updated_at: sql`excluded.updated_at`,
        })
        .where('line_event.state', 'in', ['pending', 'failed'])
        .where(sql<boolean>`excluded.redelivered = 1`),
    )
    .execute();

/** Events of a channel that are due, by LINE's clock; where one of a chat has to wait, the others of that chat wait with it. */
export const listPending = prepareQuery((db, { channel, now, most }: { channel: string; now: number; most: number }) =>
  db
    .selectFrom('line_event')
    .selectAll()
    .where('channel', '=', channel)
    // Written out, since an index of some rows is not found by a parameter.
    .where(sql<boolean>`state = 'pending'`)
    .where(
      sql<boolean>`not exists (select 1 from line_event held where held.channel = line_event.channel
          and held.chat = line_event.chat and held.state = 'pending' and held.due_at > ${now})`,
    )
    .orderBy('line_at')
    .orderBy('created_at')
    .limit(most),
);

/** When the next of a channel is due; nothing where none waits. */
export async function findDue(trx: Trx, channel: string): Promise<number | undefined> {
  const { due } = await trx
    .selectFrom('line_event')
    .select((select) => select.fn.min('due_at').as('due'))
    .where('channel', '=', channel)
    .where(sql<boolean>`state = 'pending'`)
    .executeTakeFirstOrThrow();
  return due === null ? undefined : Number(due);
}

/** Events of a chat that wait, whose pictures were sent at once with one of them. */
export async function listImageSet(
  db: Db,
  { channel, chat }: Pick<LineEventTable, 'channel' | 'chat'>,
  set: string,
): Promise<{ uuid: string; messageId: string; index: number }[]> {
  const rows = await db
    .selectFrom('line_event')
    .select(['uuid', 'raw'])
    .where('channel', '=', channel)
    .where('chat', '=', chat)
    .where(sql<boolean>`state = 'pending'`)
    .where('kind', '=', 'image')
    .limit(100)
    .execute();
  return rows.flatMap(({ uuid, raw }) => {
    const { what } = readEvent(JSON.parse(raw), () => uuid);
    return what.type === 'message' && what.message.type === 'image' && what.message.imageSet?.id === set
      ? [{ uuid, messageId: what.messageId, index: what.message.imageSet.index ?? 0 }]
      : [];
  });
}

/** Whether a message of a chat is taken back as soon as what came before that is worked on. */
export async function isTakenBack(
  db: Db,
  { channel, chat }: Pick<LineEventTable, 'channel' | 'chat'>,
  messageId: string,
): Promise<boolean> {
  const rows = await db
    .selectFrom('line_event')
    .select('raw')
    .where('channel', '=', channel)
    .where('chat', '=', chat)
    .where(sql<boolean>`state = 'pending'`)
    .where('type', '=', 'unsend')
    .limit(100)
    .execute();
  return rows.some(({ raw }) => {
    const { what } = readEvent(JSON.parse(raw), () => '');
    return what.type === 'unsent' && what.messageId === messageId;
  });
}

/** Channels in which something has been due since before a moment. */
export const listForgotten = (db: Db, before: number) =>
  db
    .selectFrom('line_event')
    .innerJoin('line_channel', 'line_channel.uuid', 'line_event.channel')
    .select(['line_event.channel', 'line_channel.workspace'])
    .distinct()
    .where(sql<boolean>`line_event.state = 'pending'`)
    .where('due_at', '<', before)
    .limit(1000)
    .execute();

export const updateEvent = (db: Db | Trx, uuid: string, changes: Partial<LineEventTable>) =>
  db
    .updateTable('line_event')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** The newest reply token of a chat that came since a moment, of an event that has begun since another; it is used from here on. */
export async function takeToken(
  db: Db | Trx,
  { channel, chat, since, begun, now }: { channel: string; chat: string; since: number; begun: number; now: number },
): Promise<string | undefined> {
  const [taken] = await db
    .updateTable('line_event')
    .set({ token_used_at: now })
    .where('uuid', '=', (open) =>
      open
        .selectFrom('line_event')
        .select('uuid')
        .where('channel', '=', channel)
        .where('chat', '=', chat)
        .where(sql<boolean>`reply_token is not null and token_used_at is null`)
        .where('token_at', '>', since)
        .where('line_at', '>', begun)
        .where('mode', '=', 'active')
        .orderBy('token_at', 'desc')
        .limit(1),
    )
    .where('token_used_at', 'is', null)
    .returning('reply_token')
    .execute();
  return taken?.reply_token ?? undefined;
}

/** Who has become a friend since a moment, and when; as LINE calls them, for it knows no other name. */
export const listFollowed = (db: Db, { channel, since }: { channel: string; since: number }) =>
  db
    .selectFrom('line_event')
    .select(['chat as external', 'line_at as at'])
    .where('channel', '=', channel)
    .where('type', '=', 'follow')
    .where('state', '=', 'done')
    // What has taken long until it was done came earlier.
    .where('created_at', '>', since - 86_400_000)
    .where('done_at', '>', since)
    .execute();

/** What went out in a conversation is the answer to the newest message in it that has none. */
export const noteWay = (trx: Trx, { thread, way }: { thread: string; way: NonNullable<LineEventTable['way']> }) =>
  trx
    .updateTable('line_event')
    .set({ way })
    .where('way', 'is', null)
    .where('uuid', '=', (newest) =>
      newest
        .selectFrom('line_event')
        .select('uuid')
        .where('thread', '=', thread)
        .orderBy('created_at', 'desc')
        .limit(1),
    )
    .execute();

/** Which event an account was linked with; a nonce links one. */
export const findByNonce = (trx: Trx, nonce: string) =>
  trx
    .selectFrom('line_event')
    .select('uuid')
    .where(sql<boolean>`nonce is not null`)
    .where('nonce', '=', nonce)
    .executeTakeFirst();

export function listEvents(
  db: Db,
  {
    workspace,
    channel,
    type,
    state,
    thread,
    limit,
    after,
  }: {
    workspace: string;
    channel: string | undefined;
    type: string | undefined;
    state: LineEventTable['state'] | undefined;
    thread: string | undefined;
    limit: number;
    after: Position | undefined;
  },
): Promise<LineEventTable[]> {
  let query = db.selectFrom('line_event').selectAll();
  query = channel === undefined ? query.where('workspace', '=', workspace) : query.where('channel', '=', channel);
  if (type) query = query.where((where) => where.or([where('type', '=', type), where('kind', '=', type)]));
  if (state) query = query.where('state', '=', state);
  if (thread) query = query.where('thread', '=', thread);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findEvent = (db: Db | Trx, uuid: string) =>
  db
    .selectFrom('line_event')
    .innerJoin('line_channel', 'line_channel.uuid', 'line_event.channel')
    .selectAll('line_event')
    .select('line_channel.workspace')
    .where('line_event.uuid', '=', uuid)
    .executeTakeFirst();

export function listRequests(
  db: Db,
  {
    workspace,
    channel,
    verdict,
    limit,
    after,
  }: {
    workspace: string;
    channel: string | undefined;
    verdict: LineRequestTable['verdict'] | 'refused' | undefined;
    limit: number;
    after: Position | undefined;
  },
): Promise<LineRequestTable[]> {
  let query = db.selectFrom('line_request').selectAll();
  query = channel === undefined ? query.where('workspace', '=', workspace) : query.where('channel', '=', channel);
  // Written out, since an index of some rows is not found by a parameter.
  if (verdict && verdict !== 'accepted') query = query.where(sql<boolean>`verdict <> 'accepted'`);
  if (verdict && verdict !== 'refused') query = query.where('verdict', '=', verdict);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findRequest = (db: Db, uuid: string) =>
  db
    .selectFrom('line_request')
    .innerJoin('line_channel', 'line_channel.uuid', 'line_request.channel')
    .selectAll('line_request')
    .select('line_channel.workspace')
    .where('line_request.uuid', '=', uuid)
    .executeTakeFirst();

/** Requests that were refused, of which the newest are kept. */
export async function insertRefused(trx: Trx, row: LineRequestTable, most: number): Promise<void> {
  await insertRequest(trx, row);
  await trx
    .deleteFrom('line_request')
    .where('uuid', 'in', (old) =>
      old
        .selectFrom('line_request')
        .select('uuid')
        .where('channel', '=', row.channel)
        .where(sql<boolean>`verdict <> 'accepted'`)
        .orderBy('created_at', 'desc')
        .orderBy('uuid', 'desc')
        .limit(1000)
        .offset(most),
    )
    .execute();
}

/** The same as a request that is there already came some more times. */
export const countAgain = (trx: Trx, uuid: string, times: number) =>
  trx
    .updateTable('line_request')
    .set({ times: sql`times + ${times}`, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/**
 * So many more in a row were not signed; from some on nobody believes in the secret. `isLate`: counted after they came, so that a good
 * request may have come since, after which none of them matters.
 */
export const countRefused = (
  trx: Trx,
  uuid: string,
  { times, most, isLate = false }: { times: number; most: number; isLate?: boolean },
) =>
  trx
    .updateTable('line_channel')
    .set({
      refused: sql`refused + ${times}`,
      secret_failed_at: sql`case when refused + ${times} >= ${most} then ${Date.now()} else secret_failed_at end`,
    })
    .where('uuid', '=', uuid)
    .$if(isLate, (query) => query.where('refused', '>', 0))
    .execute();

/** Requests older than a moment, with their events; a few at a time. */
export const deleteOldRequests = (db: Db, before: number, limit: number) =>
  db
    .deleteFrom('line_request')
    .where('uuid', 'in', (old) =>
      old.selectFrom('line_request').select('uuid').where('created_at', '<', before).limit(limit),
    )
    .executeTakeFirst();

/** What is stored of a message's words by LINE's name of it, in whatever request they came, is gone. */
export const redactMessage = async (trx: Trx, channel: string, lineId: string) => {
  const events = await trx
    .selectFrom('line_event')
    .select(['uuid', 'request'])
    .where('channel', '=', channel)
    .where('message', 'is not', null)
    .where('message', 'in', (known) =>
      known.selectFrom('line_message').select('message').where('channel', '=', channel).where('line_id', '=', lineId),
    )
    .execute();
  await redactEvents(trx, events);
};

type Words = Pick<LineEventTable, 'uuid' | 'request'>;

// Requests before their events, as where old requests are deleted with theirs, or two who erase wait for each other.

export async function redactEvents(trx: Trx, events: Words[]): Promise<void> {
  if (events.length === 0) return;
  await emptyRequests(trx, events);
  const uuids = events.map(({ uuid }) => uuid);
  await trx.updateTable('line_event').set({ raw: '{}' }).where('uuid', 'in', uuids).execute();
}

/** Everything of whoever is behind these identities that came, whatever became of it. */
export async function redactChats(trx: Trx, chats: Pick<LineEventTable, 'channel' | 'chat'>[]): Promise<void> {
  if (chats.length === 0) return;
  const of = trx
    .selectFrom('line_event')
    .select('request')
    .where((event) => event.or(chats.map(({ channel, chat }) => event.and({ channel, chat }))));
  await emptyRequests(trx, await of.execute());
  for (const { channel, chat } of chats) {
    const all = trx.updateTable('line_event').where('channel', '=', channel).where('chat', '=', chat);
    await all.set({ state: 'ignored', reason: 'erased' }).where('state', '=', 'pending').execute();
    await all.set({ raw: '{}', chat: '' }).execute();
  }
}

async function emptyRequests(trx: Trx, events: Pick<LineEventTable, 'request'>[]): Promise<void> {
  const requests = [...new Set(events.map(({ request }) => request))].toSorted();
  for (const batch of inBatches(requests))
    await trx.updateTable('line_request').set({ body: '' }).where('uuid', 'in', batch).execute();
}

export async function redactMessages(trx: Trx, messages: string[]): Promise<void> {
  if (messages.length === 0) return;
  const of = trx
    .selectFrom('line_event')
    .select(['uuid', 'request'])
    .where(sql<boolean>`message is not null`)
    .where('message', 'in', messages);
  await redactEvents(trx, await of.execute());
}

/** Somebody may take back for so long what they have written, and more. */
const backMs = 7 * 86_400_000;

/** Events over which a message came that is in no conversation. */
export async function listUnknown(
  db: Db,
  { channel, chat, messageId }: { channel: string; chat: string; messageId: string },
): Promise<Words[]> {
  const rows = await db
    .selectFrom('line_event')
    .select(['uuid', 'request', 'raw'])
    .where('channel', '=', channel)
    .where('chat', '=', chat)
    .where('type', '=', 'message')
    .where('message', 'is', null)
    .where('state', '<>', 'pending')
    .where('created_at', '>', Date.now() - backMs)
    // However many nobody heard: what is taken back was written a moment ago.
    .orderBy('created_at', 'desc')
    .limit(500)
    .execute();
  return rows.filter(({ uuid, raw }) => {
    const { what } = readEvent(JSON.parse(raw), () => uuid);
    return what.type === 'message' && what.messageId === messageId;
  });
}

const findLineMessages = prepareQuery((db, { channel, lineId }: { channel: string; lineId: string }) =>
  db.selectFrom('line_message').selectAll().where('channel', '=', channel).where('line_id', '=', lineId),
);

export const findLineMessage = async (
  db: Db | Trx,
  channel: string,
  lineId: string,
): Promise<LineMessageTable | undefined> => (await findLineMessages(db, { channel, lineId }))[0];

/** Of a message that came in several parts, those that nobody has taken back. */
export const countParts = async (
  db: Db,
  { channel, message, besides }: { channel: string; message: string; besides: string },
): Promise<number> => {
  const { count } = await db
    .selectFrom('line_message')
    .select(({ fn }) => fn.countAll().as('count'))
    .where(sql<boolean>`message is not null`)
    .where('message', '=', message)
    .where('channel', '=', channel)
    .where('line_id', '<>', besides)
    .where('unsent_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
};

/** By which LINE shows a message that another refers to; of several parts the first that can be. */
export const findQuoteToken = async (db: Db, message: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('line_message')
      .select('quote_token')
      .where(sql<boolean>`message is not null`)
      .where('message', '=', message)
      .where('quote_token', 'is not', null)
      .where('unsent_at', 'is', null)
      .orderBy('line_id')
      .limit(1)
      .executeTakeFirst()
  )?.quote_token ?? undefined;

/** By which LINE is told that a conversation was read up to its newest message; each is given once. */
export async function takeReadToken(db: Db, thread: string): Promise<string | undefined> {
  const [newest] = await findUnread(db, { thread });
  if (!newest) return undefined;
  const { numUpdatedRows } = await db
    .updateTable('line_message')
    .set({ read_token: null })
    .where('thread', '=', thread)
    .where(sql<boolean>`read_token is not null`)
    .where('created_at', '<=', newest.created_at)
    .executeTakeFirst();
  return numUpdatedRows > 0n ? (newest.read_token ?? undefined) : undefined;
}

const findUnread = prepareQuery((db, { thread }: { thread: string }) =>
  db
    .selectFrom('line_message')
    .select(['read_token', 'created_at'])
    .where('thread', '=', thread)
    // Written out, since an index of some rows is not found by a parameter.
    .where(sql<boolean>`read_token is not null`)
    .orderBy('created_at', 'desc')
    .limit(1),
);

export const putLineMessage = (
  trx: Db | Trx,
  row: Pick<LineMessageTable, 'channel' | 'line_id'> & Partial<LineMessageTable>,
) =>
  trx
    .insertInto('line_message')
    .values({
      message: null,
      thread: null,
      file: null,
      quote_token: null,
      read_token: null,
      edited_at: null,
      unsent_at: null,
      created_at: Date.now(),
      ...row,
    })
    .onConflict((conflict) =>
      conflict.columns(['channel', 'line_id']).doUpdateSet(({ ref }) => ({
        line_id: ref('excluded.line_id'),
        ...(row.message !== undefined && { message: row.message, thread: row.thread ?? null }),
        ...(row.file !== undefined && { file: row.file }),
        ...(row.quote_token !== undefined && { quote_token: row.quote_token }),
        ...(row.read_token !== undefined && { read_token: row.read_token }),
        ...(row.edited_at !== undefined && { edited_at: row.edited_at }),
        ...(row.unsent_at !== undefined && { unsent_at: row.unsent_at }),
      })),
    )
    .execute();
