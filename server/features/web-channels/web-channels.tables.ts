import type { Entity, Json } from '../../infra/db.types.ts';

/** Its name, and which bot answers, are its connection's. */
export interface WebChannelTable extends Entity {
  workspace: string;
  settings: Json;
  /** The picture of the settings. */
  avatar: string | null;
  /** Sealed: with it a site proves who its visitor is. */
  secret: string | null;
  /** When a page last showed the widget, and on which host. */
  seen_at: number | null;
  seen_on: string | null;
  /** The public page of a bot that it is part of; no list of websites has it. */
  listing: string | null;
}

/** What a channel that was deleted had promised of its conversations, until there are none. */
export interface GoneChannelTable extends Entity {
  workspace: string;
  retention_days: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    web_channel: WebChannelTable;
    gone_channel: GoneChannelTable;
  }
}
