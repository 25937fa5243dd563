import classes from './knowledge.module.css';

const widths = [32, 24, 38, 20, 29];

/** The shape of a table to come: its head, and rows with a name, a state and a figure. */
export function RowSkeletons({ rows = 5 }: { rows?: number }) {
  return (
    <div aria-hidden className={classes['skeletons']}>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={classes['skeleton']}>
          <span style={{ width: 16, height: 16 }} />
          <span style={{ width: `${widths[at % 5]}%` }} />
          <span />
        </div>
      ))}
    </div>
  );
}

/** The shape of passages to come: a number, where it is from, and lines of text. */
export function PassageSkeletons({ rows = 4 }: { rows?: number }) {
  return (
    <div aria-hidden>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} className={classes['passageSkeleton']}>
          <span style={{ width: 24, height: 18 }} />
          <div>
            <span style={{ width: `${widths[at % 5]}%`, marginBlock: '5px 17px' }} />
            <span style={{ width: '96%' }} />
            <span style={{ width: `${(widths[(at + 2) % 5] ?? 30) * 2}%` }} />
          </div>
        </div>
      ))}
    </div>
  );
}
