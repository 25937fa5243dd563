import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { Position } from '../../infra/page.ts';
import type { SandboxStore } from '../../providers/payments/sandbox.ts';
import type { CreditPackageTable, PaymentTable } from './payments.tables.ts';

type Any = Db | Trx;

export const listPackages = (db: Db) =>
  db
    .selectFrom('credit_package')
    .selectAll()
    .where('removed_at', 'is', null)
    .orderBy('credits')
    .orderBy('uuid')
    .execute();

export const findPackage = (db: Any, uuid: string) =>
  db
    .selectFrom('credit_package')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

export const insertPackage = (db: Any, row: CreditPackageTable) =>
  db.insertInto('credit_package').values(row).execute();

export const retirePackage = async (trx: Trx, uuid: string, now: number) =>
  (
    await trx
      .updateTable('credit_package')
      .set({ removed_at: now, updated_at: now })
      .where('uuid', '=', uuid)
      .where('removed_at', 'is', null)
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

export function listPayments(
  db: Db,
  { workspace, limit, after }: { workspace: string; limit: number; after: Position | undefined },
) {
  let query = db.selectFrom('payment').selectAll().where('workspace', '=', workspace);
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const listEveryPayment = (db: Db, workspace: string) =>
  db.selectFrom('payment').selectAll().where('workspace', '=', workspace).orderBy('uuid').execute();

/** True for whoever comes first with this key. */
export const insertPayment = async (trx: Trx, row: PaymentTable) =>
  (
    await trx
      .insertInto('payment')
      .values(row)
      .onConflict((conflict) => conflict.columns(['workspace', 'key']).doNothing())
      .executeTakeFirst()
  ).numInsertedOrUpdatedRows === 1n;

export const findByKey = (db: Any, workspace: string, key: string) =>
  db.selectFrom('payment').selectAll().where('workspace', '=', workspace).where('key', '=', key).executeTakeFirst();

export const findPayment = (db: Any, uuid: string) =>
  db.selectFrom('payment').selectAll().where('uuid', '=', uuid).executeTakeFirst();

const open = ['created', 'requires-action', 'processing'] as const;

/** What is not finished, and what an operator wants given back, begun before a moment; those looked at longest ago first. */
export const listUnfinished = (db: Db, before: number) =>
  db
    .selectFrom('payment')
    .selectAll()
    .where('created_at', '<', before)
    .where((where) =>
      where.or([
        where('state', 'in', open),
        where.and([where('refund_reason', 'is not', null), where('state', '=', 'succeeded')]),
      ]),
    )
    .orderBy('updated_at')
    .limit(200)
    .execute();

/** Moves a payment on from one of the states; true for the one who does. */
export const movePayment = async (
  db: Any,
  uuid: string,
  from: readonly PaymentTable['state'][],
  to: Partial<Pick<PaymentTable, 'state' | 'failure' | 'gateway_id' | 'refund_reason'>>,
) =>
  (
    await db
      .updateTable('payment')
      .set({ ...to, updated_at: Date.now() })
      .where('uuid', '=', uuid)
      .where('state', 'in', from)
      .executeTakeFirst()
  ).numUpdatedRows === 1n;

/** The row of the last number is locked until the transaction ends, so that one that fails leaves no gap. */
export async function numberReceipt(trx: Trx, uuid: string): Promise<void> {
  const { last } = await trx
    .updateTable('payment_receipt')
    .set((to) => ({ last: to('last', '+', 1) }))
    .where('name', '=', 'receipt')
    .returning('last')
    .executeTakeFirstOrThrow();
  await trx.updateTable('payment').set({ receipt: last }).where('uuid', '=', uuid).execute();
}

export const sandboxStore = (db: Db): SandboxStore => ({
  async add({ payment, amount, currency }) {
    const now = Date.now();
    await db
      .insertInto('sandbox_charge')
      .values({
        payment,
        amount,
        currency,
        state: 'created',
        card: null,
        failure: null,
        created_at: now,
        updated_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  async find(payment) {
    const row = await db.selectFrom('sandbox_charge').selectAll().where('payment', '=', payment).executeTakeFirst();
    if (!row) return undefined;
    const { failure, updated_at: since, ...charge } = row;
    return { ...charge, since, ...(failure && { failure }) };
  },
  async move(payment, from, to) {
    await db
      .updateTable('sandbox_charge')
      .set({ ...to, updated_at: Date.now() })
      .where('payment', '=', payment)
      .where('state', '=', from)
      .execute();
  },
});
