import type { MailWish } from '../../../shared/contracts/notices.ts';
import type { Entity } from '../../infra/db.types.ts';

/** A browser that is told, for as long as its session lasts. */
export interface PushSubscriptionTable extends Entity {
  user: string;
  session: string;
  endpoint_hash: string;
  /** Sealed: whoever has it may write to the browser. */
  target: string;
}

export interface NoticeSettingTable {
  user: string;
  mail: MailWish;
  quiet_from: string | null;
  quiet_to: string | null;
}

/** A thread for which a mail was written, until somebody of the team has read it. */
export interface NoticeThreadTable {
  thread: string;
  mailed_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    push_subscription: PushSubscriptionTable;
    notice_setting: NoticeSettingTable;
    notice_thread: NoticeThreadTable;
  }
}
