import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { MessageTable, ThreadTable } from '../../infra/db.types.ts';
import { containing, type Position } from '../../infra/page.ts';

export const insertThread = (trx: Trx, thread: ThreadTable) => trx.insertInto('thread').values(thread).execute();

/** A person, or one of their keys. */
interface Asker {
  workspace: string;
  user: string;
  key: { uuid: string } | null;
}

/** The asker's own threads; those of others, and a person's for their keys, are not there. */
const threadsOf = (db: Db | Trx, { workspace, user, key }: Asker) => {
  const own = db.selectFrom('thread').selectAll().where('workspace', '=', workspace).where('user', '=', user).where('deleted_at', 'is', null);
  return key ? own.where('api_key', '=', key.uuid) : own.where('api_key', 'is', null);
};

export const findThread = (db: Db | Trx, asker: Asker, uuid: string) => threadsOf(db, asker).where('uuid', '=', uuid).executeTakeFirst();

export function listThreads(db: Db, asker: Asker, { bot, q, limit, after }: { bot: string; q: string | undefined; limit: number; after: Position | undefined }) {
  let query = threadsOf(db, asker).where('bot', '=', bot);
  if (q) query = query.where(sql<boolean>`lower(title) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(updated_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('updated_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Claims the thread for one answer and two places in its order; nothing when another answer is being written. */
export const claimThread = (trx: Trx, uuid: string, answer: string, now: number) =>
  trx
    .updateTable('thread')
    .set((set) => ({ running: answer, last_seq: set('last_seq', '+', 2), updated_at: now }))
    .where('uuid', '=', uuid)
    .where('running', 'is', null)
    .returning('last_seq')
    .executeTakeFirst();

export const releaseThread = (trx: Trx | Db, uuid: string, answer: string) => trx.updateTable('thread').set({ running: null, updated_at: Date.now() }).where('uuid', '=', uuid).where('running', '=', answer).execute();

export const updateThread = (db: Db, uuid: string, changes: Partial<Pick<ThreadTable, 'title' | 'deleted_at'>>) => db.updateTable('thread').set(changes).where('uuid', '=', uuid).execute();

export const insertMessages = (trx: Trx, messages: MessageTable[]) => trx.insertInto('message').values(messages).execute();

export const updateMessage = (db: Db | Trx, uuid: string, changes: Partial<MessageTable>) =>
  db
    .updateTable('message')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** Ends a message only while this process still has it. */
export const settleMessage = (trx: Trx, uuid: string, owner: string, changes: Partial<MessageTable>) =>
  trx
    .updateTable('message')
    .set({ ...changes, lease_owner: null, lease_until: null, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .where('lease_owner', '=', owner)
    .executeTakeFirst();

export const findMessage = (db: Db, uuid: string) => db.selectFrom('message').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** The newest first. */
export function listMessages(db: Db, thread: string, limit: number, before: number | undefined) {
  let query = db.selectFrom('message').selectAll().where('thread', '=', thread);
  if (before !== undefined) query = query.where('seq', '<', before);
  return query
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findStopRequests = async (db: Db | Trx, uuids: string[]) => (uuids.length === 0 ? [] : db.selectFrom('message').select('uuid').where('uuid', 'in', uuids).where('stop_requested', '=', 1).execute());

/** Answers whose writer is gone. */
export const listAbandoned = (db: Db, now: number) => db.selectFrom('message').select(['uuid', 'thread']).where('lease_until', '<', now).where('status', '=', 'streaming').limit(200).execute();

export const abandonMessage = (trx: Trx, uuid: string, now: number) => trx.updateTable('message').set({ status: 'interrupted', lease_owner: null, lease_until: null, updated_at: now }).where('uuid', '=', uuid).where('lease_until', '<', now).executeTakeFirst();
