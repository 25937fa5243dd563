import { z } from 'zod';
import { errors, type ErrorCode } from '../errors.ts';
import { listQuery, many, moment, moments, ok, one } from '../list.ts';
import { event, request } from '../event.ts';
import { route } from '../route.ts';
import { optionalText, text, uuid } from '../text.ts';
import { Image } from './accounts.ts';
import { Mark } from './bots.ts';

const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]; // Object.keys forgets the literal keys of a const

export const Citation = z.object({
  number: z.number().int().min(1),
  document: z.object({
    uuid,
    name: z.string(),
    mime: z.string(),
    /** Of the page on the web that says it, at the words. */ url: z.string().optional(),
  }),
  /** The base it is in, for the link to the document. */
  knowledge: uuid,
  embedding: uuid,
  page: z.number().int().nullable(),
  headings: z.array(z.string()),
  quote: z.string(),
});
export type Citation = z.output<typeof Citation>;

export const Usage = z.object({
  service: z.string(),
  serviceName: z.string(),
  tokensIn: z.number().int(),
  tokensOut: z.number().int(),
  tokensCached: z.number().int(),
  /** Micro-credits; 0 with one's own key and for what costs nothing. */
  cost: z.number().int(),
  ownKey: z.boolean(),
  latencyMs: z.number().int(),
  firstTokenMs: z.number().int().nullable(),
});
export type Usage = z.output<typeof Usage>;

export const MessageError = z.object({ code: z.enum(errorCodes), message: z.string() });

export const ToolUse = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['running', 'done', 'failed']),
  input: z.string(),
  output: z.string(),
  tookMs: z.number().int().nullable(),
});
export type ToolUse = z.output<typeof ToolUse>;

export const Attachment = z.object({ uuid, name: z.string(), mime: z.string(), bytes: z.number().int() });
export type Attachment = z.output<typeof Attachment>;

export const feedbackReasons = ['wrong', 'incomplete', 'not-from-documents', 'unclear', 'tone', 'other'] as const;
const feedbackFields = {
  rating: z.enum(['up', 'down']),
  reasons: z.array(z.enum(feedbackReasons)).max(6),
  text: optionalText(1000),
};
export const Feedback = z.object(feedbackFields);
export type Feedback = z.output<typeof Feedback>;

export const Message = z.object({
  uuid,
  seq: z.number().int(),
  role: z.enum(['user', 'assistant', 'staff', 'system']),
  /** What it follows, and itself with its siblings in the order in which they came: the branches one can go to. */
  parent: uuid.nullable(),
  siblings: z.array(uuid),
  text: z.string(),
  /** What the model thought before it answered, where it shows it. */
  reasoning: z.string(),
  tools: z.array(ToolUse),
  files: z.array(Attachment),
  citations: z.array(Citation),
  /** What the bot offers to be asked next: in the text they stand as a list of Markdown, a line each after `- `. */
  suggestions: z.array(z.string()),
  status: z.enum(['pending', 'streaming', 'done', 'interrupted', 'failed']),
  /** `length`: the model had no room left, and can go on. */
  finish: z.enum(['stop', 'length', 'filter', 'tools']).nullable(),
  error: MessageError.nullable(),
  feedback: Feedback.nullable(),
  usage: Usage.nullable(),
  ...moments,
});
export type Message = z.output<typeof Message>;

export const Thread = z.object({
  uuid,
  bot: uuid,
  title: z.string(),
  status: z.enum(['bot', 'waiting', 'staff', 'resolved', 'snoozed']),
  running: uuid.nullable(),
  pinned: z.boolean(),
  /** Not in the list, and gone a day after its last message. */
  temporary: z.boolean(),
  /** Whether there is a link with which anyone can read it. */
  shared: z.boolean(),
  createdAt: moment,
  updatedAt: moment,
});
export type Thread = z.output<typeof Thread>;

/** The events of an answer, in the order in which they may come: thread, message, (reasoning | delta | citation | tool)*, usage?, done | error. */
export const ChatEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread'), thread: Thread }),
  /** First the question as it was stored, then the answer, still empty. On a resume the answer comes with the text it has. */
  z.object({ type: z.literal('message'), message: Message }),
  z.object({ type: z.literal('reasoning'), text: z.string() }),
  z.object({ type: z.literal('delta'), text: z.string() }),
  z.object({ type: z.literal('citation'), citation: Citation }),
  /** The same id again when its state has changed. */
  z.object({ type: z.literal('tool'), tool: ToolUse }),
  z.object({ type: z.literal('usage'), usage: Usage }),
  z.object({ type: z.literal('done'), message: Message }),
  z.object({ type: z.literal('error'), error: MessageError, message: Message }),
]);
export type ChatEvent = z.output<typeof ChatEvent>;

