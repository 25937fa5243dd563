import { Link } from '@tanstack/react-router';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { tabRowOf, type DraftMenu } from './draft.ts';
import classes from './line-menus.module.css';

interface Props {
  menu: RichMenu;
  draft: DraftMenu;
  menus: RichMenu[];
}

/** From one menu to those that take its place by a tab. */
export function TabLinks({ menu, draft, menus }: Props) {
  const { t } = useTranslation('line-menus');
  const tabs = tabRowOf(draft).row.flatMap((at) => {
    const action = draft.areas[at]?.action;
    const found = action?.type === 'richmenuswitch' && menus.find(({ uuid }) => uuid === action.menu);
    return found ? [{ uuid: found.uuid, name: action.label || found.menu.name }] : [];
  });
  if (tabs.length < 2) return null;
  return (
    <nav className={classes['tabLinks']} aria-label={t('tabs.label')}>
      <span>{t('tabs.label')}</span>
      {tabs.map(({ uuid, name }) => (
        <Link
          key={uuid}
          to="/Line-Channel/$id/Rich-Menu/$menu"
          params={{ id: menu.channel, menu: uuid }}
          search={(before) => ({ ...('part' in before && before.part && { part: before.part }) })}
          aria-current={uuid === menu.uuid ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
      <small>{t('tabs.hint')}</small>
    </nav>
  );
}
