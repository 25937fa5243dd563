import { createHash } from 'node:crypto';
import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import { AppError } from '../../../shared/errors.ts';
import { checkMenu, fromLine, Menu, maxMenuImageBytes, toLine, type LineMenuJson } from '../../../shared/line-menu.ts';
import type { MenuDesign } from '../../../shared/menu-design.ts';
import { layoutAreas, layoutSize, tabBounds, type MenuLayout, type MenuSize } from '../../../shared/menu-layout.ts';
import type { Context } from '../../feature.ts';
import { lockName, lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentOf, page, readCursor } from '../../infra/page.ts';
import { record } from '../audit/audit.ts';
import { findFile, keepPicture } from '../files/files.ts';
import { toFit } from '../files/pictures.ts';
import { guestName, listFaces, listKnownOn } from '../guests/guests.ts';
import { mustFindOwn } from '../line-channels/line-channels.ts';
import { aliasOf, draftHash, menuOf, switchesTo } from './drafts.ts';
import {
  deleteMenu,
  findMenuRow,
  insertMenu,
  listMenuIds,
  listMenuPage,
  listMenuRows,
  listPeople,
  replacePeople,
  updateMenu,
} from './line-menus.store.ts';
import type { RichMenuTable } from './line-menus.tables.ts';
import { queueMenus } from './settle.ts';

type Whose = Pick<Caller, 'workspace'>;

export async function listMenus(
  context: Context,
  caller: Whose,
  { channel, limit, cursor }: { channel?: string | undefined; limit: number; cursor?: string | undefined },
) {
  if (channel !== undefined) await mustFindOwn(context, caller, channel);
  const { workspace } = caller;
  const found = await listMenuPage(context.db, { workspace, channel, limit, after: readCursor(cursor, 'places') });
  const { rows, nextCursor } = page(found, limit, (row) => row.place);
  return { data: await showMenus(context.db, rows), meta: { nextCursor } };
}

export async function getMenu(context: Context, caller: Whose, uuid: string): Promise<RichMenu> {
  const [menu] = await showMenus(context.db, [await mustFindMenu(context.db, caller, uuid)]);
  if (!menu) throw new AppError('menu-not-found');
  return menu;
}

export async function mustFindMenu(db: Db | Trx, { workspace }: Whose, uuid: string): Promise<RichMenuTable> {
  const row = await findMenuRow(db, uuid);
  if (row?.workspace !== workspace) throw new AppError('menu-not-found');
  return row;
}

/** LINE has a thousand for an account; a team that makes this many has lost sight of them. */
const maxMenus = 100;

export async function createMenu(
  context: Context,
  caller: Caller,
  {
    channel,
    name,
    layout,
    size = layoutSize(layout),
    default: isDefault = false,
  }: {
    channel: string;
    name: string;
    layout: MenuLayout;
    size?: MenuSize | undefined;
    default?: boolean | undefined;
  },
): Promise<RichMenu> {
  const areas = layoutAreas(layout, size).map((bounds) => ({ bounds, action: null }));
  const menu = { name, chatBarText: barTextFor(caller), selected: true, size, areas };
  return addMenu(context, caller, { channel, menu, isDefault });
}

const barTextFor = ({ locale }: Caller): string => (locale === 'ja' ? 'メニュー' : 'Menu');

/** Menus that take each other's place: each has the same row of tabs, of which one leads to itself, since it is drawn there as open. */
export async function createTabs(
  context: Context,
  caller: Caller,
  {
    channel,
    names,
    layout,
    size = layoutSize(layout),
    default: isDefault = false,
  }: {
    channel: string;
    names: string[];
    layout: MenuLayout;
    size?: MenuSize | undefined;
    default?: boolean | undefined;
  },
): Promise<RichMenu[]> {
  const tabs = names.map((label) => ({ uuid: newId(), label }));
  const places = tabBounds(tabs.length, size);
  const least = 2 * (places[0]?.height ?? 0);
  if (size.height < least)
    throw new AppError('validation-failed', { fields: [{ path: 'size.height', code: 'too-small', minimum: least }] });
  const row = tabs.flatMap(({ uuid: menu, label }, at) => {
    const bounds = places[at];
    return bounds ? [{ bounds, action: { type: 'richmenuswitch' as const, menu, label } }] : [];
  });
  const below = layoutAreas(layout, size, row[0]?.bounds.height).map((bounds) => ({ bounds, action: null }));
  const menus = tabs.map(({ uuid, label }, at) => ({
    uuid,
    menu: { name: label, chatBarText: barTextFor(caller), selected: true, size, areas: [...row, ...below] },
    isDefault: isDefault && at === 0,
  }));
  return addMenus(context, caller, channel, menus);
}

