import type { CannedReply } from '../../../shared/contracts/inbox.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { isUniqueViolation, newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import type { CannedReplyTable } from './inbox.tables.ts';

const mostCanned = 500;

export const listCanned = async ({ db }: Context, { workspace }: Caller): Promise<CannedReply[]> =>
  (
    await db
      .selectFrom('canned_reply')
      .selectAll()
      .where('workspace', '=', workspace)
      .orderBy('shortcut')
      .limit(mostCanned)
      .execute()
  ).map(toCanned);

const toCanned = ({ uuid, shortcut, title, text, ...row }: CannedReplyTable): CannedReply => ({
  uuid,
  shortcut,
  title,
  text,
  ...momentsOf(row),
});

export async function createCanned(
  context: Context,
  caller: Caller,
  given: { shortcut: string; title: string; text: string },
): Promise<CannedReply> {
  if ((await listCanned(context, caller)).length >= mostCanned) throw new AppError('too-many', { limit: mostCanned });
  const now = Date.now();
  const row = { uuid: newId(), workspace: caller.workspace, ...given, created_at: now, updated_at: now };
  await once(() => context.db.insertInto('canned_reply').values(row).execute());
  return toCanned(row);
}

export async function updateCanned(
  { db }: Context,
  { workspace }: Caller,
  uuid: string,
  given: { shortcut?: string | undefined; title?: string | undefined; text?: string | undefined },
): Promise<CannedReply> {
  const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const row = await once(() =>
    db
      .updateTable('canned_reply')
      .set({ ...changes, updated_at: Date.now() })
      .where('uuid', '=', uuid)
      .where('workspace', '=', workspace)
      .returningAll()
      .executeTakeFirst(),
  );
  if (!row) throw new AppError('canned-not-found');
  return toCanned(row);
}

export async function removeCanned({ db }: Context, { workspace }: Caller, uuid: string): Promise<void> {
  const { numDeletedRows } = await db
    .deleteFrom('canned_reply')
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new AppError('canned-not-found');
}

/** Two replies cannot have the same shortcut. */
async function once<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isUniqueViolation(error))
      throw new AppError('validation-failed', { fields: [{ path: 'shortcut', code: 'duplicate' }] });
    throw error;
  }
}
