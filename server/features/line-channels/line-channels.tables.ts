import type { LineWebhook, lineEventStates, lineVerdicts, lineWays } from '../../../shared/contracts/line-channels.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

/** Its name, and which bot answers, are its connection's. */
export interface LineChannelTable extends Entity {
  workspace: string;
  /** By it LINE's requests find the channel before anything that they say is believed. */
  key: string;
  line_id: string;
  /** What LINE names as the destination of events. */
  bot_user: string;
  /** Sealed. */
  secret: string;
  basic_id: string;
  avatar: string | null;
  chat_mode: 'chat' | 'bot';
  settings: Json;
  /** Where LINE sends its events, and whether it does. */
  registered: string | null;
  webhook_active: Flag | null;
  tested_at: number | null;
  test: Json | null;
  checked_at: number | null;
  quota: Json | null;
  quota_at: number | null;
  /** When LINE last refused the secret, or a request was not signed with it. */
  secret_failed_at: number | null;
  /** When an event for another account last arrived. */
  strayed_at: number | null;
  last_event_at: number | null;
  /** Requests in a row that were not signed with the secret. */
  refused: number;
}

export type StoredTest = Omit<NonNullable<LineWebhook['test']>, 'at'>;

export interface LineRequestTable extends Entity {
  workspace: string | null;
  channel: string;
  headers: Json;
  verdict: (typeof lineVerdicts)[number];
  /** Null where `body` has them all. */
  bytes: number | null;
  times: number;
  /** As it came: it is signed, so it is text. */
  body: string;
  events: number;
  ms: number;
}

export interface LineEventTable extends Entity {
  workspace: string | null;
  channel: string;
  request: string;
  /** LINE's own id of it. */
  line_id: string;
  type: string;
  kind: string | null;
  /** The person, group or room; empty where it is nobody's. */
  chat: string;
  mode: string;
  raw: Json;
  line_at: number;
  redelivered: Flag;
  reply_token: string | null;
  /** When the token came, the last time. */
  token_at: number;
  token_used_at: number | null;
  state: (typeof lineEventStates)[number];
  reason: string | null;
  attempts: number;
  /** When it is tried next, while it waits. */
  due_at: number;
  thread: string | null;
  guest: string | null;
  message: string | null;
  /** The hash of the nonce with which an account was linked, as no other event may. */
  nonce: string | null;
  way: (typeof lineWays)[number] | null;
  done_at: number | null;
  /** What is known of what was said in a voice, until its message is there. */
  voice: Json | null;
}

/** What LINE calls a message, and what is to be known of it before or after it is there. */
export interface LineMessageTable {
  channel: string;
  line_id: string;
  message: string | null;
  thread: string | null;
  /** Which of the message's files it is, of one that came in several parts. */
  file: string | null;
  quote_token: string | null;
  /** By which LINE is told that it was read; gone once it is. */
  read_token: string | null;
  /** LINE's time of the last edit that counts. */
  edited_at: number | null;
  /** Taken back by whoever sent it. */
  unsent_at: number | null;
  created_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    line_channel: LineChannelTable;
    line_request: LineRequestTable;
    line_event: LineEventTable;
    line_message: LineMessageTable;
  }
}
