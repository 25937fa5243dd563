import { Alert, Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { useTask } from '../../lib/use-task.ts';
import { Card, CardLink, Refusal } from './card.tsx';
import { pathOfInvitation, useEntry, useOptions } from './entry.ts';
import { useInvitation, type Invitation } from './invitations.ts';
import { OtherWays } from './other-ways.tsx';
import { NewPasswordField } from './new-password-field.tsx';

interface Props {
  next: string | undefined;
  invitation: string | undefined;
}

/** The card for a new account: the form, or why there is none. */
export function RegisterForm({ next: wanted, invitation: code }: Props) {
  const { t } = useTranslation('accounts');
  const { options, isKnown } = useOptions();
  const invitation = useInvitation(code);
  const next = wanted ?? (code && pathOfInvitation(code));
  const signIn = (
    <Text size="sm" ta="center">
      {t('register.hasAccount')}{' '}
      <CardLink to="/Login" query={{ next }}>
        {t('register.login')}
      </CardLink>
    </Text>
  );

  if (!isKnown || invitation.status === 'loading') {
    return (
      <Card title={t('register.title')}>
        <Skeleton height={60} aria-label={t('common:loading')} />
        <Skeleton height={60} />
        <Skeleton height={60} />
      </Card>
    );
  }
  if (invitation.status === 'failed') {
    return (
      <Card title={t('register.title')}>
        <Alert color="yellow" role="alert">
          {invitation.error.code === 'code-invalid' ? t('invitation.dead') : invitation.error.message}
        </Alert>
        {signIn}
      </Card>
    );
  }
  const invited = invitation.status === 'open' ? invitation.invitation : undefined;
  if (
    options &&
    !options.first &&
    (options.registration === 'closed' || (options.registration === 'invitation' && !invited))
  ) {
    return (
      <Card title={t('register.title')} text={t(`register.${options.registration}`)}>
        {signIn}
      </Card>
    );
  }
  return (
    <Form
      next={next}
      code={code}
      invited={invited}
      asksSetup={options?.setup === true}
      isFirst={options?.first === true}
    >
      <OtherWays google={options?.google === true} next={next} invitation={code} />
      {!options?.first && signIn}
    </Form>
  );
}

interface FormProps {
  next: string | undefined;
  code: string | undefined;
  invited: Invitation | undefined;
  /** Nobody runs the server yet, and others than its operator can reach it. */
  asksSetup: boolean;
  /** Nobody is here yet; who comes first operates the server. */
  isFirst: boolean;
  children: ReactNode;
}

const fieldNames = ['username', 'email', 'password', 'shop'] as const;

function Form({ next, code, invited, asksSetup, isFirst, children }: FormProps) {
  const { t } = useTranslation('accounts');
  const [given, setGiven] = useState({ username: '', email: invited?.email ?? '', password: '', shop: '' });
  const [setup, setSetup] = useState('');
  const [isSent, setIsSent] = useState(false);
  const { signInWith } = useEntry();
  const task = useTask();
  const set = (field: (typeof fieldNames)[number], value: string) => setGiven({ ...given, [field]: value });
  const taken =
    task.error?.code === 'email-taken' ? 'email' : task.error?.code === 'username-taken' ? 'username' : undefined;
  const lacksSetup = task.error?.code === 'setup-needed';
  const fieldError = (field: string) =>
    task.error?.fields[field] ?? (taken === field ? task.error?.message : undefined);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(async () => {
      const body = {
        ...given,
        shop: given.shop.trim() || undefined,
        locale: currentLocale(),
        timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        ...(code && { invitation: code }),
        ...(asksSetup && { setup: setup.trim() }),
      };
      const reply = await call(accounts.register, { body, anywhere: true });
      if ('user' in reply) await signInWith(reply, next);
      else setIsSent(true);
    });
  };

  if (isSent) {
    return (
      <Card title={t('sent.title')} text={t('sent.register', { email: given.email })}>
        <Text size="sm" c="dimmed">
          {t('sent.spam')}
        </Text>
        <Button variant="default" onClick={() => setIsSent(false)} fullWidth>
          {t('sent.wrongAddress')}
        </Button>
      </Card>
    );
  }
  return (
    <Card title={t('register.title')} {...(isFirst && { text: t('register.first') })}>
      {invited && (
        <Alert color="blue">
          {t('invitation.text', { workspace: invited.workspace.name, name: invited.invitedBy })}
        </Alert>
      )}
      <form onSubmit={submit} onInput={task.forget} noValidate>
        <Stack>
          {!taken && !lacksSetup && <Refusal error={task.error} fields={[...fieldNames, 'setup']} />}
          <TextInput
            label={t('username')}
            name="username"
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            required
            maxLength={40}
            value={given.username}
            onChange={(event) => set('username', event.currentTarget.value)}
            error={fieldError('username')}
            autoFocus
          />
          {/* An invitation that was sent to an address is for that address. */}
          <TextInput
            label={t('email')}
            name="email"
            type="email"
            autoComplete="email"
            required
            readOnly={Boolean(invited?.email)}
            description={invited?.email ? t('invitation.forAddress') : undefined}
            maxLength={254}
            value={given.email}
            onChange={(event) => set('email', event.currentTarget.value)}
            error={fieldError('email')}
          />
          <NewPasswordField
            value={given.password}
            onChange={(password) => set('password', password)}
            error={fieldError('password')}
          />
          {/* Whoever was invited works in somebody else's. */}
          {!invited && (
            <TextInput
              label={t('register.shop')}
              description={t('register.shopHint')}
              name="organization"
              autoComplete="organization"
              maxLength={60}
              value={given.shop}
              onChange={(event) => set('shop', event.currentTarget.value)}
              error={fieldError('shop')}
            />
          )}
          {asksSetup && (
            <TextInput
              label={t('register.setup')}
              description={t('register.setupHint')}
              name="setup"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              required
              maxLength={100}
              value={setup}
              onChange={(event) => setSetup(event.currentTarget.value)}
              error={task.error?.fields['setup'] ?? (lacksSetup ? task.error?.message : undefined)}
            />
          )}
          <Button type="submit" loading={task.isBusy} fullWidth>
            {t('register.submit')}
          </Button>
          <Text size="xs" c="dimmed" ta="center">
            {t('register.terms')}
          </Text>
        </Stack>
      </form>
      {children}
    </Card>
  );
}
