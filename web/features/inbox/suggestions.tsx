import { useEffect, useRef } from 'react';
import classes from './inbox.module.css';

export interface Suggestion {
  key: string;
  name: string;
  detail: string;
  /** What is written when it is taken. */
  text: string;
}

interface Props {
  id: string;
  title: string;
  detail: string;
  found: Suggestion[];
  at: number;
  onTake(suggestion: Suggestion): void;
}

/** What fits to what is being written, over the field, which keeps the focus. */
export function Suggestions({ id, title, detail, found, at, onTake }: Props) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => void list.current?.children[at]?.scrollIntoView({ block: 'nearest' }), [at]);
  const shown = found[at];
  return (
    <div className={classes['suggestions']}>
      <p>
        <b>{title}</b>
        <span>{detail}</span>
      </p>
      <div ref={list} id={id} role="listbox" aria-label={title}>
        {found.map((each, index) => (
          <button
            key={each.key}
            type="button"
            id={`${id}-${each.key}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            // The field would lose the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onTake(each)}
          >
            <code>{each.name}</code>
            <span>{each.detail}</span>
            {index === at && <kbd aria-hidden>↵</kbd>}
          </button>
        ))}
      </div>
      {shown?.detail && <p className={classes['suggested']}>{shown.text}</p>}
    </div>
  );
}
