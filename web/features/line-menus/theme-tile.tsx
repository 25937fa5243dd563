import { themes, type ThemeName } from './themes.ts';

const cells = [0, 1, 2, 3, 4, 5];
const side = { width: 28, height: 20 };

/** Six cells in the colors of a theme. */
export function ThemeTile({ name }: { name: ThemeName }) {
  const { ground, gap, radius, lead, others } = themes[name];
  const inset = Math.min(3, gap / 14);
  return (
    <svg viewBox="0 0 84 40" aria-hidden>
      <rect width={84} height={40} fill={ground} />
      {cells.map((at) => {
        const { fill, ink } = at === 0 ? lead : (others[(at - 1) % others.length] ?? lead);
        const [x, y] = [(at % 3) * side.width, Math.floor(at / 3) * side.height];
        return (
          <g key={at}>
            <rect
              x={x + inset}
              y={y + inset}
              width={side.width - 2 * inset}
              height={side.height - 2 * inset}
              rx={radius / 22}
              fill={fill ?? 'none'}
            />
            <circle cx={x + side.width / 2} cy={y + side.height / 2 - 2} r={2.5} fill={ink} />
            <rect x={x + side.width / 2 - 5} y={y + side.height / 2 + 3} width={10} height={1.6} rx={0.8} fill={ink} />
          </g>
        );
      })}
    </svg>
  );
}
