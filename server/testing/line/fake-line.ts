import type { IncomingHttpHeaders } from 'node:http';

/** What LINE, its users' phones and the person who holds the account do in a test: `startLine` in `start.ts`. */
export interface FakeLine {
  /** The origin of both `api.line.me` and `api-data.line.me`. */
  url: string;
  channel: { id: string; secret: string; longLivedToken: string };
  bot: Bot;
  /** Whether nobody is here yet. */
  isNew: boolean;
  /** Everything that was asked of LINE, in order, also what was refused. What the phone's page asks is not in it. */
  calls: LineCall[];
  /** What no test of a good client causes: requests that do not fit the specification or a documented limit. */
  violations: Violation[];
  /** Throws when there were violations. */
  mustBeValid(): void;
  /** What happens to the next calls that fit, one action each, instead of LINE's usual answer. */
  script(match: CallMatch, ...actions: Action[]): void;
  /** LINE's own time: the machine's and what it was advanced by. */
  clock: { now(): number; advance(ms: number): void };
  /** What Use webhook and the endpoint are, in LINE's console. */
  webhook: { endpoint?: string | undefined; isActive: boolean };
  quota: { type: 'none' | 'limited'; value: number; used: number };
  insight: Insight;
  /** A default menu that was set in the account manager: the API may not read it. */
  hasManagerMenu: boolean;

  /** The bot's messages that arrived on the phone of a user, or in a group, in order. */
  shown(chat: string): Shown[];
  /** The quick replies that the phone offers now: those of the last message, until any message follows. */
  quickReplies(chat: string): LineAction[];
  /** The rich menu that a user sees: their own, else the default. */
  menuOf(userId: string): Menu | undefined;
  /** Every menu that exists, in the order in which they were made. */
  menus(): Menu[];
  aliases(): { richMenuAliasId: string; richMenuId: string }[];
  /** Until when the chat shows that an answer is being written; nothing when it does not. */
  loadingUntil(userId: string): number | undefined;
  /** Whether the user sees "Read" beside a message of theirs. */
  isRead(messageId: string): boolean;
  /** Both sides of a chat, as the phone draws it. */
  chat(chat: string): ChatEntry[];

  user(options?: { name?: string; language?: string; picture?: string; status?: string; isFriend?: boolean }): LineUser;
  /** So many friends at once, who wrote nothing. */
  friends(count: number): LineUser[];
  group(options?: { name?: string; picture?: string; members?: LineUser[] }): LineGroup;
  room(options?: { members?: LineUser[] }): LineGroup;

  /** Everything that is written within goes in one body. */
  together(write: () => void, options?: PostOptions): Promise<Delivered>;
  /** The same events once more: redelivered as LINE does unless it says otherwise. */
  again(delivered: Delivered, options?: PostOptions & { isRedelivery?: boolean }): Promise<Delivered>;
  /** Any events or bytes, right or wrong: they are signed and sent as they are. */
  post(body: readonly LineEvent[] | string | Buffer, options?: PostOptions): Promise<Delivered>;
  /** What `GET …/content` says of a media message from now on. */
  setContent(messageId: string, state: ContentState): void;
  /** Every access token that was issued is refused from now on, as if it had run out. */
  expireTokens(): void;
  /** Ends every connection, also those that hang. */
  close(): Promise<void>;
}

export interface LineOptions {
  port?: number;
  channel?: { id: string; secret: string };
  bot?: Partial<Bot>;
  /** Takes URLs with http to this machine, which LINE never does. */
  allowHttp?: boolean;
  quota?: { type: 'none' } | { type: 'limited'; value: number };
  /** How much of LINE's own rates it allows: 1 is what is documented, 0.05 a twentieth. No rates unless it is given. */
  rates?: number;
  /** How often an event that was not answered with 2xx is sent again, and after how long. Never unless it is given. */
  redelivery?: { times: number; afterMs: number };
  /** How long it waits for the webhook's answer: 2 s, as LINE does. */
  webhookTimeoutMs?: number;
  /** Only a verified account may list its followers. */
  isVerified?: boolean;
  /** Most accounts may not have their messages counted under names: https://developers.line.biz/en/reference/partner-docs/#unit-stats */
  hasNoUnits?: boolean;
  /** How many recipients a narrowcast needs: 50, as LINE has it. */
  minAudience?: number;
  /** Serves the page that plays a phone at `/`. */
  hasPhone?: boolean;
  /** The file in which everything survives a restart. */
  keepIn?: string;
}

