import { Alert, Skeleton } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import { useInvitation } from './invitations.ts';

/** Who invites to what, while somebody signs in for it. What is wrong with the invitation, its own page tells. */
export default function InvitedBy({ code }: { code: string }) {
  const { t } = useTranslation('accounts');
  const state = useInvitation(code);
  if (state.status === 'loading') return <Skeleton height={60} aria-label={t('common:loading')} />;
  if (state.status !== 'open') return null;
  const { workspace, invitedBy } = state.invitation;
  return (
    <Alert color="blue" style={{ overflowWrap: 'anywhere' }}>
      {t('invitation.text', { workspace: workspace.name, name: invitedBy })}
    </Alert>
  );
}
