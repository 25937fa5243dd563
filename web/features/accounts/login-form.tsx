import { Alert, Anchor, Button, PasswordInput, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState, type FormEvent, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { ApiError, call } from '../../lib/api.ts';
import { adoptLocale } from '../../lib/i18n.ts';
import { safeNext } from '../../lib/next.ts';
import { fetchServices, setUser } from '../../lib/session.ts';
import { pageTitle } from '../../ui/page-title.ts';

export function LoginForm({ next }: { next: string | undefined }) {
  const { t } = useTranslation('accounts');
  const router = useRouter();
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const [error, setError] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const capsLock = useCapsLock();

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setError(undefined);
    try {
      const { user } = await call(accounts.signIn, { body: { identifier, password } });
      setUser(user);
      void fetchServices();
      await adoptLocale(user.locale);
      await router.navigate({ href: safeNext(next), replace: true });
    } catch (failure) {
      if (failure instanceof ApiError) setError(failure);
      setIsBusy(false);
    }
  };

  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <Title order={1} size="h3" {...pageTitle}>
          {t('login.title')}
        </Title>
        {error && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        <TextInput label={t('login.identifier')} name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required value={identifier} onChange={(event) => setIdentifier(event.currentTarget.value)} autoFocus />
        <PasswordInput label={t('password')} name="password" autoComplete="current-password" required value={password} onChange={(event) => setPassword(event.currentTarget.value)} onKeyUp={capsLock.look} description={capsLock.isOn ? t('capsLock') : undefined} visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }} />
        <Button type="submit" loading={isBusy} disabled={!identifier.trim() || !password} fullWidth>
          {t('login.submit')}
        </Button>
        <Text size="sm" ta="center">
          {t('login.noAccount')}{' '}
          <Anchor renderRoot={(props) => <Link {...props} to="/Register" search={next ? { next } : {}} />} inherit underline="always">
            {t('login.register')}
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}

/** The key that makes passwords fail, noticed while it does. */
export function useCapsLock() {
  const [isOn, setIsOn] = useState(false);
  return { isOn, look: (event: KeyboardEvent) => setIsOn(event.getModifierState('CapsLock')) };
}
