import { z } from 'zod';
import { byUuid, listQuery, many, moment, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

export const paymentStates = [
  'created',
  'requires-action',
  'processing',
  'succeeded',
  'failed',
  'canceled',
  'refunded',
] as const;
export type PaymentState = (typeof paymentStates)[number];

const paymentFailures = [
  'declined',
  'insufficient-funds',
  'expired-card',
  'challenge-failed',
  'challenge-expired',
  'timeout',
] as const;
export type PaymentFailure = (typeof paymentFailures)[number];

export const currencies = ['JPY', 'USD'] as const;
export const sandboxVerdicts = ['approve', 'refuse', 'expire'] as const;

const sold = {
  /** Whole ones. */
  credits: z.number().int().min(1).max(10_000_000),
  /** In the smallest unit of the currency: yen, or US cents. */
  price: z.number().int().min(50).max(99_999_999),
  currency: z.enum(currencies),
};

const Package = z.object({ uuid, ...sold });
export type Package = z.output<typeof Package>;

const Payment = z.object({
  uuid,
  package: uuid,
  credits: sold.credits,
  /** In the smallest unit of the currency. */
  amount: z.number().int(),
  currency: sold.currency,
  /** No money moves. */
  sandbox: z.boolean(),
  state: z.enum(paymentStates),
  failure: z.enum(paymentFailures).nullable(),
  /** Of the receipt, without gaps in an installation. */
  receipt: z.number().int().nullable(),
  createdAt: moment,
});
export type Payment = z.output<typeof Payment>;

/** `balance` in micro-credits. */
const paymentAndBalance = z.object({ data: Payment, meta: z.object({ balance: z.number().int() }) });
const { limit, cursor } = listQuery;

export const payments = {
  list: route('GET', '/api/user/payment', {
    summary: 'Payments of the workspace, newest first',
    access: 'manage',
    query: { limit, cursor },
    reply: many(Payment),
  }),
  packages: route('GET', '/api/user/payment/packages', {
    summary: 'What credits are sold in, and whether they are sold; in a sandbox no money moves',
    access: 'manage',
    reply: z.object({ data: z.array(Package), meta: z.object({ open: z.boolean(), sandbox: z.boolean() }) }),
  }),
  create: route('POST', '/api/user/payment', {
    summary: 'Begin to buy a package; once for each `Idempotency-Key`',
    access: 'manage',
    body: z.strictObject({ package: uuid }),
    reply: one(Payment),
  }),
  get: route('GET', '/api/user/payment/:uuid', {
    summary: 'A payment as the gateway has it, and the balance',
    access: 'manage',
    params: byUuid,
    reply: paymentAndBalance,
  }),
  cancel: route('POST', '/api/user/payment/:uuid/cancel', {
    summary: 'Give up a payment that is not finished',
    access: 'manage',
    params: byUuid,
    reply: one(Payment),
  }),
  pay: route('POST', '/api/user/payment/:uuid/sandbox-card', {
    summary: 'Pay with a test card, in the sandbox',
    access: 'manage',
    params: byUuid,
    body: z.strictObject({
      number: z
        .string()
        .regex(/^\d{12,19}$/)
        .meta({ examples: ['4242424242424242'] }),
    }),
    reply: one(Payment),
  }),
  answer: route('POST', '/api/user/payment/:uuid/sandbox-challenge', {
    summary: "Answer the bank's question, in the sandbox",
    access: 'manage',
    params: byUuid,
    body: z.strictObject({ verdict: z.enum(sandboxVerdicts) }),
    reply: one(Payment),
  }),
  addPackage: route('POST', '/api/operator/package', {
    summary: 'Sell a package of credits; the price is in the smallest unit of its currency',
    access: 'operator',
    status: 201,
    body: z.strictObject(sold),
    reply: one(Package),
  }),
  removePackage: route('DELETE', '/api/operator/package/:uuid', {
    summary: 'Sell a package no longer',
    access: 'operator',
    params: byUuid,
    reply: ok,
  }),
  refund: route('POST', '/api/operator/payment/:uuid/refund', {
    summary: 'Give a payment back and take its credits',
    access: 'operator',
    params: byUuid,
    body: z.strictObject({ reason: text(200) }),
    reply: one(Payment),
  }),
};
