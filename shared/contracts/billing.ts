import { z } from 'zod';
import { byUuid, moment, moments, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';

export const capKinds = ['workspace', 'member', 'bot', 'channel', 'key'] as const;
export const capSpans = ['day', 'month'] as const;

/** Credits that may be used in a calendar day or month of whoever has set it; answers that begin after it are refused. */
export const CreditCap = z.object({
  uuid,
  kind: z.enum(capKinds),
  /** The member's, bot's, channel's or key's; null for all of the workspace. */
  target: uuid.nullable(),
  /** Of the target; null for all of the workspace, and where it is gone. */
  name: z.string().nullable(),
  span: z.enum(capSpans),
  credits: z.number().int(),
  /** Micro-credits of this day or month. */
  used: z.number().int(),
  /** What answers on their way may cost at most, in micro-credits. */
  held: z.number().int(),
  /** When it begins anew. */
  until: moment,
  ...moments,
});
export type CreditCap = z.output<typeof CreditCap>;

export const billing = {
  caps: route('GET', '/api/user/token/caps', {
    summary: 'What the workspace, its members, bots, channels and keys may use in a day or a month, and what they have',
    access: 'manage',
    scope: null,
    reply: z.object({ data: z.array(CreditCap) }),
  }),
  putCap: route('POST', '/api/user/token/cap', {
    summary: 'Set what may be used; where there is such a cap, it is changed',
    access: 'manage',
    scope: null,
    body: z.strictObject({
      kind: z.enum(capKinds),
      target: uuid.nullable(),
      span: z.enum(capSpans),
      credits: z.number().int().min(0).max(1_000_000_000),
    }),
    reply: one(CreditCap),
  }),
  removeCap: route('DELETE', '/api/user/token/cap/:uuid', {
    summary: 'Remove it',
    access: 'manage',
    scope: null,
    params: byUuid,
    reply: ok,
  }),
};
