import { Button, Group, Stack } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useConfirmed } from '../../lib/confirmed.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { setUser } from '../../lib/session.ts';
import { useTask } from '../../lib/use-task.ts';
import { toast } from '../../ui/toast.tsx';
import { Refusal } from './card.tsx';
import { NewPasswordField } from './new-password-field.tsx';
import { PasswordField } from './password-field.tsx';
import { Section } from './section.tsx';
import { useRefreshSecurity } from './security.queries.ts';

export function PasswordSection({ hasPassword }: { hasPassword: boolean }) {
  const { t } = useTranslation('accounts-security', 'accounts');
  const [current, setCurrent] = useState('');
  const [password, setPassword] = useState('');
  const confirmed = useConfirmed();
  const refresh = useRefreshSecurity();
  const task = useTask();
  const isWrong = task.error?.code === 'wrong-password';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(() =>
      confirmed(async () => {
        const { data } = await call(accounts.update, {
          body: { password, ...(hasPassword && { currentPassword: current }) },
          anywhere: true,
        });
        setUser(data);
        setCurrent('');
        setPassword('');
        toast.success(t('password.done'));
        await refresh();
      }),
    );
  };

  return (
    <Section title={t('password.title')} text={hasPassword ? t('password.text') : t('password.none')}>
      <form onSubmit={submit} onInput={task.forget} noValidate>
        <Stack maw={480}>
          {!isWrong && <Refusal error={task.error} fields={['password']} />}
          {hasPassword && (
            <PasswordField
              name="current-password"
              label={t('password.current')}
              value={current}
              onChange={setCurrent}
              error={isWrong ? task.error?.message : undefined}
            />
          )}
          <NewPasswordField
            label={t('accounts:newPassword')}
            value={password}
            onChange={setPassword}
            error={task.error?.fields['password']}
          />
          <Group>
            <Button type="submit" loading={task.isBusy}>
              {hasPassword ? t('password.change') : t('password.set')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
