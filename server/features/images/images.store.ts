import { sql, type Updateable } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import { restorableSince, type Trashed, type TrashQuery } from '../../infra/trash.ts';
import { people } from '../users/users.ts';
import type { ImageTable } from './images.tables.ts';

type Any = Db | Trx;

export interface ImageRow extends ImageTable {
  by: string | null;
}

const rowsOf = (db: Any) =>
  db
    .selectFrom('image')
    .leftJoin(people(db), 'person.uuid', 'image.user')
    .selectAll('image')
    .select('person.username as by');

export function listImages(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
): Promise<ImageRow[]> {
  let query = rowsOf(db).where('image.workspace', '=', workspace).where('image.deleted_at', 'is', null);
  if (q) query = query.where(sql<boolean>`lower(image.prompt) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(image.created_at, image.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('image.created_at', 'desc')
    .orderBy('image.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** How many pictures there are, and the micro-credits that they cost. */
export async function sumImages(db: Db, workspace: string): Promise<{ total: number; cost: number }> {
  const { total, cost } = await db
    .selectFrom('image')
    .select(({ fn }) => fn.countAll<number | string>().as('total'))
    .select(sql<number | string>`coalesce(sum(case when status = 'done' then cost else 0 end), 0)`.as('cost'))
    .where('workspace', '=', workspace)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return { total: Number(total), cost: Number(cost) };
}

export const findImageRow = (db: Any, uuid: string): Promise<ImageRow | undefined> =>
  rowsOf(db).where('image.uuid', '=', uuid).executeTakeFirst();

export const listBatch = (db: Any, workspace: string, key: string): Promise<ImageRow[]> =>
  rowsOf(db)
    .where('image.workspace', '=', workspace)
    .where('image.request_key', '=', key)
    .orderBy('image.uuid', 'desc')
    .execute();

export const listKnown = async (db: Any, workspace: string, uuids: string[]): Promise<ImageTable[]> =>
  uuids.length === 0
    ? []
    : db.selectFrom('image').selectAll().where('workspace', '=', workspace).where('uuid', 'in', uuids).execute();

/** Of those that are in the gallery, or may still be taken back from the trash. */
export async function listThumbs(
  db: Db,
  workspace: string,
  uuids: string[],
  from: 'gallery' | 'trash',
): Promise<{ uuid: string; thumb: string }[]> {
  const rows = db
    .selectFrom('image')
    .select(['uuid', 'thumb'])
    .where('workspace', '=', workspace)
    .where('uuid', 'in', uuids)
    .where('thumb', 'is not', null)
    .$narrowType<{ thumb: string }>();
  return from === 'gallery'
    ? rows.where('deleted_at', 'is', null).execute()
    : rows.where('deleted_at', '>', restorableSince()).execute();
}

const pending = sql<boolean>`status in ('queued', 'drawing')`;

export async function countPending(db: Any, workspace: string): Promise<number> {
  const { count } = await db
    .selectFrom('image')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('workspace', '=', workspace)
    .where(pending)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Those that are still to be drawn. */
export const listPending = async (db: Any, uuids: string[]): Promise<string[]> =>
  uuids.length === 0
    ? []
    : (await db.selectFrom('image').select('uuid').where('uuid', 'in', uuids).where(pending).execute()).map(
        ({ uuid }) => uuid,
      );

export const insertImages = (trx: Trx, rows: ImageTable[]) => trx.insertInto('image').values(rows).execute();

/** True where it was still to be drawn, or in the state that is named. */
export const changePending = async (
  db: Any,
  uuid: string,
  changes: Updateable<ImageTable>,
  status?: 'queued' | 'drawing',
): Promise<boolean> =>
  (
    await db
      .updateTable('image')
      .set({ ...changes, updated_at: Date.now() })
      .where('uuid', '=', uuid)
      .where(pending)
      .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'queued'))
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

export const changeImage = (db: Any, uuid: string, changes: Updateable<ImageTable>) =>
  db.updateTable('image').set(changes).where('uuid', '=', uuid).execute();

export const listErasable = (db: Db, before: number, limit: number) =>
  db
    .selectFrom('image')
    .select(['uuid', 'file', 'thumb'])
    .where('deleted_at', '<', before)
    .orderBy('deleted_at')
    .limit(limit)
    .execute();

export function listDeletedImages(db: Db, { workspace, q, limit, after }: TrashQuery): Promise<Trashed[]> {
  let query = db
    .selectFrom('image')
    .leftJoin(people(db), 'person.uuid', 'image.deleted_by')
    .select(['image.uuid', 'image.prompt as name', 'image.deleted_by', 'person.username as deleted_by_name'])
    .select(['image.created_at', 'image.updated_at', sql<number>`image.deleted_at`.as('deleted_at')])
    .where('image.workspace', '=', workspace)
    .where('image.deleted_at', '>', restorableSince());
  if (q) query = query.where(sql<boolean>`lower(image.prompt) like ${containing(q)} escape '\\'`);
  if (after) query = query.where(sql<boolean>`(image.deleted_at, image.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query.orderBy('image.deleted_at', 'desc').orderBy('image.uuid', 'desc').limit(limit).execute();
}

export async function countDeletedImages(db: Db, workspace: string): Promise<number> {
  const { count } = await db
    .selectFrom('image')
    .select((select) => select.fn.countAll().as('count'))
    .where('workspace', '=', workspace)
    .where('deleted_at', '>', restorableSince())
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const listSome = (db: Db, workspace: string, limit: number) =>
  db.selectFrom('image').select(['uuid', 'file', 'thumb']).where('workspace', '=', workspace).limit(limit).execute();

export const deleteImages = (trx: Trx, uuids: string[]) => trx.deleteFrom('image').where('uuid', 'in', uuids).execute();

export const deleteImagesOf = (trx: Trx, workspace: string) =>
  trx.deleteFrom('image').where('workspace', '=', workspace).execute();

/** Pictures belong to their workspace; from here on nobody knows who asked for them. */
export async function forgetPerson(trx: Trx, user: string): Promise<void> {
  await trx.updateTable('image').set({ user: null, api_key: null }).where('user', '=', user).execute();
  await trx.updateTable('image').set({ deleted_by: null }).where('deleted_by', '=', user).execute();
}

const exported = ['uuid', 'prompt', 'service_name', 'width', 'height', 'seed', 'status', 'cost', 'created_at'] as const;

export const exportImagesOf = (db: Db, by: { user: string } | { workspace: string }) =>
  db
    .selectFrom('image')
    .select([...exported, 'file'])
    .where('user' in by ? 'user' : 'workspace', '=', 'user' in by ? by.user : by.workspace)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .execute();