/** A menu of what LINE has, or of a file of it. */
export function importMenu(
  context: Context,
  caller: Caller,
  {
    channel,
    menu,
    image,
    menuOfAlias = menuOf,
  }: {
    channel: string;
    menu: LineMenuJson;
    image?: Buffer | undefined;
    menuOfAlias?: (alias: string) => string | undefined;
  },
): Promise<RichMenu> {
  const read = Menu.safeParse(fromLine(menu, menuOfAlias));
  if (!read.success)
    throw new AppError('validation-failed', {
      fields: checkMenu(fromLine(menu, menuOfAlias)).flatMap(({ code, area, level }) =>
        level === 'warning' || code === 'line-menu-action'
          ? []
          : [{ path: area === undefined ? 'menu' : `menu.areas.${area}`, code }],
      ),
    });
  return addMenu(context, caller, { channel, menu: read.data, image });
}

export async function copyMenu(context: Context, caller: Caller, uuid: string, name: string): Promise<RichMenu> {
  const row = await mustFindMenu(context.db, caller, uuid);
  return addMenu(context, caller, {
    channel: row.channel,
    menu: { ...draftOf(row), name },
    shows: { image: row.image, image_size: row.image_size, design: row.design },
  });
}

interface NewMenu {
  uuid?: string;
  menu: Menu;
  /** For everybody, unless another one is. */
  isDefault?: boolean;
  image?: Buffer | undefined;
  shows?: Pick<RichMenuTable, 'image' | 'image_size' | 'design'>;
}

async function addMenu(
  context: Context,
  caller: Caller,
  { channel, ...menu }: NewMenu & { channel: string },
): Promise<RichMenu> {
  const [made] = await addMenus(context, caller, channel, [menu]);
  if (!made) throw new AppError('menu-not-found');
  return made;
}

/** All of them, or none. */
async function addMenus(context: Context, caller: Caller, channel: string, added: NewMenu[]): Promise<RichMenu[]> {
  await mustFindOwn(context, caller, channel);
  const menus = await Promise.all(
    added.map(async ({ uuid = newId(), menu, isDefault = false, image, shows }) => ({
      uuid,
      menu,
      isDefault,
      shown:
        shows ?? (image ? await keepImage(context, caller, { ...(await fit(image, menu.size)), size: menu.size }) : {}),
    })),
  );
  await context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, `menus of ${channel}`);
    const rows = await listMenuRows(trx, channel);
    if (rows.length + menus.length > maxMenus) throw new AppError('too-many', { limit: maxMenus });
    const known = new Set([...rows, ...menus].map(({ uuid }) => uuid));
    const first = Math.max(-1, ...rows.map(({ place }) => place)) + 1;
    const hasDefault = rows.some((row) => row.is_default === 1);
    for (const [at, { uuid, menu, isDefault, shown }] of menus.entries())
      await insertMenu(
        trx,
        newRow(
          { uuid, workspace: caller.workspace, channel, place: first + at },
          {
            // A tab to a menu that is not there is left open.
            draft: JSON.stringify({
              ...menu,
              areas: menu.areas.map(({ bounds, action }) => ({
                bounds,
                action: action?.type === 'richmenuswitch' && !known.has(action.menu) ? null : action,
              })),
            }),
            ...shown,
            is_default: isDefault && !hasDefault ? 1 : 0,
          },
        ),
      );
  });
  return showMenus(context.db, await Promise.all(menus.map(({ uuid }) => mustFindMenu(context.db, caller, uuid))));
}

