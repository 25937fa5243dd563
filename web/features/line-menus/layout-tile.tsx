import { layoutAreas, layoutSize, tabBounds, type MenuLayout } from '../../../shared/menu-layout.ts';

const gap = 60;

/** A layout as it looks, in the color of what is around it; below tabs, where there are some. */
export function LayoutTile({ layout, tabs = 0 }: { layout: MenuLayout; tabs?: number }) {
  const size = layoutSize(layout);
  const row = tabs > 0 ? tabBounds(tabs, size) : [];
  return (
    <svg viewBox={`0 0 ${size.width} ${size.height}`} width={54} aria-hidden fill="currentColor">
      {[...row, ...layoutAreas(layout, size, row[0]?.height)].map(({ x, y, width, height }, at) => (
        <rect
          key={at}
          x={x + gap / 2}
          y={y + gap / 2}
          width={width - gap}
          height={height - gap}
          rx={40}
          opacity={at < tabs ? 0.55 : 1}
        />
      ))}
    </svg>
  );
}
