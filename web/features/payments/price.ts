import type { Package } from '../../../shared/contracts/payments.ts';
import { formatMoney } from '../../../shared/money.ts';
import { currentLocale } from '../../lib/i18n.ts';

/** Prices are counted in the smallest unit of their currency. */
export const formatPrice = (amount: number, currency: Package['currency']) =>
  formatMoney(amount, currency, currentLocale());

/** A card as people know it: `visa 4242` is “Visa •••• 4242”. */
export const formatCard = (card: string) =>
  card
    .replace(/^card /, '')
    .replace(/(\d{4})$/, '•••• $1')
    .replace(/^[a-z]/, (first) => first.toUpperCase());
