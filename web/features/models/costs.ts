import type { Price, Service } from '../../../shared/contracts/services.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { usualTokens } from '../../lib/amounts.ts';
import { currentLocale, formatLocale } from '../../lib/i18n.ts';

export const dollarsFor = (price: Price, tokens = usualTokens) =>
  (tokens.in * price.in + tokens.out * price.out) / 1_000_000;

/** Of micro-credits, as exactly as a reader needs it: an answer can cost a thousandth of a credit. */
export const formatCredits = (micro: number) =>
  new Intl.NumberFormat(
    currentLocale(),
    Math.abs(micro) < microPerCredit ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 2 },
  ).format(micro / microPerCredit);

/** In a column, where figures stand under each other: -0.274 or +100, and of little its first digits. */
export function formatEntry(micro: number): string {
  const isTiny = Math.abs(micro) < microPerCredit / 100;
  return new Intl.NumberFormat(formatLocale(), {
    trailingZeroDisplay: 'stripIfInteger',
    ...(isTiny ? { maximumSignificantDigits: 2 } : { minimumFractionDigits: 3, maximumFractionDigits: 3 }),
  })
    .format(micro / microPerCredit)
    .replace('-', '\u2212');
}

/** What the cheapest and the dearest of a provider's models ask for an answer. */
export function answerCosts(services: Service[], provider: string): { least: number; most: number } | undefined {
  const costs = services.flatMap((service) =>
    service.provider === provider && service.group === 'model' && service.price ? [dollarsFor(service.price)] : [],
  );
  return costs.length === 0 ? undefined : { least: Math.min(...costs), most: Math.max(...costs) };
}

/** A model to begin with: neither the dearest nor the least able. */
export function middleOf(services: Service[]): Service | undefined {
  const priced = services
    .filter((service) => service.price && dollarsFor(service.price) > 0)
    .toSorted((one, other) => (one.price && other.price ? dollarsFor(one.price) - dollarsFor(other.price) : 0));
  return priced[Math.floor((priced.length - 1) / 2)] ?? services[0];
}
