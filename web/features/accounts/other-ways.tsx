import { Button, Divider, Stack } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useState } from 'react';
import { accounts, type User } from '../../../shared/contracts/accounts.ts';
import { apiBase, call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { askForPasskey, hasPasskeys, PasskeyError, type PasskeyProblem } from '../../lib/passkeys.ts';
import { useTask } from '../../lib/use-task.ts';
import { Refusal } from './card.tsx';
import { GoogleMark } from './google-mark.tsx';
import { PasskeyHint } from './passkey-hint.tsx';

interface Props {
  google: boolean;
  next: string | undefined;
  invitation: string | undefined;
  /** For signing in: with a passkey, too. */
  onPasskey?: ((reply: { user: User }) => Promise<void>) | undefined;
}

/** Without a password. */
export function OtherWays({ google, next, invitation, onPasskey }: Props) {
  const { t } = useTranslation('accounts');
  const [problem, setProblem] = useState<PasskeyProblem>();
  const task = useTask();
  const withPasskey = onPasskey && hasPasskeys() ? onPasskey : undefined;
  if (!google && !withPasskey) return null;

  const signIn = () =>
    task.run(async () => {
      setProblem(undefined);
      try {
        const { data } = await call(accounts.passkeyOptions, { anywhere: true });
        await withPasskey?.(await call(accounts.passkey, { body: await askForPasskey(data), anywhere: true }));
      } catch (failure) {
        if (!(failure instanceof PasskeyError)) throw failure;
        setProblem(failure.problem);
      }
    });
  const query = new URLSearchParams({ ...(next && { next }), ...(invitation && { invitation }) });

  return (
    <Stack gap="xs">
      <Divider label={t('or')} my={4} />
      <Refusal error={task.error} />
      <PasskeyHint problem={problem} />
      {google && (
        <Button
          component="a"
          href={`${apiBase}${accounts.google.path}?${query}`}
          variant="default"
          leftSection={<GoogleMark />}
          fullWidth
        >
          {t('google')}
        </Button>
      )}
      {withPasskey && (
        <Button
          variant="default"
          leftSection={<IconFingerprint size={18} stroke={1.7} />}
          loading={task.isBusy}
          onClick={() => void signIn()}
          fullWidth
        >
          {t('passkey.signIn')}
        </Button>
      )}
    </Stack>
  );
}
