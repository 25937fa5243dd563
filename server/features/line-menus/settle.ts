import type { Context } from '../../feature.ts';
import type { Db, Trx } from '../../infra/db.ts';
import { jobKind, type JobHandler, type JobRun } from '../../infra/queue.ts';
import { isWrongSecret, LineError, type Line } from '../../providers/channels/line/api.ts';
import { lineOf } from '../line-channels/access.ts';
import { findChannelRow, updateChannelRow } from '../line-channels/line-channels.ts';
import { compareLinks, defaultOf, isDefaultNew, previousOf } from './audience.ts';
import { aliasOf, switchesTo } from './drafts.ts';
import {
  deleteLinks,
  deleteLinksTo,
  deleteMenu,
  failAll,
  forgetVersion,
  letWait,
  listChannelsOnLine,
  listLinks,
  listMenuRows,
  moveLinks,
  putLinks,
  touch,
  tryAgain,
  updateMenu,
  updateState,
  versionOf,
} from './line-menus.store.ts';
import type { Previous, RichMenuTable } from './line-menus.tables.ts';
import { abandon, clearDefault, drop, makeVersion, rateMs, unlessGone } from './making.ts';

interface Payload {
  channel: string;
}

/**
 * Makes LINE have what a channel's rows say. Each step looks at what was done already and keeps what LINE answers before the next, so
 * that whoever is interrupted goes on; and nothing that people see is taken away before the new is there.
 */
const menusKind = jobKind<Payload>({ name: 'line.menus', lane: 'channels', timeoutMs: 300_000, maxAttempts: 6 });

/** `sooner`: also where the work that waits is to begin later. */
export const queueMenus = (
  { queue }: Pick<Context, 'queue'>,
  trx: Trx | Db,
  channel: string,
  { delayMs = 0, sooner = true } = {},
): Promise<void> => queue.add(trx, menusKind, { channel }, { uniqueKey: `menus:${channel}`, sooner, delayMs });

const batchMs = 10_000;

/** Said where something was changed meanwhile. */
class MoreError extends Error {}
/** The menu has gone with its channel. */
class LeftError extends Error {}
/** LINE no longer has a menu that it had. */
class GoneError extends Error {
  readonly row: RichMenuTable;
  readonly id: string;
  constructor(row: RichMenuTable, id: string) {
    super('a menu is gone from LINE');
    this.row = row;
    this.id = id;
  }
}

/** What the steps of one round share. */
export interface Round {
  context: Context;
  line: Line;
  rows: RichMenuTable[];
  channel: string;
  fenced: JobRun['fenced'];
  signal: AbortSignal;
  /** Keeps what has been done; what has become of the menu only if nobody wants something else of it meanwhile. */
  save(row: RichMenuTable, changes: Done): Promise<void>;
}

type Done = Partial<Omit<RichMenuTable, keyof Became>> & { state?: Became };
export type Became = Pick<RichMenuTable, 'state' | 'reason' | 'detail'>;

export const registerMenus = (context: Context): void => context.queue.register(menusKind, menusJob(context));

const menusJob = (context: Context): JobHandler<Payload> => ({
  async run({ channel }, run) {
    for (;;) {
      run.signal.throwIfAborted();
      const version = await versionOf(context.db, channel);
      const waitMs = await settle(context, channel, run);
      const isOver = await run
        .finish(async (trx) => {
          if ((await versionOf(trx, channel)) !== version) throw new MoreError();
          if (waitMs !== undefined) await queueMenus(context, trx, channel, { delayMs: waitMs });
        })
        .then(
          () => true,
          (error: unknown) => {
            if (error instanceof MoreError) return false;
            throw error;
          },
        );
      if (isOver) return;
    }
  },
  async dead({ channel }, error) {
    const isRefused = error instanceof LineError && error.status < 500;
    await failAll(context.db, channel, {
      reason: isRefused ? 'refused' : 'unreachable',
      detail: isRefused ? error.message.slice(0, 300) : '',
    });
  },
});

