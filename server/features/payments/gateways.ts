import { z } from 'zod';
import { gatewayNames } from '../../../shared/contracts/payments.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { ConfigError, webUrl, type Config } from '../../infra/config.ts';
import { modelSettings } from '../../providers/models/registry.ts';
import type { Gateway } from '../../providers/payments/gateway.ts';
import { sandbox, type Sandbox } from '../../providers/payments/sandbox.ts';
import { openStripe, type StripeGateway } from '../../providers/payments/stripe.ts';
import { sandboxStore } from './payments.store.ts';
import type { PaymentTable } from './payments.tables.ts';

const loopback = ['127.0.0.1', '[::1]', 'localhost'];

export const gatewaySettings = {
  PAYMENTS: z.enum(['sandbox', 'off']).optional().meta({
    description:
      'Buying credits: sandbox plays it with test cards, so that everybody gets credits for nothing; off takes it away. Unless set, the sandbox is there on a server that listens on this machine only, without BASE_URL, TRUST_PROXY and a model key of the operator’s. With STRIPE_SECRET_KEY there is no sandbox.',
  }),
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
};

interface StripeKeys {
  secret: string;
  webhookSecret: string;
  publishable: string;
}

/** The operator's keys of Stripe, if there are any. Throws `ConfigError` where one of the three is missing, or two are of different modes. */
export function stripeKeys({ declared }: Pick<Config, 'declared'>): StripeKeys | undefined {
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

const opened = new WeakMap<Config, StripeGateway>();

/** Stripe, where the operator has an account there. */
export function stripeOf({ config }: Pick<Context, 'config'>): StripeGateway | undefined {
  const keys = stripeKeys(config);
  if (!keys) return undefined;
  const known = opened.get(config);
  if (known) return known;
  const stripe = openStripe({ ...keys, url: config.declared['STRIPE_API_URL'] });
  opened.set(config, stripe);
  return stripe;
}

export const sandboxOf = ({ db }: Pick<Context, 'db'>): Sandbox => sandbox(sandboxStore(db));

/** What a payment that begins now is paid through. */
export const currentGateway = (context: Context): Gateway => stripeOf(context) ?? sandboxOf(context);

/** What a payment was begun with; nothing where the operator no longer has it. Payments that began go on to their end where no new ones begin. */
export function gatewayOf(
  context: Context,
  { gateway, live }: Pick<PaymentTable, 'gateway' | 'live'>,
): Gateway | undefined {
  const known = gateway === gatewayNames[0] ? sandboxOf(context) : stripeOf(context);
  // Of payments of one mode the other knows nothing.
  return known?.isLive === (live === 1) ? known : undefined;
}

/**
 * The sandbox gives credits for nothing: unless told, it is there only where nobody but this machine can come, and where the
 * operator pays nobody for what credits buy.
 */
export function isOpen({ config }: Context): boolean {
  const told = config.declared['PAYMENTS'];
  if (told === 'off') return false;
  if (told === 'sandbox' || stripeKeys(config)) return true;
  const pays = Object.keys(modelSettings).some((name) => name.endsWith('_API_KEY') && config.declared[name]);
  return (
    ['127.0.0.1', '::1', 'localhost'].includes(config.HOST) &&
    !config.BASE_URL &&
    config.TRUST_PROXY.length === 0 &&
    !pays
  );
}

export function mustBeOpen(context: Context): void {
  if (!isOpen(context)) throw new AppError('payments-closed');
}
