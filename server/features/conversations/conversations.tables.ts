import type { ChannelKind } from '../../../shared/contracts/connections.ts';
import type { handoffReasons } from '../../../shared/contracts/inbox.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface ThreadTable extends Entity {
  workspace: string;
  /** Null where only people answer. */
  bot: string | null;
  user: string | null;
  /** The key that asked; its threads are apart from those of the person it belongs to. */
  api_key: string | null;
  channel: 'app' | ChannelKind;
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
  /** Whoever talks here through a channel, by which of their identities, and through which channel of its kind. */
  guest: string | null;
  identity: string | null;
  channel_id: string | null;
  assignee: string | null;
  /** Why it went to people. */
  reason: (typeof handoffReasons)[number] | null;
  waiting_since: number | null;
  snoozed_until: number | null;
  /** Until when whoever has only typed here is waited for; null where nobody has it, or they have done more. */
  typed_until: number | null;
  /** Messages of the guest that nobody of the team has seen. */
  unread: number;
  /** Up to where the guest has seen it. */
  seen_seq: number;
  last_text: string | null;
  last_role: MessageTable['role'] | null;
  last_author: string | null;
  last_at: number | null;
  /** The guest has begun another since. */
  left_at: number | null;
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
  /** Whoever of the team wrote it. */
  author: string | null;
  /** Only the team sees it. */
  internal: Flag;
  /** What happened, instead of a text. */
  happening: Json | null;
  sticker: Json | null;
  location: Json | null;
  /** The message that it refers to. */
  quotes: string | null;
  /** What a rich message was when it was sent. */
  rich: Json | null;
  /** Who of a group wrote it. */
  sender: Json | null;
  /** The model that has written down what was said; its text is that then. */
  heard: string | null;
  /** What became of it on its way to the guest. */
  delivery: 'queued' | 'sent' | 'delivered' | 'failed' | null;
  delivery_error: string | null;
  /** What the attempts to send it have kept, and with which messages it goes out. */
  sending: Json | null;
  /** With it the channel's servers, and whoever it was sent to, read what belongs to it. */
  link: string | null;
  /** What the channel or the guest's page calls it. */
  channel_key: string | null;
  /** 0: it is to be searched and is not yet; null: it is not. */
  indexed: Flag | null;
}

/** What figures are made of, for each conversation in which a visitor wrote; brought up to date before they are read. */
export interface ThreadFiguresTable {
  thread: string;
  workspace: string;
  /** The visitor's first message. */
  began_at: number;
  /** The thread's `updated_at` when it was counted. */
  counted_at: number;
  bot: string | null;
  channel_id: string;
  /** Answers that had none. */
  refused: number;
  /** The bot answered, and nobody was asked or wrote. */
  unaided: Flag;
  /** From the first message to the end of the first answer, whoever gave it. */
  answer_ms: number | null;
  /** From the hand-over, or else the last message before it, to the first answer of a person. */
  person_ms: number | null;
  ups: number;
  downs: number;
  /** Micro-credits. */
  cost: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    thread: ThreadTable;
    message: MessageTable;
    thread_figures: ThreadFiguresTable;
  }
}
