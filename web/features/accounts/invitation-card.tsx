import { Alert, Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { call } from '../../lib/api.ts';
import { formatMoment, gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { chooseWorkspace, fetchUser, getUser, signOut, useUser } from '../../lib/session.ts';
import { useTask } from '../../lib/use-task.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { toast } from '../../ui/toast.tsx';
import { Card, CardButton, Refusal } from './card.tsx';
import { pathOfInvitation } from './entry.ts';
import { useInvitation, workspaceInvitedTo } from './invitations.ts';

export function InvitationCard({ code }: { code: string }) {
  const { t } = useTranslation('accounts');
  const router = useRouter();
  const user = useUser();
  const state = useInvitation(code);
  const task = useTask();
  const here = pathOfInvitation(code);

  const enter = async (uuid: string) => {
    chooseWorkspace(getUser()?.workspaces.find((workspace) => workspace.uuid === uuid));
    await router.navigate({ to: '/', replace: true });
  };

  // It was accepted by registering with it a moment ago.
  const joined =
    state.status === 'failed' && state.error.code === 'code-invalid'
      ? user?.workspaces.find(({ uuid }) => uuid === workspaceInvitedTo(code))
      : undefined;
  useEffect(() => {
    if (!joined) return;
    chooseWorkspace(joined);
    toast.success(t('invitation.joined', { workspace: joined.name }));
    void router.navigate({ to: '/', replace: true });
  }, [joined, router, t]);

  if (state.status === 'failed' && !joined) {
    // A link that was cut on the way has no code that could be one.
    const isDead = state.error.code === 'code-invalid' || state.error.code === 'validation-failed';
    return (
      <Card
        title={isDead ? t('invitation.deadTitle') : t('invitation.title')}
        text={isDead ? t('invitation.dead') : state.error.message}
      >
        {!isDead && <Button onClick={state.retry}>{t('common:retry')}</Button>}
        {user ? (
          <CardButton to="/" isSecond={!isDead}>
            {t('common:notFound.home')}
          </CardButton>
        ) : (
          <CardButton to="/Login" isSecond={!isDead}>
            {t('toLogin')}
          </CardButton>
        )}
      </Card>
    );
  }
  if (state.status !== 'open') {
    return (
      <Card title={t('invitation.title')}>
        <Skeleton height={48} aria-label={t('common:loading')} />
        <Skeleton height={72} />
        <Skeleton height={36} />
      </Card>
    );
  }

  const { workspace, role, email, invitedBy, expiresAt } = state.invitation;
  const isMember = user?.workspaces.some(({ uuid }) => uuid === workspace.uuid);
  const isForAnother = user !== undefined && email !== null && email.toLowerCase() !== user.email.toLowerCase();
  const join = () =>
    task.run(async () => {
      const { data } = await call(workspaces.acceptInvitation, { body: { code }, anywhere: true });
      await fetchUser();
      toast.success(t('invitation.joined', { workspace: data.name }));
      await enter(data.uuid);
    });

  const leave = () => void task.run(signOut);

  return (
    <Card title={t('invitation.to', { workspace: workspace.name })}>
      <Group wrap="nowrap">
        <Avatar kind="workspace" name={workspace.name} url={workspace.avatar?.url} size={48} />
        <Stack gap={0} miw={0}>
          <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
            {t('invitation.by', { name: invitedBy })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('invitation.until', { when: formatMoment(expiresAt) })}
          </Text>
        </Stack>
      </Group>
      <Stack gap={0}>
        <Text size="sm">{t('invitation.role', { role: t(`common:role.${role}`) })}</Text>
        <Text size="sm" c="dimmed" style={{ textWrap: 'pretty' }}>
          {t(`invitation.can.${role}`)}
        </Text>
      </Stack>
      <Refusal error={task.error} />
      {!user ? (
        <Stack gap="xs">
          <Text size="sm">{t('invitation.who')}</Text>
          <CardButton to="/Login" query={{ next: here }}>
            {t('login.submit')}
          </CardButton>
          <CardButton to="/Register" query={{ next: here, invitation: code }} isSecond>
            {t('register.submit')}
          </CardButton>
        </Stack>
      ) : isMember ? (
        <Button onClick={() => void enter(workspace.uuid)}>{t('invitation.open')}</Button>
      ) : isForAnother ? (
        <>
          <Alert color="yellow" style={{ overflowWrap: 'anywhere' }}>
            {t('invitation.another', { email, own: user.email })}
          </Alert>
          <Button onClick={leave} loading={task.isBusy}>
            {t('invitation.signOut')}
          </Button>
        </>
      ) : (
        <>
          <Button onClick={() => void join()} loading={task.isBusy}>
            {t('invitation.join')}
          </Button>
          <Text size="sm" c="dimmed" ta="center" style={{ overflowWrap: 'anywhere' }}>
            {t('invitation.you', { name: user.username })}
            {gap()}
            <Anchor component="button" type="button" inherit underline="always" onClick={leave}>
              {t('invitation.signOut')}
            </Anchor>
          </Text>
        </>
      )}
    </Card>
  );
}
