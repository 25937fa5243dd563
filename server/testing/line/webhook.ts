import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Delivered, LineEvent, PostOptions } from './fake-line.ts';
import { giveReplyToken, type World } from './world.ts';

/* Events on their way to the bot's server. https://developers.line.biz/en/docs/messaging-api/receiving-messages/ */

export const sign = (secret: string, body: Buffer): string =>
  createHmac('sha256', secret).update(body).digest('base64');

type Outcome = Pick<Delivered, 'status' | 'reason' | 'detail' | 'ms'>;

/** One POST to an address, and how it ended, in the words that the webhook test has for it. */
export async function send(
  world: World,
  endpoint: string,
  body: Buffer,
  { signature = sign(world.channel.secret, body), headers = {} }: PostOptions = {},
): Promise<Outcome> {
  const started = performance.now();
  const outcome = (end: Omit<Outcome, 'ms'>): Outcome => ({ ...end, ms: performance.now() - started });
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'user-agent': 'LineBotWebhook/2.0',
        ...(signature !== null && { 'x-line-signature': signature }),
        ...headers,
      },
      body: new Uint8Array(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(world.options.webhookTimeoutMs ?? 2_000),
    });
    await answer.arrayBuffer();
    const { status } = answer;
    return outcome({ status, reason: answer.ok ? 'OK' : 'ERROR_STATUS_CODE', detail: String(status) });
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError')
      return outcome({ status: 0, reason: 'REQUEST_TIMEOUT', detail: 'Request timeout' });
    if (error instanceof TypeError)
      return outcome({ status: 0, reason: 'COULD_NOT_CONNECT', detail: `Failure to connect: ${endpoint}` });
    return outcome({ status: 0, reason: 'UNCLASSIFIED', detail: String(error) });
  }
}

/** Events to the webhook that the bot has set, again and again where that is asked for. */
export async function deliver(world: World, events: LineEvent[], options: PostOptions = {}): Promise<Delivered> {
  const [first] = events;
  const named = {
    events,
    eventId: first?.webhookEventId ?? '',
    replyToken: first?.replyToken,
    messageId: first?.message?.id ?? '',
  };
  const attempt = async (sent: LineEvent[]): Promise<Delivered> => {
    const body = bodyOf(world, sent, options);
    const { endpoint, isActive } = world.webhook;
    if (!endpoint || !isActive)
      return { ...named, body, status: 0, reason: 'NOT_SENT', detail: 'No webhook is in use', ms: 0 };
    for (const event of sent)
      if (event.replyToken) giveReplyToken(world, event.replyToken, chatIdOf(event), event.timestamp);
    return { ...named, body, ...(await send(world, endpoint, body, options)) };
  };
  const delivered = await attempt(events);
  const { times, afterMs } = world.options.redelivery ?? { times: 0, afterMs: 0 };
  if (delivered.reason === 'OK' || delivered.reason === 'NOT_SENT' || times === 0) return delivered;
  const again = events.map((event) => ({ ...event, deliveryContext: { isRedelivery: true } }));
  let last = delivered;
  for (let tried = 0; tried < times && last.reason !== 'OK'; tried++) {
    await wait(afterMs);
    last = await attempt(again);
  }
  return last;
}

export async function deliverBytes(world: World, body: Buffer, options: PostOptions = {}): Promise<Delivered> {
  const named = { events: [], eventId: '', replyToken: undefined, messageId: '', body };
  const { endpoint } = world.webhook;
  if (!endpoint) return { ...named, status: 0, reason: 'NOT_SENT', detail: 'No webhook is in use', ms: 0 };
  return { ...named, ...(await send(world, endpoint, body, options)) };
}

export function bodyOf({ bot }: World, events: readonly LineEvent[], { destination, isEscaped }: PostOptions): Buffer {
  const text = JSON.stringify({ destination: destination ?? bot.userId, events });
  return Buffer.from(
    isEscaped
      ? text.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
      : text,
  );
}

const chatIdOf = ({ source }: LineEvent): string => source?.groupId ?? source?.roomId ?? source?.userId ?? '';
