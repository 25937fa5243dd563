import type { Context } from '../../feature.ts';
import { eraseThreadRows, eraseThreads, listOldThreads, listThreadsOfGuest } from '../conversations/guest-threads.ts';
import { deleteGuest, listIdentities, listSilentGuests, updateGuestRow } from '../guests/guests.ts';
import { settingsOf } from './web-channels.ts';
import { deleteGone, listEveryChannel, listGone } from './web-channels.store.ts';

const dayMs = 86_400_000;
const batch = 100;

/** Erases conversations that their channel keeps no longer, or would keep no longer if it were still there. */
export async function eraseOldThreads(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (const row of await listEveryChannel(context.db)) {
    const { retentionDays } = settingsOf(row).history;
    if (retentionDays !== null) await eraseBefore(context, signal, row.uuid, now - retentionDays * dayMs);
  }
  for (const { uuid, retention_days, created_at } of await listGone(context.db)) {
    const before = now - retention_days * dayMs;
    await eraseBefore(context, signal, uuid, before);
    if (created_at < before && (await listOldThreads(context.db, uuid, Number.MAX_SAFE_INTEGER, 1)).length === 0)
      await deleteGone(context.db, uuid);
  }
}

async function eraseBefore(context: Context, signal: AbortSignal, channelId: string, before: number): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const old = await listOldThreads(context.db, channelId, before, batch);
    if (old.length === 0) return;
    await eraseThreadRows(context, old, before);
    for (const guest of new Set(old.flatMap(({ guest }) => guest ?? []))) await fallSilent(context, guest);
  }
}

/** Of whom nothing is left, and who is not a customer of the site, is like somebody who never wrote. */
async function fallSilent({ db }: Context, guest: string): Promise<void> {
  if ((await listThreadsOfGuest(db, guest, 1)).length > 0) return;
  if ((await listIdentities(db, guest)).some(({ verified }) => verified === 1)) return;
  await updateGuestRow(db, guest, { silent: 1 });
}

/** Visitors of whom there is no conversation for a month, and makers who tried a widget, are forgotten. */
export async function sweepVisitors(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const silent = await listSilentGuests(context.db, {
      before: now - 30 * dayMs,
      previewBefore: now - dayMs,
      limit: batch,
    });
    if (silent.length === 0) return;
    for (const { uuid, preview } of silent) {
      // What they wrote takes its files with it.
      if (preview === 1) await eraseThreads(context, { guest: uuid });
      await context.db.transaction().execute(async (trx) => {
        const isSilent = preview === 1 || (await listThreadsOfGuest(trx, uuid, 1)).length === 0;
        await (isSilent ? deleteGuest(trx, uuid) : updateGuestRow(trx, uuid, { silent: 0 }));
      });
    }
  }
}
