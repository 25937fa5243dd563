import { hourMs, type Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { gatewayOf } from './gateways.ts';
import type { TopUpTable } from './payments.tables.ts';

type Payload = Pick<TopUpTable, 'gateway'> & { customer: string };

/** Has a gateway forget a card. It outlives the set-up and its workspace; a gateway may be away for a day. */
const forgetKind = jobKind<Payload>({
  name: 'payments.forget-card',
  lane: 'upkeep',
  timeoutMs: 60_000,
  maxAttempts: 30,
  maxPauseMs: hourMs,
  holdsSecret: true,
});

export const registerForgetting = (context: Context): void => context.queue.register(forgetKind, forgetJob(context));

/** In the transaction in which it is no longer known here. */
export async function forgetCard(
  { queue }: Pick<Context, 'queue'>,
  trx: Trx,
  { gateway, customer }: Pick<TopUpTable, 'gateway' | 'customer'>,
): Promise<void> {
  if (customer !== null) await queue.add(trx, forgetKind, { gateway, customer });
}

const forgetJob = (context: Context): JobHandler<Payload> => ({
  async run({ gateway, customer }) {
    const kept = gatewayOf(context, { gateway });
    if (!kept) {
      context.log.warn({ gateway, customer }, 'a card stays at its gateway: there is no key of it any more');
      return;
    }
    await kept.forget({ customer });
  },
});
