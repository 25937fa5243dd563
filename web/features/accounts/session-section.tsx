import { Button, Group, Stack, Text } from '@mantine/core';
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react';
import { useState } from 'react';
import { security, type SessionInfo } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';
import { formatAgo, formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useTask } from '../../lib/use-task.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { State } from '../../ui/page.tsx';
import { Refusal } from './card.tsx';
import { useDeviceName } from './device-name.ts';
import { describeDevice, isHandheld } from './device.ts';
import { Section } from './section.tsx';
import { useRefreshSecurity } from './security.queries.ts';

export function SessionSection({ sessions }: { sessions: SessionInfo[] }) {
  const { t } = useTranslation('accounts-security');
  const [isAsking, setIsAsking] = useState(false);
  const refresh = useRefreshSecurity();
  const task = useTask();
  const others = sessions.filter(({ current }) => !current);
  const ordered = [
    ...sessions.filter(({ current }) => current),
    ...others.sort((a, b) => b.lastSeenAt.localeCompare(a.lastSeenAt)),
  ];

  const endOthers = () => {
    setIsAsking(false);
    void task.run(async () => {
      await call(security.endOtherSessions, { anywhere: true });
      toast.success(t('sessions.othersEnded'));
      await refresh();
    });
  };

  return (
    <Section title={t('sessions.title')} text={t('sessions.text')}>
      <Refusal error={task.error} />
      <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
        {ordered.map((session) => (
          <Row key={session.uuid} session={session} />
        ))}
      </Stack>
      {others.length > 0 && (
        <Group>
          <Button variant="light" color="red" loading={task.isBusy} onClick={() => setIsAsking(true)}>
            {t('sessions.endOthers')}
          </Button>
        </Group>
      )}
      <ConfirmDialog
        opened={isAsking}
        title={t('sessions.endOthersTitle')}
        text={t('sessions.endOthersText')}
        confirm={t('sessions.endOthers')}
        cancel={t('common:cancel')}
        onConfirm={endOthers}
        onClose={() => setIsAsking(false)}
      />
    </Section>
  );
}

function Row({ session }: { session: SessionInfo }) {
  const { t } = useTranslation('accounts-security');
  const nameOf = useDeviceName();
  const refresh = useRefreshSecurity();
  const task = useTask();
  const name = nameOf(session.userAgent);
  const Icon = isHandheld(describeDevice(session.userAgent)) ? IconDeviceMobile : IconDeviceDesktop;
  const end = () =>
    task.run(async () => {
      await call(security.endSession, { params: { uuid: session.uuid }, anywhere: true });
      await refresh();
    });
  return (
    <li>
      <Group wrap="nowrap" gap="sm" align="flex-start">
        <Icon size={22} stroke={1.6} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
        <Stack gap={2} miw={0} style={{ flex: 1 }}>
          <Group gap="xs">
            <Text size="sm" fw={600}>
              {name}
            </Text>
            {session.current && <State kind="live">{t('sessions.current')}</State>}
          </Group>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            <time dateTime={session.lastSeenAt} title={formatMoment(session.lastSeenAt)}>
              {t('sessions.seen', { ago: formatAgo(session.lastSeenAt) })}
            </time>
          </Text>
          <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {t('sessions.details', { address: session.address, method: t(`sessions.method.${session.method}`) })}
          </Text>
        </Stack>
        {!session.current && (
          <Button
            size="compact-sm"
            variant="default"
            loading={task.isBusy}
            onClick={() => void end()}
            aria-label={t('sessions.endOf', { name, address: session.address })}
            style={{ flex: 'none' }}
          >
            {t('sessions.end')}
          </Button>
        )}
      </Group>
      <Refusal error={task.error} />
    </li>
  );
}
