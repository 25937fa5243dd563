import { Button, Group, Stack, Text } from '@mantine/core';
import { IconLink, IconMail } from '@tabler/icons-react';
import type { Invitation } from '../../../shared/contracts/workspaces.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { PagedList } from '../../ui/paged-list.tsx';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { useInvitations, useRevokeInvitation } from './workspaces.queries.ts';

const kinds = { open: 'draft', accepted: 'live', expired: 'off', revoked: 'off' } as const satisfies Record<
  Invitation['state'],
  StateKind
>;

export function Invitations() {
  const { t } = useTranslation('workspaces');
  const invitations = useInvitations();
  return (
    <Section title={t('invitations.title')}>
      <PagedList
        query={invitations}
        labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
        empty={
          <Text size="sm" c="dimmed" py="sm">
            {t('invitations.empty')}
          </Text>
        }
      >
        {(rows) => (
          <Stack gap={0} component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
            {rows.map((invitation) => (
              <Row key={invitation.uuid} invitation={invitation} />
            ))}
          </Stack>
        )}
      </PagedList>
    </Section>
  );
}

function Row({ invitation }: { invitation: Invitation }) {
  const { t } = useTranslation('workspaces');
  const revoke = useRevokeInvitation();
  const { email, role, state, invitedBy, createdAt, expiresAt } = invitation;
  const to = email ?? t('invitations.anyone');
  const isOpen = state === 'open';
  const Icon = email ? IconMail : IconLink;
  return (
    <li className={rowClass}>
      <Group gap="xs" flex={1}>
        <Group gap="sm" wrap="nowrap" align="flex-start" miw={0} style={{ flex: '1 1 180px' }}>
          <Icon size={18} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
          <Stack gap={0} miw={0} align="flex-start">
            <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }} {...(!isOpen && { c: 'dimmed' })}>
              {to}
            </Text>
            <Text size="xs" c="dimmed" title={formatMoment(createdAt)}>
              {t('invitations.line', { role: t(`common:role.${role}`), by: invitedBy, ago: formatAgo(createdAt) })}
            </Text>
            <Group gap="4px 12px">
              <State kind={kinds[state]}>{t(`invitations.state.${state}`)}</State>
              {isOpen && (
                <Text size="xs" c="dimmed" title={formatMoment(expiresAt)}>
                  {t('invitations.expires', { when: formatAgo(expiresAt) })}
                </Text>
              )}
            </Group>
          </Stack>
        </Group>
        <Group gap="sm" ml="auto">
          {isOpen && (
            <Button
              size="xs"
              variant="default"
              loading={revoke.isPending}
              aria-label={t('invitations.revokeOf', { to })}
              onClick={() =>
                revoke.mutate(invitation.uuid, {
                  onSuccess: () => toast.success(t('invitations.revoked')),
                  onError: (error) => toast.error(error.message),
                })
              }
            >
              {t('invitations.revoke')}
            </Button>
          )}
        </Group>
      </Group>
    </li>
  );
}
