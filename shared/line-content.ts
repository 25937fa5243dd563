import { z } from 'zod';
import { maxBubblesSaid, maxSaid } from './rich-line.ts';
import { isStorable, uuid } from './text.ts';

export { maxBubblesSaid, maxSaid };

/* What is said to somebody on LINE: https://developers.line.biz/en/reference/messaging-api/#message-objects */

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
  z.strictObject({ type: z.literal('rich'), message: uuid }),
  z.strictObject({ type: z.literal('image'), file: uuid }),
]);
export type LineBubble = z.output<typeof LineBubble>;

export const LineContent = z.array(LineBubble).min(1).max(maxBubblesSaid);
export type LineContent = z.output<typeof LineContent>;

/** What a message keeps of a rich message, so that later changes do not change what was sent. */
export const RichSnapshot = z.object({
  /** The rich message that it was; of a plain picture its own. */
  uuid,
  name: z.string(),
  kind: z.enum(['imagemap', 'cards', 'coupon', 'flex', 'image']),
  /** What stands for it where it cannot be shown. */
  alt: z.string(),
  /** LINE's message object. */
  line: z.looseObject({ type: z.string() }),
});
export type RichSnapshot = z.output<typeof RichSnapshot>;

/** What is still to be filled in: templates have `[[a link]]` where only the maker knows what belongs. */
export const blanksIn = (said: string): { said: string; from: number }[] =>
  [...said.matchAll(/\[\[([^[\]\n]{1,80})\]\]/g)].map(({ 1: blank = '', index }) => ({ said: blank, from: index }));

export const isUnfinished = (bubble: LineBubble): boolean => bubble.type === 'text' && blanksIn(bubble.text).length > 0;
