import type { Db, Trx } from '../../infra/db.ts';
import type { BotGroupTable } from './bots.tables.ts';

const withCounts = (db: Db | Trx, workspace: string) =>
  db
    .selectFrom('bot_group')
    .leftJoin('bot', (join) => join.onRef('bot.bot_group', '=', 'bot_group.uuid').on('bot.deleted_at', 'is', null))
    .select([
      'bot_group.uuid',
      'bot_group.name',
      'bot_group.color',
      'bot_group.position',
      'bot_group.created_at',
      'bot_group.updated_at',
      (select) => select.fn.count('bot.uuid').as('bots'),
    ])
    .where('bot_group.workspace', '=', workspace)
    .groupBy('bot_group.uuid')
    .orderBy('bot_group.position');

export const listGroups = (db: Db | Trx, workspace: string) => withCounts(db, workspace).execute();

export const findGroup = (db: Db | Trx, workspace: string, uuid: string) =>
  withCounts(db, workspace).where('bot_group.uuid', '=', uuid).executeTakeFirst();

export const insertGroup = (trx: Trx, group: BotGroupTable) => trx.insertInto('bot_group').values(group).execute();

export const updateGroup = (
  trx: Trx,
  uuid: string,
  changes: Partial<Pick<BotGroupTable, 'name' | 'color' | 'position'>>,
) =>
  trx
    .updateTable('bot_group')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** Its bots stay: the foreign key takes them out of the group. */
export const deleteGroup = (trx: Trx, uuid: string) => trx.deleteFrom('bot_group').where('uuid', '=', uuid).execute();
