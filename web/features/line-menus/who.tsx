import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { formatShortly } from './format-shortly.ts';
import { isOnLine } from './state.ts';
import { useTranslation } from '../../lib/i18n.ts';

/** Whether there is somebody whose menu it is, and not only a tab that leads to it. */
export const isForSomebody = ({ default: isDefault, tags, people }: RichMenu) =>
  isDefault || tags.length > 0 || people.length > 0;

/** Menus that somebody sees once they are on LINE, each with the one whose tab leads there, if it is for nobody itself. */
function openersOf(menus: RichMenu[]): Map<string, RichMenu | undefined> {
  const found = menus.filter(isForSomebody);
  const openers = new Map<string, RichMenu | undefined>(found.map(({ uuid }) => [uuid, undefined]));
  for (const opener of found)
    for (const { action } of opener.menu.areas) {
      const next = action?.type === 'richmenuswitch' && menus.find(({ uuid }) => uuid === action.menu);
      if (!next || openers.has(next.uuid)) continue;
      openers.set(next.uuid, opener);
      found.push(next);
    }
  return openers;
}

/** Whether nobody would see it, were it on LINE. `menus`: all of the channel, with this one. */
export const isForNobody = ({ uuid }: RichMenu, menus: RichMenu[]): boolean => !openersOf(menus).has(uuid);

/** Whether there is no other that somebody sees. */
const isOnlyOne = ({ uuid }: RichMenu, menus: RichMenu[]) =>
  menus.every((menu) => menu.uuid === uuid || !isOnLine(menu) || !isForSomebody(menu));

/** Who sees a menu, and when, each in one line. `menus`: all of the channel, since a tab may lead to it. */
export function useWho() {
  const { t } = useTranslation('line-menus');
  return {
    who(menu: RichMenu, menus: RichMenu[]): string {
      const { tags, people } = menu;
      const parts = [
        menu.default && t(isOnlyOne(menu, menus) ? 'who.everyone' : 'who.default'),
        tags.length > 0 && t('who.tags', { tags: tags.join(t('common:comma')) }),
        people.length > 0 && t('who.people', { count: people.length }),
      ].filter((part) => part !== false);
      if (parts.length > 0) return parts.join(t('common:dot'));
      const opener = openersOf(menus).get(menu.uuid);
      return opener ? t('who.tab', { name: opener.menu.name }) : t('who.nobody');
    },
    when({ from, to }: Pick<RichMenu, 'from' | 'to'>): string | undefined {
      const at = (moment: string) => formatShortly(moment).replaceAll(' ', '\u00a0');
      if (from && to) return t('who.span', { from: at(from), to: at(to) });
      if (from) return t('who.from', { from: at(from) });
      return to ? t('who.to', { to: at(to) }) : undefined;
    },
  };
}
