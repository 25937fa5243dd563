import { layoutAreas, layoutSize, type MenuLayout } from '../../../shared/menu-layout.ts';

const gap = 60;

/** A layout as it looks, in the color of what is around it. */
export function LayoutTile({ layout }: { layout: MenuLayout }) {
  const { width, height } = layoutSize(layout);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width={54} aria-hidden fill="currentColor">
      {layoutAreas(layout).map(({ x, y, width: wide, height: high }, at) => (
        <rect key={at} x={x + gap / 2} y={y + gap / 2} width={wide - gap} height={high - gap} rx={40} />
      ))}
    </svg>
  );
}
