import type { Entity } from '../../infra/db.types.ts';

export interface CannedReplyTable extends Entity {
  workspace: string;
  shortcut: string;
  title: string;
  text: string;
}

/** A member whom a note names, as it was written there. */
export interface MentionTable {
  message: string;
  user: string;
  thread: string;
  workspace: string;
  name: string;
  seen_at: number | null;
  created_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    canned_reply: CannedReplyTable;
    mention: MentionTable;
  }
}
