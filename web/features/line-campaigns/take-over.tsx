import { Button, Progress } from '@mantine/core';
import type { LineReach } from '../../../shared/contracts/line-campaigns.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { toast } from '../../ui/toast.tsx';
import classes from './line-campaigns.module.css';
import { useReach, useTakeOver } from './line-campaigns.queries.ts';

/** How many friends there are at LINE and how many of them are known, and the way to know them all. */
export function TakeOver({ channel }: { channel: string }) {
  const { t } = useTranslation('line-campaigns');
  const { data } = useReach(channel);
  const begin = useTakeOver(channel);
  if (!data) return null;
  const { known, reached, takeOver } = data;
  const isComplete = reached !== null && reached <= known;
  if (isComplete && !takeOver) return null;
  const friends =
    reached === null
      ? t('reach.known', { count: known, known: formatNumber(known) })
      : t('reach.both', { count: reached, known: formatNumber(known), reached: formatNumber(reached) });
  return (
    <section className={classes['reach']} aria-label={t('reach.label')}>
      <p>{takeOver ? friends : t('reach.hint', { friends })}</p>
      {takeOver?.state !== 'running' && !isComplete && (
        <Button
          variant="default"
          size="xs"
          loading={begin.isPending}
          onClick={() => begin.mutate(undefined, { onError: (error) => toast.error(errorText(error)) })}
        >
          {t('reach.takeOver')}
        </Button>
      )}
      {takeOver && <Course takeOver={takeOver} reached={reached} />}
    </section>
  );
}

function Course({ takeOver, reached }: { takeOver: NonNullable<LineReach['takeOver']>; reached: number | null }) {
  const { t } = useTranslation('line-campaigns');
  const { state, reason, found, added, endedAt } = takeOver;
  const figures = { found: formatNumber(found), added: formatNumber(added) };
  if (state === 'running')
    return (
      <>
        {/* LINE lists a thousand at once, so those who were added are the finer figure. */}
        {reached !== null && (
          <Progress value={Math.min(100, (Math.max(found, added) / Math.max(1, reached)) * 100)} aria-hidden />
        )}
        <small role="status">{t('reach.running', figures)}</small>
      </>
    );
  return (
    <small role="status" data-failed={state === 'failed' || undefined}>
      {reason ? t(`reach.reason.${reason}`) : t('reach.done', { ...figures, moment: formatMoment(endedAt ?? '') })}
    </small>
  );
}
