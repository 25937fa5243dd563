import { Anchor, Button, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { errorText, problemOf } from '../../lib/error-text.ts';
import { formatBytes, formatMoment, formatWait } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { State } from '../../ui/page.tsx';
import { toast } from '../../ui/toast.tsx';
import { reasonOf, typeOf } from './events.tsx';
import classes from './line-channels.module.css';
import { useLineEvent, useLineRequest, useReplayEvent } from './line-channels.queries.ts';
import { Headers, Verdict } from './refused.tsx';
import { eventKinds } from './state.ts';
import { formatTook } from './took.ts';

/** One event: what LINE sent, what became of it, and a second try where that was nothing. */
export function EventDetail({ channel, event: uuid }: { channel: string; event: string }) {
  const { t, has } = useTranslation('line-channels', 'errors');
  const { data: event, error } = useLineEvent(uuid);
  const replay = useReplayEvent(channel);
  const [isWhole, setIsWhole] = useState(false);
  if (error && !event)
    return (
      <Text size="sm" role="alert">
        {errorText(error)}
      </Text>
    );
  if (!event) return <Skeleton height={160} />;
  const { state, guest, at, createdAt, ms, attempts, way, thread, raw, request, redelivered } = event;
  const reason = reasonOf(event, { t, has });
  const facts: [string, string][] = [
    ...(guest ? [[t('events.who'), guest.name] as [string, string]] : []),
    [t('event.at'), formatMoment(at)],
    [t('event.arrived'), formatMoment(createdAt)],
    [t('event.took'), ms === null || way === null ? t('events.none') : formatTook(ms)],
    [t('event.attempts'), String(attempts)],
    [t('event.way'), way ? t(`way.${way}`) : t('events.none')],
  ];
  return (
    <Stack gap="md">
      <div>
        <Text fw={600}>{typeOf(event, { t, has })}</Text>
        <State kind={eventKinds[state]}>{t(`eventState.${state}`)}</State>
        {reason && (
          <Text size="sm" mt={4}>
            {reason}
          </Text>
        )}
        {redelivered && (
          <Text size="sm" c="dimmed" mt={4}>
            {t('events.redelivered')}
          </Text>
        )}
      </div>
      <dl className={classes['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {thread && (
        <Anchor size="sm" renderRoot={(props) => <Link {...props} to="/Friend" search={{ thread }} />}>
          {t('event.thread')}
        </Anchor>
      )}
      {(state === 'ignored' || state === 'failed') && (
        <div>
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} />}
            loading={replay.isPending}
            onClick={() =>
              replay.mutate(uuid, {
                onSuccess: () => toast.success(t('event.replayed')),
                onError: (failure) => toast.error(errorText(failure)),
              })
            }
          >
            {t('event.replay')}
          </Button>
          <p className={classes['hint']}>{t('event.replayHint')}</p>
        </div>
      )}
      <Json label={t('event.raw')} text={raw} />
      <section>
        <Text size="sm" fw={500}>
          {t('event.request')}
        </Text>
        <Request uuid={request} isWhole={isWhole} onWhole={() => setIsWhole(true)} />
      </section>
    </Stack>
  );
}

function Request({ uuid, isWhole, onWhole }: { uuid: string; isWhole: boolean; onWhole(): void }) {
  const { t } = useTranslation('line-channels');
  const { data, error } = useLineRequest(uuid);
  if (!data) return <p className={classes['hint']}>{problemOf(error) ?? t('common:loading')}</p>;
  return (
    <>
      <p className={classes['hint']}>
        {t('event.requestFacts', { count: data.events, bytes: formatBytes(data.bytes), wait: formatWait(data.ms) })}
      </p>
      <Verdict request={data} />
      <Headers request={data} />
      {isWhole ? (
        <Json label={t('event.request')} text={data.body} />
      ) : (
        <Button variant="subtle" size="xs" onClick={onWhole}>
          {t('event.showRequest')}
        </Button>
      )}
    </>
  );
}

function Json({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation('common');
  return (
    <div>
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" fw={500}>
          {label}
        </Text>
        <CopyButton value={text} label={t('copy')} copiedLabel={t('copied')} />
      </Group>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={label}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 320, overflowY: 'auto' }}
      >
        {spaced(text)}
      </Code>
    </div>
  );
}

/** What was taken back may be no longer JSON. */
function spaced(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
