import { imagemapWidth } from '../../../shared/rich-line.ts';
import type { Bounds } from '../../../shared/menu-layout.ts';
import type { AreaEdit } from './draft.ts';

/** In the picture's pixels, what can still be found. */
export const smallest = 40;

const within = (value: number, least: number, most: number) => Math.min(Math.max(value, least), Math.max(least, most));

/** Elsewhere, and wholly on the picture. */
export const moved = (bounds: Bounds, x: number, y: number, height: number): Bounds => ({
  ...bounds,
  x: within(Math.round(x), 0, imagemapWidth - bounds.width),
  y: within(Math.round(y), 0, height - bounds.height),
});

/** Between two corners, in whichever order, wholly on the picture. */
export function between(one: { x: number; y: number }, other: { x: number; y: number }, height: number): Bounds {
  const span = (a: number, b: number, most: number) => {
    const from = within(Math.round(Math.min(a, b)), 0, most - 1);
    const to = within(Math.round(Math.max(a, b)), from + 1, most);
    return { from, length: to - from };
  };
  const [across, down] = [span(one.x, other.x, imagemapWidth), span(one.y, other.y, height)];
  return { x: across.from, y: down.from, width: across.length, height: down.length };
}

/** At the same place of a picture that is higher or lower, which has the same width; what met still meets. */
export function stretched({ y, height: high, ...rest }: Bounds, from: number, to: number): Bounds {
  const top = Math.min(Math.round((y * to) / from), to - 1);
  return { ...rest, y: top, height: Math.max(1, Math.round(((y + high) * to) / from) - top) };
}

/** In the screen's pixels, what a thumb still finds. */
const thumb = 24;

/** What is seen as large as a thumb where the picture is so wide on the screen, in whole pixels of the picture. */
export const leastOn = (width: number): number => Math.max(smallest, Math.ceil((thumb * imagemapWidth) / width));

/** No less than `least` each way, where the picture has it. */
export function atLeast({ x, y, width, height: high }: Bounds, least: number, height: number): Bounds {
  const bounds = { width: Math.max(width, least), height: Math.min(Math.max(high, least), height) };
  return moved({ x: 0, y: 0, ...bounds }, x, y, height);
}

/** Of the area at a place: it keeps its letter while it is moved, and LINE takes the first where two lie over each other. */
export const letterOf = (at: number): string =>
  String.fromCharCode(65 + (at % 26)) + (at < 26 ? '' : String(Math.floor(at / 26)));

/** What an eye takes for the same edge. */
const near = 24;

/** Moved to the edges of others and of the picture that are near, in the pixels of the picture. */
export function snapped(bounds: Bounds, others: { bounds: Bounds }[], height: number): Bounds {
  const pull = (from: number, length: number, edges: number[]) => {
    const shifts = edges.flatMap((edge) => [edge - from, edge - from - length]);
    const least = shifts.toSorted((a, b) => Math.abs(a) - Math.abs(b))[0] ?? 0;
    return from + (Math.abs(least) <= near ? least : 0);
  };
  return {
    ...bounds,
    x: pull(bounds.x, bounds.width, [
      0,
      imagemapWidth,
      ...others.flatMap(({ bounds: { x, width } }) => [x, x + width]),
    ]),
    y: pull(bounds.y, bounds.height, [
      0,
      height,
      ...others.flatMap(({ bounds: each }) => [each.y, each.y + each.height]),
    ]),
  };
}

/** Whether two have a part in common. */
export const isOver = (one: Bounds, other: Bounds): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The largest part of the picture that no area lies over; nothing where none is left that a thumb finds. */
function largestFree(areas: Bounds[], height: number): Bounds | undefined {
  const isFree = (place: Bounds) => areas.every((area) => !isOver(place, area));
  const right = ({ x, width }: Bounds) => x + width;
  const lefts = [0, ...areas.map(right)];
  const tops = [0, ...areas.map((area) => area.y + area.height)];
  const rights = [imagemapWidth, ...areas.map(({ x }) => x)];
  const places = lefts.flatMap((x) =>
    rights.flatMap((end) => {
      const width = end - x;
      if (width < smallest) return [];
      return tops.flatMap((y) => {
        const below = areas.filter((area) => area.x < end && right(area) > x && area.y >= y).map((area) => area.y);
        const place = { x, y, width, height: Math.min(height, ...below) - y };
        return place.height >= smallest && isFree(place) ? [place] : [];
      });
    }),
  );
  return places.toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
}

/** One more area, where nothing is yet, or else in half of the largest. Where that is too small, it is in the middle of the picture, over others. */
export function withOneMore(
  areas: AreaEdit[],
  height: number,
  action: AreaEdit['action'],
): { areas: AreaEdit[]; split: number | undefined } {
  const free = largestFree(
    areas.map(({ bounds }) => bounds),
    height,
  );
  if (free) return { areas: [...areas, { bounds: free, action }], split: undefined };
  const [largest] = areas.toSorted((a, b) => sizeOf(b.bounds) - sizeOf(a.bounds));
  const [kept, given] = largest ? halves(largest.bounds) : [];
  if (!kept || !given) {
    const middle = between({ x: 320, y: height / 3 }, { x: 720, y: (height * 2) / 3 }, height);
    return { areas: [...areas, { bounds: middle, action }], split: undefined };
  }
  const rest = areas.map((area) => (area === largest ? { ...area, bounds: kept } : area));
  return { areas: [...rest, { bounds: given, action }], split: areas.findIndex((area) => area === largest) };
}

const sizeOf = ({ width, height }: Bounds) => width * height;

/** Across the longer side; nothing where a thumb would not find them. */
function halves({ x, y, width, height }: Bounds): [Bounds, Bounds] | [] {
  if (Math.max(width, height) < 2 * smallest) return [];
  const [across, down] = [Math.floor(width / 2), Math.floor(height / 2)];
  return width >= height
    ? [
        { x, y, width: across, height },
        { x: x + across, y, width: width - across, height },
      ]
    : [
        { x, y, width, height: down },
        { x, y: y + down, width, height: height - down },
      ];
}

/** The pulled corner, no nearer to the one that stays than `least` each way. */
export function pulledTo(
  place: { x: number; y: number },
  fixed: { x: number; y: number },
  least: number,
): { x: number; y: number } {
  const away = (at: number, from: number) => (at < from ? Math.min(at, from - least) : Math.max(at, from + least));
  return { x: away(place.x, fixed.x), y: away(place.y, fixed.y) };
}

export type Corner = 'nw' | 'ne' | 'sw' | 'se';
export const corners: readonly Corner[] = ['nw', 'ne', 'sw', 'se'];

/** The corner that stays where another one is pulled. */
export const opposite = ({ x, y, width, height }: Bounds, corner: Corner) => ({
  x: corner === 'nw' || corner === 'sw' ? x + width : x,
  y: corner === 'nw' || corner === 'ne' ? y + height : y,
});
