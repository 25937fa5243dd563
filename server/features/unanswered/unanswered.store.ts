import { sql, type Insertable } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import { botFaces } from '../bots/bots.ts';
import type { UnansweredCaseTable, UnansweredTable } from './unanswered.tables.ts';

export const findRow = (db: Db | Trx, workspace: string, uuid: string) =>
  db
    .selectFrom('unanswered')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .executeTakeFirst();

/** A bot in the trash answers nobody, so that there is nothing to try. */
const ofBots = (db: Db, workspace: string) =>
  db
    .selectFrom('unanswered')
    .where('unanswered.workspace', '=', workspace)
    .where((where) =>
      where.exists(
        where
          .selectFrom(botFaces(db))
          .select('face.uuid')
          .whereRef('face.uuid', '=', 'unanswered.bot')
          .where('face.deleted_at', 'is', null),
      ),
    );

export function listRows(
  db: Db,
  {
    workspace,
    status,
    reason,
    bot,
    q,
    limit,
    after,
  }: {
    workspace: string;
    status: UnansweredTable['status'];
    reason: UnansweredTable['reason'] | undefined;
    bot: string | undefined;
    q: string | undefined;
    limit: number;
    after: Position | undefined;
  },
): Promise<UnansweredTable[]> {
  let query = ofBots(db, workspace).selectAll('unanswered').where('status', '=', status);
  if (reason) query = query.where('reason', '=', reason);
  if (bot) query = query.where('bot', '=', bot);
  if (q) query = query.where(sql<boolean>`lower(question) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(asked_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('asked_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Those that are open, all and the disliked among them, each up to `most`. */
export async function countOpenRows(
  db: Db,
  workspace: string,
  most: number,
): Promise<{ open: number; disliked: number }> {
  const some = ofBots(db, workspace).select('reason').where('status', '=', 'open').limit(most);
  const { open, disliked } = await db
    .selectFrom(some.as('some'))
    .select((select) => [
      select.fn.countAll().as('open'),
      sql<number>`coalesce(sum(case when reason = 'disliked' then 1 else 0 end), 0)`.as('disliked'),
    ])
    .executeTakeFirstOrThrow();
  return { open: Number(open), disliked: Number(disliked) };
}

/** The newest of a bot, to find those alike among. */
export const listLately = (trx: Trx, bot: string, limit: number) =>
  trx
    .selectFrom('unanswered')
    .select(['uuid', 'terms', 'count', 'status'])
    .where('bot', '=', bot)
    .orderBy('asked_at', 'desc')
    .limit(limit)
    .execute();

export const insertRow = (trx: Trx, row: Insertable<UnansweredTable>) =>
  trx.insertInto('unanswered').values(row).execute();

/** Answers stay; who wrote them does not. */
export const forgetAnswerer = (trx: Trx, user: string) =>
  trx
    .updateTable('unanswered')
    .set({ answered_by: null, updated_at: Date.now() })
    .where('answered_by', '=', user)
    .execute();

/** Returns the row as it is now. */
export const updateRow = (db: Db | Trx, uuid: string, changes: Partial<UnansweredTable>) =>
  db
    .updateTable('unanswered')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirst();

/** False where the message is known already. */
export async function insertCase(trx: Trx, row: UnansweredCaseTable): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('unanswered_case')
    .values(row)
    .onConflict((conflict) => conflict.column('message').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const isKnown = async (db: Db | Trx, message: string): Promise<boolean> =>
  (await db.selectFrom('unanswered_case').select('message').where('message', '=', message).executeTakeFirst()) !==
  undefined;

export const listCases = (db: Db, unanswered: string, limit: number) =>
  db
    .selectFrom('unanswered_case')
    .selectAll()
    .where('unanswered', '=', unanswered)
    .orderBy('created_at', 'desc')
    .limit(limit)
    .execute();

/** Which questions these messages are cases of, in the order in which they are locked. */
export const listOfMessages = (trx: Trx, messages: string[]) =>
  messages.length === 0
    ? Promise.resolve([])
    : trx
        .selectFrom('unanswered_case')
        .innerJoin('unanswered', 'unanswered.uuid', 'unanswered_case.unanswered')
        .select(['unanswered.uuid', 'unanswered.bot'])
        .distinct()
        .where('unanswered_case.message', 'in', messages)
        .orderBy('unanswered.bot')
        .orderBy('unanswered.uuid')
        .execute();

export const deleteCases = (trx: Trx, messages: string[]) =>
  trx.deleteFrom('unanswered_case').where('message', 'in', messages).execute();

/** Questions in words that none of their cases has any more. */
export const listStale = (db: Db, limit: number) =>
  db
    .selectFrom('unanswered')
    .select(['uuid', 'bot'])
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('unanswered_case as each')
            .select('each.message')
            .whereRef('each.unanswered', '=', 'unanswered.uuid')
            .whereRef('each.question', '=', 'unanswered.question'),
        ),
      ),
    )
    .orderBy('bot')
    .orderBy('uuid')
    .limit(limit)
    .execute();

export async function summarizeCases(
  trx: Trx,
  unanswered: string,
): Promise<{ count: number; question: string | undefined }> {
  const { count } = await trx
    .selectFrom('unanswered_case')
    .select((select) => select.fn.countAll().as('count'))
    .where('unanswered', '=', unanswered)
    .executeTakeFirstOrThrow();
  const first = await trx
    .selectFrom('unanswered_case')
    .select('question')
    .where('unanswered', '=', unanswered)
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst();
  return { count: Number(count), question: first?.question };
}

export const deleteRow = (trx: Trx, uuid: string) => trx.deleteFrom('unanswered').where('uuid', '=', uuid).execute();
