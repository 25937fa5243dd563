import type { MenuOnLine, MenuStatistics, RichMenu } from '../../../shared/contracts/line-menus.ts';
import { AppError } from '../../../shared/errors.ts';
import type { LineMenuJson } from '../../../shared/line-menu.ts';
import { areaLetters, type Bounds } from '../../../shared/menu-layout.ts';
import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { LineError } from '../../providers/channels/line/api.ts';
import { record } from '../audit/audit.ts';
import { lineOf } from '../line-channels/access.ts';
import { asking, listChannelIds, mustFindOwn } from '../line-channels/line-channels.ts';
import { previousOf } from './audience.ts';
import { draftHash, jsonOf, menuOf, switchesTo } from './drafts.ts';
import {
  draftOf,
  getMenu,
  importMenu,
  lockMenus,
  mustFindMenu,
  mustNotBeNeeded,
  problemsOf,
  showMenus,
  touched,
} from './line-menus.ts';
import { listMenuIds, listMenuRows, updateMenu } from './line-menus.store.ts';
import type { RichMenuTable } from './line-menus.tables.ts';
import { maxOnLine } from './making.ts';
import { queueMenus, restoreGone } from './settle.ts';

type Whose = Pick<Caller, 'workspace'>;

/** Puts menus on LINE as their drafts are now; what is there already is not touched. */
export async function publishMenus(context: Context, caller: Caller, uuids: string[]): Promise<RichMenu[]> {
  await context.db.transaction().execute(async (trx) => {
    const rows = await lockMenus(context, trx, caller, uuids);
    await mustBeReady(trx, rows);
    const changed = rows.filter((row) => {
      const hash = draftHash(row);
      return row.target_hash !== hash || row.live_hash !== hash || row.state !== 'live';
    });
    for (const row of changed) {
      await updateMenu(trx, row.uuid, {
        target: jsonOf(row),
        target_image: row.image,
        target_hash: draftHash(row),
        state: 'publishing',
        reason: null,
        detail: '',
        ...touched(row),
      });
      await record(trx, caller, 'menu.published', draftOf(row).name);
    }
    for (const channel of new Set(changed.map((row) => row.channel))) await queueMenus(context, trx, channel);
  });
  context.queue.wake();
  return showNow(context, caller, uuids);
}

export async function takeOffMenus(context: Context, caller: Caller, uuids: string[]): Promise<RichMenu[]> {
  await context.db.transaction().execute(async (trx) => {
    const rows = await lockMenus(context, trx, caller, uuids);
    await mustNotBeNeeded(trx, rows);
    for (const row of rows.filter(({ target }) => target !== null)) {
      await updateMenu(trx, row.uuid, {
        target: null,
        target_image: null,
        target_hash: null,
        state: 'publishing',
        reason: null,
        detail: '',
        ...touched(row),
      });
      await record(trx, caller, 'menu.removed', draftOf(row).name);
      await queueMenus(context, trx, row.channel);
    }
  });
  context.queue.wake();
  return showNow(context, caller, uuids);
}

/** Each is whole, and its tabs lead to menus that are on LINE, or come with it. */
async function mustBeReady(trx: Trx, rows: RichMenuTable[]): Promise<void> {
  const [{ channel = '' } = {}] = rows;
  const ids = await listMenuIds(trx, channel);
  const there = new Set(rows.map(({ uuid }) => uuid));
  for (const row of await listMenuRows(trx, channel))
    if (row.target !== null && row.line_id !== null) there.add(row.uuid);
  const fields = rows.flatMap((row, at) => {
    const wrong = problemsOf(row, ids).filter(({ level }) => level === 'error');
    const isLost =
      wrong.every(({ code }) => code !== 'line-menu-gone') && switchesTo(jsonOf(row)).some((menu) => !there.has(menu));
    return [
      ...wrong.map((problem) => ({ path: pathOf(at, problem), code: problem.code })),
      ...(isLost ? [{ path: `menus.${at}`, code: 'line-menu-switch' }] : []),
    ];
  });
  if (fields.length > 0) throw new AppError('validation-failed', { fields });
}

const pathOf = (at: number, { area, field }: RichMenu['problems'][number]): string =>
  [`menus.${at}`, ...(area === undefined ? [] : [`areas.${area}`, ...(field === undefined ? [] : ['action'])]), field]
    .filter((part) => part !== undefined)
    .join('.');

async function showNow({ db }: Context, caller: Whose, uuids: string[]): Promise<RichMenu[]> {
  const rows = await Promise.all(uuids.map((uuid) => mustFindMenu(db, caller, uuid)));
  return showMenus(db, rows);
}

