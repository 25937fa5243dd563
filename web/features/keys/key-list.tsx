import { ActionIcon, Box, Button, Menu, Table, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots, IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { ApiKey } from '../../../shared/contracts/keys.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { Section, State, type StateKind } from '../../ui/page.tsx';
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
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
          empty={<EmptyState drawing="keys" title={t('list.empty')} text={t('list.emptyText')} action={button} />}
        >
          {(rows) => (
            <Table verticalSpacing={6}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('common:name')}</Table.Th>
                  <Table.Th visibleFrom="sm">{t('list.may')}</Table.Th>
                  <Table.Th visibleFrom="md">{t('form.bots')}</Table.Th>
                  <Table.Th visibleFrom="sm">{t('list.lastUsed')}</Table.Th>
                  <Table.Th visibleFrom="md">{t('form.expires')}</Table.Th>
                  <Table.Th>{t('list.state')}</Table.Th>
                  <Table.Th w={40} pos="relative">
                    <VisuallyHidden>{t('common:actions')}</VisuallyHidden>
                  </Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((key) => (
                  <KeyRow key={key.uuid} apiKey={key} onEdit={() => setEditing(key)} onRevoke={() => setEnding(key)} />
                ))}
              </Table.Tbody>
            </Table>
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
            onError: (error) => toast.error(errorText(error)),
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
  const used = lastUsedAt ? formatAgo(lastUsedAt) : t('list.unused');
  return (
    <Table.Tr aria-label={name}>
      <Table.Td title={t('list.created', { by: createdBy, ago: formatAgo(createdAt) })}>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }} {...(isOver && { c: 'dimmed' })}>
          {name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {prefix}…
        </Text>
        <Text size="xs" c="dimmed" hiddenFrom="sm">
          {may} · {used}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{may}</Table.Td>
      <Table.Td visibleFrom="md" style={{ overflowWrap: 'anywhere' }}>
        {where}
      </Table.Td>
      <Table.Td visibleFrom="sm" c="var(--ink-3)" title={lastUsedAt ? formatMoment(lastUsedAt) : undefined}>
        {used}
      </Table.Td>
      <Table.Td visibleFrom="md" c="var(--ink-3)" title={expiresAt ? formatMoment(expiresAt) : undefined}>
        {expiresAt ? formatAgo(expiresAt) : t('list.never')}
      </Table.Td>
      <Table.Td>
        <State kind={kinds[state]}>{t(`state.${state}`)}</State>
      </Table.Td>
      <Table.Td>
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
      </Table.Td>
    </Table.Tr>
  );
}
