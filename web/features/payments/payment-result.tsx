import { Button, Group, Stack, Text } from '@mantine/core';
import { Link, useLocation, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import type { Payment } from '../../../shared/contracts/payments.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { useQueryText } from '../../lib/query-text.ts';
import { useTitle } from '../../lib/use-title.ts';
import { Page } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { BuyDialog } from './buy-dialog.tsx';
import { useAnswer, usePackages, usePayment } from './payments.queries.ts';
import { formatPrice } from './price.ts';

const places = ['/payment/3d-secure', '/payment/success', '/payment/failed'] as const;
type Place = (typeof places)[number];

const placeOf = ({ state }: Payment): Place =>
  state === 'requires-action' || state === 'processing'
    ? '/payment/3d-secure'
    : state === 'succeeded' || state === 'refunded'
      ? '/payment/success'
      : '/payment/failed';

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
  const title = t(data ? titles[placeOf(data.data)] : 'result.checking');
  useTitle(title);
  return (
    <Page title={title} width="form">
      {uuid === '' || (error && !data) ? (
        <ErrorState
          title={t('common:failed.title')}
          text={error?.message ?? t('result.none')}
          retry={t('common:retry')}
          onRetry={() => void refetch()}
        />
      ) : !data ? (
        <SkeletonRows />
      ) : (
        <Stack>
          {data.data.sandbox && (
            <Text size="sm" c="dimmed">
              {t('card.sandbox')}
            </Text>
          )}
          <Said payment={data.data} balance={data.meta.balance} />
        </Stack>
      )}
    </Page>
  );
}

function Said({ payment, balance }: { payment: Payment; balance: number }) {
  const { t } = useTranslation('billing');
  const { credits, amount, currency, state } = payment;
  const bought = t('packageFor', { credits: formatNumber(credits), price: formatPrice(amount, currency) });
  if (state === 'requires-action' && payment.gateway === 'sandbox')
    return <Challenge uuid={payment.uuid} bought={bought} />;
  if (state === 'requires-action') return <Waiting payment={payment} bought={bought} />;
  if (state === 'processing') return <Text role="status">{t('result.processing')}</Text>;
  if (state !== 'succeeded' && state !== 'refunded') return <Failed payment={payment} bought={bought} />;
  return (
    <>
      <Text>{state === 'refunded' ? t('result.refunded', { bought }) : t('result.bought', { bought })}</Text>
      <Text fw={600}>
        {t('result.balance', { balance: formatNumber(Math.floor((balance / microPerCredit) * 100) / 100) })}
      </Text>
      <Group>
        <Purchases />
      </Group>
    </>
  );
}

function Purchases() {
  const { t } = useTranslation('billing');
  return (
    <Button variant="default" renderRoot={(props) => <Link to="/Token" search={{ tab: 'purchases' }} {...props} />}>
      {t('result.purchases')}
    </Button>
  );
}

/** The bank has not been answered, or not heard of yet. */
function Waiting({ payment, bought }: { payment: Payment; bought: string }) {
  const { t } = useTranslation('billing');
  return (
    <>
      <Text>{bought}</Text>
      <Text role="status">{t('result.unanswered')}</Text>
      <Again payment={payment} />
    </>
  );
}

function Failed({ payment, bought }: { payment: Payment; bought: string }) {
  const { t } = useTranslation('billing');
  return (
    <>
      <Text>{bought}</Text>
      <Text role="alert">
        {payment.failure ? t(`failure.${payment.failure}`) : t('result.notPaid')} {t('result.nothing')}
      </Text>
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

function Challenge({ uuid, bought }: { uuid: string; bought: string }) {
  const { t } = useTranslation('billing');
  const answer = useAnswer(uuid);
  return (
    <>
      <Text>{bought}</Text>
      <Text>{t('bank.text')}</Text>
      <Group>
        <Button loading={answer.isPending} onClick={() => answer.mutate('approve')}>
          {t('bank.approve')}
        </Button>
        <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate('refuse')}>
          {t('bank.refuse')}
        </Button>
        <Button variant="default" disabled={answer.isPending} onClick={() => answer.mutate('expire')}>
          {t('bank.expire')}
        </Button>
      </Group>
      {answer.error && (
        <Text size="sm" c="red" role="alert">
          {answer.error.message}
        </Text>
      )}
    </>
  );
}
