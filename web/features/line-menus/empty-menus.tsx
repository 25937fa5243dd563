import type { ReactNode } from 'react';
import {
  IconCalendarEvent,
  IconMapPin,
  IconMessageCircle,
  IconShoppingBag,
  IconTicket,
  IconToolsKitchen2,
} from '@tabler/icons-react';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './line-menus.module.css';
import { Phone } from './phone.tsx';

const cells = [
  ['reserve', IconCalendarEvent],
  ['menu', IconToolsKitchen2],
  ['coupon', IconTicket],
  ['shop', IconShoppingBag],
  ['access', IconMapPin],
  ['contact', IconMessageCircle],
] as const;

/** What a rich menu is, drawn. */
export function EmptyMenus({ channel, action }: { channel: string; action: ReactNode }) {
  const { t } = useTranslation('line-menus');
  return (
    <div className={classes['empty']}>
      <div aria-hidden className={classes['still']}>
        <Phone
          title={channel}
          bar={t('common:menu')}
          isOpen
          menu={
            <div className={classes['sample']}>
              {cells.map(([name, Icon]) => (
                <span key={name}>
                  <Icon size={20} stroke={1.6} />
                  {t(`sample.${name}`)}
                </span>
              ))}
            </div>
          }
        >
          <span data-side="theirs">{t('sample.hello')}</span>
        </Phone>
      </div>
      <div>
        <h2>{t('list.empty')}</h2>
        <p>{t('list.emptyText')}</p>
        {action}
      </div>
    </div>
  );
}
