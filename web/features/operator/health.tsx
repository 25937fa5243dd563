import { Alert, Button, Code, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconClipboardText, IconCloudOff } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { operator } from '../../../shared/contracts/operator.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import { errorText } from '../../lib/error-text.ts';
import {
  formatAgo,
  formatBytes,
  formatMoment,
  formatNumber,
  formatShare,
  formatTimeOfDay,
  formatWait,
} from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { DayChart } from '../../ui/day-chart.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import classes from './health.module.css';
import { useHealth } from './operator.queries.ts';

type Health = ReplyOf<typeof operator.health>['data'];
type Reported = Health['recentErrors'][number];

export function HealthPanel() {
  const { t } = useTranslation('operator');
  const health = useHealth();
  if (health.isPending)
    return (
      <div className={classes['parts']}>
        {Array.from({ length: 6 }, (_, at) => (
          <Stack key={at} gap={10}>
            <Skeleton height={14} width={120} />
            <Skeleton height={120} />
          </Stack>
        ))}
      </div>
    );
  if (!health.data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(health.error)}
        retry={t('common:retry')}
        onRetry={() => void health.refetch()}
      />
    );
  return (
    <Stack gap={32} className={classes['panel'] ?? ''}>
      {health.isError && (
        <Alert color="yellow" icon={<IconCloudOff />}>
          {t('health.stale', {
            when: formatMoment(new Date(health.dataUpdatedAt).toISOString()),
            why: errorText(health.error),
          })}
        </Alert>
      )}
      <Causes health={health.data} at={health.dataUpdatedAt} />
      {health.data.answers.count > 0 && <Answers answers={health.data.answers} />}
      <Figures health={health.data} />
      <RecentErrors errors={health.data.recentErrors} />
      <div>
        <CopyReport health={health.data} />
      </div>
    </Stack>
  );
}

// Work waits for a worker of its lane, but not for long.
const slowMs = 10 * 60_000;
const soon = 4;

interface Cause {
  kind: StateKind;
  title: string;
  text: string;
  action?: ReactNode;
}

/** What is not as it should be, and what to do about it. */
function useCauses({ storage, queue, mail, ledger }: Health, at: number): Cause[] {
  const { t } = useTranslation('operator');
  const { freeBytes, lowBytes } = storage;
  const sizes = { free: formatBytes(freeBytes), low: formatBytes(lowBytes) };
  const toMails = (
    <Button component={Link} to="/Operator?tab=mail" variant="default" size="xs">
      {t('health.toMails')}
    </Button>
  );
  const causes: (Cause | false)[] = [
    freeBytes <= lowBytes
      ? { kind: 'failed', title: t('health.diskFull'), text: t('health.diskFullDo', sizes) }
      : freeBytes <= lowBytes * soon && {
          kind: 'warning',
          title: t('health.diskLow'),
          text: t('health.diskLowDo', sizes),
        },
    queue.dead > 0 && { kind: 'failed', title: t('health.dead', { count: queue.dead }), text: t('health.deadDo') },
    ledger !== null &&
      ledger.faults > 0 && {
        kind: 'failed',
        title: t('health.ledgerWrong', { count: ledger.faults }),
        text: t('health.ledgerWrongDo'),
      },
    queue.oldestQueuedAt !== null &&
      Date.parse(queue.oldestQueuedAt) < at - slowMs && {
        kind: 'warning',
        title: t('health.slow'),
        text: t('health.slowDo', { when: formatMoment(queue.oldestQueuedAt) }),
      },
    mail.failed > 0 && {
      kind: 'failed',
      title: t('health.mailFailed', { count: mail.failed }),
      text: t('health.mailFailedDo'),
      action: toMails,
    },
    mail.mode === 'kept' && { kind: 'warning', title: t('health.noMail'), text: t('health.noMailDo'), action: toMails },
  ];
  return causes.filter((cause) => cause !== false);
}

function Causes({ health, at }: { health: Health; at: number }) {
  const { t } = useTranslation('operator');
  const causes = useCauses(health, at);
  return (
    <Section
      title={t('health.lately')}
      count={causes.length > 0 ? causes.length : undefined}
      end={
        <Text size="xs" c="dimmed" visibleFrom="sm">
          {t('health.refreshes')}
        </Text>
      }
    >
      {causes.length === 0 && (
        <div className={rowClass}>
          <State kind="live">{t('health.fine')}</State>
        </div>
      )}
      {causes.map(({ kind, title, text, action }) => (
        <div key={title} className={rowClass}>
          <div className={classes['cause']}>
            <State kind={kind}>
              <b>{title}</b>
            </State>
            <span>{text}</span>
          </div>
          {action}
        </div>
      ))}
    </Section>
  );
}

