import { IconChevronRight } from '@tabler/icons-react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State } from '../../ui/page.tsx';
import { useFaultText } from './fault-text.ts';
import classes from './line-menus.module.css';

export type Problem = RichMenu['problems'][number];

export const parts = ['areas', 'picture', 'settings'] as const;
export type Part = (typeof parts)[number];

/** Where a problem is mended. */
export const partOf = ({ code, area }: Problem): Part =>
  area !== undefined || code === 'line-menu-empty'
    ? 'areas'
    : code.startsWith('line-menu-image') || code === 'sample'
      ? 'picture'
      : 'settings';

interface Props {
  problems: Problem[];
  letters: string[];
  /** As many as there is room for. */
  most?: number | undefined;
  onMend(problem: Problem): void;
}

/** All that is left to do, area by area; each leads to where it is done. */
export function Checks({ problems, letters, most, onMend }: Props) {
  const { t, has } = useTranslation('line-menus');
  const say = useFaultText();
  const letterOf = ({ area }: Problem) => (area === undefined ? undefined : letters[area]);
  /** As one reads them, and after them what is of no area. */
  const orderOf = (problem: Problem) => letterOf(problem)?.charCodeAt(0) ?? 0xffff;
  const textOf = ({ code, area, field }: Problem) => {
    const key = area !== undefined ? `area.${field}` : field === 'chatBarText' ? 'settings.bar' : `settings.${field}`;
    return field && has(key) ? t('editor.inField', { field: t(key), problem: say(code) }) : say(code);
  };
  return (
    <ul className={classes['checks']}>
      {problems
        .toSorted(
          (one, other) =>
            Number(one.level === 'warning') - Number(other.level === 'warning') || orderOf(one) - orderOf(other),
        )
        .slice(0, most)
        .map((problem, at) => (
          <li key={at}>
            <button type="button" onClick={() => onMend(problem)}>
              <State kind={problem.level === 'error' ? 'draft' : 'warning'}>
                {problem.area === undefined
                  ? textOf(problem)
                  : t('editor.inArea', { letter: letterOf(problem), problem: textOf(problem) })}
              </State>
              <IconChevronRight size={16} aria-hidden />
            </button>
          </li>
        ))}
    </ul>
  );
}
