import { z } from 'zod';
import { event, request } from '../event.ts';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import { RichSnapshot } from '../line-content.ts';
import { route } from '../route.ts';
import { optionalText, outsideName, text, uuid } from '../text.ts';
import { Image, locales } from './accounts.ts';
import { Mark } from './bots.ts';
import { channelKinds } from './connections.ts';
import { Attachment, Message, Place, Sticker, Thread } from './conversations.ts';

/** A visitor or friend, as lists show them; `named` where that is their name, not an address or a number in its place. */
export const GuestFace = z.object({ uuid, name: z.string(), named: z.boolean(), avatar: Image.nullable() });
export type GuestFace = z.output<typeof GuestFace>;

/** A member of the workspace. */
const Staff = z.object({ uuid, name: z.string(), avatar: Image.nullable() });
export type Staff = z.output<typeof Staff>;

/** Why a thread went to people. */
export const handoffReasons = [
  'asked',
  'rule',
  'content',
  'unread',
  'failed',
  'refused',
  'staff',
  'no-bot',
  'spent',
] as const;

/** What happened in a thread, for the team's eyes. */
export const ThreadHappening = z.object({
  kind: z.enum([
    'handed-off',
    'taken',
    'assigned',
    'returned',
    'resolved',
    'reopened',
    'snoozed',
    'woken',
    'blocked',
    'released',
    'followed',
    'unfollowed',
    'unsent',
  ]),
  /** Whose doing it was; null for the visitor's, a rule's or the clock's. */
  by: Staff.nullable(),
  reason: z.enum(handoffReasons).nullable(),
  /** Whom it was assigned to. */
  to: Staff.nullable(),
  until: moment.nullable(),
});
export type ThreadHappening = z.output<typeof ThreadHappening>;

export const deliveryStates = ['queued', 'sent', 'delivered', 'failed'] as const;

export const InboxMessage = Message.pick({
  uuid: true,
  seq: true,
  role: true,
  text: true,
  files: true,
  citations: true,
  status: true,
  feedback: true,
  createdAt: true,
  updatedAt: true,
}).extend({
  /** Whoever of the team wrote it. */
  author: Staff.nullable(),
  /** Only the team sees it. */
  internal: z.boolean(),
  /** Members whom a note names, as it names them. */
  mentions: z.array(z.object({ uuid, name: z.string() })),
  /** Instead of a text. */
  happening: ThreadHappening.nullable(),
  sticker: Sticker.nullable(),
  location: Place.nullable(),
  /** What LINE shows of it. */
  rich: RichSnapshot.nullable(),
  /** What it refers to; nothing where that is gone. */
  quoted: z.object({ uuid, role: Message.shape.role, text: z.string() }).nullable(),
  /** Who of a group wrote it. */
  sender: z.object({ name: z.string() }).nullable(),
  /** The model that has written its text down, of a voice message. */
  heard: z.string().nullable(),
  /** In the words of the model's provider, why an answer is none or not whole; null where it said nothing. */
  failure: z.string().nullable(),
  /** What became of it on its way to the visitor; null for what comes from them. */
  delivery: z.enum(deliveryStates).nullable(),
  /** Why it could not be delivered. */
  deliveryError: z.string().nullable(),
});
export type InboxMessage = z.output<typeof InboxMessage>;

export const InboxThread = z.object({
  uuid,
  guest: GuestFace,
  bot: z.object({ uuid, name: z.string(), avatar: Image.nullable(), mark: Mark }).nullable(),
  channel: z.enum(channelKinds),
  channelName: z.string(),
  status: Thread.shape.status,
  assignee: Staff.nullable(),
  reason: z.enum(handoffReasons).nullable(),
  waitingSince: moment.nullable(),
  snoozedUntil: moment.nullable(),
  /** Whoever has it has only typed: it is given back five minutes after the last letter. */
  typed: z.boolean(),
  /** Messages of the visitor that nobody of the team has seen. */
  unread: z.number().int(),
  lastSeq: z.number().int(),
  last: z
    .object({
      role: Message.shape.role,
      text: z.string(),
      /** Whoever of the team wrote it. */
      author: Staff.nullable(),
      at: moment,
    })
    .nullable(),
  /** In a search: the newest message that has it, around the words. */
  found: z.string().nullable(),
  tags: z.array(z.string()),
  language: z.enum(locales),
  createdAt: moment,
  updatedAt: moment,
});
export type InboxThread = z.output<typeof InboxThread>;

