import type { Db, Trx } from './db.ts';
import type { Entity } from './db.types.ts';
import type { Position } from './page.ts';

const keptMs = 30 * 86_400_000;
const marginMs = 60_000;

/** What was deleted before this can no longer be restored. */
export const restorableSince = (): number => Date.now() - keptMs;

/** What was deleted before this is erased: a little later, so that nothing is erased while somebody restores it. */
export const erasableBefore = (): number => Date.now() - keptMs - marginMs;

/** When something that was deleted at a moment is erased. */
export const erasedAt = (deletedAt: number): number => deletedAt + keptMs;

/** What is deleted at this moment cannot be restored, and goes with the next round of the trash. */
export const longAgo = 1;

/** Lets the next round begin now, by whichever process; called after the transaction that threw something away for good. */
export async function emptySoon(db: Db | Trx, inMs = 0): Promise<void> {
  const due = inMs === 0 ? 0 : Date.now() + inMs;
  await db.updateTable('recurring').set({ due_at: due }).where('name', '=', emptyWork).execute();
}

export const emptyWork = 'trash.empty';

/** What of a workspace is in the trash: the last first, after a place in the list. */
export interface TrashQuery {
  workspace: string;
  q: string | undefined;
  limit: number;
  after: Position | undefined;
}

export interface Trashed extends Entity {
  name: string;
  deleted_at: number;
  deleted_by: string | null;
  /** Null where it is not known, or the person is gone. */
  deleted_by_name: string | null;
}
