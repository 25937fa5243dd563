import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Home } from '../../../shared/contracts/home.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { rowClass, Section } from '../../ui/page.tsx';
import classes from './home.module.css';

/** What visitors asked last and no document answers. */
export function OpenQuestions({ open, latest }: NonNullable<Home['unanswered']>) {
  const { t } = useTranslation('home');
  return (
    <Section
      title={t('common:page.unanswered')}
      count={formatNumber(open)}
      end={
        <Button renderRoot={(props) => <Link {...props} to="/Unanswered" />} variant="subtle" color="gray" size="xs">
          {t('seeAll')}
        </Button>
      }
    >
      {latest.map(({ uuid, question, bot, count, lastAt }) => (
        <Link
          key={uuid}
          to="/Unanswered"
          search={{ question: uuid }}
          className={rowClass}
          style={{ textDecoration: 'none' }}
        >
          <Avatar mark={bot.mark} name={bot.name} url={bot.avatar?.url} size={20} />
          <span className={`${classes['text']} ${classes['line']}`}>
            <span className={classes['name']}>{question}</span>{' '}
            <span className={classes['hint']}>{count > 1 && t('times', { count })}</span>
          </span>
          <time className={classes['hint']} dateTime={lastAt} title={formatMoment(lastAt)}>
            {formatAgo(lastAt)}
          </time>
        </Link>
      ))}
    </Section>
  );
}
