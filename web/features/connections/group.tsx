import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { Activity, type ReactNode } from 'react';
import classes from './connections.module.css';

interface Props {
  id: string;
  title: string;
  count?: number | undefined;
  /** What is set in it. */
  summary: string;
  /** Where it folds: whether it is open. */
  isOpen: boolean | undefined;
  onToggle(): void;
  children: ReactNode;
}

/** A part of the form; where the contents do not stand beside it, it folds and says itself what is set in it. */
export function Group({ id, title, count, summary, isOpen, onToggle, children }: Props) {
  const isFolding = isOpen !== undefined;
  return (
    <section id={id} className={classes['group']}>
      <h2>
        {isFolding ? (
          <UnstyledButton aria-expanded={isOpen} onClick={onToggle}>
            <span>
              {title}
              {!isOpen && <small>{summary}</small>}
            </span>
            <IconChevronDown size={18} aria-hidden />
          </UnstyledButton>
        ) : (
          <>
            {title}
            {count !== undefined && <small>{count}</small>}
          </>
        )}
      </h2>
      {/* What was begun in it outlives its folding. */}
      <Activity mode={isOpen === false ? 'hidden' : 'visible'}>
        <div className={classes['inGroup']}>{children}</div>
      </Activity>
    </section>
  );
}
