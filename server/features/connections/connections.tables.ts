import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface ConnectionTable extends Entity {
  workspace: string;
  /** That of its channel. */
  name: string;
  channel: ChannelKind;
  channel_id: string;
  bot: string | null;
  active: Flag;
  settings: Json;
  /** Its channel is part of something else, so no list of connections has it. */
  hidden: Flag;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    connection: ConnectionTable;
  }
}
