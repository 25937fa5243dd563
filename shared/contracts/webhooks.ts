import { z } from 'zod';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

export const webhookEvents = [
  'conversation.created',
  'message.received',
  'message.sent',
  'conversation.handed-off',
  'conversation.resolved',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What is in its log: a test is no event that one asks for. */
export const deliveryEvents = [...webhookEvents, 'test'] as const;
export type DeliveryEvent = (typeof deliveryEvents)[number];

const counts = z.object({ sent: z.number().int(), failed: z.number().int(), queued: z.number().int() });

/** An address of other people's programs that is told of what happens in conversations with visitors. */
export const OutgoingWebhook = z.object({
  uuid,
  url: z.string(),
  events: z.array(z.enum(webhookEvents)),
  active: z.boolean(),
  /** It kept failing, and is not called before then. */
  pausedUntil: moment.nullable(),
  /** How the last attempt ended; null before the first. `error` is as in a delivery. */
  last: z.object({ ok: z.boolean(), error: z.string().nullable(), at: moment }).nullable(),
  /** What became of the events of the last seven days. */
  week: counts,
  /** When the oldest event that waits was made; null where none does. */
  waitingSince: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type OutgoingWebhook = z.output<typeof OutgoingWebhook>;

export const deliveryStates = ['queued', 'sent', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export const WebhookDelivery = z.object({
  uuid,
  event: z.enum(deliveryEvents),
  state: z.enum(deliveryStates),
  /** The conversation that it tells of, and how its message begins; null of a test. */
  about: z.object({ thread: uuid, name: z.string(), text: z.string() }).nullable(),
  attempts: z.number().int(),
  /** What the address answered; null where it did not. */
  status: z.number().int().nullable(),
  error: z.string().nullable(),
  /** Milliseconds from being put on its way to the answer, where the first attempt was taken. */
  tookMs: z.number().int().nullable(),
  /** What was sent, as JSON. */
  payload: z.string(),
  ...moments,
  endedAt: moment.nullable(),
});
export type WebhookDelivery = z.output<typeof WebhookDelivery>;

/** What became of the events of the last seven days. */
export const WebhookWeek = z.object({
  /** The oldest first, in the caller's time zone. */
  days: z.array(counts.extend({ day: z.iso.date() })),
  /** The median of how long the newest took that were taken at the first attempt; null where none were. */
  tookMs: z.number().int().nullable(),
});
export type WebhookWeek = z.output<typeof WebhookWeek>;

const manage = { access: 'manage' } as const;
const fields = {
  url: text(2000),
  events: z.array(z.enum(webhookEvents)).min(1).max(webhookEvents.length),
};

export const webhooks = {
  list: route('GET', '/api/user/outgoing-webhooks', {
    ...manage,
    summary: 'Addresses that are told of conversations',
    reply: z.object({ data: z.array(OutgoingWebhook) }),
  }),
  create: route('POST', '/api/user/outgoing-webhook', {
    ...manage,
    summary: 'Add one; the secret that signs what it gets is shown once',
    body: z.strictObject(fields),
    status: 201,
    reply: one(OutgoingWebhook.extend({ secret: z.string() })),
  }),
  update: route('PUT', '/api/user/outgoing-webhook/:uuid', {
    ...manage,
    summary: 'Change its address or events, or switch it off',
    params: byUuid,
    body: z.strictObject({ ...fields, active: z.boolean() }).partial(),
    reply: one(OutgoingWebhook),
  }),
  secret: route('POST', '/api/user/outgoing-webhook/:uuid/secret', {
    ...manage,
    summary: 'A new secret; the earlier one no longer signs',
    params: byUuid,
    reply: one(z.object({ secret: z.string() })),
  }),
  remove: route('DELETE', '/api/user/outgoing-webhook/:uuid', {
    ...manage,
    summary: 'Delete it with its log',
    params: byUuid,
    reply: ok,
  }),
  test: route('POST', '/api/user/outgoing-webhook/:uuid/test', {
    ...manage,
    summary: 'Send it an event of the kind `test`',
    params: byUuid,
    reply: one(WebhookDelivery),
  }),
  week: route('GET', '/api/user/outgoing-webhook/:uuid/week', {
    ...manage,
    summary: 'What became of what it was sent in seven days, by day',
    params: byUuid,
    reply: one(WebhookWeek),
  }),
  deliveries: route('GET', '/api/user/outgoing-webhook/:uuid/deliveries', {
    ...manage,
    summary: 'What it was sent in 30 days, the newest first',
    params: byUuid,
    query: {
      limit: listQuery.limit,
      cursor: listQuery.cursor,
      state: z.enum(deliveryStates).optional(),
      event: z.enum(deliveryEvents).optional(),
    },
    /** How many there are in each state, of that event if one is asked for; with the first page. */
    reply: many(WebhookDelivery).extend({ counts: counts.nullable() }),
  }),
  replay: route('POST', '/api/user/outgoing-webhook/:uuid/delivery/:delivery/replay', {
    ...manage,
    summary: 'Send the same once more, with the same id',
    params: { uuid, delivery: uuid },
    reply: one(WebhookDelivery),
  }),
  retry: route('POST', '/api/user/outgoing-webhook/:uuid/retry', {
    ...manage,
    summary: 'Send once more what has failed, and at once what waits for another attempt',
    params: byUuid,
    reply: one(OutgoingWebhook),
  }),
};
