import { ActionIcon, Box, Button, Group, Menu, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey } from '../../../shared/contracts/keys.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { CreateKeyDialog, EditKeyDialog } from './key-dialogs.tsx';
import { KeySnippets } from './key-snippets.tsx';
import { useKeys, useRevokeKey } from './keys.queries.ts';

export function Keys() {
  const { t } = useTranslation('keys');
  const keys = useKeys();
  const revoke = useRevokeKey();
  const [isCreating, create] = useDisclosure();
  const [editing, setEditing] = useState<ApiKey>();
  const [ending, setEnding] = useState<ApiKey>();
  const button = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={create.open}>
      {t('create.open')}
    </Button>
  );
  return (
    <>
      <Section title={t('list.title')} end={keys.data && keys.data.length > 0 && button}>
        <PagedList
          query={keys}
          labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
          empty={<EmptyState drawing="keys" title={t('list.empty')} text={t('list.emptyText')} action={button} />}
        >
          {(rows) => (
            <ul style={{ listStyle: 'none', padding: 0, margin: 0 }}>
              {rows.map((key) => (
                <KeyRow key={key.uuid} apiKey={key} onEdit={() => setEditing(key)} onRevoke={() => setEnding(key)} />
              ))}
            </ul>
          )}
        </PagedList>
      </Section>
      {keys.data?.some(({ state, scopes }) => state === 'active' && scopes.includes('chat')) && (
        <Section title={t('snippets.title')}>
          <Box pt="sm">
            <KeySnippets />
          </Box>
        </Section>
      )}
      <CreateKeyDialog opened={isCreating} onClose={create.close} />
      <EditKeyDialog apiKey={editing} onClose={() => setEditing(undefined)} />
      <ConfirmDialog
        opened={ending !== undefined}
        title={t('revoke.title', { name: ending?.name })}
        text={t('revoke.text')}
        confirm={t('revoke.confirm')}
        cancel={t('common:cancel')}
        loading={revoke.isPending}
        onClose={() => setEnding(undefined)}
        onConfirm={() =>
          ending &&
          revoke.mutate(ending.uuid, {
            onSuccess: () => toast.success(t('revoke.done', { name: ending.name })),
            onError: (error) => toast.error(error.message),
            onSettled: () => setEnding(undefined),
          })
        }
      />
    </>
  );
}

const kinds = { active: 'live', expired: 'warning', revoked: 'off' } as const satisfies Record<
  ApiKey['state'],
  StateKind
>;

function KeyRow({ apiKey, onEdit, onRevoke }: { apiKey: ApiKey; onEdit(): void; onRevoke(): void }) {
  const { t } = useTranslation('keys');
  const { name, prefix, scopes, bots, state, createdBy, createdAt, expiresAt, lastUsedAt } = apiKey;
  const isOver = state === 'revoked';
  const may = scopes.map((scope) => t(`scopes.${scope}.name`)).join(t('common:comma'));
  const where = bots
    ? bots.length > 0
      ? t('list.onlyBots', { bots: bots.map((bot) => bot.name).join(t('common:comma')) })
      : t('list.noBotsLeft')
    : t('list.allBots');
  return (
    <li aria-label={name} className={rowClass}>
      <Stack gap={0} miw={0} flex={1}>
        <Group gap="xs">
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }} {...(isOver && { c: 'dimmed' })}>
            {name}
          </Text>
          <State kind={kinds[state]}>{t(`state.${state}`)}</State>
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          <span style={{ fontFamily: 'var(--mantine-font-family-monospace)' }}>{prefix}…</span> · {may} · {where}
        </Text>
        <Group style={{ gap: '0 16px' }}>
          <Text size="xs" c="dimmed" title={lastUsedAt ? formatMoment(lastUsedAt) : undefined}>
            {lastUsedAt ? t('list.used', { ago: formatAgo(lastUsedAt) }) : t('list.unused')}
          </Text>
          <Text size="xs" c="dimmed" title={expiresAt ? formatAgo(expiresAt) : undefined}>
            {expiresAt
              ? t(state === 'expired' ? 'list.expired' : 'list.expires', { when: formatMoment(expiresAt) })
              : t('list.neverExpires')}
          </Text>
          <Text size="xs" c="dimmed" title={formatMoment(createdAt)}>
            {t('list.created', { by: createdBy, ago: formatAgo(createdAt) })}
          </Text>
        </Group>
      </Stack>
      {!isOver && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={t('list.menu', { name })}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconEdit size={15} />} onClick={onEdit}>
              {t('common:edit')}
            </Menu.Item>
            <Menu.Item leftSection={<IconTrash size={15} />} color="red" onClick={onRevoke}>
              {t('revoke.confirm')}
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  );
}
