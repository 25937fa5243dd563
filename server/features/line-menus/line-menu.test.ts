import { describe, expect, test } from 'vitest';
import {
  checkMenu,
  fromLine,
  LineMenuJson,
  Menu,
  MenuDraft,
  toLine,
  type MenuAction,
} from '../../../shared/line-menu.ts';
import {
  areaLetters,
  layoutAreas,
  layoutSize,
  menuLayoutNames,
  menuSizes,
  type Bounds,
} from '../../../shared/menu-layout.ts';

const other = '00000000-0000-7000-8000-000000000001';
const message: MenuAction = { type: 'message', text: 'Hello' };
const aMenu = (more: object = {}): Menu => ({
  name: 'Spring',
  chatBarText: 'Menu',
  selected: true,
  size: { width: 2500, height: 843 },
  areas: layoutAreas('compact-4').map((bounds) => ({ bounds, action: message })),
  ...more,
});
const withAction = (action: unknown) => ({
  ...aMenu(),
  areas: [{ bounds: { x: 0, y: 0, width: 2500, height: 843 }, action }],
});
const problemsOf = (menu: unknown) =>
  Menu.safeParse(menu).error?.issues.map(
    ({ code, message: told, path }) => `${path.join('.')}: ${code === 'custom' ? told : code}`,
  ) ?? [];

describe('a layout', () => {
  const sizes = [...menuSizes, { width: 1037, height: 611 }];
  test.each(menuLayoutNames)('%s covers a menu of every size, without a gap', (layout) => {
    for (const size of sizes) {
      const cells = layoutAreas(layout, size);
      const covered = cells.reduce((sum, { width, height }) => sum + width * height, 0);
      expect(covered).toBe(size.width * size.height);
      const menu = aMenu({ size, areas: cells.map((bounds) => ({ bounds, action: message })) });
      expect(checkMenu(menu)).toEqual([]);
    }
  });

  test('has the bounds that LINE’s own templates have', () => {
    const tuples = (cells: Bounds[]) => cells.map(({ x, y, width, height }) => [x, y, width, height]);
    expect(layoutSize('large-4')).toEqual({ width: 2500, height: 1686 });
    expect(tuples(layoutAreas('large-4'))).toEqual([
      [0, 0, 1667, 1686],
      [1667, 0, 833, 843],
      [1667, 843, 833, 843],
    ]);
    expect(tuples(layoutAreas('large-5'))).toEqual([
      [0, 0, 2500, 843],
      [0, 843, 833, 843],
      [833, 843, 834, 843],
      [1667, 843, 833, 843],
    ]);
    expect(tuples(layoutAreas('compact-2'))).toEqual([
      [0, 0, 833, 843],
      [833, 0, 1667, 843],
    ]);
  });
});

