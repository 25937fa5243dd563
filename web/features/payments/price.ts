import type { Package } from '../../../shared/contracts/payments.ts';
import { formatMoney } from '../../../shared/money.ts';
import { currentLocale, type Locale } from '../../lib/i18n.ts';

/** Prices are counted in the smallest unit of their currency. */
export const formatPrice = (amount: number, currency: Package['currency']) =>
  formatMoney(amount, currency, currentLocale());

const mostDecimals = { JPY: 2, USD: 4 } as const;

/** From one amount to another, in yen or dollars, to a hundredth of the smallest unit; of less, two digits. One where they look the same. */
export function formatSpan([least, most]: [number, number], currency: Package['currency'], locale: Locale): string {
  const decimals = mostDecimals[currency];
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    // As it is said there: 1.54円, and ¥1.54 elsewhere.
    currencyDisplay: locale === 'ja' && currency === 'JPY' ? 'name' : 'symbol',
    trailingZeroDisplay: 'stripIfInteger',
    ...(least < 10 ** -decimals
      ? { minimumSignificantDigits: 2, maximumSignificantDigits: 2 }
      : { minimumFractionDigits: 2, maximumFractionDigits: decimals }),
  });
  return format.format(least) === format.format(most) ? format.format(most) : format.formatRange(least, most);
}

/** A card as people know it: `visa 4242` is “Visa •••• 4242”. */
export const formatCard = (card: string) =>
  card
    .replace(/^card /, '')
    .replace(/(\d{4})$/, '•••• $1')
    .replace(/^[a-z]/, (first) => first.toUpperCase());