export const GuestProfile = GuestFace.extend({
  language: z.enum(locales).nullable(),
  email: z.string(),
  phone: z.string(),
  note: z.string(),
  tags: z.array(z.string()),
  fields: z.array(z.object({ name: z.string(), value: z.string() })),
  /** By what channels they are known; several where they were merged. */
  identities: z.array(
    z.object({
      uuid,
      channel: z.enum(channelKinds),
      channelName: z.string(),
      /** What the channel calls them. */
      name: z.string(),
      /** The site has proved who it is. */
      verified: z.boolean(),
      ...moments,
    }),
  ),
  blocked: z.boolean(),
  /** The last page they wrote from. */
  page: z.string(),
  lastSeenAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
  /** Their conversations, the newest first. */
  threads: z.array(z.object({ uuid, title: z.string(), status: Thread.shape.status, ...moments })),
});
export type GuestProfile = z.output<typeof GuestProfile>;

export const inboxViews = ['all', 'mine', 'unassigned', 'bot', 'waiting', 'snoozed', 'resolved'] as const;
export type InboxView = (typeof inboxViews)[number];

export const CannedReply = z.object({
  uuid,
  shortcut: z.string(),
  title: z.string(),
  text: z.string(),
  ...moments,
});
export type CannedReply = z.output<typeof CannedReply>;

const byThread = { thread: uuid };
const staff = { access: 'converse' } as const;
const canned = {
  /** What is typed after the slash. */
  shortcut: z.string().regex(/^[\p{L}\p{N}_-]{1,30}$/u, 'shortcut-invalid'),
  title: text(80),
  /** `{{name}}`, `{{staff}}` and `{{shop}}` are filled in. */
  text: text(4000),
};

/** What every page of the team asks; apart from the others, so that only these come with it. */
export const inboxNews = {
  counts: route('GET', '/api/inbox/counts', {
    ...staff,
    summary:
      'How many conversations are in each view (up to 1,000), how many have something unread, and the tags in use; and for who may edit, how many questions are unanswered',
    reply: one(
      z.object({
        views: z.record(z.enum(inboxViews), z.number().int()),
        unread: z.number().int(),
        unanswered: z.number().int(),
        /** Conversations in which a note names the caller, who has not looked yet; up to 100. */
        mentions: z.array(uuid),
        tags: z.array(z.string()),
      }),
    ),
  }),
};

