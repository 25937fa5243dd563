import type Stripe from 'stripe';
import { z } from 'zod';
import type { PaymentFailure } from '../../../shared/contracts/payments.ts';
import { ConfigError, webUrl } from '../../infra/config.ts';
import {
  CardRefused,
  GatewayAway,
  type CardGateway,
  type GatewayProvider,
  type Order,
  type Reading,
} from './gateway.ts';

const loopback = ['127.0.0.1', '[::1]', 'localhost'];

export const stripe: GatewayProvider = {
  name: 'stripe',
  settings: {
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(?:sk|rk)_\w+$/, 'This is no secret key of Stripe.')
      .optional()
      .meta({
        description:
          'Buying credits by card through Stripe: the secret key of the account. It needs the two settings below as well.',
      }),
    STRIPE_WEBHOOK_SECRET: z
      .string()
      .regex(/^whsec_\S+$/, 'This is no signing secret of a webhook of Stripe.')
      .optional()
      .meta({
        description:
          'The signing secret of the webhook that Stripe is to call: BASE_URL/webhook/stripe, with the events payment_intent.*, charge.refunded, refund.* and charge.dispute.*.',
      }),
    STRIPE_PUBLISHABLE_KEY: z
      .string()
      .regex(/^pk_\w+$/, 'This is no publishable key of Stripe.')
      .optional()
      .meta({ description: 'The publishable key of the same account, with which pages open Stripe’s form.' }),
    STRIPE_API_URL: webUrl
      .refine((url) => loopback.includes(new URL(url).hostname), 'Only a stand-in on this machine may play Stripe.')
      .optional()
      .meta({ description: 'A stand-in on this machine that plays Stripe, for trying and tests.' }),
  },
  // https://docs.stripe.com/security/guide#content-security-policy
  pageSources: {
    script: ['https://js.stripe.com', 'https://*.js.stripe.com'],
    frame: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com'],
  },
  open(declared) {
    const keys = keysOf(declared);
    return keys && openStripe({ ...keys, url: declared['STRIPE_API_URL'] });
  },
};

interface Keys {
  /** Secret key of the account. */
  secret: string;
  webhookSecret: string;
  publishable: string;
}

interface Access extends Keys {
  /** A stand-in in place of https://api.stripe.com. */
  url?: string | undefined;
}

/** The operator's keys of Stripe, if there are any. Throws `ConfigError` where one of the three is missing, or two are of different modes. */
function keysOf(declared: Record<string, string>): Keys | undefined {
  const secret = declared['STRIPE_SECRET_KEY'];
  const [webhookSecret, publishable] = [declared['STRIPE_WEBHOOK_SECRET'], declared['STRIPE_PUBLISHABLE_KEY']];
  if (!secret && (webhookSecret || publishable))
    throw new ConfigError(
      `STRIPE_SECRET_KEY: ${publishable ? 'STRIPE_PUBLISHABLE_KEY' : 'STRIPE_WEBHOOK_SECRET'} needs it as well, or nothing can be paid.`,
    );
  if (!secret) return undefined;
  if (!webhookSecret || !publishable)
    throw new ConfigError(
      `${webhookSecret ? 'STRIPE_PUBLISHABLE_KEY' : 'STRIPE_WEBHOOK_SECRET'}: STRIPE_SECRET_KEY needs it as well, or what is paid would not be heard of.`,
    );
  if (isLive(secret) !== isLive(publishable))
    throw new ConfigError(
      'STRIPE_PUBLISHABLE_KEY: it is of another mode than STRIPE_SECRET_KEY, test or live, or nothing can be paid.',
    );
  return { secret, webhookSecret, publishable };
}

const isLive = (key: string) => /^[a-z]+_live_/.test(key);

const timeoutMs = 10_000;
const retries = 2;
const toleranceSeconds = 300;
const mostRefunds = 100;
/** Of a hundred, that are looked through for an intent. */
const mostPages = 50;

