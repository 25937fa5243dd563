import { Button, Group } from '@mantine/core';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import { payments, type Payment } from '../../../shared/contracts/payments.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useQueryText } from '../../lib/query-text.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { EmptyState, ErrorState } from '../../ui/states.tsx';
import { BuyDialog } from './buy-dialog.tsx';
import { placeOf } from './payment-kinds.ts';
import { PaymentStateMark } from './payment-state.tsx';
import { useAnswer, usePackages, usePayment, useTopUp } from './payments.queries.ts';
import classes from './payments.module.css';
import { PdfLink } from './pdf-link.tsx';
import { formatPrice } from './price.ts';

const titles = {
  '/payment/3d-secure': 'result.waiting',
  '/payment/success': 'result.succeeded',
  '/payment/failed': 'result.failed',
} as const;

/** Says what became of a payment. The address says nothing: where it is not the right one, the right one follows. */
export function PaymentResult() {
  const { t } = useTranslation('billing');
  const uuid = useQueryText()('payment') ?? '';
  const { data, error, refetch } = usePayment(uuid);
  const place = useLocation({ select: ({ pathname }) => pathname });
  const navigate = useNavigate();
  const right = data && placeOf(data.data);
  useEffect(() => {
    if (right && right !== place) void navigate({ to: right, search: { payment: uuid }, replace: true });
  }, [right, place, uuid, navigate]);
  const isNone = uuid === '' || (error instanceof ApiError && error.status === 404);
  const title = t(isNone ? 'result.noneTitle' : data ? titles[placeOf(data.data)] : 'result.checking');
  useTitle(title);
  return (
    <Page
      title={title}
      width="full"
      above={
        <>
          <Link to="/Token" search={{ tab: 'purchases' }}>
            {t('common:page.token')}
          </Link>
          <span aria-hidden>/</span>
        </>
      }
    >
      {isNone ? (
        <EmptyState drawing="credits" title={t('result.noneTitle')} text={t('result.none')} action={<Purchases />} />
      ) : error && !data ? (
        <ErrorState
          title={t('common:failed.title')}
          text={errorText(error)}
          retry={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <SkeletonRows />
      ) : (
        <section className={classes['card']}>
          <Said payment={data.data} balance={data.meta.balance} />
          {data.data.sandbox && <small className={classes['sandbox']}>{t('card.sandbox')}</small>}
        </section>
      )}
    </Page>
  );
}

function Said({ payment, balance }: { payment: Payment; balance: number }) {
  const { t } = useTranslation('billing');
  const { state } = payment;
  if (state === 'requires-action' && payment.gateway === 'sandbox') return <Challenge payment={payment} />;
  if (state === 'requires-action') return <Waiting payment={payment} />;
  if (state !== 'processing' && state !== 'succeeded' && state !== 'refunded') return <Failed payment={payment} />;
  if (state === 'processing')
    return (
      <>
        <Facts payment={payment} />
        <p role="status">{t('result.processing')}</p>
        <Group>
          <Purchases />
        </Group>
      </>
    );
  return (
    <>
      <Facts payment={payment} balance={balance} />
      <Group>
        <Purchases isMain />
      </Group>
    </>
  );
}

/** What it is about, row by row. */
function Facts({ payment, balance }: { payment: Payment; balance?: number }) {
  const { t } = useTranslation('billing');
  const { uuid, automatic, credits, amount, currency, state, receipt, refunded, createdAt } = payment;
  const topUp = useTopUp().data;
  const rows: [string, ReactNode][] = [
    [t('package'), t('credits', { credits: formatNumber(credits) })],
    [t('price'), formatPrice(amount, currency)],
    ...(refunded > 0 ? [[t('state.refunded'), formatPrice(refunded, currency)] as [string, ReactNode]] : []),
    [t('when'), formatMoment(createdAt)],
    ...(automatic ? [[t('topUp.how'), t('topUp.title')] as [string, ReactNode]] : []),
    ...(topUp?.on && state === 'succeeded' && !automatic
      ? [[t('topUp.title'), t('topUp.on')] as [string, ReactNode]]
      : []),
    ...(receipt === null
      ? []
      : [
          [
            t('receiptLabel'),
            <PdfLink key="receipt" route={payments.receipt} params={{ uuid }} name={`receipt-${receipt}.pdf`}>
              {t('receipt', { number: receipt })}
            </PdfLink>,
          ] as [string, ReactNode],
        ]),
    ...(balance === undefined
      ? []
      : [
          [
            t('result.balanceLabel'),
            <b key="balance">
              {t('credits', { credits: formatNumber(Math.floor((balance / microPerCredit) * 100) / 100) })}
            </b>,
          ] as [string, ReactNode],
        ]),
  ];
  return (
    <>
      <p className={classes['verdict']}>
        <PaymentStateMark payment={payment} />
      </p>
      <dl className={classes['facts']}>
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function Purchases({ isMain = false }: { isMain?: boolean }) {
  const { t } = useTranslation('billing');
  return (
    <Button
      variant={isMain ? 'filled' : 'default'}
      renderRoot={(props) => <Link to="/Token" search={{ tab: 'purchases' }} {...props} />}
    >
      {t('result.purchases')}
    </Button>
  );
}

/** The bank has not been answered, or not heard of yet. */
function Waiting({ payment }: { payment: Payment }) {
  const { t } = useTranslation('billing');
  return (
    <>
      <Facts payment={payment} />
      <p role="status">{t('result.unanswered')}</p>
      <Again payment={payment} />
    </>
  );
}

function Failed({ payment }: { payment: Payment }) {
  const { t } = useTranslation('billing');
  return (
    <>
      <Facts payment={payment} />
      <p role="alert">
        {t('result.why', {
          reason: payment.failure ? t(`failure.${payment.failure}`) : t('result.notPaid'),
          result: t('result.nothing'),
        })}
      </p>
      <Again payment={payment} />
    </>
  );
}

function Again({ payment }: { payment: Payment }) {
  const { t } = useTranslation('billing');
  const packages = usePackages();
  const [isBuying, setIsBuying] = useState(false);
  const sold = packages.data?.data ?? [];
  return (
    <>
      <Group>
        {sold.length > 0 && <Button onClick={() => setIsBuying(true)}>{t('result.again')}</Button>}
        <Purchases />
      </Group>
      <BuyDialog opened={isBuying} packages={sold} wanted={payment.package} onClose={() => setIsBuying(false)} />
    </>
  );
}

function Challenge({ payment }: { payment: Payment }) {
  const { t } = useTranslation('billing');
  const answer = useAnswer(payment.uuid);
  return (
    <>
      <Facts payment={payment} />
      <p>{t('bank.text')}</p>
      <div className={classes['answers']}>
        <Button loading={answer.isPending} onClick={() => answer.mutate('approve')}>
          {t('bank.approve')}
        </Button>
        <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate('refuse')}>
          {t('bank.refuse')}
        </Button>
        <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate('expire')}>
          {t('bank.expire')}
        </Button>
      </div>
      {answer.error && (
        <p className={classes['fault']} role="alert">
          {errorText(answer.error)}
        </p>
      )}
    </>
  );
}
