import type { Visibility } from '../../../shared/contracts/bots.ts';
import type { Entity, Json } from '../../infra/db.types.ts';

export interface BotTable extends Entity {
  workspace: string;
  bot_group: string | null;
  name: string;
  description: string;
  avatar: string | null;
  /** What it shows where it has no picture. */
  mark: number;
  draft: Json;
  published_version: string | null;
  /** `private`: its editors; `workspace`: every member; `link` and `public`: whom its listing lets in, too. */
  visibility: Visibility;
  /** Who of the workspace may use it where it is for nobody else: what it goes back to. */
  inside: 'private' | 'workspace';
  /** By which it and what it was copied from are known, the nearest first; null where it was copied from nothing. */
  lineage: Json | null;
  created_by: string | null;
  deleted_at: number | null;
  deleted_by: string | null;
}

export interface BotVersionTable {
  uuid: string;
  bot: string;
  number: number;
  config: Json;
  note: string;
  published_by: string | null;
  created_at: number;
}

export interface BotGroupTable extends Entity {
  workspace: string;
  name: string;
  color: string;
  position: number;
}

/** What a bot's tools may send along; sealed. */
export interface BotSecretTable {
  bot: string;
  name: string;
  sealed: string;
  /** Where it may be sent: scheme, host and port. */
  origins: Json;
  updated_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    bot: BotTable;
    bot_version: BotVersionTable;
    bot_group: BotGroupTable;
    bot_secret: BotSecretTable;
  }
}
