import { z } from 'zod';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import { route } from '../route.ts';
import type paymentsServer from '../locales/en/payments-server.json';
import { locales } from './accounts.ts';
import { text, uuid } from '../text.ts';

declare module '../texts.ts' {
  interface Texts {
    'payments-server': typeof paymentsServer;
  }
}

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

/** Why a payment waits for an operator: what its gateway says of it is not what was ordered, or there is nobody to give the credits to. */
export const heldReasons = ['price-differs', 'other-charge', 'workspace-gone', 'refund-undone'] as const;
export type HeldReason = (typeof heldReasons)[number];

export const refundStates = ['wanted', 'pending', 'succeeded', 'failed'] as const;
export const disputeStates = ['open', 'won', 'lost'] as const;
export const gatewayNames = ['sandbox', 'stripe'] as const;

/** Why an automatic top-up is off though nobody turned it off. */
export const topUpReasons = [
  ...paymentFailures,
  'package-gone',
  'canceled',
  'gateway-gone',
  'buyer-gone',
  'no-card',
  'refunded',
  'disputed',
] as const;
export type TopUpReason = (typeof topUpReasons)[number];

export const currencies = ['JPY', 'USD'] as const;
export const sandboxVerdicts = ['approve', 'refuse', 'expire'] as const;

const sold = {
  /** Whole ones. */
  credits: z.number().int().min(1).max(10_000_000),
  /** In the smallest unit of the currency: yen, or US cents. */
  price: z.number().int().min(50).max(99_999_999),
  currency: z.enum(currencies),
};

const Package = z.object({ uuid, ...sold, ...moments });
export type Package = z.output<typeof Package>;

/** Amounts are in the smallest unit of the payment's currency. */
const Refund = z.object({
  uuid,
  amount: z.number().int(),
  state: z.enum(refundStates),
  /** Of the credit note, without gaps in an installation. */
  note: z.number().int().nullable(),
  createdAt: moment,
  updatedAt: moment,
});

const Payment = z.object({
  uuid,
  package: uuid,
  /** Bought by the automatic top-up, without anybody there. */
  automatic: z.boolean(),
  credits: sold.credits,
  /** In the smallest unit of the currency. */
  amount: z.number().int(),
  currency: sold.currency,
  gateway: z.enum(gatewayNames),
  /** No money moves. */
  sandbox: z.boolean(),
  state: z.enum(paymentStates),
  failure: z.enum(paymentFailures).nullable(),
  /** Of the receipt, without gaps in an installation. */
  receipt: z.number().int().nullable(),
  /** What was given back of the amount. */
  refunded: z.number().int(),
  refunds: z.array(Refund),
  createdAt: moment,
  updatedAt: moment,
});
export type Payment = z.output<typeof Payment>;

/** As whoever runs the installation sees it. */
const OperatedPayment = Payment.extend({
  /** Nothing once it was erased. */
  workspace: z.object({ uuid, name: z.string() }).nullable(),
  gatewayId: z.string().nullable(),
  /** What was paid with, such as "visa 4242". */
  method: z.string().nullable(),
  held: z.enum(heldReasons).nullable(),
  /** What can still be given back, in the smallest unit of the currency. */
  refundable: z.number().int(),
});
export type OperatedPayment = z.output<typeof OperatedPayment>;

const PaymentDetails = OperatedPayment.extend({
  /** Everything that it waits for, the newest first. */
  holds: z.array(
    z.object({
      reason: z.enum(heldReasons),
      /** The gateway's id of the charge or the refund that it is about, where it is known. */
      about: z.string().nullable(),
      createdAt: moment,
    }),
  ),
  refunds: z.array(
    Refund.extend({ reason: z.string(), gatewayId: z.string().nullable(), refused: z.string().nullable() }),
  ),
  disputes: z.array(
    z.object({
      id: z.string(),
      amount: z.number().int(),
      reason: z.string(),
      state: z.enum(disputeStates),
      createdAt: moment,
    }),
  ),
  events: z.array(z.object({ id: z.string(), type: z.string(), createdAt: moment })),
});
export type PaymentDetails = z.output<typeof PaymentDetails>;

const topUpTerms = {
  /** Whole credits: with fewer the package is bought. */
  below: z.number().int().min(1).max(1_000_000),
  /** What may be paid by itself in a month of UTC, in the smallest unit of the package's currency; at least its price. */
  monthLimit: z.number().int().min(50).max(99_999_999),
};

/** A package that is bought again by itself. */
const TopUp = z.object({
  package: uuid,
  ...sold,
  ...topUpTerms,
  on: z.boolean(),
  /** Why it is off, where nobody turned it off. */
  reason: z.enum(topUpReasons).nullable(),
  /** What it pays with, such as "visa 4242"; nothing once there is no card. */
  card: z.string().nullable(),
  /** What was paid by itself in this month of UTC, and what is on its way. */
  spent: z.number().int(),
  sandbox: z.boolean(),
});
export type TopUp = z.output<typeof TopUp>;

