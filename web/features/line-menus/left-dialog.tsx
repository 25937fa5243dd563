import { useNavigate } from '@tanstack/react-router';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { areaLetters } from '../../../shared/menu-layout.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Modal } from '../../ui/overlays.tsx';
import { Checks, partOf, type Problem } from './checks.tsx';
import { namesOf } from './draft.ts';
import classes from './line-menus.module.css';

interface Props {
  /** Those that are to be published together and are not finished. */
  menus: RichMenu[];
  /** For a menu that is open already; false for another. */
  onMend(menu: RichMenu, problem: Problem): boolean;
  onClose(): void;
}

/** Why nothing was published. */
export function LeftDialog({ menus, onMend, onClose }: Props) {
  const { t } = useTranslation('line-menus');
  const navigate = useNavigate();
  const mend = (menu: RichMenu, problem: Problem) => {
    onClose();
    if (onMend(menu, problem)) return;
    const part = partOf(problem);
    void navigate({
      to: '/Line-Channel/$id/Rich-Menu/$menu',
      params: { id: menu.channel, menu: menu.uuid },
      search: {
        ...(part !== 'areas' && { part }),
        ...(problem.area !== undefined && { area: areaLetters(menu.menu.areas)[problem.area] }),
      },
    });
  };
  return (
    <Modal opened onClose={onClose} title={t('left.title')} centered>
      <p className={classes['leftText']}>{t('left.text')}</p>
      {menus.map((menu) => (
        <section key={menu.uuid} className={classes['left']}>
          <h3>{menu.menu.name}</h3>
          <Checks
            problems={menu.problems.filter(({ level }) => level === 'error')}
            letters={areaLetters(menu.menu.areas)}
            names={namesOf({ menu: menu.menu, design: null }, [])}
            onMend={(problem) => mend(menu, problem)}
          />
        </section>
      ))}
    </Modal>
  );
}
