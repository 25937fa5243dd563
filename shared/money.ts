import type { Package } from './contracts/payments.ts';

type Currency = Package['currency'];

/** How many of the smallest unit make one of a currency; yen have none below. */
export const unitOf = (currency: Currency): number => (currency === 'JPY' ? 1 : 100);

/** An amount that is counted in the smallest unit of its currency. */
export const formatMoney = (amount: number, currency: Currency, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / unitOf(currency));
