import type { CSSProperties } from 'react';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import { callScheme } from '../../../shared/line-uri.ts';
import type { DesignCell, MenuDesign } from '../../../shared/menu-design.ts';
import { areaLetters, layoutAreas, type Bounds, type MenuLayout, type MenuSize } from '../../../shared/menu-layout.ts';
import { scaleBounds } from './geometry.ts';
import { newCell, type Role } from './themes.ts';

export type DraftMenu = RichMenu['menu'];
export type DraftArea = DraftMenu['areas'][number];

/** What the editor holds. Of the picture either a design, or an upload that is not saved yet, or neither. */
export interface Draft {
  menu: DraftMenu;
  design: MenuDesign | null;
  upload: { id: string; file: Blob } | null;
  isDefault: boolean;
  tags: string[];
  people: RichMenu['people'];
  from: string | null;
  to: string | null;
}

/** What was drawn and what was uploaded since the menu was opened: a draft has one of them, and the other is not lost. */
export type Kept = Pick<Draft, 'design' | 'upload'>;

export const draftOf = (
  {
    menu,
    default: isDefault,
    tags,
    people,
    from,
    to,
  }: Pick<RichMenu, 'menu' | 'default' | 'tags' | 'people' | 'from' | 'to'>,
  design: MenuDesign | null,
): Draft => ({
  menu,
  design,
  upload: null,
  isDefault,
  tags,
  people,
  from,
  to,
});

/** Another list of areas; `from` says for each of which it was made, and its cell goes with it. */
export function withAreas(draft: Draft, areas: DraftArea[], from: (number | undefined)[]): Draft {
  const { menu, design } = draft;
  const cellAt = (at: number): DesignCell => {
    const before = from[at];
    return (before === undefined ? undefined : design?.cells[before]) ?? newCell(at);
  };
  return {
    ...draft,
    menu: { ...menu, areas },
    design: design && { ...design, cells: areas.map((_, at) => cellAt(at)) },
  };
}

export const withArea = (draft: Draft, at: number, changes: Partial<DraftArea>): Draft => ({
  ...draft,
  menu: {
    ...draft.menu,
    areas: draft.menu.areas.map((area, index) => (index === at ? { ...area, ...changes } : area)),
  },
});

const everyArea = (draft: Draft) => draft.menu.areas.map((_, at) => at);

export const addArea = (draft: Draft, bounds: Bounds): Draft =>
  withAreas(draft, [...draft.menu.areas, { bounds, action: null }], [...everyArea(draft), undefined]);

export const removeArea = (draft: Draft, at: number): Draft =>
  withAreas(draft, draft.menu.areas.toSpliced(at, 1), everyArea(draft).toSpliced(at, 1));

/** A little aside, so that it is seen that there are two. */
export function copyArea(draft: Draft, at: number): Draft {
  const { areas, size } = draft.menu;
  const area = areas[at];
  if (!area) return draft;
  const step = Math.round(size.width / 40);
  const { x, y, width, height } = area.bounds;
  const bounds = { width, height, x: asideOf(x, width, size.width, step), y: asideOf(y, height, size.height, step) };
  return withAreas(draft, [...areas, { ...area, bounds }], [...everyArea(draft), at]);
}

const asideOf = (at: number, length: number, whole: number, step: number) =>
  at + step + length <= whole ? at + step : Math.max(0, at - step);

/** The cells of a layout; actions stay with the areas that have the same letter, and a row of tabs stays above them. */
export function withLayout(draft: Draft, layout: MenuLayout): Draft {
  const { menu } = draft;
  const { row, top } = tabRowOf(menu);
  const letters = areaLetters(menu.areas);
  const order = menu.areas
    .map((_, at) => at)
    .filter((at) => !row.includes(at))
    .toSorted((one, other) => letterOrder(letters, one, other));
  const below = layoutAreas(layout, menu.size, top).map((bounds, at) => ({
    bounds,
    action: menu.areas[order[at] ?? -1]?.action ?? null,
  }));
  return withAreas(
    draft,
    [...row.flatMap((at) => menu.areas[at] ?? []), ...below],
    [...row, ...below.map((_, at) => order[at])],
  );
}

/** The places of areas that are a row of tabs at the head of a menu, from left to right, and where it ends. */
export function tabRowOf({ areas, size }: DraftMenu): { row: number[]; top: number } {
  const none = { row: [], top: 0 };
  const row = areas
    .flatMap(({ bounds: { y }, action }, at) => (y === 0 && action?.type === 'richmenuswitch' ? [at] : []))
    .toSorted((one, other) => (areas[one]?.bounds.x ?? 0) - (areas[other]?.bounds.x ?? 0));
  const tabs = row.flatMap((at) => areas[at]?.bounds ?? []);
  const top = tabs[0]?.height ?? 0;
  const isRow =
    tabs.length > 1 &&
    top < size.height / 2 &&
    tabs.every(({ height }) => height === top) &&
    tabs.reduce((sum, { width }) => sum + width, 0) === size.width;
  return isRow ? { row, top } : none;
}

/** As what each cell is drawn: the first as what is to be seen first, or of a row of tabs the one that is open. */
export function rolesOf(menu: DraftMenu, uuid: string): Role[] {
  const { row } = tabRowOf(menu);
  return menu.areas.map(({ action }, at) => {
    if (!row.includes(at)) return at === 0 ? 'lead' : 'cell';
    return action?.type === 'richmenuswitch' && action.menu === uuid ? 'lead' : 'tab';
  });
}