/** One round; says after how long another is due where LINE makes us wait. */
async function settle(
  context: Context,
  channel: string,
  { signal, fenced }: Pick<JobRun, 'signal' | 'fenced'>,
): Promise<number | undefined> {
  const [row] = await findChannelRow(context.db, { uuid: channel });
  if (!row) return undefined;
  const rows = await listMenuRows(context.db, channel);
  const round: Round = {
    context,
    rows,
    channel,
    signal,
    fenced,
    line: lineOf(context, row, signal),
    async save(menu, { state, ...changes }) {
      const isThere = await fenced(async (trx) => {
        if (state) await updateState(trx, menu, state);
        return Object.keys(changes).length === 0 || (await updateMenu(trx, menu.uuid, changes));
      });
      if (!isThere) {
        // Whoever took leave of LINE did not know of it.
        if (changes.making) await drop(round.line, changes.making);
        throw new LeftError();
      }
      Object.assign(menu, changes, state);
    },
  };
  try {
    for (const menu of rows.filter(isOnItsWay)) await makeVersion(round, menu);
    await leadTabs(round);
    for (const menu of rows.filter(isOnItsWay)) await goLive(round, menu);
    await tellDefault(round);
    const waitMs = await movePeople(round);
    await tellPeople(round);
    for (const menu of rows.filter(({ state }) => state === 'publishing' || state === 'waiting'))
      if (menu.target !== null)
        await round.save(menu, {
          state: { state: 'live', reason: menu.reason === 'gone' ? 'gone' : null, detail: '' },
        });
    for (const menu of rows.filter(isToGo)) await takeOff(round, menu);
    for (const menu of rows) await dropOld(round, menu);
    return waitMs;
  } catch (error) {
    if (error instanceof LeftError) return undefined;
    if (error instanceof GoneError) {
      const { row: menu, id } = error;
      if (menu.making === id) await round.save(menu, { making: null, making_hash: null });
      else await fenced((trx) => noteGone(context, trx, menu));
      // What is gone again at once is not made again and again.
      return menu.reason === 'gone' || menu.making === id ? rateMs : 0;
    }
    if (error instanceof LineError && error.status === 429) {
      await fenced((trx) => letWait(trx, channel));
      return rateMs;
    }
    if (isWrongSecret(error)) {
      await updateChannelRow(context.db, channel, { secret_failed_at: Date.now() });
      await fenced((trx) => failAll(trx, channel, { reason: 'secret', detail: '' }));
      return undefined;
    }
    throw error;
  }
}

/** It is to be on LINE, and is not yet as it should be. */
const isOnItsWay = ({ target, target_hash, live_hash, line_id, state }: RichMenuTable): boolean =>
  target !== null && (state === 'publishing' || state === 'waiting') && (line_id === null || target_hash !== live_hash);

/** It is not to be on LINE, and may still be. */
const isToGo = ({ target, state, removing, line_id, making, creating, previous }: RichMenuTable): boolean =>
  target === null &&
  (removing === 1 ||
    state !== 'draft' ||
    line_id !== null ||
    making !== null ||
    creating !== null ||
    previous !== '[]');

/** What everybody who is led to it sees once the round is over. */
const versionIn = ({ making, line_id }: RichMenuTable): string | null => making ?? line_id;

/** Every tab leads somewhere before the first menu of a set is seen; one that would lead nowhere is not published. */
async function leadTabs(round: Round): Promise<void> {
  const { rows, line, save } = round;
  const isThere = (uuid: string) =>
    rows.some((row) => row.uuid === uuid && row.target !== null && versionIn(row) !== null);
  for (let lost: RichMenuTable | undefined; ;) {
    lost = rows.find(
      ({ making, target }) => making !== null && target !== null && switchesTo(target).some((menu) => !isThere(menu)),
    );
    if (!lost?.making) break;
    await drop(line, lost.making);
    await save(lost, {
      making: null,
      making_hash: null,
      state: { state: 'failed', reason: 'switch', detail: '' },
    });
  }
  const needed = new Set(rows.flatMap(({ target }) => (target === null ? [] : switchesTo(target))));
  for (const row of rows) {
    const version = versionIn(row);
    if (!needed.has(row.uuid) || row.target === null || version === null || row.alias_id === version) continue;
    await there(round, row, version, () => lead(line, row, version));
    await save(row, { alias_id: version });
  }
}

/** Whether an alias exists is known to LINE alone, where somebody has interfered or we were interrupted. */
async function lead(line: Line, { uuid, alias_id }: RichMenuTable, version: string): Promise<void> {
  const alias = aliasOf(uuid);
  const [first, second] =
    alias_id === null ? [line.createAlias, line.updateAlias] : [line.updateAlias, line.createAlias];
  try {
    await first(alias, version);
  } catch (error) {
    const isOther = error instanceof LineError && (error.status === 404 || /conflict/i.test(error.message));
    if (!isOther) throw error;
    await second(alias, version);
  }
}

async function goLive({ save }: Round, row: RichMenuTable): Promise<void> {
  if (row.making === null) return;
  await save(row, {
    line_id: row.making,
    live_hash: row.making_hash,
    published_at: Date.now(),
    making: null,
    making_hash: null,
    ...(row.line_id !== null && { previous: JSON.stringify([...previousOf(row), { id: row.line_id }]) }),
  });
}

