import { Alert } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { IconWifiOff } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { useIsLive } from '../../lib/socket.ts';

/** A connection that comes back within this is none that anybody missed. */
const missedMs = 15_000;

/** That the page may be out of date: without a network, or where what is new does not come by itself. */
export function OfflineBanner() {
  const { t } = useTranslation('common');
  const { online } = useNetwork();
  const isMissed = useIsLongAway(useIsLive() === false);
  if (online && !isMissed) return null;
  return (
    <Alert color={online ? 'gray' : 'yellow'} radius={0} icon={<IconWifiOff />} role="status">
      {t(online ? 'notLive' : 'offlineBanner')}
    </Alert>
  );
}

function useIsLongAway(isAway: boolean): boolean {
  const [isLong, setIsLong] = useState(false);
  useEffect(() => {
    if (!isAway) return undefined;
    const timer = setTimeout(() => setIsLong(true), missedMs);
    return () => {
      clearTimeout(timer);
      setIsLong(false);
    };
  }, [isAway]);
  return isLong;
}