export const inbox = {
  threads: route('GET', '/api/inbox/threads', {
    ...staff,
    summary: 'Conversations with visitors, those last written to first; of those that wait, who waits the longest',
    query: {
      ...listQuery,
      view: z.enum(inboxViews).default('all'),
      channel: uuid.optional(),
      bot: uuid.optional(),
      tag: z.string().max(40).optional(),
    },
    reply: many(InboxThread),
  }),
  thread: route('GET', '/api/inbox/thread/:thread', {
    ...staff,
    summary: 'One conversation with a visitor',
    params: byThread,
    reply: one(InboxThread),
  }),
  messages: route('GET', '/api/inbox/thread/:thread/messages', {
    ...staff,
    summary: 'Its messages, notes and what happened: the newest 50, or 50 before or after a number, oldest first',
    params: byThread,
    query: { before: z.coerce.number().int().min(1).optional(), after: z.coerce.number().int().min(0).optional() },
    reply: z.object({ data: z.array(InboxMessage), meta: z.object({ hasMore: z.boolean() }) }),
  }),
  reply: route('POST', '/api/inbox/thread/:thread/reply', {
    ...staff,
    summary:
      'Answer as a person, in words or with a rich message: the bot is silent from here on. `key` marks it, so that sent twice it is there once',
    params: byThread,
    body: z.strictObject({
      key: uuid,
      text: optionalText(4000),
      files: z.array(uuid).max(5).optional(),
      rich: uuid.optional(),
      /** A message of the conversation that it refers to; LINE shows it. */
      quotes: uuid.optional(),
    }),
    status: 201,
    reply: one(InboxMessage),
  }),
  retry: route('POST', '/api/inbox/thread/:thread/message/:message/retry', {
    ...staff,
    summary: 'Send a message again that could not be delivered',
    params: { ...byThread, message: uuid },
    reply: one(InboxMessage),
  }),
  note: route('POST', '/api/inbox/thread/:thread/note', {
    ...staff,
    summary: 'Write a note that only the team sees; `@name` mentions a member',
    params: byThread,
    body: z.strictObject({ key: uuid, text: text(4000) }),
    status: 201,
    reply: one(InboxMessage),
  }),
  attach: route('POST', '/api/inbox/file', {
    ...staff,
    summary: 'Add a picture or a document that a reply will carry',
    kind: 'multipart',
    status: 201,
    reply: z.object({ data: z.array(Attachment) }),
  }),
  file: route('GET', '/api/inbox/thread/:thread/file/:uuid', {
    ...staff,
    summary: 'A file of a conversation',
    kind: 'file',
    params: { thread: uuid, uuid },
  }),
  take: route('POST', '/api/inbox/thread/:thread/take', {
    ...staff,
    summary: 'Take over: the bot is silent, the conversation is yours',
    params: byThread,
    reply: one(InboxThread),
  }),
  giveBack: route('POST', '/api/inbox/thread/:thread/return', {
    ...staff,
    summary: 'Give it back to the bot',
    params: byThread,
    reply: one(InboxThread),
  }),
  assign: route('POST', '/api/inbox/thread/:thread/assign', {
    ...staff,
    summary: 'Assign it to a member, or to nobody',
    params: byThread,
    body: z.strictObject({ user: uuid.nullable() }),
    reply: one(InboxThread),
  }),
  snooze: route('POST', '/api/inbox/thread/:thread/snooze', {
    ...staff,
    summary: 'Put it away until a moment, or until the visitor writes',
    params: byThread,
    body: z.strictObject({ until: moment }),
    reply: one(InboxThread),
  }),
  resolve: route('POST', '/api/inbox/thread/:thread/resolve', {
    ...staff,
    summary: 'Close it; what the visitor writes next opens it again',
    params: byThread,
    reply: one(InboxThread),
  }),
  reopen: route('POST', '/api/inbox/thread/:thread/reopen', {
    ...staff,
    summary: 'Open it again, for people',
    params: byThread,
    reply: one(InboxThread),
  }),
  see: route('POST', '/api/inbox/thread/:thread/see', {
    ...staff,
    summary: 'Say that it was read to its end, or with `unread` that it should be read again',
    params: byThread,
    body: z.strictObject({ unread: z.boolean().optional() }).optional(),
    reply: one(InboxThread),
  }),
  staff: route('GET', '/api/inbox/staff', {
    ...staff,
    summary: 'Members who may answer visitors',
    reply: z.object({ data: z.array(Staff) }),
  }),
  guest: route('GET', '/api/inbox/guest/:uuid', {
    ...staff,
    summary: 'A person: how they are known, tags, fields and conversations',
    params: byUuid,
    reply: one(GuestProfile),
  }),
  updateGuest: route('PUT', '/api/inbox/guest/:uuid', {
    ...staff,
    summary: 'Change what is known of a person, or block them',
    params: byUuid,
    body: z
      .strictObject({
        name: outsideName(80),
        email: outsideName(254),
        phone: outsideName(40),
        note: optionalText(4000),
        language: z.enum(locales).nullable(),
        tags: z.array(text(40)).max(20),
        fields: z.array(z.strictObject({ name: text(40), value: optionalText(500) })).max(30),
        blocked: z.boolean(),
      })
      .partial(),
    reply: one(GuestProfile),
  }),
  guests: route('GET', '/api/inbox/guests', {
    ...staff,
    summary: 'People, by anything that is known of them, for merging',
    query: listQuery,
    reply: many(GuestFace.extend({ email: z.string(), lastSeenAt: moment.nullable(), ...moments })),
  }),
  merge: route('POST', '/api/inbox/guest/:uuid/merge', {
    ...staff,
    summary: 'Make another person one with this one',
    params: byUuid,
    body: z.strictObject({ other: uuid }),
    reply: one(GuestProfile),
  }),
  split: route('POST', '/api/inbox/guest/:uuid/split', {
    ...staff,
    summary: 'Make one identity a person of its own again, with its conversations',
    params: byUuid,
    body: z.strictObject({ identity: uuid }),
    reply: one(GuestProfile),
  }),
  exportGuest: route('GET', '/api/inbox/guest/:uuid/export', {
    ...staff,
    summary: 'Everything about a person as JSON',
    kind: 'file',
    params: byUuid,
  }),
  eraseGuest: route('DELETE', '/api/inbox/guest/:uuid', {
    access: 'edit',
    summary: 'Erase a person with their conversations and files, for good',
    params: byUuid,
    reply: ok,
  }),
  canned: route('GET', '/api/inbox/canned', {
    ...staff,
    summary: 'Canned replies',
    reply: z.object({ data: z.array(CannedReply) }),
  }),
  createCanned: route('POST', '/api/inbox/canned', {
    ...staff,
    summary: 'Add a canned reply',
    body: z.strictObject(canned),
    status: 201,
    reply: one(CannedReply),
  }),
  updateCanned: route('PUT', '/api/inbox/canned/:canned', {
    ...staff,
    summary: 'Change a canned reply',
    params: { canned: uuid },
    body: z.strictObject(canned).partial(),
    reply: one(CannedReply),
  }),
  removeCanned: route('DELETE', '/api/inbox/canned/:canned', {
    ...staff,
    summary: 'Delete a canned reply',
    params: { canned: uuid },
    reply: ok,
  }),
  draft: route('POST', '/api/inbox/thread/:thread/draft', {
    ...staff,
    scope: null,
    summary: 'What the bot would answer now, with its sources, for a person to send or change',
    params: byThread,
    reply: one(z.object({ text: z.string(), citations: Message.shape.citations, refused: z.boolean() })),
  }),
  summarize: route('POST', '/api/inbox/thread/:thread/summary', {
    ...staff,
    scope: null,
    summary: 'What the conversation is about, in the language of whoever asks',
    params: byThread,
    reply: one(z.object({ text: z.string() })),
  }),
  translate: route('POST', '/api/inbox/thread/:thread/translate', {
    ...staff,
    scope: null,
    summary: 'A text in the other language',
    params: byThread,
    body: z.strictObject({ text: text(8000), to: z.enum(locales) }),
    reply: one(z.object({ text: z.string() })),
  }),
};

