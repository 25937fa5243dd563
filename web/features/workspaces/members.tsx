import { ActionIcon, Group, Stack, Table, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconShieldCheck, IconUserMinus } from '@tabler/icons-react';
import { useState } from 'react';
import type { Invitation, Member } from '../../../shared/contracts/workspaces.ts';
import { may } from '../../../shared/roles.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay, useUser } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { rowClass, Section } from '../../ui/page.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { RoleSelect } from './role-select.tsx';
import { useChangeRole, useMembers, useRemoveMember } from './workspaces.queries.ts';

/** From how many on it is quicker to search than to look. */
const many = 8;

export function Members() {
  const { t } = useTranslation('workspaces');
  const [q, setQ] = useState('');
  const [leaving, setLeaving] = useState<Member>();
  const members = useMembers(q);
  const remove = useRemoveMember();
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const mayManage = useMay('manage');
  const showsSearch = q !== '' || members.hasNextPage || (members.data?.length ?? 0) >= many;

  return (
    <Section
      title={t('members.title')}
      end={
        showsSearch && (
          <SearchInput value={q} onChange={setQ} label={t('members.search')} clearLabel={t('common:clear')} />
        )
      }
    >
      <PagedList
        query={members}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={<EmptyState drawing="search" title={t('members.noMatch')} text={t('members.noMatchText', { q })} />}
      >
        {(rows) =>
          isWide ? (
            <Table verticalSpacing="xs">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{t('members.person')}</Table.Th>
                  <Table.Th>{t('members.role')}</Table.Th>
                  <Table.Th>{t('members.lastSeen')}</Table.Th>
                  {mayManage && (
                    <Table.Th w={48} pos="relative">
                      <VisuallyHidden>{t('common:actions')}</VisuallyHidden>
                    </Table.Th>
                  )}
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {rows.map((member) => (
                  <Table.Tr key={member.uuid}>
                    <Table.Td>
                      <Person member={member} />
                    </Table.Td>
                    <Table.Td>
                      <MemberRole member={member} />
                    </Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      <LastSeen member={member} />
                    </Table.Td>
                    {mayManage && (
                      <Table.Td>
                        <RemoveButton member={member} onClick={() => setLeaving(member)} />
                      </Table.Td>
                    )}
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          ) : (
            <Stack gap={0}>
              {rows.map((member) => (
                <article
                  key={member.uuid}
                  className={rowClass}
                  aria-label={member.username}
                  style={{ flexWrap: 'wrap' }}
                >
                  <Person member={member} />
                  <div style={{ marginInlineStart: 'auto' }}>
                    <RemoveButton member={member} onClick={() => setLeaving(member)} />
                  </div>
                  <Group justify="space-between" w="100%">
                    <MemberRole member={member} />
                    <Group gap={6}>
                      <Text size="xs" c="dimmed">
                        {t('members.lastSeen')}
                      </Text>
                      <LastSeen member={member} />
                    </Group>
                  </Group>
                </article>
              ))}
            </Stack>
          )
        }
      </PagedList>
      <ConfirmDialog
        opened={leaving !== undefined}
        title={t('members.removeTitle', { name: leaving?.username })}
        text={t('members.removeText', { name: leaving?.username })}
        confirm={t('members.remove')}
        cancel={t('common:cancel')}
        loading={remove.isPending}
        onClose={() => setLeaving(undefined)}
        onConfirm={() =>
          leaving &&
          remove.mutate(leaving.uuid, {
            onSuccess: () => toast.success(t('members.removed', { name: leaving.username })),
            onError: (error) => toast.error(errorText(error)),
            onSettled: () => setLeaving(undefined),
          })
        }
      />
    </Section>
  );
}

/** Whether the one who looks may change this member: never themselves, and never the owner. */
function useMayChange(member: Member): boolean {
  const mayManage = useMay('manage');
  const user = useUser();
  return mayManage && member.role !== 'owner' && member.uuid !== user?.uuid;
}

function Person({ member }: { member: Member }) {
  const { t } = useTranslation('workspaces');
  const isYou = useUser()?.uuid === member.uuid;
  return (
    <Group gap="sm" wrap="nowrap" miw={0}>
      <Avatar kind="person" id={member.uuid} name={member.username} url={member.avatar?.url} size={28} />
      <Stack gap={0} miw={0}>
        <Group gap={6} wrap="nowrap">
          <Text size="sm" fw={500} truncate title={member.username}>
            {member.username}
          </Text>
          {isYou && (
            <Text size="xs" c="dimmed" style={{ flex: 'none' }}>
              {t('members.you')}
            </Text>
          )}
          {member.twoFactor && (
            <Tooltip label={t('members.twoFactor')}>
              <IconShieldCheck
                size={16}
                color="var(--green)"
                role="img"
                aria-label={t('members.twoFactor')}
                style={{ flex: 'none' }}
              />
            </Tooltip>
          )}
        </Group>
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {member.email}
        </Text>
      </Stack>
    </Group>
  );
}

function MemberRole({ member }: { member: Member }) {
  const { t } = useTranslation('workspaces');
  const change = useChangeRole();
  const mayChange = useMayChange(member);
  if (!mayChange || member.role === 'owner') return <Text size="sm">{t(`common:role.${member.role}`)}</Text>;
  const { uuid, username, role: before } = member;
  const save = (role: Invitation['role'], onSuccess?: () => void) =>
    change.mutate(
      { uuid, role },
      { ...(onSuccess && { onSuccess }), onError: (error) => toast.error(errorText(error)) },
    );
  return (
    <RoleSelect
      label={t('members.roleOf', { name: username })}
      value={change.isPending ? change.variables.role : before}
      disabled={change.isPending}
      onChange={(role) =>
        save(role, () => {
          const endsInvitations = may(before, 'manage') && !may(role, 'manage');
          const said = endsInvitations ? 'members.changedEnds' : 'members.changed';
          toast.undo(t(said, { name: username, role: t(`common:role.${role}`) }), t('common:undo'), () => save(before));
        })
      }
    />
  );
}

function LastSeen({ member }: { member: Member }) {
  const { t } = useTranslation('workspaces');
  return (
    <Text size="sm" c="dimmed" title={member.lastSeenAt ? formatMoment(member.lastSeenAt) : undefined}>
      {member.lastSeenAt ? formatAgo(member.lastSeenAt) : t('members.neverSeen')}
    </Text>
  );
}

function RemoveButton({ member, onClick }: { member: Member; onClick(): void }) {
  const { t } = useTranslation('workspaces');
  if (!useMayChange(member)) return null;
  return (
    <Tooltip label={t('members.remove')}>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('members.removeOf', { name: member.username })}
        onClick={onClick}
      >
        <IconUserMinus size={17} />
      </ActionIcon>
    </Tooltip>
  );
}
