import '@mantine/core/styles/NumberInput.css';
import { Group, NumberInput } from '@mantine/core';
import type { Package } from '../../../shared/contracts/payments.ts';
import { unitOf } from '../../../shared/money.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { formatPrice } from './price.ts';

/** `monthLimit` in the smallest unit of the currency; what is not a number yet is nothing. */
export interface Terms {
  below: number | undefined;
  monthLimit: number | undefined;
}

const most = { below: 1_000_000, monthLimit: 99_999_999 };

/** Whether they can be agreed to for a package at this price. */
export const areComplete = (terms: Terms, { price }: Pick<Package, 'price'>): terms is Agreed =>
  terms.below !== undefined &&
  terms.below >= 1 &&
  terms.below <= most.below &&
  terms.monthLimit !== undefined &&
  terms.monthLimit >= price &&
  terms.monthLimit <= most.monthLimit;

export interface Agreed {
  below: number;
  monthLimit: number;
}

interface Props {
  sold: Pick<Package, 'price' | 'currency'>;
  value: Terms;
  onChange(terms: Terms): void;
}

/** With how few credits a package is bought again, and for how much in a month. */
export function TopUpFields({ sold: { price, currency }, value, onChange }: Props) {
  const { t } = useTranslation('billing');
  const unit = unitOf(currency);
  const { below, monthLimit } = value;
  const times = Math.floor((monthLimit ?? 0) / price);
  const isTooLittle = monthLimit !== undefined && monthLimit < price;
  const same = { thousandSeparator: ',', allowNegative: false, hideControls: true, required: true } as const;
  return (
    <Group grow align="flex-start" preventGrowOverflow={false} gap="sm">
      <NumberInput
        {...same}
        label={t('topUp.below')}
        value={below ?? ''}
        min={1}
        max={most.below}
        allowDecimal={false}
        miw={200}
        onChange={(next) => onChange({ ...value, below: typeof next === 'number' ? next : undefined })}
      />
      <NumberInput
        {...same}
        label={t('topUp.limit', { currency })}
        description={times > 0 && t('topUp.limitTimes', { count: times })}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={monthLimit === undefined ? '' : monthLimit / unit}
        min={price / unit}
        max={most.monthLimit / unit}
        clampBehavior="none"
        allowDecimal={unit !== 1}
        decimalScale={unit === 1 ? 0 : 2}
        miw={200}
        error={isTooLittle && t('topUp.limitLeast', { price: formatPrice(price, currency) })}
        onChange={(next) =>
          onChange({ ...value, monthLimit: typeof next === 'number' ? Math.round(next * unit) : undefined })
        }
      />
    </Group>
  );
}
