import type { Entity, Json } from '../../infra/db.types.ts';

export interface UnansweredTable extends Entity {
  workspace: string;
  bot: string;
  question: string;
  /** Keys of its terms, by which questions alike are found. */
  terms: Json;
  reason: 'refused' | 'disliked';
  status: 'open' | 'answered' | 'dismissed';
  count: number;
  /** When it was asked last. */
  asked_at: number;
  /** The document and the chunk that the last answer was written into, by whom and when. */
  answer_document: string | null;
  answer_chunk: string | null;
  answered_by: string | null;
  answered_at: number | null;
}

/** One time that it was asked; the message is the answer that was none. */
export interface UnansweredCaseTable {
  unanswered: string;
  message: string;
  thread: string;
  question: string;
  created_at: number;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    unanswered: UnansweredTable;
    unanswered_case: UnansweredCaseTable;
  }
}
