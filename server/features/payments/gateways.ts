import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Config } from '../../infra/config.ts';
import { modelSettings } from '../../providers/models/registry.ts';
import type { CardGateway, Gateway } from '../../providers/payments/gateway.ts';
import { gatewayProviders } from '../../providers/payments/registry.ts';
import { sandbox, type Sandbox } from '../../providers/payments/sandbox.ts';
import { sandboxStore } from './payments.store.ts';
import type { PaymentTable } from './payments.tables.ts';

export const gatewaySettings = {
  PAYMENTS: z.enum(['sandbox', 'off']).optional().meta({
    description:
      'Buying credits: sandbox plays it with test cards, so that everybody gets credits for nothing; off takes it away. Unless set, the sandbox is there on a server that listens on this machine only, without BASE_URL, TRUST_PROXY and a model key of the operator’s. Where cards are charged there is no sandbox.',
  }),
  ...(Object.assign({}, ...gatewayProviders.map(({ settings }) => settings)) as Record<string, z.ZodType>), // of theirs
};

const opened = new WeakMap<Config, CardGateway[]>();

/** Those at which the operator has an account. Throws `ConfigError` where their settings do not fit each other. */
export function cardGateways({ config }: Pick<Context, 'config'>): CardGateway[] {
  const known = opened.get(config) ?? gatewayProviders.flatMap(({ open }) => open(config.declared) ?? []);
  opened.set(config, known);
  return known;
}

export const sandboxOf = ({ db }: Pick<Context, 'db'>): Sandbox => sandbox(sandboxStore(db));

/** What a payment that begins now is paid through. */
export const currentGateway = (context: Context): Gateway => cardGateways(context)[0] ?? sandboxOf(context);

/** What a payment was begun with; nothing where the operator no longer has it. Payments that began go on to their end where no new ones begin. */
export function gatewayOf(
  context: Context,
  { gateway, live }: Pick<PaymentTable, 'gateway' | 'live'>,
): Gateway | undefined {
  const known = [sandboxOf(context), ...cardGateways(context)].find(({ name }) => name === gateway);
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
  if (told === 'sandbox' || cardGateways({ config }).length > 0) return true;
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
