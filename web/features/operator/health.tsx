import {
  Alert,
  Badge,
  Button,
  Code,
  Group,
  Paper,
  Progress,
  SimpleGrid,
  Skeleton,
  Stack,
  Table,
  Text,
  Title,
  UnstyledButton,
} from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconClipboardText, IconCloudOff } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { operator } from '../../../shared/contracts/operator.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { formatAgo, formatBytes, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { useHealth } from './operator.queries.ts';

type Health = ReplyOf<typeof operator.health>['data'];
type Reported = Health['recentErrors'][number];

export function HealthPanel() {
  const { t } = useTranslation('operator');
  const health = useHealth();
  if (health.isPending)
    return (
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        {Array.from({ length: 6 }, (_, at) => (
          <Skeleton key={at} height={150} />
        ))}
      </SimpleGrid>
    );
  if (!health.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={health.error.message}
        retry={t('common:retry')}
        onRetry={() => void health.refetch()}
      />
    );
  return (
    <Stack gap="lg">
      {health.isError && (
        <Alert color="yellow" icon={<IconCloudOff />}>
          {t('health.stale', {
            when: formatMoment(new Date(health.dataUpdatedAt).toISOString()),
            why: health.error.message,
          })}
        </Alert>
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('health.refreshes')}
        </Text>
        <CopyReport health={health.data} />
      </Group>
      <Figures health={health.data} />
      <RecentErrors errors={health.data.recentErrors} />
    </Stack>
  );
}

function Figures({ health }: { health: Health }) {
  const { t } = useTranslation('operator');
  const { database, queue, mail, counts } = health;
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
      <Tile title={t('health.server')}>
        <Line label={t('health.version')} value={health.version} />
        <Line label="Node.js" value={health.node} />
        <Line label={t('health.running')} value={formatAgo(health.startedAt)} hint={formatMoment(health.startedAt)} />
        <Line label={t('health.memory')} value={formatBytes(health.memoryBytes)} />
      </Tile>
      <Tile title={t('health.database')}>
        <Line
          label={t('health.engine')}
          value={`${database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${database.version}`}
        />
        <Line label={t('health.size')} value={formatBytes(database.bytes)} />
        <Line label={t('health.ping')} value={t('health.ms', { ms: formatNumber(database.pingMs) })} />
      </Tile>
      <Tile title={t('health.queue')}>
        <Line label={t('health.queued')} value={formatNumber(queue.queued)} />
        <Line label={t('health.runningJobs')} value={formatNumber(queue.running)} />
        <Line label={t('health.dead')} value={formatNumber(queue.dead)} isBad={queue.dead > 0} />
        <Line
          label={t('health.oldest')}
          value={queue.oldestQueuedAt ? formatAgo(queue.oldestQueuedAt) : t('health.none')}
          hint={queue.oldestQueuedAt ? formatMoment(queue.oldestQueuedAt) : undefined}
        />
      </Tile>
      <Storage storage={health.storage} />
      <Tile title={t('health.mail')}>
        <Line label={t('health.mode')} value={t(`mail.mode.${mail.mode}`)} />
        <Line label={t('health.waiting')} value={formatNumber(mail.waiting)} />
        <Line label={t('health.failed')} value={formatNumber(mail.failed)} isBad={mail.failed > 0} />
      </Tile>
      <Tile title={t('health.counts')}>
        {(['users', 'workspaces', 'bots', 'documents', 'sessions'] as const).map((key) => (
          <Line key={key} label={t(`health.${key}`)} value={formatNumber(counts[key])} />
        ))}
      </Tile>
    </SimpleGrid>
  );
}

// With ten times the limit there is no need to think of it.
const plenty = 10;
const soon = 4;

