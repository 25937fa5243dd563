import { Button, Group, Loader, Stack, Text, TextInput } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { lazy, Suspense, useState, type FormEvent } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useTask } from '../../lib/use-task.ts';
import { Card, CardLink, Refusal } from './card.tsx';
import CodeStep from './code-step.tsx';
import { invitationIn, useEntry, useOptions } from './entry.ts';
import { OtherWays } from './other-ways.tsx';
import { PasswordField } from './password-field.tsx';

const InvitedBy = lazy(() => import('./invited-by.tsx'));

interface Props {
  next: string | undefined;
  /** Somebody wants a copy of a public bot. */
  isToCopy?: boolean;
}

export function LoginForm({ next, isToCopy = false }: Props) {
  const { t } = useTranslation('accounts');
  const [identifier, setIdentifier] = useState('');
  const [password, setPassword] = useState('');
  const { options } = useOptions();
  const { waiting, signInWith, back } = useEntry();
  const task = useTask();
  const invitation = invitationIn(next);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(async () => {
      await signInWith(await call(accounts.signIn, { body: { identifier, password }, anywhere: true }), next);
      setPassword('');
    });
  };

  // Nobody is here yet, so nobody can sign in.
  if (options?.first) return <Navigate to="/Register" search={next === undefined ? {} : { next }} replace />;
  if (waiting) return <CodeStep ticket={waiting.ticket} onDone={(reply) => signInWith(reply, next)} onBack={back} />;
  return (
    <Card title={t('login.title')}>
      {isToCopy && (
        <Text size="sm" mb="md">
          {t('login.toCopy')}
        </Text>
      )}
      {invitation && (
        <Suspense fallback={<Loader aria-label={t('common:loading')} />}>
          <InvitedBy code={invitation} />
        </Suspense>
      )}
      <form onSubmit={submit} onInput={task.forget} noValidate>
        <Stack>
          <Refusal error={task.error} fields={['identifier', 'password']} />
          <TextInput
            label={t('login.identifier')}
            name="username"
            autoComplete="username webauthn"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={254}
            value={identifier}
            onChange={(event) => setIdentifier(event.currentTarget.value)}
            error={task.error?.fields['identifier']}
            autoFocus
          />
          <PasswordField value={password} onChange={setPassword} error={task.error?.fields['password']} />
          <Button type="submit" loading={task.isBusy} fullWidth>
            {t('login.submit')}
          </Button>
        </Stack>
      </form>
      <Group justify="center">
        <Text size="sm">
          <CardLink to="/Forgot-Password" query={{ email: identifier.includes('@') ? identifier.trim() : undefined }}>
            {t('login.forgot')}
          </CardLink>
        </Text>
      </Group>
      <OtherWays
        google={options?.google === true}
        next={next}
        invitation={invitation}
        onPasskey={(reply) => signInWith(reply, next)}
      />
      {(options?.first || options?.registration !== 'closed') && (
        <Text size="sm" ta="center">
          {t('login.noAccount')}{' '}
          <CardLink to="/Register" query={{ next }}>
            {t('login.register')}
          </CardLink>
        </Text>
      )}
    </Card>
  );
}
