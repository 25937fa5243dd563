import '@mantine/core/styles/Radio.css';
import { Radio, Stack } from '@mantine/core';
import type { Package } from '../../../shared/contracts/payments.ts';
import { formatNumber } from '../../lib/format.ts';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './payments.module.css';
import { formatPrice } from './price.ts';

interface Props {
  label: string;
  packages: Package[];
  value: string;
  onChange(uuid: string): void;
}

/** What credits are sold in, one of which is chosen: credits at the left, prices at the right. */
export function PackageChoice({ label, packages, value, onChange }: Props) {
  const { t } = useTranslation('billing');
  return (
    <Radio.Group label={label} value={value} onChange={onChange}>
      <Stack gap={0} mt="xs" className={classes['offers'] ?? ''}>
        {packages.map(({ uuid, credits, price, currency }) => (
          <Radio
            key={uuid}
            value={uuid}
            label={
              <>
                {t('credits', { credits: formatNumber(credits) })} <b>{formatPrice(price, currency)}</b>
              </>
            }
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