function Storage({ storage }: { storage: Health['storage'] }) {
  const { t } = useTranslation('operator');
  const { files, bytes, freeBytes, lowBytes } = storage;
  const isKnown = freeBytes < Number.MAX_SAFE_INTEGER;
  const state = freeBytes <= lowBytes ? 'full' : freeBytes <= lowBytes * soon ? 'low' : 'enough';
  const color = { full: 'red', low: 'yellow', enough: 'green.5' }[state];
  const label = t('health.freeOf', { free: formatBytes(freeBytes) });
  return (
    <Tile title={t('health.storage')}>
      <Line label={t('health.files')} value={formatNumber(files)} />
      <Line label={t('health.filesSize')} value={formatBytes(bytes)} />
      {isKnown ? (
        <>
          <Line label={t('health.free')} value={formatBytes(freeBytes)} isBad={state === 'full'} />
          <Progress
            value={lowBytes > 0 ? Math.min(100, (freeBytes / (lowBytes * plenty)) * 100) : 100}
            color={color}
            aria-label={label}
            mt={4}
          />
          <Text size="xs" c={state === 'full' ? 'red' : 'dimmed'}>
            {t(`health.storageState.${state}`, { low: formatBytes(lowBytes) })}
          </Text>
        </>
      ) : (
        <Line label={t('health.free')} value={t('health.unknown')} />
      )}
    </Tile>
  );
}

function Tile({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      <Stack gap={6}>{children}</Stack>
    </Paper>
  );
}

function Line({
  label,
  value,
  hint,
  isBad = false,
}: {
  label: string;
  value: string;
  hint?: string | undefined;
  isBad?: boolean;
}) {
  return (
    <Group justify="space-between" gap="xs" wrap="nowrap" align="baseline">
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text
        size="sm"
        fw={550}
        ta="right"
        title={hint}
        {...(isBad && { c: 'red' })}
        style={{ overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' }}
      >
        {value}
      </Text>
    </Group>
  );
}

function RecentErrors({ errors }: { errors: Reported[] }) {
  const { t } = useTranslation('operator');
  const [shown, setShown] = useState<Reported>();
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t('health.recentErrors')}
      </Title>
      {errors.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('health.noErrors')}
        </Text>
      ) : (
        <Table verticalSpacing="xs" highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              <Table.Th w={130}>{t('health.when')}</Table.Th>
              <Table.Th>{t('health.what')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {errors.map((error, at) => (
              <Table.Tr key={`${error.at}-${at}`}>
                <Table.Td title={formatMoment(error.at)} style={{ verticalAlign: 'top' }}>
                  <Text size="sm">{formatAgo(error.at)}</Text>
                  <Level level={error.level} />
                </Table.Td>
                <Table.Td style={{ verticalAlign: 'top' }}>
                  <UnstyledButton onClick={() => setShown(error)} w="100%">
                    <Text size="sm" lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                      {error.message}
                    </Text>
                  </UnstyledButton>
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Modal opened={shown !== undefined} onClose={() => setShown(undefined)} title={t('health.details')} size="xl">
        {shown && (
          <Stack gap="sm">
            <Group gap="xs">
              <Level level={shown.level} />
              <Text size="sm" c="dimmed">
                {formatMoment(shown.at)}
              </Text>
            </Group>
            <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {shown.message}
            </Text>
            {shown.detail && (
              <Code block tabIndex={0} role="region" aria-label={t('health.details')} style={{ overflowX: 'auto' }}>
                {shown.detail}
              </Code>
            )}
          </Stack>
        )}
      </Modal>
    </section>
  );
}

function Level({ level }: { level: Reported['level'] }) {
  const { t } = useTranslation('operator');
  return (
    <Badge size="sm" variant="light" color={level === 'error' ? 'red' : 'yellow'}>
      {t(`health.level.${level}`)}
    </Badge>
  );
}

function CopyReport({ health }: { health: Health }) {
  const { t } = useTranslation('operator');
  const { copied, copy } = useClipboard({ timeout: 2000 });
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={copied ? <IconCheck size={15} /> : <IconClipboardText size={15} />}
      onClick={() => copy(reportOf(health))}
      aria-live="polite"
    >
      {copied ? t('common:copied') : t('health.copyReport')}
    </Button>
  );
}

/** For those who mend Kotae, in the names of the API. Without the details of errors: they may tell more than a stranger should know. */
function reportOf({ recentErrors, ...figures }: Health): string {
  const errors = recentErrors.map(({ at, level, message }) => ({ at, level, message }));
  return JSON.stringify({ ...figures, recentErrors: errors }, null, 2);
}
