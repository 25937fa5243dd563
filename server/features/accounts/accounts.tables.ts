import type { Entity, Json } from '../../infra/db.types.ts';

export const ticketKinds = [
  'two-factor',
  'verify-email',
  'change-email',
  'reset-password',
  'google',
  'passkey',
  'export',
] as const;
export type TicketKind = (typeof ticketKinds)[number];

/** A one-time secret for a link or a step of signing in, until it expires; only its hash is kept. */
export interface TicketTable {
  hash: string;
  kind: TicketKind;
  user: string | null;
  /** That of the person when it was issued; 0 without one. */
  security_epoch: number;
  data: Json;
  attempts: number;
  expires_at: number;
  created_at: number;
}

export interface BackupCodeTable {
  user: string;
  hash: string;
}

export interface PasskeyTable extends Entity {
  user: string;
  name: string;
  credential_id: string;
  public_key: string;
  counter: number;
  transports: Json;
  last_used_at: number | null;
}

/** `subject` is the provider's own id of the person, which never changes; the email is only for show. */
export interface IdentityTable {
  provider: 'google';
  subject: string;
  user: string;
  email: string;
  created_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    ticket: TicketTable;
    backup_code: BackupCodeTable;
    passkey: PasskeyTable;
    identity: IdentityTable;
  }
}
