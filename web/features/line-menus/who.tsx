import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { currentLocale, useTranslation } from '../../lib/i18n.ts';
import { getUser } from '../../lib/session.ts';

const formatShortly = (iso: string) =>
  new Intl.DateTimeFormat(currentLocale(), {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZone: getUser()?.timezone || undefined,
  }).format(new Date(iso));

/** The menu with a tab that leads to this one. */
const openerOf = ({ uuid }: RichMenu, menus: RichMenu[]): RichMenu | undefined =>
  menus.find(
    (other) =>
      other.uuid !== uuid &&
      other.menu.areas.some(({ action }) => action?.type === 'richmenuswitch' && action.menu === uuid),
  );

/** Whether nobody would see it, were it on LINE. */
export const isForNobody = (menu: RichMenu, menus: RichMenu[]): boolean =>
  !menu.default && menu.tags.length === 0 && menu.people.length === 0 && !openerOf(menu, menus);

/** Who sees a menu, and when, in one line. `menus`: all of the channel, since a tab may lead to it. */
export function useWho() {
  const { t } = useTranslation('line-menus');
  return (menu: RichMenu, menus: RichMenu[]): string => {
    const { tags, people, from, to } = menu;
    const parts = [
      menu.default && t('who.default'),
      tags.length > 0 && t('who.tags', { tags: tags.join(t('common:comma')) }),
      people.length > 0 && t('who.people', { count: people.length }),
    ].filter((part) => part !== false);
    if (parts.length === 0) {
      const opener = openerOf(menu, menus);
      parts.push(opener ? t('who.tab', { name: opener.menu.name }) : t('who.nobody'));
    }
    if (from && to) parts.push(t('who.span', { from: formatShortly(from), to: formatShortly(to) }));
    else if (from) parts.push(t('who.from', { from: formatShortly(from) }));
    else if (to) parts.push(t('who.to', { to: formatShortly(to) }));
    return parts.join(t('common:dot'));
  };
}
