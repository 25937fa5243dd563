interface Props {
  /** Said to whoever cannot see the bars. */
  label: string;
  bars: { label: string; value: number }[];
  height?: number;
}

/** A small history: one bar for each, the highest fills the height. */
export function BarChart({ label, bars, height = 64 }: Props) {
  const highest = Math.max(1, ...bars.map((bar) => bar.value));
  return (
    <figure style={{ margin: 0 }}>
      <div role="img" aria-label={label} style={{ display: 'flex', alignItems: 'flex-end', gap: 4, height }}>
        {bars.map((bar) => (
          <div
            key={bar.label}
            title={`${bar.label}: ${bar.value}`}
            style={{
              flex: 1,
              height: `${Math.max(bar.value === 0 ? 3 : 8, (bar.value / highest) * 100)}%`,
              borderRadius: 3,
              background: bar.value === 0 ? 'var(--mantine-color-default-border)' : 'var(--green)',
            }}
          />
        ))}
      </div>
      <figcaption
        style={{
          display: 'flex',
          justifyContent: 'space-between',
          fontSize: 12,
          color: 'var(--mantine-color-dimmed)',
          marginTop: 4,
        }}
      >
        <span>{bars[0]?.label}</span>
        <span>{bars.at(-1)?.label}</span>
      </figcaption>
    </figure>
  );
}
