import type { PaymentState } from '../../../shared/contracts/payments.ts';
import type { StateKind } from '../../ui/page.tsx';

/** How the state of a payment is marked. */
export const kindOf = {
  created: 'draft',
  'requires-action': 'working',
  processing: 'working',
  succeeded: 'live',
  failed: 'failed',
  canceled: 'off',
  refunded: 'off',
} as const satisfies Record<PaymentState, StateKind>;
