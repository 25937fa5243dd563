import { Button, Group, Skeleton, Text } from '@mantine/core';
import { useAllowHost } from '../../lib/allow-address.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatMoment } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { rowClass, Section } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import { useForbidHost, useHosts } from './operator.queries.ts';

/** Private addresses that may be called, and the way to take one back. */
export function HostsPanel() {
  const { t } = useTranslation('operator');
  const hosts = useHosts();
  const allow = useAllowHost();
  const forbid = useForbidHost();
  if (hosts.isPending) return <Skeleton height={160} maw={640} />;
  if (!hosts.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(hosts.error)}
        retry={t('common:retry')}
        onRetry={() => void hosts.refetch()}
      />
    );

  const { allowed, environment } = hosts.data;
  const tell = { onError: (error: object) => toast.error(errorText(error)) };
  return (
    <Section title={t('tabs.hosts')}>
      <Text size="sm" c="dimmed" py="sm">
        {t('hosts.text')}
      </Text>
      {allowed.length + environment.length === 0 && <Text size="sm">{t('hosts.none')}</Text>}
      <ul style={{ listStyle: 'none', padding: 0, margin: 0 }}>
        {allowed.map(({ uuid, host, createdAt }) => (
          <li key={uuid} className={rowClass}>
            <Group flex={1} miw={0} gap="xs" justify="space-between">
              <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
                <code>{host}</code>
                <Text size="xs" c="dimmed">
                  {t('hosts.since', { when: formatMoment(createdAt) })}
                </Text>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={t('hosts.forbidName', { host })}
                loading={forbid.isPending && forbid.variables === uuid}
                onClick={() =>
                  forbid.mutate(uuid, {
                    ...tell,
                    onSuccess: () =>
                      void toast.undo(t('hosts.forbidden', { host }), t('common:undo'), () =>
                        allow.mutate(`http://${host}`, tell),
                      ),
                  })
                }
              >
                {t('hosts.forbid')}
              </Button>
            </Group>
          </li>
        ))}
        {environment.map((host) => (
          <li key={host} className={rowClass}>
            <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
              <code>{host}</code>
              <Text size="xs" c="dimmed">
                {t('hosts.environment')}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
