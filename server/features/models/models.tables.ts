import type { Entity, Flag, Json } from '../../infra/db.types.ts';

/** A workspace's own key of a model provider. `sealed` is null where the server wants none; `models` is what it opened, `abilities` what people say of them. */
export interface ModelKeyTable extends Entity {
  workspace: string;
  provider: string;
  name: string;
  base_url: string | null;
  sealed: string | null;
  hint: string;
  state: 'ready' | 'rejected' | 'exhausted' | 'unreachable';
  message: string | null;
  models: Json;
  /** Names of models that people gave, where its server has no list. */
  named: string;
  abilities: Json;
  checked_at: number;
  last_used_at: number | null;
}

/** What the operator changed of a service; `added` is the whole of one that the list does not have. */
export interface ServiceSettingTable extends Omit<Entity, 'uuid'> {
  service: string;
  hidden: Flag;
  name: string | null;
  price: Json | null;
  capabilities: Json | null;
  context_tokens: number | null;
  added: Json | null;
  /** When the price was set. */
  priced_at: number | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    model_key: ModelKeyTable;
    service_setting: ServiceSettingTable;
  }
}
