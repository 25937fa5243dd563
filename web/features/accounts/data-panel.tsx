import { Alert, Button, Group, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useRouter } from '@tanstack/react-router';
import { useState, type FormEvent } from 'react';
import { accounts, type User } from '../../../shared/contracts/accounts.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { apiBase, call } from '../../lib/api.ts';
import { useConfirmed } from '../../lib/confirmed.ts';
import { errorText } from '../../lib/error-text.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { resetSession } from '../../lib/session.ts';
import { useTask } from '../../lib/use-task.ts';
import { Modal } from '../../ui/overlays.tsx';
import { rowClass } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { Refusal } from './card.tsx';
import { PasswordField } from './password-field.tsx';
import { Section } from './section.tsx';
import { useLeaving, useSecurity } from './security.queries.ts';

type Left = ReplyOf<typeof accounts.leaving>['data']['workspaces'][number];

export function DataPanel({ user }: { user: User }) {
  const { t } = useTranslation('accounts-security');
  const [isLeaving, setIsLeaving] = useState(false);
  const confirmed = useConfirmed();
  const task = useTask();
  // The reply names itself a download, so the page stays.
  const download = () =>
    task.run(() =>
      confirmed(async () =>
        window.location.assign(apiBase + (await call(accounts.export, { anywhere: true })).data.url),
      ),
    );
  return (
    <>
      <Section title={t('export.title')} text={t('export.text')}>
        <Refusal error={task.error} />
        <Group>
          <Button
            variant="default"
            leftSection={<IconDownload size={17} />}
            loading={task.isBusy}
            onClick={() => void download()}
          >
            {t('export.submit')}
          </Button>
        </Group>
      </Section>
      <Section title={t('delete.title')} text={t('delete.text')}>
        <Group>
          <Button color="red.8" variant="outline" c="var(--mantine-color-error)" onClick={() => setIsLeaving(true)}>
            {t('delete.open')}
          </Button>
        </Group>
      </Section>
      <Modal opened={isLeaving} onClose={() => setIsLeaving(false)} title={t('delete.title')} size="lg" centered>
        {isLeaving && <Leaving user={user} onCancel={() => setIsLeaving(false)} />}
      </Modal>
    </>
  );
}

function Leaving({ user, onCancel }: { user: User; onCancel(): void }) {
  const { t } = useTranslation('accounts-security');
  const router = useRouter();
  const workspaces = useLeaving();
  const known = useSecurity();
  const [password, setPassword] = useState('');
  const [typed, setTyped] = useState('');
  const [heirs, setHeirs] = useState<Record<string, string | null>>({});
  const successorOf = ({ uuid, successor }: Left) =>
    uuid in heirs ? (heirs[uuid] ?? null) : (successor?.uuid ?? null);
  const confirmed = useConfirmed();
  const task = useTask();

  const failed = workspaces.isError ? workspaces : known.isError ? known : undefined;
  if (failed)
    return (
      <ErrorState
        title={t('failed')}
        text={errorText(failed.error)}
        retry={t('common:retry')}
        onRetry={() => void failed.refetch()}
      />
    );
  if (!workspaces.data || !known.data) return <Skeleton height={240} aria-label={t('common:loading')} />;
  const { hasPassword } = known.data;
  const isWrong = task.error?.code === 'wrong-password';

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void task.run(() =>
      confirmed(async () => {
        const handOver = Object.entries(heirs).flatMap(([workspace, heir]) =>
          heir ? [{ workspace, user: heir }] : [],
        );
        await call(accounts.remove, { body: { ...(hasPassword && { password }), handOver }, anywhere: true });
        toast.success(t('delete.done'));
        resetSession();
        await router.navigate({ to: '/Login', replace: true });
      }),
    );
  };

  return (
    <form onSubmit={submit} onInput={task.forget} noValidate>
      <Stack>
        <Text size="sm">{t('delete.what')}</Text>
        <div>
          {workspaces.data.map((workspace) => (
            <Fate
              key={workspace.uuid}
              workspace={workspace}
              successor={successorOf(workspace)}
              onChoose={(heir) => setHeirs({ ...heirs, [workspace.uuid]: heir })}
            />
          ))}
        </div>
        <Text size="sm" c="dimmed">
          {t('delete.receipts')}
        </Text>
        <Alert color="red">{t('delete.final')}</Alert>
        {!isWrong && <Refusal error={task.error} />}
        {hasPassword && (
          <PasswordField value={password} onChange={setPassword} error={isWrong ? task.error?.message : undefined} />
        )}
        <TextInput
          label={t('delete.typeName', { name: user.username })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            {t('common:cancel')}
          </Button>
          <Button
            type="submit"
            color="red.8"
            loading={task.isBusy}
            disabled={typed.trim() !== user.username || (hasPassword && !password)}
          >
            {t('delete.submit')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What happens to a workspace, and who takes it over: nobody takes a personal one unless they are chosen. */
function Fate({
  workspace: { name, personal, candidates },
  successor,
  onChoose,
}: {
  workspace: Left;
  successor: string | null;
  onChoose(heir: string | null): void;
}) {
  const { t } = useTranslation('accounts-security');
  const heir = candidates.find(({ uuid }) => uuid === successor);
  return (
    <div className={rowClass} style={{ flexWrap: 'wrap' }}>
      <Text size="sm" style={{ flex: '1 1 220px', overflowWrap: 'anywhere' }} aria-live="polite">
        {heir ? t('delete.handedOver', { name, successor: heir.username }) : t('delete.erased', { name })}
      </Text>
      {candidates.length > 0 && (
        <Select
          size="xs"
          aria-label={t('delete.successorOf', { name })}
          value={successor ?? ''}
          onChange={(value) => onChoose(value || null)}
          data={[
            ...(personal ? [{ value: '', label: t('delete.nobody') }] : []),
            ...candidates.map(({ uuid, username }) => ({ value: uuid, label: username })),
          ]}
          allowDeselect={false}
          w={180}
        />
      )}
    </div>
  );
}
