import { expect, test } from 'vitest';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import { layoutAreas, tabBounds } from '../../../shared/menu-layout.ts';
import {
  addArea,
  copyArea,
  draftOf,
  labelsOf,
  layoutOf,
  removeArea,
  rolesOf,
  tabRowOf,
  withArea,
  withExamples,
  withLayout,
  withSize,
  type Draft,
} from './draft.ts';
import { applyTheme, newDesign, themeNames, themes, type Role } from './themes.ts';
import { contrastOf } from '../../ui/contrast.ts';

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
const aDraft = (): Draft => draftOf(menu, newDesign(['lead', 'cell', 'cell', 'cell']));
const sample = Array.from({ length: 6 }, (_, at) => ({ label: `Label ${at}`, text: `Ask ${at}` }));
const labels = (draft: Draft) => labelsOf(draft, sample).map(({ text }) => text);
const written = (draft: Draft, ...cells: (string | null)[]): Draft => ({
  ...draft,
  design: draft.design && {
    ...draft.design,
    cells: draft.design.cells.map((cell, at) => ({ ...cell, label: cells[at] ?? null })),
  },
});
const texts = ({ menu: { areas } }: Draft) =>
  areas.map(({ action }) => (action?.type === 'message' ? action.text : action));

test('a cell goes with its area when another is removed, copied or added', () => {
  const without = removeArea(written(aDraft(), 'A', 'B', 'C', 'D'), 1);
  expect(labels(without)).toEqual(['A', 'C', 'D']);
  expect(texts(without)).toEqual(['Say 0', 'Say 2', 'Say 3']);
  const copied = copyArea(written(aDraft(), 'A', 'B', 'C', 'D'), 3);
  expect(labels(copied)).toEqual(['A', 'B', 'C', 'D', 'D']);
  expect(copied.menu.areas[4]?.bounds).toEqual({ x: 1187, y: 780, width: 1250, height: 843 });
  expect(labels(addArea(aDraft(), { x: 0, y: 0, width: 100, height: 100 })).at(-1)).toBe('Label 1');
});

test('another layout keeps what taps do, letter by letter', () => {
  const six = withLayout(written(aDraft(), 'A', 'B', 'C', 'D'), 'large-7');
  expect(texts(six)).toEqual(['Say 0', 'Say 1', 'Say 2', 'Say 3', null, null]);
  expect(labels(six)).toEqual(['A', 'B', 'C', 'D', 'Label 4', 'Label 5']);
  expect(layoutOf(six.menu, ['large-6', 'large-7'])).toBe('large-7');
  expect(texts(withLayout(six, 'large-2'))).toEqual(['Say 0', 'Say 1']);
});

test('a cell says what its area says, until something is written for it', () => {
  const say = (draft: Draft, at: number, action: MenuAction | null) => withArea(draft, at, { action });
  let draft = aDraft();
  expect(labels(draft)).toEqual(['Say 0', 'Say 1', 'Say 2', 'Say 3']);
  draft = say(draft, 0, { type: 'message', text: 'May I reserve a table?', label: 'Reserve' });
  draft = say(draft, 1, { type: 'uri', uri: 'https://example.com' });
  draft = say(draft, 2, { type: 'richmenuswitch', menu: 'another' });
  draft = say(draft, 3, null);
  expect(labels(draft)).toEqual(['Reserve', 'Label 1', 'Label 2', 'Label 3']);
  draft = written(draft, 'Book', '', null, null);
  draft = say(draft, 0, { type: 'message', text: 'x', label: 'Something else' });
  draft = say(draft, 1, { type: 'uri', uri: 'https://example.com', label: 'Shop' });
  expect(labels(draft)).toEqual(['Book', '', 'Label 2', 'Label 3']);
});

test('a look lets its areas ask what their labels say, where they do nothing yet', () => {
  const own = withArea(withLayout(aDraft(), 'large-7'), 5, { action: { type: 'uri', uri: 'https://example.com' } });
  const draft = withExamples(own, sample);
  expect(draft.menu.areas.slice(3).map(({ action }) => action)).toEqual([
    { type: 'message', text: 'Say 3' },
    { type: 'message', label: 'Label 4', text: 'Ask 4' },
    { type: 'uri', uri: 'https://example.com' },
  ]);
  expect(labels(draft)[4]).toBe('Label 4');
  // Of what somebody has made their own, nothing is an example any more.
  expect(labelsOf(draft, sample)[4]?.from).toBe('sample');
  const asked = withArea(draft, 4, { action: { type: 'message', label: 'Label 4', text: 'Do you deliver?' } });
  expect(labelsOf(asked, sample)[4]?.from).toBe('area');
});

test('a menu of another size has its layout still', () => {
  const small = withSize(aDraft(), { width: 800, height: 540 });
  expect(layoutOf(small.menu, ['large-6'])).toBe('large-6');
});

test('a row of tabs stays where it is, and the open one is drawn as such', () => {
  const size = { width: 2500, height: 1686 };
  const tabs = tabBounds(2, size).map((bounds, at) => ({
    bounds,
    action: { type: 'richmenuswitch' as const, menu: `menu-${at}`, label: `Tab ${at}` },
  }));
  const below = layoutAreas('large-6', size, 250).map((bounds) => ({ bounds, action: null }));
  const draft = { ...aDraft(), menu: { ...menu.menu, areas: [...tabs, ...below] } };
  expect(rolesOf(draft.menu, 'menu-1')).toEqual(['tab', 'lead', 'cell', 'cell', 'cell', 'cell']);
  expect(layoutOf(draft.menu, ['large-7', 'large-6'])).toBe('large-6');
  const other = withLayout(draft, 'large-2');
  expect(other.menu.areas.slice(0, 2)).toEqual(tabs);
  expect(other.menu.areas[3]?.bounds).toEqual({ x: 1250, y: 250, width: 1250, height: 1436 });
  // What leads to other menus anywhere else is no row.
  expect(tabRowOf({ ...menu.menu, areas: [...tabs.slice(1), ...below] }).row).toEqual([]);
});

test.each(themeNames)('labels of the look %s are read on their cells', (name) => {
  const roles: Role[] = ['tab', 'lead', ...Array.from({ length: 18 }, () => 'cell' as const)];
  const { cells } = applyTheme(newDesign(roles), name, roles);
  for (const { fill, ink } of cells) expect(contrastOf(fill ?? themes[name].ground, ink)).toBeGreaterThanOrEqual(4.5);
});
