import type { Entity } from '../../infra/db.types.ts';

export interface FileTable extends Entity {
  workspace: string | null;
  user: string | null;
  /** The visitor who attached it. */
  guest: string | null;
  kind: 'avatar' | 'document' | 'attachment' | 'menu' | 'rich' | 'image';
  name: string;
  mime: string;
  bytes: number;
  sha256: string;
  storage_key: string;
  /** When a message first named it, for attachments. */
  sent_at: number | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    file: FileTable;
  }
}
