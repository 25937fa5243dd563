import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from '../../lib/i18n.ts';
import { useMay } from '../../lib/session.ts';
import { useCounts, useThreads } from './inbox.queries.ts';
import { longestWaiting, type Filter } from './rows.ts';
import { countOf, searchOf } from './thread-list.tsx';
import classes from './inbox.module.css';

const views = ['waiting', 'mine', 'unassigned', 'bot', 'snoozed', 'resolved'] as const;

/** Beside the list while no conversation is open: who waits, what there is, and the keys. */
export function Start({ filter }: { filter: Filter }) {
  const { t } = useTranslation('inbox');
  const mayEdit = useMay('edit');
  const counts = useCounts().data?.views;
  const rows = useThreads(filter).data?.pages.flatMap(({ data }) => data) ?? [];
  const next = longestWaiting(rows);
  if (!counts) return <div className={classes['start']} />;
  const { waiting } = counts;
  const isNew = mayEdit && counts.all === 0;
  return (
    <div className={classes['start']}>
      <div>
        <header>
          <h2>{isNew ? t('start.from') : waiting > 0 ? t('start.waiting', { count: waiting }) : t('start.calm')}</h2>
          <p>{t(isNew ? 'start.fromText' : waiting > 0 ? 'start.waitingText' : 'start.calmText')}</p>
          {waiting > 0 && (
            <Button
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/Friend"
                  search={next ? { ...searchOf(filter), thread: next } : { view: 'waiting' }}
                  state={{ isStep: true }}
                />
              )}
            >
              {t(next ? 'start.next' : 'start.show')}
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
            <ul aria-label={t('start.views')}>
              {views.map((view) => (
                <li key={view}>
                  <Link to="/Friend" search={searchOf({ ...filter, view })} activeOptions={{ exact: true }}>
                    {t(`view.${view}`)}
                    <span>{countOf(counts[view])}</span>
                  </Link>
                </li>
              ))}
            </ul>
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
