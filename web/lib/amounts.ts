import { formatLocale } from './i18n.ts';

/** US dollars: whole ones or with cents, and of less than a cent its first two digits. */
export const formatDollars = (amount: number) =>
  new Intl.NumberFormat(formatLocale(), {
    style: 'currency',
    currency: 'USD',
    trailingZeroDisplay: 'stripIfInteger',
    ...(Math.abs(amount) < 0.01 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 4 }),
  }).format(amount);

/** As 8K or 1.05M, which Japanese writes 8000 and 105万. */
export const formatShort = (value: number) =>
  new Intl.NumberFormat(formatLocale(), { notation: 'compact', maximumSignificantDigits: 3 }).format(value);

/** What an answer from documents usually takes. */
export const usualTokens = { in: 2_500, out: 300 };
