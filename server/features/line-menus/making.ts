import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import type { LineMenuJson } from '../../../shared/line-menu.ts';
import { LineError, type Line } from '../../providers/channels/line/api.ts';
import { findFile } from '../files/files.ts';
import { previousOf } from './audience.ts';
import type { RichMenuTable } from './line-menus.tables.ts';
import type { Round } from './settle.ts';

/** An account has no more: https://developers.line.biz/en/reference/messaging-api/#create-rich-menu */
export const maxOnLine = 1000;

/** Makes the version that is to be on LINE, with its picture: `making` then says how LINE calls it. What LINE refuses has failed. */
export async function makeVersion(round: Round, row: RichMenuTable): Promise<void> {
  const { line, save } = round;
  await adopt(round, row);
  // It was begun for something that is no longer wanted.
  if (row.making !== null && row.making_hash !== row.target_hash) await abandon(round, row);
  const isNew = row.making === null;
  if (isNew && !(await create(round, row))) return;
  const { making } = row;
  if (making === null || (!isNew && (await hasImage(line, making)))) return;
  const image = await readTarget(round, row);
  if (!image) {
    await abandon(round, row);
    return save(row, failed('image'));
  }
  try {
    await line.uploadMenuImage(making, image.bytes, image.mime);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    if (error.status === 404) {
      await save(row, { making: null, making_hash: null });
      throw error;
    }
    await abandon(round, row);
    await save(row, failed('image', error));
  }
}

/** Leaves nothing at LINE of a version that nobody has seen. */
export async function abandon(round: Round, row: RichMenuTable): Promise<void> {
  await adopt(round, row);
  if (row.making === null) return;
  await drop(round.line, row.making);
  await round.save(row, { making: null, making_hash: null });
}

/** LINE's narrowest rates are by the hour, and fill up again little by little. */
export const rateMs = 60_000;

export const drop = (line: Line, id: string): Promise<void> => line.deleteMenu(id).then(() => undefined, unlessGone);

export const unlessGone = (error: unknown): void => {
  if (!(error instanceof LineError && error.status === 404)) throw error;
};

/** Nobody's menu is everybody's any more, if it was one of these: what somebody else has set is theirs. */
export async function clearDefault(line: Line, ours: ReadonlySet<string | null>): Promise<void> {
  const current = await line.getDefaultMenu().catch((error: unknown) => {
    if (error instanceof LineError && (error.status === 404 || error.status === 403)) return null;
    throw error;
  });
  if (current !== null && ours.has(current)) await line.clearDefaultMenu();
}

async function create({ line, save }: Round, row: RichMenuTable): Promise<boolean> {
  if (row.target === null) return false;
  const json: LineMenuJson = JSON.parse(row.target);
  try {
    await line.validateMenu(json);
    // Whoever is interrupted from here on looks for it at LINE.
    await save(row, { creating: row.target, making_hash: row.target_hash });
    const making = await line.createMenu(json);
    await save(row, { creating: null, making });
    return true;
  } catch (error) {
    if (error instanceof LineError && error.status < 500) await save(row, { creating: null, making_hash: null });
    if (!isRefusal(error)) throw error;
    const isFull = (await line.listMenus()).length >= maxOnLine;
    await save(row, failed(isFull ? 'limit' : 'refused', error));
    return false;
  }
}

/** LINE was asked for a menu, and its answer was lost: it is the one like it that is nobody's, and has no picture yet. */
async function adopt({ line, rows, save }: Round, row: RichMenuTable): Promise<void> {
  if (row.creating === null) return;
  const known = new Set(rows.flatMap((each) => [each.line_id, each.making, ...previousOf(each).map(({ id }) => id)]));
  const making = await findCreated(line, row.creating, known);
  await save(row, { creating: null, making, ...(making === null && { making_hash: null }) });
}

/** What came of a request for a menu whose answer was lost; null for nothing. */
export async function findCreated(
  line: Line,
  creating: string,
  known: ReadonlySet<string | null>,
): Promise<string | null> {
  const asked = outlineOf(JSON.parse(creating));
  let found: string | null = null;
  for (const menu of await line.listMenus())
    if (!known.has(menu.richMenuId) && isDeepStrictEqual(outlineOf(menu), asked))
      if (!(await hasImage(line, menu.richMenuId))) found = menu.richMenuId;
  return found;
}

const outlineOf = ({ name, chatBarText, size, areas }: LineMenuJson) => ({
  name,
  chatBarText,
  size,
  areas: areas.map(({ bounds }) => bounds),
});

const hasImage = (line: Line, id: string): Promise<boolean> =>
  line.downloadMenuImage(id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof LineError && error.status === 404) return false;
      throw error;
    },
  );

async function readTarget({ context }: Round, { target_image }: RichMenuTable) {
  const file = target_image === null ? undefined : await findFile(context.db, target_image);
  if (!file) return undefined;
  const mime = file.mime === 'image/png' ? ('image/png' as const) : ('image/jpeg' as const);
  return { mime, bytes: await buffer(await context.storage.get(file.storage_key)) };
}

/** What LINE will refuse each time, and not because of who asks or how often. */
const isRefusal = (error: unknown): error is LineError =>
  error instanceof LineError &&
  error.status < 500 &&
  error.status !== 429 &&
  error.status !== 401 &&
  !/oauth/.test(error.path);

const failed = (reason: RichMenuTable['reason'], error?: LineError) => {
  const details = error?.details.map(({ property, message }) => `${property}: ${message}`) ?? [];
  const detail = [error?.message ?? '', ...details].join('; ').slice(0, 300);
  return { state: { state: 'failed' as const, reason, detail } };
};
