import { Skeleton } from '@mantine/core';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './inbox.module.css';

/** Bubbles that are still to come. */
export function WaitingMessages() {
  const { t } = useTranslation('common');
  return (
    <div role="status" aria-label={t('loading')} className={classes['messages']}>
      <Skeleton height={56} width="52%" animate={false} />
      <Skeleton height={84} width="62%" ml="auto" animate={false} />
      <Skeleton height={40} width="38%" animate={false} />
      <Skeleton height={60} width="56%" ml="auto" animate={false} />
    </div>
  );
}