/** Parts of a request that some models refuse. */
export const refusable = [
  'images',
  'tools',
  'system',
  'temperature',
  'topP',
  'reasoning',
  'stop',
  'seed',
  'presencePenalty',
  'frequencyPenalty',
  'parallelCalls',
] as const;
export type Refusable = (typeof refusable)[number];

/** Why an answer is what it is, for whoever may edit the bot. */
export const Trace = z.object({
  /** The question as it was looked up. */
  query: z.string().nullable(),
  coverage: z.number().nullable(),
  /** The coverage below which the bot says that the documents have no answer; the built-in model takes it as how strict to be. */
  threshold: z.number().nullable(),
  /** The documents had no answer. */
  refused: z.boolean(),
  searchMs: z.number().int().nullable(),
  passages: z.array(
    z.object({
      embedding: uuid,
      document: z.object({ uuid, name: z.string() }).nullable(),
      knowledge: uuid.nullable(),
      page: z.number().int().nullable(),
      headings: z.array(z.string()),
      text: z.string(),
      score: z.number(),
      used: z.boolean(),
      /** What the model knew it by. */
      number: z.number().int().nullable(),
      /** By which number the answer cites it. */
      cited: z.number().int().nullable(),
    }),
  ),
  /** How many messages of the conversation were left out, since the model had no room for them. */
  omitted: z.number().int(),
  /** What the model was sent; null for what the bot said by itself. */
  prompt: z.array(z.object({ role: z.enum(['system', 'user', 'assistant', 'tool']), text: z.string() })).nullable(),
  service: z.string().nullable(),
  /** What was asked for and not sent, since the service's model has refused it. */
  without: z.array(z.object({ service: z.string(), parts: z.array(z.enum(refusable)) })),
  /** Services that were tried before it, and why they could not. */
  failed: z.array(z.object({ service: z.string(), code: z.string() })),
  tools: z.array(ToolUse),
  usage: Usage.nullable(),
});
export type Trace = z.output<typeof Trace>;

const byThread = { thread: uuid };
const byMessage = { thread: uuid, message: uuid };
const chat = { access: 'user', scope: 'chat' } as const;
const files = z.array(uuid).max(10).optional();
/** For editors: another version or service than the draft's, to compare. */
const preview = z.strictObject({ version: uuid.optional(), service: uuid.optional() }).optional();
const answer = z.object({ data: z.object({ thread: z.object({ uuid }), message: Message }) });

