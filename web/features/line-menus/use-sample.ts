import { useTranslation } from '../../lib/i18n.ts';
import type { Sample } from './draft.ts';

const samples = ['reserve', 'menu', 'coupon', 'shop', 'access', 'contact'] as const;

/** What a picture says where nobody has said yet what it should. */
export function useSample(): Sample {
  const { t } = useTranslation('line-menus');
  return (at) => t(`sample.${samples[at % samples.length] ?? 'menu'}`);
}
