import { expect, test } from 'vitest';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { layoutAreas } from '../../../shared/menu-layout.ts';
import { addArea, copyArea, draftOf, layoutOf, removeArea, withLayout, withSize, type Draft } from './draft.ts';
import { applyTheme, newDesign, themeNames, themes } from './themes.ts';
import { contrastOf } from './color-input.tsx';

const sample = (at: number) => `Label ${at}`;
const menu: Pick<RichMenu, 'menu' | 'default' | 'tags' | 'people' | 'from' | 'to'> = {
  menu: {
    name: 'Everyday',
    chatBarText: 'Menu',
    selected: true,
    size: { width: 2500, height: 1686 },
    areas: layoutAreas('large-6').map((bounds, at) => ({ bounds, action: { type: 'message', text: `Say ${at}` } })),
  },
  default: false,
  tags: [],
  people: [],
  from: null,
  to: null,
};
const aDraft = (): Draft => draftOf(menu, newDesign(['A', 'B', 'C', 'D']));
const labels = ({ design }: Draft) => design?.cells.map(({ label }) => label);
const texts = ({ menu: { areas } }: Draft) =>
  areas.map(({ action }) => (action?.type === 'message' ? action.text : action));

test('a cell goes with its area when another is removed, copied or added', () => {
  const without = removeArea(aDraft(), 1, sample);
  expect(labels(without)).toEqual(['A', 'C', 'D']);
  expect(texts(without)).toEqual(['Say 0', 'Say 2', 'Say 3']);
  const copied = copyArea(aDraft(), 3, sample);
  expect(labels(copied)).toEqual(['A', 'B', 'C', 'D', 'D']);
  expect(copied.menu.areas[4]?.bounds).toEqual({ x: 1187, y: 780, width: 1250, height: 843 });
  expect(labels(addArea(aDraft(), { x: 0, y: 0, width: 100, height: 100 }, sample))?.at(-1)).toBe('Label 4');
});

test('another layout keeps what taps do, letter by letter', () => {
  const six = withLayout(aDraft(), 'large-7', sample);
  expect(texts(six)).toEqual(['Say 0', 'Say 1', 'Say 2', 'Say 3', null, null]);
  expect(labels(six)).toEqual(['A', 'B', 'C', 'D', 'Label 4', 'Label 5']);
  expect(layoutOf(six.menu, ['large-6', 'large-7'])).toBe('large-7');
  expect(texts(withLayout(six, 'large-2', sample))).toEqual(['Say 0', 'Say 1']);
});

test('a menu of another size has its layout still', () => {
  const small = withSize(aDraft(), { width: 800, height: 540 });
  expect(layoutOf(small.menu, ['large-6'])).toBe('large-6');
});

test.each(themeNames)('labels of the look %s are read on their cells', (name) => {
  const { cells } = applyTheme(newDesign(Array.from({ length: 20 }, () => 'x')), name);
  for (const { fill, ink } of cells) expect(contrastOf(fill ?? themes[name].ground, ink)).toBeGreaterThanOrEqual(4.5);
});
