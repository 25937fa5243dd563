import type { Context } from '../../feature.ts';
import { eraseThreadRows, listOldThreads } from '../conversations/guest-threads.ts';
import { deleteGuest, listSilentGuests } from '../guests/guests.ts';
import { settingsOf } from './web-channels.ts';
import { listEveryChannel } from './web-channels.store.ts';

const dayMs = 86_400_000;
const batch = 100;

/** Erases conversations that their channel keeps no longer. */
export async function eraseOldThreads(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (const row of await listEveryChannel(context.db)) {
    const { retentionDays } = settingsOf(row).history;
    if (retentionDays === null) continue;
    for (;;) {
      signal.throwIfAborted();
      const old = await listOldThreads(context.db, row.uuid, now - retentionDays * dayMs, batch);
      if (old.length === 0) break;
      await eraseThreadRows(context, old);
    }
  }
}

/** Visitors who opened a widget and never wrote, and makers who tried one, are forgotten. */
export async function sweepVisitors(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const silent = await listSilentGuests(context.db, {
      before: now - 30 * dayMs,
      previewBefore: now - dayMs,
      limit: batch,
    });
    if (silent.length === 0) return;
    await context.db.transaction().execute(async (trx) => {
      for (const { uuid } of silent) await deleteGuest(trx, uuid);
    });
  }
}
