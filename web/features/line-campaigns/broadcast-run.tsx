import { Button, Progress } from '@mantine/core';
import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import {
  mendableReasons,
  type Broadcast,
  type BroadcastPreview,
  type BroadcastResult,
} from '../../../shared/contracts/line-campaigns.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatDay, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { Section } from '../../ui/page.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { AudienceWords } from './audience-words.tsx';
import { BroadcastRecipients } from './broadcast-recipients.tsx';
import { BroadcastPage } from './broadcast-page.tsx';
import { sentOf, shareOf } from './broadcast-state.tsx';
import type { ContentParts } from './content-parts.ts';
import classes from './line-campaigns.module.css';
import { usePreview, useResult, useSteerBroadcast } from './line-campaigns.queries.ts';
import { aheadOf, dueOf, formatShort } from './when.ts';

interface Props {
  channel: { uuid: string; name: string; active: boolean };
  broadcast: Broadcast;
  parts: ContentParts;
}

/** A broadcast that waits for its moment, is on its way, or is over. */
export function BroadcastRun({ channel, broadcast, parts: { Preview } }: Props) {
  const { t } = useTranslation('line-campaigns');
  const { state, reason, detail, recipients, sent, failed, skipped, taps, startedAt, endedAt } = broadcast;
  const isEveryone = broadcast.audience.kind === 'everyone';
  const mayChange = useMay('edit');
  const mayConverse = useMay('converse');
  const steer = useSteerBroadcast(broadcast.uuid);
  const [isCancelling, setIsCancelling] = useState(false);
  const result = useResult(broadcast);
  const go = (to: 'cancel' | 'resume') =>
    steer.mutate(to, {
      onSuccess: (now) => {
        setIsCancelling(false);
        if (now.state === 'draft') toast.success(t('run.undone'));
      },
      onError: (error) => toast.error(errorText(error)),
    });
  const mayResume = state === 'stopped' || (state === 'failed' && reason !== null && mendableReasons.includes(reason));
  const isToGo = state === 'scheduled' || state === 'sending';
  const why = isToGo && !channel.active ? 'off' : reason;
  const actions = mayChange && (
    <>
      {state === 'scheduled' && (
        <Button variant="default" loading={steer.isPending} onClick={() => go('cancel')}>
          {t('run.undo')}
        </Button>
      )}
      {state === 'sending' && (!isEveryone || reason === 'off') && (
        <Button variant="default" onClick={() => setIsCancelling(true)}>
          {t('run.cancel')}
        </Button>
      )}
      {mayResume && (
        <Button loading={steer.isPending} onClick={() => go('resume')}>
          {t('run.resume')}
        </Button>
      )}
    </>
  );
  const share = Math.round(shareOf(broadcast) * 100);
  const facts = (
    <dl className={classes['facts']}>
      <dt>{t(startedAt === null ? 'audience.label' : 'audience.sentTo')}</dt>
      <dd>
        <AudienceWords broadcast={broadcast} />
      </dd>
      {startedAt !== null && (
        <>
          <dt>{t(endedAt === null ? 'run.began' : 'editor.time')}</dt>
          <dd>{spanOf(startedAt, endedAt)}</dd>
        </>
      )}
      {state === 'scheduled' && mayChange && (
        <>
          <dt>{t('run.change')}</dt>
          <dd>{t('run.undoHint')}</dd>
        </>
      )}
    </dl>
  );
  return (
    <BroadcastPage channel={channel} broadcast={broadcast} actions={actions}>
      <div className={classes['run']}>
        <div>
          {state === 'scheduled' && reason !== 'off' && <Countdown broadcast={broadcast} />}
          {state === 'sending' && isEveryone && reason !== 'off' && (
            <p className={classes['text']} role="status">
              {t('everyone.going')}
            </p>
          )}
          {state === 'sending' && !isEveryone && (
            <div className={classes['running']} role="status">
              <p>
                {recipients === null
                  ? t('run.choosing')
                  : t('run.progress', {
                      done: formatNumber(sent + failed + skipped),
                      total: formatNumber(recipients),
                    })}
              </p>
              <Progress value={share} aria-label={broadcast.name} />
            </div>
          )}
          {why !== null && (
            <p className={classes['reason']} data-failed={state === 'failed' || undefined}>
              {t(why === 'quota' && isEveryone ? 'everyone.tooMany' : `reason.${why}`, { detail })}
            </p>
          )}
          {startedAt === null ? (
            <Ahead broadcast={broadcast} />
          ) : (
            <Figures broadcast={broadcast} result={result.data} />
          )}
        </div>
        <aside className={classes['aside']} aria-label={t('editor.preview')}>
          <Preview name={channel.name} value={broadcast.content} empty={t('editor.previewEmpty')} />
          {startedAt !== null && facts}
        </aside>
        <div>
          {startedAt === null && facts}
          {result.data && <Result result={result.data} isCounted={taps !== 'off'} />}
          {mayConverse && startedAt !== null && (isEveryone || recipients !== null) && (
            <BroadcastRecipients broadcast={broadcast} />
          )}
        </div>
      </div>
      <ConfirmDialog
        opened={isCancelling}
        title={t('run.cancelTitle')}
        text={t('run.cancelText')}
        confirm={t('run.cancelConfirm')}
        cancel={t('run.keep')}
        loading={steer.isPending}
        onConfirm={() => go('cancel')}
        onClose={() => setIsCancelling(false)}
      />
    </BroadcastPage>
  );
}

