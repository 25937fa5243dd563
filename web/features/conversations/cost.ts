import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { formatLocale } from '../../lib/i18n.ts';

/** Micro-credits as credits, to the fourth place. */
export const formatCost = (micro: number) =>
  new Intl.NumberFormat(formatLocale(), { maximumFractionDigits: 4 }).format(micro / microPerCredit);