async function tellDefault(round: Round): Promise<void> {
  const { rows, line, fenced } = round;
  const now = Date.now();
  if (!isDefaultNew(rows, now)) return;
  const wanted = defaultOf(rows, now);
  const told = rows.filter(({ default_id }) => default_id !== null);
  if (wanted?.line_id) {
    const { line_id: id } = wanted;
    await there(round, wanted, id, () => line.setDefaultMenu(id));
  } else await clearDefault(line, new Set(told.map(({ default_id }) => default_id)));
  await fenced(async (trx) => {
    for (const row of told) await updateMenu(trx, row.uuid, { default_id: null });
    if (wanted) await updateMenu(trx, wanted.uuid, { default_id: wanted.line_id });
  });
  for (const row of told) row.default_id = null;
  if (wanted) wanted.default_id = wanted.line_id;
}

/** Whoever was shown an earlier version by name, by tag or by a tab gets the new one. Says when to ask again while LINE is about it. */
async function movePeople({ context, channel, rows, line, fenced, save }: Round): Promise<number | undefined> {
  const replaced = rows.filter(({ line_id, previous }) => line_id !== null && previous !== '[]');
  if (replaced.length === 0) return undefined;
  const tabs = new Set(rows.flatMap(({ target }) => (target === null ? [] : switchesTo(target))));
  const linked = new Set((await listLinks(context.db, channel)).map(({ line_id }) => line_id));
  for (const row of replaced)
    // Moving has the narrowest of LINE's rates, three an hour, so that it is left out where nobody can have the menu.
    await setPrevious(save, row, (each) =>
      each.batch !== undefined || tabs.has(row.uuid) || linked.has(each.id) ? each : { ...each, moved: true },
    );
  const operations = replaced.flatMap((row) =>
    previousOf(row).flatMap(({ id, batch, moved }) =>
      moved || batch !== undefined || row.line_id === null
        ? []
        : [{ type: 'link' as const, from: id, to: row.line_id }],
    ),
  );
  if (operations.length > 0) {
    // The new version is there for everybody else, and the old one stays as long as somebody has it.
    const requestId = await line.menuBatch(operations).then(
      (taken) => taken.requestId,
      (error: unknown) => {
        if (error instanceof LineError && error.status === 429) return undefined;
        throw error;
      },
    );
    if (requestId === undefined) return rateMs;
    for (const row of replaced)
      await setPrevious(save, row, (each) =>
        each.moved || each.batch !== undefined ? each : { ...each, batch: requestId },
      );
  }
  let waitMs: number | undefined;
  for (const row of replaced)
    for (const { id, batch, moved } of previousOf(row)) {
      if (moved || batch === undefined) continue;
      const { phase } = await line.menuBatchProgress(batch);
      if (phase !== 'succeeded') waitMs = batchMs;
      if (phase === 'ongoing') continue;
      const next: Previous = phase === 'succeeded' ? { id, moved: true } : { id };
      const previous = JSON.stringify(previousOf(row).map((each) => (each.id === id ? next : each)));
      await fenced(async (trx) => {
        await updateMenu(trx, row.uuid, { previous });
        if (phase === 'succeeded' && row.line_id !== null) await moveLinks(trx, [id], row.line_id);
      });
      row.previous = previous;
    }
  return waitMs;
}

async function setPrevious(
  save: Round['save'],
  row: RichMenuTable,
  change: (previous: Previous) => Previous,
): Promise<void> {
  const previous = JSON.stringify(previousOf(row).map(change));
  if (previous !== row.previous) await save(row, { previous });
}

/** LINE takes this many at once. */
const maxPeople = 500;

async function tellPeople(round: Round): Promise<void> {
  const { context, channel, rows, line, fenced, signal } = round;
  const { link, unlink } = await compareLinks(context.db, channel, rows, Date.now());
  for (const { menu, people } of link)
    for (let at = 0; at < people.length; at += maxPeople) {
      signal.throwIfAborted();
      const some = people.slice(at, at + maxPeople);
      const id = menu.line_id ?? '';
      await there(round, menu, id, () =>
        line.bulkLinkMenu(
          some.map(({ external }) => external),
          id,
        ),
      );
      await fenced((trx) =>
        putLinks(
          trx,
          some.map(({ identity }) => ({ identity, channel, menu: menu.uuid, line_id: id })),
        ),
      );
    }
  for (let at = 0; at < unlink.length; at += maxPeople) {
    signal.throwIfAborted();
    const some = unlink.slice(at, at + maxPeople);
    await line.bulkUnlinkMenu(some.map(({ external }) => external));
    await fenced((trx) =>
      deleteLinks(
        trx,
        some.map(({ identity }) => identity),
      ),
    );
  }
}