/** When it began and ended; once, where that was within a minute. */
const spanOf = (...moments: (string | null)[]) =>
  [...new Set(moments.flatMap((moment) => (moment === null ? [] : [formatShort(moment)])))].join(' – ');

const minuteMs = 60_000;
const dayMs = 86_400_000;

function Countdown({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation('line-campaigns');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const leftMs = Date.parse(broadcast.dueAt ?? '') - now;
  const seconds = Math.ceil(leftMs / 1000);
  return (
    leftMs <= minuteMs && (
      <p className={classes['due']} role="status">
        {seconds > 0 ? t('run.soon', { count: seconds }) : t('run.begins')}
      </p>
    )
  );
}

interface TileProps {
  name: string;
  value: number | string | null | undefined;
  /** What the figure is of. */
  hint?: string | undefined;
  /** Where more of it is. */
  link?: ReactNode;
}

/** A figure, or why there is none. */
function Tile({ name, value, hint, link }: TileProps) {
  return (
    <div>
      <dt>{name}</dt>
      <dd data-none={value == null || undefined}>
        {typeof value === 'number' ? formatNumber(value) : (value ?? '–')}
        {link}
      </dd>
      {hint && <dd data-hint>{hint}</dd>}
    </div>
  );
}

/** What is known of one that has not begun: when, to how many, and what that takes. */
function Ahead({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation('line-campaigns');
  const { data } = usePreview(broadcast, useMay('edit'));
  const count = data?.recipients ?? null;
  return (
    <dl className={classes['tiles']}>
      {broadcast.dueAt !== null && (
        <Tile name={t('run.due')} value={aheadOf(broadcast.dueAt)} hint={dueOf(broadcast)} />
      )}
      {data && (
        <>
          <Tile name={t('run.recipients')} value={count} hint={t(count === null ? 'everyone.unknown' : 'run.fixed')} />
          <Tile
            name={t('run.takes')}
            value={count === null ? null : t('run.messages', { shown: formatNumber(count) })}
            hint={data.quota ? t('quota.used', ofQuota(data.quota, t('quota.noLimit'))) : t('quota.none')}
          />
        </>
      )}
    </dl>
  );
}

const ofQuota = ({ used, limit }: NonNullable<BroadcastPreview['quota']>, endless: string) => ({
  used: formatNumber(used),
  limit: limit === null ? endless : formatNumber(limit),
});

/** Of fewer, LINE tells nothing: https://developers.line.biz/en/reference/messaging-api/#get-message-event */
const fewestCounted = 20;

/** Whom it reached and what they did; what nobody knows is no figure, and a line under them says why. */
function Figures({ broadcast, result }: { broadcast: Broadcast; result: BroadcastResult | undefined }) {
  const { t } = useTranslation('line-campaigns');
  const mayConverse = useMay('converse');
  const { recipients, failed, skipped, taps, tapped, audience, state, channel } = broadcast;
  const sent = sentOf(broadcast);
  const insight = result?.insight;
  const unknown =
    insight &&
    t(
      insight.state === 'unavailable'
        ? 'result.unavailable'
        : sent !== null && sent < fewestCounted
          ? 'result.few'
          : 'result.later',
    );
  const isLate = audience.kind === 'everyone' && state === 'done' && insight?.state === 'unready';
  const reached = [
    ...(recipients === null ? [] : [t('run.of', { count: recipients, shown: formatNumber(recipients) })]),
    ...(failed > 0 ? [t('run.failed', { shown: formatNumber(failed) })] : []),
    ...(skipped > 0 ? [t('run.skipped', { shown: formatNumber(skipped) })] : []),
  ];
  const byLine = insight?.clicked == null ? undefined : t('result.people', { shown: formatNumber(insight.clicked) });
  const hasNoLinks = result?.links.length === 0;
  const shareOfSent = (part: number) => (sent ? formatShare(part / sent) : undefined);
  const opened = insight?.opened;
  const clicks = taps === 'off' ? insight?.clicked : hasNoLinks ? null : tapped;
  const replies = result?.replies;
  const why = [
    ...(opened == null && unknown ? [t('result.unopened', { why: unknown })] : []),
    ...(clicks == null ? [t(hasNoLinks && taps !== 'off' ? 'result.none' : 'run.uncounted')] : []),
  ];
  return (
    <>
      <dl className={classes['tiles']}>
        <Tile name={t('run.sent')} value={sent} hint={isLate ? t('everyone.later') : reached.join(t('common:dot'))} />
        {opened != null && (
          <Tile name={t('result.opened')} value={opened} hint={t('result.share', { share: shareOfSent(opened) })} />
        )}
        {clicks != null && <Tile name={t('run.tapped')} value={clicks} hint={byLine ?? t('run.counted')} />}
        <Tile
          name={t('result.replies')}
          value={replies}
          hint={replies ? t('result.replied', { share: shareOfSent(replies) }) : t('result.replyTime')}
          link={
            mayConverse && (
              <Link
                to="/Friend"
                search={{ channel }}
                aria-label={t('result.seeReplies')}
                title={t('result.seeReplies')}
              >
                <IconChevronRight size={16} aria-hidden />
              </Link>
            )
          }
        />
      </dl>
      {/* Its place is kept while nobody knows. */}
      {(!result || why.length > 0) && (
        <p className={classes['why']}>{result && why.map((each) => <span key={each}>{each}</span>)}</p>
      )}
    </>
  );
}

function Result({ result: { links }, isCounted }: { result: BroadcastResult; isCounted: boolean }) {
  const { t } = useTranslation('line-campaigns');
  const tapped = links.flatMap((link) => link.days.map(({ date }) => Date.parse(date)));
  const [from, to] = [Math.min(...tapped), Math.max(...tapped)];
  // Days without any are drawn, too.
  const days = Array.from({ length: tapped.length > 0 ? (to - from) / dayMs + 1 : 0 }, (_, at) =>
    new Date(from + at * dayMs).toISOString().slice(0, 10),
  );
  const tapsOf = (day: string) =>
    links.reduce((sum, link) => sum + (link.days.find(({ date }) => date === day)?.taps ?? 0), 0);
  return (
    <>
      {isCounted && links.length > 0 && (
        <Section title={t('result.links')}>
          <table className={`${table['list']} ${classes['links']}`}>
            <thead>
              <tr>
                <th>{t('result.link')}</th>
                <th data-number style={{ width: 72 }}>
                  {t('result.taps')}
                </th>
                {links.some(({ people }) => people !== null) && (
                  <th data-number style={{ width: 72 }}>
                    {t('result.persons')}
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {links.map(({ uuid, target, taps, people }) => (
                <tr key={uuid}>
                  <td>
                    <span className={classes['target']} title={target}>
                      {target.replace(/^https:\/\//, '')}
                    </span>
                  </td>
                  <td data-number>{formatNumber(taps)}</td>
                  {people !== null && <td data-number>{formatNumber(people)}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      {days.length > 1 && (
        <Section title={t('result.days')}>
          <DayChart
            label={t('result.days')}
            span={[days.at(0), days.at(-1)].map((day) => formatDay(day ?? '')).join(' – ')}
            series={[{ name: t('result.taps') }]}
            days={days.map((day) => ({ label: formatDay(day), values: [tapsOf(day)] }))}
            empty={t('result.none')}
            format={formatNumber}
          />
        </Section>
      )}
    </>
  );
}
