import type { Bounds, MenuSize } from '../../../shared/menu-layout.ts';

/** Where an edge has come to rest, for the line that says so. */
export interface Guide {
  axis: 'x' | 'y';
  at: number;
}

/** Which edges a handle moves: -1 the first, 1 the last, 0 neither. */
export interface Handle {
  x: -1 | 0 | 1;
  y: -1 | 0 | 1;
}

export const handles: Handle[] = [
  { x: -1, y: -1 },
  { x: 0, y: -1 },
  { x: 1, y: -1 },
  { x: 1, y: 0 },
  { x: 1, y: 1 },
  { x: 0, y: 1 },
  { x: -1, y: 1 },
  { x: -1, y: 0 },
];

export const minSide = 20;

interface Snapping {
  size: MenuSize;
  /** The other areas, to whose edges this one comes. */
  others: Bounds[];
  /** How near an edge has to be; 0 to move freely. */
  reach: number;
}

interface Snapped {
  bounds: Bounds;
  guides: Guide[];
}

type Axis = 'x' | 'y';
const lengthOf = { x: 'width', y: 'height' } as const;

/** Edges, halves and thirds of the menu, and where other areas begin and end. */
function stopsOf(axis: Axis, { size, others }: Snapping): number[] {
  const whole = size[lengthOf[axis]];
  return [
    0,
    whole,
    Math.round(whole / 2),
    Math.round(whole / 3),
    Math.round((whole * 2) / 3),
    ...others.flatMap((other) => [other[axis], other[axis] + other[lengthOf[axis]]]),
  ];
}

/** How far the nearest stop is from the nearest of these edges. */
function nearest(edges: number[], axis: Axis, snapping: Snapping): { by: number; at: number } | undefined {
  let best: { by: number; at: number } | undefined;
  for (const stop of stopsOf(axis, snapping))
    for (const edge of edges)
      if (Math.abs(stop - edge) <= snapping.reach && Math.abs(stop - edge) < Math.abs(best?.by ?? Infinity))
        best = { by: stop - edge, at: stop };
  return snapping.reach > 0 ? best : undefined;
}

const clamp = (value: number, min: number, max: number) => Math.min(Math.max(value, min), Math.max(min, max));

/** An area that was dragged so far. */
export function moveArea(from: Bounds, by: { x: number; y: number }, snapping: Snapping): Snapped {
  const bounds = { ...from };
  const guides: Guide[] = [];
  for (const axis of ['x', 'y'] as const) {
    const length = from[lengthOf[axis]];
    const to = Math.round(from[axis] + by[axis]);
    const stop = nearest([to, to + length, to + Math.round(length / 2)], axis, snapping);
    const at = clamp(to + (stop?.by ?? 0), 0, snapping.size[lengthOf[axis]] - length);
    bounds[axis] = at;
    if (stop && at === to + stop.by) guides.push({ axis, at: stop.at });
  }
  return { bounds, guides };
}

/** An area one of whose handles was dragged so far; its other edges stay. */
export function resizeArea(from: Bounds, handle: Handle, by: { x: number; y: number }, snapping: Snapping): Snapped {
  const bounds = { ...from };
  const guides: Guide[] = [];
  for (const axis of ['x', 'y'] as const) {
    const side = handle[axis];
    if (side === 0) continue;
    const length = lengthOf[axis];
    const [first, last] = [from[axis], from[axis] + from[length]];
    const to = Math.round((side < 0 ? first : last) + by[axis]);
    const stop = nearest([to], axis, snapping);
    const wanted = to + (stop?.by ?? 0);
    const at =
      side < 0 ? clamp(wanted, 0, last - minSide) : clamp(wanted, first + minSide, snapping.size[lengthOf[axis]]);
    if (stop && at === stop.at) guides.push({ axis, at });
    bounds[axis] = side < 0 ? at : first;
    bounds[length] = side < 0 ? last - at : at - first;
  }
  return { bounds, guides };
}

/** The area between two points, whichever was first. */
export function drawArea(from: { x: number; y: number }, to: { x: number; y: number }, snapping: Snapping): Snapped {
  const start = { x: clamp(from.x, 0, snapping.size.width), y: clamp(from.y, 0, snapping.size.height) };
  const first = nearest([start.x], 'x', snapping);
  const second = nearest([start.y], 'y', snapping);
  const corner = { x: Math.round(start.x + (first?.by ?? 0)), y: Math.round(start.y + (second?.by ?? 0)) };
  const handle: Handle = { x: to.x < from.x ? -1 : 1, y: to.y < from.y ? -1 : 1 };
  const by = { x: to.x - corner.x, y: to.y - corner.y };
  return resizeArea({ ...corner, width: 0, height: 0 }, handle, by, snapping);
}

/** Numbers that were typed, as near as the menu allows. */
export function fitArea({ x, y, width, height }: Bounds, size: MenuSize): Bounds {
  const fitted = { width: clamp(width, 1, size.width), height: clamp(height, 1, size.height) };
  return { ...fitted, x: clamp(x, 0, size.width - fitted.width), y: clamp(y, 0, size.height - fitted.height) };
}

/** Areas of a menu that gets another size: their edges are scaled, so that those that met still meet. */
export function scaleBounds(bounds: Bounds, from: MenuSize, to: MenuSize): Bounds {
  const across = (edge: number) => Math.round((edge * to.width) / from.width);
  const down = (edge: number) => Math.round((edge * to.height) / from.height);
  const { x, y, width, height } = bounds;
  return {
    x: across(x),
    y: down(y),
    width: Math.max(1, across(x + width) - across(x)),
    height: Math.max(1, down(y + height) - down(y)),
  };
}

const isIn = ({ x, y, width, height }: Bounds, point: { x: number; y: number }) =>
  point.x >= x && point.x <= x + width && point.y >= y && point.y <= y + height;

/** Which area a point means: of several the one that is drawn last. */
export const areaAt = (areas: Bounds[], point: { x: number; y: number }): number =>
  areas.findLastIndex((bounds) => isIn(bounds, point));
