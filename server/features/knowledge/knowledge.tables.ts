import type { Generated } from 'kysely';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

/** `key` is the small number under which the keyword index files a base. */
export interface KnowledgeTable extends Entity {
  key: Generated<number>;
  workspace: string;
  name: string;
  description: string;
  settings: Json;
  deleted_at: number | null;
  deleted_by: string | null;
}

/** `generation` is the one that answers; a re-index builds the next beside it and switches when it is whole. 0: none yet. */
export interface DocumentTable extends Entity {
  knowledge: string;
  name: string;
  /** As the document itself says, since it was last read; its chunks are found by it as well. */
  title: string | null;
  source: 'file' | 'url' | 'text' | 'qa';
  /** Of the page that it was fetched from. */
  url: string | null;
  /** Blocks that are not its own, by their keys: they stand on most pages of its website. */
  leave_out: Json | null;
  /** Its tags and fields, which `document_label` has as rows. */
  labels: Json;
  mime: string;
  extension: string;
  bytes: number;
  sha256: string;
  file: string | null;
  /** The file that takes the place of this one once it is read. */
  replacement: Json | null;
  language: string | null;
  pages: number | null;
  status: DocumentStatus;
  stage: DocumentStage | null;
  progress: number;
  error: Json | null;
  warnings: Json;
  tokens: number;
  chunk_count: number;
  word_count: number;
  bigram_count: number;
  kanji_count: number;
  generation: number;
  enabled: Flag;
  deleted_at: number | null;
  deleted_by: string | null;
}
export type DocumentStage = 'parsing' | 'chunking' | 'embedding';
export type DocumentStatus = 'queued' | DocumentStage | 'indexed' | 'indexed-with-warnings' | 'failed' | 'canceled';

/** By what documents are found; a tag is a value without a name. */
export interface DocumentLabelTable {
  knowledge: string;
  document: string;
  name: string;
  value: string;
}

/** A file that was a document's own until another took its place, at `created_at`. */
export interface DocumentVersionTable
  extends
    Entity,
    Pick<DocumentTable, 'name' | 'mime' | 'extension' | 'bytes' | 'sha256' | 'source' | 'url' | 'leave_out'> {
  document: string;
  file: string;
  /** Null where no person did it, but the visit of a website. */
  replaced_by: string | null;
}

export interface ChunkTable extends Entity {
  id: Generated<number>;
  knowledge: string;
  document: string;
  generation: number;
  position: number;
  headings: Json;
  page: number | null;
  text: string;
  start_offset: number;
  end_offset: number;
  questions: Json;
  keywords: Json;
  tokens: number;
  enabled: Flag;
  hit_count: number;
  /** As it was read, where people have changed it. */
  original: string | null;
  /** People wrote it. */
  by_hand: Flag;
  /** It keeps its place, so that it can come back, and stays away when the document is read again. */
  deleted_at: number | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    knowledge: KnowledgeTable;
    document: DocumentTable;
    document_label: DocumentLabelTable;
    document_version: DocumentVersionTable;
    chunk: ChunkTable;
  }
}
