import type { Payment, PaymentState } from '../../../shared/contracts/payments.ts';
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

type Place = '/payment/3d-secure' | '/payment/success' | '/payment/failed';

/** The page that says what became of it. */
export const placeOf = ({ state }: Pick<Payment, 'state'>): Place =>
  state === 'requires-action' || state === 'processing'
    ? '/payment/3d-secure'
    : state === 'succeeded' || state === 'refunded'
      ? '/payment/success'
      : '/payment/failed';
