import { lineChannels as contract } from '../../../shared/contracts/line-channels.ts';
import { microPerCredit } from '../../../shared/contracts/usage.ts';
import { hourMs, type Context, type Feature } from '../../feature.ts';
import type { Visitor } from '../../infra/http.ts';
import { readEvent } from '../../providers/channels/line/events.ts';
import { lineOf, lineSettings } from './access.ts';
import { lineAnswers, tellRead } from './events.ts';
import { incomingRoutes, keep } from './incoming.ts';
import { addChannel, channelsByRich, learn, mustFindOwn } from './line-channels.ts';
import { lineAsked, lineChannelRoutes } from './line-channels.routes.ts';
import { deleteOldRequests, findChannelRow, listUnasked, redactChats, redactMessages } from './line-channels.store.ts';
import { channelAccess, keepIds, quoteOf, showsPages, showsSources, takeReply } from './sending.ts';
import { settingsOf } from './settings.ts';
import { voicesHeard } from './voices.ts';
import { eventsJob, eventsKind, takeUpForgotten } from './work.ts';

/** Accounts on LINE: how they are connected, what LINE sends, and what is sent with it. */
export const lineChannels: Feature = {
  name: 'line-channels',
  settings: lineSettings,
  tables: ['line_channel', 'line_request', 'line_event', 'line_message'],
  contracts: [contract],
  routes(app, context) {
    lineChannelRoutes(app, context);
    incomingRoutes(app, context);
  },
  notFound: { 'line-channel': 'channel-not-found' },
  limits: [lineAnswers, lineAsked, voicesHeard],
  jobs: (context) => context.queue.register(eventsKind, eventsJob(context)),
  recurring: (context) => [
    { name: 'line.forgotten', everyMs: 60_000, run: () => takeUpForgotten(context) },
    { name: 'line.quota', everyMs: askedMs, run: (signal) => askAll(context, signal) },
    { name: 'line.sweep', everyMs: hourMs, run: (signal) => sweep(context, signal) },
  ],
  richUses: channelsByRich,
  channelAccess,
  dailyCap,
  takeReply,
  showsPages,
  showsSources,
  sentMessages: keepIds,
  quoteOf,
  guestThread: tellRead,
  eraseMessages: (_, trx, messages) => redactMessages(trx, messages),
  eraseGuest: (_, trx, ways) =>
    redactChats(
      trx,
      ways.filter(({ channel }) => channel === 'line').map((way) => ({ channel: way.channel_id, chat: way.external })),
    ),
  examples: async (context, caller) => {
    const info = { userId: 'U0', basicId: '@shop', displayName: 'Shop', chatMode: 'bot' };
    const { uuid } = await addChannel(context, caller, {
      channelId: '1000000',
      secret: '0'.repeat(32),
      bot: null,
      info,
    });
    const { row } = await mustFindOwn(context, caller, uuid);
    // Of a kind that nobody knows, so that nothing comes of it.
    const event = readEvent({ type: 'example', webhookEventId: uuid }, () => uuid);
    const kept = await keep(context, row, { body: '{}', events: [event], began: performance.now() });
    return {
      'line-channel': uuid,
      'line-channel-sync-webhook': uuid,
      webhook: kept.request,
      'webhook-event': kept.events[0] ?? '',
    };
  },
  pictures: [{ table: 'line_channel', column: 'avatar' }],
};

/** What the bot's answers on an account may cost in a day; people answer beyond it. */
async function dailyCap({ db }: Context, { channel, channelId }: Visitor): Promise<number | null> {
  if (channel !== 'line') return null;
  const [row] = await findChannelRow(db, { uuid: channelId });
  const creditsPerDay = row ? settingsOf(row).creditsPerDay : null;
  return creditsPerDay === null ? null : creditsPerDay * microPerCredit;
}

const askedMs = 10 * 60_000;

/** How much of the month's messages is left. */
async function askAll(context: Context, signal: AbortSignal): Promise<void> {
  for (const row of await listUnasked(context.db, Date.now() - askedMs, 100)) {
    signal.throwIfAborted();
    await learn(context, row, lineOf(context, row, signal)).catch((err: unknown) =>
      context.log.warn({ err, channel: row.uuid }, 'LINE did not tell how a channel is'),
    );
  }
}

/** What LINE sent is kept for finding out what went wrong. */
const keptMs = 30 * 24 * hourMs;

async function sweep({ db }: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const { numDeletedRows } = await deleteOldRequests(db, Date.now() - keptMs, 500);
    if (numDeletedRows === 0n) return;
  }
}
