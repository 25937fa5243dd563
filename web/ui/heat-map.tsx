import type { CSSProperties } from 'react';
import classes from './heat-map.module.css';

interface Props {
  /** Said of the whole. */
  label: string;
  /** What the rows are. */
  corner: string;
  columns: string[];
  rows: { label: string; values: number[] }[];
  /** How many columns apart one is named; all of them are told. */
  every: number;
  /** What the values count, for the legend. */
  unit: string;
  format(value: number): string;
}

/** Of the strongest color, what one is at least seen by. */
const faintest = 12;

/** A table whose cells are as strong in color as their values; what they are is told, and stands at the pointer. */
export function HeatMap({ label, corner, columns, rows, every, unit, format }: Props) {
  const most = Math.max(1, ...rows.flatMap(({ values }) => values));
  // A border: React's styles know no variables of ours.
  const heatOf = (value: number) =>
    ({ '--heat': `${(value === 0 ? 0 : faintest + (value / most) * (100 - faintest)).toFixed(0)}%` }) as CSSProperties;
  return (
    <>
      <table className={classes['table']}>
        <caption>{label}</caption>
        <thead>
          <tr>
            <th scope="col" className={classes['corner']}>
              {corner}
            </th>
            {columns.map((column, at) => (
              <th key={column} scope="col" data-shown={at % every === 0 || undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.label}>
              <th scope="row">{row.label}</th>
              {row.values.map((value, at) => (
                <td
                  key={columns[at]}
                  className={classes['cell']}
                  title={`${row.label} ${columns[at]} · ${format(value)}`}
                  style={heatOf(value)}
                >
                  <span>{format(value)}</span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <p className={classes['legend']} aria-hidden>
        {unit} {format(0)}
        {[0, 0.25, 0.5, 0.75, 1].map((part) => (
          <i key={part} style={heatOf(most * part)} />
        ))}
        {format(most)}
      </p>
    </>
  );
}
