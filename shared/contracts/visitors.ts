import { z } from 'zod';
import { event, request } from '../event.ts';
import { ok, one } from '../list.ts';
import { route } from '../route.ts';
import { optionalText, outsideName, text, uuid } from '../text.ts';
import { Image, locales } from './accounts.ts';
import { Mark } from './bots.ts';
import { Attachment, Citation, Feedback, Message, MessageError } from './conversations.ts';
import { EmbedSettings } from './web-channels.ts';

/** What a widget is told of its channel: nothing that only makers should know. */
export const EmbedSetting = z.object({
  /** Null where a bot is shown without one. */
  channel: uuid.nullable(),
  look: EmbedSettings.shape.look.omit({ avatar: true }),
  texts: EmbedSettings.shape.texts,
  shown: EmbedSettings.shape.shown,
  autoOpenSeconds: z.number().int().nullable(),
  form: EmbedSettings.shape.form,
  /** Who answers; null where only people do. */
  bot: z
    .object({
      uuid,
      name: z.string(),
      mark: Mark,
      greeting: z.string(),
      starters: z.array(z.string()),
      followUps: z.array(z.string()),
      /** Whether its models see pictures. */
      takesImages: z.boolean(),
    })
    .nullable(),
  avatar: Image.nullable(),
  /** Of the launcher: the path of a drawing 24 wide and high. */
  icon: z.string(),
  /** Whether a person may be asked for, and whether one is there now. */
  person: z.object({ offered: z.boolean(), open: z.boolean() }),
});
export type EmbedSetting = z.output<typeof EmbedSetting>;

/** Who of the staff wrote. */
const Author = z.object({ name: z.string(), avatar: Image.nullable() });

/** A message as visitors get it: no costs, no thoughts, no notes. */
export const VisitorMessage = Message.pick({
  uuid: true,
  seq: true,
  role: true,
  text: true,
  files: true,
  suggestions: true,
  status: true,
  createdAt: true,
}).extend({
  /** The id that the visitor's page gave it. */
  key: z.string().nullable(),
  citations: z.array(
    Citation.pick({ number: true, page: true, headings: true, quote: true }).extend({
      document: z.string(),
      /** Of a PDF whose page the visitor may see. */
      file: uuid.nullable(),
      /** Of the page on the web that says it. */
      url: z.string().nullable(),
    }),
  ),
  author: Author.nullable(),
  rating: Feedback.shape.rating.nullable(),
});
export type VisitorMessage = z.output<typeof VisitorMessage>;

export const VisitorThread = z.object({
  uuid,
  /** `bot`: the bot answers; `waiting`: for a person; `staff`: a person answers. */
  status: z.enum(['bot', 'waiting', 'staff', 'resolved']),
  /** The person who has taken it. */
  staff: Author.nullable(),
  lastSeq: z.number().int(),
  /** Up to where the visitor has seen it. */
  seen: z.number().int(),
  /** Whether an answer is being written. */
  running: z.boolean(),
});
export type VisitorThread = z.output<typeof VisitorThread>;

/** thread, message (the question as stored), then, when the bot answers: message (the answer, still empty), (delta | citation)*, done | error. */
export const VisitorEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread'), thread: VisitorThread }),
  z.object({ type: z.literal('message'), message: VisitorMessage }),
  z.object({ type: z.literal('delta'), text: z.string() }),
  z.object({ type: z.literal('citation'), citation: VisitorMessage.shape.citations.element }),
  z.object({ type: z.literal('done'), message: VisitorMessage }),
  z.object({ type: z.literal('error'), error: MessageError, message: VisitorMessage }),
]);
export type VisitorEvent = z.output<typeof VisitorEvent>;

const profile = { name: outsideName(80), email: outsideName(254), phone: outsideName(40) };

/** How a site calls its customer. */
export const siteId = text(200);

/** Messages that one answer has at most. */
export const visitorPage = 50;

const page = z.object({
  thread: VisitorThread.nullable(),
  /** The newest, oldest first. */
  messages: z.array(VisitorMessage).max(visitorPage),
  hasMore: z.boolean(),
});
/** What a visitor's page shows. */
export type VisitorPage = z.output<typeof page>;

const visitor = { access: 'visitor' } as const;