// What a payment intent is read by; everything else of it is Stripe's.
const Code = z.string().nullish();
const Named = z.union([z.string(), z.object({ id: z.string() })]).nullish();
const Intent = z.object({
  id: z.string(),
  amount: z.number().int(),
  currency: z.string(),
  status: z.string(),
  client_secret: z.string().nullish(),
  metadata: z.object({ payment: z.uuid().optional().catch(undefined) }).nullish(),
  customer: Named,
  payment_method: Named,
  setup_future_usage: z.string().nullish(),
  last_payment_error: z.object({ code: Code, decline_code: Code }).nullish(),
  latest_charge: z
    .union([
      z.string(),
      z.object({
        created: z.number(),
        disputed: z.boolean().nullish(),
        payment_method_details: z
          .object({
            type: z.string(),
            card: z.object({ brand: z.string().nullish(), last4: z.string().nullish() }).nullish(),
          })
          .nullish(),
      }),
    ])
    .nullish(),
});
type Intent = z.output<typeof Intent>;

const Intents = z.object({ data: z.array(Intent), has_more: z.boolean() });

const Refunds = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      amount: z.number().int(),
      created: z.number(),
      status: z.string().nullable(),
      metadata: z.object({ refund: z.uuid().optional().catch(undefined) }).nullish(),
    }),
  ),
});

const Disputes = z.object({
  data: z.array(z.object({ id: z.string(), amount: z.number().int(), reason: z.string(), status: z.string() })),
});

const Event = z.object({
  id: z.string().min(1).max(255),
  type: z.string().max(255),
  data: z.object({
    object: z.looseObject({
      id: z.string().optional(),
      object: z.string().optional(),
      payment_intent: Named,
    }),
  }),
});

/**
 * Payments by card through Stripe's payment intents. Amounts are in the smallest unit of the currency, as Stripe counts them.
 * One payment is one intent: it is created with the payment's id as idempotency key, and has it in its metadata, by which it is
 * found again. https://docs.stripe.com/api/payment_intents
 */
