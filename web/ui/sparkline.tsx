const width = 72;
const height = 20;
/** Room for the dot at the end. */
const inset = 2;

/** How an amount went, without axes; the figures stand elsewhere. */
export function Sparkline({ values }: { values: number[] }) {
  const most = Math.max(...values, 1);
  const points = values.map((value, at) => ({
    x: inset + (at / Math.max(1, values.length - 1)) * (width - 2 * inset),
    y: height - inset - (value / most) * (height - 2 * inset),
  }));
  const last = points.at(-1);
  return (
    <svg width={width} height={height} aria-hidden style={{ flex: 'none' }}>
      <polyline
        points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')}
        fill="none"
        stroke="var(--ink-3)"
        strokeWidth={1.5}
        strokeLinejoin="round"
      />
      {last && <circle cx={last.x} cy={last.y} r={inset} fill="var(--green)" />}
    </svg>
  );
}