const newRow = (
  where: Pick<RichMenuTable, 'uuid' | 'workspace' | 'channel' | 'place'>,
  has: Pick<RichMenuTable, 'draft' | 'is_default'> & Partial<RichMenuTable>,
): RichMenuTable => ({
  image: null,
  image_size: null,
  design: null,
  tags: '[]',
  from_at: null,
  to_at: null,
  target: null,
  target_image: null,
  target_hash: null,
  line_id: null,
  live_hash: null,
  published_at: null,
  creating: null,
  making: null,
  making_hash: null,
  alias_id: null,
  default_id: null,
  previous: '[]',
  state: 'draft',
  reason: null,
  detail: '',
  removing: 0,
  created_at: Date.now(),
  updated_at: Date.now(),
  ...where,
  ...has,
});

interface Changes {
  menu?: Menu | undefined;
  design?: MenuDesign | null | undefined;
  place?: number | undefined;
  tags?: string[] | undefined;
  people?: string[] | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  seen?: string | undefined;
}

export async function changeMenu(
  context: Context,
  caller: Caller,
  uuid: string,
  { menu, design, place, tags, people, from, to, seen }: Changes,
): Promise<RichMenu> {
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'rich_menu', uuid);
    const row = await mustFindMenu(trx, caller, uuid);
    if (seen !== undefined && Date.parse(seen) !== row.updated_at) throw new AppError('conflict');
    if (menu) await mustKnowTabs(trx, row, menu);
    const fromAt = from === undefined ? row.from_at : momentIn(from);
    const toAt = to === undefined ? row.to_at : momentIn(to);
    if (fromAt !== null && toAt !== null && toAt <= fromAt)
      throw new AppError('validation-failed', { fields: [{ path: 'to', code: 'span-backwards' }] });
    await updateMenu(trx, uuid, {
      ...(menu && { draft: JSON.stringify(menu) }),
      ...(design !== undefined && { design: design && JSON.stringify(design) }),
      ...(place !== undefined && { place }),
      ...(tags && { tags: JSON.stringify([...new Set(tags)]) }),
      from_at: fromAt,
      to_at: toAt,
      ...touched(row),
    });
    if (people) {
      const known = await listKnownOn(trx, row.channel, { guests: people });
      if (people.some((guest) => !known.some((each) => each.guest === guest)))
        throw new AppError('validation-failed', { fields: [{ path: 'people', code: 'invalid' }] });
      await replacePeople(
        trx,
        uuid,
        known.map(({ identity }) => identity),
      );
    }
    if (row.line_id !== null) await queueMenus(context, trx, row.channel);
  });
  context.queue.wake();
  return getMenu(context, caller, uuid);
}

const momentIn = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));

/** Two changes of one moment are two. */
export const touched = ({ updated_at }: Pick<RichMenuTable, 'updated_at'>) => ({
  updated_at: Math.max(Date.now(), updated_at + 1),
});

/** Tabs lead to other menus of the same channel. One that has gone meanwhile may stay in a draft: it is among its problems. */
async function mustKnowTabs(trx: Trx, row: RichMenuTable, { areas }: Menu): Promise<void> {
  const known = new Set(['', ...(await listMenuIds(trx, row.channel)), ...tabsOf(draftOf(row))]);
  const fields = areas.flatMap(({ action }, at) =>
    action?.type === 'richmenuswitch' && !known.has(action.menu)
      ? [{ path: `menu.areas.${at}.action.menu`, code: 'line-menu-switch' }]
      : [],
  );
  if (fields.length > 0) throw new AppError('validation-failed', { fields });
}

const tabsOf = ({ areas }: Menu): string[] =>
  areas.flatMap(({ action }) => (action?.type === 'richmenuswitch' ? [action.menu] : []));

