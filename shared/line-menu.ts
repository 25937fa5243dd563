import { z } from 'zod';
import type { Bounds, MenuSize } from './menu-layout.ts';
import { isStorable, optionalText, text, uuid } from './text.ts';

/* Rich menus of LINE. Limits and actions: https://developers.line.biz/en/reference/messaging-api/#rich-menu-object */

export const maxMenuImageBytes = 1024 * 1024;
const maxAreas = 20;
const minRatio = 1.45;

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
