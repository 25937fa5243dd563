import { randomBytes, randomUUID } from 'node:crypto';
import type {
  Bot,
  ChatEntry,
  ContentState,
  FakeLine,
  Insight,
  LineMessage,
  LineOptions,
  Menu,
  Shown,
  Violation,
} from './fake-line.ts';
import { wrongEvents, type Problem } from './spec.ts';

/** What LINE knows: who there is, what was said, and what the bot's account has. */
export interface World {
  options: LineOptions;
  /** The origin of this LINE. */
  url: string;
  channel: FakeLine['channel'];
  bot: Bot;
  advancedMs: number;
  now(): number;
  violations: Violation[];
  people: Map<string, Someone>;
  places: Map<string, Place>;
  chats: Map<string, Entry[]>;
  contents: Map<string, Content>;
  replyTokens: Map<string, ReplyToken>;
  quoteTokens: Map<string, string>;
  readTokens: Map<string, { chat: string; messageId: string }>;
  loading: Map<string, number>;
  accessTokens: Map<string, number>;
  linkTokens: Map<string, { userId: string; until: number }>;
  retryKeys: Map<string, Accepted>;
  narrowcasts: Map<string, Narrowcast>;
  batches: Map<string, number>;
  units: Set<string>;
  webhook: FakeLine['webhook'];
  quota: FakeLine['quota'];
  insight: Insight;
  menus: Map<string, Menu>;
  aliases: Map<string, string>;
  defaultMenu: string | undefined;
  hasManagerMenu: boolean;
  /** Which menu each user was given. */
  links: Map<string, string>;
  /** Tells those who watch that something has changed. */
  changed(): void;
}

export interface Someone {
  id: string;
  name: string;
  language: string | undefined;
  picture: string | undefined;
  status: string | undefined;
  isFriend: boolean;
  hasBlocked: boolean;
  wroteAt: number | undefined;
}

export interface Place {
  id: string;
  kind: 'group' | 'room';
  name: string;
  picture: string | undefined;
  members: Set<string>;
  hasBot: boolean;
}

/** What is in a chat; of the bot's messages also how they came. */
export interface Entry extends ChatEntry {
  shown?: Shown;
}

export interface Content {
  bytes: Buffer;
  type: string;
  preview?: Buffer;
  isMedia: boolean;
  state: ContentState;
}

interface ReplyToken {
  chat: string;
  eventAt: number;
  receivedAt: number;
  isUsed: boolean;
}

/** The first request with a retry key, for those that follow. */
export interface Accepted {
  at: number;
  requestId: string;
  digest: string;
  sentMessages?: { id: string; quoteToken?: string }[];
}

interface Narrowcast {
  acceptedAt: number;
  target: number;
  failedWith?: number;
}

/** What LINE answers. Bytes go out as they are. */
export interface Answer {
  status: number;
  body?: unknown;
  bytes?: Buffer;
  headers?: Record<string, string>;
}

export interface Request {
  params: Record<string, string>;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: unknown;
  bytes: Buffer;
  requestId: string;
  /** A mistake that LINE answers in its usual way, but that a good client does not make. */
  violate(problem: string): void;
}
export type Handler = (world: World, request: Request) => Answer | Promise<Answer>;

export const done: Answer = { status: 200, body: {} };
export const accepted: Answer = { status: 202, body: {} };
export const refused = (status: number, message: string): Answer => ({ status, body: { message } });
/** LINE's answer to a body with mistakes. */
export const mistaken = (problems: Problem[]): Answer => ({
  status: 400,
  body: { message: `The request body has ${problems.length} error(s)`, details: problems },
});

export const dayMs = 24 * 60 * 60 * 1000;
/** Somebody who wrote can be written to for this long without being a friend. */
const reachMs = 7 * dayMs;
const replyTokenMs = 60_000;
const redeliveredTokenMs = 20 * 60_000;

