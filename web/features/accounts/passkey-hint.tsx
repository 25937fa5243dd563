import { Alert } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import type { PasskeyProblem } from '../../lib/passkeys.ts';

export function PasskeyHint({ problem }: { problem: PasskeyProblem | undefined }) {
  const { t } = useTranslation('accounts');
  if (!problem) return null;
  return (
    <Alert color="yellow" role="alert">
      {t(`passkey.${problem}`)}
    </Alert>
  );
}
