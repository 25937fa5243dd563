import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import { sql, type Expression } from 'kysely';
import { prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type { Flag } from '../../infra/db.types.ts';
import { containing, type Position } from '../../infra/page.ts';
import { botFaces } from '../bots/bots.ts';
import type { ConnectionTable } from './connections.tables.ts';

const withBot = (db: Db | Trx) =>
  db
    .selectFrom('connection')
    .leftJoin(botFaces(db), 'face.uuid', 'connection.bot')
    .selectAll('connection')
    .select([
      'face.name as bot_name',
      'face.avatar as bot_avatar',
      'face.mark as bot_mark',
      // One in the trash answers nobody.
      sql<string | null>`case when face.deleted_at is null then face.published_version end`.as('bot_version'),
    ]);

export type ConnectionRow = ConnectionTable & {
  bot_name: string | null;
  bot_avatar: string | null;
  bot_mark: number | null;
  bot_version: string | null;
};

export const findConnection = (db: Db | Trx, workspace: string, uuid: string): Promise<ConnectionRow | undefined> =>
  withBot(db)
    .where('connection.uuid', '=', uuid)
    .where('connection.workspace', '=', workspace)
    .where('connection.hidden', '=', 0)
    .executeTakeFirst();

/** Always with the kind of the channel: the id of one kind opens nothing of another. */
export const findConnectionOf = prepareQuery(
  (db, { channel, channelId }: { channel: ChannelKind; channelId: string }) =>
    withBot(db).where('connection.channel', '=', channel).where('connection.channel_id', '=', channelId),
);

export function listConnectionRows(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
): Promise<ConnectionRow[]> {
  let query = withBot(db).where('connection.workspace', '=', workspace).where('connection.hidden', '=', 0);
  if (q) query = query.where(sql<boolean>`lower(connection.name) like ${containing(q)} escape '\\'`);
  if (after)
    query = query.where(sql<boolean>`(connection.updated_at, connection.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('connection.updated_at', 'desc')
    .orderBy('connection.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const listConnectionsOf = (db: Db, channelIds: string[]): Promise<ConnectionRow[]> =>
  channelIds.length === 0
    ? Promise.resolve([])
    : withBot(db).where('connection.channel_id', 'in', channelIds).execute();

/** Connections where a bot answers. */
export const listReturning = (db: Db) =>
  db
    .selectFrom('connection')
    .select(['channel_id', 'bot', 'settings'])
    .where('bot', 'is not', null)
    .where('active', '=', 1)
    .execute();

export const insertConnection = (trx: Trx, row: ConnectionTable) => trx.insertInto('connection').values(row).execute();

export const updateConnectionRow = (db: Db | Trx, uuid: string, changes: Partial<ConnectionTable>) =>
  db
    .updateTable('connection')
    .set({ updated_at: Date.now(), ...changes })
    .where('uuid', '=', uuid)
    .execute();

/** Switches the hidden ones of these channels. */
export const switchHidden = (db: Db, channels: Expression<string>, active: Flag) =>
  db
    .updateTable('connection')
    .set({ active })
    .where('hidden', '=', 1)
    .where('active', '!=', active)
    .where('channel_id', 'in', channels)
    .execute();

export const switchConnectionOf = (trx: Trx, channelId: string, active: Flag) =>
  trx.updateTable('connection').set({ active }).where('channel_id', '=', channelId).execute();

export const deleteConnectionOf = (trx: Trx, channelId: string) =>
  trx.deleteFrom('connection').where('channel_id', '=', channelId).execute();

/** Names of channels, for lists of later features. */
export const channelNames = (db: Db | Trx) => db.selectFrom('connection').select(['channel_id', 'name']).as('channel');

export const listConnectionSettings = (db: Db, workspace: string) =>
  db.selectFrom('connection').select(['uuid', 'name', 'settings']).where('workspace', '=', workspace).execute();

export const listConnectionsWithBot = (db: Db, workspace: string) =>
  db
    .selectFrom('connection')
    .select(['uuid', 'name', 'bot'])
    .where('workspace', '=', workspace)
    .where('bot', 'is not', null)
    .where('hidden', '=', 0)
    .execute();
