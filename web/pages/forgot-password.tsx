import { useTranslation } from '../lib/i18n.ts';
import { ForgotPasswordForm } from '../features/accounts/forgot-password-form.tsx';
import { useQueryText } from '../lib/query-text.ts';
import { useTitle } from '../lib/use-title.ts';

export default function ForgotPasswordPage() {
  const { t } = useTranslation('accounts');
  const query = useQueryText();
  useTitle(t('forgot.title'));
  return <ForgotPasswordForm email={query('email')} />;
}