describe('a menu', () => {
  const family = '👨‍👩‍👧‍👦';
  test.each([
    ['300 characters as a person counts them', { name: family.repeat(300) }],
    ['14 characters on its bar', { chatBarText: family.repeat(14) }],
    ['the smallest size', { size: { width: 800, height: 250 }, areas: [] }],
    ['the steepest size', { size: { width: 2500, height: 1724 } }],
    ['20 areas', { areas: Array.from({ length: 20 }, () => aMenu().areas[0]) }],
  ])('has %s', (_, more) => expect(problemsOf(aMenu(more))).toEqual([]));

  test.each([
    ['a name of 301 characters', { name: 'x'.repeat(301) }, 'name: too-long'],
    ['no name', { name: ' ' }, 'name: empty'],
    ['15 characters on its bar', { chatBarText: 'x'.repeat(15) }, 'chatBarText: too-long'],
    ['a width of 799', { size: { width: 799, height: 270 }, areas: [] }, 'size: line-menu-size'],
    ['a width of 2,501', { size: { width: 2501, height: 843 } }, 'size: line-menu-size'],
    ['a height of 249', { size: { width: 800, height: 249 }, areas: [] }, 'size: line-menu-size'],
    ['a ratio below 1.45', { size: { width: 2500, height: 1725 } }, 'size: line-menu-size'],
    ['21 areas', { areas: Array.from({ length: 21 }, () => aMenu().areas[0]) }, 'areas: too_big'],
    ['half a pixel', { size: { width: 2500.5, height: 843 } }, 'size.width: invalid_type'],
  ])('has not %s', (_, more, problem) => expect(problemsOf(aMenu(more))).toContain(problem));

  test.each([
    [{ x: -1, y: 0, width: 10, height: 10 }],
    [{ x: 2491, y: 0, width: 10, height: 10 }],
    [{ x: 0, y: 834, width: 10, height: 10 }],
    [{ x: 0, y: 0, width: 0, height: 10 }],
  ])('has no area outside of it: %j', (bounds) =>
    expect(problemsOf(aMenu({ areas: [{ bounds, action: message }] }))).toEqual(['areas.0.bounds: line-menu-bounds']),
  );

  test.each([
    [{ type: 'uri', uri: 'ftp://example.com' }, 'uri: line-uri-form'],
    [{ type: 'uri', uri: 'javascript:alert(1)' }, 'uri: line-uri-form'],
    [{ type: 'uri', uri: `https://example.com/${'x'.repeat(981)}` }, 'uri: too_big'],
    [{ type: 'message', text: 'x'.repeat(301) }, 'text: too-long'],
    [{ type: 'message', text: 'x', label: 'x'.repeat(21) }, 'label: too-long'],
    [{ type: 'postback', data: 'あ'.repeat(301) }, 'data: too_big'],
    [{ type: 'postback', data: 'x', fillInText: 'x' }, 'fillInText: line-fill-in'],
    [{ type: 'postback', data: 'x', inputOption: 'shout' }, 'inputOption: invalid_value'],
    [{ type: 'datetimepicker', data: 'x', mode: 'date', initial: '12:00' }, 'initial: line-picker-form'],
    [{ type: 'datetimepicker', data: 'x', mode: 'date', min: '1899-12-31' }, 'min: line-picker-form'],
    [{ type: 'datetimepicker', data: 'x', mode: 'time', min: '12:00', max: '11:00' }, 'max: line-picker-form'],
    [{ type: 'richmenuswitch', menu: 'alias' }, 'menu: invalid_format'],
    [{ type: 'clipboard', clipboardText: 'x'.repeat(1001) }, 'clipboardText: too_big'],
    [{ type: 'camera', label: 'x' }, 'type: invalid_union'],
    [{ type: 'cameraRoll', label: 'x' }, 'type: invalid_union'],
    [{ type: 'location', label: 'x' }, 'type: invalid_union'],
  ])('refuses %j', (action, problem) => expect(problemsOf(withAction(action))).toContain(`areas.0.action.${problem}`));

  test('tells what keeps it from being published, and what is only doubtful', () => {
    expect(checkMenu(aMenu({ areas: [] }))).toEqual([{ code: 'line-menu-empty', level: 'error' }]);
    const areas = [
      { bounds: { x: 0, y: 0, width: 1000, height: 843 }, action: null },
      { bounds: { x: 999, y: 0, width: 207, height: 843 }, action: message },
    ];
    expect(checkMenu(aMenu({ areas }))).toEqual([
      { code: 'line-menu-action', area: 0, level: 'error' },
      { code: 'line-menu-narrow', area: 1, level: 'warning' },
      { code: 'line-menu-overlap', area: 1, level: 'warning' },
    ]);
    const [outside, gone]: MenuAction[] = [
      { type: 'uri', uri: 'examp' },
      { type: 'richmenuswitch', menu: other, label: 'x'.repeat(21) },
    ];
    const unfinished = [
      { bounds: { x: 0, y: 0, width: 9000, height: 843 }, action: outside },
      { bounds: { x: 0, y: 0, width: 2500, height: 843 }, action: gone },
      { bounds: { x: 0, y: 0, width: 2500, height: 843 }, action: { type: 'postback', data: '' } },
    ];
    const all = checkMenu(aMenu({ chatBarText: '', areas: unfinished }), () => false);
    expect(all.filter(({ level }) => level === 'error')).toEqual([
      { code: 'empty', field: 'chatBarText', level: 'error' },
      { code: 'line-menu-bounds', area: 0, level: 'error' },
      { code: 'line-uri-form', area: 0, field: 'uri', level: 'error' },
      { code: 'too-long', area: 1, field: 'label', level: 'error' },
      { code: 'line-menu-gone', area: 1, field: 'menu', level: 'error' },
      { code: 'empty', area: 2, field: 'data', level: 'error' },
    ]);
  });
});

