import { sql } from 'kysely';
import type { Db, Engine, Trx } from '../../infra/db.ts';
import type { AuditTable, MailTable, UserTable } from '../../infra/db.types.ts';
import { containing, type Position } from '../../infra/page.ts';

const ofUser = (table: string) => sql`from ${sql.table(table)} as t where t."user" = "user".uuid`;

const withCounts = (db: Db | Trx) =>
  db
    .selectFrom('user')
    .selectAll('user')
    .select([
      sql<number>`(select count(*) ${ofUser('member')})`.as('workspaces'),
      sql<number | null>`(select max(t.last_seen_at) ${ofUser('session')})`.as('last_seen_at'),
      sql<number>`(select count(*) ${ofUser('identity')})`.as('identities'),
      sql<number>`(select count(*) ${ofUser('passkey')})`.as('passkeys'),
    ]);

export type UserRow = Awaited<ReturnType<typeof listUsers>>[number];

export const findUser = (db: Db | Trx, uuid: string): Promise<UserRow | undefined> =>
  withCounts(db).where('user.uuid', '=', uuid).executeTakeFirst();

export type UserState = 'all' | 'active' | 'suspended' | 'unverified' | 'operators';

export function listUsers(
  db: Db,
  { q, state, limit, after }: { q: string | undefined; state: UserState; limit: number; after: Position | undefined },
) {
  let query = withCounts(db);
  if (q)
    query = query.where(
      sql<boolean>`(lower("user".username) like ${containing(q)} escape '\\' or lower("user".email) like ${containing(q)} escape '\\')`,
    );
  if (state === 'active') query = query.where('user.suspended_at', 'is', null);
  if (state === 'suspended') query = query.where('user.suspended_at', 'is not', null);
  if (state === 'unverified') query = query.where('user.email_verified', '=', 0);
  if (state === 'operators') query = query.where('user.is_operator', '=', 1);
  if (after) query = query.where(sql<boolean>`("user".created_at, "user".uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('user.created_at', 'desc')
    .orderBy('user.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const updateUser = (
  trx: Trx,
  uuid: string,
  changes: Partial<
    Pick<UserTable, 'suspended_at' | 'suspended_for' | 'is_operator' | 'totp_secret' | 'totp_since' | 'totp_step'>
  >,
) =>
  trx
    .updateTable('user')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** Who can act as an operator. Until the transaction ends nobody else takes that from one of them. */
export async function lockOperators(trx: Trx): Promise<string[]> {
  const rows = await trx
    .updateTable('user')
    .set({ is_operator: 1 })
    .where('is_operator', '=', 1)
    .where('suspended_at', 'is', null)
    .returning('uuid')
    .execute();
  return rows.map((row) => row.uuid);
}

export async function deleteSecondFactors(trx: Trx, user: string): Promise<void> {
  await updateUser(trx, user, { totp_secret: null, totp_since: null, totp_step: null });
  await trx.deleteFrom('backup_code').where('user', '=', user).execute();
  await trx.deleteFrom('passkey').where('user', '=', user).execute();
}

export const listSettings = (db: Db | Trx, names: string[]) =>
  db.selectFrom('setting').selectAll().where('name', 'in', names).execute();

export const saveSetting = (trx: Trx, name: string, value: string) =>
  trx
    .insertInto('setting')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();

export interface AuditFilter {
  q?: string | undefined;
  action?: string | undefined;
  user?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

export function listAudit(
  db: Db,
  { q, action, user, from, until }: AuditFilter,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<AuditTable[]> {
  let query = db.selectFrom('audit').selectAll();
  if (q)
    query = query.where(
      sql<boolean>`(lower(actor) like ${containing(q)} escape '\\' or lower(subject) like ${containing(q)} escape '\\' or lower(workspace_name) like ${containing(q)} escape '\\')`,
    );
  if (action) query = query.where('action', '=', action);
  if (user) query = query.where('user', '=', user);
  if (from) query = query.where('created_at', '>=', Date.parse(from));
  if (until) query = query.where('created_at', '<', Date.parse(until));
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export function listMails(
  db: Db,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<MailTable[]> {
  let query = db.selectFrom('mail').selectAll();
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findMail = (db: Db, uuid: string): Promise<MailTable | undefined> =>
  db.selectFrom('mail').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** The version of the database and the bytes it takes. */
export async function measureDatabase(db: Db, engine: Engine): Promise<{ version: string; bytes: number }> {
  const query =
    engine === 'sqlite'
      ? sql<{
          version: string;
          bytes: number;
        }>`select sqlite_version() as version, page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{
          version: string;
          bytes: number;
        }>`select current_setting('server_version') as version, pg_database_size(current_database()) as bytes`;
  const { rows } = await query.execute(db);
  return rows[0] ?? { version: '', bytes: 0 };
}

/** All that is counted, in one query. */
export async function countAll(db: Db, now: number) {
  const of = (from: string) => sql<number>`(select count(*) from ${sql.raw(from)})`;
  const counts = await db
    .selectNoFrom([
      of(`job where state = 'queued'`).as('queued'),
      of(`job where state = 'running'`).as('running'),
      of(`job where state = 'dead'`).as('dead'),
      sql<number | null>`(select min(run_at) from job where state = 'queued')`.as('oldestQueuedAt'),
      of('file').as('files'),
      sql<number>`(select coalesce(sum(bytes), 0) from file)`.as('fileBytes'),
      of(`mail where state = 'queued'`).as('mailsWaiting'),
      of(`mail where state = 'failed'`).as('mailsFailed'),
      of('"user"').as('users'),
      of('workspace').as('workspaces'),
      of('bot where deleted_at is null').as('bots'),
      of('document where deleted_at is null').as('documents'),
      sql<number>`(select count(*) from session where expires_at > ${now})`.as('sessions'),
    ])
    .executeTakeFirstOrThrow();
  return { ...counts, fileBytes: Number(counts.fileBytes) };
}