/** `balance` in micro-credits. */
const paymentAndBalance = z.object({ data: Payment, meta: z.object({ balance: z.number().int() }) });
const { q, limit, cursor } = listQuery;
/** The caller's language without one. */
const inLocale = { locale: z.enum(locales).optional() };

export const payments = {
  list: route('GET', '/api/user/payment', {
    summary: 'Payments of the workspace, newest first',
    access: 'manage',
    query: { limit, cursor },
    reply: many(Payment),
  }),
  packages: route('GET', '/api/user/payment/packages', {
    summary: 'What credits are sold in, whether they are sold, and how; in a sandbox no money moves',
    access: 'manage',
    reply: z.object({
      data: z.array(Package),
      meta: z.object({
        open: z.boolean(),
        sandbox: z.boolean(),
        gateway: z.enum(gatewayNames),
        /** With which a page of ours opens the gateway's form. */
        publishableKey: z.string().nullable(),
      }),
    }),
  }),
  create: route('POST', '/api/user/payment', {
    summary:
      'Begin to buy a package; once for each `Idempotency-Key`. With `topUp` it is bought again by itself from then on, once this payment has succeeded',
    access: 'manage',
    body: z.strictObject({ package: uuid, topUp: z.strictObject(topUpTerms).optional() }),
    reply: z.object({
      data: Payment,
      /** With the secret, the gateway's form pays this payment, and nothing else. */
      meta: z.object({ clientSecret: z.string().nullable() }),
    }),
  }),
  topUp: route('GET', '/api/user/payment/top-up', {
    summary: 'The automatic top-up of the workspace, or null where none was set up',
    access: 'manage',
    reply: one(TopUp.nullable()),
  }),
  changeTopUp: route('PUT', '/api/user/payment/top-up', {
    summary: 'Change the automatic top-up, or turn it on or off; the package is one in the same currency',
    access: 'manage',
    body: z.strictObject({
      package: uuid.optional(),
      below: topUpTerms.below.optional(),
      monthLimit: topUpTerms.monthLimit.optional(),
      on: z.boolean().optional(),
    }),
    reply: one(TopUp),
  }),
  forgetTopUp: route('DELETE', '/api/user/payment/top-up', {
    summary: 'End the automatic top-up, and have the gateway forget its card',
    access: 'manage',
    reply: ok,
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
  receipt: route('GET', '/api/user/payment/:uuid/receipt', {
    summary: 'The receipt of a payment as PDF',
    access: 'manage',
    kind: 'file',
    params: byUuid,
    query: inLocale,
  }),
  creditNote: route('GET', '/api/user/payment/:uuid/refund/:refund', {
    summary: 'The credit note of a refund as PDF',
    access: 'manage',
    kind: 'file',
    params: { ...byUuid, refund: uuid },
    query: inLocale,
  }),
  everyPackage: route('GET', '/api/operator/package', {
    summary: 'What credits are sold in; those of the sandbox are sold there only',
    access: 'operator',
    reply: z.object({ data: z.array(Package.extend({ sandbox: z.boolean() })) }),
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
  everyPayment: route('GET', '/api/operator/payment', {
    summary: 'Payments of every workspace, newest first, by state, workspace, receipt number or id at the gateway',
    access: 'operator',
    query: { q, limit, cursor, state: z.enum([...paymentStates, 'held', 'disputed']).optional() },
    reply: many(OperatedPayment),
  }),
  months: route('GET', '/api/operator/payment/months', {
    summary:
      'What was paid and given back in each of the last twelve months of UTC, by currency; those of sandboxes apart',
    access: 'operator',
    reply: z.object({
      data: z.array(
        z.object({
          month: z.string(),
          currency: sold.currency,
          sandbox: z.boolean(),
          payments: z.number().int(),
          paid: z.number().int(),
          refunded: z.number().int(),
        }),
      ),
    }),
  }),
  details: route('GET', '/api/operator/payment/:uuid', {
    summary: 'A payment with its refunds, disputes and events, as the gateway has it',
    access: 'operator',
    params: byUuid,
    reply: one(PaymentDetails),
  }),
  release: route('POST', '/api/operator/payment/:uuid/release', {
    summary: 'Say that a held payment has been seen to',
    access: 'operator',
    params: byUuid,
    reply: one(PaymentDetails),
  }),
  operatedReceipt: route('GET', '/api/operator/payment/:uuid/receipt', {
    summary: 'The receipt of a payment as PDF, whether its workspace is still there or not',
    access: 'operator',
    kind: 'file',
    params: byUuid,
    query: inLocale,
  }),
  operatedCreditNote: route('GET', '/api/operator/payment/:uuid/refund/:refund', {
    summary: 'The credit note of a refund as PDF, likewise',
    access: 'operator',
    kind: 'file',
    params: { ...byUuid, refund: uuid },
    query: inLocale,
  }),
  refund: route('POST', '/api/operator/payment/:uuid/refund', {
    summary:
      'Give back a payment, or a part of it, with as much of its credits; once for each `Idempotency-Key`. Without an amount, all that is left',
    access: 'operator',
    params: byUuid,
    body: z.strictObject({ reason: text(200), amount: z.number().int().min(1).max(99_999_999).optional() }),
    reply: one(Payment),
  }),
};
