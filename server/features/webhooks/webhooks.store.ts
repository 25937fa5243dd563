import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { Position } from '../../infra/page.ts';
import type { WebhookDeliveryTable, WebhookTargetTable } from './webhooks.tables.ts';

export const listTargets = (db: Db, workspace: string) =>
  db.selectFrom('webhook_target').selectAll().where('workspace', '=', workspace).orderBy('created_at').execute();

export const findTarget = (db: Db, uuid: string) =>
  db.selectFrom('webhook_target').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const insertTarget = (trx: Trx, row: WebhookTargetTable) =>
  trx.insertInto('webhook_target').values(row).execute();

export const updateTarget = (db: Db | Trx, uuid: string, changes: Partial<WebhookTargetTable>) =>
  db
    .updateTable('webhook_target')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const deleteTarget = (trx: Trx, uuid: string) =>
  trx.deleteFrom('webhook_target').where('uuid', '=', uuid).execute();

export const insertDelivery = (trx: Trx, row: WebhookDeliveryTable) =>
  trx.insertInto('webhook_delivery').values(row).execute();

export const findDelivery = (db: Db, uuid: string) =>
  db.selectFrom('webhook_delivery').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const updateDelivery = (db: Db | Trx, uuid: string, changes: Partial<WebhookDeliveryTable>) =>
  db
    .updateTable('webhook_delivery')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export function listDeliveryRows(
  db: Db,
  { target, limit, after }: { target: string; limit: number; after: Position | undefined },
): Promise<WebhookDeliveryTable[]> {
  let query = db.selectFrom('webhook_delivery').selectAll().where('target', '=', target);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const deleteOldDeliveries = (db: Db, before: number) =>
  db.deleteFrom('webhook_delivery').where('created_at', '<', before).execute();
