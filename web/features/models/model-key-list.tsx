import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconAdjustments, IconEdit, IconPlus, IconRefresh, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ModelKey, ModelProviderInfo } from '../../../shared/contracts/services.ts';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatAgo, formatChoice, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { later } from '../../ui/later.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { FirstKey, KeyProblem } from './first-key.tsx';
import { ModelKeyForm } from './key-form.tsx';
import { useCheckModelKey, useModelKeys, useProviders, useRemoveModelKey, useSaveModelKey } from './models.queries.ts';

const KeyModels = later(async () => (await import('./key-models.tsx')).KeyModels);

/** The workspace's own keys of model providers. */
export function ModelKeys() {
  const { t } = useTranslation('models');
  const keys = useModelKeys();
  const providers = useProviders();
  const remove = useRemoveModelKey();
  const [isAdding, add] = useDisclosure();
  const [editing, setEditing] = useState<ModelKey>();
  const [ending, setEnding] = useState<ModelKey>();
  const [opened, setOpened] = useState<ModelKey>();
  if (keys.isPending || providers.isPending) return <SkeletonRows />;
  const failed = keys.error ?? providers.error;
  if (!keys.data || !providers.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={problemOf(failed) ?? ''}
        retry={t('common:retry')}
        onRetry={() => void Promise.all([keys.refetch(), providers.refetch()])}
      />
    );

  const vendors = providers.data.flatMap(({ title, keyUrl }) => (keyUrl ? [title] : []));
  const providerOf = (key: ModelKey) => providers.data.find(({ name }) => name === key.provider);
  const nameOf = (key: ModelKey) => key.name || (providerOf(key)?.title ?? key.provider);
  const button = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={add.open}>
      {t('keys.add')}
    </Button>
  );
  return (
    <>
      {keys.data.length === 0 ? (
        <EmptyState
          drawing="keys"
          title={t('keys.empty')}
          text={t('keys.emptyText', { providers: formatChoice([...vendors, t('keys.ownServer')]) })}
          action={button}
        />
      ) : (
        <Section title={t('page.models')} end={button}>
          <Text size="sm" c="dimmed" py="sm">
            {t('keys.description')}
          </Text>
          <Stack gap={0} component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
            {keys.data.map((key) => (
              <Row
                key={key.uuid}
                modelKey={key}
                name={nameOf(key)}
                provider={providerOf(key)}
                onEdit={() => setEditing(key)}
                onModels={() => setOpened(key)}
                onRemove={() => setEnding(key)}
              />
            ))}
          </Stack>
        </Section>
      )}
      <FirstKey opened={isAdding} onClose={add.close} />
      <Modal
        opened={editing !== undefined}
        onClose={() => setEditing(undefined)}
        title={t('keys.editTitle')}
        size="lg"
        centered
      >
        {editing && (
          <EditForm modelKey={editing} provider={providerOf(editing)} onClose={() => setEditing(undefined)} />
        )}
      </Modal>
      <Modal
        opened={opened !== undefined}
        onClose={() => setOpened(undefined)}
        title={t('keys.said.title', { name: opened && nameOf(opened) })}
        size="lg"
        centered
      >
        {opened && <KeyModels uuid={opened.uuid} onFail={() => setOpened(undefined)} />}
      </Modal>
      <ConfirmDialog
        opened={ending !== undefined}
        title={t('keys.removeTitle', { name: ending && nameOf(ending) })}
        text={t('keys.removeText')}
        confirm={t('common:delete')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onClose={() => setEnding(undefined)}
        onConfirm={() =>
          ending &&
          remove.mutate(ending.uuid, {
            onSuccess: () => toast.success(t('keys.removed', { name: nameOf(ending) })),
            onError: (error) => toast.error(errorText(error)),
            onSettled: () => setEnding(undefined),
          })
        }
      />
    </>
  );
}

const kinds = {
  ready: 'live',
  rejected: 'failed',
  exhausted: 'failed',
  unreachable: 'warning',
} as const satisfies Record<ModelKey['state'], StateKind>;

