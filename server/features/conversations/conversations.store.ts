import { sql, type Expression, type SelectQueryBuilder } from 'kysely';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import type { InboxView } from '../../../shared/contracts/inbox.ts';
import type { Tables } from '../../infra/db.types.ts';
import { quarterMs } from '../../infra/days.ts';
import { firstIdAt, prepareInsert, prepareQuery, type Db, type Engine, type Trx } from '../../infra/db.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';
import { containing, type Position } from '../../infra/page.ts';
import { botFaces, botDeletions } from '../bots/bots.ts';
import type { Speaker } from '../users/speaker.ts';
import { memberships } from '../workspaces/memberships.ts';

const insertThread = prepareInsert('thread', {
  uuid: true,
  created_at: true,
  updated_at: true,
  workspace: true,
  bot: true,
  user: true,
  api_key: true,
  channel: true,
  title: true,
  status: true,
  language: true,
  last_seq: true,
  running: true,
  head: true,
  pinned_at: true,
  temporary: true,
  share_hash: true,
  deleted_at: true,
  guest: true,
  identity: true,
  channel_id: true,
  assignee: true,
  reason: true,
  waiting_since: true,
  snoozed_until: true,
  typed_until: true,
  unread: true,
  seen_seq: true,
  last_text: true,
  last_role: true,
  last_author: true,
  last_at: true,
  left_at: true,
});

/** The asker's own threads; those of others, and a person's for their keys, are not there. */
const threadsOf = (db: Db | Trx, owner: Speaker) => {
  const there = db
    .selectFrom('thread')
    .selectAll()
    .where('workspace', '=', owner.workspace)
    .where('deleted_at', 'is', null);
  if (owner.kind === 'guest') return there.where('guest', '=', owner.guest).where('channel_id', '=', owner.channelId);
  const own = there.where('user', '=', owner.user);
  if (owner.kind === 'member') return own.where('api_key', 'is', null);
  const ofKey = own.where('api_key', '=', owner.key);
  return owner.bots ? ofKey.where('bot', 'in', owner.bots) : ofKey;
};

export const findThread = (db: Db | Trx, owner: Speaker, uuid: string) =>
  threadsOf(db, owner).where('uuid', '=', uuid).executeTakeFirst();

const findThreads = prepareQuery((db, { uuid }: { uuid: string }) =>
  db.selectFrom('thread').selectAll().where('uuid', '=', uuid).where('deleted_at', 'is', null),
);

export const findThreadById = async (db: Db | Trx, uuid: string): Promise<ThreadTable | undefined> =>
  (await findThreads(db, { uuid }))[0];

export const listMessagesAfter = (db: Db, thread: string, seq: number, limit: number) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('thread', '=', thread)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();

/** Any thread of a workspace, for those who look after its bots. */
export const findWorkspaceThread = (db: Db, workspace: string, bots: string[] | null, uuid: string) =>
  db
    .selectFrom('thread')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('uuid', '=', uuid)
    .where('deleted_at', 'is', null)
    .$if(bots !== null, (query) => query.where('bot', 'in', bots ?? []))
    .executeTakeFirst();

/** Open for as long as its bot is there and whoever shared it is in the workspace and not suspended. */
export const findSharedThread = (db: Db, hash: string) =>
  db
    .selectFrom('thread')
    .innerJoin(botFaces(db), 'face.uuid', 'thread.bot')
    .selectAll('thread')
    .select(['face.name as bot_name', 'face.avatar as bot_avatar', 'face.mark as bot_mark'])
    .innerJoin(botDeletions(db), 'trashed.uuid', 'thread.bot')
    .innerJoin(memberships(db), (join) =>
      join.onRef('membership.workspace', '=', 'thread.workspace').onRef('membership.user', '=', 'thread.user'),
    )
    .where('thread.share_hash', '=', hash)
    .where('thread.deleted_at', 'is', null)
    .where('trashed.deleted_at', 'is', null)
    .where('membership.suspended_at', 'is', null)
    .executeTakeFirst();

/** They stay closed when the person comes back. */
export const endShares = (trx: Trx, { user, workspace }: { user: string; workspace: string }) =>
  trx
    .updateTable('thread')
    .set({ share_hash: null })
    .where('user', '=', user)
    .where('workspace', '=', workspace)
    .where('share_hash', 'is not', null)
    .execute();

/** Puts pinned threads before all others, as if they had been written to in the far future. */
export const pinnedOffset = 1e14;

