import type { Payment } from '../../../shared/contracts/payments.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { kindOf } from './payment-kinds.ts';

/** What became of a payment, in a word: one that nobody finished in time has expired, and no card was at fault. */
export function PaymentStateMark({ payment: { state, failure } }: { payment: Pick<Payment, 'state' | 'failure'> }) {
  const { t } = useTranslation('billing');
  const isExpired = failure === 'challenge-expired';
  return <State kind={isExpired ? 'off' : kindOf[state]}>{t(isExpired ? 'state.expired' : `state.${state}`)}</State>;
}
