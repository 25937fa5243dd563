import { sql } from 'kysely';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import { lockRow, prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import { translate } from '../../infra/translate.ts';
import type { UserTable } from './users.tables.ts';

export type User = UserTable;

/** Names that look the same are the same. */
export function keyOf(name: string): string {
  return name.normalize('NFKC').trim().toLowerCase();
}

const lastSeen = sql<
  number | null
>`(select max(session.last_seen_at) from session where session."user" = "user".uuid)`.as('last_seen_at');

/** People as queries of other features may join them: what others see of them, and nothing that lets anyone in. */
export const people = (db: Db | Trx) =>
  db
    .selectFrom('user')
    .select(['user.uuid', 'username', 'email', 'avatar', 'locale', 'totp_since', 'suspended_at', lastSeen])
    .as('person');

/** When one of them was last there; null when none of them ever was. */
export async function lastSeenOf(db: Db, uuids: string[]): Promise<number | null> {
  if (uuids.length === 0) return null;
  const seen = await db
    .selectFrom('session')
    .select((select) => select.fn.max('last_seen_at').as('at'))
    .where('user', 'in', uuids)
    .executeTakeFirst();
  return seen?.at == null ? null : Number(seen.at);
}

/** What it takes to write to people when they want it. */
export const listContacts = async (db: Db | Trx, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('user')
        .select(['uuid', 'username', 'email', 'locale', 'timezone'])
        .where('uuid', 'in', uuids)
        .execute();

export const insertUser = (trx: Trx, user: UserTable) => trx.insertInto('user').values(user).execute();

export const hasUsers = async (db: Db | Trx, except?: string) => {
  const any = db.selectFrom('user').select('uuid').limit(1);
  return (await (except === undefined ? any : any.where('uuid', '!=', except)).executeTakeFirst()) !== undefined;
};

const findUsers = prepareQuery((db, { uuid }: { uuid: string }) =>
  db.selectFrom('user').selectAll().where('uuid', '=', uuid),
);

export const findUser = async (db: Db | Trx, uuid: string): Promise<UserTable | undefined> =>
  (await findUsers(db, { uuid }))[0];

/** By email or username, however it is written. */
export const findUserByKey = (db: Db | Trx, key: string): Promise<UserTable | undefined> =>
  db
    .selectFrom('user')
    .selectAll()
    .where((where) => where.or([where('email_key', '=', key), where('username_key', '=', key)]))
    .executeTakeFirst();

export const findUserByEmail = (db: Db | Trx, email: string) =>
  db.selectFrom('user').select(['uuid', 'locale']).where('email_key', '=', keyOf(email)).executeTakeFirst();

/** Who has the address or the name already. */
export const findTaken = (db: Db | Trx, emailKey: string, usernameKey: string) =>
  db
    .selectFrom('user')
    .select(['uuid', 'email', 'email_key', 'username_key', 'locale'])
    .where((where) => where.or([where('email_key', '=', emailKey), where('username_key', '=', usernameKey)]))
    .execute();

export const updateUser = (db: Db | Trx, uuid: string, changes: Partial<UserTable>) =>
  db
    .updateTable('user')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** Ends what is on its way to open the account, or to change its address. Returns the person as they are from now on. */
export const raiseEpoch = (trx: Trx, uuid: string): Promise<UserTable> =>
  trx
    .updateTable('user')
    .set((to) => ({ security_epoch: to('security_epoch', '+', 1), pending_email: null, updated_at: Date.now() }))
    .where('uuid', '=', uuid)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Locks the person if no epoch has begun since they were read. Throws `code` when one has. */
export async function mustBeSameEpoch(
  trx: Trx,
  { uuid, security_epoch: epoch }: Pick<UserTable, 'uuid' | 'security_epoch'>,
  code: 'not-signed-in' | 'code-invalid' = 'code-invalid',
): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('user')
    .set({ security_epoch: epoch })
    .where('uuid', '=', uuid)
    .where('security_epoch', '=', epoch)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new AppError(code);
}

/** Until the transaction ends nobody else changes the person, or counts what they have. */
export const lockUser = (trx: Trx, uuid: string) => lockRow(trx, 'user', uuid);

export const deleteUser = (trx: Trx, uuid: string) => trx.deleteFrom('user').where('uuid', '=', uuid).execute();

/** Each time step of the authenticator is accepted once, and only forwards. */
export const takeTotpStep = async (db: Db | Trx, user: string, step: number) => {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ totp_step: step })
    .where('uuid', '=', user)
    .where((where) => where.or([where('totp_step', 'is', null), where('totp_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** Throws when nobody else could run the installation. Until the transaction ends nobody else takes that from an operator. */
export async function mustNotBeLastOperator(trx: Trx, uuid: string): Promise<void> {
  const operators = await trx
    .updateTable('user')
    .set({ is_operator: 1 })
    .where('is_operator', '=', 1)
    .where('suspended_at', 'is', null)
    .returning('uuid')
    .execute();
  if (operators.length === 1 && operators[0]?.uuid === uuid) throw new AppError('last-operator');
}

export type UserState = 'all' | 'active' | 'suspended' | 'unverified' | 'operators';

interface ListOptions {
  q: string | undefined;
  state: UserState;
  limit: number;
  after: Position | undefined;
}

export type ListedUser = UserTable & { last_seen_at: number | null };

export function listUsers(db: Db, { q, state, limit, after }: ListOptions): Promise<ListedUser[]> {
  let query = db.selectFrom('user').selectAll().select(lastSeen);
  if (q)
    query = query.where(
      sql<boolean>`(lower(username) like ${containing(q)} escape '\\' or lower(email) like ${containing(q)} escape '\\')`,
    );
  if (state === 'active') query = query.where('suspended_at', 'is', null);
  if (state === 'suspended') query = query.where('suspended_at', 'is not', null);
  if (state === 'unverified') query = query.where('email_verified', '=', 0);
  if (state === 'operators') query = query.where('is_operator', '=', 1);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findListedUser = (db: Db | Trx, uuid: string): Promise<ListedUser | undefined> =>
  db.selectFrom('user').selectAll().select(lastSeen).where('uuid', '=', uuid).executeTakeFirst();

export async function countUsers(db: Db, now: number): Promise<{ users: number; sessions: number }> {
  const { rows } = await sql<{ users: number; sessions: number }>`select
    (select count(*) from "user") as users,
    (select count(*) from session where expires_at > ${now}) as sessions`.execute(db);
  return rows[0] ?? { users: 0, sessions: 0 };
}

/** How customers see a person: never by the name that they sign in with. */
export const displayNameOf = ({ display_name: name }: Pick<UserTable, 'display_name'>, locale: Locale): string =>
  name || translate(locale, 'conversations-server:staff');

/** How some people are called and look. */
export const listPeople = async (db: Db | Trx, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db.selectFrom('user').select(['uuid', 'username', 'display_name', 'avatar']).where('uuid', 'in', uuids).execute();
