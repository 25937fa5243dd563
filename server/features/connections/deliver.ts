import type { Attachment, Citation } from '../../../shared/contracts/conversations.ts';
import { withoutCitations } from '../../../shared/citation-marks.ts';
import { sent as sentCalls } from '../../../shared/contracts/sent.ts';
import { isPlayable } from '../../../shared/recordings.ts';
import type { Context, GuestThread } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import type { JobHandler, JobRun } from '../../infra/queue.ts';
import { newSecret } from '../../infra/sealed.ts';
import type { Outcome, Outgoing } from '../../providers/channels/channel.ts';
import { readAttached } from '../conversations/attachments.ts';
import {
  announce,
  findThreadById,
  listQueued,
  lockThread,
  updateMessage,
  type MessageTable,
} from '../conversations/guest-threads.ts';
import { findBot } from '../bots/bots.ts';
import { toConfig } from '../bots/config.ts';
import { readRecording } from '../files/recordings.ts';
import { findIdentity } from '../guests/guests.ts';
import { findConnectionOf, settingsOf } from './connections.ts';
import { languageFor } from './notice.ts';

/** Said while what was to be sent waits for another attempt. */
class NotTakenError extends Error {}
/** Something was written while the last of it was sent. */
class MoreError extends Error {}

/**
 * Sends what waits in a conversation, in its order: what comes later waits for what came before, until that is sent or can never
 * be. Each attempt knows what the one before has kept, and a message has the same key at each, so that it is taken once.
 */
