import '@mantine/core/styles/Checkbox.css';
import { Checkbox, Select, Skeleton, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Package } from '../../../shared/contracts/payments.ts';
import { problemOf } from '../../lib/error-text.ts';
import { gap } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { newId } from '../../lib/new-id.ts';
import { FormActions } from '../../ui/form-actions.tsx';
import { Modal } from '../../ui/overlays.tsx';
import { usePackages, usePay, useTopUp } from './payments.queries.ts';
import { PackageChoice } from './package-choice.tsx';
import classes from './payments.module.css';
import { formatPrice } from './price.ts';
import { areComplete, TopUpFields, type Agreed, type Terms } from './top-up-fields.tsx';

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

const inFours = (number: string) => number.replace(/(.{4})(?=.)/g, '$1\u00a0');

interface Props {
  opened: boolean;
  packages: Package[];
  /** The package that is bought unless another is chosen. */
  wanted?: string | undefined;
  /** It is opened to set the automatic top-up up. */
  isSettingUp?: boolean;
  onClose(): void;
}

/** A package, and what to pay it with: a test card, or the form of the gateway. */
export function BuyDialog({ opened, onClose, ...choice }: Props) {
  const { t } = useTranslation('billing');
  return (
    <Modal opened={opened} onClose={onClose} title={t('buy')} centered>
      {opened && <Choice {...choice} onClose={onClose} />}
    </Modal>
  );
}

/** As often as a month has room for it, unless something else is said. */
const usualTimes = 4;
const usualBelow = 100;

function Choice({ packages, wanted, isSettingUp = false, onClose }: Omit<Props, 'opened'>) {
  const { t } = useTranslation('billing');
  const [chosen, setChosen] = useState(packages.find(({ uuid }) => uuid === wanted)?.uuid ?? packages[0]?.uuid ?? '');
  // One for each package: pressed again after a lost answer, it goes on with the same order.
  const [orders] = useState(newId);
  const publishableKey = usePackages().data?.meta.publishableKey;
  const sold = packages.find(({ uuid }) => uuid === chosen);
  const [isAgain, setIsAgain] = useState(isSettingUp);
  const [given, setGiven] = useState<Terms>();
  const isSetUp = useTopUp().data;
  const terms = given ?? { below: usualBelow, monthLimit: sold && sold.price * usualTimes };
  const topUp = isAgain && sold && areComplete(terms, sold) ? terms : undefined;
  const order = {
    sold,
    topUp: topUp && { below: topUp.below, monthLimit: topUp.monthLimit },
    isIncomplete: isAgain && !topUp,
    orderKey: [orders, chosen, ...(topUp ? [topUp.below, topUp.monthLimit] : [])].join('-'),
    onClose,
  };
  return (
    <Stack>
      <PackageChoice label={t('package')} packages={packages} value={chosen} onChange={setChosen} />
      <Checkbox
        label={t('topUp.wish')}
        description={t(isSetUp && isAgain ? 'topUp.replaces' : 'topUp.wishHint')}
        checked={isAgain}
        onChange={(event) => setIsAgain(event.currentTarget.checked)}
      />
      {isAgain && sold && <TopUpFields sold={sold} value={terms} onChange={setGiven} />}
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
  /** What the purchase sets up. */
  topUp: Agreed | undefined;
  /** Something of it is still missing. */
  isIncomplete: boolean;
  orderKey: string;
  onClose(): void;
}

function SandboxForm({ sold, topUp, isIncomplete, orderKey, onClose }: Ordered) {
  const { t } = useTranslation('billing');
  const navigate = useNavigate();
  const pay = usePay();
  const [number, setNumber] = useState<string>(cards[0][1]);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (pay.isPending || !sold || isIncomplete) return;
        pay.mutate(
          { wanted: sold.uuid, key: orderKey, topUp, number },
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
          description={[t('card.sandbox'), t('card.number', { number: inFours(number) })].join(gap())}
          value={number}
          data={cards.map(([name, value]) => ({ value, label: t(`card.${name}`) }))}
          renderOption={({ option: { label, value }, checked }) => (
            <span className={classes['testCard']} data-checked={checked || undefined}>
              {label}
              <small aria-hidden>{inFours(value)}</small>
            </span>
          )}
          maxDropdownHeight={400}
          allowDeselect={false}
          onChange={(next) => setNumber(next ?? cards[0][1])}
        />
        <FormActions
          submit={sold ? t('pay', { price: formatPrice(sold.price, sold.currency) }) : t('buy')}
          cancel={t('common:cancel')}
          isBusy={pay.isPending}
          disabled={!sold || isIncomplete}
          error={problemOf(pay.error)}
          onClose={onClose}
        />
      </Stack>
    </form>
  );
}
