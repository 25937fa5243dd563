import type { Package } from '../../../shared/contracts/payments.ts';
import { currentLocale } from '../../lib/i18n.ts';

/** Prices are counted in the smallest unit of their currency; yen have none below. */
export const formatPrice = (amount: number, currency: Package['currency']) =>
  new Intl.NumberFormat(currentLocale(), { style: 'currency', currency }).format(
    currency === 'JPY' ? amount : amount / 100,
  );
