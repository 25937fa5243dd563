import { useTranslation } from '../lib/i18n.ts';
import { VerifyEmail } from '../features/accounts/landing.tsx';
import { useQueryText } from '../lib/query-text.ts';
import { useTitle } from '../lib/use-title.ts';

export default function VerifyEmailPage() {
  const { t } = useTranslation('accounts');
  const query = useQueryText();
  useTitle(t('verify.title'));
  return <VerifyEmail code={query('code')} />;
}
