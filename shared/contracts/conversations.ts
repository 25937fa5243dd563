import { z } from 'zod';
import { errors, type ErrorCode } from '../errors.ts';
import { listQuery, many, moment, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

const errorCodes = Object.keys(errors) as [ErrorCode, ...ErrorCode[]]; // Object.keys forgets the literal keys of a const

export const Citation = z.object({
  number: z.number().int().min(1),
  document: z.object({ uuid, name: z.string(), mime: z.string() }),
  /** The base it is in, for the link to the document. */
  knowledge: uuid,
  embedding: uuid,
  page: z.number().int().nullable(),
  headings: z.array(z.string()),
  quote: z.string(),
});
export type Citation = z.output<typeof Citation>;

export const Usage = z.object({ service: z.string(), tokensIn: z.number().int(), tokensOut: z.number().int(), latencyMs: z.number().int(), firstTokenMs: z.number().int().nullable() });
export type Usage = z.output<typeof Usage>;

export const MessageError = z.object({ code: z.enum(errorCodes), message: z.string() });

export const Message = z.object({
  uuid,
  seq: z.number().int(),
  role: z.enum(['user', 'assistant', 'staff', 'system']),
  text: z.string(),
  citations: z.array(Citation),
  status: z.enum(['pending', 'streaming', 'done', 'interrupted', 'failed']),
  error: MessageError.nullable(),
  usage: Usage.nullable(),
  createdAt: moment,
});
export type Message = z.output<typeof Message>;

export const Thread = z.object({ uuid, bot: uuid, title: z.string(), status: z.enum(['bot', 'waiting', 'staff', 'resolved', 'snoozed']), running: uuid.nullable(), createdAt: moment, updatedAt: moment });
export type Thread = z.output<typeof Thread>;

/** The events of an answer, in the order in which they may come: thread, message, (delta | citation | tool)*, usage?, done | error. */
export const AnswerEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('thread'), thread: Thread }),
  /** First the question as it was stored, then the answer, still empty. On a resume the answer comes with the text it has. */
  z.object({ type: z.literal('message'), message: Message }),
  z.object({ type: z.literal('delta'), text: z.string() }),
  z.object({ type: z.literal('citation'), citation: Citation }),
  z.object({ type: z.literal('tool'), name: z.string(), state: z.enum(['running', 'done', 'failed']) }),
  z.object({ type: z.literal('usage'), usage: Usage }),
  z.object({ type: z.literal('done'), message: Message }),
  z.object({ type: z.literal('error'), error: MessageError, message: Message }),
]);
export type AnswerEvent = z.output<typeof AnswerEvent>;

const byThread = { thread: uuid };

export const conversations = {
  send: route('POST', '/api/chat', {
    summary: 'Ask a bot; the answer comes whole, or as server-sent events when `stream` is true',
    access: 'user', scope: 'chat',
    kind: 'stream',
    body: z.strictObject({ bot: uuid, thread: uuid.optional(), message: z.strictObject({ text: text(8000) }), stream: z.boolean().optional() }),
    reply: z.object({ data: z.object({ thread: z.object({ uuid }), message: Message }) }),
  }),
  threads: route('GET', '/api/chat', { summary: 'Your threads with a bot, last first', access: 'user', scope: 'chat', query: { ...listQuery, bot: uuid }, reply: many(Thread) }),
  get: route('GET', '/api/chat/:thread', { summary: 'One thread', access: 'user', scope: 'chat', params: byThread, reply: one(Thread) }),
  messages: route('GET', '/api/chat/:thread/messages', {
    summary: 'Messages of a thread: the newest page, each page oldest first; `cursor` leads to older ones',
    access: 'user', scope: 'chat',
    params: byThread,
    query: { limit: listQuery.limit, cursor: listQuery.cursor },
    reply: many(Message),
  }),
  rename: route('PUT', '/api/chat/:thread', { summary: 'Rename a thread', access: 'user', scope: 'chat', params: byThread, body: z.strictObject({ title: text(120) }), reply: one(Thread) }),
  remove: route('DELETE', '/api/chat/:thread', { summary: 'Delete a thread', access: 'user', scope: 'chat', params: byThread, reply: ok }),
  resume: route('GET', '/api/chat/:thread/stream', { summary: 'Follow the answer that is being written, from what it has so far (server-sent events)', access: 'user', scope: 'chat', kind: 'stream', params: byThread }),
  stop: route('POST', '/api/chat/:thread/stop', { summary: 'Stop the answer that is being written; what was written is kept', access: 'user', scope: 'chat', params: byThread, reply: one(Thread) }),
};
