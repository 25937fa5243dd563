import { IconChevronRight } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { State, type StateKind } from '../../ui/page.tsx';
import { useFaultText } from './fault-text.ts';
import classes from './line-menus.module.css';

export type Problem = RichMenu['problems'][number];

export const parts = ['areas', 'picture', 'settings'] as const;
export type Part = (typeof parts)[number];

/** Where a problem is mended. */
export const partOf = ({ code, area }: Problem): Part =>
  area !== undefined || code === 'line-menu-empty'
    ? 'areas'
    : code.startsWith('line-menu-image')
      ? 'picture'
      : 'settings';

/** A label on the picture that nobody has written yet. */
export const isExample = ({ code }: Problem) => code === 'sample';

/** In how many lines they are told: examples have one together. */
export const countLines = (problems: Problem[]) =>
  problems.filter((each) => !isExample(each)).length + Number(problems.some(isExample));

/** As one reads them, and after them what is of no area. */
export function areaOrder(problems: Problem[], letters: string[]): Problem[] {
  const placeOf = ({ area }: Problem) => letters[area ?? -1]?.charCodeAt(0) ?? 0xffff;
  return problems.toSorted((one, other) => placeOf(one) - placeOf(other));
}

interface Props {
  problems: Problem[];
  letters: string[];
  /** What areas are called. */
  names: string[];
  onMend(problem: Problem): void;
  /** What comes first. */
  children?: ReactNode;
}

/** All that is left to do, area by area; each leads to where it is done. */
export function Checks({ problems, letters, names, onMend, children }: Props) {
  const { t, has } = useTranslation('line-menus');
  const say = useFaultText();
  const titleOf = (area: number) => {
    const letter = letters[area];
    return names[area] ? `${letter} ${names[area]}` : t('area.title', { letter });
  };
  const textOf = ({ code, area, field }: Problem) => {
    const key = area !== undefined ? `area.${field}` : field === 'chatBarText' ? 'settings.bar' : `settings.${field}`;
    return field && has(key) ? t('editor.inField', { field: t(key), problem: say(code) }) : say(code);
  };
  return (
    <ul className={classes['checks']}>
      {children}
      {areaOrder(problems, letters)
        .toSorted((one, other) => Number(one.level === 'warning') - Number(other.level === 'warning'))
        .map((problem, at) => (
          <Check key={at} kind={problem.level === 'error' ? 'draft' : 'warning'} onMend={() => onMend(problem)}>
            {problem.area === undefined
              ? textOf(problem)
              : t('editor.inField', { field: titleOf(problem.area), problem: textOf(problem) })}
          </Check>
        ))}
    </ul>
  );
}

/** One thing to do, and the way there. */
export const Check = ({ kind, onMend, children }: { kind: StateKind; onMend(): void; children: ReactNode }) => (
  <li>
    <button type="button" onClick={onMend}>
      <State kind={kind}>{children}</State>
      <IconChevronRight size={16} aria-hidden />
    </button>
  </li>
);
