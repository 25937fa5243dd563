import { Anchor, Button, Group, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { accounts, type User } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useTask } from '../../lib/use-task.ts';
import { Card, Refusal } from './card.tsx';

interface Props {
  ticket: string;
  onDone(reply: { user: User }): Promise<void>;
  onBack(): void;
}

/** The second step of signing in: the app's six digits, which go off by themselves, or one of the backup codes. */
export default function CodeStep({ ticket, onDone, onBack }: Props) {
  const { t } = useTranslation('accounts');
  const [code, setCode] = useState('');
  const [isBackup, setIsBackup] = useState(false);
  const task = useTask();

  const send = (given: string) =>
    task.run(async () => onDone(await call(accounts.secondFactor, { body: { ticket, code: given }, anywhere: true })));
  const change = (text: string) => {
    setCode(text);
    task.forget();
    const typed = digitsOf(text);
    if (!isBackup && typed.length === 6 && digitsOf(code).length < 6 && !task.isBusy) void send(typed);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void send(isBackup ? code.trim() : digitsOf(code));
  };
  const turn = () => {
    setIsBackup(!isBackup);
    setCode('');
    task.forget();
  };
  const isWhole = isBackup ? code.trim().length > 0 : digitsOf(code).length === 6;

  return (
    <form onSubmit={submit} onInput={task.forget} noValidate>
      <Card title={t('code.title')} text={isBackup ? t('code.backupText') : t('code.text')}>
        <Refusal error={task.error} fields={['code']} />
        {isBackup ? (
          <TextInput
            key="backup"
            label={t('code.backupLabel')}
            name="backup-code"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={40}
            value={code}
            onChange={(event) => change(event.currentTarget.value)}
            error={task.error?.fields['code']}
            autoFocus
          />
        ) : (
          <TextInput
            key="app"
            label={t('code.label')}
            name="one-time-code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            value={code}
            onChange={(event) => change(event.currentTarget.value)}
            error={task.error?.fields['code']}
            size="md"
            styles={digits}
            autoFocus
          />
        )}
        <Button type="submit" loading={task.isBusy} disabled={!isWhole} fullWidth>
          {t('login.submit')}
        </Button>
        <Group justify="space-between" gap="xs">
          <Anchor component="button" type="button" size="sm" py={4} onClick={onBack}>
            {t('common:back')}
          </Anchor>
          <Anchor component="button" type="button" size="sm" py={4} onClick={turn}>
            {isBackup ? t('code.useApp') : t('code.useBackup')}
          </Anchor>
        </Group>
      </Card>
    </form>
  );
}

const digits = {
  input: { textAlign: 'center', fontSize: 22, letterSpacing: '0.3em', fontVariantNumeric: 'tabular-nums' },
} as const;

/** Apps show the code in two groups, and Japanese keyboards may type wide digits. */
const digitsOf = (text: string) => text.normalize('NFKC').replace(/\D/g, '');
