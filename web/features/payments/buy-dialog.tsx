import '@mantine/core/styles/Radio.css';
import { Radio, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Package } from '../../../shared/contracts/payments.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { usePackages, usePay } from './payments.queries.ts';
import { formatPrice } from './price.ts';

// Whoever buys in the sandbox, or nothing, loads nothing of it.
const StripeForm = lazy(async () => ({ default: (await import('./stripe-form.tsx')).StripeForm }));

const cards = [
  ['success', '4242424242424242'],
  ['challenge', '4000002760003184'],
  ['challengeDeclined', '4000008400001629'],
  ['declined', '4000000000000002'],
  ['insufficient', '4000000000009995'],
  ['expired', '4000000000000069'],
  ['timeout', '4000000000000119'],
] as const;

interface Props {
  opened: boolean;
  packages: Package[];
  /** The package that is bought unless another is chosen. */
  wanted?: string | undefined;
  onClose(): void;
}

/** A package, and what to pay it with: a test card, or the form of the gateway. */
export function BuyDialog({ opened, packages, wanted, onClose }: Props) {
  const { t } = useTranslation('billing');
  return (
    <Modal opened={opened} onClose={onClose} title={t('buy')} centered>
      {opened && <Choice packages={packages} wanted={wanted} onClose={onClose} />}
    </Modal>
  );
}

function Choice({ packages, wanted, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('billing');
  const [chosen, setChosen] = useState(packages.find(({ uuid }) => uuid === wanted)?.uuid ?? packages[0]?.uuid ?? '');
  // One for each package: pressed again after a lost answer, it goes on with the same order.
  const [orders] = useState(() => crypto.getRandomValues(new Uint32Array(4)).join('-'));
  const publishableKey = usePackages().data?.meta.publishableKey;
  const sold = packages.find(({ uuid }) => uuid === chosen);
  const order = { sold, orderKey: `${orders}-${chosen}`, onClose };
  return (
    <Stack>
      <Radio.Group label={t('package')} value={chosen} onChange={setChosen}>
        <Stack gap="xs" mt="xs">
          {packages.map(({ uuid, credits, price, currency }) => (
            <Radio
              key={uuid}
              value={uuid}
              label={t('packageFor', { credits: formatNumber(credits), price: formatPrice(price, currency) })}
            />
          ))}
        </Stack>
      </Radio.Group>
      {publishableKey ? (
        <Suspense fallback={<Skeleton height={220} />}>
          {/* The gateway's form is made for one currency. */}
          <StripeForm key={sold?.currency} publishableKey={publishableKey} {...order} />
        </Suspense>
      ) : (
        <SandboxForm {...order} />
      )}
    </Stack>
  );
}

/** What is bought, and the key under which it is ordered. */
export interface Ordered {
  sold: Package | undefined;
  orderKey: string;
  onClose(): void;
}

function SandboxForm({ sold, orderKey, onClose }: Ordered) {
  const { t } = useTranslation('billing');
  const navigate = useNavigate();
  const pay = usePay();
  const [number, setNumber] = useState<string>(cards[0][1]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (pay.isPending || !sold) return;
        pay.mutate(
          { wanted: sold.uuid, key: orderKey, number },
          {
            onSuccess: ({ uuid, state }) => {
              const search = { payment: uuid };
              if (state === 'succeeded') void navigate({ to: '/payment/success', search });
              else if (state === 'failed') void navigate({ to: '/payment/failed', search });
              else void navigate({ to: '/payment/3d-secure', search });
              onClose();
            },
          },
        );
      }}
    >
      <Stack>
        <Select
          label={t('card.label')}
          description={t('card.sandbox')}
          value={number}
          data={cards.map(([name, value]) => ({ value, label: t(`card.${name}`) }))}
          allowDeselect={false}
          onChange={(next) => setNumber(next ?? cards[0][1])}
        />
        <Text size="xs" c="dimmed">
          {t('card.number', { number: number.replace(/(.{4})(?=.)/g, '$1 ') })}
        </Text>
        <FormActions
          submit={sold ? t('pay', { price: formatPrice(sold.price, sold.currency) }) : t('buy')}
          cancel={t('common:cancel')}
          isBusy={pay.isPending}
          disabled={!sold}
          error={pay.error?.message}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
