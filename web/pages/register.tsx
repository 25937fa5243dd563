import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { RegisterForm } from '../features/accounts/register-form.tsx';
import { useTitle } from '../lib/use-title.ts';

const route = getRouteApi('/login');

export default function RegisterPage() {
  const { t } = useTranslation('accounts');
  useTitle(t('register.title'));
  return <RegisterForm next={route.useSearch().next} />;
}
