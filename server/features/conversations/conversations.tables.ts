import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface ThreadTable extends Entity {
  workspace: string;
  bot: string;
  user: string | null;
  /** The key that asked; its threads are apart from those of the person it belongs to. */
  api_key: string | null;
  channel: 'app';
  title: string;
  status: 'bot' | 'waiting' | 'staff' | 'resolved' | 'snoozed';
  language: 'en' | 'ja';
  last_seq: number;
  /** The assistant message being written; a thread has one writer at a time. */
  running: string | null;
  /** The last message of the branch that is shown. */
  head: string | null;
  pinned_at: number | null;
  temporary: Flag;
  share_hash: string | null;
  deleted_at: number | null;
}

export interface MessageTable extends Entity {
  thread: string;
  seq: number;
  role: 'user' | 'assistant' | 'staff' | 'system';
  /** What it follows; messages with the same one are branches. */
  parent: string | null;
  text: string;
  reasoning: string;
  tools: Json;
  files: Json;
  feedback: Json | null;
  finish: 'stop' | 'length' | 'filter' | 'tools' | null;
  citations: Json;
  status: 'pending' | 'streaming' | 'done' | 'interrupted' | 'failed';
  error: Json | null;
  service: string | null;
  service_name: string | null;
  tokens_in: number;
  tokens_out: number;
  tokens_cached: number;
  /** Micro-credits. */
  cost: number;
  own_key: Flag;
  latency_ms: number | null;
  first_token_ms: number | null;
  /** What may be asked next; its list ends the text as well. */
  suggestions: Json | null;
  trace: Json | null;
  /** Who writes it and until when; a run past its lease belongs to a process that is gone. */
  lease_owner: string | null;
  lease_until: number | null;
  stop_requested: Flag;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    thread: ThreadTable;
    message: MessageTable;
  }
}
