import { Button, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useTask } from '../../lib/use-task.ts';
import { Card, CardButton, Refusal } from './card.tsx';
import CodeStep from './code-step.tsx';
import { useEntry } from './entry.ts';
import { NewPasswordField, RepeatedPasswordField } from './new-password-field.tsx';

export function ResetPasswordForm({ code }: { code: string | undefined }) {
  const { t } = useTranslation('accounts');
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const { waiting, signInWith, back } = useEntry();
  const task = useTask();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(async () =>
      signInWith(
        await call(accounts.resetPassword, {
          body: { code: code ?? '', password, passwordConfirmation: again },
          anywhere: true,
        }),
        undefined,
      ),
    );
  };

  if (waiting)
    return <CodeStep ticket={waiting.ticket} onDone={(reply) => signInWith(reply, undefined)} onBack={back} />;
  if (!code || task.error?.code === 'code-invalid') {
    return (
      <Card title={t('reset.dead')} text={t('reset.deadText')}>
        <CardButton to="/Forgot-Password">{t('reset.again')}</CardButton>
      </Card>
    );
  }
  return (
    <Card title={t('reset.title')} text={t('reset.text')}>
      <form onSubmit={submit} onInput={task.forget} noValidate>
        <Stack>
          <Refusal error={task.error} fields={['password', 'passwordConfirmation']} />
          <NewPasswordField
            label={t('newPassword')}
            value={password}
            onChange={setPassword}
            error={task.error?.fields['password']}
            autoFocus
          />
          <RepeatedPasswordField
            of={password}
            value={again}
            onChange={setAgain}
            error={task.error?.fields['passwordConfirmation']}
          />
          <Button type="submit" loading={task.isBusy} fullWidth>
            {t('reset.submit')}
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
