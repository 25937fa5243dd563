import { IconChevronRight } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { LineChannel } from '../../../shared/contracts/line-channels.ts';
import { formatAgo, formatMoment, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
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
  const { uuid, name, basicId, avatar, bot, quota, lastEventAt, conversations, unaided } = channel;
  const friends = useFriendCount(uuid);
  const waiting = useWaiting(uuid);
  return (
    <>
      <article className={classes['card']}>
        <Link to="/Line-Channel/$id" params={{ id: uuid }} className={classes['cardHead']}>
          <Avatar kind="person" id={uuid} name={name} url={avatar?.url} size={40} />
          <span>
            <b>{name}</b>
            <small>{basicId}</small>
          </span>
          <ChannelState channel={channel} />
          <IconChevronRight size={18} aria-hidden />
        </Link>
        <dl>
          {waiting.data && (
            <div>
              <dt>{t('list.waiting')}</dt>
              <dd>
                {waiting.data.count > 0 ? (
                  <Link to="/Friend" search={{ view: 'waiting', channel: uuid }} className={classes['waits']}>
                    <State kind="failed">
                      {t('list.waits', {
                        count: waiting.data.count,
                        shown: `${formatNumber(waiting.data.count)}${waiting.data.isMore ? '+' : ''}`,
                      })}
                    </State>
                  </Link>
                ) : (
                  t('list.nobodyWaits')
                )}
                <small title={lastEventAt ? formatMoment(lastEventAt) : undefined}>
                  {lastEventAt ? t('list.lastAt', { ago: formatAgo(lastEventAt) }) : t('state.waiting')}
                </small>
              </dd>
            </div>
          )}
          <div>
            <dt>{t('list.conversations')}</dt>
            <dd>
              <Week perDay={drawnDays(channel)} sum={formatNumber(conversations)} />
              {conversations > 0 && <small>{t('list.unaided', { share: formatShare(unaided / conversations) })}</small>}
            </dd>
          </div>
          {quota && (
            <div>
              <dt>{t('list.quota')}</dt>
              <dd>
                <QuotaBar channel={channel} />
                <small>{t('list.quotaHint')}</small>
              </dd>
            </div>
          )}
          {friends.data !== undefined && (
            <div>
              <dt>{t('list.friends')}</dt>
              <dd>{formatNumber(friends.data)}</dd>
            </div>
          )}
          <div>
            <dt>{t('list.bot')}</dt>
            <dd>
              <Answering channel={channel} />
              <small>{t(bot ? 'list.stepIn' : 'list.byTeam')}</small>
            </dd>
          </div>
        </dl>
      </article>
      <Suspense>
        <NextSteps channel={channel} />
      </Suspense>
    </>
  );
}
