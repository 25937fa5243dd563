import { useTranslation } from '../../lib/i18n.ts';
import type { Sample } from './draft.ts';

const samples = ['reserve', 'menu', 'coupon', 'shop', 'access', 'contact'] as const;

/** What a picture says, and what is asked by a tap, where nobody has said yet what it should. */
export function useSample(): Sample {
  const { t } = useTranslation('line-menus');
  return samples.map((name) => ({ label: t(`sample.${name}`), text: t(`sample.asks.${name}`) }));
}