test('a draft keeps what is not finished, and not what has no end or cannot be stored', () => {
  const keeps = (action: unknown) => MenuDraft.safeParse({ ...withAction(action), chatBarText: '' }).success;
  expect(keeps({ type: 'uri', uri: 'https:/' })).toBe(true);
  expect(keeps({ type: 'message', text: '', label: 'x'.repeat(50) })).toBe(true);
  expect(keeps({ type: 'datetimepicker', data: '', mode: 'date', min: '2026-02-02', max: '2026-01-01' })).toBe(true);
  expect(keeps({ type: 'richmenuswitch', menu: '' })).toBe(true);
  expect(keeps({ type: 'richmenuswitch', menu: 'alias' })).toBe(false);
  expect(keeps({ type: 'message', text: 'x'.repeat(4001) })).toBe(false);
  expect(keeps({ type: 'message', text: '\u0000' })).toBe(false);
  expect(keeps({ type: 'hologram' })).toBe(false);
});

test('areas have letters as one reads them', () => {
  const letters = (cells: Bounds[]) => areaLetters(cells.map((bounds) => ({ bounds }))).join('');
  for (const layout of menuLayoutNames) {
    const cells = layoutAreas(layout);
    expect(letters(cells)).toBe('ABCDEF'.slice(0, cells.length));
    expect(letters(cells.toReversed())).toBe([...letters(cells)].toReversed().join(''));
  }
  // Drawn by hand, a row is not quite straight.
  expect(
    letters([
      { x: 500, y: 0, width: 400, height: 400 },
      { x: 0, y: 9, width: 400, height: 400 },
      { x: 0, y: 420, width: 900, height: 400 },
    ]),
  ).toBe('BAC');
});

test('what LINE gets is its own form, and comes back as the same menu', () => {
  const actions: MenuAction[] = [
    { type: 'uri', uri: 'https://example.com/?q=%E3%81%82', label: 'Shop' },
    { type: 'message', text: 'Hello' },
    { type: 'postback', data: 'a=1', displayText: 'Yes', inputOption: 'openKeyboard', fillInText: 'Name: ' },
    { type: 'datetimepicker', data: 'b', mode: 'datetime', initial: '2026-01-01T10:00' },
    { type: 'richmenuswitch', menu: other, data: 'tab=2' },
    { type: 'clipboard', clipboardText: 'CODE' },
  ];
  const menu = Menu.parse(
    aMenu({
      size: { width: 2500, height: 1686 },
      areas: layoutAreas('large-7').map((bounds, at) => ({ bounds, action: actions[at] })),
    }),
  );
  const json = toLine(menu, (uuid) => uuid.replaceAll('-', ''));
  expect(json.areas[4]?.action).toEqual({
    type: 'richmenuswitch',
    richMenuAliasId: other.replaceAll('-', ''),
    data: 'tab=2',
  });
  const back = fromLine(LineMenuJson.parse(JSON.parse(JSON.stringify(json))), () => other);
  expect(Menu.parse(back)).toEqual(menu);
  expect(fromLine(json).areas[4]?.action).toBeNull();
  const unknown = { ...json, areas: [{ bounds: menu.areas[0]!.bounds, action: { type: 'hologram', x: 1 } }] };
  expect(fromLine(unknown).areas[0]?.action).toBeNull();
});

test('an address is written as LINE takes it', () => {
  const uri = Menu.parse(withAction({ type: 'uri', uri: 'https://example.com/春?q=a b' })).areas[0]?.action;
  expect(uri).toEqual({ type: 'uri', uri: 'https://example.com/%E6%98%A5?q=a%20b' });
});
