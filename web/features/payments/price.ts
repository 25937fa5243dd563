import type { Package } from '../../../shared/contracts/payments.ts';
import { currentLocale } from '../../lib/i18n.ts';

/** How many of the smallest unit make one of a currency; yen have none below. */
export const unitOf = (currency: Package['currency']): number => (currency === 'JPY' ? 1 : 100);

/** Prices are counted in the smallest unit of their currency. */
export const formatPrice = (amount: number, currency: Package['currency']) =>
  new Intl.NumberFormat(currentLocale(), { style: 'currency', currency }).format(amount / unitOf(currency));

/** A card as people know it: `visa 4242` is “Visa •••• 4242”. */
export const formatCard = (card: string) =>
  card
    .replace(/^card /, '')
    .replace(/(\d{4})$/, '•••• $1')
    .replace(/^[a-z]/, (first) => first.toUpperCase());
