import { lazy, Suspense, useCallback, useState } from 'react';
import classes from './day-chart.module.css';

const ColumnChart = lazy(() => import('./column-chart.tsx'));

interface Props {
  /** Said of the whole: the sum and the span. */
  label: string;
  /** What the legend says of the whole, before its sums. */
  span: string;
  /** At most five, from the one that stands below; `other` is for the rest. */
  series: { name: string; other?: boolean }[];
  /** The oldest first, with a value for each of the series. */
  days: { label: string; values: number[] }[];
  /** How the sum of several series is called. */
  total?: string;
  /** Where there is nothing yet. */
  empty: string;
  /** Draws a single column, too, where the chart is what one has come for. */
  evenOne?: boolean;
  format(value: number): string;
}

const seriesColors = ['var(--series-1)', 'var(--series-2)', 'var(--series-3)', 'var(--series-4)'];
const otherColor = 'var(--series-other)';

export const colorsOf = (series: Props['series']) =>
  series.map(({ other }, index) => (other ? otherColor : (seriesColors[index] ?? otherColor)));

/** Amounts by day, as a chart once it is seen, whose legend tells the day that is looked at; and as a table for who cannot see it. */
export function DayChart({ label, span, series, days, total, empty, evenOne = false, format }: Props) {
  const [isSeen, setIsSeen] = useState(false);
  const [at, setAt] = useState<number>();
  const watch = useCallback((figure: HTMLElement | null) => {
    if (!figure) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(figure);
    return () => observer.disconnect();
  }, []);
  const used = days.filter(({ values }) => values.some((value) => value !== 0)).length;
  const isEmpty = used === 0;
  const colors = colorsOf(series);
  const shown = at === undefined ? undefined : days[at];
  const amounts = series.map((_, index) =>
    (shown ? [shown] : days).reduce((sum, { values }) => sum + (values[index] ?? 0), 0),
  );
  return (
    <figure ref={watch} className={classes['figure']} aria-label={label}>
      {isEmpty ? (
        <p className={classes['empty']}>
          <span>{empty}</span>
        </p>
      ) : used === 1 && !evenOne ? null : ( // One column is no history.
        <>
          <div className={classes['legend']}>
            <b>{shown?.label ?? span}</b>
            {series.map(({ name }, index) => (
              <span key={index} className={classes['key']}>
                <i style={{ background: colors[index] }} />
                <span>{name}</span>
                <b>{format(amounts[index] ?? 0)}</b>
              </span>
            ))}
            {total && series.length > 1 && (
              <span className={classes['total']}>
                {total} <b>{format(amounts.reduce((sum, amount) => sum + amount, 0))}</b>
              </span>
            )}
          </div>
          <div className={classes['chart']}>
            {isSeen && (
              <Suspense>
                <ColumnChart
                  label={label}
                  said={
                    shown &&
                    [shown.label, ...series.map(({ name }, index) => `${name} ${format(amounts[index] ?? 0)}`)].join(
                      ', ',
                    )
                  }
                  columns={days}
                  colors={colors}
                  at={at}
                  onLook={setAt}
                  format={format}
                />
              </Suspense>
            )}
          </div>
        </>
      )}
      {/* A table keeps no height that it is given, so what hides it is around it. */}
      <div className={classes['table']}>
        <table>
          <caption>{label}</caption>
          {series.length > 1 && (
            <thead>
              <tr>
                <th scope="col">{span}</th>
                {series.map(({ name }, index) => (
                  <th key={index} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {days.map((day) => (
              <tr key={day.label}>
                <th scope="row">{day.label}</th>
                {day.values.map((value, index) => (
                  <td key={index}>{format(value)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}
