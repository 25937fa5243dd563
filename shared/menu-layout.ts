/* Where areas of a rich menu stand, for pages that need no more than that. */

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface MenuSize {
  width: number;
  height: number;
}

/** The sizes that LINE's own account manager offers, tall and compact. */
export const menuSizes: readonly MenuSize[] = [
  { width: 2500, height: 1686 },
  { width: 1200, height: 810 },
  { width: 800, height: 540 },
  { width: 2500, height: 843 },
  { width: 1200, height: 405 },
  { width: 800, height: 270 },
];

export const menuLayoutNames = [
  'large-1',
  'large-2',
  'large-3',
  'large-4',
  'large-5',
  'large-6',
  'large-7',
  'compact-1',
  'compact-2',
  'compact-3',
  'compact-4',
  'compact-5',
] as const;
export type MenuLayout = (typeof menuLayoutNames)[number];

const whole = [0, 2500];
const halves = [0, 1250, 2500];
const thirds = [0, 833, 1667, 2500];
const [top, bottom, tall] = [
  [0, 843],
  [843, 1686],
  [0, 1686],
] as const;

/** Cells side by side, between these edges. */
const row = ([from, to]: readonly [number, number], edges: number[]): Bounds[] =>
  edges.slice(1).map((edge, at) => ({ x: edges[at] ?? 0, y: from, width: edge - (edges[at] ?? 0), height: to - from }));

const layouts: Record<MenuLayout, Bounds[]> = {
  'large-1': row(tall, whole),
  'large-2': row(tall, halves),
  'large-3': [...row(top, whole), ...row(bottom, whole)],
  'large-4': [...row(tall, [0, 1667]), ...row(top, [1667, 2500]), ...row(bottom, [1667, 2500])],
  'large-5': [...row(top, whole), ...row(bottom, thirds)],
  'large-6': [...row(top, halves), ...row(bottom, halves)],
  'large-7': [...row(top, thirds), ...row(bottom, thirds)],
  'compact-1': row(top, whole),
  'compact-2': row(top, [0, 833, 2500]),
  'compact-3': row(top, [0, 1667, 2500]),
  'compact-4': row(top, halves),
  'compact-5': row(top, thirds),
};

/** The size for which a layout was drawn. */
export const layoutSize = (layout: MenuLayout): MenuSize => ({
  width: 2500,
  height: layout.startsWith('large') ? 1686 : 843,
});

/** A layout's cells in a menu of any size, below `top`: their edges are scaled, so that they meet without a gap. */
export function layoutAreas(layout: MenuLayout, size: MenuSize = layoutSize(layout), top = 0): Bounds[] {
  const drawn = layoutSize(layout);
  const across = (edge: number) => Math.round((edge * size.width) / drawn.width);
  const down = (edge: number) => top + Math.round((edge * (size.height - top)) / drawn.height);
  return layouts[layout].map(({ x, y, width, height }) => ({
    x: across(x),
    y: down(y),
    width: across(x + width) - across(x),
    height: down(y + height) - down(y),
  }));
}

/** Tabs side by side at the head of a menu, high enough for a thumb. */
export function tabBounds(count: number, { width }: MenuSize): Bounds[] {
  const edges = Array.from({ length: count + 1 }, (_, at) => Math.round((at * width) / count));
  return row([0, Math.round(width / 10)], edges);
}

/** A, B, C… for areas as one reads them, row by row; in the order of the list. */
export function areaLetters(areas: { bounds: Bounds }[]): string[] {
  const letters: string[] = [];
  let left = areas.map(({ bounds }, at) => ({ bounds, at }));
  let next = 0;
  while (left.length > 0) {
    const first = left.reduce((one, other) =>
      other.bounds.y < one.bounds.y || (other.bounds.y === one.bounds.y && other.bounds.x < one.bounds.x) ? other : one,
    );
    // What begins above the middle of the first stands beside it.
    const middle = first.bounds.y + first.bounds.height / 2;
    const inRow = left.filter((each) => each === first || each.bounds.y < middle);
    for (const { at } of inRow.toSorted((one, other) => one.bounds.x - other.bounds.x))
      letters[at] = String.fromCodePoint(65 + next++);
    left = left.filter((each) => !inRow.includes(each));
  }
  return letters;
}
