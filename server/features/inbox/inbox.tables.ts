import type { Entity } from '../../infra/db.types.ts';

export interface CannedReplyTable extends Entity {
  workspace: string;
  shortcut: string;
  title: string;
  text: string;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    canned_reply: CannedReplyTable;
  }
}
