import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';

interface Props {
  /** One for each day, the oldest first. */
  rows: { label: string; value: number }[];
  /** What is counted. */
  name: string;
  format(value: number): string;
}

/** Columns for amounts a day; read with the chart library when one is seen. */
export default function ColumnChart({ rows, name, format }: Props) {
  return (
    <BarChart
      h={160}
      data={rows}
      dataKey="label"
      series={[{ name: 'value', label: name, color: 'var(--green)' }]}
      gridAxis="x"
      tickLine="none"
      strokeDasharray="0"
      gridColor="var(--line)"
      textColor="var(--ink-4)"
      maxBarWidth={20}
      valueFormatter={format}
      barProps={{ isAnimationActive: false }}
      tooltipAnimationDuration={0}
      yAxisProps={{ width: 36, allowDecimals: false }}
      xAxisProps={{ interval: 'equidistantPreserveStart', minTickGap: 16 }}
      cursorFill="var(--paper-2)"
      fillOpacity={1}
    />
  );
}