export function createWorld(options: LineOptions): World {
  // Ports are used again, and a token is kept for an address and a secret.
  const { id = '2007654321', secret = newHex() } = options.channel ?? {};
  const quota = options.quota ?? { type: 'none' };
  const world: World = {
    options,
    url: '',
    channel: { id, secret, longLivedToken: randomBytes(64).toString('base64') },
    bot: {
      userId: 'U8e742f61d673b39c7fff3cecb7536ef0',
      basicId: '@216kotae',
      displayName: 'Kotae',
      chatMode: 'chat',
      markAsReadMode: 'manual',
      ...options.bot,
    },
    advancedMs: 0,
    now: () => Date.now() + world.advancedMs,
    violations: [],
    people: new Map(),
    places: new Map(),
    chats: new Map(),
    contents: new Map(),
    replyTokens: new Map(),
    quoteTokens: new Map(),
    readTokens: new Map(),
    loading: new Map(),
    accessTokens: new Map(),
    linkTokens: new Map(),
    retryKeys: new Map(),
    narrowcasts: new Map(),
    batches: new Map(),
    units: new Set(),
    webhook: { endpoint: undefined, isActive: true },
    quota: { type: quota.type, value: quota.type === 'limited' ? quota.value : 0, used: 0 },
    insight: {
      delivery: new Map(),
      followers: new Map(),
      messageEvent: new Map(),
      aggregation: new Map(),
      richMenuSummary: new Map(),
      richMenuDaily: new Map(),
    },
    menus: new Map(),
    aliases: new Map(),
    defaultMenu: undefined,
    hasManagerMenu: false,
    links: new Map(),
    changed() {},
  };
  return world;
}

let lastId = 480_000_000_000_000_000n + BigInt(Date.now());
export const newMessageId = (): string => String((lastId += 1n));
export const newToken = (): string => randomBytes(32).toString('base64url');
export const newHex = (): string => randomBytes(16).toString('hex');
export const newRequestId = (): string => randomUUID();

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** https://github.com/ulid/spec: 48 bits of time and 80 that are random. */
export function newUlid(now: number): string {
  let bits = (BigInt(now) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let text = '';
  for (let place = 0; place < 26; place++) {
    text = `${crockford[Number(bits & 31n)]}${text}`;
    bits >>= 5n;
  }
  return text;
}

export function canReach({ people, now }: World, userId: string): boolean {
  const person = people.get(userId);
  if (!person || person.hasBlocked) return false;
  return person.isFriend || (person.wroteAt !== undefined && now() - person.wroteAt < reachMs);
}

export const friends = ({ people }: World): Someone[] =>
  [...people.values()].filter(({ isFriend, hasBlocked }) => isFriend && !hasBlocked);

export function chatOf({ chats }: World, id: string): Entry[] {
  const chat = chats.get(id) ?? [];
  chats.set(id, chat);
  return chat;
}

/** A token is made when an event is sent, and lives again when the event is redelivered, unless it was used. */
export function giveReplyToken({ replyTokens, now }: World, token: string, chat: string, eventAt: number): void {
  const known = replyTokens.get(token);
  if (known) known.receivedAt = now();
  else replyTokens.set(token, { chat, eventAt, receivedAt: now(), isUsed: false });
}

/** The chat that a reply goes to; nothing when the token is unknown, used or too old. */
export function useReplyToken({ replyTokens, now }: World, token: string): string | undefined {
  const known = replyTokens.get(token);
  if (!known || known.isUsed) return undefined;
  if (now() - known.receivedAt > replyTokenMs || now() - known.eventAt > redeliveredTokenMs) return undefined;
  known.isUsed = true;
  return known.chat;
}

/** https://developers.line.biz/en/docs/messaging-api/get-quote-tokens/#get-quote-tokens-in-the-response */
const quotable = ['text', 'textV2', 'sticker', 'image', 'video', 'template', 'flex'];

/** Messages arrive in a chat; what was sent is answered to the bot. */
export function arrive(
  world: World,
  chat: string,
  messages: LineMessage[],
  { via, requestId }: Pick<Shown, 'via' | 'requestId'>,
): { id: string; quoteToken?: string }[] {
  world.loading.delete(chat);
  const at = world.now();
  const sent = messages.map((message) => {
    const id = newMessageId();
    const quoteToken = quotable.includes(message.type) ? newToken() : undefined;
    if (quoteToken) world.quoteTokens.set(quoteToken, chat);
    const shown = { id, via, requestId, at, message, ...(quoteToken && { quoteToken }) };
    if (world.places.get(chat)?.hasBot || canReach(world, chat))
      chatOf(world, chat).push({ id, at, from: world.bot.userId, message, shown });
    return { id, ...(quoteToken && { quoteToken }) };
  });
  world.changed();
  return sent;
}

/** Throws when an event of ours is not as the specification has it: the mistake would be in this LINE, not in Kotae. */
export function mustBeEvents(body: unknown): void {
  const problems = wrongEvents(body);
  if (problems.length > 0) throw new Error(`These are no events of LINE's:\n${problems.join('\n')}`);
}
