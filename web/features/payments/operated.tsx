import { Group, Select } from '@mantine/core';
import { useState } from 'react';
import { paymentStates, type OperatedPayment } from '../../../shared/contracts/payments.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatMoment, formatNumber } from '../../lib/format.ts';
import { formatLocale, useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Section, State } from '../../ui/page.tsx';
import { PagedList } from '../../ui/paged-list.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import { EmptyState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { useMonths, useOperatedPayments, type StateFilter } from './operated.queries.ts';
import { Packages } from './packages.tsx';
import { PaymentDetails } from './payment-details.tsx';
import classes from './payments.module.css';
import { kindOf } from './payment-kinds.ts';
import { formatPrice } from './price.ts';

const filters = ['held', 'disputed', ...paymentStates] as const satisfies StateFilter[];

/** What people paid, what they can buy, and what is to be given back. */
export function OperatedPayments() {
  const { t } = useTranslation('operator', 'billing');
  const [q, setQ] = useState('');
  const [state, setState] = useState<StateFilter>();
  const [shown, setShown] = useState<OperatedPayment>();
  const payments = useOperatedPayments(q, state);
  const isFiltered = q !== '' || state !== undefined;
  return (
    <>
      <Months />
      <Section title={t('payments.title')}>
        <Group mt="sm" mb="xs" gap="sm">
          <div style={{ flex: '1 1 200px', maxWidth: 360 }}>
            <SearchInput value={q} onChange={setQ} label={t('payments.search')} clearLabel={t('common:clear')} />
          </div>
          <Select
            flex="1 1 200px"
            maw={{ sm: 200 }}
            aria-label={t('payments.filter')}
            value={state ?? 'all'}
            onChange={(next) => setState(filters.find((each) => each === next))}
            data={[
              { value: 'all', label: t('payments.every') },
              ...filters.map((value) => ({
                value,
                label: value === 'held' || value === 'disputed' ? t(`payments.${value}`) : t(`billing:state.${value}`),
              })),
            ]}
            allowDeselect={false}
          />
        </Group>
        <PagedList
          query={payments}
          labels={{
            failed: t('common:failed.title'),
            reason: errorText,
            retry: t('common:retry'),
            more: t('common:more'),
          }}
          empty={
            isFiltered ? (
              <EmptyState drawing="search" title={t('payments.noMatch')} text={t('payments.noMatchText')} />
            ) : (
              <EmptyState drawing="credits" title={t('payments.empty')} text={t('payments.emptyText')} />
            )
          }
        >
          {(rows) => (
            <table className={table['list']}>
              <thead>
                <tr>
                  <th>{t('payments.workspace')}</th>
                  <th data-from="md">{t('billing:package')}</th>
                  <th data-from="sm" className={classes['state']}>
                    {t('billing:stateLabel')}
                  </th>
                  <th data-from="sm" className={classes['when']}>
                    {t('billing:when')}
                  </th>
                  <th data-number className={classes['price']}>
                    {t('billing:price')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => (
                  <Row key={row.uuid} payment={row} isMixed={isMixed(rows)} onOpen={() => setShown(row)} />
                ))}
              </tbody>
            </table>
          )}
        </PagedList>
      </Section>
      <Packages />
      <Modal
        opened={shown !== undefined}
        onClose={() => setShown(undefined)}
        title={shown && (shown.workspace?.name ?? t('payments.gone'))}
        size="lg"
        centered
      >
        {shown && <PaymentDetails uuid={shown.uuid} />}
      </Modal>
    </>
  );
}

/** Some moved money and some did not; where all are alike the months say so. */
const isMixed = (rows: OperatedPayment[]) => new Set(rows.map(({ sandbox }) => sandbox)).size > 1;

interface RowProps {
  payment: OperatedPayment;
  isMixed: boolean;
  onOpen(): void;
}

function Row({ payment, isMixed, onOpen }: RowProps) {
  const { t } = useTranslation('operator', 'billing');
  const { workspace, credits, amount, currency, createdAt, held, refunded, state, sandbox } = payment;
  const name = workspace?.name ?? t('payments.gone');
  const bought = t('billing:credits', { credits: formatNumber(credits) });
  const also = [
    isMixed && sandbox && t('payments.sandbox'),
    refunded > 0 && state !== 'refunded' && t('payments.partRefunded', { amount: formatPrice(refunded, currency) }),
  ].filter((each) => each !== false);
  const mark = held ? (
    <State kind="failed">{t('payments.held')}</State>
  ) : (
    <State kind={kindOf[state]}>{t(`billing:state.${state}`)}</State>
  );
  return (
    <tr>
      <td className={classes['bought']}>
        <button type="button" className={`${table['name']} ${classes['open']}`} onClick={onOpen}>
          <span className={table['one']}>{name}</span>
        </button>
        <div className={table['onPhone']}>
          {mark}
          <small className={classes['beside']}>{bought}</small>
          <small className={classes['below']}>{formatMoment(createdAt)}</small>
        </div>
        {also.length > 0 && <small className={classes['below']}>{also.join(t('common:dot'))}</small>}
      </td>
      <td data-from="md">{bought}</td>
      <td data-from="sm">{mark}</td>
      <td data-from="sm">{formatMoment(createdAt)}</td>
      <td data-number>{formatPrice(amount, currency)}</td>
    </tr>
  );
}

/** Where money has moved, only that counts. */
function Months() {
  const { t } = useTranslation('operator', 'billing');
  const { data = [] } = useMonths();
  const isReal = data.some(({ sandbox }) => !sandbox);
  const rows = isReal ? data.filter(({ sandbox }) => !sandbox) : data;
  if (rows.length === 0) return null;
  return (
    <Section title={t(isReal ? 'payments.months' : 'payments.monthsSandbox')}>
      <table className={table['list']}>
        <thead>
          <tr>
            <th>{t('payments.month')}</th>
            <th data-number data-from="sm">
              {t('payments.count')}
            </th>
            <th data-number>{t('payments.paid')}</th>
            <th data-number>{t('billing:state.refunded')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ month, currency, payments, paid, refunded }) => (
            <tr key={`${month}-${currency}`}>
              <td>{formatMonth(month)}</td>
              <td data-number data-from="sm">
                {formatNumber(payments)}
              </td>
              <td data-number>{formatPrice(paid, currency)}</td>
              <td data-number>{formatPrice(refunded, currency)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

/** Of a month of UTC, as 2026-11. */
const formatMonth = (month: string) =>
  new Intl.DateTimeFormat(formatLocale(), { year: 'numeric', month: 'long', timeZone: 'UTC' }).format(new Date(month));
