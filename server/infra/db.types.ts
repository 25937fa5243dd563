/** Ids are UUIDv7 made in the app, times are epoch milliseconds, booleans are 0 or 1, JSON is text: the same on both engines. */
export type Json = string;
export type Flag = 0 | 1;

export interface Entity {
  uuid: string;
  created_at: number;
  updated_at: number;
}

/** A job waits only for jobs of its own lane. */
export type Lane =
  'messages' | 'channels' | 'events' | 'webhooks' | 'mail' | 'ingestion' | 'scans' | 'images' | 'websites' | 'upkeep';

/** `fence` grows with every claim: a worker that lost its lease can no longer finish the job. */
export interface JobTable {
  uuid: string;
  kind: string;
  lane: Lane;
  payload: Json;
  unique_key: string | null;
  /** The workspace it is for, or the person, who has no more than a share of a lane and takes turns with others; null where nobody competes. */
  tenant: string | null;
  state: 'queued' | 'running' | 'done' | 'dead';
  run_at: number;
  attempts: number;
  lease_owner: string | null;
  lease_until: number | null;
  fence: number;
  error: string | null;
  created_at: number;
  updated_at: number;
}

/** From `due_at` on a process may take up the work, and moves `due_at` when it does. */
export interface RecurringTable {
  name: string;
  due_at: number;
}

/** What an installation knows about itself: the check value of its master key, the sealed signing key, versions of indexes. */
export interface InstallationTable {
  name: string;
  value: string;
}

/** A call with an `Idempotency-Key`. */
export interface IdempotencyTable {
  /** Made of the account, the workspace, the path and the key. */
  id: string;
  created_at: number;
  /** The user or guest whose call it was. */
  owner: string;
  workspace: string;
  /** Of what was sent; null while a form is being read. */
  fingerprint: string | null;
  /** The process that answers moves it on. */
  alive_until: number;
  /** Null until it is answered. */
  status: number | null;
  /** Sealed; null where it was too large to be kept. */
  answer: string | null;
  /** The length of `answer`. */
  bytes: number;
}

/** Every table. Each feature adds its own, in its `….tables.ts`. */
export interface Tables {
  installation: InstallationTable;
  job: JobTable;
  recurring: RecurringTable;
  idempotency: IdempotencyTable;
}