/** LINE has to have nothing of it before it goes: until then nobody sees it here. */
export async function removeMenu(context: Context, caller: Caller, uuid: string): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const rows = await lockMenus(context, trx, caller, [uuid]);
    await mustNotBeNeeded(trx, rows);
    const [row] = rows;
    if (!row) return;
    const isOnLine = row.line_id !== null || row.making !== null || row.creating !== null || row.previous !== '[]';
    if (isOnLine || row.target !== null) {
      await updateMenu(trx, uuid, { removing: 1, target: null, target_hash: null, ...touched(row) });
      await queueMenus(context, trx, row.channel);
    } else await deleteMenu(trx, uuid);
    await record(trx, caller, 'menu.deleted', draftOf(row).name);
  });
  context.queue.wake();
}

/** Whoever changes what a channel has on LINE waits for the others: whether a tab leads to a menu is about both of them. */
export async function lockMenus(
  { engine }: Pick<Context, 'engine'>,
  trx: Trx,
  caller: Caller,
  uuids: string[],
): Promise<RichMenuTable[]> {
  const { channel } = await mustFindMenu(trx, caller, uuids[0] ?? '');
  await lockName(trx, engine, `menus of ${channel}`);
  const rows: RichMenuTable[] = [];
  // Always in one order, for those who only change one of them.
  for (const uuid of [...new Set(uuids)].toSorted()) {
    await lockRow(trx, 'rich_menu', uuid);
    rows.push(await mustFindMenu(trx, caller, uuid));
  }
  if (rows.some((row) => row.channel !== channel)) throw new AppError('menu-not-found');
  return rows.toSorted((one, other) => uuids.indexOf(one.uuid) - uuids.indexOf(other.uuid));
}

/** Throws where a menu that stays on LINE has a tab to one of these. */
export async function mustNotBeNeeded(trx: Trx, rows: RichMenuTable[]): Promise<void> {
  const going = new Set(rows.map(({ uuid }) => uuid));
  const [first] = rows;
  if (!first) return;
  const others = (await listMenuRows(trx, first.channel)).filter(({ uuid }) => !going.has(uuid));
  const needs = others.find(({ target }) => target !== null && switchesTo(target).some((menu) => going.has(menu)));
  if (needs) throw new AppError('menu-needed', { name: draftOf(needs).name });
}

/** Far above what LINE takes, so that a photograph is cut and compressed here. */
export const maxUploadMb = 10;
const maxPixels = 40_000_000;

export async function changeImage(context: Context, caller: Caller, uuid: string, bytes: Buffer): Promise<RichMenu> {
  const before = await mustFindMenu(context.db, caller, uuid);
  const { size } = draftOf(before);
  const fitted = await fit(bytes, size);
  const shown = before.image === null ? undefined : await findFile(context.db, before.image);
  // The same picture once more is none to publish.
  if (shown?.sha256 === createHash('sha256').update(fitted.bytes).digest('hex')) return getMenu(context, caller, uuid);
  const kept = await keepImage(context, caller, { ...fitted, size });
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'rich_menu', uuid);
    const row = await mustFindMenu(trx, caller, uuid);
    await updateMenu(trx, uuid, { ...kept, ...touched(row) });
  });
  return getMenu(context, caller, uuid);
}

type Fitted = Awaited<ReturnType<typeof toFit>>;

async function fit(bytes: Buffer, size: MenuSize): Promise<Fitted> {
  if (bytes.length === 0) throw new AppError('file-empty');
  return toFit(bytes, { ...size, maxPixels, maxBytes: maxMenuImageBytes });
}

async function keepImage(
  context: Context,
  { workspace }: Whose,
  { bytes, mime, size }: Fitted & { size: MenuSize },
): Promise<Pick<RichMenuTable, 'image' | 'image_size'>> {
  const name = mime === 'image/png' ? 'menu.png' : 'menu.jpg';
  // It belongs to the workspace alone, and stays when whoever uploaded it goes.
  const image = await keepPicture(context, { workspace, user: null, kind: 'menu', name, mime }, bytes);
  return { image, image_size: JSON.stringify(size) };
}

