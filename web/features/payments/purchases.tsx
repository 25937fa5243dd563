import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Payment } from '../../../shared/contracts/payments.ts';
import { formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { BuyDialog } from './buy-dialog.tsx';
import { usePackages, usePayments } from './payments.queries.ts';
import { formatPrice } from './price.ts';

/** What the workspace bought, and where it buys more. */
export function Purchases() {
  const { t } = useTranslation('billing');
  const all = usePayments();
  const packages = usePackages();
  const [isBuying, setIsBuying] = useState(false);
  const sold = packages.data?.data ?? [];
  const buy = sold.length > 0 && (
    <Button size="xs" onClick={() => setIsBuying(true)}>
      {t('buy')}
    </Button>
  );
  const isEmpty = all.data?.length === 0;
  return (
    <>
      <Section title={t('title')} end={!isEmpty && buy}>
        <PagedList
          query={all}
          labels={{ failed: t('common:failed.title'), retry: t('common:retry'), more: t('common:more') }}
          empty={
            <EmptyState
              drawing="credits"
              title={t('empty')}
              text={t(packages.data && !buy ? 'closed' : 'emptyText')}
              action={buy || undefined}
            />
          }
        >
          {(rows) => (
            <table className={table['list']}>
              <thead>
                <tr>
                  <th>{t('package')}</th>
                  <th>{t('price')}</th>
                  <th data-from="sm">{t('when')}</th>
                  <th>{t('stateLabel')}</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={row.uuid} payment={row} />
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </Section>
      <BuyDialog opened={isBuying} packages={sold} onClose={() => setIsBuying(false)} />
    </>
  );
}

const kinds = {
  created: 'draft',
  'requires-action': 'working',
  processing: 'working',
  succeeded: 'live',
  failed: 'failed',
  canceled: 'off',
  refunded: 'off',
} as const;

function Row({ payment: { credits, amount, currency, state, receipt, createdAt } }: { payment: Payment }) {
  const { t } = useTranslation('billing');
  return (
    <tr>
      <td>
        {t('credits', { credits: formatNumber(credits) })}
        {receipt !== null && <small>{t('receipt', { number: receipt })}</small>}
      </td>
      <td>{formatPrice(amount, currency)}</td>
      <td data-from="sm">{formatMoment(createdAt)}</td>
      <td>
        <State kind={kinds[state]}>{t(`state.${state}`)}</State>
      </td>
    </tr>
  );
}
