import { useState, type ReactNode } from 'react';
import classes from './rich-messages.module.css';

interface Props {
  title: string;
  /** What it is set to, in a word. */
  now: string;
  /** A sentence has a line of its own on a phone. */
  isLong?: boolean;
  /** At first; what has to be seen is never closed. */
  isOpen?: boolean;
  isWrong?: boolean;
  children: ReactNode;
}

/** What is seldom changed: a line that says how it is, and opens. */
export function Fold({ title, now, isLong = false, isOpen = false, isWrong = false, children }: Props) {
  const [isShown, setIsShown] = useState(isOpen);
  // What a fault has opened stays open while it is mended.
  if (isWrong && !isShown) setIsShown(true);
  return (
    <details
      className={classes['fold']}
      data-long={isLong || undefined}
      open={isShown}
      onToggle={(event) => setIsShown(event.currentTarget.open)}
    >
      <summary>
        {title}
        <small>{now}</small>
      </summary>
      {children}
    </details>
  );
}
