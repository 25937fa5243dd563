import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { cloneElement, type ReactElement } from 'react';
import type { Home } from '../../../shared/contracts/home.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import classes from './home.module.css';

/** What only a person can set right, and what is on its way. */
export function NeedsYou({ home, canEdit }: { home: Home; canEdit: boolean }) {
  const { t } = useTranslation('home');
  const { failedDocuments, busyDocuments, recentBots, credits, topUpStopped } = home;
  const changed = canEdit ? recentBots.filter((bot) => bot.published && bot.changed) : [];
  const { waiting, mine, mentions } = home.inbox ?? { waiting: 0, mine: 0, mentions: [] };
  const disliked = home.unanswered?.disliked ?? 0;
  const days = daysLeft(credits);
  const inbox = [
    { view: 'waiting', kind: 'failed', count: waiting },
    { view: 'mine', kind: 'staff', count: mine },
  ] as const;
  const count =
    [waiting, mine, disliked].filter((each) => each > 0).length +
    mentions.length +
    failedDocuments.length +
    changed.length +
    (topUpStopped ? 1 : 0) +
    (days < fewDays ? 1 : 0);
  if (count === 0 && busyDocuments === 0) return null;
  return (
    <Section title={t('needsYou')} count={count > 0 ? count : undefined}>
      {inbox.map(
        ({ view, kind, count: those }) =>
          those > 0 && (
            <Need
              key={view}
              kind={kind}
              what={t(view, { count: those })}
              to={<Link to="/Friend" search={{ view }} />}
              label={t('openInbox')}
              isFirst={view === 'waiting'}
            />
          ),
      )}
      {mentions.map(({ thread, by, text }) => (
        <Need
          key={thread}
          kind="staff"
          what={t('mentioned', { who: by })}
          hint={text}
          to={<Link to="/Friend" search={{ thread }} />}
          label={t('look')}
        />
      ))}
      {disliked > 0 && (
        <Need
          kind="warning"
          what={t('disliked', { count: disliked })}
          to={<Link to="/Unanswered" search={{ reason: 'disliked' }} />}
          label={t('look')}
        />
      )}
      {failedDocuments.map((document) => (
        <div key={document.uuid} className={`${rowClass} ${classes['need']}`}>
          <div>
            <State kind="failed">
              <b>{t('unread', { name: document.name })}</b>
            </State>
            <span className={`${classes['text']} ${classes['hint']}`}>{document.message}</span>
          </div>
          <Button
            component={Link}
            to={`/Knowledge/${document.knowledge}/documents/${document.uuid}`}
            variant="default"
            size="xs"
          >
            {t('look')}
          </Button>
        </div>
      ))}
      {topUpStopped && (
        <Need
          kind="failed"
          what={t('topUpStopped')}
          to={<Link to="/Token" search={{ tab: 'purchases' }} />}
          label={t('look')}
        />
      )}
      {days < fewDays && (
        <Need
          kind={credits.balance > 0 ? 'warning' : 'failed'}
          what={credits.balance > 0 ? t('lasts', { count: Math.max(1, Math.floor(days)) }) : t('spent')}
          hint={t('left', { credits: formatNumber(Math.floor(credits.balance / microPerCredit)) })}
          to={<Link to="/Token" />}
          label={t('look')}
        />
      )}
      {changed.map((bot) => (
        <div key={bot.uuid} className={`${rowClass} ${classes['need']}`}>
          <div>
            <State kind="warning">
              <b>{t('unpublished', { name: bot.name })}</b>
            </State>
          </div>
          <Button component={Link} to={`/Bot/${bot.uuid}`} variant="default" size="xs">
            {t('review')}
          </Button>
        </div>
      ))}
      {busyDocuments > 0 && (
        <Link to="/Document" className={rowClass} style={{ textDecoration: 'none' }}>
          <State kind="working">{t('busy', { count: busyDocuments })}</State>
        </Link>
      )}
    </Section>
  );
}

interface NeedProps {
  kind: StateKind;
  what: string;
  hint?: string;
  to: ReactElement;
  label: string;
  /** Somebody waits: nothing here is more pressing. */
  isFirst?: boolean;
}

function Need({ kind, what, hint, to, label, isFirst = false }: NeedProps) {
  return (
    <div className={`${rowClass} ${classes['need']}`}>
      <div>
        <State kind={kind}>
          <b>{what}</b>
        </State>
        {hint && <span className={`${classes['text']} ${classes['hint']}`}>{hint}</span>}
      </div>
      <Button
        renderRoot={(props) => cloneElement(to, props)}
        variant={isFirst ? 'filled' : 'default'}
        size="xs"
        aria-label={`${label}: ${what}`}
      >
        {label}
      </Button>
    </div>
  );
}

/** Fewer days than these are told. */
const fewDays = 7;

/** How long the credits last at this week's pace; without end where none were used. */
function daysLeft({ balance, usedInWeek }: Home['credits']): number {
  if (usedInWeek <= 0) return Infinity;
  return Math.max(0, balance) / (usedInWeek / 7);
}
