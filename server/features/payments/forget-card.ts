import { hourMs, type Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { gatewayOf } from './gateways.ts';
import type { TopUpTable } from './payments.tables.ts';

type Payload = Pick<TopUpTable, 'gateway' | 'live'> & { customer: string };

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
  { gateway, live, customer }: Pick<TopUpTable, 'gateway' | 'live' | 'customer'>,
): Promise<void> {
  if (customer !== null) await queue.add(trx, forgetKind, { gateway, live, customer });
}

const forgetJob = (context: Context): JobHandler<Payload> => ({
  async run({ gateway, live, customer }) {
    const kept = gatewayOf(context, { gateway, live });
    if (kept) await kept.forget({ customer });
    else context.log.warn({ gateway, live, customer }, 'a card stays at its gateway: there is no key of it any more');
  },
  async dead({ gateway, live, customer }, error) {
    context.log.error({ err: error, gateway, live, customer }, 'a card stays at its gateway, which does not forget it');
  },
});
