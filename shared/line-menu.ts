import { lineUriForm } from './line-uri.ts';
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
  .refine((uri) => lineUriForm.test(uri), { message: 'line-uri-form' });
const dateForm = String.raw`(?:19\d\d|20\d\d|2100)-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])`;
const timeForm = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const pickerForms = {
  date: new RegExp(`^${dateForm}$`),
  time: new RegExp(`^${timeForm}$`),
  datetime: new RegExp(`^${dateForm}[Tt]${timeForm}$`),
};

/** Something that is still being written. */
const unfinished = z.string().refine(isStorable, { message: 'not-storable', abort: true }).max(4000);

/** What LINE takes, or with `isDraft` whatever somebody has written of it so far. */
function actionForm(isDraft: boolean) {
  const as = (whole: z.ZodType<string, string>): z.ZodType<string, string> => (isDraft ? unfinished : whole);
  const label = as(optionalText(20)).optional();
  return z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('uri'), label, uri: as(lineUri) }),
    z.strictObject({ type: z.literal('message'), label, text: as(text(300)) }),
    z
      .strictObject({
        type: z.literal('postback'),
        label,
        data: as(units(300)),
        displayText: as(optionalText(300)).optional(),
        inputOption: z.enum(['closeRichMenu', 'openRichMenu', 'openKeyboard', 'openVoice']).optional(),
        fillInText: as(optionalText(300)).optional(),
      })
      .refine(({ fillInText, inputOption }) => isDraft || !fillInText || inputOption === 'openKeyboard', {
        message: 'line-fill-in',
        path: ['fillInText'],
      }),
    z
      .strictObject({
        type: z.literal('datetimepicker'),
        label,
        data: as(units(300)),
        mode: z.enum(['date', 'time', 'datetime']),
        initial: as(z.string()).optional(),
        min: as(z.string()).optional(),
        max: as(z.string()).optional(),
      })
      .superRefine(({ mode, initial, min, max }, issues) => {
        if (isDraft) return;
        const wrong = (path: string) => issues.addIssue({ code: 'custom', message: 'line-picker-form', path: [path] });
        for (const [name, value] of Object.entries({ initial, min, max }))
          if (value !== undefined && !pickerForms[mode].test(value)) wrong(name);
        if (min !== undefined && max !== undefined && max <= min) wrong('max');
        if (initial !== undefined && ((min ?? initial) > initial || initial > (max ?? initial))) wrong('initial');
      }),
    /** To another menu of the channel, as a tab; in a draft it may still be empty. */
    z.strictObject({
      type: z.literal('richmenuswitch'),
      label,
      menu: isDraft ? z.union([z.literal(''), uuid]) : uuid,
      data: as(units(300)).optional(),
    }),
    z.strictObject({ type: z.literal('clipboard'), label, clipboardText: as(units(1000)) }),
  ]);
}

/** What a tap does. A menu knows no camera, camera roll and location: those are for quick replies. */
export const MenuAction = actionForm(false);
export type MenuAction = z.output<typeof MenuAction>;
const DraftAction = actionForm(true);

const isInside = ({ x, y, width, height }: Bounds, size: MenuSize): boolean =>
  x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= size.width && y + height <= size.height;

const menuForm = (isDraft: boolean) =>
  z
    .strictObject({
      name: text(300),
      chatBarText: isDraft ? unfinished : text(14),
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
            action: (isDraft ? DraftAction : MenuAction).nullable(),
          }),
        )
        .max(maxAreas),
    })
    .superRefine(({ size, areas }, issues) => {
      for (const [at, { bounds }] of areas.entries())
        if (!isInside(bounds, size))
          issues.addIssue({ code: 'custom', message: 'line-menu-bounds', path: ['areas', at, 'bounds'] });
    });

/** A menu that LINE takes once each area has an action: that is asked for when it is published. */
export const Menu = menuForm(false);
export type Menu = z.output<typeof Menu>;
/** A menu as far as it is drawn: it can be kept with whatever is written in it. */
export const MenuDraft = menuForm(true);

/** The same in a reply, whose writer knows no union that may be null. */
export const MenuShown = z.object({
  ...MenuDraft.shape,
  areas: z.array(
    z.object({ bounds: Menu.shape.areas.element.shape.bounds, action: z.union([...DraftAction.options, z.null()]) }),
  ),
});

export interface MenuProblem {
  /** That of a field, or `line-menu-action`, `line-menu-empty`, `line-menu-switch`, `line-menu-overlap`, `line-menu-narrow`. */
  code: string;
  /** The place of an area in the list. */
  area?: number;
  /** Of the area's action, or of the menu. */
  field?: string;
  level: 'error' | 'warning';
}

/** What is wrong with an action, by the name of its field; of several faults of one field the first. */
export function checkAction(action: MenuAction): Map<string, string> {
  const written = new Map<string, unknown>(Object.entries(action));
  const faults = new Map<string, string>();
  for (const issue of MenuAction.safeParse(action).error?.issues ?? []) {
    const field = String(issue.path[0] ?? '');
    if (!faults.has(field)) faults.set(field, written.get(field) === '' ? 'empty' : codeOf(issue));
  }
  return faults;
}

const codeOf = ({ code, message }: Pick<z.core.$ZodIssue, 'code' | 'message'>): string =>
  code === 'custom' ? message : code === 'too_big' ? 'too-long' : code === 'too_small' ? 'empty' : 'invalid';

/**
 * Everything that is to be said of a menu: with an error it cannot be published. `isThere` says whether a menu is one that a tab may
 * lead to.
 */
export function checkMenu(
  { areas, ...menu }: z.input<typeof Menu>,
  isThere: (menu: string) => boolean = () => true,
): MenuProblem[] {
  const outline = Menu.safeParse({ ...menu, areas: areas.map(({ bounds }) => ({ bounds, action: null })) });
  const problems = (outline.error?.issues ?? []).map((issue): MenuProblem => {
    const [first, at] = issue.path;
    const isArea = first === 'areas' && typeof at === 'number';
    const field = isArea || first === undefined ? {} : { field: String(first) };
    return { code: codeOf(issue), ...(isArea ? { area: at } : field), level: 'error' };
  });
  if (areas.length === 0) problems.push({ code: 'line-menu-empty', level: 'error' });
  for (const [area, { bounds, action }] of areas.entries()) {
    if (action === null) problems.push({ code: 'line-menu-action', area, level: 'error' });
    else for (const [field, code] of checkAction(action)) problems.push({ code, area, field, level: 'error' });
    if (action?.type === 'richmenuswitch' && action.menu !== '' && !isThere(action.menu))
      problems.push({ code: 'line-menu-gone', area, field: 'menu', level: 'error' });
    // What is smaller than this, a thumb does not find.
    if (Math.min(bounds.width, bounds.height) < Math.floor(menu.size.width / 12))
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
