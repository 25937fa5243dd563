import { z } from 'zod';

/* What requests of both of OpenAI's calls are made of. */

export const notAvailable = 'not-available';
const isAbsent = (value: unknown) => value === undefined || value === null;
export const absent = z.unknown().refine(isAbsent, notAvailable).optional();
/** What would need an earlier answer, of which nothing is kept. */
export const unkept = z.unknown().refine(isAbsent, 'nothing-kept').optional();

export const temperature = z.number().min(0).max(2).nullish();
export const topP = z.number().min(0).max(1).nullish();
export const reasoningEffort = z.enum(['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']).nullish();

export const describedFunction = {
  name: z.string().regex(/^[A-Za-z0-9_-]{1,64}$/),
  description: z.string().max(10_000).nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
};
