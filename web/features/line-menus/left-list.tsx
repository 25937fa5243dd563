import { Link } from '@tanstack/react-router';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State } from '../../ui/page.tsx';
import { Check, Checks, type Problem } from './checks.tsx';
import classes from './line-menus.module.css';

interface Props {
  problems: Problem[];
  letters: string[];
  names: string[];
  /** Those that its tabs lead to and that are not finished: they go to LINE together. */
  waiting: RichMenu[];
  /** Beside the work; what opens over it has a title already. */
  hasHeading: boolean;
  onMend(problem: Problem): void;
}

/** What is left to do before it can be published; and apart from that, what is worth a look. */
export function LeftList({ problems, letters, names, waiting, hasHeading, onMend }: Props) {
  const { t } = useTranslation('line-menus');
  const left = problems.filter(({ level }) => level === 'error');
  const hints = problems.filter(({ level }) => level === 'warning');
  const count = left.length + waiting.length;
  // Each of them is told at its area.
  const idle = left.filter(({ code }) => code === 'line-menu-action');
  const isGrouped = idle.length > 1;
  const [first] = idle;
  const list = (
    <>
      {left.length > 0 && (
        <Checks
          problems={isGrouped ? left.filter((each) => !idle.includes(each)) : left}
          letters={letters}
          names={names}
          onMend={onMend}
        >
          {isGrouped && first && (
            <Check kind="draft" onMend={() => onMend(first)}>
              {t('editor.idle', { count: idle.length })}
            </Check>
          )}
        </Checks>
      )}
      {waiting.map(({ uuid, channel, menu: { name } }) => (
        <p key={uuid} className={classes['ready']}>
          <State kind="draft">
            <Link
              to="/Line-Channel/$id/Rich-Menu/$menu"
              params={{ id: channel, menu: uuid }}
              className={classes['toOther']}
            >
              {t('editor.otherUnfinished', { name })}
            </Link>
          </State>
        </p>
      ))}
      {count + hints.length === 0 && (
        <p className={classes['ready']}>
          <State kind="live">{t('editor.allGood')}</State>
        </p>
      )}
      {hints.length > 0 && (
        <>
          {count > 0 && <h3 className={classes['hint']}>{t('editor.advice')}</h3>}
          <Checks problems={hints} letters={letters} names={names} onMend={onMend} />
        </>
      )}
    </>
  );
  if (!hasHeading) return list;
  return (
    <div className={classes['leftList']}>
      <Section title={t('editor.checks')} count={count || hints.length || undefined}>
        {list}
      </Section>
    </div>
  );
}