function openStripe({ secret, webhookSecret, publishable, url }: Access): CardGateway {
  let client: Promise<Stripe> | undefined;
  const stripe = () =>
    (client ??= connect(secret, url).catch((error: unknown) => {
      client = undefined;
      throw error;
    }));

  /** Throws `GatewayAway` for every failure, with what it was as its `cause`. */
  async function ask<T>(schema: z.ZodType<T>, call: (stripe: Stripe) => Promise<unknown>): Promise<T> {
    try {
      return schema.parse(await call(await stripe()));
    } catch (error) {
      throw new GatewayAway('Stripe has no answer that can be used', { cause: error });
    }
  }

  const fetchIntent = (id: string) =>
    ask(Intent, (stripe) => stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));

  async function toReading(intent: Intent): Promise<Reading> {
    const { id, amount, currency, status, metadata, latest_charge: charge } = intent;
    const isPaid = status === 'succeeded';
    const isDisputed = isPaid && typeof charge === 'object' && charge?.disputed === true;
    const [refunds, disputes] = await Promise.all([
      isPaid ? ask(Refunds, (stripe) => stripe.refunds.list({ payment_intent: id, limit: mostRefunds })) : { data: [] },
      isDisputed ? ask(Disputes, (stripe) => stripe.disputes.list({ payment_intent: id })) : { data: [] },
    ]);
    const failure = failureOf(intent);
    return {
      id,
      payment: metadata?.payment ?? '',
      amount,
      currency: currency.toUpperCase(),
      state: stateOf(intent, failure),
      failure,
      isEnded: isPaid || status === 'canceled',
      method: methodOf(intent),
      card: isPaid ? cardOf(intent) : null,
      clientSecret: isPaid || status === 'canceled' ? null : (intent.client_secret ?? null),
      paidAt: isPaid && typeof charge === 'object' && charge ? charge.created * 1000 : null,
      refunds: refunds.data.map(({ id, amount, status, metadata, created }) => ({
        id,
        amount,
        at: created * 1000,
        refund: metadata?.refund ?? null,
        state:
          status === 'succeeded' ? 'succeeded' : status === 'failed' || status === 'canceled' ? 'failed' : 'pending',
      })),
      disputes: disputes.data.map(({ id, amount, reason, status }) => ({
        id,
        amount,
        reason,
        state: status === 'lost' ? 'lost' : status === 'won' || status === 'warning_closed' ? 'won' : 'open',
      })),
    };
  }

  /** One that was made although its answer was an error: asked again with the same key, Stripe repeats the error for a day. */
  async function findStarted({ payment }: Order, since: number): Promise<Intent | undefined> {
    let after: string | undefined;
    for (let page = 0; page < mostPages; page++) {
      const { data, has_more } = await ask(Intents, (stripe) =>
        stripe.paymentIntents.list({ created: { gte: since }, limit: 100, ...(after && { starting_after: after }) }),
      );
      const made = data.find(({ metadata }) => metadata?.payment === payment);
      if (made || !has_more) return made;
      after = data.at(-1)?.id;
    }
    return undefined;
  }

  const read = async (id: string) => toReading(await fetchIntent(id));
  const sinceOf = ({ payment }: Order) => timeOf(payment) - 3600;

  /** Whom the card is kept for. They are known by the order alone. https://docs.stripe.com/api/customers */
  const addCustomer = ({ payment }: Pick<Order, 'payment'>, key = `${payment}-customer`): Promise<{ id: string }> =>
    ask(z.object({ id: z.string() }), (stripe) =>
      stripe.customers.create({ metadata: { payment } }, { idempotencyKey: key }),
    ).catch((error: unknown) => {
      // Stripe would repeat an error for a day. One that was made all the same has no card, and says nothing of anybody.
      if (answeredWith(error) && key === `${payment}-customer`) return addCustomer({ payment }, `${key}-again`);
      throw error;
    });

  return {
    name: 'stripe',
    isLive: isLive(secret),
    publishableKey: publishable,
    read,
    // A card is kept, and charged later, as https://docs.stripe.com/payments/save-during-payment says.
    async start({ card, ...order }) {
      const { payment, amount, currency, keepsCard } = order;
      try {
        const customer = keepsCard && (await addCustomer(order)).id;
        const made = await ask(Intent, (stripe) =>
          stripe.paymentIntents.create(
            {
              amount,
              currency: currency.toLowerCase(),
              // Nobody is there who could be sent to another page and back.
              automatic_payment_methods: { enabled: true, ...(card && { allow_redirects: 'never' as const }) },
              metadata: { payment },
              ...(customer && { customer, setup_future_usage: 'off_session' }),
              ...(card && { customer: card.customer, payment_method: card.method, off_session: true, confirm: true }),
            },
            { idempotencyKey: payment },
          ),
        );
        // With the same key Stripe repeats its first answer, however long ago that was true.
        return await read(made.id);
      } catch (error) {
        // A declined card is an error, too, and the intent is there.
        const isRefused = card !== undefined && isAboutCard(error);
        const made = await findStarted(order, sinceOf(order)).catch((reason: unknown) => {
          if (isRefused) throw reason;
          return undefined;
        });
        if (made) return read(made.id);
        throw isRefused ? new CardRefused('Stripe does not charge this card', { cause: error }) : error;
      }
    },
    async find(order) {
      const made = await findStarted(order, sinceOf(order));
      return made && read(made.id);
    },
    async cancel(id) {
      try {
        await ask(Intent, (stripe) => stripe.paymentIntents.cancel(id, {}, { idempotencyKey: `${id}-cancel` }));
      } catch (error) {
        if (!refusalOf(error)) throw error;
      }
      return read(id);
    },
    async refund(id, { refund, amount }) {
      // It may have been made although its answer was lost.
      const { refunds } = await read(id);
      if (refunds.some((each) => each.refund === refund)) return undefined;
      try {
        await ask(z.object({ id: z.string() }), (stripe) =>
          stripe.refunds.create(
            { payment_intent: id, amount, metadata: { refund } },
            { idempotencyKey: `${refund}-refund` },
          ),
        );
      } catch (error) {
        const refused = refusalOf(error);
        if (refused === undefined) throw error;
        return { refused };
      }
      return undefined;
    },
    // The ways of paying of a customer go with them. https://docs.stripe.com/api/customers/delete
    async forget({ customer }) {
      try {
        await ask(z.object({ deleted: z.literal(true) }), (stripe) => stripe.customers.del(customer));
      } catch (error) {
        if (!isGone(error)) throw error;
      }
    },
    // https://docs.stripe.com/webhooks/signature
    async readEvent(raw, headers) {
      const signature = [headers['stripe-signature']].flat()[0] ?? '';
      // A signature with an empty secret can be made by anybody.
      if (webhookSecret === '') return undefined;
      // The SDK knows one that is too old only, and one of tomorrow could be sent again for as long.
      const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
      if (signedAt > Date.now() / 1000 + toleranceSeconds) return undefined;
      let read: unknown;
      try {
        read = (await stripe()).webhooks.constructEvent(raw, signature, webhookSecret, toleranceSeconds);
      } catch {
        return undefined;
      }
      const event = Event.safeParse(read).data;
      if (!event) return undefined;
      const { id, object, payment_intent: of } = event.data.object;
      const intent = object === 'payment_intent' ? id : idOf(of);
      return { id: event.id, type: event.type, payment: (isAboutPayments(event.type) && intent) || null };
    },
  };
}

