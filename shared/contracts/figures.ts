import { z } from 'zod';
import { moment, one } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';
import { Feedback } from './conversations.ts';

/** A figure of the span, and of the one of the same length before it; null where there was nothing to measure. */
const compared = z.object({ now: z.number().nullable(), before: z.number().nullable() });
export type Compared = z.output<typeof compared>;

const named = z.object({ uuid, name: z.string() });

export const figureSpans = ['7', '14', '30', '90'] as const;

/** What became of the conversations that visitors began in a span of days, the last of which is today. */
export const Figures = z.object({
  conversations: compared,
  /** A share of them: the bot answered, and no person was asked or wrote. */
  unaided: compared,
  /** Milliseconds from a visitor's first message to the first answer, whoever gave it. `slow`: one in twenty waited longer. */
  firstAnswer: z.object({ median: compared, slow: compared }),
  /** Milliseconds from the hand-over to the first answer of a person. */
  firstPerson: z.object({ median: compared, slow: compared }),
  /** Questions to which nothing was found. */
  unanswered: compared,
  /** The share of thumbs that went up. */
  satisfaction: compared,
  ups: z.number().int(),
  downs: z.number().int(),
  /** Micro-credits. */
  cost: compared,
  /** The oldest first, in the caller's time zone. */
  days: z.array(
    z.object({
      day: z.iso.date(),
      conversations: z.number().int(),
      unaided: z.number().int(),
      /** A person of the team answered. */
      staffed: z.number().int(),
    }),
  ),
  /** Conversations by weekday, Sunday first, and by the hour in which they began. */
  hours: z.array(z.array(z.number().int()).length(24)).length(7),
  /** What was asked most, those alike as one, in the newest `sampled` questions of each span, and in how many conversations; null for who may not read those. */
  questions: z.array(z.object({ question: z.string(), count: z.number().int(), before: z.number().int() })).nullable(),
  sampled: z.number().int(),
  /** What visitors wrote about answers, the newest first, at most 20; null for who may not read it. */
  comments: z
    .array(z.object({ thread: uuid, message: uuid, rating: Feedback.shape.rating, text: z.string(), at: moment }))
    .nullable(),
  /** What it can be narrowed by. */
  choices: z.object({ bots: z.array(named), channels: z.array(named), members: z.array(named) }),
});
export type Figures = z.output<typeof Figures>;

export const figures = {
  get: route('GET', '/api/user/figures', {
    access: 'read',
    summary: 'What became of conversations with visitors in the last days, compared with the days before',
    query: {
      days: z.enum(figureSpans).default('30'),
      bot: uuid.optional(),
      channel: uuid.optional(),
      /** Conversations in which they have written to the visitor. */
      member: uuid.optional(),
    },
    reply: one(Figures),
  }),
};
