import type { Entity } from '../../infra/db.types.ts';

/** `body` is sealed, and gone once the mail was sent. */
export interface MailTable extends Entity {
  kind: string;
  recipient: string;
  subject: string;
  locale: 'en' | 'ja';
  body: string | null;
  state: 'queued' | 'sent' | 'failed' | 'kept';
  error: string | null;
  sent_at: number | null;
  /** The conversation that it tells of, and with which it goes. */
  thread: string | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    mail: MailTable;
  }
}
