import type { Db, Trx } from '../../infra/db.ts';
import type { IdentityTable, PasskeyTable } from './accounts.tables.ts';

type Any = Db | Trx;

export const insertBackupCodes = (trx: Trx, user: string, hashes: string[]) =>
  trx
    .insertInto('backup_code')
    .values(hashes.map((hash) => ({ user, hash })))
    .execute();

export const deleteBackupCodes = (trx: Trx, user: string) =>
  trx.deleteFrom('backup_code').where('user', '=', user).execute();

/** Uses up a backup code; of two requests at the same moment, one gets it. */
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
    .executeTakeFirst();

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

export const listIdentitiesOf = (db: Any, users: string[]) =>
  db.selectFrom('identity').select('user').where('user', 'in', users).execute();

export const listPasskeysOf = (db: Any, users: string[]) =>
  db.selectFrom('passkey').select('user').where('user', 'in', users).execute();

export const deletePasskeys = (trx: Trx, user: string) => trx.deleteFrom('passkey').where('user', '=', user).execute();
