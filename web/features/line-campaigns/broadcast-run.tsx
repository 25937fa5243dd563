import { Button, Progress } from '@mantine/core';
import { useEffect, useState } from 'react';
import { mendableReasons, type Broadcast, type BroadcastResult } from '../../../shared/contracts/line-campaigns.ts';
import { formatDay, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DayChart } from '../../ui/day-chart.tsx';
import { Section } from '../../ui/page.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { AudienceLine } from './audience-line.tsx';
import { BroadcastPage } from './broadcast-page.tsx';
import { sentOf, shareOf } from './broadcast-state.tsx';
import type { ContentParts } from './content-parts.ts';
import classes from './line-campaigns.module.css';
import { useResult, useSteerBroadcast } from './line-campaigns.queries.ts';
import { dueOf } from './when.ts';

interface Props {
  channel: { uuid: string; name: string; active: boolean };
  broadcast: Broadcast;
  parts: ContentParts;
}

/** A broadcast that waits for its moment, is on its way, or is over. */
export function BroadcastRun({ channel, broadcast, parts: { Preview } }: Props) {
  const { t } = useTranslation('line-campaigns');
  const { state, reason, detail, recipients, sent, failed, skipped, tapped, taps, startedAt, endedAt } = broadcast;
  const isEveryone = broadcast.audience.kind === 'everyone';
  const mayChange = useMay('edit');
  const steer = useSteerBroadcast(broadcast.uuid);
  const [isCancelling, setIsCancelling] = useState(false);
  const result = useResult(broadcast);
  const go = (to: 'cancel' | 'resume') =>
    steer.mutate(to, {
      onSuccess: (now) => {
        setIsCancelling(false);
        if (now.state === 'draft') toast.success(t('run.undone'));
      },
      onError: (error) => toast.error(error.message),
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
  return (
    <BroadcastPage channel={channel} broadcast={broadcast} actions={actions}>
      <div className={classes['editor']}>
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
          {state === 'scheduled' && mayChange && <p className={classes['text']}>{t('run.undoHint')}</p>}
          {why !== null && (
            <p className={classes['reason']} data-failed={state === 'failed' || undefined}>
              {t(why === 'quota' && isEveryone ? 'everyone.tooMany' : `reason.${why}`, { detail })}
            </p>
          )}
          <AudienceLine broadcast={broadcast} />
          {startedAt !== null && (
            <dl className={classes['figures']}>
              <Figure name={t('run.recipients')} value={recipients} />
              <Figure name={t('run.sent')} value={sentOf(broadcast)} />
              {failed > 0 && <Figure name={t('run.failed')} value={failed} />}
              {skipped > 0 && <Figure name={t('run.skipped')} value={skipped} />}
              {taps !== 'off' && <Figure name={t('run.tapped')} value={tapped} />}
            </dl>
          )}
          {startedAt !== null && (
            <p className={classes['hint']}>
              {spanOf(startedAt, endedAt)
                .map((moment, at) => `${t(at === 0 ? 'run.began' : 'run.ended')} ${moment}`)
                .join(t('common:dot'))}
              {taps === 'off' && `${t('common:dot')}${t('run.uncounted')}`}
            </p>
          )}
          {isEveryone && state === 'done' && result.data?.insight.state === 'unready' && (
            <p className={classes['hint']}>{t('everyone.later')}</p>
          )}
          {result.data && <Result result={result.data} isCounted={taps !== 'off'} />}
        </div>
        <aside className={classes['aside']} aria-label={t('editor.preview')}>
          <Preview name={channel.name} value={broadcast.content} empty={t('editor.previewEmpty')} />
        </aside>
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
const spanOf = (...moments: (string | null)[]) => [
  ...new Set(moments.flatMap((moment) => (moment === null ? [] : [formatMoment(moment)]))),
];

const minuteMs = 60_000;

function Countdown({ broadcast }: { broadcast: Broadcast }) {
  const { t } = useTranslation('line-campaigns');
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const due = dueOf(broadcast);
  const leftMs = Date.parse(broadcast.dueAt ?? '') - now;
  const seconds = Math.ceil(leftMs / 1000);
  return (
    <p className={classes['due']} role="status">
      {leftMs > minuteMs
        ? t('run.at', { moment: Object.values(due).join(t('common:comma')) })
        : seconds > 0
          ? t('run.soon', { count: seconds })
          : t('run.begins')}
    </p>
  );
}

function Figure({ name, value }: { name: string; value: number | null }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value === null ? '–' : formatNumber(value)}</dd>
    </div>
  );
}

function Result({ result: { links, insight }, isCounted }: { result: BroadcastResult; isCounted: boolean }) {
  const { t } = useTranslation('line-campaigns');
  const days = [...new Set(links.flatMap((link) => link.days.map(({ date }) => date)))].toSorted();
  const tapsOf = (day: string) =>
    links.reduce((sum, link) => sum + (link.days.find(({ date }) => date === day)?.taps ?? 0), 0);
  return (
    <>
      {isCounted && (
        <Section title={t('result.links')}>
          {links.length === 0 ? (
            <p className={classes['hint']}>{t('result.none')}</p>
          ) : (
            <table className={table['list']}>
              <thead>
                <tr>
                  <th>{t('result.link')}</th>
                  <th data-number style={{ width: 72 }}>
                    {t('result.taps')}
                  </th>
                  {links.some(({ people }) => people !== null) && (
                    <th data-number style={{ width: 72 }}>
                      {t('result.people')}
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
          )}
        </Section>
      )}
      {days.length > 1 && (
        <Section title={t('result.days')}>
          <DayChart
            label={t('result.days')}
            span={t('result.taps')}
            series={[{ name: t('result.taps') }]}
            days={days.map((day) => ({ label: formatDay(day), values: [tapsOf(day)] }))}
            empty={t('result.none')}
            format={formatNumber}
          />
        </Section>
      )}
      <Section title={t('result.insight')}>
        {insight.state === 'ready' ? (
          <dl className={classes['figures']}>
            <Figure name={t('result.opened')} value={insight.opened} />
            <Figure name={t('result.clicked')} value={insight.clicked} />
          </dl>
        ) : (
          <p className={classes['hint']}>{t(`result.${insight.state}`)}</p>
        )}
      </Section>
    </>
  );
}
