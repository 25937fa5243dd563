import type { CSSProperties, ReactNode } from 'react';
import classes from './page.module.css';
import { pageTitle } from './page-title.ts';

interface PageProps {
  title: string;
  /** How the title is drawn, where that is not as it is written. */
  heading?: ReactNode;
  /** What leads back up, before the title. */
  above?: ReactNode;
  /** After the title: a state, a line of figures. Phones have no room for it. */
  facts?: ReactNode;
  /** At the end of the top bar, quiet ones first, at most one of them filled. */
  actions?: ReactNode;
  width?: 'form' | 'reading' | 'list' | 'full';
  children: ReactNode;
}

/** A page in the frame: a top bar with its name, and what it holds. */
export function Page({ title, heading, above, facts, actions, width = 'list', children }: PageProps) {
  return (
    <>
      <header className={classes['top']}>
        <div className={classes['crumb']}>
          {above}
          <h1 {...pageTitle} className={classes['title']} {...(heading && { 'aria-label': title, title })}>
            {heading ?? title}
          </h1>
        </div>
        {facts && <div className={classes['facts']}>{facts}</div>}
        {actions && <div className={classes['actions']}>{actions}</div>}
      </header>
      <div className={classes['body']} data-width={width}>
        {children}
      </div>
    </>
  );
}

interface SectionProps {
  title: string;
  count?: number | string | undefined;
  /** At the end of its heading. */
  end?: ReactNode;
  children: ReactNode;
}

/** A heading over a dark hairline, and rows over pale ones. */
export function Section({ title, count, end, children }: SectionProps) {
  return (
    <section className={classes['section']}>
      <header className={classes['sectionHead']}>
        <h2>{title}</h2>
        {count !== undefined && <span className={classes['count']}>{count}</span>}
        {end && <div className={classes['actions']}>{end}</div>}
      </header>
      {children}
    </section>
  );
}

export const rowClass = classes['row'];

/** live: ● · draft, queued: ○ · working: ◔ · works, but: ▲ · failed, or waits for a person: ■ · off: – · with staff: ● indigo */
export type StateKind = 'live' | 'draft' | 'working' | 'warning' | 'failed' | 'off' | 'staff';

/** The state of a thing: a shape, then a word; the color comes second. */
export function State({ kind, done, children }: { kind: StateKind; done?: number | undefined; children: ReactNode }) {
  return (
    <span
      className={classes['state']}
      data-kind={kind}
      // A border: React's styles know no variables of ours.
      style={done === undefined ? undefined : ({ '--done': `${done}%` } as CSSProperties)}
    >
      {children}
    </span>
  );
}
