import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { payments, type Payment } from '../../../shared/contracts/payments.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatAgo, formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { BuyDialog } from './buy-dialog.tsx';
import { usePackages, usePayments } from './payments.queries.ts';
import { PdfLink } from './pdf-link.tsx';
import { placeOf } from './payment-kinds.ts';
import { PaymentStateMark } from './payment-state.tsx';
import classes from './payments.module.css';
import { formatPrice } from './price.ts';
import { TopUp } from './top-up.tsx';

/** What the workspace bought, and where it buys more. */
export function Purchases() {
  const { t } = useTranslation('billing');
  const all = usePayments();
  const packages = usePackages();
  const [buying, setBuying] = useState<'once' | 'again'>();
  const sold = packages.data?.data ?? [];
  const buy = sold.length > 0 && (
    <Button size="xs" onClick={() => setBuying('once')}>
      {t('buy')}
    </Button>
  );
  const isEmpty = all.data?.length === 0;
  return (
    <>
      <TopUp packages={packages.data?.data} onSetUp={() => setBuying('again')} />
      <Section title={t('title')} end={!isEmpty && buy}>
        <PagedList
          query={all}
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
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
                  <th data-from="sm">{t('stateLabel')}</th>
                  <th data-from="sm" className={classes['when']}>
                    {t('when')}
                  </th>
                  <th data-number className={classes['price']}>
                    {t('price')}
                  </th>
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
      <BuyDialog
        opened={buying !== undefined}
        packages={sold}
        isSettingUp={buying === 'again'}
        onClose={() => setBuying(undefined)}
      />
    </>
  );
}

function Row({ payment }: { payment: Payment }) {
  const { uuid, automatic, credits, amount, currency, receipt, refunds, createdAt } = payment;
  const { t } = useTranslation('billing');
  return (
    <tr>
      <td className={classes['bought']}>
        <Link to={placeOf(payment)} search={{ payment: uuid }} className={table['name']}>
          {t('credits', { credits: formatNumber(credits) })}
        </Link>
        {automatic && <small className={classes['below']}>{t('topUp.title')}</small>}
        <div className={table['onPhone']}>
          <Became payment={payment} when={formatAgo(createdAt)} />
        </div>
        {receipt !== null && (
          <small className={classes['files']}>
            <PdfLink route={payments.receipt} params={{ uuid }} name={`receipt-${receipt}.pdf`}>
              {t('receipt', { number: receipt })}
            </PdfLink>
            {refunds.map(
              ({ uuid: refund, note }) =>
                note !== null && (
                  <PdfLink
                    key={refund}
                    route={payments.creditNote}
                    params={{ uuid, refund }}
                    name={`credit-note-${note}.pdf`}
                  >
                    {t('note', { number: note })}
                  </PdfLink>
                ),
            )}
          </small>
        )}
      </td>
      <td data-from="sm" className={classes['wraps']}>
        <Became payment={payment} />
      </td>
      <td data-from="sm" title={formatMoment(createdAt)}>
        {formatAgo(createdAt)}
      </td>
      <td data-number>{formatPrice(amount, currency)}</td>
    </tr>
  );
}

/** What became of it, and why. */
function Became({ payment, when }: { payment: Payment; when?: string }) {
  const { state, failure, refunded, currency } = payment;
  const { t } = useTranslation('billing');
  return (
    <>
      <PaymentStateMark payment={payment} />
      {when && <small className={classes['beside']}>{when}</small>}
      {state === 'requires-action' && <span className={classes['goOn']}>{t('goOn')}</span>}
      {failure && <small className={classes['below']}>{t(`failure.${failure}`)}</small>}
      {refunded > 0 && state !== 'refunded' && (
        <small className={classes['below']}>{t('partRefunded', { amount: formatPrice(refunded, currency) })}</small>
      )}
    </>
  );
}