/** What visitors notice: how many were answered, how soon, and how many were not. */
function Answers({ answers: { count, failed, firstWordMs, slots } }: { answers: Health['answers'] }) {
  const { t } = useTranslation('operator');
  // Of so few a share says nothing.
  const isFew = count < 20;
  const figures = [
    { label: t('health.answers'), value: formatNumber(count) },
    {
      label: t('health.failedAnswers'),
      value: isFew ? formatNumber(failed) : formatShare(failed / count),
      isBad: failed > 0,
    },
    ...(firstWordMs
      ? [
          { label: t('health.firstWord'), value: formatWait(firstWordMs.median, firstWordMs.slow) },
          {
            label: t(isFew ? 'health.firstWordSlowest' : 'health.firstWordSlow'),
            value: formatWait(firstWordMs.slow, firstWordMs.slow),
          },
        ]
      : []),
  ];
  return (
    <Section title={t('health.lastHour')}>
      <div className={classes['figures']}>
        {figures.map(({ label, value, isBad }) => (
          <div key={label}>
            <span>{label}</span>
            <b data-bad={isBad || undefined}>{value}</b>
          </div>
        ))}
      </div>
      <DayChart
        label={t('health.lastHour')}
        span={t('health.between', {
          from: formatTimeOfDay(slots[0]?.at ?? ''),
          until: t('health.now'),
        })}
        series={[{ name: t('health.answered') }, { name: t('health.failedAnswers'), other: true }]}
        days={slots.map((slot) => ({
          label: formatTimeOfDay(slot.at),
          values: [slot.count - slot.failed, slot.failed],
        }))}
        empty=""
        format={formatNumber}
      />
    </Section>
  );
}

function Figures({ health }: { health: Health }) {
  const { t } = useTranslation('operator');
  const { database, queue, storage, mail, counts } = health;
  return (
    <div className={classes['parts']}>
      <Section title={t('health.server')}>
        <Line label={t('health.version')} value={health.version} />
        <Line label="Node.js" value={health.node} />
        <Line label={t('health.running')} value={formatAgo(health.startedAt)} hint={formatMoment(health.startedAt)} />
        <Line label={t('health.memory')} value={formatBytes(health.memoryBytes)} />
      </Section>
      <Section title={t('health.database')}>
        <Line
          label={t('health.engine')}
          value={`${database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'} ${database.version}`}
        />
        <Line label={t('health.size')} value={formatBytes(database.bytes)} />
        <Line label={t('health.ping')} value={formatWait(database.pingMs)} />
      </Section>
      <Section title={t('health.queue')}>
        <Line label={t('health.queued')} value={formatNumber(queue.queued)} />
        <Line label={t('health.runningJobs')} value={formatNumber(queue.running)} />
        <Line label={t('health.deadJobs')} value={formatNumber(queue.dead)} isBad={queue.dead > 0} />
        <Line
          label={t('health.oldest')}
          value={
            queue.oldestQueuedAt
              ? formatAgo(queue.oldestQueuedAt)
              : t(queue.queued > 0 ? 'health.later' : 'health.none')
          }
          hint={queue.oldestQueuedAt ? formatMoment(queue.oldestQueuedAt) : undefined}
        />
      </Section>
      <Section title={t('health.storage')}>
        <Line label={t('health.files')} value={formatNumber(storage.files)} />
        <Line label={t('health.filesSize')} value={formatBytes(storage.bytes)} />
        <Line
          label={t('health.free')}
          value={storage.freeBytes < Number.MAX_SAFE_INTEGER ? formatBytes(storage.freeBytes) : t('health.unknown')}
          isBad={storage.freeBytes <= storage.lowBytes}
        />
        {storage.lowBytes > 0 && <Line label={t('health.keptBack')} value={formatBytes(storage.lowBytes)} />}
      </Section>
      <Section title={t('health.mail')}>
        <Line label={t('health.mode')} value={t(`mail.mode.${mail.mode}`)} />
        <Line label={t('health.waiting')} value={formatNumber(mail.waiting)} />
        <Line label={t('health.failed')} value={formatNumber(mail.failed)} isBad={mail.failed > 0} />
      </Section>
      <Section title={t('health.counts')}>
        {(['users', 'workspaces', 'bots', 'documents', 'sessions'] as const).map((key) => (
          <Line key={key} label={t(`health.${key}`)} value={formatNumber(counts[key])} />
        ))}
        <Line
          label={t('health.ledger')}
          value={health.ledger ? t('health.ledgerChecked', { count: health.ledger.accounts }) : t('health.ledgerNever')}
          hint={health.ledger ? formatMoment(health.ledger.at) : undefined}
          isBad={(health.ledger?.faults ?? 0) > 0}
        />
      </Section>
    </div>
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
    <div className={classes['line']}>
      <span>{label}</span>
      <b title={hint} data-bad={isBad || undefined}>
        {value}
      </b>
    </div>
  );
}

/** Lines of the log, for who wants to know more. */
function RecentErrors({ errors }: { errors: Reported[] }) {
  const { t } = useTranslation('operator');
  const [shown, setShown] = useState<Reported>();
  if (errors.length === 0) return null;
  return (
    <details className={classes['details']}>
      <summary>{t('health.errors', { count: errors.length })}</summary>
      {errors.map((error, at) => (
        <UnstyledButton key={`${error.at}-${at}`} className={rowClass} w="100%" onClick={() => setShown(error)}>
          <Level level={error.level} />
          <Text size="sm" truncate flex={1}>
            {error.message}
          </Text>
          <Text size="xs" c="dimmed" title={formatMoment(error.at)}>
            {formatAgo(error.at)}
          </Text>
        </UnstyledButton>
      ))}
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
    </details>
  );
}

function Level({ level }: { level: Reported['level'] }) {
  const { t } = useTranslation('operator');
  return <State kind={level === 'error' ? 'failed' : 'warning'}>{t(`health.level.${level}`)}</State>;
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
