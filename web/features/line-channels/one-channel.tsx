import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { dayHere, dayOf, formatAgo, formatDay, formatNumber, formatShare, formatTimeOfDay } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { State } from '../../ui/page.tsx';
import { Week } from '../../ui/week.tsx';
import { Answering, ChannelState } from './channel-state.tsx';
import classes from './line-channels.module.css';
import { useFriendCount, useWaiting } from './one-channel.queries.ts';
import { QuotaBar } from './quota.tsx';
import { drawnDays } from './state.ts';

/** Below the card, and of what other pages hold. */
const NextSteps = lazy(() => import('./next-steps.tsx'));

/** The only account of a workspace: what it does now, and what is often done next. */
export function OneChannel({ channel }: { channel: LineChannel }) {
  const { t } = useTranslation('line-channels');
  const { uuid, name, basicId, avatar, quota, lastEventAt, conversations, unaided } = channel;
  const friends = useFriendCount(uuid);
  const waiting = useWaiting(uuid);
  const mayConverse = useMay('converse');
  return (
    <>
      <article className={classes['card']}>
        <Link to="/Line-Channel/$id" params={{ id: uuid }} className={classes['cardHead']}>
          <Avatar kind="person" id={uuid} name={name} url={avatar?.url} size={40} />
          <span>
            <span className={classes['named']}>
              <b>{name}</b>
              <ChannelState channel={channel} />
            </span>
            <small>{basicId}</small>
          </span>
          <span className={classes['by']}>
            <small>{t('list.bot')}</small>
            <Answering channel={channel} />
          </span>
          <IconChevronRight size={18} aria-hidden />
        </Link>
        <dl>
          {mayConverse && (
            <Figure
              label={t('list.waiting')}
              note={lastEventAt ? t('list.lastAt', { ago: formatAgo(lastEventAt) }) : t('state.waiting')}
            >
              {waiting.data && waiting.data.count > 0 ? (
                <Link to="/Friend" search={{ view: 'waiting', channel: uuid }} className={classes['waits']}>
                  <State kind="failed">
                    {t('list.waits', {
                      count: waiting.data.count,
                      shown: `${formatNumber(waiting.data.count)}${waiting.data.isMore ? '+' : ''}`,
                    })}
                  </State>
                </Link>
              ) : (
                waiting.data && t('list.nobodyWaits')
              )}
            </Figure>
          )}
          <Figure
            label={t('list.conversations')}
            note={
              conversations > 0 ? t('list.unaided', { share: formatShare(unaided / conversations) }) : t('list.noneYet')
            }
          >
            <Week perDay={drawnDays(channel)} sum={formatNumber(conversations)} />
          </Figure>
          <Figure
            label={t('list.quota')}
            note={quota ? t('list.asOf', { time: sinceWhen(quota.at) }) : t('quota.unknown')}
          >
            {quota ? <QuotaBar channel={channel} /> : t('events.none')}
          </Figure>
          <Figure label={t('list.friends')} note={friends.data && t(`list.friendsOf.${friends.data.by}`)}>
            {friends.data ? formatNumber(friends.data.count) : friends.isError && t('events.none')}
          </Figure>
        </dl>
      </article>
      <Suspense>
        <NextSteps channel={channel} />
      </Suspense>
    </>
  );
}

/** All of them alike: what it is, how much, and what there is to know of it; each has its place before it is known. */
function Figure({ label, note, children }: { label: string; note: string | undefined; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <span>{children}</span>
        <small>{note}</small>
      </dd>
    </div>
  );
}

/** The time, of today; else the day. */
const sinceWhen = (iso: string) => (dayOf(iso) === dayHere() ? formatTimeOfDay(iso) : formatDay(dayOf(iso)));
