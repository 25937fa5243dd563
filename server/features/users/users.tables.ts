import type { Entity, Flag } from '../../infra/db.types.ts';

export interface UserTable extends Entity {
  username: string;
  username_key: string;
  /** What customers see of them; nothing where they gave none, null until they were asked. */
  display_name: string | null;
  email: string;
  email_key: string;
  email_verified: Flag;
  password_hash: string | null;
  avatar: string | null;
  locale: 'en' | 'ja';
  timezone: string;
  is_operator: Flag;
  suspended_at: number | null;
  suspended_for: string | null;
  pending_email: string | null;
  /** Sealed; there from the first step, in force from `totp_since` on. `totp_step` is the last one that was used. */
  totp_secret: string | null;
  totp_since: number | null;
  totp_step: number | null;
  /** Rises when all that opens the account, or is about to, ends at once. */
  security_epoch: number;
}

/** `secret_hash` is the SHA-256 of what the session cookie carries since `rotated_at`, `previous_hash` that of what it carried before. */
export interface SessionTable extends Entity {
  user: string;
  secret_hash: string;
  previous_hash: string | null;
  /** The present secret, for another tab that renews with the previous one at the same moment. */
  sealed_secret: string | null;
  rotated_at: number;
  expires_at: number;
  last_seen_at: number;
  user_agent: string;
  address: string;
  method: 'password' | 'google' | 'passkey';
  /** When the person last confirmed who they are. */
  confirmed_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    user: UserTable;
    session: SessionTable;
  }
}
