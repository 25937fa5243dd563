import { z } from 'zod';
import { optionalText, uuid } from './text.ts';

/** `limit` of a list; a page never holds more than a hundred. */
export const listQuery = {
  q: optionalText(200).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().max(500).optional(),
};

export const one = <T extends z.ZodType>(item: T) => z.object({ data: item });
export const many = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    meta: z.object({ nextCursor: z.string().nullable(), total: z.number().int().optional() }),
  });
export const ok = z.object({ ok: z.literal(true) });
export const done = { ok: true } as const;

/** Epoch milliseconds inside, ISO 8601 on the wire. */
export const moment = z.iso.datetime();
/** When something was made and when it was last changed, the same where it never changes: every thing with an id has both. */
export const moments = { createdAt: moment, updatedAt: moment };
export const byUuid = { uuid };
