import { imagemapWidth } from '../../../shared/rich-line.ts';
import type { Bounds } from '../../../shared/menu-layout.ts';

/** What a thumb still finds. */
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

/** As much as fits of it on a picture of this height. */
export function fitted(bounds: Bounds, height: number): Bounds {
  const y = within(bounds.y, 0, height - 1);
  return { ...bounds, y, height: within(bounds.height, 1, height - y) };
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

export type Corner = 'nw' | 'ne' | 'sw' | 'se';
export const corners: readonly Corner[] = ['nw', 'ne', 'sw', 'se'];

/** The corner that stays where another one is pulled. */
export const opposite = ({ x, y, width, height }: Bounds, corner: Corner) => ({
  x: corner === 'nw' || corner === 'sw' ? x + width : x,
  y: corner === 'nw' || corner === 'ne' ? y + height : y,
});
