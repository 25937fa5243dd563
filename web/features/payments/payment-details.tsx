import '@mantine/core/styles/NumberInput.css';
import { Button, Code, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { payments, type PaymentDetails as Details } from '../../../shared/contracts/payments.ts';
import { unitOf } from '../../../shared/money.ts';
import { ApiError } from '../../lib/api.ts';
import { errorText } from '../../lib/error-text.ts';
import { formatMoment, formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { newId } from '../../lib/new-id.ts';
import { Fact } from '../../ui/fact.tsx';
import { Section, State, type StateKind } from '../../ui/page.tsx';
import { SkeletonRows } from '../../ui/paged-list.tsx';
import { ErrorState } from '../../ui/states.tsx';
import table from '../../ui/table.module.css';
import { toast } from '../../ui/toast.tsx';
import { usePaymentDetails, useRefund, useRelease } from './operated.queries.ts';
import { PdfLink } from './pdf-link.tsx';
import classes from './payments.module.css';
import { kindOf } from './payment-kinds.ts';
import { formatPrice } from './price.ts';

/** Everything that is known of a payment, and the way to give it back. */
export function PaymentDetails({ uuid }: { uuid: string }) {
  const { t } = useTranslation('operator', 'billing');
  const { data, error, refetch } = usePaymentDetails(uuid);
  if (error && !data)
    return (
      <ErrorState
        title={t('common:failed.title')}
        text={errorText(error)}
        retry={t('common:retry')}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <SkeletonRows />;
  const { state, automatic, holds, amount, currency, credits, method, gateway, gatewayId, receipt, createdAt } = data;
  return (
    <Stack gap="lg">
      {holds.length > 0 && <Held uuid={uuid} holds={holds} />}
      <Stack gap={6}>
        <Fact label={t('billing:stateLabel')}>
          <State kind={kindOf[state]}>{t(`billing:state.${state}`)}</State>
        </Fact>
        <Fact label={t('billing:price')}>
          {t('billing:packageFor', { credits: formatNumber(credits), price: formatPrice(amount, currency) })}
        </Fact>
        <Fact label={t('billing:when')}>{formatMoment(createdAt)}</Fact>
        {automatic && <Fact label={t('billing:topUp.how')}>{t('billing:topUp.title')}</Fact>}
        {method && <Fact label={t('payments.method')}>{method}</Fact>}
        <Fact label={t('payments.gateway')}>
          {t(`payments.${gateway}`)} {gatewayId && <Code style={{ overflowWrap: 'anywhere' }}>{gatewayId}</Code>}
        </Fact>
        {receipt !== null && (
          <Fact label={t('payments.documents')}>
            <PdfLink route={payments.operatedReceipt} params={{ uuid }} name={`receipt-${receipt}.pdf`}>
              {t('billing:receipt', { number: receipt })}
            </PdfLink>
          </Fact>
        )}
      </Stack>
      <Refunds payment={data} />
      {data.disputes.length > 0 && <Disputes payment={data} />}
      {data.events.length > 0 && (
        <Section title={t('payments.events')} count={data.events.length}>
          <table className={table['list']}>
            <tbody>
              {data.events.map(({ id, type, createdAt: at }) => (
                <tr key={id}>
                  <td className={table['one']} title={id}>
                    {type}
                  </td>
                  <td data-number>{formatMoment(at)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Section>
      )}
      {data.refundable > 0 && <RefundForm payment={data} />}
    </Stack>
  );
}

function Held({ uuid, holds }: { uuid: string; holds: Details['holds'] }) {
  const { t } = useTranslation('operator');
  const release = useRelease(uuid);
  return (
    <div role="alert">
      <State kind="failed">
        <b>{t('payments.held')}</b>
      </State>
      {holds.map(({ reason, about }) => (
        <Text size="sm" key={`${reason} ${about}`}>
          {t(`payments.why.${reason}`)} {about && <Code style={{ overflowWrap: 'anywhere' }}>{about}</Code>}
        </Text>
      ))}
      <Button
        mt="xs"
        size="xs"
        variant="default"
        loading={release.isPending}
        onClick={() => release.mutate(undefined, { onError: (error) => toast.error(errorText(error)) })}
      >
        {t('payments.release')}
      </Button>
    </div>
  );
}

const refundKinds = {
  wanted: 'working',
  pending: 'working',
  succeeded: 'live',
  failed: 'failed',
} as const satisfies Record<Details['refunds'][number]['state'], StateKind>;

function Refunds({ payment }: { payment: Details }) {
  const { t } = useTranslation('operator', 'billing');
  if (payment.refunds.length === 0) return null;
  return (
    <Section title={t('payments.refunds')} count={payment.refunds.length}>
      <table className={table['list']}>
        <tbody>
          {payment.refunds.map(({ uuid, amount, state, reason, note, refused, createdAt }) => (
            <tr key={uuid}>
              <td title={formatMoment(createdAt)}>
                {formatPrice(amount, payment.currency)}
                <small className={classes['below']}>{reason || t('payments.atGateway')}</small>
                {refused && <small className={classes['below']}>{refused}</small>}
              </td>
              <td>
                <State kind={refundKinds[state]}>{t(`payments.refundState.${state}`)}</State>
                {note !== null && (
                  <small className={classes['below']}>
                    <PdfLink
                      route={payments.operatedCreditNote}
                      params={{ uuid: payment.uuid, refund: uuid }}
                      name={`credit-note-${note}.pdf`}
                    >
                      {t('billing:note', { number: note })}
                    </PdfLink>
                  </small>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

const disputeKinds = { open: 'failed', won: 'live', lost: 'off' } as const satisfies Record<
  Details['disputes'][number]['state'],
  StateKind
>;

function Disputes({ payment }: { payment: Details }) {
  const { t } = useTranslation('operator', 'billing');
  return (
    <Section title={t('payments.disputes')} count={payment.disputes.length}>
      <table className={table['list']}>
        <tbody>
          {payment.disputes.map(({ id, amount, state, reason, createdAt }) => (
            <tr key={id}>
              <td title={formatMoment(createdAt)}>
                {formatPrice(amount, payment.currency)}
                <small className={classes['below']}>{reason}</small>
              </td>
              <td>
                <State kind={disputeKinds[state]}>{t(`payments.disputeState.${state}`)}</State>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function RefundForm({ payment: { uuid, refundable, currency, gateway } }: { payment: Details }) {
  const { t } = useTranslation('operator', 'billing');
  const refund = useRefund(uuid);
  const unit = unitOf(currency);
  const [amount, setAmount] = useState<number | string>(refundable / unit);
  const [reason, setReason] = useState('');
  // One for this refund: sent twice, it is made once. Another amount is another refund.
  const [key, setKey] = useState(newId);
  const fields = refund.error instanceof ApiError ? refund.error.fields : {};
  const wanted = typeof amount === 'number' ? Math.round(amount * unit) : 0;
  return (
    <Section title={t('payments.refund')}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (refund.isPending) return;
          refund.mutate({ key, amount: wanted, reason }, { onSuccess: () => setReason('') });
        }}
      >
        <Stack gap="sm" mt="sm">
          <NumberInput
            label={t('payments.refundAmount')}
            description={t('payments.refundLeft', { left: formatPrice(refundable, currency) })}
            value={amount}
            onChange={(next) => {
              setAmount(next);
              setKey(newId());
            }}
            error={fields['amount']}
            min={1 / unit}
            max={refundable / unit}
            decimalScale={currency === 'JPY' ? 0 : 2}
            allowDecimal={currency !== 'JPY'}
            allowNegative={false}
            thousandSeparator=","
            hideControls
            required
          />
          <TextInput
            label={t('payments.reason')}
            description={t('payments.reasonHint')}
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              setKey(newId());
            }}
            error={fields['reason']}
            maxLength={200}
            required
          />
          {refund.error && Object.keys(fields).length === 0 && (
            <Text size="sm" c="red" role="alert">
              {errorText(refund.error)}
            </Text>
          )}
          <Group justify="space-between">
            <Text size="xs" c="dimmed">
              {gateway === 'sandbox' && t('billing:card.sandbox')}
            </Text>
            <Button
              type="submit"
              color="red.8"
              loading={refund.isPending}
              disabled={wanted < 1 || wanted > refundable || reason.trim() === ''}
            >
              {t('payments.refundDo', { price: formatPrice(wanted, currency) })}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
