import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';
import { CreateWorkspaceDialog } from '../features/workspaces/create-workspace.tsx';
import { Invitations } from '../features/workspaces/invitations.tsx';
import { InviteDialog } from '../features/workspaces/invite-dialog.tsx';
import { Members } from '../features/workspaces/members.tsx';
import { OwnerZone } from '../features/workspaces/owner-zone.tsx';
import { RoleHelp } from '../features/workspaces/role-help.tsx';
import { WorkspaceCard } from '../features/workspaces/workspace-card.tsx';
import { chooseWorkspace, useMay, useWorkspace } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { Page } from '../ui/page.tsx';
import { toast } from '../ui/toast.tsx';

const route = getRouteApi('/app/Team');

export default function TeamPage() {
  const { t } = useTranslation('workspaces');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const mayManage = useMay('manage');
  const [isInviting, invite] = useDisclosure();
  const closeNew = () => void navigate({ search: {}, replace: true });
  useTitle(t('common:page.team'));
  if (!workspace) return null;
  return (
    <Page
      title={t('common:page.team')}
      facts={t('description')}
      actions={
        <>
          <RoleHelp />
          {mayManage && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={invite.open}>
              {t('invite.open')}
            </Button>
          )}
        </>
      }
    >
      <Members />
      {mayManage && <Invitations />}
      <WorkspaceCard key={workspace.uuid} workspace={workspace} />
      <OwnerZone workspace={workspace} />
      <InviteDialog opened={isInviting} onClose={invite.close} />
      <CreateWorkspaceDialog
        opened={Boolean(search.new)}
        onClose={closeNew}
        onCreated={(created) => {
          closeNew();
          chooseWorkspace({ ...created, shop: created.name });
          toast.success(t('create.done', { name: created.name }));
        }}
      />
    </Page>
  );
}
