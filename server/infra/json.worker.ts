import { parentPort } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../shared/errors.ts';
import { parseJson } from './json.ts';

/** What the thread that parses large bodies says of each. */
export type FromJsonWorker = { value: unknown } | { failure: { code: ErrorCode; details: Record<string, unknown> } };

parentPort?.on('message', (bytes: Uint8Array) => {
  const say = (said: FromJsonWorker) => parentPort?.postMessage(said);
  try {
    say({ value: parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    say({ failure: { code: error.code, details: error.details } });
  }
});
