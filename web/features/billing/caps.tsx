import { ActionIcon, Button } from '@mantine/core';
import { IconEdit, IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { CreditCap } from '../../../shared/contracts/billing.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { errorText } from '../../lib/error-text.ts';
import { dayOf, formatDay, formatMoment, formatNumber, formatShare } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { CapDialog } from './cap-dialog.tsx';
import classes from './billing.module.css';
import { useCaps, usePutCap, useRemoveCap } from './billing.queries.ts';

/** What the workspace and its parts may use in a day or a month, and how much of it they have. */
export function Caps() {
  const { t } = useTranslation('billing');
  const { data, error, refetch } = useCaps();
  const [edited, setEdited] = useState<CreditCap | 'new'>();
  const add = (
    <Button size="xs" leftSection={<IconPlus size={14} />} onClick={() => setEdited('new')}>
      {t('caps.add')}
    </Button>
  );
  return (
    <>
      <Section title={t('caps.title')} end={data && data.length > 0 && add}>
        {error && !data ? (
          <ErrorState
            title={t('common:failed.title')}
            text={errorText(error)}
            retry={t('common:retry')}
            onRetry={() => void refetch()}
          />
        ) : !data ? (
          <SkeletonRows />
        ) : data.length === 0 ? (
          <EmptyState drawing="credits" title={t('caps.empty')} text={t('caps.emptyText')} action={add} />
        ) : (
          <>
            <p className={`${classes['hint']} ${classes['about']}`}>{t('caps.hint')}</p>
            <table className={table['list']}>
              <thead>
                <tr>
                  <th>{t('caps.for')}</th>
                  <th data-from="sm" style={{ width: 120 }}>
                    {t('caps.span')}
                  </th>
                  <th style={{ width: '36%' }}>{t('caps.used')}</th>
                  <th style={{ width: 76 }} aria-label={t('common:actions')} />
                </tr>
              </thead>
              <tbody>
                {data.map((cap) => (
                  <Row key={cap.uuid} cap={cap} onEdit={() => setEdited(cap)} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </Section>
      <CapDialog edited={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

const nearShare = 0.8;

function Row({ cap, onEdit }: { cap: CreditCap; onEdit(): void }) {
  const { t } = useTranslation('billing');
  const remove = useRemoveCap();
  const put = usePutCap();
  const { uuid, kind, target, span, credits, used, until } = cap;
  const name = kind === 'workspace' ? t('kind.workspace') : (cap.name ?? t('caps.gone'));
  const share = credits === 0 ? 1 : used / microPerCredit / credits;
  const state = share >= 1 ? 'full' : share >= nearShare ? 'near' : 'fine';
  const drop = () =>
    remove.mutate(uuid, {
      onSuccess: () =>
        toast.undo(t('caps.removed'), t('common:undo'), () =>
          put.mutate({ kind, target, span, credits }, { onError: (error) => toast.error(errorText(error)) }),
        ),
      onError: (error) => toast.error(errorText(error)),
    });
  return (
    <tr className={classes['cap']}>
      <td>
        <span className={classes['name']} title={name}>
          {name}
        </span>
        {kind !== 'workspace' && <small>{t(`kind.${kind}`)}</small>}
        <small className={table['onPhone']}>{t(`span.${span}`)}</small>
      </td>
      <td data-from="sm">{t(`span.${span}`)}</td>
      <td title={formatMoment(until)}>
        {credits > 0 && (
          <>
            <span className={classes['bar']} data-state={state} aria-hidden>
              <i style={{ width: `${Math.min(100, share * 100)}%` }} />
            </span>
            <small>
              {t('caps.of', {
                used: formatNumber(Math.round(used / microPerCredit)),
                credits: formatNumber(credits),
                share: formatShare(share),
              })}
              {t('common:dot')}
              {t('caps.until', { at: formatDay(dayOf(until)) })}
            </small>
          </>
        )}
        {state === 'full' && <State kind="failed">{t(credits === 0 ? 'caps.blocked' : 'caps.full')}</State>}
        {state === 'near' && <State kind="warning">{t('caps.near')}</State>}
      </td>
      <td>
        <span className={classes['actions']}>
          <ActionIcon variant="subtle" color="gray" aria-label={t('caps.change', { name })} onClick={onEdit}>
            <IconEdit size={16} />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('caps.remove', { name })}
            loading={remove.isPending}
            onClick={drop}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </span>
      </td>
    </tr>
  );
}
