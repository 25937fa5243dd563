import { Button, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useTask } from '../../lib/use-task.ts';
import { Card, CardButton, CardLink, Refusal } from './card.tsx';
import { useOptions } from './entry.ts';

export function ForgotPasswordForm({ email: known }: { email: string | undefined }) {
  const { t } = useTranslation('accounts');
  const [email, setEmail] = useState(known ?? '');
  const [isSent, setIsSent] = useState(false);
  const { options, isKnown } = useOptions();
  const task = useTask();
  const toLogin = (
    <Text size="sm" ta="center">
      <CardLink to="/Login">{t('toLogin')}</CardLink>
    </Text>
  );

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(async () => {
      await call(accounts.forgotPassword, { body: { email: email.trim() }, anywhere: true });
      setIsSent(true);
    });
  };

  if (!isKnown) {
    return (
      <Card title={t('forgot.title')}>
        <Skeleton height={60} aria-label={t('common:loading')} />
        <Skeleton height={60} />
      </Card>
    );
  }
  // A form would promise a mail that never comes.
  if (options?.mail === false) {
    return (
      <Card title={t('forgot.title')} text={t('forgot.noMail')}>
        <CardButton to="/Login">{t('toLogin')}</CardButton>
      </Card>
    );
  }
  if (isSent) {
    return (
      <Card title={t('sent.title')} text={t('sent.forgot', { email: email.trim() })}>
        <Text size="sm" c="dimmed">
          {t('sent.spam')}
        </Text>
        <Button variant="default" onClick={() => setIsSent(false)} fullWidth>
          {t('sent.wrongAddress')}
        </Button>
        {toLogin}
      </Card>
    );
  }
  return (
    <Card title={t('forgot.title')} text={t('forgot.text')}>
      <form onSubmit={submit} onInput={task.forget} noValidate>
        <Stack>
          <Refusal error={task.error} fields={['email']} />
          <TextInput
            label={t('email')}
            name="email"
            type="email"
            autoComplete="email"
            required
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
            error={task.error?.fields['email']}
            autoFocus
          />
          <Button type="submit" loading={task.isBusy} fullWidth>
            {t('forgot.submit')}
          </Button>
        </Stack>
      </form>
      {toLogin}
    </Card>
  );
}
