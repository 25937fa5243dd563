import { Alert, Box, Button, Code, Group, SimpleGrid, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { lazy, Suspense, useState, type FormEvent } from 'react';
import { security, type Security } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useConfirmed } from '../../lib/confirmed.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { fetchUser } from '../../lib/session.ts';
import { useTask } from '../../lib/use-task.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { toast } from '../../ui/toast.tsx';
import { State } from '../../ui/page.tsx';
import { Refusal } from './card.tsx';
import { Section } from './section.tsx';
import { useRefreshSecurity } from './security.queries.ts';

const QrCode = lazy(() => import('../../ui/qr-code.tsx'));

const fewCodes = 3;

export function TwoFactorSection({ state }: { state: Security['twoFactor'] }) {
  const { t } = useTranslation('accounts-security');
  const [secret, setSecret] = useState<{ secret: string; url: string }>();
  const [codes, setCodes] = useState<string[]>();
  const [asks, setAsks] = useState<'disable' | 'renew'>();
  const confirmed = useConfirmed();
  const refresh = useRefreshSecurity();
  const task = useTask();

  const start = () =>
    task.run(() => confirmed(async () => setSecret((await call(security.startTwoFactor, { anywhere: true })).data)));
  const show = async (backupCodes: string[]) => {
    setSecret(undefined);
    setCodes(backupCodes);
    await Promise.all([refresh(), fetchUser()]);
  };
  const renew = () =>
    task.run(() =>
      confirmed(async () => show((await call(security.renewBackupCodes, { anywhere: true })).data.backupCodes)),
    );
  const disable = () =>
    task.run(() =>
      confirmed(async () => {
        await call(security.disableTwoFactor, { anywhere: true });
        toast.success(t('twoFactor.isOff'));
        await Promise.all([refresh(), fetchUser()]);
      }),
    );

  return (
    <Section
      title={t('twoFactor.title')}
      text={t('twoFactor.text')}
      state={<State kind={state ? 'live' : 'off'}>{state ? t('on') : t('off')}</State>}
    >
      <Refusal error={task.error} />
      {state ? (
        <>
          <Text size="sm">
            {t('twoFactor.since', { when: formatMoment(state.since), count: state.backupCodesLeft })}
          </Text>
          {state.backupCodesLeft <= fewCodes && <Alert color="yellow">{t('twoFactor.few')}</Alert>}
          <Group gap="xs">
            <Button variant="default" onClick={() => setAsks('renew')} disabled={task.isBusy}>
              {t('twoFactor.renew')}
            </Button>
            <Button variant="light" color="red" onClick={() => setAsks('disable')} disabled={task.isBusy}>
              {t('twoFactor.disable')}
            </Button>
          </Group>
        </>
      ) : (
        <Group>
          <Button variant="default" onClick={() => void start()} loading={task.isBusy}>
            {t('twoFactor.enable')}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={asks !== undefined}
        title={asks === 'renew' ? t('twoFactor.renewTitle') : t('twoFactor.disableTitle')}
        text={asks === 'renew' ? t('twoFactor.renewText') : t('twoFactor.disableText')}
        confirm={asks === 'renew' ? t('twoFactor.renew') : t('twoFactor.disable')}
        cancel={t('common:cancel')}
        onConfirm={() => {
          setAsks(undefined);
          void (asks === 'renew' ? renew() : disable());
        }}
        onClose={() => setAsks(undefined)}
      />
      <Modal
        opened={secret !== undefined}
        onClose={() => setSecret(undefined)}
        title={t('twoFactor.enable')}
        size="lg"
        closeOnClickOutside={false}
        centered
      >
        {secret && <Setup {...secret} onEnabled={show} />}
      </Modal>
      {/* They are shown only now, so only the answer closes it. */}
      <Modal
        opened={codes !== undefined}
        onClose={() => {}}
        title={t('backup.title')}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        centered
      >
        {codes && <BackupCodes codes={codes} onKept={() => setCodes(undefined)} />}
      </Modal>
    </Section>
  );
}

function Setup({ secret, url, onEnabled }: { secret: string; url: string; onEnabled(codes: string[]): Promise<void> }) {
  const { t } = useTranslation('accounts-security');
  const [code, setCode] = useState('');
  const confirmed = useConfirmed();
  const task = useTask();
  const digits = code.normalize('NFKC').replace(/\D/g, '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(() =>
      confirmed(async () =>
        onEnabled((await call(security.enableTwoFactor, { body: { code: digits }, anywhere: true })).data.backupCodes),
      ),
    );
  };
  return (
    <form onSubmit={submit} onInput={task.forget} noValidate>
      <Stack>
        <Text size="sm">{t('twoFactor.scan')}</Text>
        <Group align="flex-start" justify="center">
          <Suspense fallback={<Skeleton width={208} height={208} />}>
            <QrCode value={url} label={t('twoFactor.qr')} />
          </Suspense>
          <Stack gap="xs" style={{ flex: '1 1 200px' }} miw={0}>
            <Text size="sm" c="dimmed">
              {t('twoFactor.orType')}
            </Text>
            <Group gap={4} wrap="nowrap" align="flex-start">
              <Code style={{ overflowWrap: 'anywhere' }}>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</Code>
              <CopyButton value={secret} label={t('twoFactor.copySecret')} copiedLabel={t('common:copied')} />
            </Group>
            <Refusal error={task.error} fields={['code']} />
            <TextInput
              label={t('twoFactor.firstCode')}
              name="one-time-code"
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={12}
              value={code}
              onChange={(event) => setCode(event.currentTarget.value)}
              error={task.error?.fields['code']}
              data-autofocus
            />
          </Stack>
        </Group>
        <Group justify="flex-end">
          <Button type="submit" loading={task.isBusy} disabled={digits.length !== 6}>
            {t('twoFactor.finish')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function BackupCodes({ codes, onKept }: { codes: string[]; onKept(): void }) {
  const { t } = useTranslation('accounts-security');
  const text = `${codes.join('\n')}\n`;
  return (
    <Stack>
      <Text size="sm">{t('backup.text')}</Text>
      <SimpleGrid component="ul" cols={{ base: 1, xs: 2 }} spacing={6} m={0} p={0} style={{ listStyle: 'none' }}>
        {codes.map((code) => (
          <Box component="li" key={code}>
            <Code fz="sm">{code}</Code>
          </Box>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <Group gap={4}>
          <CopyButton value={text} label={t('backup.copy')} copiedLabel={t('common:copied')} />
          <Button
            component="a"
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="kotae-backup-codes.txt"
            variant="subtle"
            size="compact-sm"
          >
            {t('backup.download')}
          </Button>
        </Group>
        <Button onClick={onKept}>{t('backup.kept')}</Button>
      </Group>
    </Stack>
  );
}