const isAboutPayments = (type: string) => /^(?:payment_intent|charge|refund)\./.test(type);

/** Loaded at the first call, because most installations have no account there. */
async function connect(secret: string, url: string | undefined): Promise<Stripe> {
  const { default: Stripe } = await import('stripe');
  const at = url ? new URL(url) : undefined;
  return new Stripe(secret, {
    telemetry: false,
    timeout: timeoutMs,
    maxNetworkRetries: retries,
    ...(at && {
      host: at.hostname,
      port: at.port,
      protocol: at.protocol === 'http:' ? 'http' : 'https',
    }),
  });
}

/** The second in which an id of ours was made (RFC 9562 §5.7). */
const timeOf = (uuid: string) => Math.floor(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16) / 1000);

/** An error that Stripe has answered with; nothing where it has not answered. */
function answeredWith(error: unknown): { type: unknown; status: unknown; message: string } | undefined {
  const cause = error instanceof GatewayAway ? error.cause : undefined;
  if (!(cause instanceof Error) || !('type' in cause) || !('statusCode' in cause)) return undefined;
  return { type: cause.type, status: cause.statusCode, message: cause.message };
}

/** What Stripe says where it would say so each time; nothing where asking again may help. */
function refusalOf(error: unknown): string | undefined {
  const said = answeredWith(error);
  return said?.type === 'StripeInvalidRequestError' && said.status === 400 ? said.message.slice(0, 500) : undefined;
}

/** Whether Stripe will not charge the card: it declined it (402), or has no such customer or card any more (400, 404). */
function isAboutCard(error: unknown): boolean {
  const said = answeredWith(error);
  return said?.type === 'StripeCardError' || refusalOf(error) !== undefined || isGone(error);
}

function isGone(error: unknown): boolean {
  const said = answeredWith(error);
  return said?.type === 'StripeInvalidRequestError' && said.status === 404;
}

function stateOf({ status }: Intent, failure: PaymentFailure | null): Reading['state'] {
  switch (status) {
    case 'succeeded':
      return 'succeeded';
    case 'canceled':
      return 'canceled';
    case 'requires_action':
      return 'requires-action';
    case 'requires_payment_method':
    case 'requires_confirmation':
      // After a card that was declined, another one may pay the same intent.
      return failure ? 'failed' : 'created';
    default:
      return 'processing';
  }
}

const failures = new Map<string, PaymentFailure>([
  ['insufficient_funds', 'insufficient-funds'],
  ['expired_card', 'expired-card'],
  ['payment_intent_authentication_failure', 'challenge-failed'],
  ['authentication_required', 'challenge-failed'],
  ['payment_intent_payment_attempt_expired', 'challenge-expired'],
  ['processing_error', 'timeout'],
]);

/** https://docs.stripe.com/declines/codes */
function failureOf({ last_payment_error: error, status }: Intent): PaymentFailure | null {
  if (!error || status !== 'requires_payment_method') return null;
  return failures.get(error.decline_code ?? '') ?? failures.get(error.code ?? '') ?? 'declined';
}

const idOf = (named: z.output<typeof Named>): string | undefined => (typeof named === 'string' ? named : named?.id);

/** What was kept for charges without the buyer; nothing of a charge that kept none. */
function cardOf({ customer, payment_method, setup_future_usage: use }: Intent): Reading['card'] {
  const [owner, method] = [idOf(customer), idOf(payment_method)];
  return use === 'off_session' && owner && method ? { customer: owner, method } : null;
}

function methodOf({ latest_charge: charge }: Intent): string | null {
  const details = typeof charge === 'object' ? charge?.payment_method_details : undefined;
  if (!details) return null;
  return details.card ? [details.card.brand, details.card.last4].filter(Boolean).join(' ') : details.type;
}
