import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { formatList, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { rowClass, Section } from '../../ui/page.tsx';
import classes from './rich-messages.module.css';
import { useRichUses } from './rich-messages.queries.ts';

interface Props {
  message: string;
  /** Of the account from which one came. */
  connection: string;
}

/** What sends a stored message already, and what could. */
export function Ways({ message, connection }: Props) {
  const { t } = useTranslation('rich-messages');
  const { names, count, sent } = useRichUses(message).data ?? { names: [], count: 0, sent: 0 };
  const more = count - names.length;
  const told = [...names, ...(more > 0 ? [t('ways.more', { count: more, shown: formatNumber(more) })] : [])];
  return (
    <div className={classes['ways']}>
      <Section title={t('ways.title')}>
        <p className={classes['hint']} role="status">
          {count > 0 ? t('ways.uses', { names: formatList(told) }) : sent === 0 && t('ways.unused')}
        </p>
        {sent > 0 && <p className={classes['hint']}>{t('ways.sent', { count: sent, shown: formatNumber(sent) })}</p>}
        <div className={rowClass}>
          <div>
            <b>{t('ways.rules')}</b>
            <small>{t('ways.rulesHint')}</small>
          </div>
          <Button
            size="xs"
            variant="default"
            renderRoot={(props) => <Link {...props} to="/Bot-Connect/$id" params={{ id: connection }} />}
          >
            {t('ways.open')}
          </Button>
        </div>
      </Section>
    </div>
  );
}