export function listThreads(
  db: Db,
  owner: Speaker,
  {
    bot,
    q,
    limit,
    after,
  }: { bot: string | undefined; q: string | undefined; limit: number; after: Position | undefined },
) {
  const place = sql<number>`(case when pinned_at is null then updated_at else updated_at + ${sql.lit(pinnedOffset)} end)`;
  let query = threadsOf(db, owner).where('temporary', '=', 0);
  query = bot
    ? query.where('bot', '=', bot)
    : query.where('bot', 'in', (own) =>
        own.selectFrom(botDeletions(db)).select('trashed.uuid').where('trashed.deleted_at', 'is', null),
      );
  if (q) {
    const pattern = containing(q);
    query = query.where((where) =>
      where.or([
        sql<boolean>`lower(title) like ${pattern} escape '\\'`,
        where.exists(
          where
            .selectFrom('message')
            .select('message.uuid')
            .whereRef('message.thread', '=', 'thread.uuid')
            .where(sql<boolean>`lower(message.text) like ${pattern} escape '\\'`),
        ),
      ]),
    );
  }
  if (after) query = query.where(sql<boolean>`(${place}, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy(place, 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

interface Claim {
  uuid: string;
  /** As it was read: in a conversation that was handed over meanwhile, something else is to be said. */
  status: ThreadTable['status'];
  answer: string;
  places: number;
  now: number;
  /** What stood at the end as it was read: of what was said or answered meanwhile the answer would know nothing. Null for any. */
  head: string | null;
}

/** Claims the thread for one answer and reserves sequence numbers; gives no row when another answer is being written, or was since the thread was read. */
export const claimThread = prepareQuery((trx, { uuid, status, answer, places, now, head }: Claim) =>
  trx
    .updateTable('thread')
    .set((set) => ({ running: answer, head: answer, last_seq: set('last_seq', '+', places), updated_at: now }))
    .where('uuid', '=', uuid)
    .where('status', '=', status)
    .where('running', 'is', null)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`head is not distinct from coalesce(${head}, head)`)
    .returning('last_seq'),
);

/** The same for a guest's, whose question the team sees in its list. */
export const claimGuestThread = prepareQuery(
  (trx, { uuid, status, answer, places, now, head, text }: Claim & { text: string }) =>
    trx
      .updateTable('thread')
      .set((set) => ({
        running: answer,
        head: answer,
        last_seq: set('last_seq', '+', places),
        updated_at: now,
        last_text: text,
        last_role: 'user' as const,
        last_author: null,
        last_at: now,
        unread: set('unread', '+', 1),
      }))
      .where('uuid', '=', uuid)
      .where('status', '=', status)
      .where('running', 'is', null)
      .where('deleted_at', 'is', null)
      .where(sql<boolean>`head is not distinct from ${head}`)
      .returningAll(),
);

/** Inserts a thread that its first answer has claimed. */
export const insertClaimed = (
  trx: Trx,
  thread: ThreadTable,
  { answer, places }: { answer: string; places: number },
): Promise<unknown> => insertThread(trx, { ...thread, running: answer, head: answer, last_seq: places });

export { insertThread };

/** `status` is what it is from now on, or null to leave it. */
export const releaseThread = prepareQuery(
  (
    trx,
    { uuid, answer, status, now }: { uuid: string; answer: string; status: ThreadTable['status'] | null; now: number },
  ) =>
    trx
      .updateTable('thread')
      .set({ running: null, updated_at: now, status: sql`coalesce(${status}, status)` })
      .where('uuid', '=', uuid)
      .where('running', '=', answer),
);

interface Release {
  uuid: string;
  answer: string;
  handsOff: 0 | 1;
  reason: 'asked' | 'failed' | 'refused' | 'spent';
  /** Nothing for an answer that has no words. */
  text: string;
  /** Where it has none, that it is not to be tried again by itself. */
  isOver: 0 | 1;
  now: number;
}

/** The same for a guest's: only a thread that is still the bot's goes to people by its answer; since when it waits is said where they are told. */
export const releaseGuestThread = prepareQuery((trx, { uuid, answer, handsOff, reason, text, isOver, now }: Release) =>
  trx
    .updateTable('thread')
    .set({
      running: null,
      updated_at: now,
      // What the guest wrote meanwhile stands at the end. An answer without words leaves the question there, which is
      // nobody's any more, but where a person has taken it.
      last_text: sql`case when head = ${answer} and (${text} <> '' or (${isOver} = 1 and status = 'bot')) then ${text} else last_text end`,
      last_role: sql`case when head = ${answer} and (${text} <> '' or (${isOver} = 1 and status = 'bot')) then 'assistant' else last_role end`,
      last_author: sql`case when head = ${answer} and ${text} <> '' then null else last_author end`,
      head: sql`case when head = ${answer} and ${text} = '' then (select parent from message where uuid = ${answer}) else head end`,
      last_at: now,
      reason: sql`case when ${handsOff} = 1 and status = 'bot' then ${reason} else reason end`,
      // It has promised a person, and whoever took it over meanwhile has only typed.
      waiting_since: sql`case when ${handsOff} = 1 and typed_until is not null then coalesce(waiting_since, ${now}) else waiting_since end`,
      status: sql`case when ${handsOff} = 1 and status = 'bot' then 'waiting' else status end`,
    })
    .where('uuid', '=', uuid)
    .where('running', '=', answer)
    .returningAll(),
);

/** A guest's thread whose answer nobody writes any more ends with the question again, unless more was written since. */
export const reopenQuestion = (trx: Trx, uuid: string, answer: string) =>
  trx
    .updateTable('thread')
    .set({
      running: null,
      updated_at: Date.now(),
      head: sql`case when head = ${answer} then (select parent from message where uuid = ${answer}) else head end`,
    })
    .where('uuid', '=', uuid)
    .where('running', '=', answer)
    .execute();

export const updateThread = (db: Db | Trx, uuid: string, changes: Partial<Omit<ThreadTable, 'uuid' | 'created_at'>>) =>
  db.updateTable('thread').set(changes).where('uuid', '=', uuid).execute();

/** Nobody gets back a temporary thread that was not written to since `before`: it is in the trash for longer than anything else. */
export const deleteTemporaryThreads = (db: Db, before: number) =>
  db
    .updateTable('thread')
    .set({ deleted_at: 1 })
    .where('temporary', '=', 1)
    .where('deleted_at', 'is', null)
    .where('running', 'is', null)
    .where('updated_at', '<', before)
    .execute();

/** Conversations whose time in the trash is over, or that of their bot. */
export const listErasableThreads = (db: Db, before: number, limit: number) =>
  db
    .selectFrom('thread')
    .select(['uuid', 'user', 'workspace', 'guest'])
    .where('uuid', 'in', (old) =>
      old
        .selectFrom('thread')
        .select('uuid')
        .where('deleted_at', '<', before)
        .union(
          old
            .selectFrom(botDeletions(db))
            .innerJoin('thread', 'thread.bot', 'trashed.uuid')
            .select('thread.uuid')
            .where('trashed.deleted_at', '<', before)
            // A visitor's stays when its bot goes.
            .where('thread.guest', 'is', null),
        ),
    )
    .where('running', 'is', null)
    .limit(limit)
    .execute();

/** Bots that are answering in a workspace. */
export const hasThreads = async (db: Db, bot: string): Promise<boolean> =>
  (await db.selectFrom('thread').select('uuid').where('bot', '=', bot).limit(1).executeTakeFirst()) !== undefined;

/** Visitors' conversations stay when a bot goes for good; the next message finds whoever answers there now. */
export const forgetBots = (db: Db, before: number) =>
  db
    .updateTable('thread')
    .set({ bot: null })
    .where('guest', 'is not', null)
    .where('running', 'is', null)
    .where('bot', 'in', (gone) =>
      gone.selectFrom(botDeletions(db)).select('trashed.uuid').where('trashed.deleted_at', '<', before),
    )
    .execute();

export const deleteThread = (trx: Trx, uuid: string) => trx.deleteFrom('thread').where('uuid', '=', uuid).execute();

export const listMessagesOf = (db: Db, thread: string, limit: number) =>
  db.selectFrom('message').select(['uuid', 'files']).where('thread', '=', thread).limit(limit).execute();

export const listThreadsIn = (
  db: Db,
  of: { user: string } | { workspace: string } | { guest: string },
  limit: number,
) =>
  db
    .selectFrom('thread')
    .select(['uuid', 'user', 'workspace', 'guest'])
    .where((thread) => thread.and(of))
    .limit(limit)
    .execute();

/** From here on nothing is written to a thread that is being erased. With `before` only where nothing was since then; says whether it is so. */
export async function closeThread(db: Db, uuid: string, before?: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('thread')
    .set({ deleted_at: sql`coalesce(deleted_at, 1)` })
    .where('uuid', '=', uuid)
    .$if(before !== undefined, (query) => query.where('running', 'is', null).where(quietSince(before ?? 0)))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Where nothing was written, that counts since it was begun. */
const quietSince = (before: number) => sql<boolean>`coalesce(last_at, created_at) < ${before}`;

/** Takes the words of a message, and of the list that shows them, away. */
export async function unsay(trx: Trx, { uuid, thread }: Pick<MessageTable, 'uuid' | 'thread'>, happening: string) {
  await sql`delete from message_index where message = ${uuid}`.execute(trx);
  await trx
    .updateTable('message')
    .set({ text: '', files: '[]', sticker: null, location: null, heard: null, link: null, indexed: null, happening })
    .set('updated_at', Date.now())
    .where('uuid', '=', uuid)
    .execute();
  await trx.updateTable('thread').set({ last_text: '' }).where('uuid', '=', thread).where('head', '=', uuid).execute();
}

/** Other words for a message, and for the list that shows them. */
export async function rewrite(
  trx: Trx,
  { uuid, thread }: Pick<MessageTable, 'uuid' | 'thread'>,
  { text, last }: { text: string; last: string },
) {
  await sql`delete from message_index where message = ${uuid}`.execute(trx);
  await updateMessage(trx, uuid, { text, indexed: 0 });
  await trx
    .updateTable('thread')
    .set({ last_text: last })
    .where('uuid', '=', thread)
    .where('head', '=', uuid)
    .execute();
}

export const deleteMessages = (trx: Trx, uuids: string[]) =>
  trx.deleteFrom('message').where('uuid', 'in', uuids).execute();

/** Those of the files that another conversation of the same person, the only one who may attach them, names too. */
export async function listAttachedElsewhere(
  db: Db,
  { uuid, user, workspace, guest }: Pick<ThreadTable, 'uuid' | 'user' | 'workspace' | 'guest'>,
  files: string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of files) {
    const other = await db
      .selectFrom('message')
      .innerJoin('thread', 'thread.uuid', 'message.thread')
      .select('message.uuid')
      // What staff attach may be in conversations of several visitors.
      .$if(guest === null, (query) => query.where('thread.user', '=', user))
      .$if(guest !== null, (query) => query.where('thread.guest', 'is not', null))
      .where('thread.workspace', '=', workspace)
      .where('thread.uuid', '!=', uuid)
      // Written out, since an index of some rows is not found by a parameter.
      .where(sql<boolean>`message.files <> '[]'`)
      .where('message.files', 'like', `%${file}%`)
      .limit(1)
      .executeTakeFirst();
    if (other) found.add(file);
  }
  return found;
}

export const insertMessage = prepareInsert('message', {
  rich: true,
  quotes: true,
  heard: true,
  uuid: true,
  created_at: true,
  updated_at: true,
  thread: true,
  seq: true,
  role: true,
  parent: true,
  text: true,
  reasoning: true,
  tools: true,
  files: true,
  feedback: true,
  finish: true,
  citations: true,
  suggestions: true,
  status: true,
  error: true,
  service: true,
  service_name: true,
  tokens_in: true,
  tokens_out: true,
  tokens_cached: true,
  cost: true,
  own_key: true,
  latency_ms: true,
  first_token_ms: true,
  trace: true,
  lease_owner: true,
  lease_until: true,
  stop_requested: true,
  author: true,
  internal: true,
  happening: true,
  sticker: true,
  location: true,
  sender: true,
  delivery: true,
  delivery_error: true,
  sending: true,
  link: true,
  channel_key: true,
  indexed: true,
});

export const updateMessage = (db: Db | Trx, uuid: string, changes: Partial<MessageTable>) =>
  db
    .updateTable('message')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

type Finished = Pick<
  MessageTable,
  | 'uuid'
  | 'text'
  | 'reasoning'
  | 'tools'
  | 'files'
  | 'citations'
  | 'suggestions'
  | 'status'
  | 'finish'
  | 'error'
  | 'service'
  | 'service_name'
  | 'tokens_in'
  | 'tokens_out'
  | 'tokens_cached'
  | 'cost'
  | 'own_key'
  | 'latency_ms'
  | 'first_token_ms'
  | 'trace'
  | 'updated_at'
> & { owner: string };

/** Ends a message only while this process still has it; gives its id then. */
const finish = (trx: Db | Trx, row: Finished) =>
  trx
    .updateTable('message')
    .set({
      text: row.text,
      reasoning: row.reasoning,
      tools: row.tools,
      files: row.files,
      citations: row.citations,
      suggestions: row.suggestions,
      status: row.status,
      finish: row.finish,
      error: row.error,
      service: row.service,
      service_name: row.service_name,
      tokens_in: row.tokens_in,
      tokens_out: row.tokens_out,
      tokens_cached: row.tokens_cached,
      cost: row.cost,
      own_key: row.own_key,
      latency_ms: row.latency_ms,
      first_token_ms: row.first_token_ms,
      trace: row.trace,
      lease_owner: null,
      lease_until: null,
      updated_at: row.updated_at,
    })
    .where('uuid', '=', row.uuid)
    .where('lease_owner', '=', row.owner);

export const finishMessage = prepareQuery((trx, row: Finished) => finish(trx, row).returning('uuid'));

/** The same for a guest's, which the team is shown as it is from now on. */
export const finishGuestMessage = prepareQuery((trx, row: Finished) => finish(trx, row).returningAll());

/** What an answer has so far. */
export const keepText = prepareQuery((trx, { uuid, owner, text }: { uuid: string; owner: string; text: string }) =>
  trx.updateTable('message').set({ text }).where('uuid', '=', uuid).where('lease_owner', '=', owner),
);

export const extendLeases = async (trx: Trx, uuids: string[], owner: string, until: number) => {
  if (uuids.length === 0) return;
  await trx
    .updateTable('message')
    .set({ lease_until: until })
    .where('uuid', 'in', uuids)
    .where('lease_owner', '=', owner)
    .execute();
};

const findMessages = prepareQuery((db, { uuid }: { uuid: string }) =>
  db.selectFrom('message').selectAll().where('uuid', '=', uuid),
);

export const findMessage = async (db: Db, uuid: string): Promise<MessageTable | undefined> =>
  (await findMessages(db, { uuid }))[0];

/** What messages say that others refer to, by the message. */
export async function listQuoted(
  db: Db,
  uuids: string[],
): Promise<Map<string, Pick<MessageTable, 'uuid' | 'role' | 'text' | 'files'>>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('message')
    .select(['uuid', 'role', 'text', 'files'])
    .where('uuid', 'in', uuids)
    .where('internal', '=', 0)
    .execute();
  return new Map(rows.map((row) => [row.uuid, row]));
}

export const findMessageOf = (db: Db | Trx, thread: string, uuid: string) =>
  db.selectFrom('message').selectAll().where('uuid', '=', uuid).where('thread', '=', thread).executeTakeFirst();

/** A message and those before it in its branch, the newest first. */
export const listBranch = (db: Db | Trx, head: string | null, limit: number): Promise<MessageTable[]> =>
  head === null || limit <= 0 ? Promise.resolve([]) : findBranch(db, { head, deepest: limit - 1 });

const findBranch = prepareQuery((db, { head, deepest }: { head: string; deepest: number }) =>
  lineTo(db, head, deepest).selectAll('message').orderBy('line.depth'),
);

const lineTo = (db: Db, head: string, deepest: number) =>
  db
    .withRecursive('line(uuid, parent, depth)', (line) =>
      line
        .selectFrom('message')
        .select(['uuid', 'parent', sql<number>`0`.as('depth')])
        .where('uuid', '=', head)
        .unionAll((union) =>
          union
            .selectFrom('message')
            .innerJoin('line', 'line.parent', 'message.uuid')
            .select(['message.uuid', 'message.parent', sql<number>`line.depth + 1`.as('depth')])
            .where('line.depth', '<', deepest),
        ),
    )
    .selectFrom('line')
    .innerJoin('message', 'message.uuid', 'line.uuid');

/** How far back refusals are counted. */
const refusalsBack = 20;

export type Said = Pick<MessageTable, 'role' | 'text' | 'files' | 'quotes' | 'sticker' | 'location'> & {
  refused: 0 | 1;
};

/** The same without all that was kept of how the answers came about. */
export const listSaid = (db: Db, head: string | null, limit: number): Promise<Said[]> =>
  head === null || limit <= 0 ? Promise.resolve([]) : findSaid(db, { head, deepest: limit - 1 });

const findSaid = prepareQuery((db, { head, deepest }: { head: string; deepest: number }) =>
  lineTo(db, head, deepest)
    .select(['message.role', 'message.text', 'message.files', 'message.quotes', 'message.sticker', 'message.location'])
    // What the trace quotes has its own quotation marks escaped.
    .select(
      sql<
        0 | 1
      >`case when line.depth < ${sql.lit(refusalsBack)} and message.trace like '%"refused":true%' then 1 else 0 end`.as(
        'refused',
      ),
    )
    .orderBy('line.depth'),
);

/** The messages with the same parents, in order. */
export async function listSiblings(
  db: Db,
  thread: string,
  messages: Pick<MessageTable, 'parent'>[],
): Promise<Map<string | null, string[]>> {
  const parents = messages.flatMap(({ parent }) => (parent === null ? [] : [parent]));
  const rows = [
    ...(parents.length > 0
      ? await db
          .selectFrom('message')
          .select(['uuid', 'parent', 'seq'])
          .where('parent', 'in', parents)
          .orderBy('seq')
          .execute()
      : []),
    ...(parents.length < messages.length
      ? await db
          .selectFrom('message')
          .select(['uuid', 'parent', 'seq'])
          .where('thread', '=', thread)
          .where('parent', 'is', null)
          .orderBy('seq')
          .execute()
      : []),
  ];
  const siblings = new Map<string | null, string[]>();
  for (const { uuid, parent } of rows) {
    const known = siblings.get(parent);
    if (known) known.push(uuid);
    else siblings.set(parent, [uuid]);
  }
  return siblings;
}

/** The newest message that comes after a message, or itself: the end of the branch one was last in. */
export async function newestBelow(db: Db | Trx, uuid: string): Promise<string> {
  const found = await db
    .withRecursive('below(uuid, seq)', (below) =>
      below
        .selectFrom('message')
        .select(['uuid', 'seq'])
        .where('uuid', '=', uuid)
        .unionAll((union) =>
          union
            .selectFrom('message')
            .innerJoin('below', 'below.uuid', 'message.parent')
            .select(['message.uuid', 'message.seq']),
        ),
    )
    .selectFrom('below')
    .select('uuid')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return found?.uuid ?? uuid;
}

export const findStopRequests = async (db: Db | Trx, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db.selectFrom('message').select('uuid').where('uuid', 'in', uuids).where('stop_requested', '=', 1).execute();

/** Answers whose writer is gone. */
export const listAbandoned = (db: Db, now: number) =>
  db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select(['message.uuid', 'message.thread', 'thread.guest'])
    .where('message.lease_until', '<', now)
    .where('message.status', '=', 'streaming')
    .limit(200)
    .execute();

export const abandonMessage = (trx: Trx, uuid: string, now: number) =>
  trx
    .updateTable('message')
    .set({ status: 'interrupted', lease_owner: null, lease_until: null, updated_at: now })
    .where('uuid', '=', uuid)
    .where('lease_until', '<', now)
    .executeTakeFirst();

export const deleteThreads = (trx: Trx, workspace: string) =>
  trx.deleteFrom('thread').where('workspace', '=', workspace).execute();

/** A person's threads with all that was said in them. */
export async function deleteThreadsOf(trx: Trx, user: string): Promise<void> {
  const own = trx.selectFrom('thread').select('uuid').where('user', '=', user);
  await trx.deleteFrom('message').where('thread', 'in', own).execute();
  await trx.deleteFrom('thread').where('user', '=', user).execute();
}

export const listThreadsOf = (db: Db, user: string) =>
  db
    .selectFrom('thread')
    .select(['uuid', 'bot', 'title', 'created_at'])
    .where('user', '=', user)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();

export const listEveryMessage = (db: Db, thread: string) =>
  db
    .selectFrom('message')
    .select(['seq', 'role', 'text', 'citations', 'status', 'created_at'])
    .where('thread', '=', thread)
    .orderBy('seq')
    .execute();

/** Those of the messages that are being written. */
export const listStreaming = async (db: Db, uuids: string[]): Promise<Set<string>> =>
  uuids.length === 0
    ? new Set()
    : new Set(
        (
          await db
            .selectFrom('message')
            .select('uuid')
            .where('uuid', 'in', uuids)
            .where('status', '=', 'streaming')
            .execute()
        ).map(({ uuid }) => uuid),
      );

/** An embedded database has one process, so the answers of the former one are free at once, before their leases run out. */
export const dropAnswerLeases = (db: Db) =>
  db.updateTable('message').set({ lease_until: 0 }).where('status', '=', 'streaming').execute();

/** Questions that a person asked in a workspace. */
export async function countQuestions(db: Db, workspace: string, user: string): Promise<number> {
  const { count } = await db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select((select) => select.fn.countAll().as('count'))
    .where('thread.workspace', '=', workspace)
    .where('thread.user', '=', user)
    .where('message.role', '=', 'user')
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** What visitors write to people is no question to a bot: of theirs, those that it answered count. */
const questionsToBot = sql<number | string>`sum(case when message.role = (case when thread.guest is null then 'user'
  else 'assistant' end) then 1 else 0 end)`.as('questions');

/** Questions of a workspace since a moment, and those with an answer that names a source, by bot and quarter of an hour since 1970. */
export const countByQuarter = (db: Db, workspace: string, since: number) =>
  db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select([
      sql<string>`thread.bot`.as('bot'),
      sql<number | string>`message.created_at / ${sql.lit(quarterMs)}`.as('quarter'),
      questionsToBot,
      sql<
        number | string
      >`count(distinct case when message.role = 'assistant' and message.citations <> '[]' then message.parent end)`.as(
        'cited',
      ),
    ])
    .where('thread.workspace', '=', workspace)
    .where('thread.bot', 'is not', null)
    .where('message.created_at', '>=', since)
    .groupBy(['thread.bot', 'quarter'])
    .execute();

/** The newest answers of the installation since a moment. Ids of version 7 begin with their time, so their index finds them. */
export const listLateAnswers = (db: Db, since: number, limit: number) =>
  db
    .selectFrom('message')
    .select(['created_at', 'status', 'first_token_ms'])
    .where('uuid', '>=', firstIdAt(since))
    .where('role', '=', 'assistant')
    .orderBy('uuid', 'desc')
    .limit(limit)
    .execute();

export const countAsked = (db: Db, bots: string[] | Expression<string>, since: number) =>
  db
    .selectFrom('thread')
    .innerJoin('message', 'message.thread', 'thread.uuid')
    .select([
      sql<string>`thread.bot`.as('bot'),
      questionsToBot,
      sql<number | string>`sum(message.tokens_in + message.tokens_out)`.as('tokens'),
    ])
    .where('thread.bot', 'in', bots)
    .where('thread.updated_at', '>=', since)
    .where('message.created_at', '>=', since)
    .groupBy('thread.bot');

/** Where a guest's next message goes: the newest thread that they have not left. */
interface OfGuest {
  guest: string;
  channelId: string;
}

const findOpenThreads = prepareQuery((db, { guest, channelId, identity }: OfGuest & { identity: string | null }) =>
  db
    .selectFrom('thread')
    .selectAll()
    // Written out, since an index of some rows is not found by a parameter.
    .where(sql<boolean>`guest is not null`)
    .where('guest', '=', guest)
    .where('channel_id', '=', channelId)
    .where('deleted_at', 'is', null)
    .where('left_at', 'is', null)
    // One person may have two accounts on LINE, or be in a group besides: what is said in one chat is answered there.
    .where((where) => where.or([where('channel', '<>', 'line'), where('identity', '=', identity)]))
    .orderBy('updated_at', 'desc')
    .limit(1),
);

export const findOpenThread = async (
  db: Db | Trx,
  { guest, channelId, identity }: OfGuest & { identity?: string },
): Promise<ThreadTable | undefined> => (await findOpenThreads(db, { guest, channelId, identity: identity ?? null }))[0];

const findKeyedIn = prepareQuery((db, { thread, key }: { thread: string; key: string }) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('thread', '=', thread)
    .where(sql<boolean>`channel_key is not null`)
    .where('channel_key', '=', key),
);

export const findByKey = async (db: Db | Trx, thread: string, key: string): Promise<MessageTable | undefined> =>
  (await findKeyedIn(db, { thread, key }))[0];

/** The same in any conversation of a guest on a channel: what is sent again may have been taken before they left it. */
export const findByKeyOf = async (
  db: Db,
  { guest, channelId }: OfGuest,
  key: string,
): Promise<MessageTable | undefined> => (await findKeyed(db, { guest, channelId, key }))[0];

const findKeyed = prepareQuery((db, { guest, channelId, key }: OfGuest & { key: string }) =>
  db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .selectAll('message')
    .where('thread.guest', '=', guest)
    .where('thread.channel_id', '=', channelId)
    .where(sql<boolean>`message.channel_key is not null`)
    .where('message.channel_key', '=', key),
);

/** Which of a channel's guests have written since a moment, by how the channel knows them, for queries of later features. */
export const wroteSince = (db: Db | Trx, channelId: string, since: number, until = Number.MAX_SAFE_INTEGER) =>
  db
    .selectFrom('thread')
    // A null among them would make "none of these" never true.
    .select(sql<string>`identity`.as('identity'))
    .where('channel_id', '=', channelId)
    .where(sql<boolean>`guest is not null and identity is not null`)
    .where('last_at', '>=', since)
    .where((where) =>
      where.exists(
        where
          .selectFrom('message')
          .select('message.uuid')
          .whereRef('message.thread', '=', 'thread.uuid')
          .where('message.role', '=', 'user')
          .where('message.created_at', '>=', since)
          .where('message.created_at', '<=', until),
      ),
    );

/** When guests first wrote on a channel in a span of time, by their identities. */
export const listFirstWritten = async (
  db: Db,
  { channelId, guests, since, until }: { channelId: string; guests: string[]; since: number; until: number },
): Promise<Map<string, number>> => {
  if (guests.length === 0) return new Map();
  const rows = await db
    .selectFrom('thread')
    .innerJoin('message', 'message.thread', 'thread.uuid')
    .select(({ fn }) => ['thread.identity', 'thread.channel_id', fn.min('message.created_at').as('at')])
    .where(sql<boolean>`thread.guest is not null`)
    .where('thread.guest', 'in', guests)
    .where('thread.last_at', '>=', since)
    .where('message.role', '=', 'user')
    .where('message.created_at', '>=', since)
    .where('message.created_at', '<=', until)
    .groupBy(['thread.identity', 'thread.channel_id'])
    .execute();
  // Asked for the channel, SQLite would go through all that was said there.
  return new Map(
    rows.flatMap(({ identity, channel_id, at }) => (channel_id === channelId ? [[identity ?? '', Number(at)]] : [])),
  );
};

/** Whether a guest has written, or the team has, since a moment; and whether the team looks after them now. */
export async function whatHappened(
  db: Db | Trx,
  { guest, channelId, since }: OfGuest & { since: number },
): Promise<{ wrote: boolean; staff: boolean }> {
  const threads = await db
    .selectFrom('thread')
    .select(['uuid', 'status'])
    .where(sql<boolean>`guest is not null`)
    .where('guest', '=', guest)
    .where('channel_id', '=', channelId)
    .where('last_at', '>=', since)
    .execute();
  if (threads.length === 0) return { wrote: false, staff: false };
  const roles = await db
    .selectFrom('message')
    .select('role')
    .distinct()
    .where(
      'thread',
      'in',
      threads.map(({ uuid }) => uuid),
    )
    .where('internal', '=', 0)
    .where('role', 'in', ['user', 'staff'])
    .where('created_at', '>=', since)
    .execute();
  return {
    wrote: roles.some(({ role }) => role === 'user'),
    staff: roles.some(({ role }) => role === 'staff') || threads.some(({ status }) => status === 'staff'),
  };
}

export const leaveThreads = (db: Db | Trx, { guest, channelId }: { guest: string; channelId: string }, now: number) =>
  db
    .updateTable('thread')
    .set({ left_at: now })
    .where(sql<boolean>`guest is not null`)
    .where('guest', '=', guest)
    .where('channel_id', '=', channelId)
    .where('left_at', 'is', null)
    .execute();

interface LineQuery {
  thread: string;
  before?: number | undefined;
  after?: number | undefined;
  limit: number;
  /** Whether notes and happenings are among them. */
  internal: boolean;
}

/** Messages of a guest's thread in order: the newest, or those next to a number. Answers that ended before their first word are left out. */
export async function listLine(db: Db, { thread, before, after, limit, internal }: LineQuery): Promise<MessageTable[]> {
  const rows = await db
    .selectFrom('message')
    .selectAll()
    .where('thread', '=', thread)
    .where(sql<boolean>`not (role = 'assistant' and text = '' and status <> 'streaming')`)
    .$if(!internal, (query) => query.where('internal', '=', 0))
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .$if(after !== undefined, (query) => query.where('seq', '>', after ?? 0))
    .orderBy('seq', after === undefined ? 'desc' : 'asc')
    .limit(limit)
    .execute();
  return after === undefined ? rows.toReversed() : rows;
}

const guestThreads = (db: Db | Trx, workspace: string) =>
  db
    .selectFrom('thread')
    .where(sql<boolean>`thread.guest is not null and thread.deleted_at is null`)
    .where('thread.workspace', '=', workspace)
    .where('thread.temporary', '=', 0)
    .where('thread.last_at', 'is not', null);

export const findGuestThread = (db: Db | Trx, workspace: string, uuid: string) =>
  guestThreads(db, workspace).selectAll('thread').where('thread.uuid', '=', uuid).executeTakeFirst();

export interface GuestThreadFilter {
  workspace: string;
  /** Whose, where it says whose. */
  view: InboxView;
  user: string;
  channel?: string | undefined;
  bot?: string | undefined;
  /** Only threads of these guests. */
  guests?: SelectQueryBuilder<Tables, 'guest_tag', { guest: string }> | undefined;
  q?: string | undefined;
  /** Of guests whose name is searched. */
  named?: SelectQueryBuilder<Tables, keyof Tables, { uuid: string }> | undefined;
  /** The threads in which it was said. */
  said?: string[] | undefined;
}

const filtered = (db: Db, { workspace, view, user, channel, bot, guests, q, named, said }: GuestThreadFilter) => {
  let query = guestThreads(db, workspace);
  if (view === 'mine')
    query = query.where('thread.assignee', '=', user).where('thread.status', 'in', ['waiting', 'staff']);
  else if (view === 'unassigned')
    query = query.where('thread.assignee', 'is', null).where('thread.status', 'in', ['waiting', 'staff']);
  // Written out, since an index of some rows is not found by a parameter.
  else if (view === 'waiting') query = query.where(sql<boolean>`thread.status = 'waiting'`);
  else if (view !== 'all') query = query.where('thread.status', '=', view);
  if (channel) query = query.where('thread.channel_id', '=', channel);
  if (bot) query = query.where('thread.bot', '=', bot);
  if (guests) query = query.where('thread.guest', 'in', guests);
  if (q) {
    query = query.where((where) =>
      where.or([
        ...(named ? [where('thread.guest', 'in', named)] : []),
        ...(said && said.length > 0 ? [where('thread.uuid', 'in', said)] : []),
      ]),
    );
  }
  return query;
};

export function listGuestThreads(
  db: Db,
  { limit, after, ...filter }: GuestThreadFilter & { limit: number; after: Position | undefined },
): Promise<ThreadTable[]> {
  const query = filtered(db, filter)
    .selectAll('thread')
    .limit(limit + 1);
  if (filter.view === 'waiting')
    return query
      .$if(after !== undefined, (rest) =>
        rest.where(sql<boolean>`(${waitsFrom}, thread.uuid) > (${Number(after?.at)}, ${after?.uuid})`),
      )
      .orderBy(waitsFrom)
      .orderBy('thread.uuid')
      .execute();
  return query
    .$if(after !== undefined, (rest) =>
      rest.where(sql<boolean>`(thread.last_at, thread.uuid) < (${Number(after?.at)}, ${after?.uuid})`),
    )
    .orderBy('thread.last_at', 'desc')
    .orderBy('thread.uuid', 'desc')
    .execute();
}

const waitsFrom = sql<number>`coalesce(thread.waiting_since, thread.last_at)`;

/** What says where a conversation stands in its view: who waits the longest stands first, elsewhere who was written to last. */
export const placeIn = (view: InboxView, { waiting_since, last_at }: ThreadTable): number =>
  (view === 'waiting' ? waiting_since : null) ?? last_at ?? 0;

/** How many there are, counted up to `most`. */
export async function countGuestThreads(
  db: Db,
  filter: GuestThreadFilter & { unread?: boolean },
  most: number,
): Promise<number> {
  const some = filtered(db, filter)
    .select('thread.uuid')
    .$if(filter.unread === true, (query) => query.where('thread.unread', '>', 0))
    .limit(most);
  const { count } = await db
    .selectFrom(some.as('some'))
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const listThreadsOfGuest = (db: Db | Trx, guest: string, limit?: number) =>
  db
    .selectFrom('thread')
    .selectAll()
    .where(sql<boolean>`guest is not null`)
    .where('guest', '=', guest)
    .where('deleted_at', 'is', null)
    .orderBy('updated_at', 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();

/** The conversation of each guest on a channel that had something last. */
export const listLatestThreads = async (db: Db, channelId: string, guests: string[]): Promise<Map<string, string>> => {
  if (guests.length === 0) return new Map();
  const threads = await db
    .selectFrom('thread')
    .select(['uuid', 'guest'])
    .where(sql<boolean>`guest is not null`)
    .where('guest', 'in', guests)
    .where('channel_id', '=', channelId)
    .where('deleted_at', 'is', null)
    .orderBy('updated_at')
    .execute();
  return new Map(threads.map(({ uuid, guest }) => [guest ?? '', uuid]));
};

/** Threads of one guest become another's; those of one identity, where it is said. */
export const moveThreads = (trx: Trx, from: string, to: string, identity?: string) =>
  trx
    .updateTable('thread')
    .set({ guest: to })
    .where(sql<boolean>`guest is not null`)
    .where('guest', '=', from)
    .$if(identity !== undefined, (query) => query.where('identity', '=', identity ?? ''))
    .execute();

/** What the guest has seen is delivered. Gives the thread where that is news. */
export const seeThread = (db: Db, uuid: string, seq: number) =>
  db
    .updateTable('thread')
    .set({ seen_seq: seq })
    .where('uuid', '=', uuid)
    .where('seen_seq', '<', seq)
    .where('last_seq', '>=', seq)
    .returningAll()
    .executeTakeFirst();

/** What waits in a conversation to be sent, the oldest first. */
export const listQueued = (db: Db | Trx, thread: string, limit: number) =>
  db
    .selectFrom('message')
    .selectAll()
    .where('thread', '=', thread)
    .where('delivery', '=', 'queued')
    .orderBy('seq')
    .limit(limit)
    .execute();

export const markDelivered = (db: Db, thread: string, seq: number) =>
  db
    .updateTable('message')
    .set({ delivery: 'delivered', updated_at: Date.now() })
    .where('thread', '=', thread)
    .where('seq', '<=', seq)
    .where('delivery', '=', 'sent')
    .returningAll()
    .execute();

/** The file of a message that a guest may see. */
export async function findNamedFile(
  db: Db,
  of: { guest: string } | { thread: string },
  file: string,
): Promise<boolean> {
  const found = await db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select('message.uuid')
    .where(sql<boolean>`message.files <> '[]'`)
    .where('message.files', 'like', `%${file}%`)
    .$if('guest' in of, (query) =>
      query.where('thread.guest', '=', 'guest' in of ? of.guest : '').where('message.internal', '=', 0),
    )
    .$if('thread' in of, (query) => query.where('thread.uuid', '=', 'thread' in of ? of.thread : ''))
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Whether a file of theirs was sent in conversations of their workspace, and in none that they may read. */
export async function isSentOutOfSight(
  db: Db | Trx,
  owner: Extract<Speaker, { kind: 'key' }>,
  file: string,
): Promise<boolean> {
  const naming = db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select('thread.uuid')
    .where('thread.workspace', '=', owner.workspace)
    .where('thread.user', '=', owner.user)
    .where(sql<boolean>`message.files <> '[]'`)
    .where('message.files', 'like', `%${file}%`)
    .limit(1);
  if (!(await naming.executeTakeFirst())) return false;
  return !(await naming
    .where('thread.uuid', 'in', threadsOf(db, owner).clearSelect().select('uuid'))
    .executeTakeFirst());
}

/** What the messages that a guest sees cite, of those that name a document. */
export async function listCitations(db: Db, thread: string, document: string): Promise<Citation[]> {
  const rows = await db
    .selectFrom('message')
    .select('citations')
    .where('thread', '=', thread)
    .where('internal', '=', 0)
    .where('citations', 'like', `%${document}%`)
    .execute();
  return rows.flatMap(({ citations }): Citation[] => JSON.parse(citations));
}

interface Due {
  now: number;
  limit: number;
  after: Position | undefined;
}

const dueThreads = (db: Db, column: 'snoozed_until' | 'typed_until', { now, limit, after }: Due) => {
  const at = sql<number>`${sql.ref(column)}`;
  return (
    db
      .selectFrom('thread')
      .select(['uuid', at.as('at')])
      // Said for the planner: its index has no others.
      .where(sql<boolean>`${at} is not null`)
      .where(column, '<=', now)
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(${at}, uuid) > (${Number(after?.at)}, ${after?.uuid})`),
      )
      .orderBy(column)
      .orderBy('uuid')
      .limit(limit)
  );
};

