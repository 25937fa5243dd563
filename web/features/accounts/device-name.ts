import { useTranslation } from '../../lib/i18n.ts';
import { describeDevice } from './device.ts';

/** A device in words, such as “Chrome on Windows”. */
export function useDeviceName(): (userAgent: string) => string {
  const { t } = useTranslation('accounts-security');
  return (userAgent) => {
    const { browser, system } = describeDevice(userAgent);
    return browser && system ? t('sessions.device', { browser, system }) : (browser ?? system ?? t('sessions.unknown'));
  };
}
