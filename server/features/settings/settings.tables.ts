import type { Entity, Json } from '../../infra/db.types.ts';

export interface SettingTable {
  name: string;
  value: Json;
}

/** A private address that an operator has allowed, as `host:port`. */
export interface AllowedHostTable extends Entity {
  host: string;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    setting: SettingTable;
    allowed_host: AllowedHostTable;
  }
}
