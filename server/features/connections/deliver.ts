import type { Attachment } from '../../../shared/contracts/conversations.ts';
import type { Context, GuestThread } from '../../feature.ts';
import type { JobHandler } from '../../infra/queue.ts';
import type { Outcome } from '../../providers/channels/channel.ts';
import { splitText } from '../../providers/channels/split.ts';
import {
  announce,
  findThreadById,
  listQueued,
  lockThread,
  updateMessage,
  type MessageTable,
} from '../conversations/guest-threads.ts';
import { findIdentity } from '../guests/guests.ts';

/** Said while what was to be sent waits for another attempt. */
class NotTakenError extends Error {}
/** Something was written while the last of it was sent. */
class MoreError extends Error {}

/**
 * Sends what waits in a conversation, in its order: what comes later waits for what came before, until that is sent or can never
 * be. Each attempt has the message's own id as its key, so a channel that knows keys takes it once.
 */
export const deliverJob = (context: Context): JobHandler<{ thread: string }> => ({
  async run({ thread: uuid }, { signal, fenced, finish }) {
    for (;;) {
      signal.throwIfAborted();
      const thread = await findThreadById(context.db, uuid);
      const [message] = thread ? await listQueued(context.db, uuid, 1) : [];
      if (!thread || !message) {
        const isOver = await finish(
          async (trx) => {
            if ((await listQueued(trx, uuid, 1)).length > 0) throw new MoreError();
          },
          // Whoever writes to the conversation holds its row, and adds a job where this one is done.
          (trx) => lockThread(trx, uuid),
        ).then(
          () => true,
          (error: unknown) => {
            if (error instanceof MoreError) return false;
            throw error;
          },
        );
        if (isOver) return;
        continue;
      }
      const outcome = await attempt(context, thread, message, signal);
      signal.throwIfAborted();
      const changes =
        outcome.state === 'sent'
          ? { delivery: 'sent' as const, delivery_error: null }
          : {
              delivery: outcome.state === 'failed' ? ('failed' as const) : ('queued' as const),
              delivery_error: outcome.reason,
            };
      await fenced((trx) => updateMessage(trx, message.uuid, changes));
      announce(context, uuid, { message: { ...message, ...changes }, isNew: false });
      if (outcome.state === 'again') throw new NotTakenError(outcome.reason);
    }
  },
  async dead({ thread }) {
    const changes = { delivery: 'failed', delivery_error: 'unreachable' } as const;
    for (const message of await listQueued(context.db, thread, 1000)) {
      await updateMessage(context.db, message.uuid, changes);
      announce(context, thread, { message: { ...message, ...changes }, isNew: false });
    }
  },
});

async function attempt(
  context: Context,
  thread: GuestThread,
  message: MessageTable,
  signal: AbortSignal,
): Promise<Outcome> {
  const { channels, db, features, outbound } = context;
  const { channel, channel_id: channelId, identity } = thread;
  const provider = channel === 'app' ? undefined : channels[channel];
  const to = identity === null ? undefined : await findIdentity(db, identity);
  let access: Record<string, string> | undefined;
  for (const { channelAccess } of features)
    if (channelId !== null) access ??= await channelAccess?.(context, channel, channelId);
  if (!provider?.send || !to || !access) return { state: 'failed', reason: 'channel-gone' };
  const files: Attachment[] = JSON.parse(message.files);
  try {
    return await provider.send({
      access,
      to: to.external,
      message: { key: message.uuid, texts: splitText(message.text, provider.maxText), files },
      request: (url, options) => outbound.request(url, options),
      signal,
    });
  } catch (err) {
    signal.throwIfAborted();
    context.log.warn({ err, message: message.uuid }, 'a channel could not be reached');
    return { state: 'again', reason: 'unreachable' };
  }
}
