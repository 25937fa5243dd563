import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useState, type FormEvent, type ReactNode } from 'react';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { ApiError, call } from '../../lib/api.ts';
import { ConfirmedContext, type Confirmed } from '../../lib/confirmed.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { askForPasskey, hasPasskeys, PasskeyError, type PasskeyProblem } from '../../lib/passkeys.ts';
import { signOut } from '../../lib/session.ts';
import { useTask } from '../../lib/use-task.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Refusal } from './card.tsx';
import { PasskeyHint } from './passkey-hint.tsx';
import { PasswordField } from './password-field.tsx';
import { useSecurity } from './security.queries.ts';

/** Asks who is there when an action wants to know, and then goes on with it. */
export function Confirmation({ children }: { children: ReactNode }) {
  const { t } = useTranslation('accounts-security');
  const [question, setQuestion] = useState<{ answer(isThere: boolean): void }>();

  const confirmed: Confirmed = useCallback(async (action) => {
    try {
      await action();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'confirmation-needed') throw error;
    }
    const isThere = await new Promise<boolean>((answer) => setQuestion({ answer }));
    setQuestion(undefined);
    if (isThere) await action();
    return isThere;
  }, []);

  return (
    <ConfirmedContext value={confirmed}>
      {children}
      {/* Above another dialog, whose action may be the one that asks. */}
      <Modal
        opened={question !== undefined}
        onClose={() => question?.answer(false)}
        title={t('confirm.title')}
        zIndex={300}
        centered
      >
        {question && <Question onConfirmed={() => question.answer(true)} onCancel={() => question.answer(false)} />}
      </Modal>
    </ConfirmedContext>
  );
}

function Question({ onConfirmed, onCancel }: { onConfirmed(): void; onCancel(): void }) {
  const { t } = useTranslation('accounts-security');
  const router = useRouter();
  const known = useSecurity();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState<PasskeyProblem>();
  const task = useTask();

  const withPassword = (event: FormEvent) => {
    event.preventDefault();
    // In the page's tree, if not in the document's, it stands inside the form that asks.
    event.stopPropagation();
    void task.run(async () => {
      await call(security.confirm, { body: { password }, anywhere: true });
      onConfirmed();
    });
  };
  const withPasskey = () =>
    task.run(async () => {
      setProblem(undefined);
      try {
        const { data } = await call(accounts.passkeyOptions, { anywhere: true });
        await call(security.confirm, { body: await askForPasskey(data), anywhere: true });
        onConfirmed();
      } catch (failure) {
        if (!(failure instanceof PasskeyError)) throw failure;
        setProblem(failure.problem);
      }
    });
  const again = () =>
    task.run(async () => {
      const next = window.location.pathname + window.location.search;
      await signOut();
      await router.navigate({ href: `/Login?${new URLSearchParams({ next })}` });
    });

  if (known.isPending) return <Skeleton height={96} aria-label={t('common:loading')} />;
  const hasPassword = known.data?.hasPassword ?? true;
  const hasPasskey = hasPasskeys() && (known.data?.passkeys.length ?? 0) > 0;
  const isWrong = task.error?.code === 'wrong-password';
  return (
    <form onSubmit={withPassword} onInput={task.forget} noValidate>
      <Stack>
        <Text size="sm">{hasPassword || hasPasskey ? t('confirm.text') : t('confirm.again')}</Text>
        {!isWrong && <Refusal error={task.error} />}
        <PasskeyHint problem={problem} />
        {hasPassword && (
          <PasswordField
            value={password}
            onChange={setPassword}
            error={isWrong ? task.error?.message : undefined}
            autoFocus
          />
        )}
        {hasPasskey && (
          <Button
            variant="default"
            leftSection={<IconFingerprint size={18} stroke={1.7} />}
            onClick={() => void withPasskey()}
            disabled={task.isBusy}
          >
            {t('confirm.passkey')}
          </Button>
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
          {hasPassword && (
            <Button type="submit" loading={task.isBusy}>
              {t('confirm.submit')}
            </Button>
          )}
          {!hasPassword && !hasPasskey && (
            <Button onClick={() => void again()} loading={task.isBusy}>
              {t('confirm.signIn')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