export const conversations = {
  send: route('POST', '/api/chat', {
    ...chat,
    summary: 'Ask a bot; the answer comes whole, or as server-sent events when `stream` is true',
    kind: 'stream',
    body: z.strictObject({
      bot: uuid,
      thread: uuid.optional(),
      message: z.strictObject({ text: text(8000), files }),
      stream: z.boolean().optional(),
      temporary: z.boolean().optional(),
      preview,
    }),
    reply: answer,
  }),
  threads: route('GET', '/api/chat', {
    ...chat,
    summary: 'Your threads, with one bot or with all: pinned ones, then the last first',
    query: { ...listQuery, bot: uuid.optional() },
    reply: many(Thread),
  }),
  attach: route('POST', '/api/chat/file', {
    ...chat,
    summary: 'Add pictures or documents that a question will carry',
    kind: 'multipart',
    status: 201,
    reply: z.object({ data: z.array(Attachment) }),
  }),
  file: route('GET', '/api/chat/file/:uuid', {
    ...chat,
    summary: 'A file that a message carries',
    kind: 'file',
    params: { uuid },
  }),
  get: route('GET', '/api/chat/:thread', { ...chat, summary: 'One thread', params: byThread, reply: one(Thread) }),
  messages: route('GET', '/api/chat/:thread/messages', {
    ...chat,
    summary:
      'Messages of the branch that is shown: the newest page, each page oldest first; `cursor` leads to older ones',
    params: byThread,
    query: { limit: listQuery.limit, cursor: listQuery.cursor },
    reply: many(Message),
  }),
  update: route('PUT', '/api/chat/:thread', {
    ...chat,
    summary: 'Rename, pin, or keep a thread, or let the bot answer in it again',
    params: byThread,
    body: z
      .strictObject({ title: text(120), pinned: z.boolean(), temporary: z.literal(false), status: z.literal('bot') })
      .partial(),
    reply: one(Thread),
  }),
  remove: route('DELETE', '/api/chat/:thread', { ...chat, summary: 'Delete a thread', params: byThread, reply: ok }),
  export: route('GET', '/api/chat/:thread/export', {
    ...chat,
    summary: 'A thread as a file: the branch that is shown as Markdown, or every branch as JSON',
    kind: 'file',
    params: byThread,
    query: { format: z.enum(['markdown', 'json']).default('markdown') },
  }),
  resume: route('GET', '/api/chat/:thread/stream', {
    ...chat,
    summary: 'Follow the answer that is being written, from what it has so far (server-sent events)',
    kind: 'stream',
    params: byThread,
  }),
  stop: route('POST', '/api/chat/:thread/stop', {
    ...chat,
    summary: 'Stop the answer that is being written; what was written is kept',
    params: byThread,
    reply: one(Thread),
  }),
  regenerate: route('POST', '/api/chat/:thread/message/:message/regenerate', {
    ...chat,
    summary: 'Answer the same question again, beside the first answer',
    kind: 'stream',
    params: byMessage,
    body: z.strictObject({ stream: z.boolean().optional(), preview }).optional(),
    reply: answer,
  }),
  edit: route('POST', '/api/chat/:thread/message/:message/edit', {
    ...chat,
    summary: 'Ask a question in other words, beside the first one',
    kind: 'stream',
    params: byMessage,
    body: z.strictObject({ text: text(8000), stream: z.boolean().optional() }),
    reply: answer,
  }),
  continue: route('POST', '/api/chat/:thread/message/:message/continue', {
    ...chat,
    summary: 'Go on with an answer that ended early',
    kind: 'stream',
    params: byMessage,
    body: z.strictObject({ stream: z.boolean().optional() }).optional(),
    reply: answer,
  }),
  show: route('POST', '/api/chat/:thread/message/:message/show', {
    ...chat,
    summary: 'Show the branch that a message is in',
    params: byMessage,
    reply: one(Thread),
  }),
  rate: route('PUT', '/api/chat/:thread/message/:message/feedback', {
    ...chat,
    summary: 'Say whether an answer helped; null takes it back',
    params: byMessage,
    body: z
      .strictObject({ ...feedbackFields, rating: feedbackFields.rating.nullable() })
      .partial({ reasons: true, text: true }),
    reply: one(Message),
  }),
  trace: route('GET', '/api/chat/:thread/message/:message/trace', {
    summary: 'Why an answer is what it is',
    access: 'edit',
    scope: null,
    params: byMessage,
    reply: one(Trace),
  }),
  share: route('POST', '/api/chat/:thread/share', {
    access: 'user',
    scope: null,
    summary: 'Make a link with which anyone can read the thread; an earlier one no longer works',
    params: byThread,
    reply: one(z.object({ url: z.string() })),
  }),
  unshare: route('DELETE', '/api/chat/:thread/share', {
    access: 'user',
    scope: null,
    summary: 'End the link',
    params: byThread,
    reply: ok,
  }),
  shared: route('GET', '/api/shared/:token', {
    access: 'anyone',
    scope: null,
    summary: 'A thread that was shared',
    params: { token: z.string().max(100) },
    reply: one(
      z.object({
        title: z.string(),
        bot: z.object({ uuid, name: z.string(), avatar: Image.nullable(), mark: Mark }),
        messages: z.array(Message.pick({ uuid: true, role: true, text: true, citations: true, createdAt: true })),
        createdAt: moment,
      }),
    ),
  }),
};

export const Sticker = z.object({ packageId: z.string(), stickerId: z.string(), keywords: z.array(z.string()) });
export type Sticker = z.output<typeof Sticker>;
export const Place = z.object({
  title: z.string(),
  address: z.string(),
  latitude: z.number(),
  longitude: z.number(),
});
export type Place = z.output<typeof Place>;

/** A message was written in a thread: the question at once, an answer when it is whole. */
export const messageSent = event(
  'message',
  z.object({
    message: z.object({
      uuid,
      seq: z.number().int(),
      role: Message.shape.role,
      message: z.string(),
      /** Only channels have stickers, places and pictures of their own. */
      sticker: Sticker.nullable(),
      location: Place.nullable(),
      images: z.array(z.string()),
    }),
    thread: z.object({ uuid, guest: z.object({ name: z.string(), avatar: Image.nullable() }) }),
    /** Whose visitor wrote; a member may be in several. Not there for one's own conversations with a bot. */
    workspace: uuid.optional(),
  }),
);

/** Messages that one answer to `thread.watch` has at most. */
export const maxMissed = 100;

/** From here on the connection hears of messages of one's own thread; the answer has those after `since`, the oldest first. */
export const watchThread = request(
  'thread.watch',
  z.strictObject({ thread: uuid, since: z.number().int().min(0).max(2_147_483_647) }),
  z.object({ messages: z.array(Message).max(maxMissed), hasMore: z.boolean() }),
);

export const unwatchThread = request('thread.unwatch', z.strictObject({ thread: uuid }), ok);
