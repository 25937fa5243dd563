import type { Context, GuestThread, Taken } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import type { MessageTable } from '../conversations/guest-threads.ts';
import { findIdentity } from '../guests/guests.ts';
import { lineUrl, secretOf } from './access.ts';
import { findChannelRow, findQuoteToken, noteWay, putLineMessage, takeToken } from './line-channels.store.ts';
import { isSpent, settingsOf } from './settings.ts';

/** LINE takes a token for about a minute from when it was sent; what is on its way for longer than this would come too late. */
const tokenMs = 50_000;
/** Sent again, an event can be answered once more, but not later than this after it happened. */
const eventMs = 20 * 60_000;

/** What LINE's servers are to be told with; `stop` where nothing that costs is sent any more. */
export async function channelAccess(
  context: Context,
  kind: string,
  channelId: string,
): Promise<Record<string, string> | undefined> {
  if (kind !== 'line') return undefined;
  const [row] = await findChannelRow(context.db, { uuid: channelId });
  const url = lineUrl(context);
  return (
    row && {
      channelId: row.line_id,
      secret: secretOf(context, row),
      ...(url !== undefined && { address: url }),
      ...(isSpent(row) && { stop: 'quota' }),
    }
  );
}

export async function takeReply(context: Context, thread: GuestThread): Promise<string | undefined> {
  if (thread.channel !== 'line' || thread.identity === null || thread.channel_id === null) return undefined;
  const identity = await findIdentity(context.db, thread.identity);
  const now = Date.now();
  return (
    identity &&
    takeToken(context.db, {
      channel: thread.channel_id,
      chat: identity.external,
      since: now - tokenMs,
      begun: now - eventMs,
      now,
    })
  );
}

/** By what LINE calls them, messages are found that somebody quotes or takes back. */
export async function keepIds(
  _: Context,
  trx: Trx,
  { channel, channel_id: channelId, uuid: thread }: GuestThread,
  { sent, quotes, via }: Taken,
): Promise<void> {
  if (channel !== 'line' || channelId === null) return;
  for (const { message, ids } of sent)
    for (const id of ids)
      await putLineMessage(trx, {
        channel: channelId,
        line_id: id,
        message,
        thread,
        quote_token: quotes[id] ?? null,
      });
  if (via !== null) await noteWay(trx, { thread, way: via });
}

/** What an answer refers to is seen where several people write; elsewhere only what somebody has chosen to refer to. */
export async function quoteOf(
  { db }: Context,
  { channel, identity }: GuestThread,
  { quotes, role, parent }: MessageTable,
): Promise<string | undefined> {
  if (channel !== 'line' || identity === null) return undefined;
  const isGroup = role === 'assistant' && !(await findIdentity(db, identity))?.external.startsWith('U');
  const of = quotes ?? (isGroup ? parent : null);
  return of === null ? undefined : findQuoteToken(db, of);
}

export const showsPages = async (context: Context, thread: GuestThread): Promise<boolean> =>
  (await settingsFor(context, thread))?.pages ?? false;

export const showsSources = async (context: Context, thread: GuestThread): Promise<boolean> =>
  (await settingsFor(context, thread))?.citations ?? true;

async function settingsFor({ db }: Context, { channel, channel_id: channelId }: GuestThread) {
  if (channel !== 'line' || channelId === null) return undefined;
  const [row] = await findChannelRow(db, { uuid: channelId });
  return row && settingsOf(row);
}
