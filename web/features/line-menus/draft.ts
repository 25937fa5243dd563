import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import type { DesignCell, MenuDesign } from '../../../shared/menu-design.ts';
import { areaLetters, layoutAreas, type Bounds, type MenuLayout, type MenuSize } from '../../../shared/menu-layout.ts';
import { scaleBounds } from './geometry.ts';
import { newCell } from './themes.ts';

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

/** Areas have no name of their own; one that is new has the label of no other. */
type Sample = (at: number) => string;

/** Another list of areas; `from` says for each of which it was made, and its cell goes with it. */
export function withAreas(draft: Draft, areas: DraftArea[], from: (number | undefined)[], sample: Sample): Draft {
  const { menu, design } = draft;
  const cellAt = (at: number): DesignCell => {
    const before = from[at];
    return (before === undefined ? undefined : design?.cells[before]) ?? newCell(at, sample(at));
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

export const addArea = (draft: Draft, bounds: Bounds, sample: Sample): Draft =>
  withAreas(draft, [...draft.menu.areas, { bounds, action: null }], [...everyArea(draft), undefined], sample);

export const removeArea = (draft: Draft, at: number, sample: Sample): Draft =>
  withAreas(draft, draft.menu.areas.toSpliced(at, 1), everyArea(draft).toSpliced(at, 1), sample);

/** A little aside, so that it is seen that there are two. */
export function copyArea(draft: Draft, at: number, sample: Sample): Draft {
  const { areas, size } = draft.menu;
  const area = areas[at];
  if (!area) return draft;
  const step = Math.round(size.width / 40);
  const { x, y, width, height } = area.bounds;
  const bounds = { width, height, x: asideOf(x, width, size.width, step), y: asideOf(y, height, size.height, step) };
  return withAreas(draft, [...areas, { ...area, bounds }], [...everyArea(draft), at], sample);
}

const asideOf = (at: number, length: number, whole: number, step: number) =>
  at + step + length <= whole ? at + step : Math.max(0, at - step);

/** The cells of a layout; actions stay with the areas that have the same letter. */
export function withLayout(draft: Draft, layout: MenuLayout, sample: Sample): Draft {
  const { menu } = draft;
  const letters = areaLetters(menu.areas);
  const order = menu.areas.map((_, at) => at).toSorted((one, other) => letterOrder(letters, one, other));
  const areas = layoutAreas(layout, menu.size).map((bounds, at) => ({
    bounds,
    action: menu.areas[order[at] ?? -1]?.action ?? null,
  }));
  return withAreas(
    draft,
    areas,
    areas.map((_, at) => order[at]),
    sample,
  );
}

const letterOrder = (letters: string[], one: number, other: number) =>
  (letters[one] ?? '').localeCompare(letters[other] ?? '');

export function withSize(draft: Draft, size: MenuSize): Draft {
  const { menu } = draft;
  const areas = menu.areas.map((area) => ({ ...area, bounds: scaleBounds(area.bounds, menu.size, size) }));
  return { ...draft, menu: { ...menu, size, areas } };
}

/** Which layout it is, if the areas are still those of one. */
export const layoutOf = ({ areas, size }: DraftMenu, layouts: MenuLayout[]): MenuLayout | undefined =>
  layouts.find((layout) => {
    const cells = layoutAreas(layout, size);
    return (
      cells.length === areas.length &&
      JSON.stringify(cells) === JSON.stringify(areas.map(({ bounds }) => ordered(bounds)))
    );
  });

const ordered = ({ x, y, width, height }: Bounds): Bounds => ({ x, y, width, height });

/** An action of a kind, as far as what was there before tells it. */
export function actionOf(type: MenuAction['type'], before: MenuAction | null): MenuAction {
  const label = before?.label;
  const named = label === undefined ? {} : { label };
  switch (type) {
    case 'uri':
      return { type, ...named, uri: '' };
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
