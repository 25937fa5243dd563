import { z } from 'zod';
import { isStorable, optionalText, text, uuid } from './text.ts';

/* Rich menus of LINE. Limits and actions: https://developers.line.biz/en/reference/messaging-api/#rich-menu-object */

export interface Bounds {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface MenuSize {
  width: number;
  height: number;
}

/** The sizes that LINE's own account manager offers, tall and compact. */
export const menuSizes: readonly MenuSize[] = [
  { width: 2500, height: 1686 },
  { width: 1200, height: 810 },
  { width: 800, height: 540 },
  { width: 2500, height: 843 },
  { width: 1200, height: 405 },
  { width: 800, height: 270 },
];

export const maxMenuImageBytes = 1024 * 1024;
const maxAreas = 20;
const minRatio = 1.45;

export const menuLayoutNames = [
  'large-1',
  'large-2',
  'large-3',
  'large-4',
  'large-5',
  'large-6',
  'large-7',
  'compact-1',
  'compact-2',
  'compact-3',
  'compact-4',
  'compact-5',
] as const;
export type MenuLayout = (typeof menuLayoutNames)[number];

const whole = [0, 2500];
const halves = [0, 1250, 2500];
const thirds = [0, 833, 1667, 2500];
const [top, bottom, tall] = [
  [0, 843],
  [843, 1686],
  [0, 1686],
] as const;

/** Cells side by side, between these edges. */
const row = ([from, to]: readonly [number, number], edges: number[]): Bounds[] =>
  edges.slice(1).map((edge, at) => ({ x: edges[at] ?? 0, y: from, width: edge - (edges[at] ?? 0), height: to - from }));

const layouts: Record<MenuLayout, Bounds[]> = {
  'large-1': row(tall, whole),
  'large-2': row(tall, halves),
  'large-3': [...row(top, whole), ...row(bottom, whole)],
  'large-4': [...row(tall, [0, 1667]), ...row(top, [1667, 2500]), ...row(bottom, [1667, 2500])],
  'large-5': [...row(top, whole), ...row(bottom, thirds)],
  'large-6': [...row(top, halves), ...row(bottom, halves)],
  'large-7': [...row(top, thirds), ...row(bottom, thirds)],
  'compact-1': row(top, whole),
  'compact-2': row(top, [0, 833, 2500]),
  'compact-3': row(top, [0, 1667, 2500]),
  'compact-4': row(top, halves),
  'compact-5': row(top, thirds),
};

/** The size for which a layout was drawn. */
export const layoutSize = (layout: MenuLayout): MenuSize => ({
  width: 2500,
  height: layout.startsWith('large') ? 1686 : 843,
});

/** A layout's cells in a menu of any size: their edges are scaled, so that they meet without a gap. */
export function layoutAreas(layout: MenuLayout, size: MenuSize = layoutSize(layout)): Bounds[] {
  const drawn = layoutSize(layout);
  const across = (edge: number) => Math.round((edge * size.width) / drawn.width);
  const down = (edge: number) => Math.round((edge * size.height) / drawn.height);
  return layouts[layout].map(({ x, y, width, height }) => ({
    x: across(x),
    y: down(y),
    width: across(x + width) - across(x),
    height: down(y + height) - down(y),
  }));
}

/** What LINE counts in UTF-16 units, and not as a person counts. */
export const units = (max: number) =>
  z.string().refine(isStorable, { message: 'not-storable', abort: true }).trim().min(1).max(max);
/** An address that LINE opens. */
export const lineUri = z
  .string()
  .refine(isStorable, { message: 'not-storable', abort: true })
  .trim()
  // LINE takes nothing beyond ASCII.
  .overwrite((uri) => uri.replace(/[^\x21-\x7e]/gu, encodeURIComponent))
  .max(1000)
  .refine((uri) => /^(?:https?:\/\/.|line:\/\/.|tel:[+\d#*])/.test(uri), { message: 'line-uri-form' });
const label = optionalText(20).optional();
const dateForm = String.raw`(?:19\d\d|20\d\d|2100)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const timeForm = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const pickerForms = {
  date: new RegExp(`^${dateForm}$`),
  time: new RegExp(`^${timeForm}$`),
  datetime: new RegExp(`^${dateForm}[Tt]${timeForm}$`),
};

/** What a tap does. A menu knows no camera, camera roll and location: those are for quick replies. */
export const MenuAction = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('uri'),
    label,
    uri: lineUri,
  }),
  z.strictObject({ type: z.literal('message'), label, text: text(300) }),
  z
    .strictObject({
      type: z.literal('postback'),
      label,
      data: units(300),
      displayText: optionalText(300).optional(),
      inputOption: z.enum(['closeRichMenu', 'openRichMenu', 'openKeyboard', 'openVoice']).optional(),
      fillInText: optionalText(300).optional(),
    })
    .refine(({ fillInText, inputOption }) => !fillInText || inputOption === 'openKeyboard', {
      message: 'line-fill-in',
      path: ['fillInText'],
    }),
  z
    .strictObject({
      type: z.literal('datetimepicker'),
      label,
      data: units(300),
      mode: z.enum(['date', 'time', 'datetime']),
      initial: z.string().optional(),
      min: z.string().optional(),
      max: z.string().optional(),
    })
    .superRefine(({ mode, initial, min, max }, issues) => {
      const wrong = (path: string) => issues.addIssue({ code: 'custom', message: 'line-picker-form', path: [path] });
      for (const [name, value] of Object.entries({ initial, min, max }))
        if (value !== undefined && !pickerForms[mode].test(value)) wrong(name);
      if (min !== undefined && max !== undefined && max <= min) wrong('max');
      if (initial !== undefined && ((min ?? initial) > initial || initial > (max ?? initial))) wrong('initial');
    }),
  /** To another menu of the channel, as a tab. */
  z.strictObject({ type: z.literal('richmenuswitch'), label, menu: uuid, data: units(300).optional() }),
  z.strictObject({ type: z.literal('clipboard'), label, clipboardText: units(1000) }),
]);
export type MenuAction = z.output<typeof MenuAction>;

const isInside = ({ x, y, width, height }: Bounds, size: MenuSize): boolean =>
  x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= size.width && y + height <= size.height;

/** A menu as it is drawn. An area may have no action yet: that is asked for when it is published. */
export const Menu = z
  .strictObject({
    name: text(300),
    chatBarText: text(14),
    /** It is open when the chat is opened. */
    selected: z.boolean(),
    size: z
      .strictObject({ width: z.number().int(), height: z.number().int() })
      .refine(
        ({ width, height }) => width >= 800 && width <= 2500 && height >= 250 && width / height >= minRatio,
        'line-menu-size',
      ),
    areas: z
      .array(
        z.strictObject({
          bounds: z.strictObject({
            x: z.number().int(),
            y: z.number().int(),
            width: z.number().int(),
            height: z.number().int(),
          }),
          action: MenuAction.nullable(),
        }),
      )
      .max(maxAreas),
  })
  .superRefine(({ size, areas }, issues) => {
    for (const [at, { bounds }] of areas.entries())
      if (!isInside(bounds, size))
        issues.addIssue({ code: 'custom', message: 'line-menu-bounds', path: ['areas', at, 'bounds'] });
  });
export type Menu = z.output<typeof Menu>;

/** The same in a reply, whose writer knows no union that may be null. */
export const MenuShown = z.object({
  ...Menu.shape,
  areas: z.array(
    z.object({ bounds: Menu.shape.areas.element.shape.bounds, action: z.union([...MenuAction.options, z.null()]) }),
  ),
});

export interface MenuProblem {
  /** That of a field, or `line-menu-action`, `line-menu-empty`, `line-menu-overlap`, `line-menu-narrow`. */
  code: string;
  /** The place of an area in the list. */
  area?: number;
  level: 'error' | 'warning';
}

/** Everything that is to be said of a menu: with an error it cannot be published. */
export function checkMenu(menu: z.input<typeof Menu>): MenuProblem[] {
  const parsed = Menu.safeParse(menu);
  if (!parsed.success)
    return parsed.error.issues.map(({ code, message, path }) => ({
      code: code === 'custom' ? message : code === 'too_big' ? 'too-long' : code === 'too_small' ? 'empty' : 'invalid',
      ...(path[0] === 'areas' && typeof path[1] === 'number' && { area: path[1] }),
      level: 'error',
    }));
  const { areas, size } = parsed.data;
  const problems: MenuProblem[] = [];
  if (areas.length === 0) problems.push({ code: 'line-menu-empty', level: 'error' });
  for (const [area, { bounds, action }] of areas.entries()) {
    if (action === null) problems.push({ code: 'line-menu-action', area, level: 'error' });
    // What is smaller than this, a thumb does not find.
    if (Math.min(bounds.width, bounds.height) < Math.floor(size.width / 12))
      problems.push({ code: 'line-menu-narrow', area, level: 'warning' });
    if (areas.slice(0, area).some((before) => overlaps(before.bounds, bounds)))
      problems.push({ code: 'line-menu-overlap', area, level: 'warning' });
  }
  return problems;
}

const overlaps = (one: Bounds, other: Bounds): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** A, B, C… for areas as one reads them, row by row; in the order of the list. */
export function areaLetters(areas: { bounds: Bounds }[]): string[] {
  const letters: string[] = [];
  let left = areas.map(({ bounds }, at) => ({ bounds, at }));
  let next = 0;
  while (left.length > 0) {
    const first = left.reduce((one, other) =>
      other.bounds.y < one.bounds.y || (other.bounds.y === one.bounds.y && other.bounds.x < one.bounds.x) ? other : one,
    );
    // What begins above the middle of the first stands beside it.
    const middle = first.bounds.y + first.bounds.height / 2;
    const inRow = left.filter((each) => each === first || each.bounds.y < middle);
    for (const { at } of inRow.toSorted((one, other) => one.bounds.x - other.bounds.x))
      letters[at] = String.fromCodePoint(65 + next++);
    left = left.filter((each) => !inRow.includes(each));
  }
  return letters;
}

const lineBounds = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });
/** A menu as LINE has it. */
export const LineMenuJson = z.object({
  size: z.object({ width: z.number(), height: z.number() }),
  selected: z.boolean(),
  name: z.string().max(10_000),
  chatBarText: z.string().max(1_000),
  areas: z.array(z.object({ bounds: lineBounds, action: z.looseObject({ type: z.string().max(100) }) })).max(maxAreas),
});
export type LineMenuJson = z.output<typeof LineMenuJson>;

/** Exactly what LINE takes. Areas without an action are left out; `aliasOf` says by what name a tab finds a menu. */
export function toLine({ name, chatBarText, selected, size, areas }: Menu, aliasOf: (menu: string) => string) {
  return {
    size,
    selected,
    name,
    chatBarText,
    areas: areas.flatMap(({ bounds, action }) =>
      action === null ? [] : [{ bounds, action: lineAction(action, aliasOf) }],
    ),
  } satisfies LineMenuJson;
}

function lineAction(action: MenuAction, aliasOf: (menu: string) => string): { type: string; [name: string]: unknown } {
  if (action.type !== 'richmenuswitch') return filled(action);
  const { menu, data, ...rest } = action;
  const richMenuAliasId = aliasOf(menu);
  return filled({ ...rest, richMenuAliasId, data: data ?? `menu=${richMenuAliasId}` });
}

/** Without what is empty, which LINE refuses. */
const filled = <T extends { type: string }>(action: T): { type: string; [name: string]: unknown } => ({
  type: action.type,
  ...Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined && value !== '')),
});

const pickNames = new Set(
  'type label uri text data displayText inputOption fillInText mode initial min max clipboardText'.split(' '),
);

/** A menu of ours from what LINE has. An action that a menu of ours cannot have, or a tab to a menu that is not ours, is left open. */
export const fromLine = (
  { name, chatBarText, selected, size, areas }: LineMenuJson,
  menuOf: (alias: string) => string | undefined = () => undefined,
): z.input<typeof Menu> => ({
  name,
  chatBarText,
  selected,
  size: { width: size.width, height: size.height },
  areas: areas.map(({ bounds: { x, y, width, height }, action }) => ({
    bounds: { x, y, width, height },
    action: readAction(action, menuOf),
  })),
});

function readAction(
  action: LineMenuJson['areas'][number]['action'],
  menuOf: (alias: string) => string | undefined,
): MenuAction | null {
  const { text: shown, ...rest } = Object.fromEntries(Object.entries(action).filter(([name]) => pickNames.has(name)));
  return (
    MenuAction.safeParse({
      ...rest,
      ...(action.type === 'richmenuswitch' && { menu: menuOf(String(action['richMenuAliasId'])) }),
      ...(action.type === 'message' && { text: shown }),
      // What LINE once called it.
      ...(action.type === 'postback' && shown !== undefined && { displayText: shown }),
    }).data ?? null
  );
}
