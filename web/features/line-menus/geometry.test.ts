import { expect, test } from 'vitest';
import { areaAt, drawArea, fitArea, moveArea, resizeArea, scaleBounds } from './geometry.ts';

const size = { width: 2500, height: 1686 };
const area = { x: 100, y: 100, width: 400, height: 300 };
const snapping = { size, others: [{ x: 1000, y: 500, width: 500, height: 500 }], reach: 20 };
const free = { ...snapping, reach: 0 };

test('an area that comes near an edge rests at it, and a line says where', () => {
  expect(moveArea(area, { x: -90, y: 200 }, snapping)).toEqual({
    bounds: { ...area, x: 0, y: 300 },
    guides: [{ axis: 'x', at: 0 }],
  });
  // Its right edge meets the left one of another.
  expect(moveArea(area, { x: 485, y: 0 }, snapping).bounds.x).toBe(600);
  expect(moveArea(area, { x: 485, y: 0 }, free)).toEqual({ bounds: { ...area, x: 585 }, guides: [] });
});

test('no area leaves the menu, however far it is dragged', () => {
  for (const by of [-9999, 9999]) {
    const { bounds } = moveArea(area, { x: by, y: by }, snapping);
    expect(bounds.x).toBe(by < 0 ? 0 : 2100);
    expect(bounds.y).toBe(by < 0 ? 0 : 1386);
    const wide = resizeArea(area, { x: 1, y: 1 }, { x: by, y: by }, free).bounds;
    expect(wide.x + wide.width).toBe(by < 0 ? 120 : 2500);
    expect(wide.y + wide.height).toBe(by < 0 ? 120 : 1686);
  }
});

test('a handle moves its own edge, to a third of the menu where it is near', () => {
  const { bounds, guides } = resizeArea(area, { x: 1, y: 0 }, { x: 340, y: 50 }, snapping);
  expect(bounds).toEqual({ ...area, width: 733 });
  expect(guides).toEqual([{ axis: 'x', at: 833 }]);
  expect(resizeArea(area, { x: -1, y: 0 }, { x: -95, y: 0 }, snapping).bounds).toEqual({ ...area, x: 0, width: 500 });
});

test('an area is drawn from any corner to the opposite one', () => {
  const drawn = { x: 200, y: 300, width: 300, height: 200 };
  expect(drawArea({ x: 200, y: 300 }, { x: 500, y: 500 }, free).bounds).toEqual(drawn);
  expect(drawArea({ x: 500, y: 500 }, { x: 200, y: 300 }, free).bounds).toEqual(drawn);
  expect(drawArea({ x: 8, y: 10 }, { x: 1240, y: 850 }, snapping).bounds).toEqual({
    x: 0,
    y: 0,
    width: 1250,
    height: 843,
  });
});

test('typed numbers come as near as the menu allows', () => {
  expect(fitArea({ x: 2400, y: -5, width: 400, height: 9000 }, size)).toEqual({
    x: 2100,
    y: 0,
    width: 400,
    height: 1686,
  });
});

test('areas that meet still meet in a menu of another size', () => {
  const to = { width: 800, height: 270 };
  const [left, right] = [0, 833].map((x) => scaleBounds({ x, y: 0, width: 833, height: 1686 }, size, to));
  expect((left?.x ?? 0) + (left?.width ?? 0)).toBe(right?.x);
});

test('of areas one over the other the upper one is meant', () => {
  expect(areaAt([area, { ...area, x: 300 }], { x: 350, y: 150 })).toBe(1);
  expect(areaAt([area], { x: 1, y: 1 })).toBe(-1);
});
