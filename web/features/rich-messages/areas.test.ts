import { expect, test } from 'vitest';
import {
  atLeast,
  between,
  corners,
  isOver,
  leastOn,
  letterOf,
  moved,
  opposite,
  pulledTo,
  smallest,
  snapped,
  stretched,
  withOneMore,
} from './areas.ts';
import { imagemapWidth, maxAreas } from '../../../shared/rich-line.ts';
import { emptyAction, layoutAreas } from './draft.ts';

const area = { x: 100, y: 50, width: 200, height: 100 };

test('an area stays wholly on the picture, wherever it is pulled', () => {
  expect(moved(area, -30, 9999, 700)).toEqual({ ...area, x: 0, y: 600 });
  expect(moved(area, 9999, -1, 700)).toEqual({ ...area, x: 840, y: 0 });
  expect(moved({ ...area, width: 1040, height: 700 }, 5, 5, 700)).toMatchObject({ x: 0, y: 0 });
});

test('it is drawn from any corner, and is never nothing', () => {
  const drawn = { x: 100, y: 50, width: 200, height: 100 };
  expect(between({ x: 300, y: 150 }, { x: 100, y: 50 }, 700)).toEqual(drawn);
  expect(between({ x: 2000, y: 900 }, { x: 2000, y: 900 }, 700)).toEqual({ x: 1039, y: 699, width: 1, height: 1 });
  expect(between({ x: -50, y: -50 }, { x: 9999, y: 9999 }, 700)).toEqual({ x: 0, y: 0, width: 1040, height: 700 });
});

test('pulled nearly over the corner that stays, it is as large as can be found, and that corner stays', () => {
  const fixed = { x: 300, y: 150 };
  expect(between(fixed, pulledTo({ x: 295, y: 100 }, fixed, 40), 700)).toEqual({
    x: 260,
    y: 100,
    width: 40,
    height: 50,
  });
  expect(between(fixed, pulledTo({ x: 300, y: 160 }, fixed, 40), 700)).toEqual({
    x: 300,
    y: 150,
    width: 40,
    height: 40,
  });
});

test('a strip drawn by a finger is as high as a thumb, in whole pixels, however small the picture is on the screen', () => {
  for (const shown of [219, 220, 328, 333, 1040, 1999]) {
    const least = leastOn(shown);
    const scale = imagemapWidth / shown;
    // From one side to the other, nearly along the picture's lower edge.
    const strip = between({ x: 3 * scale, y: 699.4 }, { x: (shown - 3) * scale, y: 697.9 }, 700);
    const kept = atLeast(strip, least, 700);
    for (const side of Object.values(kept)) expect(Number.isInteger(side)).toBe(true);
    expect(kept.height).toBe(least);
    expect(kept.y + kept.height).toBeLessThanOrEqual(700);
    expect(kept.height / scale).toBeGreaterThanOrEqual(24);
  }
});

test('pulled at a corner, the opposite one stays', () => {
  for (const corner of corners) {
    const fixed = opposite(area, corner);
    const pulled = {
      x: fixed.x === area.x ? area.x + area.width : area.x,
      y: fixed.y === area.y ? area.y + area.height : area.y,
    };
    expect(between(fixed, pulled, 700)).toEqual(area);
  }
});

test('on a lower picture as much is left of it as fits', () => {
  expect(stretched(area, 700, 350)).toMatchObject({ y: 25, height: 50 });
  expect(stretched({ ...area, y: 699, height: 1 }, 700, 10)).toMatchObject({ y: 9, height: 1 });
});

test('an edge that comes near another one meets it, and stays on the picture', () => {
  const others = [{ bounds: { x: 320, y: 400, width: 200, height: 100 } }];
  const near = { ...area, x: 128, y: 295 };
  expect(isOver(near, others[0]?.bounds ?? area)).toBe(false);
  expect(snapped(near, others, 700)).toEqual({ ...area, x: 120, y: 300 });
  expect(snapped({ ...area, x: 7, y: 590 }, others, 700)).toEqual({ ...area, x: 0, y: 600 });
  expect(snapped({ ...area, x: 60, y: 200 }, others, 700)).toEqual({ ...area, x: 60, y: 200 });
});

test('each of the most areas that there may be has a letter of its own', () => {
  const letters = Array.from({ length: 50 }, (_, at) => letterOf(at));
  expect([letters[0], letters[25], letters[26]]).toEqual(['A', 'Z', 'A1']);
  expect(new Set(letters).size).toBe(50);
});

test('one more area is where nothing is yet, and else has half of the largest', () => {
  const added = (areas: typeof whole) => withOneMore(areas, 700, emptyAction).areas.map(({ bounds }) => bounds);
  const whole = layoutAreas('whole', 700);
  expect(added([])).toEqual([{ x: 0, y: 0, width: 1040, height: 700 }]);
  const left = { action: emptyAction, bounds: { x: 0, y: 0, width: 300, height: 700 } };
  const middle = { action: emptyAction, bounds: { x: 300, y: 200, width: 200, height: 100 } };
  expect(added([left, middle]).at(-1)).toEqual({ x: 500, y: 0, width: 540, height: 700 });
  expect(added(whole)).toEqual([
    { x: 0, y: 0, width: 520, height: 700 },
    { x: 520, y: 0, width: 520, height: 700 },
  ]);
  const wide = { action: emptyAction, bounds: { x: 300, y: 0, width: 740, height: 700 } };
  expect(added([left, wide]).slice(1)).toEqual([
    { x: 300, y: 0, width: 370, height: 700 },
    { x: 670, y: 0, width: 370, height: 700 },
  ]);
});

test('however many are added, none lies over another while there is room for a thumb', () => {
  let areas = layoutAreas('whole', 1040);
  for (let more = 1; more < maxAreas; more++) areas = withOneMore(areas, 1040, emptyAction).areas;
  for (const one of areas) {
    expect(areas.filter((other) => other !== one && isOver(one.bounds, other.bounds))).toEqual([]);
    expect(Math.min(one.bounds.width, one.bounds.height)).toBeGreaterThanOrEqual(smallest);
  }
});
