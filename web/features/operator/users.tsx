import { ActionIcon, Group, Menu, Select, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import {
  IconBan,
  IconCoins,
  IconDots,
  IconKey,
  IconRotate,
  IconShieldOff,
  IconUserDown,
  IconUserUp,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { OperatedUser } from '../../../shared/contracts/operator.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useUser } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Filters } from '../../ui/filters.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { State } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useHealth, useUsers, type UserState } from './operator.queries.ts';
import { UserDialog, type UserAction } from './user-dialog.tsx';

const states = ['all', 'active', 'suspended', 'unverified', 'operators'] as const satisfies UserState[];

export function UsersPanel() {
  const { t } = useTranslation('operator');
  const [q, setQ] = useState('');
  const [state, setState] = useState<UserState>('all');
  const [asking, setAsking] = useState<{ user: OperatedUser; action: UserAction }>();
  const users = useUsers(q, state);
  const needsConfirming = useHealth().data?.mail.mode !== 'kept';
  return (
    <>
      <Group mb="md" gap="xs">
        <div style={{ flex: '1 1 200px', maxWidth: 360 }}>
          <SearchInput value={q} onChange={setQ} label={t('users.search')} clearLabel={t('common:clear')} />
        </div>
        <Filters label={t('users.filter')} count={state === 'all' ? 0 : 1}>
          <Select
            aria-label={t('users.filter')}
            value={state}
            onChange={(value) => setState(states.find((each) => each === value) ?? 'all')}
            data={states
              .filter((value) => needsConfirming || value !== 'unverified')
              .map((value) => ({ value, label: t(`users.filters.${value}`) }))}
            allowDeselect={false}
          />
        </Filters>
      </Group>
      <PagedList
        query={users}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<EmptyState drawing="search" title={t('users.noMatch')} text={t('users.noMatchText')} />}
      >
        {(rows) => (
          <Table verticalSpacing="xs">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('users.person')}</Table.Th>
                <Table.Th visibleFrom="md">{t('users.signIn')}</Table.Th>
                <Table.Th visibleFrom="md" ta="right">
                  {t('users.workspaces')}
                </Table.Th>
                <Table.Th visibleFrom="sm" pl={64}>
                  {t('users.lastSeen')}
                </Table.Th>
                <Table.Th visibleFrom="sm">{t('users.state')}</Table.Th>
                <Table.Th w={48} pos="relative">
                  <VisuallyHidden>{t('common:actions')}</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((user) => (
                <Row
                  key={user.uuid}
                  user={user}
                  needsConfirming={needsConfirming}
                  onAction={(action) => setAsking({ user, action })}
                />
              ))}
            </Table.Tbody>
          </Table>
        )}
      </PagedList>
      <UserDialog asking={asking} onClose={() => setAsking(undefined)} />
    </>
  );
}

const kinds = { active: 'live', unverified: 'draft', suspended: 'off' } as const;

interface RowProps {
  user: OperatedUser;
  /** Where no mail is sent, nobody could confirm theirs. */
  needsConfirming: boolean;
  onAction(action: UserAction): void;
}

function Row({ user, needsConfirming, onAction }: RowProps) {
  const { t } = useTranslation('operator');
  const isYou = useUser()?.uuid === user.uuid;
  const isConfirmed = user.emailVerified || !needsConfirming;
  const state = user.suspendedAt ? 'suspended' : isConfirmed ? 'active' : 'unverified';
  const badge = (
    <span
      style={{ display: 'inline-flex' }}
      title={
        user.suspendedAt ? [formatMoment(user.suspendedAt), user.suspendedFor].filter(Boolean).join('\n') : undefined
      }
    >
      <State kind={kinds[state]}>{t(`users.states.${state}`)}</State>
    </span>
  );
  const also = [
    isYou && t('users.you'),
    user.operator && t('users.operator'),
    user.twoFactor && t('users.twoFactor'),
  ].filter((word) => word !== false);
  const lastSeen = user.lastSeenAt ? formatAgo(user.lastSeenAt) : t('users.neverSeen');
  return (
    <Table.Tr>
      <Table.Td>
        <Group gap="sm" wrap="nowrap" align="flex-start">
          <Avatar kind="person" id={user.uuid} name={user.username} url={user.avatar?.url} size={28} />
          <Stack gap={2} miw={0}>
            <Text size="sm" fw="var(--medium)" style={{ overflowWrap: 'anywhere' }}>
              {user.username}
              {also.length > 0 && (
                <Text span size="xs" c="dimmed" fw={400}>
                  {' '}
                  · {also.join(' · ')}
                </Text>
              )}
            </Text>
            <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {user.email}
            </Text>
            {user.suspendedFor && (
              <Text size="xs" c="red" style={{ overflowWrap: 'anywhere' }}>
                {t('users.suspendedFor', { reason: user.suspendedFor })}
              </Text>
            )}
            <Group gap="xs" align="baseline" hiddenFrom="sm" mt={2}>
              {badge}
              <Text size="xs" c="dimmed">
                {user.lastSeenAt ? t('users.seen', { when: lastSeen }) : lastSeen}
              </Text>
            </Group>
          </Stack>
        </Group>
      </Table.Td>
      <Table.Td visibleFrom="md">
        <Text size="sm">
          {user.providers.map((provider) => t(`users.providers.${provider}`)).join(t('common:comma'))}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="md" ta="right">
        {formatNumber(user.workspaces)}
      </Table.Td>
      <Table.Td
        visibleFrom="sm"
        pl={64}
        style={{ whiteSpace: 'nowrap' }}
        title={
          t('users.since', { when: formatMoment(user.createdAt) }) +
          (user.lastSeenAt ? `\n${t('users.seen', { when: formatMoment(user.lastSeenAt) })}` : '')
        }
      >
        <Text size="sm">{lastSeen}</Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{badge}</Table.Td>
      <Table.Td>
        <UserMenu user={user} isYou={isYou} onAction={onAction} />
      </Table.Td>
    </Table.Tr>
  );
}

function UserMenu({
  user,
  isYou,
  onAction,
}: {
  user: OperatedUser;
  isYou: boolean;
  onAction(action: UserAction): void;
}) {
  const { t } = useTranslation('operator');
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={t('users.menu', { name: user.username })}>
          <IconDots size={18} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconCoins size={15} />} onClick={() => onAction('giveCredits')}>
          {t('actions.giveCredits.name')}
        </Menu.Item>
        {/* Not for oneself: what one would take from oneself could not be given back. */}
        {!isYou && (
          <>
            <Menu.Item leftSection={<IconKey size={15} />} onClick={() => onAction('passwordLink')}>
              {t('actions.passwordLink.name')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconShieldOff size={15} />}
              onClick={() => onAction('resetTwoFactor')}
              disabled={!user.twoFactor && !user.providers.includes('passkey')}
            >
              {t('actions.resetTwoFactor.name')}
            </Menu.Item>
            {user.operator ? (
              <Menu.Item leftSection={<IconUserDown size={15} />} onClick={() => onAction('unmakeOperator')}>
                {t('actions.unmakeOperator.name')}
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<IconUserUp size={15} />} onClick={() => onAction('makeOperator')}>
                {t('actions.makeOperator.name')}
              </Menu.Item>
            )}
            {user.suspendedAt ? (
              <Menu.Item leftSection={<IconRotate size={15} />} onClick={() => onAction('restore')}>
                {t('actions.restore.name')}
              </Menu.Item>
            ) : (
              <Menu.Item leftSection={<IconBan size={15} />} color="red" onClick={() => onAction('suspend')}>
                {t('actions.suspend.name')}
              </Menu.Item>
            )}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
