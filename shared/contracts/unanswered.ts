import { z } from 'zod';
import { listQuery, many, moment, moments, one } from '../list.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';
import { Image } from './accounts.ts';
import { Mark } from './bots.ts';
import { Citation } from './conversations.ts';

/** A question of visitors that a bot had no answer to, or whose answer they did not like; questions alike are one. */
export const Unanswered = z.object({
  uuid,
  question: z.string(),
  /** `refused`: nothing was found; `disliked`: a thumb went down. */
  reason: z.enum(['refused', 'disliked']),
  /** How often it was asked. */
  count: z.number().int(),
  status: z.enum(['open', 'answered', 'dismissed']),
  bot: z.object({ uuid, name: z.string(), avatar: Image.nullable(), mark: Mark }),
  firstAt: moment,
  lastAt: moment,
  ...moments,
});
export type Unanswered = z.output<typeof Unanswered>;

export const UnansweredDetail = Unanswered.extend({
  /** Where it was asked, the newest first, at most ten. */
  asked: z.array(
    z.object({
      thread: uuid,
      message: uuid,
      question: z.string(),
      /** What the visitor wrote about the answer; empty for nothing. */
      comment: z.string(),
      guest: z.string(),
      channel: z.string(),
      at: moment,
    }),
  ),
  /** In how many conversations, of which `tell` writes into each: at most 100. */
  askers: z.number().int(),
  /** The answer that it was given, as it stands in the base now; nothing once it is gone from there. */
  answer: z
    .object({
      text: z.string(),
      document: z.object({ uuid, name: z.string() }),
      knowledge: uuid,
      embedding: uuid,
      by: z.string().nullable(),
      at: moment,
    })
    .nullable(),
  /** What the bot's documents have that comes nearest. */
  nearest: z.array(
    z.object({
      embedding: uuid,
      document: z.object({ uuid, name: z.string() }),
      knowledge: uuid,
      page: z.number().int().nullable(),
      headings: z.array(z.string()),
      text: z.string(),
    }),
  ),
  /** The bases of the bot, into which an answer can go. */
  knowledges: z.array(z.object({ uuid, name: z.string() })),
});
export type UnansweredDetail = z.output<typeof UnansweredDetail>;

/** What the bot says to the question now. */
export const Retried = z.object({ text: z.string(), citations: z.array(Citation), refused: z.boolean() });
export type Retried = z.output<typeof Retried>;

const byUnanswered = { unanswered: uuid };
/** For a key of the inbox: these are visitors' words. */
const editing = { access: 'edit', scope: 'converse' } as const;

export const unanswered = {
  list: route('GET', '/api/user/unanswered', {
    ...editing,
    summary: 'Questions that were not answered, those asked last first',
    query: {
      ...listQuery,
      status: Unanswered.shape.status.default('open'),
      reason: Unanswered.shape.reason.optional(),
      bot: uuid.optional(),
    },
    reply: many(Unanswered),
  }),
  get: route('GET', '/api/user/unanswered/:unanswered', {
    ...editing,
    summary: 'One of them: who asked it where, and the nearest passages',
    params: byUnanswered,
    reply: one(UnansweredDetail),
  }),
  suggest: route('POST', '/api/user/unanswered/:unanswered/suggest', {
    ...editing,
    summary: 'An answer in the words of a model, from the nearest passages, for a person to correct',
    params: byUnanswered,
    reply: one(z.object({ text: z.string() })),
  }),
  answer: route('POST', '/api/user/unanswered/:unanswered/answer', {
    ...editing,
    summary:
      'Write the answer into a base, try it at once on the same question, and, with `tell`, send it to those who asked',
    params: byUnanswered,
    body: z.strictObject({
      knowledge: uuid,
      question: text(500),
      answer: text(4000),
      tell: z.boolean().optional(),
    }),
    reply: one(z.object({ unanswered: Unanswered, retried: Retried, told: z.number().int() })),
  }),
  tell: route('POST', '/api/user/unanswered/:unanswered/tell', {
    ...editing,
    summary: 'Send an answer to those who asked, each conversation once',
    params: byUnanswered,
    body: z.strictObject({ answer: text(4000) }),
    reply: one(z.object({ told: z.number().int() })),
  }),
  dismiss: route('POST', '/api/user/unanswered/:unanswered/dismiss', {
    ...editing,
    summary: 'Put it away without an answer',
    params: byUnanswered,
    reply: one(Unanswered),
  }),
  reopen: route('POST', '/api/user/unanswered/:unanswered/reopen', {
    ...editing,
    summary: 'Take it back out',
    params: byUnanswered,
    reply: one(Unanswered),
  }),
};
