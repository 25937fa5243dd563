import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import type { Words } from './draft.ts';

const samples = ['reserve', 'menu', 'coupon', 'shop', 'access', 'contact'] as const;

/** What a picture may say of itself: names of menus, and examples. */
export function useWords() {
  const { t } = useTranslation('line-menus');
  return ({ uuid, name }: { uuid: string; name: string }, menus: RichMenu[]): Words => ({
    nameOf: (menu) => (menu === uuid ? name : menus.find((each) => each.uuid === menu)?.menu.name),
    sample: (at) => t(`sample.${samples[at % samples.length] ?? 'menu'}`),
  });
}
