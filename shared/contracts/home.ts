import { z } from 'zod';
import { one } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';
import { Image, Locale } from './accounts.ts';
import { Mark } from './bots.ts';

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
