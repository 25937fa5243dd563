import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useCounts, useThreads } from './inbox.queries.ts';
import type { Filter } from './rows.ts';
import { searchOf, useMinutes } from './thread-list.tsx';
import { ageOf, previewOf, waitsFrom } from './thread-row.tsx';
import classes from './inbox.module.css';

/** More are in the list. */
const few = 5;

/** Beside the list while no conversation is open: who waits, what there is, and the keys. */
export function Start({ filter }: { filter: Filter }) {
  const { t } = useTranslation('inbox');
  const mayEdit = useMay('edit');
  const counts = useCounts().data?.views;
  const waitingIn = { ...filter, view: 'waiting' } as const;
  const longest = useThreads(waitingIn).data?.pages[0]?.data.slice(0, few) ?? [];
  const [next] = longest;
  const now = useMinutes();
  if (!counts) return <div className={classes['start']} />;
  const { waiting } = counts;
  const isNew = mayEdit && counts.all === 0;
  return (
    <div className={classes['start']}>
      <div>
        <header>
          <h2>{isNew ? t('start.from') : waiting > 0 ? t('start.waiting', { count: waiting }) : t('start.calm')}</h2>
          <p>{t(isNew ? 'start.fromText' : waiting > 0 ? 'start.waitingText' : 'start.calmText')}</p>
          {next && (
            <Button
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/Friend"
                  search={{ ...searchOf(filter), thread: next.uuid }}
                  state={{ isStep: true }}
                />
              )}
            >
              {t('start.next')}
            </Button>
          )}
        </header>
        {isNew ? (
          <ul>
            <li>
              <Link to="/Web-Channel">
                {t('common:page.web-channels')}
                <span>{t('start.web')}</span>
              </Link>
            </li>
            <li>
              <Link to="/Line-Channel">
                {t('common:page.line-channels')}
                <span>{t('start.line')}</span>
              </Link>
            </li>
          </ul>
        ) : (
          <>
            {longest.length > 0 && (
              <ul aria-label={t('start.longest')}>
                {longest.map((thread) => (
                  <li key={thread.uuid}>
                    <Link to="/Friend" search={{ ...searchOf(filter), thread: thread.uuid }} state={{ isStep: true }}>
                      <b>
                        <bdi>{thread.guest.name}</bdi>
                      </b>
                      <small>{previewOf(thread, t, undefined)}</small>
                      <time dateTime={waitsFrom(thread)}>{ageOf(waitsFrom(thread), now, t, true)}</time>
                    </Link>
                  </li>
                ))}
              </ul>
            )}
            <dl>
              <Key keys={['J', 'K']}>{t('start.upDown')}</Key>
              <Key keys={['T']}>{t('thread.take')}</Key>
              <Key keys={['Enter']}>{t('start.open')}</Key>
              <Key keys={['E']}>{t('thread.resolve')}</Key>
              <Key keys={['R']}>{t('composer.reply')}</Key>
              <Key keys={['?']}>{t('start.all')}</Key>
            </dl>
          </>
        )}
      </div>
    </div>
  );
}

const Key = ({ keys, children }: { keys: string[]; children: string }) => (
  <div>
    <dt>{children}</dt>
    <dd>
      {keys.map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </dd>
  </div>
);
