import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import type { RichUse } from '../../../shared/contracts/rich-messages.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { rowClass, Section, State, type StateKind } from '../../ui/page.tsx';
import classes from './rich-messages.module.css';
import { useRichUses } from './rich-messages.queries.ts';

interface Props {
  message: string;
  /** The account from which one came. */
  channel: string;
}

/** So many are shown before the others are asked for. */
const shownFirst = 3;

const states: Record<NonNullable<RichUse['state']> | 'used', StateKind> = {
  draft: 'draft',
  scheduled: 'working',
  on: 'live',
  off: 'off',
  used: 'live',
};

/** What sends a stored message. */
export function Ways({ message, channel }: Props) {
  const { t } = useTranslation('rich-messages');
  const [isWhole, setIsWhole] = useState(false);
  const { data } = useRichUses(message);
  // Until it is known, nothing is said of it.
  if (!data) return null;
  const { users, count, sent } = data;
  const shown = isWhole ? users : users.slice(0, shownFirst);
  const more = count - shown.length;
  const moreText = t('ways.more', { count: more, shown: formatNumber(more) });
  return (
    <div className={classes['ways']}>
      <Section title={t('ways.title')}>
        {count + sent === 0 && <p className={classes['hint']}>{t('ways.none')}</p>}
        <ul className={classes['uses']}>
          {shown.map((use) => (
            <li key={use.uuid} className={rowClass}>
              <small>{t(`ways.in.${use.kind}`)}</small>
              <UseLink use={use}>{use.name}</UseLink>
              <State kind={states[use.state ?? 'used']}>{t(`ways.states.${use.state ?? 'used'}`)}</State>
            </li>
          ))}
        </ul>
        {sent > 0 && (
          <p className={classes['hint']}>
            <Link to="/Line-Channel/$id" params={{ id: channel }} search={{ tab: 'broadcasts' }}>
              {t('ways.sent', { count: sent, shown: formatNumber(sent) })}
            </Link>
          </p>
        )}
        {more > 0 &&
          (isWhole ? (
            <p className={classes['hint']}>{moreText}</p>
          ) : (
            <Button size="xs" variant="subtle" mt={4} ml={-8} onClick={() => setIsWhole(true)}>
              {moreText}
            </Button>
          ))}
      </Section>
    </div>
  );
}

/** Leads to where it can be changed. */
function UseLink({ use: { kind, uuid, channel }, children }: { use: RichUse; children: ReactNode }) {
  if (channel === null)
    return (
      <Link to="/Bot-Connect/$id" params={{ id: uuid }}>
        {children}
      </Link>
    );
  if (kind === 'broadcast')
    return (
      <Link to="/Line-Channel/$id/Broadcast/$broadcast" params={{ id: channel, broadcast: uuid }}>
        {children}
      </Link>
    );
  if (kind === 'steps')
    return (
      <Link to="/Line-Channel/$id/Steps/$scenario" params={{ id: channel, scenario: uuid }}>
        {children}
      </Link>
    );
  return (
    <Link to="/Line-Channel/$id" params={{ id: channel }} search={{ tab: 'settings' }}>
      {children}
    </Link>
  );
}