export const deliverJob = (context: Context): JobHandler<{ thread: string }> => ({
  async run({ thread: uuid }, { signal, ...run }) {
    // Whoever writes to a conversation, or erases it, holds its row before anything else; one who writes adds a job where this one is done.
    const lockFirst = (trx: Trx) => lockThread(trx, uuid);
    const fenced: JobRun['fenced'] = (write) => run.fenced(write, lockFirst);
    for (;;) {
      signal.throwIfAborted();
      const thread = await findThreadById(context.db, uuid);
      const messages = thread ? await nextOf(context, thread) : [];
      if (!thread || messages.length === 0) {
        const isOver = await run
          .finish(async (trx) => {
            if ((await listQueued(trx, uuid, 1)).length > 0) throw new MoreError();
          }, lockFirst)
          .then(
            () => true,
            (error: unknown) => {
              if (error instanceof MoreError) return false;
              throw error;
            },
          );
        if (isOver) return;
        continue;
      }
      const outcome = await attempt(context, thread, messages, { signal, fenced });
      signal.throwIfAborted();
      const taken = outcome.state === 'sent' ? (outcome.ids ?? messages.map(() => [])) : takenOf(outcome);
      const changed = messages.map((message, at) => ({
        message,
        changes: at < taken.length && outcome.state === 'failed' ? changesFor({ state: 'sent' }) : changesFor(outcome),
      }));
      await fenced(async (trx) => {
        for (const { message, changes } of changed) await updateMessage(trx, message.uuid, changes);
        const sent = messages
          .slice(0, taken.length)
          .map((message, at) => ({ message: message.uuid, ids: taken[at] ?? [] }));
        const [via, quotes] = outcome.state === 'sent' ? [outcome.via ?? null, outcome.quotes ?? {}] : [null, {}];
        if (sent.length > 0)
          for (const { sentMessages } of context.features)
            await sentMessages?.(context, trx, thread, { sent, quotes, via });
      });
      for (const { message, changes } of changed)
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

/** What stands in `sending`: which messages go out with this one, and what the channel has kept of them. */
interface Kept {
  messages: string[];
  notes: unknown;
}

const keptOf = ({ sending }: MessageTable): Kept | undefined => (sending === null ? undefined : JSON.parse(sending));

/** What goes out next: as many as the channel takes at once, or those that an attempt has begun with. */
async function nextOf({ channels, db }: Context, { uuid, channel }: GuestThread): Promise<MessageTable[]> {
  const most = channel === 'app' ? 1 : channels[channel].maxTogether;
  const queued = await listQueued(db, uuid, most);
  const kept = queued[0] && keptOf(queued[0]);
  return kept ? queued.filter((message) => kept.messages.includes(message.uuid)) : queued;
}

const takenOf = (outcome: Exclude<Outcome, { state: 'sent' }>): string[][] =>
  outcome.state === 'failed' ? (outcome.taken ?? []) : [];

function changesFor(outcome: Outcome): Partial<MessageTable> {
  if (outcome.state === 'sent')
    return { delivery: 'sent', delivery_error: outcome.isUncertain ? 'uncertain' : null, sending: null };
  return { delivery: outcome.state === 'failed' ? 'failed' : 'queued', delivery_error: outcome.reason };
}

async function attempt(
  context: Context,
  thread: GuestThread,
  messages: MessageTable[],
  { signal, fenced }: Pick<JobRun, 'signal' | 'fenced'>,
): Promise<Outcome> {
  const { channels, db, features, outbound } = context;
  const { channel, channel_id: channelId, identity } = thread;
  const provider = channel === 'app' ? undefined : channels[channel];
  const to = identity === null ? undefined : await findIdentity(db, identity);
  let access: Record<string, string> | undefined;
  for (const { channelAccess } of features)
    if (channelId !== null) access ??= await channelAccess?.(context, channel, channelId);
  const [first] = messages;
  if (!provider?.send || !to || !access || !first) return { state: 'failed', reason: 'channel-gone' };
  if (to.left_at !== null) return { state: 'failed', reason: 'unfollowed' };
  const keep = (notes: object) =>
    fenced(async (trx) => {
      const kept: Kept = { messages: messages.map(({ uuid }) => uuid), notes };
      await updateMessage(trx, first.uuid, { sending: JSON.stringify(kept) });
    });
  try {
    const outgoing: Outgoing[] = [];
    for (const message of messages) outgoing.push(await toOutgoing(context, thread, message));
    return await provider.send({
      access,
      to: to.external,
      messages: outgoing,
      notes: keptOf(first)?.notes,
      keep,
      async takeReply() {
        for (const { takeReply } of features) {
          const reply = await takeReply?.(context, thread);
          if (reply !== undefined) return reply;
        }
        return undefined;
      },
      request: (url, options) => outbound.request(url, options),
      signal,
    });
  } catch (err) {
    signal.throwIfAborted();
    context.log.warn({ err, message: first.uuid }, 'a channel could not be reached');
    return { state: 'again', reason: 'unreachable' };
  }
}

const isPicture = ({ mime }: Attachment) => mime.startsWith('image/');

async function lengthOf(context: Context, { uuid, mime }: Attachment): Promise<number | undefined> {
  const bytes = isPlayable(mime) ? await readAttached(context, uuid) : undefined;
  return bytes && readRecording(bytes)?.durationMs;
}

/** Whether both its bot and its channel do. */
async function showsSources(context: Context, thread: GuestThread): Promise<boolean> {
  const bot = thread.bot === null ? undefined : await findBot(context.db, thread.workspace, thread.bot);
  const config = bot?.version_config;
  if (config && !toConfig(config).appearance.showCitations) return false;
  for (const each of context.features) if ((await each.showsSources?.(context, thread)) === false) return false;
  return true;
}

/** Its files and sources have addresses that whoever it is sent to may open, and nobody else knows. */
async function toOutgoing(context: Context, thread: GuestThread, message: MessageTable): Promise<Outgoing> {
  const { language, status, channel, channel_id: channelId } = thread;
  const { uuid, role } = message;
  const files: Attachment[] = JSON.parse(message.files);
  const cited: Citation[] = JSON.parse(message.citations);
  const isCited = cited.length === 0 || (await showsSources(context, thread));
  const text = isCited ? message.text : withoutCitations(message.text, cited);
  const citations = isCited ? cited : [];
  let { link } = message;
  if (link === null && files.length + citations.length > 0) {
    link = newSecret();
    await updateMessage(context.db, uuid, { link });
  }
  const key = link ?? '';
  const [connection] =
    channel === 'app' || channelId === null ? [] : await findConnectionOf(context.db, { channel, channelId });
  let quote: string | undefined;
  for (const { quoteOf } of context.features) quote ??= await quoteOf?.(context, thread, message);
  return {
    key: uuid,
    ...(quote !== undefined && { quote }),
    // Nobody sends what a guest has written.
    role: role === 'user' ? 'system' : role,
    text,
    ...(message.rich !== null && { rich: JSON.parse(message.rich) }),
    files: await Promise.all(
      files.map(async (file) => ({
        ...file,
        ...(isPicture(file) && { mime: 'image/jpeg' }),
        url: context.links.to(sentCalls.file.path, { message: uuid, key, file: file.uuid }),
        durationMs: await lengthOf(context, file),
      })),
    ),
    citations: citations.map(({ number, document, page }) => ({
      number,
      title: document.name,
      page,
      url: document.url ?? context.links.to(`/Source/${uuid}`, { key, number: String(number) }),
    })),
    suggestions: message.suggestions === null ? [] : JSON.parse(message.suggestions),
    offersPerson:
      role === 'assistant' && status === 'bot' && connection !== undefined && settingsOf(connection).handoff.offered,
    locale: connection ? languageFor(settingsOf(connection), thread) : language,
  };
}