/** Something of a conversation with a visitor has changed: its row in lists is this now. */
export const threadChanged = event('inbox.thread', z.object({ workspace: uuid, thread: InboxThread }));

/** A message, note or happening of a conversation that one watches; an answer that is being written comes again when it is whole. */
export const inboxMessage = event('inbox.message', z.object({ thread: uuid, message: InboxMessage }));

/** A note names you. */
export const mentioned = event(
  'inbox.mentioned',
  z.object({ workspace: uuid, thread: uuid, message: uuid, by: Staff, text: z.string() }),
);

/** Who is at a conversation: members who have it open, and who writes. `visitor`: the visitor is writing. */
export const presence = event(
  'inbox.presence',
  z.object({
    thread: uuid,
    members: z.array(Staff.extend({ isTyping: z.boolean() })),
    visitor: z.object({ isTyping: z.boolean(), isOnline: z.boolean() }),
  }),
);

/** From here on the connection hears of the messages of this conversation; the answer has those after `since`. */
export const watchInbox = request(
  'inbox.watch',
  z.strictObject({ thread: uuid, since: z.number().int().min(0).max(2_147_483_647) }),
  z.object({ messages: z.array(InboxMessage).max(100), hasMore: z.boolean() }),
);

export const unwatchInbox = request('inbox.unwatch', z.strictObject({ thread: uuid }), ok);

/**
 * A member writes, or has stopped. The first letter takes the conversation over: the bot is silent at once. `nothing`: they have
 * stopped with nothing written, so that it is again what it was before.
 */
export const typeInInbox = request(
  'inbox.type',
  z.strictObject({ thread: uuid, isTyping: z.boolean(), nothing: z.boolean().optional() }),
  ok,
);
