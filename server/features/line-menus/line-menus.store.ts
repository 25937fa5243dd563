import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { Position } from '../../infra/page.ts';
import type { RichMenuLinkTable, RichMenuTable } from './line-menus.tables.ts';

export const listMenuRows = (db: Db | Trx, channel: string) =>
  db.selectFrom('rich_menu').selectAll().where('channel', '=', channel).orderBy('place').orderBy('uuid').execute();

/** Menus that stay, in the order in which they count. */
export function listMenuPage(
  db: Db,
  {
    workspace,
    channel,
    limit,
    after,
  }: { workspace: string; channel: string | undefined; limit: number; after: Position | undefined },
): Promise<RichMenuTable[]> {
  let query = db.selectFrom('rich_menu').selectAll().where('removing', '=', 0);
  query = channel === undefined ? query.where('workspace', '=', workspace) : query.where('channel', '=', channel);
  if (after) query = query.where(sql<boolean>`(place, uuid) > (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('place')
    .orderBy('uuid')
    .limit(limit + 1)
    .execute();
}

/** Of menus that stay: a tab may lead to them. */
export const listMenuIds = async (db: Db | Trx, channel: string): Promise<Set<string>> =>
  new Set(
    (
      await db.selectFrom('rich_menu').select('uuid').where('channel', '=', channel).where('removing', '=', 0).execute()
    ).map(({ uuid }) => uuid),
  );

export const findMenuRow = (db: Db | Trx, uuid: string) =>
  db.selectFrom('rich_menu').selectAll().where('uuid', '=', uuid).where('removing', '=', 0).executeTakeFirst();

export const insertMenu = (trx: Trx, row: RichMenuTable) => trx.insertInto('rich_menu').values(row).execute();

/** What its makers change has a new `updated_at`; what becomes of it at LINE has not. False where it has gone. */
export const updateMenu = async (trx: Trx | Db, uuid: string, changes: Partial<RichMenuTable>): Promise<boolean> => {
  const { numUpdatedRows } = await trx
    .updateTable('rich_menu')
    .set(changes)
    .where('uuid', '=', uuid)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};

/** What has become of it, unless its makers have changed it since it was read. */
export const updateState = (
  trx: Trx,
  { uuid, updated_at }: RichMenuTable,
  became: Pick<RichMenuTable, 'state' | 'reason' | 'detail'>,
) => trx.updateTable('rich_menu').set(became).where('uuid', '=', uuid).where('updated_at', '=', updated_at).execute();

/** LINE no longer has this version. False where it is not the one that counts, or is not wanted there. */
export async function forgetVersion(trx: Trx, uuid: string, version: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('rich_menu')
    .set({ line_id: null, live_hash: null, default_id: null, state: 'publishing', reason: 'gone', detail: '' })
    .where('uuid', '=', uuid)
    .where('line_id', '=', version)
    .where('target', 'is not', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const deleteMenu = (trx: Trx, uuid: string) => trx.deleteFrom('rich_menu').where('uuid', '=', uuid).execute();

export const deleteMenusOf = (trx: Trx, workspace: string) =>
  trx.deleteFrom('rich_menu').where('workspace', '=', workspace).execute();

/** Another number after whatever the makers of a channel's menus have changed. */
export async function versionOf(db: Db | Trx, channel: string): Promise<number> {
  const { rows } = await sql<{
    version: number | string | null;
  }>`select sum(updated_at) as version from rich_menu where channel = ${channel}`.execute(db);
  return Number(rows[0]?.version ?? 0);
}

/** Those that are on their way are no longer, for one reason. */
export const failAll = (trx: Trx | Db, channel: string, changes: Pick<RichMenuTable, 'reason' | 'detail'>) =>
  trx
    .updateTable('rich_menu')
    .set({ ...changes, state: 'failed' })
    .where('channel', '=', channel)
    .where('state', 'in', ['publishing', 'waiting'])
    .execute();

/** What was given up since LINE could not be reached is on its way again. */
export const tryAgain = (trx: Trx, channel: string) =>
  trx
    .updateTable('rich_menu')
    .set({ state: 'publishing', reason: null, detail: '', updated_at: sql`updated_at + 1` })
    .where('channel', '=', channel)
    .where('state', '=', 'failed')
    .where('reason', '=', 'unreachable')
    .execute();

/** Something about it has changed. */
export const touch = (trx: Trx, uuid: string) =>
  trx
    .updateTable('rich_menu')
    .set({ updated_at: sql`updated_at + 1` })
    .where('uuid', '=', uuid)
    .execute();

export const letWait = (trx: Trx, channel: string) =>
  trx
    .updateTable('rich_menu')
    .set({ state: 'waiting' })
    .where('channel', '=', channel)
    .where('state', '=', 'publishing')
    .execute();

/** Channels with something of ours on LINE, or on its way there or from there. */
export const listChannelsOnLine = async (db: Db): Promise<string[]> =>
  (
    await db
      .selectFrom('rich_menu')
      .select('channel')
      .distinct()
      .where((where) =>
        where.or([
          where('line_id', 'is not', null),
          where('making', 'is not', null),
          where('previous', '<>', '[]'),
          where('removing', '=', 1),
          where('state', 'in', ['publishing', 'waiting']),
          where('reason', '=', 'unreachable'),
        ]),
      )
      .execute()
  ).map(({ channel }) => channel);

export const listMenuChannels = async (trx: Trx, workspace: string): Promise<string[]> =>
  (await trx.selectFrom('rich_menu').select('channel').distinct().where('workspace', '=', workspace).execute()).map(
    ({ channel }) => channel,
  );

export const listPeople = (db: Db | Trx, menus: string[]) =>
  menus.length === 0
    ? Promise.resolve([])
    : db.selectFrom('rich_menu_person').selectAll().where('menu', 'in', menus).execute();

export async function replacePeople(trx: Trx, menu: string, identities: string[]): Promise<void> {
  await trx.deleteFrom('rich_menu_person').where('menu', '=', menu).execute();
  if (identities.length > 0)
    await trx
      .insertInto('rich_menu_person')
      .values(identities.map((identity) => ({ menu, identity })))
      .execute();
}

export const listLinks = (db: Db | Trx, channel: string) =>
  db.selectFrom('rich_menu_link').selectAll().where('channel', '=', channel).execute();

export const putLinks = (trx: Trx, rows: RichMenuLinkTable[]) =>
  trx
    .insertInto('rich_menu_link')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('identity').doUpdateSet({ menu: sql`excluded.menu`, line_id: sql`excluded.line_id` }),
    )
    .execute();

export const deleteLinks = (trx: Trx, identities: string[]) =>
  trx.deleteFrom('rich_menu_link').where('identity', 'in', identities).execute();

export const deleteLinksTo = (trx: Trx, menu: string) =>
  trx.deleteFrom('rich_menu_link').where('menu', '=', menu).execute();

/** Whoever had a version has the next one. */
export const moveLinks = (trx: Trx, from: string[], to: string) =>
  trx.updateTable('rich_menu_link').set({ line_id: to }).where('line_id', 'in', from).execute();