/** Of those that always show there is one default; one of a season stands beside it. */
export async function setDefault(
  context: Context,
  caller: Caller,
  uuid: string,
  isDefault: boolean,
): Promise<RichMenu> {
  await context.db.transaction().execute(async (trx) => {
    const [row] = await lockMenus(context, trx, caller, [uuid]);
    if (!row) return;
    const isAlways = ({ from_at, to_at }: RichMenuTable) => from_at === null && to_at === null;
    if (isDefault && isAlways(row))
      for (const other of await listMenuRows(trx, row.channel))
        if (other.is_default === 1 && isAlways(other))
          await updateMenu(trx, other.uuid, { is_default: 0, ...touched(other) });
    await updateMenu(trx, uuid, { is_default: isDefault ? 1 : 0, ...touched(row) });
    await queueMenus(context, trx, row.channel);
  });
  context.queue.wake();
  return getMenu(context, caller, uuid);
}

/** What LINE has, beside what we think that it has. */
/** Without a channel a page of them; one of which LINE tells nothing hides none of the others. */
export async function listOnLine(
  context: Context,
  caller: Whose,
  { channel, limit, cursor }: { channel?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const after = readCursor(cursor);
  if (channel !== undefined) return toPage([{ channel, ...(await askLine(context, caller, channel)) }], null);
  const found = await listChannelIds(context.db, {
    workspace: caller.workspace,
    limit,
    after,
  });
  const { rows, nextCursor } = page(found, limit, (row) => row.created_at);
  const told = await Promise.all(
    rows.map(async ({ uuid }) => ({
      channel: uuid,
      ...(await askLine(context, caller, uuid).catch((error: unknown) => {
        if (error instanceof AppError) return { data: [], whose: null };
        throw error;
      })),
    })),
  );
  return toPage(told, nextCursor);
}

interface Told {
  channel: string;
  data: MenuOnLine[];
  whose: 'ours' | 'unknown' | 'elsewhere' | 'none' | null;
}

const toPage = (told: Told[], nextCursor: string | null) => ({
  data: told.flatMap(({ data }) => data),
  meta: { channels: told.map(({ channel, whose }) => ({ channel, default: whose })), limit: maxOnLine, nextCursor },
});

async function askLine(context: Context, caller: Whose, channel: string): Promise<Omit<Told, 'channel'>> {
  const { row } = await mustFindOwn(context, caller, channel);
  const line = lineOf(context, row);
  const [menus, current] = await asking(
    () => Promise.all([line.listMenus(), line.getDefaultMenu().catch(noDefault)]),
    context,
    row,
  );
  const rows = (await listMenuRows(context.db, channel)).filter(({ removing }) => removing === 0);
  const owner = new Map(rows.map((each) => [each.line_id, each]));
  const old = new Set(rows.flatMap((each) => [each.making, ...previousOf(each).map(({ id }) => id)]));
  const there = new Set(menus.map(({ richMenuId }) => richMenuId));
  const stateOf = (id: string): MenuOnLine['state'] => {
    const own = owner.get(id);
    if (own) return own.live_hash === draftHash(own) ? 'live' : 'changed';
    return old.has(id) ? 'old' : 'unknown';
  };
  const found = menus.map(({ richMenuId, name }): MenuOnLine => ({
    channel,
    lineId: richMenuId,
    menu: owner.get(richMenuId)?.uuid ?? null,
    name,
    state: stateOf(richMenuId),
    default: richMenuId === current,
  }));
  const gone = rows.flatMap((each): MenuOnLine[] =>
    each.line_id === null || there.has(each.line_id)
      ? []
      : [{ channel, lineId: each.line_id, menu: each.uuid, name: draftOf(each).name, state: 'gone', default: false }],
  );
  const whose =
    current === null
      ? ('none' as const)
      : current === ''
        ? ('elsewhere' as const)
        : owner.has(current)
          ? ('ours' as const)
          : ('unknown' as const);
  return { data: [...found, ...gone], whose };
}

/** Empty where it was set where the API may not look; null where there is none. */
const noDefault = (error: unknown): string | null => {
  if (error instanceof LineError && error.status === 403) return '';
  if (error instanceof LineError && error.status === 404) return null;
  throw error;
};

export async function restoreMenus(context: Context, caller: Whose, channel: string): Promise<RichMenu[]> {
  const { row } = await mustFindOwn(context, caller, channel);
  await asking(() => restoreGone(context, channel, lineOf(context, row)), context, row);
  const rows = await listMenuRows(context.db, channel);
  return showMenus(
    context.db,
    rows.filter(({ removing }) => removing === 0),
  );
}

/** A draft of what another program has made, or of what we had and have no longer. */
export async function importFromLine(
  context: Context,
  caller: Caller,
  { channel, lineId }: { channel: string; lineId: string },
): Promise<RichMenu> {
  const { row } = await mustFindOwn(context, caller, channel);
  const line = lineOf(context, row);
  const gone = (error: unknown) => {
    if (error instanceof LineError && error.status === 404) return undefined;
    throw error;
  };
  const [menu, picture, aliases] = await asking(
    () =>
      Promise.all([line.getMenu(lineId).catch(gone), line.downloadMenuImage(lineId).catch(gone), line.listAliases()]),
    context,
    row,
  );
  if (!menu) throw new AppError('menu-not-found');
  const rows = await listMenuRows(context.db, channel);
  const ledTo = new Map(aliases.map(({ richMenuAliasId, richMenuId }) => [richMenuAliasId, richMenuId]));
  const { richMenuId: _, ...json } = menu;
  return importMenu(context, caller, {
    channel,
    menu: json,
    image: picture?.image,
    menuOfAlias: (alias) =>
      rows.find(({ line_id }) => line_id !== null && line_id === ledTo.get(alias))?.uuid ?? menuOf(alias),
  });
}

const dayMs = 86_400_000;
const japanMs = 9 * 3_600_000;
const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const maxDays = 99;

export async function getStatistics(
  context: Context,
  caller: Whose,
  uuid: string,
  query: { from?: string | undefined; to?: string | undefined },
): Promise<MenuStatistics> {
  // LINE counts a day later, by Japan's days.
  const { to = dayOf(Date.now() + japanMs - dayMs) } = query;
  const { from = dayOf(Date.parse(to) - 29 * dayMs) } = query;
  const menu = await mustFindMenu(context.db, caller, uuid);
  const { row } = await mustFindOwn(context, caller, menu.channel);
  if (menu.line_id === null) throw new AppError('menu-not-published');
  if (to < from) throw new AppError('validation-failed', { fields: [{ path: 'to', code: 'span-backwards' }] });
  if (Date.parse(to) - Date.parse(from) >= maxDays * dayMs)
    throw new AppError('validation-failed', { fields: [{ path: 'to', code: 'too-many-days', maximum: maxDays }] });
  const { line_id: id } = menu;
  const line = lineOf(context, row);
  const [summary, daily] = await asking(
    () =>
      Promise.all([
        line.menuSummary(id, plainDay(from), plainDay(to)),
        line.menuDaily(id, plainDay(from), plainDay(to)),
      ]),
    context,
    row,
  );
  const { areas, size }: Pick<LineMenuJson, 'areas' | 'size'> = menu.target
    ? JSON.parse(menu.target)
    : { ...draftOf(menu), areas: [] };
  const letters = areaLetters(areas);
  const { impression, clicks = [] } = summary;
  const days = new Map<string, { shown: number; taps: number }>();
  const figuresOf = (date: string) => {
    const day = days.get(date) ?? { shown: 0, taps: 0 };
    days.set(date, day);
    return day;
  };
  for (const { date, count } of daily.impression?.metrics ?? []) figuresOf(isoDay(date)).shown += count;
  for (const { metrics } of daily.clicks ?? [])
    for (const { date, count } of metrics) figuresOf(isoDay(date)).taps += count;
  const isReady = impression !== undefined || clicks.length > 0;
  return {
    from,
    to,
    state: isReady ? 'ready' : Date.now() - (menu.published_at ?? 0) < 2 * dayMs ? 'unready' : 'hidden',
    shown: impression ? counted(impression.metrics) : null,
    size,
    areas: areas.map(({ bounds }, at) => {
      const tapped = clicks.find((each) => isSame(each.bounds, bounds));
      return { letter: letters[at] ?? '', bounds, taps: tapped ? counted(tapped.metrics) : null };
    }),
    days: [...days]
      .map(([date, day]) => ({ date, ...day }))
      .toSorted((one, other) => one.date.localeCompare(other.date)),
  };
}

const counted = ({ count, uniqueUsers }: { count: number; uniqueUsers: number }) => ({ count, people: uniqueUsers });
const plainDay = (date: string) => date.replaceAll('-', '');
const isoDay = (date: string) => date.replace(/^(\d{4})-?(\d\d)-?(\d\d)$/, '$1-$2-$3');
const isSame = (one: Bounds, other: Bounds): boolean =>
  one.x === other.x && one.y === other.y && one.width === other.width && one.height === other.height;
