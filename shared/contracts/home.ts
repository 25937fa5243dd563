import { z } from 'zod';
import { one } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';
import { Image, Locale } from './accounts.ts';
import { Mark } from './bots.ts';
import { Unanswered } from './unanswered.ts';

const named = z.object({ uuid, name: z.string() });

export const Home = z.object({
  /** The first steps, in order, and whether each has been taken. */
  steps: z.object({
    bot: z.boolean(),
    knowledge: z.boolean(),
    document: z.boolean(),
    question: z.boolean(),
    published: z.boolean(),
    /** A model beside the built-in one is ready. */ model: z.boolean(),
  }),
  counts: z.object({
    bots: z.number().int(),
    knowledges: z.number().int(),
    documents: z.number().int(),
    questions: z.number().int(),
  }),
  /** Questions of each of the last 14 days, oldest first, and how many answers named a source. */
  questionsPerDay: z.array(z.object({ day: z.iso.date(), count: z.number().int(), cited: z.number().int() })),
  failedDocuments: z.array(named.extend({ knowledge: uuid, knowledgeName: z.string(), message: z.string() })),
  /**
   * Conversations with visitors, up to 1,000 of each: those that wait for a person, and those the caller has; and the last notes
   * that name the caller, one of each conversation, until they look. Null for who may not converse.
   */
  inbox: z
    .object({
      waiting: z.number().int(),
      mine: z.number().int(),
      mentions: z.array(z.object({ thread: uuid, by: z.string(), text: z.string() })),
    })
    .nullable(),
  /** Up to 1,000 questions that are open, how many of them had an answer that was not liked, and the last; null for who may not edit. */
  unanswered: z.object({ open: z.number().int(), disliked: z.number().int(), latest: z.array(Unanswered) }).nullable(),
  /** Micro-credits that the workspace has, and what it used in the last seven days. */
  credits: z.object({ balance: z.number().int(), usedInWeek: z.number().int() }),
  /** The automatic top-up has turned itself off; false for who may not manage. */
  topUpStopped: z.boolean(),
  busyDocuments: z.number().int(),
  recentBots: z.array(
    named.extend({
      avatar: Image.nullable(),
      mark: Mark,
      published: z.boolean(),
      /** The draft is no longer what was published. */ changed: z.boolean(),
      /** Questions of each of the last 7 days, oldest first. */
      questionsPerDay: z.array(z.number().int()),
    }),
  ),
});
export type Home = z.output<typeof Home>;

export const home = {
  get: route('GET', '/api/user/home', {
    summary: 'What needs attention now, and the first steps',
    access: 'read',
    reply: one(Home),
  }),
  sample: route('POST', '/api/user/sample', {
    summary: "Create a sample bot with a shop's FAQ as its knowledge",
    access: 'edit',
    status: 201,
    body: z.strictObject({ locale: Locale }),
    reply: one(z.object({ bot: uuid, knowledge: uuid })),
  }),
};
