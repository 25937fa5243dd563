import { Skeleton, Stack } from '@mantine/core';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ErrorState } from '../../ui/states.tsx';
import { GoogleSection } from './google-section.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { useSecurity } from './security.queries.ts';
import { SessionSection } from './session-section.tsx';
import { TwoFactorSection } from './two-factor-section.tsx';

export function SecurityPanel() {
  const { t } = useTranslation('accounts-security');
  const security = useSecurity();
  if (security.isError && !security.data)
    return (
      <ErrorState
        title={t('failed')}
        text={errorText(security.error)}
        retry={t('common:retry')}
        onRetry={() => void security.refetch()}
      />
    );
  if (!security.data) {
    return (
      <Stack aria-label={t('common:loading')} role="status">
        <Skeleton height={180} />
        <Skeleton height={140} />
        <Skeleton height={140} />
      </Stack>
    );
  }
  const { hasPassword, twoFactor, passkeys, google, sessions } = security.data;
  return (
    <>
      <PasswordSection hasPassword={hasPassword} />
      <TwoFactorSection state={twoFactor} />
      <PasskeySection passkeys={passkeys} />
      <GoogleSection google={google} />
      <SessionSection sessions={sessions} />
    </>
  );
}
