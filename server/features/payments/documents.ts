import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { ConfigError, type Config } from '../../infra/config.ts';
import type { Trx } from '../../infra/db.ts';
import { createLine } from '../../infra/line.ts';
import type { Caller } from '../../infra/http.ts';
import { findWorkspaceName } from '../workspaces/memberships.ts';
import { findDocument, findPayment, findRefund, insertDocument, nextNumber } from './payments.store.ts';
import type { PaymentDocumentTable } from './payments.tables.ts';
import { printReceipt } from './receipt-pdf.ts';

export const billingSettings = {
  BILLING_NAME: z.string().max(200).optional().meta({ description: 'Who sells credits, as receipts name them.' }),
  BILLING_ADDRESS: z.string().max(500).optional().meta({ description: 'Their address, on receipts.' }),
  BILLING_REGISTRATION_NUMBER: z
    .string()
    .regex(/^T\d{13}$/, 'A registration number is T and 13 digits.')
    .optional()
    .meta({
      description:
        'Their number as an issuer of qualified invoices in Japan, T and 13 digits: receipts in yen have the fields of one then, with 10 % tax included.',
    }),
};

/** Throws `ConfigError` where receipts would call themselves qualified invoices without saying of whom. */
export function checkBilling({ declared }: Pick<Config, 'declared'>): void {
  if (declared['BILLING_REGISTRATION_NUMBER'] && !declared['BILLING_NAME'])
    throw new ConfigError(
      'BILLING_NAME: BILLING_REGISTRATION_NUMBER needs it as well, or receipts would be no invoices.',
    );
}

interface Numbered {
  kind: PaymentDocumentTable['kind'];
  payment: string;
  workspace: string | null;
  /** Of a credit note. */
  refund?: string;
  /** When money moved, which is the date that it has; epoch milliseconds. */
  at: number;
}

/** Gives a receipt or a credit note its number, and keeps who sold to whom on that day. The number is used up only if the transaction is. */
export async function numberDocument(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  { kind, payment, workspace, refund, at }: Numbered,
): Promise<number> {
  const number = await nextNumber(trx, kind);
  await insertDocument(trx, {
    payment,
    kind,
    number,
    refund: refund ?? null,
    created_at: at,
    buyer: (workspace && (await findWorkspaceName(trx, workspace))) || '',
    seller: config.declared['BILLING_NAME'] ?? '',
    address: config.declared['BILLING_ADDRESS'] ?? '',
    registration: config.declared['BILLING_REGISTRATION_NUMBER'] ?? '',
  });
  return number;
}

// Each takes a core for a tenth of a second; between two others are served.
const inLine = createLine({ atOnce: 1, maxWaiting: 20 });

interface Wanted {
  uuid: string;
  /** Of a credit note. */
  refund?: string;
  locale: Locale;
  /** Whoever runs the installation reads those of all workspaces. */
  isOperator: boolean;
}

/** A receipt or a credit note as PDF, dated where it was sold. Throws `payment-not-found` and `receipt-not-found`. */
export async function readDocument(
  { db, config }: Context,
  caller: Caller,
  { uuid, refund, locale, isOperator }: Wanted,
): Promise<{ name: string; bytes: Buffer }> {
  const payment = await findPayment(db, uuid);
  if (!payment || (!isOperator && payment.workspace !== caller.workspace)) throw new AppError('payment-not-found');
  const [found, receipt, given] = await Promise.all([
    findDocument(db, uuid, refund),
    findDocument(db, uuid, undefined),
    refund === undefined ? undefined : findRefund(db, refund),
  ]);
  if (!found || !receipt || (refund !== undefined && given?.payment !== uuid)) throw new AppError('receipt-not-found');
  const { kind, number, created_at: issuedAt, buyer } = found;
  const bytes = await inLine(async () => {
    await setImmediate();
    return printReceipt({
      kind,
      number,
      locale,
      // One document has one date, whoever reads it: it decides for which year it counts.
      timezone: payment.currency === 'JPY' ? 'Asia/Tokyo' : 'UTC',
      issuedAt,
      buyer,
      // What was not set on that day may be set now.
      seller: found.seller || (config.declared['BILLING_NAME'] ?? ''),
      address: found.address || (config.declared['BILLING_ADDRESS'] ?? ''),
      registration: found.registration,
      credits: payment.credits,
      amount: given?.amount ?? payment.amount,
      currency: payment.currency,
      method: payment.method,
      isAutomatic: payment.top_up !== null,
      order: uuid,
      isSandbox: payment.live === 0,
      ...(given && {
        receipt: { number: receipt.number, issuedAt: receipt.created_at, amount: payment.amount },
        reason: given.reason,
      }),
    });
  });
  return { name: `${kind}-${number}.pdf`, bytes };
}
