import type { sandboxVerdicts, PaymentFailure } from '../../../shared/contracts/payments.ts';
import type { Gateway, KeptCard, Order, Reading } from './gateway.ts';

type Outcome = { state: Reading['state']; failure?: PaymentFailure };

/** Where the sandbox keeps its charges. */
export interface SandboxStore {
  /** Keeps the first one of a payment only. */
  add(order: Order): Promise<void>;
  find(payment: string): Promise<(Order & Outcome & { card: string | null; since: number }) | undefined>;
  /** Moves a charge on if it is still in the state `from`. */
  move(payment: string, from: Outcome['state'], to: Outcome & { card?: string }): Promise<void>;
  /** Keeps the first one with this id only. */
  addRefund(payment: string, given: { refund: string; amount: number }): Promise<void>;
  listRefunds(payment: string): Promise<{ refund: string; amount: number; at: number }[]>;
}

export interface Sandbox extends Gateway {
  pay(id: string, card: string): Promise<Reading>;
  answer(id: string, verdict: (typeof sandboxVerdicts)[number]): Promise<Reading>;
}

/** Numbers that Stripe documents for tests, and what comes of each: https://docs.stripe.com/testing */
const outcomes = new Map<string, Outcome>([
  ['4242424242424242', { state: 'succeeded' }],
  ['4000002760003184', { state: 'requires-action' }],
  ['4000008400001629', { state: 'requires-action' }],
  ['4000000000000002', { state: 'failed', failure: 'declined' }],
  ['4000000000009995', { state: 'failed', failure: 'insufficient-funds' }],
  ['4000000000000069', { state: 'failed', failure: 'expired-card' }],
  ['4000000000000119', { state: 'processing' }],
]);
const declinedAfterChallenge = '4000008400001629';

/** Nobody is there whom the bank could ask. */
const aloneWith = ({ method }: KeptCard): Outcome => {
  const outcome = outcomes.get(method) ?? ({ state: 'failed', failure: 'declined' } as const);
  return outcome.state === 'requires-action' ? { state: 'failed', failure: 'challenge-failed' } : outcome;
};

/** How long a charge stays in a state by itself, and what becomes of it then. */
const ends = new Map<Outcome['state'], { afterMs: number; becomes: Outcome }>([
  ['created', { afterMs: 24 * 3_600_000, becomes: { state: 'canceled' } }],
  ['requires-action', { afterMs: 10 * 60_000, becomes: { state: 'failed', failure: 'challenge-expired' } }],
  ['processing', { afterMs: 10_000, becomes: { state: 'failed', failure: 'timeout' } }],
]);

/** Plays a gateway with test cards, without money. An unknown card is declined. */
export function sandbox(store: SandboxStore): Sandbox {
  async function read(id: string): Promise<Reading> {
    const charge = await store.find(id);
    if (!charge) throw new Error('The sandbox has no such charge');
    const end = ends.get(charge.state);
    if (end && Date.now() - charge.since > end.afterMs) {
      await store.move(id, charge.state, end.becomes);
      return read(id);
    }
    const { payment, amount, currency, state, failure, card } = charge;
    return {
      id,
      payment,
      amount,
      currency,
      state,
      failure: failure ?? null,
      isEnded: !ends.has(state),
      method: card && `card ${card.slice(-4)}`,
      // It keeps every card: that is its number.
      card: card && state === 'succeeded' ? { customer: payment, method: card } : null,
      clientSecret: null,
      paidAt: state === 'succeeded' ? charge.since : null,
      refunds: (await store.listRefunds(id)).map((given) => ({ ...given, id: given.refund, state: 'succeeded' })),
      disputes: [],
    };
  }
  return {
    name: 'sandbox',
    isLive: false,
    async start({ card, ...order }) {
      await store.add(order);
      if (card) await store.move(order.payment, 'created', { ...aloneWith(card), card: card.method });
      return read(order.payment);
    },
    find: async ({ payment }) => ((await store.find(payment)) ? read(payment) : undefined),
    read,
    async pay(id, card) {
      await read(id);
      await store.move(id, 'created', { ...(outcomes.get(card) ?? { state: 'failed', failure: 'declined' }), card });
      return read(id);
    },
    async answer(id, verdict) {
      await read(id);
      const card = (await store.find(id))?.card;
      await store.move(
        id,
        'requires-action',
        {
          approve:
            card === declinedAfterChallenge
              ? ({ state: 'failed', failure: 'declined' } as const)
              : ({ state: 'succeeded' } as const),
          refuse: { state: 'failed', failure: 'challenge-failed' } as const,
          expire: { state: 'failed', failure: 'challenge-expired' } as const,
        }[verdict],
      );
      return read(id);
    },
    async cancel(id) {
      for (const state of ['created', 'requires-action'] as const) await store.move(id, state, { state: 'canceled' });
      return read(id);
    },
    async refund(id, given) {
      await store.addRefund(id, given);
      return undefined;
    },
    // Its cards are numbers that everybody may know.
    forget: async () => {},
  };
}
