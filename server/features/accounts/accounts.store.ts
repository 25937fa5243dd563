import { prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type { IdentityTable, PasskeyTable, SessionTable, UserTable } from '../../infra/db.types.ts';

type Any = Db | Trx;

export const insertUser = (trx: Trx, user: UserTable) => trx.insertInto('user').values(user).execute();

export async function insertPersonalWorkspace(
  trx: Trx,
  workspace: { uuid: string; name: string; user: string; now: number },
): Promise<void> {
  const { uuid, name, user, now } = workspace;
  await trx
    .insertInto('workspace')
    .values({ uuid, name, personal_of: user, avatar: null, created_at: now, updated_at: now })
    .execute();
  await trx.insertInto('member').values({ workspace: uuid, user, role: 'owner', created_at: now }).execute();
}

export const hasUsers = async (db: Any) =>
  (await db.selectFrom('user').select('uuid').limit(1).executeTakeFirst()) !== undefined;

export const hasOperator = async (db: Any) =>
  (await db.selectFrom('user').select('uuid').where('is_operator', '=', 1).limit(1).executeTakeFirst()) !== undefined;

export const findUser = (db: Any, uuid: string) =>
  db.selectFrom('user').selectAll().where('uuid', '=', uuid).executeTakeFirst();

/** By e-mail or username, however it is written. */
export const findUserByKey = (db: Any, key: string) =>
  db
    .selectFrom('user')
    .selectAll()
    .where((where) => where.or([where('email_key', '=', key), where('username_key', '=', key)]))
    .executeTakeFirst();

export const findTaken = (db: Any, emailKey: string, usernameKey: string) =>
  db
    .selectFrom('user')
    .select(['uuid', 'email', 'email_key', 'username_key', 'locale'])
    .where((where) => where.or([where('email_key', '=', emailKey), where('username_key', '=', usernameKey)]))
    .execute();

export const updateUser = (db: Any, uuid: string, changes: Partial<UserTable>) =>
  db
    .updateTable('user')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const findWorkspaces = prepareQuery((db, { user }: { user: string }) =>
  db
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.uuid', 'member.workspace')
    .select([
      'workspace.uuid',
      'workspace.name',
      'workspace.avatar',
      'workspace.personal_of',
      'workspace.created_at',
      'member.role',
    ])
    .where('member.user', '=', user),
);

/** A person as they are shown to themselves, once for each workspace they are in. */
export const findProfile = prepareQuery((db, { user }: { user: string }) =>
  db
    .selectFrom('user')
    .leftJoin('member', 'member.user', 'user.uuid')
    .leftJoin('workspace', 'workspace.uuid', 'member.workspace')
    .select([
      'user.uuid',
      'username',
      'email',
      'email_verified',
      'pending_email',
      'user.avatar',
      'locale',
      'timezone',
      'totp_since',
      'suspended_at',
      'is_operator',
      'user.created_at',
      'user.updated_at',
    ])
    .select([
      'member.role',
      'workspace.uuid as workspace',
      'workspace.name as workspaceName',
      'workspace.avatar as workspaceAvatar',
      'workspace.personal_of',
      'workspace.created_at as workspaceSince',
    ])
    .select((select) => [
      select('password_hash', 'is not', null).as('password'),
      select
        .selectFrom('identity')
        .select('identity.subject')
        .whereRef('identity.user', '=', 'user.uuid')
        .limit(1)
        .as('google'),
      select
        .selectFrom('passkey')
        .select('passkey.uuid')
        .whereRef('passkey.user', '=', 'user.uuid')
        .limit(1)
        .as('passkey'),
    ])
    .where('user.uuid', '=', user),
);

export const insertSession = (db: Any, session: SessionTable) => db.insertInto('session').values(session).execute();

export const findSession = (db: Any, uuid: string) =>
  db.selectFrom('session').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const listSessions = (db: Any, user: string, now: number) =>
  db
    .selectFrom('session')
    .selectAll()
    .where('user', '=', user)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .execute();

export const findSessionBySecret = (db: Any, secretHash: string) =>
  db
    .selectFrom('session')
    .innerJoin('user', 'user.uuid', 'session.user')
    .select(['session.uuid', 'session.user', 'session.expires_at', 'user.suspended_at', 'user.username'])
    .where('session.secret_hash', '=', secretHash)
    .executeTakeFirst();

export const extendSession = (db: Any, uuid: string, until: number, now: number) =>
  db
    .updateTable('session')
    .set({ expires_at: until, last_seen_at: now, updated_at: now })
    .where('uuid', '=', uuid)
    .execute();

export const touchSession = (db: Any, uuid: string, now: number) =>
  db.updateTable('session').set({ last_seen_at: now }).where('uuid', '=', uuid).execute();

export const confirmSession = (db: Any, uuid: string, now: number) =>
  db.updateTable('session').set({ confirmed_at: now, updated_at: now }).where('uuid', '=', uuid).execute();

export const deleteSession = (db: Any, uuid: string) => db.deleteFrom('session').where('uuid', '=', uuid).execute();

/** Every session of a person but one. */
export function deleteSessions(db: Any, user: string, except: string | null) {
  const all = db.deleteFrom('session').where('user', '=', user);
  return (except === null ? all : all.where('uuid', '!=', except)).execute();
}

type Asked = { user: string; session: string; workspace: string; now: number };

const callerQuery = (atHome: boolean) =>
  prepareQuery((db, { user, session, workspace, now }: Asked) =>
    db
      .selectFrom('session')
      .innerJoin('user', 'user.uuid', 'session.user')
      .leftJoin('workspace', (join) =>
        atHome ? join.onRef('workspace.personal_of', '=', 'user.uuid') : join.on('workspace.uuid', '=', workspace),
      )
      .leftJoin('member', (join) =>
        join.onRef('member.workspace', '=', 'workspace.uuid').onRef('member.user', '=', 'user.uuid'),
      )
      .select([
        'user.uuid as user',
        'user.username',
        'user.locale',
        'user.is_operator',
        'session.last_seen_at',
        'member.workspace',
        'workspace.name as workspaceName',
        'member.role',
      ])
      .where('session.uuid', '=', session)
      .where('session.user', '=', user)
      .where('session.expires_at', '>', now)
      .where('user.suspended_at', 'is', null),
  );
const findCallerAtHome = callerQuery(true);
const findCallerInWorkspace = callerQuery(false);

/** Who a token speaks for: one query for session, person and membership; without a workspace it is the personal one. */
export async function findCaller(
  db: Db,
  { user, session, workspace = '', now }: Omit<Asked, 'workspace'> & { workspace: string | undefined },
) {
  const [found] = await (workspace ? findCallerInWorkspace : findCallerAtHome)(db, { user, session, workspace, now });
  return found;
}

/** Who a key speaks for: nobody once it is revoked or expired, or its person is suspended or no longer in the workspace. */
export const findKey = (db: Db, hash: string, now: number) =>
  db
    .selectFrom('api_key')
    .innerJoin('user', 'user.uuid', 'api_key.user')
    .innerJoin('workspace', 'workspace.uuid', 'api_key.workspace')
    .innerJoin('member', (join) =>
      join.onRef('member.workspace', '=', 'api_key.workspace').onRef('member.user', '=', 'api_key.user'),
    )
    .select([
      'api_key.uuid as key',
      'api_key.scopes',
      'api_key.bots',
      'api_key.last_used_at',
      'api_key.workspace',
      'workspace.name as workspaceName',
      'user.uuid as user',
      'user.username',
      'user.locale',
      'member.role',
    ])
    .where('api_key.hash', '=', hash)
    .where('api_key.revoked_at', 'is', null)
    .where((where) => where.or([where('api_key.expires_at', 'is', null), where('api_key.expires_at', '>', now)]))
    .where('user.suspended_at', 'is', null)
    .executeTakeFirst();

export const touchKey = (db: Db, uuid: string, now: number) =>
  db.updateTable('api_key').set({ last_used_at: now }).where('uuid', '=', uuid).execute();

export const revokeKeysOf = (trx: Trx, user: string, now: number) =>
  trx
    .updateTable('api_key')
    .set({ revoked_at: now, updated_at: now })
    .where('user', '=', user)
    .where('revoked_at', 'is', null)
    .execute();

export const insertBackupCodes = (trx: Trx, user: string, hashes: string[]) =>
  trx
    .insertInto('backup_code')
    .values(hashes.map((hash) => ({ user, hash })))
    .execute();

export const deleteBackupCodes = (trx: Trx, user: string) =>
  trx.deleteFrom('backup_code').where('user', '=', user).execute();

/** Uses a backup code up; of two at the same moment, one gets it. */
export const takeBackupCode = async (db: Any, user: string, hash: string) =>
  (await db
    .deleteFrom('backup_code')
    .where('user', '=', user)
    .where('hash', '=', hash)
    .returning('hash')
    .executeTakeFirst()) !== undefined;

export const countBackupCodes = async (db: Any, user: string) =>
  (
    await db
      .selectFrom('backup_code')
      .select((select) => select.fn.countAll<number>().as('count'))
      .where('user', '=', user)
      .executeTakeFirstOrThrow()
  ).count;

/** A step of the clock counts once and only forwards. */
export const takeTotpStep = async (db: Any, user: string, step: number) => {
  const { numUpdatedRows } = await db
    .updateTable('user')
    .set({ totp_step: step })
    .where('uuid', '=', user)
    .where((where) => where.or([where('totp_step', 'is', null), where('totp_step', '<', step)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

export const insertPasskey = (db: Any, passkey: PasskeyTable) => db.insertInto('passkey').values(passkey).execute();

export const listPasskeys = (db: Any, user: string) =>
  db.selectFrom('passkey').selectAll().where('user', '=', user).orderBy('created_at').execute();

export const findPasskey = (db: Any, user: string, uuid: string) =>
  db.selectFrom('passkey').selectAll().where('user', '=', user).where('uuid', '=', uuid).executeTakeFirst();

export const findPasskeyByCredential = (db: Any, credential: string) =>
  db.selectFrom('passkey').selectAll().where('credential_id', '=', credential).executeTakeFirst();

export const updatePasskey = (db: Any, uuid: string, changes: Partial<PasskeyTable>) =>
  db
    .updateTable('passkey')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const deletePasskey = (db: Any, uuid: string) => db.deleteFrom('passkey').where('uuid', '=', uuid).execute();

export const insertIdentity = (trx: Any, identity: IdentityTable) =>
  trx.insertInto('identity').values(identity).execute();

export const findIdentity = (db: Any, subject: string) =>
  db
    .selectFrom('identity')
    .selectAll()
    .where('provider', '=', 'google')
    .where('subject', '=', subject)
    .executeTakeFirst();

export const findIdentityOf = (db: Any, user: string) =>
  db.selectFrom('identity').selectAll().where('provider', '=', 'google').where('user', '=', user).executeTakeFirst();

export const deleteIdentity = (db: Any, user: string) =>
  db.deleteFrom('identity').where('provider', '=', 'google').where('user', '=', user).execute();
