import { Skeleton, Stack, Text, useComputedColorScheme } from '@mantine/core';
import type { Stripe, StripeElements, StripeError } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { useEffect, useMemo, useRef, useState } from 'react';
import { errorText } from '../../lib/error-text.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import type { Ordered } from './buy-dialog.tsx';
import { useOrder } from './payments.queries.ts';
import { formatPrice } from './price.ts';

// What people do elsewhere on our pages is no business of the gateway's.
loadStripe.setLoadParameters({ advancedFraudSignals: false });

/** The gateway's own form: what is entered there never comes to our pages. The order is placed when it is complete. */
export function StripeForm({
  publishableKey,
  sold,
  topUp,
  isIncomplete,
  orderKey,
  onClose,
}: Ordered & { publishableKey: string }) {
  const { t } = useTranslation('billing');
  const order = useOrder();
  const place = useRef<HTMLDivElement>(null);
  const form = useRef<{ stripe: Stripe; elements: StripeElements }>(undefined);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [isPaying, setIsPaying] = useState(false);
  const [error, setError] = useState<string>();
  const scheme = useComputedColorScheme();
  const price = sold?.price ?? 0;
  // The form says what the card is kept for, as the payment does.
  const keepsCard = topUp !== undefined;
  // Another package may be chosen while the form is on its way.
  const told = useMemo(
    () => ({ amount: price, setupFutureUsage: keepsCard ? ('off_session' as const) : null }),
    [price, keepsCard],
  );
  const current = useRef(told);
  current.current = told;
  const currency = sold?.currency.toLowerCase() ?? '';

  useEffect(() => {
    let isGone = false;
    const open = async () => {
      const stripe = await loadStripe(publishableKey, { locale: currentLocale() });
      const at = place.current;
      if (isGone || !stripe || !at) return;
      const elements = stripe.elements({
        mode: 'payment',
        ...current.current,
        currency,
        appearance: {
          theme: scheme === 'dark' ? 'night' : 'stripe',
          variables: { borderRadius: '6px', fontSizeBase: '14px' },
        },
      });
      const fields = elements.create('payment');
      fields.on('ready', () => setState('ready'));
      fields.on('loaderror', () => setState('failed'));
      fields.mount(at);
      form.current = { stripe, elements };
    };
    open().catch(() => setState('failed'));
    return () => {
      isGone = true;
      form.current?.elements.getElement('payment')?.destroy();
      form.current = undefined;
    };
    // Another price is told to the form that is there already.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [publishableKey, currency, scheme]);

  useEffect(() => void form.current?.elements.update(told), [told]);

  async function pay() {
    if (!sold || isIncomplete || !form.current) return;
    const { stripe, elements } = form.current;
    const complete = await elements.submit();
    if (complete.error) return setError(wordsOf(complete.error));
    const { data, meta } = await order.mutateAsync({ wanted: sold.uuid, key: orderKey, topUp });
    const back = new URL('/payment/3d-secure', location.origin);
    back.searchParams.set('payment', data.uuid);
    // One that was paid while its answer was lost says so there.
    if (!meta.clientSecret) return location.assign(back);
    const { error } = await stripe.confirmPayment({
      elements,
      clientSecret: meta.clientSecret,
      confirmParams: { return_url: back.href },
    });
    setError(wordsOf(error) ?? t('failure.declined'));
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isPaying) return;
        setError(undefined);
        setIsPaying(true);
        pay()
          .catch((reason: unknown) => setError(errorText(reason)))
          .finally(() => setIsPaying(false));
      }}
    >
      <Stack>
        {state === 'loading' && <Skeleton height={220} />}
        {state === 'failed' && (
          <Text size="sm" c="red" role="alert">
            {t('card.notLoaded')}
          </Text>
        )}
        <div ref={place} />
        <FormActions
          submit={sold ? t('pay', { price: formatPrice(sold.price, sold.currency) }) : t('buy')}
          cancel={t('common:cancel')}
          isBusy={isPaying}
          disabled={!sold || isIncomplete || state !== 'ready'}
          error={error}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}

/** Of what a person can put right, the gateway tells in their language: https://docs.stripe.com/api/errors */
const wordsOf = (error: StripeError): string | undefined =>
  error.type === 'card_error' || error.type === 'validation_error' ? error.message : errorText(error);
