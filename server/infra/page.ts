import { AppError } from '../../shared/errors.ts';
import { isStorable } from '../../shared/text.ts';

/** Where a page of a list ended: the value it is sorted by, and the id that breaks ties. */
export interface Position {
  at: string | number;
  uuid: string;
}

/** What a list may be sorted by. A cursor that holds anything else is forged, or of another list. */
const sortings = {
  moments: (at: unknown) => Number.isSafeInteger(at),
  places: (at: unknown) => typeof at === 'number' && Number.isInteger(at) && Math.abs(at) < 2 ** 31,
  names: (at: unknown) => typeof at === 'string' && isStorable(at),
};

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readCursor(
  cursor: string | undefined,
  sortedBy: keyof typeof sortings = 'moments',
): Position | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [at, uuid] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (sortings[sortedBy](at) && typeof uuid === 'string' && isUuid.test(uuid)) return { at, uuid };
  } catch {
    // falls through: a cursor that cannot be read was not made here
  }
  throw new AppError('validation-failed', { fields: [{ path: 'cursor', code: 'invalid' }] });
}

/** One page of `limit` rows, made of the `limit + 1` that were read, and where the next page begins. */
export function page<T extends { uuid: string }>(
  rows: T[],
  limit: number,
  at: (row: T) => string | number,
): { rows: T[]; nextCursor: string | null } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const nextCursor =
    rows.length > limit && last ? Buffer.from(JSON.stringify([at(last), last.uuid])).toString('base64url') : null;
  return { rows: shown, nextCursor };
}

/** A pattern for `like … escape '\'` that finds the text anywhere. */
export function containing(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}

/** A moment of a row, as replies have it. */
export const momentOf = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());
