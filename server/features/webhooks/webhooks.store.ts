import { sql } from 'kysely';
import { deliveryStates, type DeliveryEvent, type DeliveryState } from '../../../shared/contracts/webhooks.ts';
import { prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type { Position } from '../../infra/page.ts';
import type { WebhookDeliveryTable, WebhookTargetTable } from './webhooks.tables.ts';

const findTargets = prepareQuery((db, { workspace }: { workspace: string }) =>
  db.selectFrom('webhook_target').selectAll().where('workspace', '=', workspace).orderBy('created_at'),
);

export const listTargets = (db: Db, workspace: string): Promise<WebhookTargetTable[]> => findTargets(db, { workspace });

export const findTarget = (db: Db | Trx, uuid: string) =>
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
  {
    target,
    state,
    event,
    limit,
    after,
  }: {
    target: string;
    state: DeliveryState | undefined;
    event: DeliveryEvent | undefined;
    limit: number;
    after: Position | undefined;
  },
): Promise<WebhookDeliveryTable[]> {
  let query = db.selectFrom('webhook_delivery').selectAll().where('target', '=', target);
  if (state) query = query.where('state', '=', state);
  if (event) query = query.where('event', '=', event);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

type Counts = Record<WebhookDeliveryTable['state'], number>;

/** What became of the deliveries made since a moment, by their address; of one event, if it is given. */
export async function countDeliveries(
  db: Db,
  targets: string[],
  { since, event }: { since: number; event?: DeliveryEvent | undefined },
): Promise<Map<string, Counts>> {
  if (targets.length === 0) return new Map();
  let query = db
    .selectFrom('webhook_delivery')
    .select((select) => ['target', 'state', select.fn.countAll().as('count')])
    .where('target', 'in', targets)
    .where('created_at', '>=', since);
  if (event) query = query.where('event', '=', event);
  const rows = await query.groupBy(['target', 'state']).execute();
  const counts = new Map<string, Counts>(targets.map((target) => [target, { sent: 0, failed: 0, queued: 0 }]));
  for (const { target, state, count } of rows) {
    const of = counts.get(target);
    if (of) of[state] = Number(count);
  }
  return counts;
}

/** What became of the deliveries made in some spans, by their names. Each is read from one index alone. */
export async function countBySpan(
  db: Db,
  target: string,
  spans: { name: string; since: number; before: number }[],
): Promise<{ name: string; state: DeliveryState; count: number }[]> {
  const [first, ...others] = spans.flatMap(({ name, since, before }) =>
    deliveryStates.map((state) =>
      db
        .selectFrom('webhook_delivery')
        .select((select) => [
          sql<string>`cast(${name} as text)`.as('name'),
          sql<DeliveryState>`cast(${state} as text)`.as('state'),
          select.fn.countAll().as('count'),
        ])
        .where('target', '=', target)
        .where('state', '=', state)
        .where('created_at', '>=', since)
        .where('created_at', '<', before),
    ),
  );
  if (!first) return [];
  const rows = await others.reduce((query, each) => query.unionAll(each), first).execute();
  return rows.map(({ count, ...row }) => ({ ...row, count: Number(count) }));
}

/** How long the newest took that were taken at the first attempt. */
export const listTimes = async (
  db: Db,
  target: string,
  { since, limit }: { since: number; limit: number },
): Promise<number[]> =>
  (
    await db
      .selectFrom('webhook_delivery')
      .select(['state', 'attempts', 'queued_at', 'ended_at'])
      .where('target', '=', target)
      .where('state', '=', 'sent')
      .where('created_at', '>=', since)
      .orderBy('created_at', 'desc')
      .limit(limit)
      .execute()
  ).flatMap((row) => tookMs(row) ?? []);

export const tookMs = ({
  state,
  attempts,
  queued_at,
  ended_at,
}: Pick<WebhookDeliveryTable, 'state' | 'attempts' | 'queued_at' | 'ended_at'>): number | null =>
  state === 'sent' && attempts === 1 && ended_at !== null ? ended_at - queued_at : null;

/** When the oldest of what waits was made, by its address. */
export async function findWaitingSince(db: Db, targets: string[]): Promise<Map<string, number>> {
  if (targets.length === 0) return new Map();
  const rows = await db
    .selectFrom('webhook_delivery')
    .select((select) => ['target', select.fn.min('created_at').as('since')])
    .where('target', 'in', targets)
    .where(sql<boolean>`state = 'queued'`)
    .groupBy('target')
    .execute();
  return new Map(rows.map(({ target, since }) => [target, Number(since)]));
}

export const deleteOldDeliveries = (db: Db, before: number) =>
  db.deleteFrom('webhook_delivery').where('created_at', '<', before).execute();

const waiting = (db: Db | Trx, target: string) =>
  db
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('target', '=', target)
    // Written out, since an index of some rows is not found by a parameter.
    .where(sql<boolean>`state = 'queued'`)
    .orderBy('due_at')
    .orderBy('uuid');

/** What waits for another attempt waits no longer, and goes in the order in which it happened. */
export const dueNow = (trx: Trx, target: string, now = Date.now()) =>
  trx
    .updateTable('webhook_delivery')
    .set((set) => ({ due_at: set.ref('created_at'), updated_at: now }))
    .where('target', '=', target)
    .where('state', '=', 'queued')
    .where('due_at', '>', now)
    .execute();

/** The oldest of what has failed waits again, in the order in which it happened. Returns how many do. */
export async function requeueFailed(trx: Trx, target: string, limit: number, now = Date.now()): Promise<number> {
  const { numUpdatedRows } = await trx
    .updateTable('webhook_delivery')
    .set((set) => ({
      state: 'queued',
      attempts: 0,
      status: null,
      error: null,
      ended_at: null,
      queued_at: now,
      due_at: set.ref('created_at'),
      updated_at: now,
    }))
    .where('uuid', 'in', (of) =>
      of
        .selectFrom('webhook_delivery')
        .select('uuid')
        .where('target', '=', target)
        .where('state', '=', 'failed')
        .orderBy('created_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

export const deleteDeliveriesOf = (trx: Trx, messages: string[]) =>
  trx.deleteFrom('webhook_delivery').where('message', 'in', messages).execute();

/** What an address is to be sent next, now or later. */
export const findNext = (db: Db | Trx, target: string) => waiting(db, target).limit(1).executeTakeFirst();

export const findDue = (db: Db | Trx, target: string, now: number) =>
  waiting(db, target).where('due_at', '<=', now).limit(1).executeTakeFirst();

/** Marks an address as one that is being called; false while so many others of its workspace are. */
export async function claimTarget(
  trx: Trx,
  { uuid, workspace }: Pick<WebhookTargetTable, 'uuid' | 'workspace'>,
  { now, until, most }: { now: number; until: number; most: number },
): Promise<boolean> {
  const busy = await trx
    .selectFrom('webhook_target')
    .select('uuid')
    .where('workspace', '=', workspace)
    .where('uuid', '<>', uuid)
    .where('busy_until', '>', now)
    .limit(most)
    .execute();
  if (busy.length >= most) return false;
  await updateTarget(trx, uuid, { busy_until: until });
  return true;
}

/** Addresses that have something due. */
export const listDueTargets = async (db: Db, now: number, limit: number): Promise<string[]> =>
  (
    await db
      .selectFrom('webhook_delivery')
      .innerJoin('webhook_target', 'webhook_target.uuid', 'webhook_delivery.target')
      .select('webhook_delivery.target')
      .distinct()
      .where(sql<boolean>`webhook_delivery.state = 'queued'`)
      .where('webhook_delivery.due_at', '<=', now)
      .where((where) => where.or([where('paused_until', 'is', null), where('paused_until', '<=', now)]))
      .limit(limit)
      .execute()
  ).map(({ target }) => target);

/** What an address did not take for too long has failed. */
export const failLateDeliveries = (db: Db, { queuedBefore, now }: { queuedBefore: number; now: number }) =>
  db
    .updateTable('webhook_delivery')
    .set((set) => ({
      state: 'failed',
      error: set.fn.coalesce('error', sql.lit('paused')),
      ended_at: now,
      updated_at: now,
    }))
    .where(sql<boolean>`state = 'queued'`)
    .where('queued_at', '<', queuedBefore)
    .execute();
