import { Link } from '@tanstack/react-router';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { Section, State } from '../../ui/page.tsx';
import { areaOrder, Check, Checks, countLines, isExample, type Problem } from './checks.tsx';
import classes from './line-menus.module.css';

interface Props {
  problems: Problem[];
  letters: string[];
  names: string[];
  /** Those that its tabs lead to and that are not finished: they go to LINE together. */
  waiting: RichMenu[];
  /** Beside the work; what opens over it has a title already. */
  hasHeading: boolean;
  /** LINE has all of it: there is nothing to publish. */
  isSettled: boolean;
  onMend(problem: Problem): void;
}

/** What is left to do before it can be published; and apart from that, what is worth a look. */
export function LeftList({ problems, letters, names, waiting, hasHeading, isSettled, onMend }: Props) {
  const { t } = useTranslation('line-menus');
  const left = problems.filter(({ level }) => level === 'error');
  const hints = problems.filter(({ level }) => level === 'warning');
  const examples = hints.filter(isExample);
  const others = hints.filter((each) => !isExample(each));
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
          {others.length > 0 && <Checks problems={others} letters={letters} names={names} onMend={onMend} />}
          {examples.length > 0 && (
            <div className={classes['examples']}>
              <State kind="warning">{t('editor.examples', { count: examples.length })}</State>
              <ul>
                {areaOrder(examples, letters).map((problem) => {
                  const letter = letters[problem.area ?? 0];
                  return (
                    <li key={problem.area}>
                      <button type="button" onClick={() => onMend(problem)}>
                        <b>{letter}</b> {names[problem.area ?? 0]}
                      </button>
                    </li>
                  );
                })}
              </ul>
            </div>
          )}
        </>
      )}
    </>
  );
  if (!hasHeading) return list;
  if (isSettled && problems.length + waiting.length === 0) return null;
  return (
    <div className={classes['leftList']}>
      <Section
        title={t(isSettled ? 'editor.settledChecks' : 'editor.checks')}
        count={count || countLines(hints) || undefined}
      >
        {list}
      </Section>
    </div>
  );
}
