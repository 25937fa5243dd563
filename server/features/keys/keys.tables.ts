import type { Entity, Json } from '../../infra/db.types.ts';

export interface ApiKeyTable extends Entity {
  workspace: string;
  user: string;
  name: string;
  prefix: string;
  hash: string;
  scopes: Json;
  bots: Json | null;
  expires_at: number | null;
  last_used_at: number | null;
  revoked_at: number | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    api_key: ApiKeyTable;
  }
}
