import type { Db, Trx } from '../../infra/db.ts';
import type { FileTable } from '../../infra/db.types.ts';

export const insertFile = (db: Db | Trx, file: FileTable) => db.insertInto('file').values(file).execute();

export const findAvatar = (db: Db, uuid: string) =>
  db.selectFrom('file').selectAll().where('uuid', '=', uuid).where('kind', '=', 'avatar').executeTakeFirst();

export const deleteFiles = async (trx: Trx, uuids: string[]) => {
  if (uuids.length > 0) await trx.deleteFrom('file').where('uuid', 'in', uuids).execute();
};
