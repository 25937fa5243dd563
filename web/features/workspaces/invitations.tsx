import { Button, Group, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconChevronRight, IconLink, IconMail } from '@tabler/icons-react';
import type { Invitation } from '../../../shared/contracts/workspaces.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { InviteLink } from './invite-dialog.tsx';
import { useInvitations, useRenewInvitation, useRevokeInvitation } from './workspaces.queries.ts';

const kinds = { open: 'draft', accepted: 'live', expired: 'off', revoked: 'off' } as const satisfies Record<
  Invitation['state'],
  StateKind
>;

export function Invitations() {
  const { t } = useTranslation('workspaces');
  const invitations = useInvitations();
  const renew = useRenewInvitation();
  const [isPastShown, past] = useDisclosure();
  const list = (rows: Invitation[]) => (
    <Stack gap={0} component="ul" style={{ listStyle: 'none', padding: 0, margin: 0 }}>
      {rows.map((invitation) => (
        <Row
          key={invitation.uuid}
          invitation={invitation}
          isRenewing={renew.isPending}
          onRenew={() => renew.mutate(invitation.uuid, { onError: (error) => toast.error(errorText(error)) })}
        />
      ))}
    </Stack>
  );
  const nobody = (
    <Text size="sm" c="dimmed" py="sm">
      {t('invitations.empty')}
    </Text>
  );
  return (
    <Section title={t('invitations.title')}>
      <PagedList
        query={invitations}
        labels={{
          failed: t('common:failed.title'),
          reason: errorText,
          retry: t('common:retry'),
          more: t('common:more'),
        }}
        empty={nobody}
      >
        {(rows) => {
          const open = rows.filter(({ state }) => state === 'open');
          const others = rows.filter(({ state }) => state !== 'open');
          return (
            <>
              {open.length > 0 ? list(open) : nobody}
              {others.length > 0 && (
                <Button
                  size="xs"
                  variant="subtle"
                  color="gray"
                  my="xs"
                  ml={-12}
                  aria-expanded={isPastShown}
                  leftSection={
                    <IconChevronRight size={14} style={{ rotate: isPastShown ? '90deg' : '0deg' }} aria-hidden />
                  }
                  onClick={past.toggle}
                >
                  {t('invitations.past')}
                </Button>
              )}
              {isPastShown && list(others)}
            </>
          );
        }}
      </PagedList>
      <Modal opened={renew.data !== undefined} onClose={renew.reset} title={t('invitations.renewed')} centered>
        {renew.data && (
          <InviteLink invitation={renew.data}>
            <Text size="sm" c="dimmed" mr="auto">
              {t('invitations.renewedText')}
            </Text>
            <Button variant="default" onClick={renew.reset}>
              {t('common:done')}
            </Button>
          </InviteLink>
        )}
      </Modal>
    </Section>
  );
}

interface RowProps {
  invitation: Invitation;
  isRenewing: boolean;
  onRenew(): void;
}

function Row({ invitation, isRenewing, onRenew }: RowProps) {
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
        {isOpen && (
          <Group gap="xs" ml="auto">
            <Button
              size="xs"
              variant="default"
              disabled={isRenewing}
              aria-label={t('invitations.renewOf', { to })}
              onClick={onRenew}
            >
              {t('invitations.renew')}
            </Button>
            <Button
              size="xs"
              variant="default"
              loading={revoke.isPending}
              aria-label={t('invitations.revokeOf', { to })}
              onClick={() =>
                revoke.mutate(invitation.uuid, {
                  onSuccess: () => toast.success(t('invitations.revoked')),
                  onError: (error) => toast.error(errorText(error)),
                })
              }
            >
              {t('invitations.revoke')}
            </Button>
          </Group>
        )}
      </Group>
    </li>
  );
}
