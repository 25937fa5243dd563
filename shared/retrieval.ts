import { z } from 'zod';

/** How passages are found for an answer. */
export const Retrieval = z.strictObject({
  /** How many passages the model gets. */
  passages: z.number().int().min(1).max(12),
  /** Which share of the question the best passage must have. */
  threshold: z.number().min(0).max(1),
});
export type Retrieval = z.output<typeof Retrieval>;

export const usualRetrieval: Retrieval = { passages: 6, threshold: 0.4 };
