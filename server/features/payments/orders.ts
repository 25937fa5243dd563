import { newId } from '../../infra/db.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import type { CreditPackageTable, PaymentTable } from './payments.tables.ts';

/** An order of a package, as it is before its gateway is asked. */
export function newOrder(
  gateway: Gateway,
  { uuid: sold, credits, price, currency }: CreditPackageTable,
  given: Pick<PaymentTable, 'key'> &
    Partial<Pick<PaymentTable, 'top_up_below' | 'top_up_limit' | 'top_up_by' | 'top_up'>> & { workspace: string },
): PaymentTable {
  const now = Date.now();
  return {
    uuid: newId(now),
    created_at: now,
    updated_at: now,
    package: sold,
    credits,
    amount: price,
    currency,
    gateway: gateway.name,
    gateway_id: null,
    live: gateway.isLive ? 1 : 0,
    state: 'created',
    failure: null,
    receipt: null,
    method: null,
    held: null,
    ended: 0,
    refund_asked: 0,
    refunded: 0,
    lost: 0,
    taken_back: 0,
    top_up_below: null,
    top_up_limit: null,
    top_up_by: null,
    top_up: null,
    asked_at: null,
    ...given,
  };
}