/** By now nobody is led to it. */
async function takeOff(round: Round, row: RichMenuTable): Promise<void> {
  const { context, line, fenced, save } = round;
  await abandon(round, row);
  if (row.alias_id !== null) {
    await line.deleteAlias(aliasOf(row.uuid)).catch(unlessGone);
    await save(row, { alias_id: null });
  }
  for (const { id } of previousOf(row)) await drop(line, id);
  if (row.line_id !== null) {
    await drop(line, row.line_id);
    context.log.info({ menu: row.uuid }, 'a rich menu was taken from LINE');
  }
  const off = { line_id: null, live_hash: null, published_at: null, previous: '[]', default_id: null };
  await fenced(async (trx) => {
    await deleteLinksTo(trx, row.uuid);
    if (row.removing === 1) return deleteMenu(trx, row.uuid);
    await updateMenu(trx, row.uuid, off);
    await updateState(trx, row, { state: 'draft', reason: null, detail: '' });
  });
  Object.assign(row, off);
}

async function dropOld({ line, save }: Round, row: RichMenuTable): Promise<void> {
  for (const { id, moved } of previousOf(row)) {
    if (!moved) continue;
    await drop(line, id);
    await save(row, { previous: JSON.stringify(previousOf(row).filter((each) => each.id !== id)) });
  }
}

/** Does something with a version; where LINE refuses, it is asked whether it still has it. */
async function there(round: Round, row: RichMenuTable, id: string, act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (!(error instanceof LineError && (error.status === 404 || error.status === 400))) throw error;
    const isThere = await round.line.getMenu(id).then(
      () => true,
      (refused: unknown) => {
        if (refused instanceof LineError && refused.status === 404) return false;
        throw refused;
      },
    );
    if (isThere) throw error;
    throw new GoneError(row, id);
  }
}

/** It is published anew as it was, and that it was gone is said. */
async function noteGone(context: Context, trx: Trx, { uuid, line_id }: RichMenuTable): Promise<boolean> {
  if (line_id === null || !(await forgetVersion(trx, uuid, line_id))) return false;
  context.log.warn({ menu: uuid }, 'a rich menu was deleted at LINE; it is published anew');
  return true;
}

/** Looks for what was deleted at LINE by somebody else, and has it published anew. */
export async function restoreGone(context: Context, channel: string, line: Line): Promise<void> {
  // Read before LINE is asked: what is replaced meanwhile is another version then, and stays.
  const rows = await listMenuRows(context.db, channel);
  const known = new Set((await line.listMenus()).map(({ richMenuId }) => richMenuId));
  await context.db.transaction().execute(async (trx) => {
    for (const row of rows) {
      if (row.line_id === null || known.has(row.line_id) || !(await noteGone(context, trx, row))) continue;
      // A round that is under way takes notice.
      await touch(trx, row.uuid);
      await queueMenus(context, trx, channel);
    }
  });
  context.queue.wake();
}

/** Once a minute: periods begin and end, and people get and lose tags. */
export async function checkAudiences(context: Context, signal: AbortSignal): Promise<void> {
  for (const channel of await listChannelsOnLine(context.db)) {
    signal.throwIfAborted();
    const [row] = await findChannelRow(context.db, { uuid: channel });
    // With a secret that is no longer taken nothing can be told.
    if (!row || row.secret_failed_at !== null) continue;
    const rows = await listMenuRows(context.db, channel);
    const now = Date.now();
    const { link, unlink } = await compareLinks(context.db, channel, rows, now);
    if (isDefaultNew(rows, now) || link.length > 0 || unlink.length > 0)
      await queueMenus(context, context.db, channel, { sooner: false });
  }
  context.queue.wake();
}

/** Once an hour: what LINE has is held against what we think that it has, and what was given up is tried again. */
export async function checkMenus(context: Context, signal: AbortSignal): Promise<void> {
  for (const channel of await listChannelsOnLine(context.db)) {
    signal.throwIfAborted();
    const [row] = await findChannelRow(context.db, { uuid: channel });
    if (!row || row.secret_failed_at !== null) continue;
    await restoreGone(context, channel, lineOf(context, row, signal)).catch((err: unknown) =>
      context.log.warn({ err, channel }, 'LINE did not tell which menus it has'),
    );
    await context.db.transaction().execute(async (trx) => {
      await tryAgain(trx, channel);
      await queueMenus(context, trx, channel, { sooner: false });
    });
  }
  context.queue.wake();
}
