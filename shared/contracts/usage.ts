import { z } from 'zod';
import { listQuery, moment } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';

/** Credits are counted in millionths; one credit is one US cent of list price times the operator's margin. */
export const microPerCredit = 1_000_000;

export const TokenEntry = z.object({
  uuid,
  kind: z.enum(['grant', 'use', 'purchase', 'refund', 'adjustment']),
  /** Micro-credits; what was used is negative, and 0 with one's own key. */
  amount: z.number().int(),
  /** Of the workspace, after this entry. */
  balance: z.number().int(),
  use: z
    .object({
      service: z.string(),
      serviceName: z.string(),
      ownKey: z.boolean(),
      bot: z.object({ uuid, name: z.string() }).nullable(),
      thread: uuid.nullable(),
      channel: z.string(),
      tokensIn: z.number().int(),
      tokensOut: z.number().int(),
      tokensCached: z.number().int(),
      /** Of `tokensIn`, what the provider put into its cache, where that has a price of its own. */
      tokensCacheWritten: z.number().int(),
      latencyMs: z.number().int(),
      firstTokenMs: z.number().int().nullable(),
    })
    .nullable(),
  createdAt: moment,
});
export type TokenEntry = z.output<typeof TokenEntry>;

export const usage = {
  history: route('GET', '/api/user/token/history', {
    summary: 'What was granted, bought and used, newest first; the balance in `meta`',
    access: 'read',
    query: { limit: listQuery.limit, cursor: listQuery.cursor, bot: uuid.optional() },
    reply: z.object({
      data: z.array(TokenEntry),
      meta: z.object({ nextCursor: z.string().nullable(), balance: z.number().int(), reserved: z.number().int() }),
    }),
  }),
};
