import { Alert, Anchor, Button, Group, PasswordInput, Progress, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link, useRouter } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { ApiError, call } from '../../lib/api.ts';
import { currentLocale } from '../../lib/i18n.ts';
import { safeNext } from '../../lib/next.ts';
import { fetchServices, setUser } from '../../lib/session.ts';
import { pageTitle } from '../../ui/page-title.ts';
import { useCapsLock } from './login-form.tsx';
import { strengthOf } from './strength.ts';

const strengthColors = ['gray', 'red', 'yellow', 'green', 'green'];

export function RegisterForm({ next }: { next: string | undefined }) {
  const { t } = useTranslation('accounts');
  const router = useRouter();
  const [given, setGiven] = useState({ username: '', email: '', password: '' });
  const [error, setError] = useState<ApiError>();
  const [isBusy, setIsBusy] = useState(false);
  const capsLock = useCapsLock();
  const strength = strengthOf(given.password);
  const fields = error?.fields ?? {};
  const taken = error?.code === 'email-taken' ? 'email' : error?.code === 'username-taken' ? 'username' : undefined;
  const set = (field: keyof typeof given) => (event: { currentTarget: { value: string } }) => setGiven({ ...given, [field]: event.currentTarget.value });
  const fieldError = (field: string) => fields[field] ?? (taken === field ? error?.message : undefined);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsBusy(true);
    setError(undefined);
    try {
      const { user } = await call(accounts.register, { body: { ...given, locale: currentLocale(), timezone: Intl.DateTimeFormat().resolvedOptions().timeZone } });
      setUser(user);
      void fetchServices();
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
          {t('register.title')}
        </Title>
        {error && !taken && Object.keys(fields).length === 0 && (
          <Alert color="red" role="alert">
            {error.message}
          </Alert>
        )}
        <TextInput label={t('username')} name="username" autoComplete="username" autoCapitalize="none" spellCheck={false} required maxLength={40} value={given.username} onChange={set('username')} error={fieldError('username')} autoFocus />
        <TextInput label={t('email')} name="email" type="email" autoComplete="email" required maxLength={254} value={given.email} onChange={set('email')} error={fieldError('email')} />
        <div>
          <PasswordInput label={t('password')} name="password" autoComplete="new-password" required value={given.password} onChange={set('password')} onKeyUp={capsLock.look} description={capsLock.isOn ? t('capsLock') : t('register.passwordHint')} error={fieldError('password')} visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }} />
          {given.password !== '' && (
            <Group gap="xs" mt={6} wrap="nowrap">
              <Progress value={strength * 25} color={strengthColors[strength] ?? 'gray'} size="sm" style={{ flex: 1 }} aria-label={t('strength.label')} />
              <Text size="xs" c="dimmed" aria-live="polite">
                {t(`strength.${strength}`)}
              </Text>
            </Group>
          )}
        </div>
        <Button type="submit" loading={isBusy} disabled={!given.username.trim() || !given.email.trim() || strength === 0} fullWidth>
          {t('register.submit')}
        </Button>
        <Text size="xs" c="dimmed" ta="center">
          {t('register.terms')}
        </Text>
        <Text size="sm" ta="center">
          {t('register.hasAccount')}{' '}
          <Anchor renderRoot={(props) => <Link {...props} to="/Login" search={next ? { next } : {}} />} inherit underline="always">
            {t('register.login')}
          </Anchor>
        </Text>
      </Stack>
    </form>
  );
}
