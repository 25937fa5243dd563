import { lazy, Suspense, useCallback, useState } from 'react';
import classes from './day-chart.module.css';

const ColumnChart = lazy(() => import('./column-chart.tsx'));

interface Props {
  /** Said of the whole: the sum and the span. */
  label: string;
  name: string;
  days: { label: string; value: number }[];
  /** Where there is nothing yet. */
  empty: string;
  format(value: number): string;
}

/** Amounts by day, as a chart once it is seen, and as a table for who cannot see it. */
export function DayChart({ label, name, days, empty, format }: Props) {
  const [isSeen, setIsSeen] = useState(false);
  const watch = useCallback((figure: HTMLElement | null) => {
    if (!figure) return undefined;
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setIsSeen(true);
    });
    observer.observe(figure);
    return () => observer.disconnect();
  }, []);
  const isEmpty = days.every(({ value }) => value === 0);
  return (
    <figure ref={watch} className={classes['figure']} aria-label={label}>
      {isEmpty ? (
        <p className={classes['empty']}>
          <span>{empty}</span>
        </p>
      ) : (
        <div aria-hidden className={classes['chart']}>
          {isSeen && (
            <Suspense>
              <ColumnChart rows={days} name={name} format={format} />
            </Suspense>
          )}
        </div>
      )}
      <table className={classes['table']}>
        <caption>{label}</caption>
        <tbody>
          {days.map((day) => (
            <tr key={day.label}>
              <th scope="row">{day.label}</th>
              <td>{format(day.value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </figure>
  );
}
