import { Button } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { PaymentResult } from '../features/payments/payment-result.tsx';
import { useTranslation } from '../lib/i18n.ts';
import { useUser } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { EmptyState } from '../ui/states.tsx';

export default function PaymentPage() {
  return useUser() ? <PaymentResult /> : <SignedOut />;
}

/** Whoever comes back from their bank may have been signed out meanwhile. */
function SignedOut() {
  const { t } = useTranslation('billing');
  const { href } = useLocation();
  useTitle(t('result.signedOutTitle'));
  return (
    <EmptyState
      drawing="credits"
      title={t('result.signedOutTitle')}
      text={t('result.signedOut')}
      action={
        <Button renderRoot={(props) => <Link {...props} to="/Login" search={{ next: href }} />}>
          {t('result.signIn')}
        </Button>
      }
    />
  );
}
