import { Button, Container, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { getRouteApi } from '@tanstack/react-router';
import { useTranslation } from '../lib/i18n.ts';
import { CreateWorkspaceDialog } from '../features/team/create-workspace.tsx';
import { Invitations } from '../features/team/invitations.tsx';
import { InviteDialog } from '../features/team/invite-dialog.tsx';
import { Members } from '../features/team/members.tsx';
import { OwnerZone } from '../features/team/owner-zone.tsx';
import { WorkspaceCard } from '../features/team/workspace-card.tsx';
import { chooseWorkspace, useMay, useWorkspace } from '../lib/session.ts';
import { useTitle } from '../lib/use-title.ts';
import { PageHeader } from '../ui/page-header.tsx';
import { toast } from '../ui/toast.tsx';

const route = getRouteApi('/guarded/default/Team');

export default function TeamPage() {
  const { t } = useTranslation('workspaces');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const workspace = useWorkspace();
  const mayManage = useMay('manage');
  const [isInviting, invite] = useDisclosure();
  const closeNew = () => void navigate({ search: {}, replace: true });
  useTitle(t('title'));
  if (!workspace) return null;
  return (
    <Container size="lg" py="lg">
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          mayManage && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={invite.open}>
              {t('invite.open')}
            </Button>
          )
        }
      />
      <WorkspaceCard key={workspace.uuid} workspace={workspace} />
      <Stack gap="xl">
        <Members />
        {mayManage && <Invitations />}
        <OwnerZone workspace={workspace} />
      </Stack>
      <InviteDialog opened={isInviting} onClose={invite.close} />
      <CreateWorkspaceDialog
        opened={search.new === true}
        onClose={closeNew}
        onCreated={(created) => {
          closeNew();
          chooseWorkspace(created);
          toast.success(t('create.done', { name: created.name }));
        }}
      />
    </Container>
  );
}
