import type { Readable } from 'node:stream';

export class BlobMissingError extends Error {}

/** Where files live. Keys are made by us (`kind/ab/uuid`); a stored blob never changes. */
export interface Storage {
  /** Keeps the bytes under the key; when it returns they survive a power cut. */
  put(key: string, bytes: Uint8Array | Readable): Promise<void>;
  /** The bytes, as a stream. Throws `BlobMissingError` when there are none. */
  get(key: string): Promise<Readable>;
  /** A path on this machine's disk for a program that needs one; `done` lets go of it. Throws `BlobMissingError`. */
  asFile(key: string): Promise<{ path: string; done(): Promise<void> }>;
  remove(key: string): Promise<void>;
  /** Bytes that can still be stored; Infinity where there is no telling. */
  freeBytes(): Promise<number>;
}
