import type {
  currencies,
  disputeStates,
  gatewayNames,
  HeldReason,
  PaymentFailure,
  PaymentState,
  refundStates,
  TopUpReason,
} from '../../../shared/contracts/payments.ts';
import type { Entity, Flag } from '../../infra/db.types.ts';

type Currency = (typeof currencies)[number];

/** `price` is in the smallest unit of the currency. */
export interface CreditPackageTable extends Entity {
  credits: number;
  price: number;
  currency: Currency;
  removed_at: number | null;
  /** Sold where no money moves only. */
  sandbox: Flag;
}

/** What was ordered stays as it was, whatever becomes of the package. Amounts are in the smallest unit of the currency. */
export interface PaymentTable extends Entity {
  /** Nothing once it was erased: what was paid stays in the books. */
  workspace: string | null;
  package: string;
  /** The caller's `Idempotency-Key`. */
  key: string;
  credits: number;
  amount: number;
  currency: Currency;
  gateway: (typeof gatewayNames)[number];
  gateway_id: string | null;
  /** Money moves. */
  live: Flag;
  state: PaymentState;
  failure: PaymentFailure | null;
  receipt: number | null;
  /** Such as "visa 4242". */
  method: string | null;
  /** The newest reason of those in `payment_hold` that nobody has seen to. */
  held: HeldReason | null;
  /** Nothing more comes of it at the gateway but refunds and disputes. */
  ended: Flag;
  /** The sum of its refunds, wanted or made, that have not failed; never more than the amount. */
  refund_asked: number;
  /** The sum of the refunds that were made. */
  refunded: number;
  /** What disputes took. */
  lost: number;
  /** Micro-credits that went with both. */
  taken_back: number;
  /** What it sets up once it is paid: with fewer credits than these the package is bought again by itself. */
  top_up_below: number | null;
  /** For how much in a month. */
  top_up_limit: number | null;
  /** Who ordered that. */
  top_up_by: string | null;
  /** The automatic top-up that made it, without anybody there. */
  top_up: string | null;
  /** When its gateway was last asked to charge a card that was kept. */
  asked_at: number | null;
}

/** The automatic top-up of a workspace. Amounts are in the smallest unit of the currency. */
export interface TopUpTable extends Entity {
  workspace: string;
  /** Who set it up, and whose card it is. */
  user: string | null;
  /** The purchase that set it up. */
  payment: string;
  package: string;
  /** Of the package, as they were agreed to. */
  credits: number;
  price: number;
  currency: Currency;
  below: number;
  month_limit: number;
  is_on: Flag;
  /** Why it is off, where nobody turned it off. */
  reason: TopUpReason | null;
  gateway: (typeof gatewayNames)[number];
  live: Flag;
  /** The gateway's ids of the card; nothing where it has none any more. */
  customer: string | null;
  method: string | null;
  /** Such as "visa 4242". */
  label: string | null;
  /** How many payments it has begun. */
  charges: number;
  /** The month, such as "2026-11", of which was told that its limit is reached. */
  full_month: string | null;
}

export interface PaymentRefundTable extends Entity {
  payment: string;
  amount: number;
  reason: string;
  state: (typeof refundStates)[number];
  gateway_id: string | null;
  /** What the gateway said when it refused. */
  refused: string | null;
  /** The operator's `Idempotency-Key`; none for what was given back at the gateway itself. */
  key: string | null;
  /** The number of its credit note. */
  note: number | null;
}

export interface PaymentDisputeTable {
  payment: string;
  /** The gateway's. */
  id: string;
  created_at: number;
  updated_at: number;
  amount: number;
  reason: string;
  state: (typeof disputeStates)[number];
}

/** Why a payment waits for an operator, or has waited: what was seen to once is not brought up again. */
export interface PaymentHoldTable {
  payment: string;
  reason: HeldReason;
  /** The gateway's id of the charge or the refund that it is about; empty where it is from before that was kept. */
  about: string;
  created_at: number;
  released_at: number | null;
}

/** An event of the gateway that has been worked on. */
export interface PaymentEventTable {
  id: string;
  created_at: number;
  type: string;
  payment: string | null;
}

/** What a receipt or a credit note says that may be otherwise tomorrow. */
export interface PaymentDocumentTable {
  payment: string;
  kind: 'receipt' | 'credit-note';
  number: number;
  /** Of a credit note. */
  refund: string | null;
  /** When money moved. */
  created_at: number;
  buyer: string;
  seller: string;
  address: string;
  registration: string;
}

/** The last number that was given. */
export interface PaymentReceiptTable {
  name: PaymentDocumentTable['kind'];
  last: number;
}

export interface SandboxChargeTable {
  payment: string;
  created_at: number;
  updated_at: number;
  amount: number;
  currency: string;
  card: string | null;
  state: Exclude<PaymentState, 'refunded'>;
  failure: PaymentFailure | null;
}

export interface SandboxRefundTable {
  refund: string;
  payment: string;
  created_at: number;
  amount: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    credit_package: CreditPackageTable;
    payment: PaymentTable;
    payment_refund: PaymentRefundTable;
    payment_dispute: PaymentDisputeTable;
    payment_hold: PaymentHoldTable;
    payment_event: PaymentEventTable;
    payment_document: PaymentDocumentTable;
    payment_receipt: PaymentReceiptTable;
    top_up: TopUpTable;
    sandbox_charge: SandboxChargeTable;
    sandbox_refund: SandboxRefundTable;
  }
}
