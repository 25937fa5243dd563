import { sql, type SelectQueryBuilder } from 'kysely';
import type { StoredFile } from '../../feature.ts';
import { inBatches, type Db, type Trx } from '../../infra/db.ts';
import type { Tables } from '../../infra/db.types.ts';
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

export const findAvatar = (db: Db, uuid: string) =>
  db.selectFrom('file').selectAll().where('uuid', '=', uuid).where('kind', '=', 'avatar').executeTakeFirst();

/** A query for the ids of pictures that rows of some table show. */
export type Pictures = SelectQueryBuilder<Tables, keyof Tables, { avatar: string | null }>;

/** Pictures that are shown somewhere no longer belong to their workspace, or to the person who uploaded them. */
export const releasePictures = (trx: Trx, from: 'workspace' | 'user', id: string, shown: Pictures[]) =>
  trx
    .updateTable('file')
    .set({ [from]: null })
    .where(from, '=', id)
    .where((where) => where.or(shown.map((pictures) => where('uuid', 'in', pictures.$castTo<{ avatar: string }>()))))
    .execute();

/** Takes old pictures that nothing shows away from whoever uploaded them, so that nobody shows them while they are erased. */
export const takeUnshown = (
  db: Db,
  shown: Pictures[],
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
        .where((where) =>
          where.and(shown.map((pictures) => where('uuid', 'not in', pictures.$castTo<{ avatar: string }>()))),
        )
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
