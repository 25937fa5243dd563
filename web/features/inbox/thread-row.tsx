import { VisuallyHidden } from '@mantine/core';
import { IconAt } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { Fragment, memo, type KeyboardEvent } from 'react';
import type { InboxThread } from '../../../shared/contracts/inbox.ts';
import { findWords } from '../../../shared/excerpt.ts';
import { dayOf, formatDay, formatMoment } from '../../lib/format.ts';
import { useTranslation, type Translate } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { ChannelIcon } from '../../ui/channel-icon.tsx';
import { State } from '../../ui/page.tsx';
import { stateOf } from './state.ts';
import { inPlainWords } from './writing.ts';
import classes from './inbox.module.css';

interface Props {
  thread: InboxThread;
  search: Record<string, string>;
  isActive: boolean;
  /** Who answers differs from row to row; elsewhere the view says it. */
  hasState: boolean;
  /** A note in it names whoever looks. */
  isNaming: boolean;
  user: string | undefined;
  /** So that the ages of a list grow together. */
  now: number;
  onKeyDown(event: KeyboardEvent<HTMLAnchorElement>): void;
}

export const ThreadRow = memo(function ThreadRow({
  thread,
  search,
  isActive,
  hasState,
  isNaming,
  user,
  now,
  onKeyDown,
}: Props) {
  const { t } = useTranslation('inbox');
  const { guest, unread, channelName, status } = thread;
  const state = stateOf(thread, t, user);
  // A bot that answers needs nobody: what nobody has read there calls for nothing.
  const calls = unread > 0 && (status === 'waiting' || status === 'staff');
  const at = waitsFrom(thread);
  return (
    <li className={classes['rowPlace']}>
      <Link
        to="/Friend"
        search={{ ...search, thread: thread.uuid }}
        state={{ isStep: true }}
        className={classes['row']}
        data-row={thread.uuid}
        data-unread={calls || undefined}
        aria-current={isActive ? 'page' : undefined}
        onKeyDown={onKeyDown}
      >
        <span className={classes['face']}>
          <Avatar kind="person" id={guest.uuid} name={guest.name} url={guest.avatar?.url} size={34} />
          <span className={classes['channel']} title={channelName}>
            <ChannelIcon kind={thread.channel} size={11} stroke={2} />
          </span>
        </span>
        <span className={classes['rowName']}>
          <bdi>{guest.name}</bdi>
          {hasState && (
            <span className={classes['rowState']} title={state.title}>
              {status === 'bot' || status === 'resolved' ? (
                <span className={classes['calm']}>
                  {status === 'bot' && thread.last?.role === 'assistant' ? t('list.botReplied') : state.label}
                </span>
              ) : (
                <State kind={state.kind}>{state.label}</State>
              )}
            </span>
          )}
          <time dateTime={at} title={formatMoment(at)}>
            {ageOf(at, now, t, status === 'waiting')}
          </time>
        </span>
        <span className={classes['rowLast']}>
          <span className={classes['preview']}>
            {thread.found !== null && search['q'] ? (
              <Found text={thread.found} q={search['q']} />
            ) : (
              previewOf(thread, t, user)
            )}
          </span>
          {isNaming && (
            <span className={classes['naming']}>
              <IconAt size={14} stroke={2} role="img" aria-label={t('list.naming')} />
            </span>
          )}
          {calls && (
            <>
              {!hasState && <VisuallyHidden>{state.label} </VisuallyHidden>}
              <span className={classes['seal']}>
                <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
                <VisuallyHidden>{t('list.unread', { count: unread })}</VisuallyHidden>
              </span>
            </>
          )}
        </span>
      </Link>
    </li>
  );
});

/** What was searched, where it stands in a message. */
function Found({ text: written, q }: { text: string; q: string }) {
  const text = inPlainWords(written);
  const words = findWords(text, q);
  return (
    <>
      {words.map(({ from, to }, at) => (
        <Fragment key={from}>
          {text.slice(words[at - 1]?.to ?? 0, from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(words.at(-1)?.to ?? 0)}
    </>
  );
}

/** What bots say begins alike; what they quote tells one answer from another. */
const introduction = /^[^\n>]{0,80}\n+(?=>)/;

export function previewOf({ last, bot }: InboxThread, t: Translate<'inbox'>, user: string | undefined): string {
  if (!last) return t('list.nothingYet');
  // A visitor's own words stay as they are; what answers them may be Markdown, with the numbers of its sources.
  const words = last.role === 'user' ? last.text : inPlainWords(last.text.replace(introduction, ''));
  const text = words.replace(/\s+/g, ' ').trim() || t('list.noText');
  if (last.role === 'staff')
    return t('list.said', {
      who: last.author?.uuid === user ? t('list.you') : (last.author?.name ?? t('state.staff')),
      text,
    });
  return last.role === 'assistant' && bot ? t('list.said', { who: t('state.bot'), text }) : text;
}

/** In a column: now, 12 min, 3 h, then the day; of who waits, how many days. */
export function ageOf(iso: string, now: number, t: Translate<'inbox'>, isLength = false): string {
  const minutes = Math.floor((now - Date.parse(iso)) / 60_000);
  if (minutes < 1) return t('list.now');
  if (minutes < 60) return t('list.minutes', { minutes });
  if (minutes < 24 * 60) return t('list.hours', { hours: Math.floor(minutes / 60) });
  return isLength ? t('list.days', { days: Math.floor(minutes / 24 / 60) }) : formatDay(dayOf(iso));
}

/** Who waits is told how long, not since when the bot was silent. */
export const waitsFrom = ({ status, waitingSince, last, createdAt }: InboxThread): string =>
  (status === 'waiting' && waitingSince) || (last?.at ?? createdAt);