export const visitors = {
  setting: route('GET', '/api/embed-setting', {
    access: 'anyone',
    scope: null,
    summary: 'How a widget looks and what it says; for pages on the domains of its channel',
    query: {
      /** Not checked for its form: a page that has it wrong hears that there is none. */
      channel: text(100).toLowerCase().optional(),
      /** Instead of a channel: for whoever may edit this bot the usual look with it, for everybody else the channel of its public page. */
      bot: uuid.optional(),
    },
    reply: one(EmbedSetting),
  }),
  begin: route('POST', '/api/visitor/session', {
    access: 'anyone',
    scope: null,
    summary: 'Begin as a visitor of a channel, or go on as the one whose token is sent',
    body: z.strictObject({
      channel: uuid.optional(),
      /** Instead of a channel, for whoever may edit this bot: a preview of it. */
      bot: uuid.optional(),
      locale: z.enum(locales).optional(),
      /** The token of an earlier visit. */
      token: z.string().max(200).optional(),
      /** Who the site says it is, with the SHA-256 HMAC of `id` under the channel's secret, in hex. */
      identify: z
        .strictObject({ id: siteId, hash: z.string().regex(/^[0-9a-f]{64}$/), ...profile })
        .partial({ name: true, email: true, phone: true })
        .optional(),
      /** The page that shows the widget. */
      page: optionalText(2000).optional(),
      /** For makers: answered by the draft, and kept out of the inbox. */
      preview: z.boolean().optional(),
    }),
    reply: one(
      page.extend({
        token: z.string(),
        guest: z.object({ uuid, name: z.string(), needsForm: z.boolean(), hasEmail: z.boolean() }),
      }),
    ),
  }),
  messages: route('GET', '/api/visitor/messages', {
    ...visitor,
    summary: 'Messages of the conversation, from its end or before a number',
    query: { before: z.coerce.number().int().min(1).optional(), after: z.coerce.number().int().min(0).optional() },
    reply: one(page),
  }),
  form: route('PUT', '/api/visitor/form', {
    ...visitor,
    summary:
      'Answer what is asked before the first message, or leave an email where nobody is there and nothing is asked',
    body: z.strictObject({ ...profile, consent: z.boolean() }).partial(),
    reply: ok,
  }),
  send: route('POST', '/api/visitor/message', {
    ...visitor,
    summary: 'Write a message; `key` marks it, so that sent twice it is there once. Events as the answer is written',
    kind: 'stream',
    body: z.strictObject({
      key: uuid,
      text: optionalText(8000).optional(),
      files: z.array(uuid).max(5).optional(),
      page: optionalText(2000).optional(),
    }),
  }),
  resume: route('GET', '/api/visitor/stream', {
    ...visitor,
    summary: 'Follow the answer that is being written',
    kind: 'stream',
  }),
  stop: route('POST', '/api/visitor/stop', { ...visitor, summary: 'Stop the answer that is being written', reply: ok }),
  person: route('POST', '/api/visitor/person', {
    ...visitor,
    summary: 'Ask for a person; the answer tells honestly whether one is there',
    reply: one(page),
  }),
  restart: route('POST', '/api/visitor/restart', {
    ...visitor,
    summary: 'Leave the conversation; the next message begins another',
    reply: ok,
  }),
  rate: route('PUT', '/api/visitor/message/:message/feedback', {
    ...visitor,
    summary: 'Say whether an answer helped; null takes it back',
    params: { message: uuid },
    body: z.strictObject({ rating: Feedback.shape.rating.nullable(), text: optionalText(1000).optional() }),
    reply: ok,
  }),
  attach: route('POST', '/api/visitor/file', {
    ...visitor,
    summary: 'Add a picture or a document that a message will carry, where the channel allows it',
    kind: 'multipart',
    status: 201,
    reply: z.object({ data: z.array(Attachment) }),
  }),
  file: route('GET', '/api/visitor/file/:uuid', {
    ...visitor,
    summary: 'A file of the conversation',
    kind: 'file',
    params: { uuid },
  }),
  document: route('GET', '/api/visitor/document/:uuid', {
    ...visitor,
    summary: 'A PDF that an answer of the conversation cites, where the channel shows pages',
    kind: 'file',
    params: { uuid },
  }),
};

/** A message of the conversation that the visitor's page has not just sent itself. */
export const visitorMessage = event('visitor.message', z.object({ message: VisitorMessage, thread: VisitorThread }));

/** Who answers has changed, or what was seen. */
export const visitorThread = event('visitor.thread', z.object({ thread: VisitorThread }));

/** A person is writing. */
export const visitorTyping = event('visitor.typing', z.object({ name: z.string(), isTyping: z.boolean() }));

/** Tells the team that the visitor is writing. */
export const writeAsVisitor = request('visitor.type', z.strictObject({ isTyping: z.boolean() }), ok);

/** Up to where the visitor has seen the conversation: what was sent until then is delivered. */
export const seeAsVisitor = request(
  'visitor.see',
  z.strictObject({ seq: z.number().int().min(0).max(2_147_483_647) }),
  ok,
);
