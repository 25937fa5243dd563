import { z } from 'zod';
import { isStorable } from './text.ts';

/* What is said to somebody on LINE: https://developers.line.biz/en/reference/messaging-api/#message-objects */

/** A call takes no more. */
export const maxBubblesSaid = 5;
export const maxSaid = 5000;

/** One bubble: words, a rich message, or a picture that was uploaded for LINE. `{{name}}` in a text is whoever gets it. */
export const LineBubble = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('text'),
    text: z
      .string()
      .refine(isStorable, { message: 'not-storable', abort: true })
      .max(maxSaid)
      .trim()
      .refine((said) => said !== '', { message: 'empty' }),
  }),
]);
export type LineBubble = z.output<typeof LineBubble>;

export const LineContent = z.array(LineBubble).min(1).max(maxBubblesSaid);
export type LineContent = z.output<typeof LineContent>;
