import { Alert, Button, Center, Loader } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { ApiError, call } from '../../lib/api.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { safeNext } from '../../lib/next.ts';
import { fetchUser, useUser } from '../../lib/session.ts';
import { toast } from '../../ui/toast.tsx';
import { Card, CardButton } from './card.tsx';
import CodeStep from './code-step.tsx';
import { beginInTeam, useEntry } from './entry.ts';

/** Where the link of a mail ends: it confirms an address by itself. */
export function VerifyEmail({ code }: { code: string | undefined }) {
  const { t } = useTranslation('accounts');
  const user = useUser();
  const { waiting, signInWith, back } = useEntry();
  const [isChanged, setIsChanged] = useState(false);
  const { error, retry } = useOnce(async () => {
    const reply = await call(accounts.verifyEmail, { body: { code: code ?? '' }, anywhere: true });
    if ('changed' in reply) {
      if (user) await fetchUser();
      return setIsChanged(true);
    }
    await signInWith(reply, undefined);
    if ('user' in reply) beginInTeam(reply.user);
  });

  if (waiting)
    return <CodeStep ticket={waiting.ticket} onDone={(reply) => signInWith(reply, undefined)} onBack={back} />;
  if (isChanged) {
    return (
      <Card title={t('verify.changed')} text={t('verify.changedText')}>
        <Onward />
      </Card>
    );
  }
  if (!error) return <Waiting title={t('verify.title')} />;
  const isDead = error.status >= 400 && error.status < 500 && error.code !== 'too-many-requests';
  return (
    <Card title={isDead ? t('verify.dead') : t('verify.failed')} text={isDead ? t('verify.deadText') : error.message}>
      {isDead ? <Onward /> : <Button onClick={retry}>{t('common:retry')}</Button>}
    </Card>
  );
}

/** Where Google sends the person back to, with its answer in the address. */
export function GoogleCallback({ search }: { search: string }) {
  const { t } = useTranslation('accounts');
  const router = useRouter();
  const user = useUser();
  const { waiting, signInWith } = useEntry();
  const { error } = useOnce(async () => {
    // Handed on just as Google wrote it: the contract leaves this query open, which its type cannot say.
    const query = Object.fromEntries(new URLSearchParams(search)) as Record<string, never>;
    const reply = await call(accounts.googleCallback, { query, anywhere: true });
    if (!('linked' in reply)) return signInWith(reply, reply.next);
    await fetchUser();
    toast.success(t('callback.linked'));
    await router.navigate({ href: safeNext(reply.next), replace: true });
  });

  if (waiting)
    return (
      <CodeStep
        ticket={waiting.ticket}
        onDone={(reply) => signInWith(reply, waiting.next)}
        onBack={() => void router.navigate({ to: '/Login' })}
      />
    );
  if (!error) return <Waiting title={t('callback.title')} />;
  return (
    <Card title={t('callback.failed')}>
      <Alert color="red" role="alert">
        {error.code === 'code-invalid' ? t('callback.old') : error.message}
      </Alert>
      {user ? (
        <CardButton to="/Account" query={{ tab: 'security' }}>
          {t('callback.toAccount')}
        </CardButton>
      ) : (
        <CardButton to="/Login">{t('toLogin')}</CardButton>
      )}
    </Card>
  );
}

/** Does it when the page opens, and only once: such a code is good for one try, and effects may run twice. */
function useOnce(work: () => Promise<void>) {
  const [error, setError] = useState<ApiError>();
  const isStarted = useRef(false);
  const start = () => {
    setError(undefined);
    work().catch((failure: unknown) => {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    });
  };
  const begin = useEffectEvent(start);
  useEffect(() => {
    if (isStarted.current) return;
    isStarted.current = true;
    begin();
  }, []);
  return { error, retry: start };
}

function Waiting({ title }: { title: string }) {
  const { t } = useTranslation('common');
  return (
    <Card title={title}>
      <Center py="md" role="status" aria-label={t('loading')}>
        <Loader />
      </Center>
    </Card>
  );
}

function Onward() {
  const { t } = useTranslation('accounts');
  const user = useUser();
  return user ? (
    <CardButton to="/">{t('common:notFound.home')}</CardButton>
  ) : (
    <CardButton to="/Login">{t('toLogin')}</CardButton>
  );
}
