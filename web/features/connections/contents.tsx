import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import classes from './connections.module.css';

/** What is under the top bar counts as read from here on. */
const readFrom = 160;
/** So long a jump may move the page before what comes into sight counts again. */
const jumpMs = 1000;

/** The parts of the form with what is set in each, beside it: a press leads there. */
export function Contents({ parts }: { parts: { id: string; title: string; summary: string }[] }) {
  const { t } = useTranslation('connections');
  const [current, setCurrent] = useState(parts[0]?.id);
  const jumpedAt = useRef(0);
  const ids = parts.map(({ id }) => id).join(' ');
  useEffect(() => {
    const look = () => {
      if (Date.now() - jumpedAt.current < jumpMs) return;
      const passed = ids
        .split(' ')
        .filter((id) => (document.getElementById(id)?.getBoundingClientRect().top ?? Infinity) < readFrom);
      setCurrent(passed.at(-1) ?? ids.split(' ')[0]);
    };
    document.addEventListener('scroll', look, { passive: true });
    return () => document.removeEventListener('scroll', look);
  }, [ids]);
  return (
    <nav className={classes['contents']} aria-label={t('form.contents')}>
      {parts.map(({ id, title, summary }) => (
        <a
          key={id}
          href={`#${id}`}
          aria-current={id === current || undefined}
          onClick={(event) => {
            event.preventDefault();
            jumpedAt.current = Date.now();
            setCurrent(id);
            const behavior = matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth';
            document.getElementById(id)?.scrollIntoView({ behavior });
          }}
        >
          {title}
          <small title={summary}>{summary}</small>
        </a>
      ))}
    </nav>
  );
}