/** Threads that were put away until now, those first that have waited longest. */
export const listSnoozed = (db: Db, due: Due) =>
  dueThreads(db, 'snoozed_until', due).where('status', '=', 'snoozed').execute();

/** Threads that somebody took over by typing and did nothing in until now. */
export const listTyped = (db: Db, due: Due) =>
  dueThreads(db, 'typed_until', due).where('deleted_at', 'is', null).execute();

/** Of a thread that somebody took over by typing, they go on: it is put off, a quarter of a minute or more at a time. */
export const putOffTyped = (db: Db, uuid: string, until: number) =>
  db
    .updateTable('thread')
    .set({ typed_until: until })
    .where('uuid', '=', uuid)
    .where('typed_until', '<', until - 15_000)
    .execute();

/** How a thread was taken over last. */
export const findTaken = (db: Db, thread: string) =>
  db
    .selectFrom('message')
    .select(['seq', 'happening', 'created_at as at'])
    .where('thread', '=', thread)
    .where('happening', 'like', '%"kind":"taken"%')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();

/** True where one of the team has answered, or done anything to the thread, after one of its rows. */
export async function wasActedOn(db: Db, thread: string, after: number): Promise<boolean> {
  const row = await db
    .selectFrom('message')
    .select('uuid')
    .where('thread', '=', thread)
    .where('seq', '>', after)
    .where(sql<boolean>`(role = 'staff' and internal = 0 or happening not like '%"by":null%')`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** True where an answer was cut off after its first words, or is being ended and may have some. */
export async function wasCutOff(db: Db, answer: string): Promise<boolean> {
  const row = await db.selectFrom('message').select(['status', 'text']).where('uuid', '=', answer).executeTakeFirst();
  return row?.status === 'streaming' || (row?.status === 'interrupted' && row.text !== '');
}

interface Quiet {
  channelId: string;
  before: number;
  limit: number;
  after: Position | undefined;
}

/** Threads of a channel that people have and in which nothing was said or done since, those first that were quiet longest. */
export const listQuietThreads = (db: Db, { channelId, before, limit, after }: Quiet) =>
  db
    .selectFrom('thread')
    .select(['uuid', 'last_seq', 'last_at as at'])
    .where(sql<boolean>`guest is not null`)
    .where('channel_id', '=', channelId)
    .where('last_at', '<', before)
    .where('status', '=', 'staff')
    .where('typed_until', 'is', null)
    .where('last_role', '<>', 'user')
    .where('deleted_at', 'is', null)
    // Taking it over is a row of its own, and no message; of a guest who is being erased the newest rows may be gone already.
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('message')
            .select('message.uuid')
            .whereRef('message.thread', '=', 'thread.uuid')
            .whereRef('message.seq', '=', 'thread.last_seq')
            .where('message.created_at', '>=', before),
        ),
      ),
    )
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(last_at, uuid) > (${Number(after?.at)}, ${after?.uuid})`),
    )
    .orderBy('last_at')
    .orderBy('uuid')
    .limit(limit)
    .$narrowType<{ at: number }>()
    .execute();

/** Threads that were left in the middle, since whoever had them is gone: the bot's that end with what the guest wrote, and those handed over of which nobody was told. */
export const listLeftAlone = (db: Db, { since, before, limit }: { since: number; before: number; limit: number }) =>
  db
    .selectFrom('thread')
    .selectAll()
    .where(sql<boolean>`guest is not null and deleted_at is null`)
    .where((where) =>
      where.or([
        where.and([where('status', '=', 'bot'), where('last_role', '=', 'user')]),
        where.and([where('status', '=', 'waiting'), where('waiting_since', 'is', null)]),
      ]),
    )
    .where('running', 'is', null)
    // Never before the last message, and what an index knows.
    .where('updated_at', '>', since)
    .where('last_at', '>', since)
    .where('last_at', '<', before)
    .where('left_at', 'is', null)
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute();

/** Conversations of a channel that were not written to since a moment. */
export const listOldThreads = (db: Db, channelId: string, before: number, limit: number) =>
  db
    .selectFrom('thread')
    .select(['uuid', 'user', 'workspace', 'guest'])
    .where(sql<boolean>`guest is not null`)
    .where('channel_id', '=', channelId)
    // In some nothing was written after all.
    .where((where) =>
      where.or([where('last_at', '<', before), where.and([where('last_at', 'is', null), quietSince(before)])]),
    )
    .where('running', 'is', null)
    .limit(limit)
    .execute();

/** Messages of visitors' conversations that cannot be searched yet; an answer can be when it is whole. */
export const listUnindexed = (db: Db, limit: number, characters: number) =>
  db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select(['message.uuid', 'message.thread', 'thread.workspace', textUpTo(characters)])
    // Written out, since an index of some rows is not found by a parameter.
    .where(sql<boolean>`message.indexed = 0`)
    .where('message.status', '<>', 'streaming')
    .orderBy('message.uuid')
    .limit(limit)
    .execute();

const textUpTo = (characters: number) => sql<string>`substr(message.text, 1, ${sql.lit(characters)})`.as('text');

/** How messages begin, by their ids. */
export async function listTexts(db: Db, uuids: string[], characters = 100_000_000): Promise<Map<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await db
    .selectFrom('message')
    .select(['message.uuid', textUpTo(characters)])
    .where('message.uuid', 'in', uuids)
    .execute();
  return new Map(rows.map(({ uuid, text }) => [uuid, text]));
}

/** Returns those of the messages that nobody else has marked, or is marking. */
export async function markIndexed(trx: Trx, engine: Engine, uuids: string[]): Promise<Set<string>> {
  const rows = await trx
    .updateTable('message')
    .set({ indexed: 1 })
    .where('uuid', 'in', (own) => {
      const unmarked = own
        .selectFrom('message')
        .select('message.uuid')
        .where('message.uuid', 'in', uuids)
        .where('message.indexed', '=', 0);
      return engine === 'postgres' ? unmarked.forUpdate().skipLocked() : unmarked;
    })
    .returning('uuid')
    .execute();
  return new Set(rows.map(({ uuid }) => uuid));
}
