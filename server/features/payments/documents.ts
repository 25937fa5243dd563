import { z } from 'zod';
import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import { findWorkspaceName } from '../workspaces/memberships.ts';
import { insertDocument, nextNumber } from './payments.store.ts';
import type { PaymentDocumentTable } from './payments.tables.ts';

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

interface Numbered {
  kind: PaymentDocumentTable['kind'];
  payment: string;
  workspace: string | null;
  /** Of a credit note. */
  refund?: string;
}

/** Gives a receipt or a credit note its number, and keeps who sold to whom on that day. The number is used up only if the transaction is. */
export async function numberDocument(
  { config }: Pick<Context, 'config'>,
  trx: Trx,
  { kind, payment, workspace, refund }: Numbered,
): Promise<number> {
  const number = await nextNumber(trx, kind);
  await insertDocument(trx, {
    payment,
    kind,
    number,
    refund: refund ?? null,
    created_at: Date.now(),
    buyer: (workspace && (await findWorkspaceName(trx, workspace))) || '',
    seller: config.declared['BILLING_NAME'] ?? '',
    address: config.declared['BILLING_ADDRESS'] ?? '',
    registration: config.declared['BILLING_REGISTRATION_NUMBER'] ?? '',
  });
  return number;
}
