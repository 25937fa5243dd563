import type { imageStates } from '../../../shared/contracts/images.ts';
import type { Entity, Flag, Json } from '../../infra/db.types.ts';

export interface ImageTable extends Entity {
  workspace: string;
  user: string | null;
  api_key: string | null;
  batch: string;
  /** What the caller named the batch, and a hash of what it asked for. */
  request_key: string | null;
  request_hash: string | null;
  prompt: string;
  service: string;
  service_name: string;
  own_key: Flag;
  width: number;
  height: number;
  seed: number;
  /** Ids of pictures of this table. */
  references: Json;
  /** Strokes over the first reference, as they were painted; null where everything may change. */
  mask: Json | null;
  status: (typeof imageStates)[number];
  /** Micro-credits: set aside until it is done, then what was paid. */
  cost: number;
  file: string | null;
  thumb: string | null;
  error: string | null;
  reason: string | null;
  deleted_at: number | null;
  deleted_by: string | null;
}

declare module '../../infra/db.types.ts' {
  interface Tables {
    image: ImageTable;
  }
}
