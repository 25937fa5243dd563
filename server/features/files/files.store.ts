import { sql } from 'kysely';
import type { PictureColumn, StoredFile } from '../../feature.ts';
import { inBatches, type Db, type Trx } from '../../infra/db.ts';
import type { FileTable } from './files.tables.ts';

export async function insertFiles(trx: Trx, files: FileTable[]): Promise<void> {
  for (const batch of inBatches(files)) await trx.insertInto('file').values(batch).execute();
}

export async function sumBytes(db: Db | Trx, workspace: string): Promise<number> {
  const row = await db
    .selectFrom('file')
    .select((file) => file.fn.sum<number | null>('bytes').as('bytes'))
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  return Number(row?.bytes ?? 0);
}

export const findAvatar = (db: Db | Trx, uuid: string) =>
  db.selectFrom('file').selectAll().where('uuid', '=', uuid).where('kind', '=', 'avatar').executeTakeFirst();

const shownIn = ({ table, column }: PictureColumn) =>
  sql<string>`(select ${sql.ref(column)} from ${sql.table(table)} where ${sql.ref(column)} is not null)`;

/** How many rows show a picture. */
export async function countShown(db: Db, columns: PictureColumn[], uuid: string): Promise<number> {
  let count = 0;
  for (const { table, column } of columns) {
    const found = await sql<{ count: number | string }>`
      select count(*) as count from ${sql.table(table)} where ${sql.ref(column)} = ${uuid}`.execute(db);
    count += Number(found.rows[0]?.count ?? 0);
  }
  return count;
}

/** Gives a picture another id, in all rows that show it. */
export async function renamePicture(trx: Trx, columns: PictureColumn[], from: string, to: string): Promise<void> {
  await trx.updateTable('file').set({ uuid: to }).where('uuid', '=', from).where('kind', '=', 'avatar').execute();
  for (const { table, column } of columns)
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${to} where ${sql.ref(column)} = ${from}`.execute(
      trx,
    );
}

/** Pictures that are shown somewhere no longer belong to their workspace, or to the person who uploaded them. */
export const releasePictures = (trx: Trx, from: 'workspace' | 'user', id: string, shown: PictureColumn[]) =>
  trx
    .updateTable('file')
    .set({ [from]: null })
    .where(from, '=', id)
    .where((where) => where.or(shown.map((column) => where('uuid', 'in', shownIn(column)))))
    .execute();

/** Takes old pictures that nothing shows away from whoever uploaded them, so that nobody shows them while they are erased. */
export const takeUnshown = (
  db: Db,
  shown: PictureColumn[],
  { kind, before, limit }: { kind: 'avatar' | 'menu'; before: number; limit: number },
): Promise<StoredFile[]> =>
  db
    .updateTable('file')
    .set({ workspace: null, user: null })
    .where('uuid', 'in', (unshown) =>
      unshown
        .selectFrom('file')
        .select('uuid')
        // Written out, since an index of some rows is not found by a parameter.
        .where(kind === 'avatar' ? sql<boolean>`kind = 'avatar'` : sql<boolean>`kind = 'menu'`)
        .where('created_at', '<', before)
        .where((where) => where.and(shown.map((column) => where('uuid', 'not in', shownIn(column)))))
        .orderBy('created_at')
        .limit(limit),
    )
    .returning(['uuid', 'kind', 'storage_key'])
    .execute();

/** Documents belong to their workspace alone from here on. */
export const releaseDocuments = (trx: Trx, user: string) =>
  trx.updateTable('file').set({ user: null }).where('user', '=', user).where('kind', '=', 'document').execute();

export const deleteFilesOf = (trx: Trx, of: 'workspace' | 'user', id: string) =>
  trx.deleteFrom('file').where(of, '=', id).returning(['uuid', 'kind', 'storage_key']).execute();

export const deleteFiles = async (trx: Trx, uuids: string[]) => {
  if (uuids.length > 0) await trx.deleteFrom('file').where('uuid', 'in', uuids).execute();
};
