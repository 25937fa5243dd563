import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import type { KeyboardEvent } from 'react';
import { ReferenceArea } from 'recharts';
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
const fewLabels = 3;
/** Where six labels such as 12:35 PM would touch. */
const narrow = 600;

/** Columns for amounts a day, read with the chart library when one is seen. The pointer and the arrow keys look at one; what it says stands in the legend. */
export default function ColumnChart({ label, said, columns, colors, at, onLook, format }: Props) {
  const lines = linesTo(Math.max(...columns.map(({ values }) => values.reduce((sum, value) => sum + value, 0))));
  const last = columns.length - 1;
  const each = Math.ceil(columns.length / (window.innerWidth < narrow ? fewLabels : mostLabels));
  const looked = at === undefined ? undefined : columns[at]?.label;
  const step = (event: KeyboardEvent) => {
    const next = { ArrowLeft: (at ?? columns.length) - 1, ArrowRight: (at ?? -1) + 1, Home: 0, End: last }[event.key];
    if (event.key === 'Escape') onLook(undefined);
    if (next === undefined) return;
    event.preventDefault();
    onLook(Math.min(last, Math.max(0, next)));
  };
  return (
    <div
      className={classes['plot']}
      role="slider"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at ?? last}
      aria-valuetext={said ?? label}
      tabIndex={0}
      onBlur={() => onLook(undefined)}
      onKeyDown={step}
    >
      <BarChart
        h="100%"
        type="stacked"
        data={columns.map((column) => ({
          label: column.label,
          ...Object.fromEntries(column.values.map((value, series) => [`value${series}`, value])),
        }))}
        dataKey="label"
        series={colors.map((color, series) => ({ name: `value${series}`, color }))}
        withTooltip={false}
        gridAxis="x"
        tickLine="none"
        strokeDasharray="0"
        gridColor="var(--line)"
        textColor="var(--ink-4)"
        maxBarWidth={20}
        fillOpacity={1}
        barProps={{ isAnimationActive: false, stroke: 'var(--sheet)', strokeWidth: colors.length > 1 ? 1.5 : 0 }}
        barChartProps={{
          accessibilityLayer: false,
          onMouseMove: ({ activeLabel }) => {
            const found = columns.findIndex((column) => column.label === activeLabel);
            onLook(found < 0 ? undefined : found);
          },
          onMouseLeave: () => onLook(undefined),
        }}
        yAxisProps={{ width: 40, domain: [0, lines.at(-1) ?? 1], ticks: lines, interval: 0, tickFormatter: format }}
        // Counted from the end, so that today has its name; the first day has one where there is room.
        xAxisProps={{
          ticks: columns.flatMap((column, at) =>
            (last - at) % each === 0 || (at === 0 && (last % each) * 2 > each) ? [column.label] : [],
          ),
          interval: 0,
        }}
      >
        {looked !== undefined && <ReferenceArea x1={looked} x2={looked} fill="var(--paper-3)" fillOpacity={0.6} />}
      </BarChart>
    </div>
  );
}

const mostLines = 4;

/** The values of the axis that get a line: from nothing in round steps to the first that is not below `most`. */
function linesTo(most: number): number[] {
  const least = Math.max(1, most) / mostLines;
  const size = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, ([1, 2, 5, 10].find((each) => each * size >= least) ?? 10) * size);
  return Array.from({ length: Math.max(1, Math.ceil(most / step)) + 1 }, (_, at) => at * step);
}
