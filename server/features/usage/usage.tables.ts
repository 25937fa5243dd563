import type { capKinds, capSpans } from '../../../shared/contracts/billing.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

/** Micro-credits. `balance` is the sum of the workspace's entries; `reserved` the sum of its holds. */
export interface CreditAccountTable {
  workspace: string;
  balance: number;
  reserved: number;
}

/** What an answer on its way may cost at most. */
export interface CreditHoldTable {
  message: string;
  workspace: string;
  amount: number;
  /** Where a visitor asked. */
  channel_id: string | null;
  bot: string | null;
  member: string | null;
  api_key: string | null;
  created_at: number;
}

/** `claim` is a person's id, or the keyed hash of an address; `workspace`, which may be gone, got the grant. */
export interface CreditGrantTable {
  claim: string;
  workspace: string;
  created_at: number;
}

/** What an operator asked for with a key of theirs, once. */
export interface CreditRequestTable {
  operator: string;
  key: string;
  workspace: string;
  entry: string;
  created_at: number;
}

/** Append-only: grants, purchases and uses. Names are kept as they were, since what they name may be gone. */
export interface TokenEntryTable {
  uuid: string;
  created_at: number;
  workspace: string;
  kind: 'grant' | 'use' | 'image' | 'transcription' | 'purchase' | 'refund' | 'adjustment';
  amount: number;
  balance: number;
  message: string | null;
  thread: string | null;
  bot: string | null;
  bot_name: string | null;
  user: string | null;
  api_key: string | null;
  channel: string | null;
  /** Where a visitor asked. */
  channel_id: string | null;
  service: string | null;
  service_name: string | null;
  provider: string | null;
  model: string | null;
  model_key: string | null;
  own_key: Flag;
  price: Json | null;
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  tokens_cache_written: number;
  latency_ms: number | null;
  first_token_ms: number | null;
  note: string | null;
}

/** The entries of an hour that are alike, added up; an empty name for none. */
export interface TokenSumTable {
  workspace: string;
  /** Since 1970. */
  hour: number;
  bot: string;
  service: string;
  channel: string;
  channel_id: string;
  member: string;
  api_key: string;
  amount: number;
  answers: number;
  paid: number;
  free: number;
  /** When the last of them was. */
  last: number;
}

/** Entries of a workspace before `until` are in its sums. */
export interface TokenSummedTable {
  workspace: string;
  until: number;
}

/** What may be used in a day or a month, by the calendar of whoever has set it. */
export interface CreditCapTable extends Entity {
  workspace: string;
  kind: (typeof capKinds)[number];
  /** Of what the kind says; the workspace's own id for a cap of all of it. */
  target: string;
  span: (typeof capSpans)[number];
  /** Whole ones. */
  credits: number;
  timezone: string;
  /** Micro-credits, of the span that began on this day. */
  used: number;
  used_span: string;
  /** The first day of the span of which it was warned last. */
  warned: string | null;
}

/** The entry that a payment made, one of each kind; a whole refund from before there were partial ones has no id of its own. */
export interface CreditPurchaseTable {
  payment: string;
  kind: 'purchase' | 'refund' | `refund:${string}` | `dispute:${string}`;
  workspace: string;
  entry: string;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    credit_account: CreditAccountTable;
    credit_hold: CreditHoldTable;
    credit_grant: CreditGrantTable;
    credit_request: CreditRequestTable;
    token_entry: TokenEntryTable;
    token_sum: TokenSumTable;
    token_summed: TokenSummedTable;
    credit_cap: CreditCapTable;
    credit_purchase: CreditPurchaseTable;
  }
}