const letterOrder = (letters: string[], one: number, other: number) =>
  (letters[one] ?? '').localeCompare(letters[other] ?? '');

/** For how wide it may be where its height is limited. */
export const ratioOf = ({ width, height }: MenuSize): CSSProperties & { '--ratio': number } => ({
  '--ratio': width / height,
});

export function withSize(draft: Draft, size: MenuSize): Draft {
  const { menu } = draft;
  const areas = menu.areas.map((area) => ({ ...area, bounds: scaleBounds(area.bounds, menu.size, size) }));
  return { ...draft, menu: { ...menu, size, areas } };
}

/** Which layout it is, if the areas are still those of one, below their tabs. */
export function layoutOf(menu: DraftMenu, layouts: MenuLayout[]): MenuLayout | undefined {
  const { row, top } = tabRowOf(menu);
  const below = menu.areas.filter((_, at) => !row.includes(at)).map(({ bounds }) => ordered(bounds));
  return layouts.find((layout) => JSON.stringify(layoutAreas(layout, menu.size, top)) === JSON.stringify(below));
}

const ordered = ({ x, y, width, height }: Bounds): Bounds => ({ x, y, width, height });

/** An action of a kind, as far as what was there before tells it. */
export function actionOf(type: MenuAction['type'] | 'call', before: MenuAction | null): MenuAction {
  const label = before?.label;
  const named = label === undefined ? {} : { label };
  switch (type) {
    case 'uri':
      return { type, ...named, uri: '' };
    case 'call':
      return { type: 'uri', ...named, uri: callScheme };
    case 'message':
      return { type, ...named, text: '' };
    case 'postback':
      return { type, ...named, data: '' };
    case 'datetimepicker':
      return { type, ...named, data: '', mode: 'datetime' };
    case 'richmenuswitch':
      return { type, ...named, menu: '' };
    case 'clipboard':
      return { type, ...named, clipboardText: '' };
  }
}

/** Examples of what a cell may say, and of what is asked by a tap on it, in the order in which areas are read. */
export type Sample = { label: string; text: string }[];

/** What its example asks, where a tap does nothing yet: a bot answers that without anything more. */
export function withExamples<Part extends Pick<Draft, 'menu'>>(draft: Part, sample: Sample): Part {
  const examples = examplesOf(draft.menu, sample);
  const areas = draft.menu.areas.map((area, at): DraftArea => {
    const example = examples[at];
    return area.action || !example ? area : { ...area, action: { type: 'message', ...example } };
  });
  return { ...draft, menu: { ...draft.menu, areas } };
}

/** Of each area, below its tabs. */
function examplesOf(menu: DraftMenu, sample: Sample): (Sample[number] | undefined)[] {
  const letters = areaLetters(menu.areas);
  const tabs = tabRowOf(menu).row.length;
  return letters.map((letter) => sample[Math.max(0, placeOf(letter) - tabs) % sample.length]);
}

/** What each cell says: what was written for it; else what its area says, whatever that comes to be; else an example. */
export function labelsOf(
  { menu, design }: Pick<Draft, 'menu' | 'design'>,
  sample: Sample,
): { text: string; from: 'cell' | 'area' | 'sample' }[] {
  const examples = examplesOf(menu, sample);
  return menu.areas.map(({ action }, at) => {
    const written = design?.cells[at]?.label ?? null;
    if (written !== null) return { text: written, from: 'cell' };
    const said = action && saidOf(action).trim();
    if (!said) return { text: examples[at]?.label ?? '', from: 'sample' };
    return { text: said, from: isSample(action, sample) ? 'sample' : 'area' };
  });
}

const isSample = (action: MenuAction | null, sample: Sample) =>
  action?.type === 'message' && sample.some(({ label, text }) => label === action.label && text === action.text);

/** Areas that ask what an example asks: friends would press what nobody has meant. */
export const exampleProblems = ({ menu }: { menu: DraftMenu }, sample: Sample) =>
  menu.areas.flatMap(({ action }, area) =>
    isSample(action, sample) ? [{ code: 'sample', level: 'error' as const, area }] : [],
  );

/** What areas are called: as on the picture that is drawn, else by what was written for whoever does not see it. */
export const namesOf = (draft: Pick<Draft, 'menu' | 'design'>, sample: Sample): string[] =>
  (draft.design
    ? labelsOf(draft, sample).map(({ text }) => text)
    : draft.menu.areas.map(({ action }) => action?.label ?? '')
  ).map((name) => name.replace(/\s+/g, ' ').trim());

/** In the maker's words; addresses and what only a bot reads are none. */
function saidOf(action: MenuAction): string {
  if (action.label?.trim()) return action.label;
  if (action.type === 'message') return action.text;
  return action.type === 'postback' ? (action.displayText ?? '') : '';
}

/** Its place among all when they are read row by row. */
const placeOf = (letter = 'A') => letter.charCodeAt(0) - 'A'.charCodeAt(0);

/** The same with what its cells say, so that it can be drawn. */
export const withLabels = <Part extends Pick<Draft, 'menu' | 'design'>>(draft: Part, sample: Sample): Part => {
  const { design } = draft;
  if (!design) return draft;
  const labels = labelsOf(draft, sample);
  const cells = design.cells.map((cell, at) => ({ ...cell, label: labels[at]?.text ?? '' }));
  return { ...draft, design: { ...design, cells } };
};
