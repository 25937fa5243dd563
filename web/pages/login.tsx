import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LoginForm } from '../features/accounts/login-form.tsx';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/login');

export default function LoginPage() {
  const { t } = useTranslation('accounts');
  useTitle(t('login.title'));
  return <LoginForm next={route.useSearch().next} />;
}
