import { useTranslation } from '../lib/i18n.ts';
import { invitationIn } from '../features/accounts/entry.ts';
import { RegisterForm } from '../features/accounts/register-form.tsx';
import { useQueryText } from '../lib/query-text.ts';
import { useTitle } from '../lib/use-title.ts';

export default function RegisterPage() {
  const { t } = useTranslation('accounts');
  const query = useQueryText();
  useTitle(t('register.title'));
  return <RegisterForm next={query('next')} invitation={query('invitation') ?? invitationIn(query('next'))} />;
}
