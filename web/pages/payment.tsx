import { PaymentResult } from '../features/payments/payment-result.tsx';

export default function PaymentPage() {
  return <PaymentResult />;
}