export interface Bot {
  userId: string;
  basicId: string;
  displayName: string;
  pictureUrl?: string;
  chatMode: 'chat' | 'bot';
  markAsReadMode: 'auto' | 'manual';
}

export interface LineCall {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** JSON or the fields of a form; nothing for other bytes. */
  body: unknown;
  /** By the clock of this LINE. */
  at: number;
  /** What was answered; nothing while it is being answered, and when the connection was dropped or hangs. */
  status?: number;
  reply?: unknown;
}

export interface Violation {
  call: LineCall;
  problems: string[];
}

/** `POST /v2/bot/message/push`, a path alone, a pattern of both, or any question. */
export type CallMatch = string | RegExp | ((call: LineCall) => boolean);

/**
 * `pass`: as usual. `dropBefore` ends the connection and nothing has happened; `dropAfter` ends it and the message is on the
 * phone. The same for `hang…`, which says nothing until the caller goes. A status is answered instead of what would have
 * happened, or with `isDone` after it has. A delay comes before LINE does anything.
 */
export type Action =
  | 'pass'
  | 'dropBefore'
  | 'dropAfter'
  | 'hangBefore'
  | 'hangAfter'
  | { status: number; body?: unknown; headers?: Record<string, string>; isDone?: boolean }
  | { delayMs: number };

export interface LineMessage {
  type: string;
  text?: string | undefined;
  [property: string]: unknown;
}

export interface LineAction {
  type: string;
  label?: string | undefined;
  text?: string | undefined;
  data?: string | undefined;
  uri?: string | undefined;
  [property: string]: unknown;
}

export interface Shown {
  id: string;
  via: 'reply' | 'push' | 'multicast' | 'broadcast' | 'narrowcast';
  requestId: string;
  at: number;
  quoteToken?: string;
  message: LineMessage;
}

export interface ChatEntry {
  id: string;
  at: number;
  /** A user's id, or the bot's. */
  from: string;
  message: LineMessage;
  isRead?: boolean;
  isEdited?: boolean;
}

export interface Menu {
  richMenuId: string;
  size: { width: number; height: number };
  selected: boolean;
  name: string;
  chatBarText: string;
  areas: { bounds: { x: number; y: number; width: number; height: number }; action: LineAction }[];
  image?: { bytes: Buffer; type: string };
}

export interface LineEvent {
  type: string;
  timestamp: number;
  mode: 'active' | 'standby';
  webhookEventId: string;
  deliveryContext: { isRedelivery: boolean };
  source?: { type: string; userId?: string; groupId?: string; roomId?: string };
  replyToken?: string;
  message?: { id: string; type: string; [property: string]: unknown };
  [property: string]: unknown;
}

/** How the webhook took it. */
export interface Delivered {
  /** 0 when there was no answer. */
  status: number;
  reason: 'OK' | 'COULD_NOT_CONNECT' | 'REQUEST_TIMEOUT' | 'ERROR_STATUS_CODE' | 'UNCLASSIFIED' | 'NOT_SENT';
  detail: string;
  ms: number;
  body: Buffer;
  events: LineEvent[];
  /** Of the first event. */
  eventId: string;
  replyToken: string | undefined;
  messageId: string;
}

export interface PostOptions {
  /** Sent as it is, instead of the right one; `null` sends none. */
  signature?: string | null;
  /** Another bot's id in the body. */
  destination?: string;
  /** Writes everything beyond ASCII as `\uXXXX`, as LINE may. */
  isEscaped?: boolean;
  headers?: Record<string, string>;
}

/** What an event may have that is not usual. */
export interface EventOptions extends PostOptions {
  /** Where it is written: to the bot itself unless a group is named. */
  in?: LineGroup;
  isRedelivery?: boolean;
  webhookEventId?: string;
  mode?: 'active' | 'standby';
  timestamp?: number;
  /** The source without a `userId`, as some phones send it in groups. */
  isNameless?: boolean;
}

