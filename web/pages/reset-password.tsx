import { useTranslation } from '../lib/i18n.ts';
import { ResetPasswordForm } from '../features/accounts/reset-password-form.tsx';
import { useQueryText } from '../lib/query-text.ts';
import { useTitle } from '../lib/use-title.ts';

export default function ResetPasswordPage() {
  const { t } = useTranslation('accounts');
  const query = useQueryText();
  useTitle(t('reset.title'));
  return <ResetPasswordForm code={query('code')} />;
}
