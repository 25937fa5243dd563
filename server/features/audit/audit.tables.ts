import type { Json } from '../../infra/db.types.ts';

/** Append-only. Names are kept as they were, since what they name may be gone. */
export interface AuditTable {
  uuid: string;
  created_at: number;
  action: string;
  user: string | null;
  actor: string;
  workspace: string | null;
  workspace_name: string;
  subject: string;
  details: Json;
  address: string;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    audit: AuditTable;
  }
}