export interface TextOptions extends EventOptions {
  mentions?: { index: number; length: number; isSelf?: boolean; userId?: string; isAll?: boolean }[];
  emojis?: { index: number; length: number; productId: string; emojiId: string }[];
  quotes?: string;
}

export type ContentState =
  /** `preparing` so many times when asked, then `ready`, or `failed`. */
  'ready' | 'missing' | 'gone' | 'failed' | { preparing: number; ends?: 'ready' | 'failed' };

export interface MediaOptions extends EventOptions {
  content?: ContentState;
  type?: string;
  durationMs?: number;
  /** A picture that LINE does not keep: another server has it. */
  external?: { originalContentUrl: string; previewImageUrl: string };
}

export interface LineUser {
  id: string;
  name: string;
  say(text: string, options?: TextOptions): Promise<Delivered>;
  sticker(
    options?: EventOptions & {
      packageId?: string;
      stickerId?: string;
      resourceType?: string;
      keywords?: string[];
      text?: string;
      quotes?: string;
    },
  ): Promise<Delivered>;
  image(bytes: Buffer, options?: MediaOptions): Promise<Delivered>;
  /** Sent at once, as a set: their numbers are those of the list, their order the one that is given (from 1). */
  images(pictures: Buffer[], options?: MediaOptions & { order?: number[] }): Promise<Delivered[]>;
  video(bytes: Buffer, options?: MediaOptions & { preview?: Buffer }): Promise<Delivered>;
  voice(bytes: Buffer, options?: MediaOptions): Promise<Delivered>;
  file(name: string, bytes: Buffer, options?: MediaOptions): Promise<Delivered>;
  location(
    place: { latitude: number; longitude: number; title?: string; address?: string },
    options?: EventOptions,
  ): Promise<Delivered>;
  /** A new text for a message of theirs in a group: a message event of its own kind with the same message id. */
  edit(messageId: string, text: string, options?: TextOptions): Promise<Delivered>;
  unsend(messageId: string, options?: EventOptions): Promise<Delivered>;
  /** Adds the bot as a friend, or takes it back after it was blocked. */
  follow(options?: EventOptions & { isUnblocked?: boolean }): Promise<Delivered>;
  /** Blocks the bot. LINE knows one event for both: `unfollow`. */
  block(options?: EventOptions): Promise<Delivered>;
  /** Blocks the bot and nobody is told: the webhook was lost. */
  blockSilently(): void;
  postback(
    data: string,
    options?: EventOptions & { displayText?: string; params?: Record<string, string> },
  ): Promise<Delivered>;
  /**
   * Taps what is on the phone: a label that a quick reply, a message or the rich menu shows (or an area's place in it), or the
   * action itself. Resolves with nothing where no event comes of it, as with a link.
   */
  tap(
    what: string | number | LineAction,
    options?: EventOptions & { params?: Record<string, string> },
  ): Promise<Delivered | undefined>;
  /** Opened the link of an account link dialog and signed in with this nonce. */
  linkAccount(nonce: string, options?: EventOptions & { result?: 'ok' | 'failed' }): Promise<Delivered>;
  /** Watched a video that was sent with a tracking id. */
  watch(trackingId: string, options?: EventOptions): Promise<Delivered>;
}

export interface LineGroup {
  id: string;
  kind: 'group' | 'room';
  members: LineUser[];
  /** The bot is invited. */
  join(options?: EventOptions): Promise<Delivered>;
  /** The bot is removed. */
  leave(options?: EventOptions): Promise<Delivered>;
  add(user: LineUser, options?: EventOptions): Promise<Delivered>;
  remove(user: LineUser, options?: EventOptions): Promise<Delivered>;
}

/** Figures as `GET /v2/bot/insight/…` answers them, for the day or the id that is asked for; without them "unready" or 404. */
export interface Insight {
  delivery: Map<string, object>;
  followers: Map<string, object>;
  messageEvent: Map<string, object>;
  aggregation: Map<string, object>;
  richMenuSummary: Map<string, object>;
  richMenuDaily: Map<string, object>;
}
