import type { currencies, PaymentFailure, PaymentState } from '../../../shared/contracts/payments.ts';
import type { Entity } from '../../infra/db.types.ts';

type Currency = (typeof currencies)[number];

/** `price` is in the smallest unit of the currency. */
export interface CreditPackageTable extends Entity {
  credits: number;
  price: number;
  currency: Currency;
  removed_at: number | null;
}

/** What was ordered stays as it was, whatever becomes of the package. */
export interface PaymentTable extends Entity {
  workspace: string;
  package: string;
  /** The caller's `Idempotency-Key`. */
  key: string;
  credits: number;
  amount: number;
  currency: Currency;
  gateway: string;
  gateway_id: string | null;
  state: PaymentState;
  failure: PaymentFailure | null;
  receipt: number | null;
  /** An operator wants it given back. */
  refund_reason: string | null;
}

/** The last number that was given. */
export interface PaymentReceiptTable {
  name: string;
  last: number;
}

export interface SandboxChargeTable {
  payment: string;
  created_at: number;
  updated_at: number;
  amount: number;
  currency: string;
  card: string | null;
  state: PaymentState;
  failure: PaymentFailure | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    credit_package: CreditPackageTable;
    payment: PaymentTable;
    payment_receipt: PaymentReceiptTable;
    sandbox_charge: SandboxChargeTable;
  }
}