export async function readImage(context: Context, caller: Whose, uuid: string) {
  const row = await mustFindMenu(context.db, caller, uuid);
  const file = row.image === null ? undefined : await findFile(context.db, row.image);
  if (!file) throw new AppError('file-not-found');
  return { mime: file.mime, body: await context.storage.get(file.storage_key) };
}

export async function readDesign({ db }: Context, caller: Whose, uuid: string): Promise<MenuDesign | null> {
  const { design } = await mustFindMenu(db, caller, uuid);
  return design === null ? null : JSON.parse(design);
}

export const exportMenu = async ({ db }: Context, caller: Whose, uuid: string): Promise<LineMenuJson> =>
  toLine(draftOf(await mustFindMenu(db, caller, uuid)), aliasOf);

export const draftOf = ({ draft }: Pick<RichMenuTable, 'draft'>): Menu => JSON.parse(draft);

export async function showMenus(db: Db, rows: RichMenuTable[]): Promise<RichMenu[]> {
  const people = await listPeople(
    db,
    rows.map(({ uuid }) => uuid),
  );
  const identities = [...new Set(people.map(({ identity }) => identity))];
  const known: Awaited<ReturnType<typeof listKnownOn>> = [];
  const menusOf = new Map<string, Set<string>>();
  for (const channel of new Set(rows.map((row) => row.channel))) {
    menusOf.set(channel, await listMenuIds(db, channel));
    for (let at = 0; at < identities.length; at += 500)
      known.push(...(await listKnownOn(db, channel, { identities: identities.slice(at, at + 500) })));
  }
  const guestOf = new Map(known.map(({ identity, guest }) => [identity, guest]));
  const guests = [...new Set(guestOf.values())];
  const names = new Map<string, string>();
  for (let at = 0; at < guests.length; at += 500)
    for (const face of await listFaces(db, guests.slice(at, at + 500))) names.set(face.uuid, guestName(face));
  return Promise.all(
    rows.map(async (row) => {
      const menu = draftOf(row);
      const file = row.image === null ? undefined : await findFile(db, row.image);
      const size: MenuSize | null = row.image_size === null ? null : JSON.parse(row.image_size);
      const isFor = people.flatMap(({ menu: of, identity }) => (of === row.uuid ? (guestOf.get(identity) ?? []) : []));
      return {
        uuid: row.uuid,
        channel: row.channel,
        menu,
        problems: problemsOf(row, menusOf.get(row.channel) ?? new Set()),
        image: file && size ? { version: file.uuid, mime: file.mime, bytes: file.bytes, ...size } : null,
        place: row.place,
        default: row.is_default === 1,
        tags: JSON.parse(row.tags),
        people: [...new Set(isFor)].map((uuid) => ({ uuid, name: names.get(uuid) ?? '' })),
        from: momentOf(row.from_at),
        to: momentOf(row.to_at),
        state: row.state,
        reason: row.reason,
        detail: row.detail,
        published:
          row.line_id === null
            ? null
            : {
                lineId: row.line_id,
                at: new Date(row.published_at ?? 0).toISOString(),
                changed: row.live_hash !== draftHash(row),
              },
        alias: aliasOf(row.uuid),
        createdAt: new Date(row.created_at).toISOString(),
        updatedAt: new Date(row.updated_at).toISOString(),
      };
    }),
  );
}

/** What is to be said of a draft and its picture. `menus`: those of its channel. */
export function problemsOf(row: RichMenuTable, menus: ReadonlySet<string>): RichMenu['problems'] {
  const menu = draftOf(row);
  const size: MenuSize | null = row.image_size === null ? null : JSON.parse(row.image_size);
  const problems = checkMenu(menu, (uuid) => menus.has(uuid));
  if (row.image === null || size === null) problems.push({ code: 'line-menu-image', level: 'error' });
  else if (size.width !== menu.size.width || size.height !== menu.size.height)
    problems.push({ code: 'line-menu-image-size', level: 'error' });
  return problems;
}
