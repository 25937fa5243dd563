import type { Json } from '../../infra/db.types.ts';

export interface SettingTable {
  name: string;
  value: Json;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    setting: SettingTable;
  }
}
