import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconFingerprint, IconPencil, IconTrash } from '@tabler/icons-react';
import { useState, type FormEvent } from 'react';
import { security, type Passkey } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { useConfirmed } from '../../lib/confirmed.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { hasPasskeys, makePasskey, PasskeyError, type PasskeyProblem } from '../../lib/passkeys.ts';
import { useTask } from '../../lib/use-task.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { Refusal } from './card.tsx';
import { useDeviceName } from './device-name.ts';
import { PasskeyHint } from './passkey-hint.tsx';
import { Section } from './section.tsx';
import { useRefreshSecurity } from './security.queries.ts';

const maxNameLength = 60;

export function PasskeySection({ passkeys }: { passkeys: Passkey[] }) {
  const { t } = useTranslation('accounts-security');
  return (
    <Section title={t('passkeys.title')} text={t('passkeys.text')}>
      {passkeys.length > 0 ? (
        <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
          {passkeys.map((passkey) => (
            <Row key={passkey.uuid} passkey={passkey} />
          ))}
        </Stack>
      ) : (
        <Text size="sm" c="dimmed">
          {t('passkeys.none')}
        </Text>
      )}
      {hasPasskeys() ? <Add /> : <PasskeyHint problem="unavailable" />}
    </Section>
  );
}

function Add() {
  const { t } = useTranslation('accounts-security');
  const nameOf = useDeviceName();
  const suggestion = nameOf(navigator.userAgent);
  const [name, setName] = useState(suggestion);
  const [problem, setProblem] = useState<PasskeyProblem>();
  const confirmed = useConfirmed();
  const refresh = useRefreshSecurity();
  const task = useTask();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setProblem(undefined);
    void task.run(() =>
      confirmed(async () => {
        const { data } = await call(security.passkeyOptions, { anywhere: true });
        try {
          await call(security.addPasskey, {
            body: { name: name.trim() || suggestion, ...(await makePasskey(data)) },
            anywhere: true,
          });
        } catch (failure) {
          if (!(failure instanceof PasskeyError)) throw failure;
          return setProblem(failure.problem);
        }
        toast.success(t('passkeys.added'));
        setName(suggestion);
        await refresh();
      }),
    );
  };

  return (
    <form onSubmit={submit} onInput={task.forget} noValidate>
      <Stack gap="xs" maw={480}>
        <Refusal error={task.error} fields={['name']} />
        <PasskeyHint problem={problem} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('passkeys.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            maxLength={maxNameLength}
            error={task.error?.fields['name']}
            style={{ flex: '1 1 200px' }}
          />
          <Button
            type="submit"
            variant="default"
            leftSection={<IconFingerprint size={18} stroke={1.7} />}
            loading={task.isBusy}
          >
            {t('passkeys.add')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Row({ passkey }: { passkey: Passkey }) {
  const { t } = useTranslation('accounts-security');
  const [name, setName] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const confirmed = useConfirmed();
  const refresh = useRefreshSecurity();
  const task = useTask();
  const params = { uuid: passkey.uuid };

  const rename = (event: FormEvent) => {
    event.preventDefault();
    void task.run(async () => {
      await call(security.renamePasskey, { params, body: { name: name ?? passkey.name }, anywhere: true });
      await refresh();
      setName(undefined);
    });
  };
  const remove = () => {
    setIsAsking(false);
    void task.run(() =>
      confirmed(async () => {
        await call(security.removePasskey, { params, anywhere: true });
        toast.success(t('passkeys.removed'));
        await refresh();
      }),
    );
  };

  return (
    <li>
      {name === undefined ? (
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Stack gap={0} miw={0}>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {passkey.name}
            </Text>
            <Text
              size="xs"
              c="dimmed"
              title={passkey.lastUsedAt ? formatMoment(passkey.lastUsedAt) : formatMoment(passkey.createdAt)}
            >
              {passkey.lastUsedAt
                ? t('passkeys.used', { ago: formatAgo(passkey.lastUsedAt) })
                : t('passkeys.unused', { ago: formatAgo(passkey.createdAt) })}
            </Text>
          </Stack>
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              onClick={() => setName(passkey.name)}
              aria-label={t('passkeys.rename', { name: passkey.name })}
            >
              <IconPencil size={17} />
            </ActionIcon>
            <ActionIcon
              variant="subtle"
              color="red"
              size="lg"
              onClick={() => setIsAsking(true)}
              loading={task.isBusy}
              aria-label={t('passkeys.remove', { name: passkey.name })}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </Group>
        </Group>
      ) : (
        <form onSubmit={rename} onInput={task.forget} noValidate>
          <Group align="flex-end" gap="xs">
            <TextInput
              label={t('passkeys.name')}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => event.key === 'Escape' && setName(undefined)}
              maxLength={maxNameLength}
              error={task.error?.fields['name']}
              style={{ flex: '1 1 200px' }}
              autoFocus
            />
            <Button type="submit" loading={task.isBusy} disabled={!name.trim()}>
              {t('common:save')}
            </Button>
            <Button variant="subtle" color="gray" onClick={() => setName(undefined)}>
              {t('common:cancel')}
            </Button>
          </Group>
        </form>
      )}
      <Refusal error={task.error} fields={['name']} />
      <ConfirmDialog
        opened={isAsking}
        title={t('passkeys.removeTitle', { name: passkey.name })}
        text={t('passkeys.removeText')}
        confirm={t('common:remove')}
        cancel={t('common:cancel')}
        onConfirm={remove}
        onClose={() => setIsAsking(false)}
      />
    </li>
  );
}
