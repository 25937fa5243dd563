import { z } from 'zod';
import { listQuery, moment, moments, one } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';

/** Credits are counted in millionths; one credit is one US cent of list price times the operator's margin. */
export const microPerCredit = 1_000_000;

export const entryKinds = ['grant', 'use', 'image', 'transcription', 'purchase', 'refund', 'adjustment'] as const;

export const TokenEntry = z.object({
  uuid,
  kind: z.enum(entryKinds),
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
  /** Why an operator gave or took credits. */
  reason: z.string().nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type TokenEntry = z.output<typeof TokenEntry>;

const Choice = z.object({ uuid, name: z.string() });

export const Usage = z.object({
  days: z.array(z.string()),
  /** The four that used most, by what was asked, what belongs to none, and `other` for the rest; a value for each day. */
  series: z.array(
    z.object({
      uuid: uuid.nullable(),
      name: z.string(),
      other: z.boolean(),
      /** Micro-credits. */
      amounts: z.array(z.number().int()),
      answers: z.array(z.number().int()),
    }),
  ),
  total: z.object({
    /** Micro-credits. */
    amount: z.number().int(),
    answers: z.number().int(),
    /** Answers that cost credits. */
    paid: z.number().int(),
    /** Answers that cost nothing and needed no key. */
    free: z.number().int(),
  }),
  /** What there is to narrow it by, whatever it is narrowed by now. */
  choices: z.object({ bots: z.array(Choice), services: z.array(Choice), channels: z.array(z.string()) }),
});
export type Usage = z.output<typeof Usage>;

const credits = z.number().min(0);
const rates = { in: credits, out: credits, cached: credits };

/** What a model costs under the operator's key, in credits. */
export const CreditPrice = z.object({
  uuid,
  /** May end in " (tag)". */
  name: z.string(),
  avatar: z.object({ url: z.string() }),
  /** Nobody's key is needed, the operator's is paid with credits, or the workspace has its own, which costs none. */
  key: z.enum(['none', 'operator', 'workspace']),
  /** Of a million tokens; null where it is priced by the picture. */
  tokens: z.object({ ...rates, long: z.object({ above: z.number().int(), ...rates }).nullable() }).nullable(),
  /** Of one picture of the usual size. */
  image: credits.nullable(),
  pricedAt: z.iso.date().nullable(),
  ...moments,
});
export type CreditPrice = z.output<typeof CreditPrice>;

export const usedBy = ['service', 'bot', 'channel', 'member', 'key'] as const;
export type UsedBy = (typeof usedBy)[number];

/** The longest span that is added up by day. */
export const mostDays = 92;

/** Calendar days in the caller's time zone, both of them meant. */
const span = { from: z.iso.date(), until: z.iso.date() };
const ofUses = { bot: uuid.optional(), service: uuid.optional(), channel: z.string().min(1).max(20).optional() };
const ofEntries = {
  from: span.from.optional(),
  until: span.until.optional(),
  ...ofUses,
  kind: TokenEntry.shape.kind.optional(),
  /** `without`: no answers that cost nothing and needed no key, as those of the built-in model. */
  free: z.enum(['with', 'without']).default('with'),
};

export const usage = {
  history: route('GET', '/api/user/token/history', {
    summary: 'What was granted, bought and used, newest first; the balance in `meta`',
    access: 'read',
    query: { limit: listQuery.limit, cursor: listQuery.cursor, ...ofEntries },
    reply: z.object({
      data: z.array(TokenEntry),
      meta: z.object({ nextCursor: z.string().nullable(), balance: z.number().int(), reserved: z.number().int() }),
    }),
  }),
  exportHistory: route('GET', '/api/user/token/history/export', {
    summary: 'The token history as CSV, narrowed by the same filters',
    access: 'read',
    kind: 'file',
    query: ofEntries,
  }),
  prices: route('GET', '/api/user/token/prices', {
    summary: 'What the models that answer here cost, in credits',
    access: 'read',
    reply: one(z.array(CreditPrice)),
  }),
  byDay: route('GET', '/api/user/token/usage', {
    summary: 'What answers and pictures used on each day of at most 92, by model, bot, channel, member or API key',
    access: 'read',
    query: { ...span, by: z.enum(usedBy).default('service'), ...ofUses },
    reply: one(Usage),
  }),
};
