import { sql } from 'kysely';
import { richKinds, type RichKind } from '../../../shared/rich-line.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { RichImageTable, RichMessageTable } from './rich-messages.tables.ts';

export function listRichRows(
  db: Db,
  {
    workspace,
    q,
    kind,
    limit,
    after,
  }: {
    workspace: string;
    q: string | undefined;
    kind: RichKind | undefined;
    limit: number;
    after: Position | undefined;
  },
): Promise<RichMessageTable[]> {
  let query = db.selectFrom('rich_message').selectAll().where('workspace', '=', workspace);
  if (q) query = query.where(sql<boolean>`lower(name) like ${containing(q)} escape '\\'`);
  if (kind) query = query.where('kind', '=', kind);
  if (after) query = query.where(sql<boolean>`(updated_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('updated_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** The kinds of which there is one, in the order in which they are offered. */
export async function listKinds(db: Db, workspace: string): Promise<RichKind[]> {
  const rows = await db
    .selectFrom('rich_message')
    .select('kind')
    .distinct()
    .where('workspace', '=', workspace)
    .execute();
  return richKinds.filter((kind) => rows.some((row) => row.kind === kind));
}

export const listRichOf = (db: Db, workspace: string): Promise<RichMessageTable[]> =>
  db.selectFrom('rich_message').selectAll().where('workspace', '=', workspace).orderBy('created_at').execute();

export const listNamedRich = (db: Db, workspace: string, uuids: string[]): Promise<RichMessageTable[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('rich_message').selectAll().where('workspace', '=', workspace).where('uuid', 'in', uuids).execute();

export const findRichRow = (db: Db | Trx, workspace: string, uuid: string) =>
  db
    .selectFrom('rich_message')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .executeTakeFirst();

export const listKnownRich = async (db: Db | Trx, workspace: string, uuids: string[]): Promise<string[]> =>
  uuids.length === 0
    ? []
    : (
        await db
          .selectFrom('rich_message')
          .select('uuid')
          .where('workspace', '=', workspace)
          .where('uuid', 'in', uuids)
          .execute()
      ).map(({ uuid }) => uuid);

export async function countRich(db: Db | Trx, workspace: string): Promise<number> {
  const { count } = await db
    .selectFrom('rich_message')
    .select(({ fn }) => fn.countAll<number | string>().as('count'))
    .where('workspace', '=', workspace)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const insertRich = (trx: Trx, row: RichMessageTable) => trx.insertInto('rich_message').values(row).execute();

export const updateRich = (trx: Trx, uuid: string, changes: Partial<RichMessageTable>) =>
  trx.updateTable('rich_message').set(changes).where('uuid', '=', uuid).execute();

export const deleteRich = (trx: Trx, uuid: string) => trx.deleteFrom('rich_message').where('uuid', '=', uuid).execute();

export const findImage = (db: Db | Trx, uuid: string) =>
  db.selectFrom('rich_image').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const listImages = (db: Db | Trx, workspace: string, uuids: string[]): Promise<RichImageTable[]> =>
  uuids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('rich_image').selectAll().where('workspace', '=', workspace).where('uuid', 'in', uuids).execute();

export const insertImage = (trx: Trx, row: RichImageTable) => trx.insertInto('rich_image').values(row).execute();

/** How many of them are there, and stay from now on. */
export async function keepImages(trx: Trx, workspace: string, uuids: string[], now: number): Promise<number> {
  if (uuids.length === 0) return 0;
  const { numUpdatedRows } = await trx
    .updateTable('rich_image')
    .set({ kept_at: sql`coalesce(kept_at, ${now})` })
    .where('workspace', '=', workspace)
    .where('uuid', 'in', uuids)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Takes old pictures that nothing has ever shown away. */
export const takeUnkept = (db: Db, { before, limit }: { before: number; limit: number }) =>
  db
    .deleteFrom('rich_image')
    .where('uuid', 'in', (old) =>
      old
        .selectFrom('rich_image')
        .select('uuid')
        .where(sql<boolean>`kept_at is null`)
        .where('created_at', '<', before)
        .orderBy('created_at')
        .limit(limit),
    )
    .where('kept_at', 'is', null)
    .returning('files')
    .execute();

export async function deleteRichOf(trx: Trx, workspace: string): Promise<void> {
  await trx.deleteFrom('rich_message').where('workspace', '=', workspace).execute();
  await trx.deleteFrom('rich_image').where('workspace', '=', workspace).execute();
}
