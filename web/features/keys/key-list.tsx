import { ActionIcon, Badge, Button, Code, Group, Menu, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey } from '../../../shared/contracts/keys.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
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
    <Button leftSection={<IconPlus size={16} />} onClick={create.open}>
      {t('create.open')}
    </Button>
  );
  return (
    <>
      {keys.data && keys.data.length > 0 && (
        <Group justify="space-between" mb="md" gap="sm">
          <Text size="sm" c="dimmed" style={{ flex: '1 1 240px' }}>
            {t('list.description')}
          </Text>
          {button}
        </Group>
      )}
      <PagedList
        query={keys}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={<EmptyState drawing="keys" title={t('list.empty')} text={t('list.emptyText')} action={button} />}
      >
        {(rows) => (
          <>
            <Stack gap="sm" component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
              {rows.map((key) => (
                <KeyRow key={key.uuid} apiKey={key} onEdit={() => setEditing(key)} onRevoke={() => setEnding(key)} />
              ))}
            </Stack>
            {rows.some(({ state, scopes }) => state === 'active' && scopes.includes('chat')) && (
              <Paper withBorder p="md" mt="lg" component="section" aria-labelledby="how-to-call">
                <Title order={2} size="h4" mb={4} id="how-to-call">
                  {t('snippets.title')}
                </Title>
                <Text size="sm" c="dimmed" mb="sm">
                  {t('snippets.text')}
                </Text>
                <KeySnippets />
              </Paper>
            )}
          </>
        )}
      </PagedList>
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

const colors = { active: 'green', expired: 'yellow', revoked: 'gray' } as const satisfies Record<
  ApiKey['state'],
  string
>;

function KeyRow({ apiKey, onEdit, onRevoke }: { apiKey: ApiKey; onEdit(): void; onRevoke(): void }) {
  const { t } = useTranslation('keys');
  const { name, prefix, scopes, bots, state, createdBy, createdAt, expiresAt, lastUsedAt } = apiKey;
  const isOver = state === 'revoked';
  return (
    <Paper withBorder p="md" component="li" aria-label={name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <Group gap="xs" miw={0}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }} {...(isOver && { c: 'dimmed' })}>
            {name}
          </Text>
          <Badge variant="light" color={colors[state]}>
            {t(`state.${state}`)}
          </Badge>
        </Group>
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
      </Group>
      <Group gap={6} mt="xs">
        <Code>{prefix}…</Code>
        {scopes.map((scope) => (
          <Badge key={scope} variant="light" color="gray" size="sm" radius="sm" title={t(`scopes.${scope}.name`)}>
            {t(`scopes.${scope}.text`)}
          </Badge>
        ))}
        <Text size="xs" c="dimmed">
          {bots
            ? bots.length > 0
              ? t('list.onlyBots', { bots: bots.map((bot) => bot.name).join(t('common:comma')) })
              : t('list.noBotsLeft')
            : t('list.allBots')}
        </Text>
      </Group>
      <Group mt="xs" style={{ gap: '2px 16px' }}>
        <Text size="xs" c="dimmed" title={formatMoment(createdAt)}>
          {t('list.created', { by: createdBy, ago: formatAgo(createdAt) })}
        </Text>
        <Text size="xs" c="dimmed" title={lastUsedAt ? formatMoment(lastUsedAt) : undefined}>
          {lastUsedAt ? t('list.used', { ago: formatAgo(lastUsedAt) }) : t('list.unused')}
        </Text>
        <Text size="xs" c="dimmed" title={expiresAt ? formatAgo(expiresAt) : undefined}>
          {expiresAt
            ? t(state === 'expired' ? 'list.expired' : 'list.expires', { when: formatMoment(expiresAt) })
            : t('list.neverExpires')}
        </Text>
      </Group>
    </Paper>
  );
}
