import { useTranslation } from '../lib/i18n.ts';
import { LoginForm } from '../features/accounts/login-form.tsx';
import { useQueryText } from '../lib/query-text.ts';
import { useTitle } from '../lib/use-title.ts';

export default function LoginPage() {
  const { t } = useTranslation('accounts');
  const query = useQueryText();
  useTitle(t('login.title'));
  return <LoginForm next={query('next')} isToCopy={query('why') === 'copy'} />;
}
