import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';

export function OfflineBanner() {
  const { t } = useTranslation('common');
  const { online } = useNetwork();
  if (online) return null;
  return (
    <Alert color="yellow" radius={0} icon={<IconWifiOff />} role="status">
      {t('offlineBanner')}
    </Alert>
  );
}
