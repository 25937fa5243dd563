import type { KeyboardEvent, PointerEvent } from 'react';
import classes from './column-chart.module.css';

export interface Column {
  label: string;
  /** One for each series, from the one that stands below. */
  values: number[];
}

interface Props {
  label: string;
  /** What the column that is looked at says. */
  said: string | undefined;
  /** One for each day, the oldest first. */
  columns: Column[];
  colors: string[];
  /** The column that is looked at. */
  at: number | undefined;
  onLook(at: number | undefined): void;
  format(value: number): string;
}

const mostLabels = 6;

/** Columns for amounts a day. The pointer and the arrow keys look at one; what it says stands in the legend. */
export default function ColumnChart({ label, said, columns, colors, at, onLook, format }: Props) {
  const sums = columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0));
  const { top, lines } = scaleTo(Math.max(...sums));
  const last = columns.length - 1;
  const each = Math.ceil(columns.length / mostLabels);
  // Counted from the end, so that today has its name.
  const isNamed = (index: number) => (last - index) % each === 0;
  const look = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onLook(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * columns.length))));
  };
  const step = (event: KeyboardEvent) => {
    const next = { ArrowLeft: (at ?? columns.length) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') onLook(undefined);
    if (next === undefined) return;
    event.preventDefault();
    onLook(Math.min(last, Math.max(0, next)));
  };
  return (
    <div className={classes['chart']}>
      <div className={classes['axis']} aria-hidden>
        {lines.map((line) => (
          <span key={line} style={{ bottom: `${(line / top) * 100}%` }}>
            {format(line)}
          </span>
        ))}
      </div>
      <div
        className={classes['plot']}
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at ?? last}
        aria-valuetext={said ?? label}
        tabIndex={0}
        onPointerMove={look}
        onPointerDown={look}
        onPointerLeave={({ pointerType }) => pointerType === 'mouse' && onLook(undefined)}
        onBlur={() => onLook(undefined)}
        onKeyDown={step}
      >
        {lines.map((line) => (
          <i key={line} className={classes['line']} style={{ bottom: `${(line / top) * 100}%` }} />
        ))}
        {columns.map((column, index) => (
          <div key={column.label} className={classes['column']} data-on={index === at || undefined}>
            {column.values.map((value, series) =>
              value > 0 ? (
                <i key={colors[series]} style={{ height: `${(value / top) * 100}%`, background: colors[series] }} />
              ) : null,
            )}
            {isNamed(index) && (
              <span className={classes['day']} data-last={index === last || undefined}>
                {column.label}
              </span>
            )}
          </div>
        ))}
      </div>
    </div>
  );
}

const mostLines = 4;

/** A round end of the axis, and the values between it and nothing that get a line. */
function scaleTo(most: number): { top: number; lines: number[] } {
  const least = Math.max(1, most) / mostLines;
  const size = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, ([1, 2, 5, 10].find((each) => each * size >= least) ?? 10) * size);
  const count = Math.max(1, Math.ceil(most / step));
  return { top: count * step, lines: Array.from({ length: count + 1 }, (_, at) => at * step) };
}
