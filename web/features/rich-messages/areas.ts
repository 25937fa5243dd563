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
