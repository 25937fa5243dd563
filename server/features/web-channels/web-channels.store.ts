import { sql } from 'kysely';
import { prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import { containing, type Position } from '../../infra/page.ts';
import { channelNames } from '../connections/connections.ts';
import type { GoneChannelTable, WebChannelTable } from './web-channels.tables.ts';

export const findChannelRow = prepareQuery((db, { uuid }: { uuid: string }) =>
  db.selectFrom('web_channel').selectAll().where('uuid', '=', uuid),
);

export function listChannelRows(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
): Promise<WebChannelTable[]> {
  let query = db
    .selectFrom('web_channel')
    .selectAll('web_channel')
    .where('web_channel.workspace', '=', workspace)
    .where('web_channel.listing', 'is', null);
  if (q)
    query = query.where('web_channel.uuid', 'in', (named) =>
      named
        .selectFrom(channelNames(db))
        .select('channel.channel_id')
        .where(sql<boolean>`lower(channel.name) like ${containing(q)} escape '\\'`),
    );
  if (after) query = query.where(sql<boolean>`(updated_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('updated_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const insertChannel = (trx: Trx, row: WebChannelTable) => trx.insertInto('web_channel').values(row).execute();

export const updateChannelRow = (db: Db | Trx, uuid: string, changes: Partial<WebChannelTable>) =>
  db.updateTable('web_channel').set(changes).where('uuid', '=', uuid).execute();

export const deleteChannel = (trx: Trx, uuid: string) =>
  trx.deleteFrom('web_channel').where('uuid', '=', uuid).execute();

export const listEveryChannel = (db: Db) =>
  db.selectFrom('web_channel').select(['uuid', 'settings', 'updated_at']).execute();

export const insertGone = (trx: Trx, row: GoneChannelTable) => trx.insertInto('gone_channel').values(row).execute();

export const listGone = (db: Db) => db.selectFrom('gone_channel').selectAll().execute();

export const deleteGone = (db: Db, uuid: string) => db.deleteFrom('gone_channel').where('uuid', '=', uuid).execute();
