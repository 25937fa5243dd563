import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import type { SessionTable } from './users.tables.ts';
import { findUser, lockUser, type User } from './users.ts';

export type Session = SessionTable;

const confirmedMs = 10 * 60_000;

/** Sessions with whose they are, as queries of other features may join them. */
export const sessionHolders = (db: Db | Trx) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.uuid', 'session.user')
    .select([
      'session.uuid as session',
      'session.expires_at',
      'session.last_seen_at',
      'user.uuid as user',
      'user.username',
      'user.avatar',
      'user.locale',
      'user.is_operator',
      'user.suspended_at',
    ])
    .as('holder');

export const insertSession = (db: Db | Trx, session: SessionTable) =>
  db.insertInto('session').values(session).execute();

export const findSession = (db: Db | Trx, uuid: string) =>
  db.selectFrom('session').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const listSessions = (db: Db | Trx, user: string, now: number) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('user', '=', user)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .execute();

const withPerson = (db: Db | Trx) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.uuid', 'session.user')
    .selectAll('session')
    .select(['user.suspended_at', 'user.username']);

/** By the secret that it has, or had before. */
export const findSessionBySecret = (db: Db | Trx, secretHash: string) =>
  withPerson(db)
    .where((where) =>
      where.or([where('session.secret_hash', '=', secretHash), where('session.previous_hash', '=', secretHash)]),
    )
    .executeTakeFirst();

/** Gives a session another secret. Of two that renew at the same moment with the same one, one does. */
export const rotateSecret = async (
  db: Db,
  { uuid, secret_hash: previous }: Pick<SessionTable, 'uuid' | 'secret_hash'>,
  changes: Pick<SessionTable, 'secret_hash' | 'sealed_secret' | 'rotated_at' | 'expires_at'>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('session')
    .set({ ...changes, previous_hash: previous, last_seen_at: changes.rotated_at, updated_at: changes.rotated_at })
    .where('uuid', '=', uuid)
    .where('secret_hash', '=', previous)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const touchSession = (db: Db | Trx, uuid: string, now: number) =>
  db.updateTable('session').set({ last_seen_at: now, updated_at: now }).where('uuid', '=', uuid).execute();

/** Those that were last seen before `before` are seen now. */
export const touchSessions = (db: Db, { sessions, now, before }: { sessions: string[]; now: number; before: number }) =>
  db
    .updateTable('session')
    .set({ last_seen_at: now, updated_at: now })
    .where('uuid', 'in', sessions)
    .where('last_seen_at', '<', before)
    .execute();

export const confirmSession = (db: Db | Trx, uuid: string, now: number) =>
  db.updateTable('session').set({ confirmed_at: now, updated_at: now }).where('uuid', '=', uuid).execute();

export const deleteSession = (db: Db | Trx, uuid: string) =>
  db.deleteFrom('session').where('uuid', '=', uuid).execute();

/** Every session of a person but one. */
export function deleteSessions(db: Db | Trx, user: string, except: string | null) {
  const all = db.deleteFrom('session').where('user', '=', user);
  return (except === null ? all : all.where('uuid', '!=', except)).execute();
}

export const deleteExpiredSessions = (db: Db, now: number) =>
  db.deleteFrom('session').where('expires_at', '<', now).execute();

/** Locks the person who calls and reads them. Throws `not-signed-in` when the session has ended since the call was let in. */
export async function lockCaller(trx: Trx, { user, session }: Caller): Promise<User> {
  await lockUser(trx, user);
  const found = session && (await findSession(trx, session)) ? await findUser(trx, user) : undefined;
  if (!found) throw new AppError('not-signed-in');
  return found;
}

/** Throws `confirmation-needed` unless the person has confirmed who they are within the last ten minutes. */
export async function mustBeConfirmed(context: Context, caller: Caller): Promise<void> {
  const session = caller.session ? await findSession(context.db, caller.session) : undefined;
  if (!session || session.confirmed_at < Date.now() - confirmedMs) throw new AppError('confirmation-needed');
}
