import type { Db, Trx } from '../../infra/db.ts';
import type { NoticeSettingTable, PushSubscriptionTable } from './notices.tables.ts';

export const findSubscription = (db: Db, uuid: string) =>
  db.selectFrom('push_subscription').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const findSubscriptionOf = (db: Db, session: string) =>
  db.selectFrom('push_subscription').selectAll().where('session', '=', session).executeTakeFirst();

export const listSubscriptions = async (db: Db | Trx, users: string[]) =>
  users.length === 0
    ? []
    : db.selectFrom('push_subscription').select(['uuid', 'user']).where('user', 'in', users).execute();

/** A session has one browser, and a browser one session: the last that asked. */
export async function putSubscription(trx: Trx, row: PushSubscriptionTable): Promise<void> {
  await trx
    .deleteFrom('push_subscription')
    .where((where) => where.or([where('session', '=', row.session), where('endpoint_hash', '=', row.endpoint_hash)]))
    .execute();
  await trx.insertInto('push_subscription').values(row).execute();
}

export const deleteSubscription = (db: Db | Trx, uuid: string) =>
  db.deleteFrom('push_subscription').where('uuid', '=', uuid).execute();

export const deleteSubscriptionOf = (db: Db | Trx, session: string) =>
  db.deleteFrom('push_subscription').where('session', '=', session).execute();

/** As they were set, or as they are usually. */
export async function listSettings(db: Db, users: string[]): Promise<NoticeSettingTable[]> {
  if (users.length === 0) return [];
  const rows = await db.selectFrom('notice_setting').selectAll().where('user', 'in', users).execute();
  return users.map(
    (user) => rows.find((row) => row.user === user) ?? { user, mail: 'own', quiet_from: null, quiet_to: null },
  );
}

export const putSettings = (db: Db | Trx, row: NoticeSettingTable) =>
  db
    .insertInto('notice_setting')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('user').doUpdateSet({ mail: row.mail, quiet_from: row.quiet_from, quiet_to: row.quiet_to }),
    )
    .execute();

export const wasMailed = async (db: Db, thread: string) =>
  (await db.selectFrom('notice_thread').select('thread').where('thread', '=', thread).executeTakeFirst()) !== undefined;

export const markMailed = (trx: Trx, thread: string, now: number) =>
  trx
    .insertInto('notice_thread')
    .values({ thread, mailed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const unmarkMailed = (db: Db, thread: string) =>
  db.deleteFrom('notice_thread').where('thread', '=', thread).execute();
