import { useTranslation } from '../lib/i18n.ts';
import { GoogleCallback } from '../features/accounts/landing.tsx';
import { useTitle } from '../lib/use-title.ts';

export default function GoogleCallbackPage() {
  const { t } = useTranslation('accounts');
  useTitle(t('callback.title'));
  return <GoogleCallback search={window.location.search} />;
}
