import { expect, test } from 'vitest';
import { between, corners, fitted, moved, opposite } from './areas.ts';

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
  expect(fitted({ ...area, y: 650 }, 700)).toMatchObject({ y: 650, height: 50 });
  expect(fitted({ ...area, y: 650 }, 300)).toMatchObject({ y: 299, height: 1 });
});
