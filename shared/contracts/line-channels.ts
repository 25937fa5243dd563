import { z } from 'zod';
import { LineBubble, maxBubblesSaid } from '../line-content.ts';
import { byUuid, listQuery, many, moment, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { isStorable, text, uuid } from '../text.ts';
import { Image } from './accounts.ts';
import { Mark } from './bots.ts';
import { channelWeek } from './connections.ts';
import { Transcription } from './services.ts';

/** What a channel does where several people are in a chat: answers when it is named, every message, or nothing. */
export const lineGroupModes = ['mention', 'all', 'none'] as const;

/** A phrase as it is compared: however it is typed, it is the same. */
export const samePhrase = (said: string): string => said.normalize('NFKC').trim().toLowerCase();

/** Where customers sign in. Plain http is for machines of makers only; what LINE opens has room for its token. */
const signIn = z
  .string()
  .refine(isStorable, { message: 'not-storable', abort: true })
  .trim()
  .max(800)
  .refine(
    (address) =>
      URL.canParse(address) &&
      /^(https:\/\/[^/@]+|http:\/\/(localhost|127\.0\.0\.1)(:\d+)?)([/?#]|$)/i.test(new URL(address).href),
    { message: 'sign-in-form' },
  );

/** How friends on LINE link their account at the shop. */
export const AccountLink = z
  .strictObject({
    /** The website channel with whose secret the shop proves who somebody is. */
    website: uuid,
    /** The shop's page that is opened with `linkToken` in its query. */
    signIn,
    /** What a friend writes for it, and to undo it. */
    link: text(50),
    unlink: text(50),
  })
  .refine(({ link, unlink }) => samePhrase(link) !== samePhrase(unlink), {
    message: 'phrases-same',
    path: ['unlink'],
  });
export type AccountLink = z.output<typeof AccountLink>;

const settings = {
  /** Said to new friends, and to groups that it is taken into. */
  greeting: z.array(LineBubble).max(maxBubblesSaid),
  /** In a group or a room with several people. */
  groups: z.enum(lineGroupModes),
  /** Answers have the numbers of their sources, and the list of them, where the bot shows them. */
  citations: z.boolean(),
  /** Whoever gets an answer may see the pages of the PDFs that it quotes. */
  pages: z.boolean(),
  /** Shows that an answer is being written. */
  loading: z.boolean(),
  /** Shows the visitor that what they wrote was read, when the bot answers it or somebody of the team has seen it. */
  markRead: z.boolean(),
  /** Messages that cost are no longer sent once so many of the month's are used; null for all of them. */
  stopAt: z.number().int().min(0).max(1_000_000_000).nullable(),
  /** Credits that the channel's answers may cost in a day; null for no limit of its own. */
  creditsPerDay: z.number().int().min(0).max(1_000_000).nullable(),
  /** Null where friends cannot link an account. */
  accountLink: AccountLink.nullable(),
  /** What writes voice messages down, which sends them to its provider; null for nothing. */
  transcription: Transcription.nullable(),
};
export const LineSettings = z.strictObject(settings);
export type LineSettings = z.output<typeof LineSettings>;

export const usualLine: LineSettings = {
  greeting: [],
  groups: 'mention',
  citations: true,
  pages: false,
  loading: true,
  markRead: true,
  stopAt: null,
  creditsPerDay: null,
  accountLink: null,
  transcription: null,
};

/** What LINE says of the address to which it sends events. */
export const LineWebhook = z.object({
  /** Where events have to be sent: ours. */
  url: z.string(),
  /** Where LINE sends them; null where it has no address. */
  registered: z.string().nullable(),
  /** "Use webhook" of LINE's console; null while nobody has asked. */
  active: z.boolean().nullable(),
  /** Whether LINE could reach it; its own word for the reason, and what it adds. */
  test: z
    .object({ at: moment, success: z.boolean(), reason: z.string(), detail: z.string(), status: z.number().int() })
    .nullable(),
  checkedAt: moment.nullable(),
});
export type LineWebhook = z.output<typeof LineWebhook>;

/** Messages of this month that count: those which LINE does not take as replies. */
export const LineQuota = z.object({
  /** Null: no limit. */
  limit: z.number().int().nullable(),
  used: z.number().int(),
  /** How many it will be at the end of the month, if it goes on like this. */
  forecast: z.number().int().nullable(),
  at: moment,
});
export type LineQuota = z.output<typeof LineQuota>;

/** What keeps a channel from working as it should. */
export const lineProblems = [
  /** LINE no longer takes the secret. */
  'secret',
  /** Events for another account arrive at its address. */
  'destination',
  /** LINE sends its events elsewhere, or nowhere. */
  'elsewhere',
  /** "Use webhook" is off. */
  'inactive',
  /** LINE could not reach its address. */
  'unreachable',
  /** LINE's own chat answers beside the bot. */
  'chat-mode',
  /** The month's messages are used up, or as many as its settings allow. */
  'quota',
] as const;
export type LineProblem = (typeof lineProblems)[number];

export const LineChannel = z.object({
  uuid,
  name: z.string(),
  connection: uuid,
  /** What answers, as its connection says. */
  bot: z.object({ uuid, name: z.string(), avatar: Image.nullable(), mark: Mark, published: z.boolean() }).nullable(),
  active: z.boolean(),
  /** What LINE calls it: the id in LINE's console. */
  channelId: z.string(),
  /** The account's id with @, by which people find it. */
  basicId: z.string(),
  avatar: Image.nullable(),
  chatMode: z.enum(['chat', 'bot']),
  webhook: LineWebhook,
  quota: LineQuota.nullable(),
  settings: LineSettings,
  problems: z.array(z.enum(lineProblems)),
  /** How many requests in a row were not signed with its secret, since the last that was; from three on that is a problem. */
  refused: z.number().int(),
  /** When LINE last sent something. */
  lastEventAt: moment.nullable(),
  ...channelWeek,
  createdAt: moment,
  updatedAt: moment,
});
export type LineChannel = z.output<typeof LineChannel>;

export const lineEventStates = ['pending', 'done', 'ignored', 'failed'] as const;
/** How LINE's way was used to answer an event. */
export const lineWays = ['reply', 'push'] as const;

/** What was found of a request: it was taken, is not signed with the secret, is for another account, or cannot be read. */
export const lineVerdicts = ['accepted', 'signature', 'destination', 'malformed'] as const;

/** Something that happened on LINE, and what became of it. */
export const LineEvent = z.object({
  uuid,
  channel: uuid,
  /** The request that brought it. */
  request: uuid,
  type: z.string(),
  /** What kind of message, of a message. */
  kind: z.string().nullable(),
  state: z.enum(lineEventStates),
  /** Why it was ignored or has failed, in words of ours. */
  reason: z.string().nullable(),
  thread: uuid.nullable(),
  /** Whose chat it is. */
  guest: z.object({ uuid, name: z.string() }).nullable(),
  redelivered: z.boolean(),
  attempts: z.number().int(),
  /** From its arrival until it was done. */
  ms: z.number().int().nullable(),
  way: z.enum(lineWays).nullable(),
  /** LINE's clock. */
  at: moment,
  createdAt: moment,
  updatedAt: moment,
});
export type LineEvent = z.output<typeof LineEvent>;

/** A request of LINE's servers as it came. */
export const LineRequest = z.object({
  uuid,
  channel: uuid,
  verdict: z.enum(lineVerdicts),
  /** How many times it came, of those that were refused for one reason within some seconds. */
  times: z.number().int(),
  /** Its signature is shortened. */
  headers: z.record(z.string(), z.string()),
  /** How many events it had. */
  events: z.number().int(),
  bytes: z.number().int(),
  /** From its arrival until it was answered. */
  ms: z.number().int(),
  createdAt: moment,
  updatedAt: moment,
});
export type LineRequest = z.output<typeof LineRequest>;

/** Why an address is none for LINE: it leads to something else, into a private network, nowhere, or without a certificate. */
export const addressFaults = ['plain', 'other', 'status', 'certificate', 'private', 'unreachable'] as const;

/** What was found at an address that somebody wants LINE to be told. */
export const FoundAddress = z.object({
  /** As it would be set. */
  address: z.string(),
  fault: z.enum(addressFaults).nullable(),
  /** What was answered, where that was not 200. */
  status: z.number().int().nullable(),
});
export type FoundAddress = z.output<typeof FoundAddress>;

const secret = z.string().regex(/^[0-9a-f]{32}$/, 'line-secret-form');
const channelId = z.string().regex(/^\d{6,20}$/, 'line-id-form');
const group = '/api/user/line';
/** Of all channels of the workspace without one. */
const ofChannel = { channel: uuid.optional() };

/** What LINE tells has names and words of friends: for a key of the inbox. */
const ofVisitors = { access: 'edit', scope: 'converse' } as const;

export const lineChannels = {
  list: route('GET', `${group}/line-channels`, {
    summary: 'LINE channels of the workspace, last changed first',
    access: 'read',
    query: listQuery,
    reply: many(LineChannel),
  }),
  connect: route('POST', `${group}/line-channel-connect`, {
    summary: 'Connect a channel by its id and secret, which LINE is asked to prove',
    access: 'manage',
    scope: null,
    body: z.strictObject({ channelId, secret, bot: uuid.nullable().optional() }),
    status: 201,
    reply: one(LineChannel),
  }),
  tryAddress: route('POST', `${group}/line-address`, {
    summary: 'Whether an address leads from outside to this installation, as LINE has to reach it',
    access: 'edit',
    body: z.strictObject({
      address: z.url({ protocol: /^https?$/, hostname: /./, error: 'line-address-form' }).max(500),
    }),
    reply: one(FoundAddress),
  }),
  proveAddress: route('GET', '/api/line-address', {
    summary: 'Asked at an address that is tried: only this installation can open what it has sealed',
    access: 'anyone',
    query: { sealed: z.string().max(500) },
    reply: one(z.object({ proof: z.string() })),
  }),
  get: route('GET', `${group}/line-channel/:uuid`, {
    summary: 'One LINE channel',
    access: 'read',
    params: byUuid,
    reply: one(LineChannel),
  }),
  update: route('PUT', `${group}/line-channel/:uuid`, {
    summary: 'Change its name, its settings, or its secret after it was renewed in LINE’s console',
    access: 'manage',
    scope: null,
    params: byUuid,
    body: z
      .strictObject({
        name: text(80),
        secret,
        ...settings,
        /** `updatedAt` as it was last read: where the channel was changed since, this is refused with `conflict`. */
        seen: moment,
      })
      .partial(),
    reply: one(LineChannel),
  }),
  remove: route('DELETE', `${group}/line-channel/:uuid`, {
    summary: 'Disconnect it: LINE is told to send nothing more, its secret and events are erased; conversations stay',
    access: 'manage',
    scope: null,
    params: byUuid,
    reply: ok,
  }),
  sync: route('POST', `${group}/line-channel-sync-webhook/:uuid`, {
    summary: 'Tell LINE where its events go, read it back, and let LINE try it',
    access: 'edit',
    params: byUuid,
    reply: one(LineChannel),
  }),
  refresh: route('POST', `${group}/line-channel/:uuid/refresh`, {
    summary: 'Ask LINE anew how the channel is: account, webhook and messages of the month',
    access: 'edit',
    params: byUuid,
    reply: one(LineChannel),
  }),
  events: route('GET', `${group}/webhook-events`, {
    summary: 'What happened on a channel, or on all, the newest first',
    ...ofVisitors,
    query: {
      ...listQuery,
      ...ofChannel,
      type: z.string().max(40).optional(),
      state: z.enum(lineEventStates).optional(),
      thread: uuid.optional(),
    },
    reply: many(LineEvent),
  }),
  event: route('GET', `${group}/webhook-event/:event`, {
    summary: 'One event with what LINE sent',
    ...ofVisitors,
    params: { event: uuid },
    reply: one(LineEvent.extend({ raw: z.string() })),
  }),
  replay: route('POST', `${group}/webhook-event/:event/replay`, {
    summary: 'Work on an event once more, where it was not done',
    ...ofVisitors,
    params: { event: uuid },
    reply: one(LineEvent),
  }),
  requests: route('GET', `${group}/webhooks`, {
    summary:
      'Requests of LINE’s servers to a channel, or to all, the newest first; of those that were refused a hundred are kept for each channel, without what they said',
    ...ofVisitors,
    query: { ...listQuery, ...ofChannel, verdict: z.enum([...lineVerdicts, 'refused']).optional() },
    reply: many(LineRequest),
  }),
  request: route('GET', `${group}/webhook/:request`, {
    summary: 'One request as it came',
    ...ofVisitors,
    params: { request: uuid },
    reply: one(LineRequest.extend({ body: z.string() })),
  }),
};