interface RowProps {
  modelKey: ModelKey;
  name: string;
  provider: ModelProviderInfo | undefined;
  onEdit(): void;
  onModels(): void;
  onRemove(): void;
}

function Row({ modelKey, name, provider, onEdit, onModels, onRemove }: RowProps) {
  const { t } = useTranslation('models');
  const check = useCheckModelKey();
  const { uuid, hint, baseUrl, state, message, models, checkedAt, lastUsedAt } = modelKey;
  const facts = [modelKey.name && provider?.title, hint && `…${hint}`, baseUrl].filter(Boolean).join(' · ');
  return (
    <li aria-label={name} className={rowClass} style={{ alignItems: 'flex-start' }}>
      {provider && <img src={provider.avatar.url} alt="" width={28} height={28} />}
      <Stack gap={0} miw={0} flex={1}>
        <Group gap="xs" justify="space-between">
          <Group gap="xs" miw={0}>
            <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <State kind={kinds[state]}>{t(`keys.state.${state}`)}</State>
          </Group>
          <Group gap={6}>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              aria-label={t('keys.checkName', { name })}
              loading={check.isPending}
              onClick={() =>
                check.mutate(uuid, {
                  onSuccess: (checked) =>
                    checked.state === 'ready'
                      ? toast.success(t('keys.works', { name }))
                      : toast.error(checked.message ?? t(`keys.state.${checked.state}`)),
                  onError: (error) => toast.error(errorText(error)),
                })
              }
            >
              {t('keys.check')}
            </Button>
            {/* What a vendor's models can do is known; only a server has an address. */}
            {baseUrl && (
              <Button
                size="xs"
                variant="default"
                leftSection={<IconAdjustments size={14} />}
                aria-label={t('keys.said.title', { name })}
                onClick={onModels}
              >
                {t('keys.said.open')}
              </Button>
            )}
            <Button
              size="xs"
              variant="default"
              leftSection={<IconEdit size={14} />}
              aria-label={t('keys.editName', { name })}
              onClick={onEdit}
            >
              {t('common:edit')}
            </Button>
            <Button
              size="xs"
              variant="default"
              c="red"
              leftSection={<IconTrash size={14} />}
              aria-label={t('keys.removeName', { name })}
              onClick={onRemove}
            >
              {t('common:delete')}
            </Button>
          </Group>
        </Group>
        {facts && (
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {facts}
          </Text>
        )}
        {message && (
          <Text size="sm" c="red" style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        )}
        <Group style={{ gap: '2px 16px' }}>
          <Text size="xs" c="dimmed">
            {t('keys.models', { count: models })}
          </Text>
          <Text size="xs" c="dimmed" title={lastUsedAt ? formatMoment(lastUsedAt) : undefined}>
            {lastUsedAt ? t('keys.used', { ago: formatAgo(lastUsedAt) }) : t('keys.unused')}
          </Text>
          <Text size="xs" c="dimmed" title={formatMoment(checkedAt)}>
            {t('keys.checked', { ago: formatAgo(checkedAt) })}
          </Text>
        </Group>
      </Stack>
    </li>
  );
}

function EditForm({
  modelKey,
  provider,
  onClose,
}: {
  modelKey: ModelKey;
  provider: ModelProviderInfo | undefined;
  onClose(): void;
}) {
  const { t } = useTranslation('models');
  const save = useSaveModelKey();
  const [answered, setAnswered] = useState<ModelKey>();
  if (!provider) return null;
  return (
    <ModelKeyForm
      provider={provider}
      initial={modelKey}
      submit={t('common:save')}
      isBusy={save.isPending}
      error={save.error}
      note={answered?.message && !save.isPending && <KeyProblem message={answered.message} />}
      back={{ label: t('common:cancel'), onClick: onClose }}
      onSubmit={(settings) =>
        save.mutate(
          { uuid: modelKey.uuid, provider: modelKey.provider, settings },
          {
            onSuccess: (saved) => {
              setAnswered(saved);
              if (saved.state !== 'ready' && (settings.apiKey !== undefined || settings.baseUrl !== undefined)) return;
              toast.success(t('keys.saved'));
              onClose();
            },
          },
        )
      }
    />
  );
}
