import type { Db, Trx } from '../../infra/db.ts';
import type { SessionTable, UserTable } from '../../infra/db.types.ts';

export const insertUser = (trx: Trx, user: UserTable) => trx.insertInto('user').values(user).execute();

export async function insertPersonalWorkspace(trx: Trx, workspace: { uuid: string; name: string; user: string; now: number }): Promise<void> {
  const { uuid, name, user, now } = workspace;
  await trx.insertInto('workspace').values({ uuid, name, personal_of: user, created_at: now, updated_at: now }).execute();
  await trx.insertInto('member').values({ workspace: uuid, user, role: 'owner', created_at: now }).execute();
}

export const hasUsers = async (trx: Trx) => (await trx.selectFrom('user').select('uuid').limit(1).executeTakeFirst()) !== undefined;

export const findUser = (db: Db, uuid: string) => db.selectFrom('user').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** By e-mail or username, however it is written. */
export const findUserByKey = (db: Db, key: string) =>
  db
    .selectFrom('user')
    .selectAll()
    .where((where) => where.or([where('email_key', '=', key), where('username_key', '=', key)]))
    .executeTakeFirst();

export const findTaken = (db: Db, emailKey: string, usernameKey: string) =>
  db
    .selectFrom('user')
    .select(['email_key', 'username_key'])
    .where((where) => where.or([where('email_key', 'in', [emailKey, usernameKey]), where('username_key', 'in', [emailKey, usernameKey])]))
    .execute();

export const updateUser = (db: Db, uuid: string, changes: Partial<Pick<UserTable, 'locale' | 'timezone' | 'avatar'>>) =>
  db
    .updateTable('user')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const findWorkspaces = (db: Db, user: string) =>
  db
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.uuid', 'member.workspace')
    .select(['workspace.uuid', 'workspace.name', 'workspace.personal_of', 'member.role'])
    .where('member.user', '=', user)
    .orderBy('workspace.created_at')
    .execute();

export const insertSession = (db: Db, session: SessionTable) => db.insertInto('session').values(session).execute();

export const findSessionBySecret = (db: Db, secretHash: string) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.uuid', 'session.user')
    .select(['session.uuid', 'session.user', 'session.expires_at', 'user.suspended_at'])
    .where('session.secret_hash', '=', secretHash)
    .executeTakeFirst();

export const extendSession = (db: Db, uuid: string, until: number, now: number) => db.updateTable('session').set({ expires_at: until, last_seen_at: now, updated_at: now }).where('uuid', '=', uuid).execute();

export const deleteSession = (db: Db, uuid: string) => db.deleteFrom('session').where('uuid', '=', uuid).execute();

/** Who a token speaks for: one query for session, person and membership; `workspace` null is the personal one. */
export function findCaller(db: Db, asked: { user: string; session: string; workspace: string | null; now: number }) {
  return db
    .selectFrom('session')
    .innerJoin('user', 'user.uuid', 'session.user')
    .leftJoin('workspace', (join) => (asked.workspace === null ? join.onRef('workspace.personal_of', '=', 'user.uuid') : join.on('workspace.uuid', '=', asked.workspace)))
    .leftJoin('member', (join) => join.onRef('member.workspace', '=', 'workspace.uuid').onRef('member.user', '=', 'user.uuid'))
    .select(['user.uuid as user', 'user.locale', 'member.workspace', 'member.role'])
    .where('session.uuid', '=', asked.session)
    .where('session.user', '=', asked.user)
    .where('session.expires_at', '>', asked.now)
    .where('user.suspended_at', 'is', null)
    .executeTakeFirst();
}
