import type { GatewayProvider } from './gateway.ts';
import { stripe } from './stripe.ts';

/** Every gateway at which an operator may have an account; of those that are set the first takes what is paid from now on. */
export const gatewayProviders: GatewayProvider[] = [stripe];
