import type { Readable } from 'node:stream';
import type { Expression, SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import type { Locale } from '../shared/contracts/accounts.ts';
import type { RichUse } from '../shared/contracts/rich-messages.ts';
import type { ErrorCode } from '../shared/errors.ts';
import type { Route } from '../shared/route.ts';
import type { Config } from './infra/config.ts';
import type { Db, Engine, Trx } from './infra/db.ts';
import type { Tables } from './infra/db.types.ts';
import type { Caller, Door, Http, PageSources, Visitor } from './infra/http.ts';
import type { Limit, Limits } from './infra/limits.ts';
import type { Log } from './infra/log.ts';
import type { Outbound } from './infra/outbound.ts';
import type { Queue } from './infra/queue.ts';
import type { RecurringWork } from './infra/recurring.ts';
import type { Redis } from './infra/redis.ts';
import type { Sealer } from './infra/sealed.ts';
import type { SocketHandler, Listening, Sockets } from './infra/sockets.ts';
import type { Tokens } from './infra/tokens.ts';
import type { Write } from './infra/write.ts';
import type { Mailer } from './providers/mail/mailer.ts';
import type { Storage } from './providers/storage/storage.ts';

export interface PictureColumn {
  table: keyof Tables;
  column: 'avatar' | 'image' | 'target_image';
}

/** Everything that the rest of the server knows of a feature. `features.ts` lists them; a feature imports only those before it. */
export interface Feature {
  name: string;
  /** What the operator may set of it, in variables of the environment, each with its meaning. */
  settings?: Record<string, z.ZodType>;
  /** Hosts of others that its pages load scripts from, show in frames, or call. */
  pageSources?(config: Config): PageSources;
  /** Tables that only this feature queries; others ask it. */
  tables?: (keyof Tables)[];
  /** Endpoints. A start fails when one of them is not served. */
  contracts?: Record<string, Route>[];
  routes?(app: Http, context: Context): void;
  /** Endpoints outside of /api, with errors in a form of their own. */
  door?: Door;
  /** What pages may ask over a live connection. */
  requests?(context: Context): SocketHandler[];
  /** How it finds who sends a token or a key. */
  identity?: Identity;
  /** Who sends the token of a channel's visitor; nobody when it is not one. */
  visit?(context: Context, token: string, locale: Locale): Promise<Visitor | undefined>;
  limits?: Limit[];
  /** What its entries in the audit log are called. */
  audit?: readonly string[];
  /** The error for an id that is not there, by the word before it in a path. */
  notFound?: Record<string, ErrorCode>;
  /** What it adds to the context, for itself and the features after it. */
  provide?(context: Context): Partial<Services>;
  jobs?(context: Context): void;
  /** Work that comes again and again, by whichever process. */
  recurring?(context: Context): RecurringWork[];
  /** Erases what was in the trash for longer than it can be taken back from; later features first. */
  emptyTrash?(context: Context, signal: AbortSignal): Promise<void>;
  /** Runs once after the migrations, before anything is served. */
  prepare?(context: Context): Promise<void>;
  /** Starts what runs beside the requests of a web process. Returns what ends it, given the time that answers have to end by themselves. */
  serve?(context: Context): (drainMs: number) => Promise<void>;
  /** Lets go of what `provide` opened. */
  close?(context: Context): Promise<void>;
  person?: PersonLife;
  workspace?: WorkspaceLife;
  /** Hears of a message in a visitor's conversation, whoever wrote it: that it is new, or has changed; without one, that the conversation has changed. */
  guestThread?(context: Context, thread: GuestThread, news: GuestNews): void | Promise<void>;
  /** The same on each node, for those who are connected to it. */
  guestThreadHere?(context: Context, thread: GuestThread, news: GuestNews): void | Promise<void>;
  /** Takes what this feature has handed over on another node. */
  onNews?(context: Context, news: unknown): void;
  /** What the answers of a guest's channel may cost in a day, in micro-credits; null for no limit. */
  dailyCap?(context: Context, guest: Visitor): Promise<number | null>;
  /** What a channel's settings hold for its servers, by name; nothing where it is not one of its own. */
  channelAccess?(context: Context, kind: string, channelId: string): Promise<Record<string, string> | undefined>;
  /** A channel is disconnected, in the transaction in which it goes: what it keeps of it outside goes, too. */
  channelGoes?(context: Context, trx: Trx, channelId: string): Promise<void>;
  /** Whether a channel shows from where an answer has what it says; it does where nothing says otherwise. */
  showsSources?(context: Context, thread: GuestThread): Promise<boolean>;
  /** Whether whoever gets an answer through a channel may see the pages that it quotes. */
  showsPages?(context: Context, thread: GuestThread): Promise<boolean>;
  /** What the guest's last message can be answered with, once, where their channel gives such a thing; from then on it is used. */
  takeReply?(context: Context, thread: GuestThread): Promise<string | undefined>;
  /** By which a channel shows what a message refers to, where it can. */
  quoteOf?(context: Context, thread: GuestThread, message: Tables['message']): Promise<string | undefined>;
  /** A channel has taken these messages of a conversation, under names of its own for their parts; in the transaction that says so. */
  sentMessages?(context: Context, trx: Trx, thread: GuestThread, taken: Taken): Promise<void>;
  /** Messages of visitors' conversations are erased: takes what it keeps of their words along, in the transaction in which they go. */
  eraseMessages?(context: Context, trx: Trx, messages: string[]): Promise<void>;
  /** A visitor is erased, and with them the ways by which their channels know them: what came over these goes along. */
  eraseGuest?(context: Context, trx: Trx, ways: Tables['guest_identity'][]): Promise<void>;
  /** People are told something in their browsers, in the transaction in which it happened. */
  notify?(context: Context, trx: Trx, notice: Notice): Promise<void>;
  /** A visitor begins or stops writing. */
  guestTyping?(context: Context, thread: GuestThread): void;
  /** A connection has gone that was in the room of a thread. */
  leftRoom?(context: Context, thread: string): Promise<void>;
  /** Which of these credits set aside are for work of this feature that still goes on, by the id they were set aside under. */
  holds?(context: Context, ids: string[]): Promise<string[]>;
  /** Which columns name the pictures that its rows show; one that nobody shows any more goes with whoever uploaded it. */
  pictures?: PictureColumn[];
  /** A bot is no longer for everybody: it is in the trash, or its workspace's alone; in the transaction in which that happens. */
  withdrawBot?(context: Context, trx: Trx, bot: string): Promise<void>;
  /** A bot shows something else of itself: its name, its picture, what was published, or how its workspace is called; in that transaction. */
  changeFace?(context: Context, trx: Trx, of: { bot: string } | { workspace: string }): Promise<void>;
  /** How everybody may use a bot, or whoever has its address; nothing where they may not. */
  openBot?(context: Context, bot: string): Promise<OpenBot | undefined>;
  /** Somebody writes to a bot on its public page; nobody is counted twice. */
  triesListing?(context: Context, tried: { listing: string; guest: string; address: string }): Promise<void>;
  /** Whether it has something of a bot that has to be erased before the bot is. */
  holdsBot?(context: Context, bot: string): Promise<boolean>;
  /** Questions to the bots and the tokens of their answers since a moment, by bot; one that nobody asked is not among them. */
  asked?(db: Db, bots: string[] | Expression<string>, since: number): SelectQueryBuilder<Tables, keyof Tables, Counted>;
  /** What things of a workspace are called that have used credits; ids that are not there are left out. */
  names?: {
    [Of in 'member' | 'channel' | 'key']?: (
      context: Context,
      workspace: string,
      ids: string[],
    ) => Promise<[string, string][]>;
  };
  /** Which things of a workspace use another feature's thing: things by the id of what they use. */
  uses?: { [thing: string]: (context: Context, workspace: string) => Promise<Map<string, Named[]>> };
  /** Which of its things send which rich message, and where each stands. */
  richUses?: (context: Context, workspace: string) => Promise<Map<string, RichUse[]>>;
  /** In how many of what it has sent another feature's thing was; by the word for that thing. */
  sent?: { [thing: string]: (context: Context, workspace: string, uuid: string) => Promise<number> };
  /** One of each of its things in the caller's workspace, by the word before its id in a path, given those of the features before: for tests that try every route. */
  examples?(context: Context, caller: Caller, made: Record<string, string>): Promise<Record<string, string>>;
}

/** Counts, as either engine has them. */
interface Counted {
  bot: string;
  questions: number | string;
  tokens: number | string;
}

export interface Named {
  uuid: string;
  name: string;
  mark: number;
}

/** A bot as strangers find it. */
export interface OpenBot {
  workspace: string;
  /** By which they talk with it. */
  channel: string;
  summary: string;
}

/** What is told of a visitor's conversation. */
export interface GuestNews {
  message: Tables['message'] | null;
  /** It was not there before. */
  isNew: boolean;
}

/** What people are told of something that is not a conversation. */
export interface Notice {
  users: string[];
  /** The id of what it is about: a later one of the same takes its place while a device is away. */
  about: string;
  /** The page that a click opens. */
  url: string;
  say(locale: Locale): { title: string; body: string };
}

export interface Taken {
  sent: { message: string; ids: string[] }[];
  /** By which a part can be referred to. */
  quotes: Record<string, string>;
  /** As an answer to what the guest wrote, or by itself; null where there is no such difference. */
  via: 'reply' | 'push' | null;
}

/** A thread that has a guest. */
export type GuestThread = Tables['thread'];

/** What is stored under a key; a kind of file may keep more beside it. */
export type StoredFile = Pick<Tables['file'], 'uuid' | 'kind' | 'storage_key'>;

/** A file of an export: its path inside and what it holds. */
export interface ExportedFile {
  name: string;
  content: Buffer | (() => Promise<Readable>);
}

/** What a feature does at the turns of a person's account; in transactions, later features first. The row of the person goes last. */
export interface PersonLife {
  /** A password was reset or taken: whatever opened the account before opens it no longer. */
  reset?(trx: Trx, user: string): Promise<unknown>;
  /** Everything ends that has opened their account so far, such as sessions. */
  newEpoch?(trx: Trx, user: string): Promise<unknown>;
  /** Their account is suspended, or no longer. */
  suspend?(context: Context, trx: Trx, person: { user: string; suspended: boolean }): Promise<unknown>;
  /** They are no longer a member of a workspace. */
  leave?(trx: Trx, gone: { workspace: string; user: string }): Promise<unknown>;
  /** Long work before the account goes, a little at a time. */
  clear?(context: Context, user: string): Promise<void>;
  /** The account goes. What stays of it no longer says whose it was. Returns files that nothing names any more. */
  erase?(trx: Trx, person: { user: string; email: string }, context: Context): Promise<StoredFile[] | void>;
  export?(context: Context, user: string, session: string): AsyncIterable<ExportedFile>;
}

export interface WorkspaceLife {
  /** Long work before a workspace is erased, a little at a time. Nothing of it answers from here on. */
  clear?(context: Context, workspace: string): Promise<void>;
  /** Deletes its rows in the transaction in which the workspace goes. Returns files that nothing names any more. */
  erase?(trx: Trx, workspace: string, context: Context): Promise<StoredFile[] | void>;
  export?(context: Context, workspace: string): AsyncIterable<ExportedFile>;
}

/** What a secret is shown for. */
export interface Asked {
  route: Pick<Route, 'access' | 'scope'>;
  /** The workspace that the request names. */
  workspace: string | undefined;
  address: string;
  /** Who was let in with it at the beginning of this request, when it is asked again while the request lasts. */
  before?: Caller | undefined;
}

/** One way of showing who one is. */
export interface Identity {
  /** How its secrets begin; the one without is asked for every other secret. */
  prefix?: string;
  /** Who sends the secret; nobody when it is not, or no longer, one. Throws when it may not be used for what is asked. */
  find(context: Context, secret: string, asked: Asked): Promise<Caller | undefined>;
  /** Who listens with the secret over a live connection. */
  listen?(context: Context, secret: string): Promise<Listening | undefined>;
}

/** A value as a file of an export. */
export const toJson = (value: unknown) => Buffer.from(JSON.stringify(value, null, 2));

/** What features share beyond the parts of every process: each adds its own where it declares `provide`. */
export interface Services {}

/** What the features of one process share; made in `server.ts`, and by each test for itself. */
export interface Context extends Services {
  config: Config;
  log: Log;
  db: Db;
  /** For writes that come with every answer. */
  write: Write;
  engine: Engine;
  sealer: Sealer;
  tokens: Tokens;
  storage: Storage;
  outbound: Outbound;
  queue: Queue;
  limits: Limits;
  mailer: Mailer;
  /** What several web processes share; nothing where there is one. */
  redis: Redis | undefined;
  /** Addresses that people open, made of the configured one and never of what a request says. */
  links: { to(path: string, query?: Record<string, string>): string };
  sockets: Omit<Sockets, 'close'>;
  /** Every feature in order, for what has to reach all of them. */
  features: readonly Feature[];
  /** True from the moment the process was asked to end. */
  isStopping(): boolean;
}

export const hourMs = 3_600_000;
