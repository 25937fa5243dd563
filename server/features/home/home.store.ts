import { sql } from 'kysely';
import type { Db } from '../../infra/db.ts';

/** What of a workspace there is, in one row each. */
export async function countThings(db: Db, workspace: string, user: string) {
  const { rows } = await sql<{
    bots: number;
    published: number;
    knowledges: number;
    documents: number;
    busy: number;
    questions: number;
  }>`select
    (select count(*) from bot where workspace = ${workspace} and deleted_at is null) as bots,
    (select count(*) from bot where workspace = ${workspace} and deleted_at is null and published_version is not null) as published,
    (select count(*) from knowledge where workspace = ${workspace} and deleted_at is null) as knowledges,
    (select count(*) from document d join knowledge k on k.uuid = d.knowledge where k.workspace = ${workspace} and d.deleted_at is null and k.deleted_at is null) as documents,
    (select count(*) from document d join knowledge k on k.uuid = d.knowledge where k.workspace = ${workspace} and d.deleted_at is null and k.deleted_at is null and d.status in ('queued', 'parsing', 'chunking', 'embedding')) as busy,
    (select count(*) from message m join thread t on t.uuid = m.thread where t.workspace = ${workspace} and t."user" = ${user} and m.role = 'user') as questions`.execute(
    db,
  );
  return rows[0] ?? { bots: 0, published: 0, knowledges: 0, documents: 0, busy: 0, questions: 0 };
}

/** When questions were asked in the workspace since a moment. */
export const listQuestionTimes = (db: Db, workspace: string, since: number) =>
  db
    .selectFrom('message')
    .innerJoin('thread', 'thread.uuid', 'message.thread')
    .select('message.created_at')
    .where('thread.workspace', '=', workspace)
    .where('message.role', '=', 'user')
    .where('message.created_at', '>=', since)
    .execute();

export const getTimezone = async (db: Db, user: string) =>
  (await db.selectFrom('user').select('timezone').where('uuid', '=', user).executeTakeFirst())?.timezone ?? 'UTC';
