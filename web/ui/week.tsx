import { Sparkline } from './sparkline.tsx';
import classes from './week.module.css';

interface Props {
  perDay: number[];
  /** As they are written. */
  sum: string;
  note?: string | undefined;
}

/** How much a week had, and how it went. */
export function Week({ perDay, sum, note }: Props) {
  return (
    <span className={classes['week']}>
      {perDay.some((count) => count > 0) && <Sparkline values={perDay} />}
      <span>
        {sum}
        {note !== undefined && <small>{note}</small>}
      </span>
    </span>
  );
}
