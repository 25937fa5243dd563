import type { IncomingMessage } from 'node:http';
import { Worker } from 'node:worker_threads';
import { AppError } from '../../shared/errors.ts';
import { parseJson } from './json.ts';
import type { FromJsonWorker } from './json.worker.ts';

export const bodyLimits = {
  /** A JSON body of whoever has signed in. */
  json: 1024 * 1024,
  /** A JSON body on a route that is for anyone: the largest there is a passkey, of a few kilobytes. */
  anyone: 64 * 1024,
  /** Larger JSON is parsed by a thread of its own. */
  parsedHere: 1024 * 1024,
  /** Smaller bodies take less memory than their connection, so they are not counted. */
  uncounted: 16 * 1024,
  perAddress: 64 * 1024 * 1024,
  inAll: 192 * 1024 * 1024,
  /** A body that is still coming brings at least this much in each window. */
  windowBytes: 64 * 1024,
  windowMs: 30_000,
  checkMs: 5_000,
};

const workerIdleMs = 30_000;
/** The text, what it becomes and what is copied back; a body that takes more ends the thread, and nothing else. */
const workerHeapMb = 512;

/** What is held in memory for one request. */
export interface HeldBytes {
  /** Throws `too-many-requests` or `unavailable` when the address, or all together, hold too much. */
  add(bytes: number): void;
  release(): void;
}

export interface Bodies {
  /** Reads and parses JSON of at most `limit` bytes; what is too large to be read at once is held. Takes a callback because it runs in every call. */
  readJson(raw: IncomingMessage, options: ReadOptions, done: (error: Error | null, value?: unknown) => void): void;
  /** The same for a body as it comes. */
  readBytes(raw: IncomingMessage, options: ReadOptions, done: (error: Error | null, bytes?: Buffer) => void): void;
  hold(address: string): HeldBytes;
  /** The connection is ended when the rest of its body stays away. */
  expect(raw: IncomingMessage): void;
  /** Begins to end such connections; `refuse` tells them so. */
  watch(refuse: (raw: IncomingMessage) => void): void;
  close(): Promise<void>;
}

/** How bodies come in: counted while they are in memory, cut off when they stay away, and large ones parsed beside the event loop. */
export function createBodies(limits = bodyLimits): Bodies {
  const byAddress = new Map<string, number>();
  let inAll = 0;
  const parser = createParser();
  const coming = new Map<IncomingMessage, Window | undefined>();
  let clock: NodeJS.Timeout | undefined;

  const hold = (address: string): HeldBytes => {
    let held = 0;
    return {
      add(bytes) {
        const ofAddress = (byAddress.get(address) ?? 0) + bytes;
        if (ofAddress > limits.perAddress)
          throw new AppError('too-many-requests', { seconds: 2 }, { retryAfterSeconds: 2 });
        if (inAll + bytes > limits.inAll) throw new AppError('unavailable', {}, { retryAfterSeconds: 2 });
        byAddress.set(address, ofAddress);
        inAll += bytes;
        held += bytes;
      },
      release() {
        if (held === 0) return;
        const left = (byAddress.get(address) ?? 0) - held;
        if (left > 0) byAddress.set(address, left);
        else byAddress.delete(address);
        inAll -= held;
        held = 0;
      },
    };
  };

  const expect = (raw: IncomingMessage) => void (raw.complete || coming.set(raw, undefined));

  const readBytes: Bodies['readBytes'] = (raw, { limit, hold }, done) => {
    expect(raw);
    readAll(raw, { limit, hold, uncounted: limits.uncounted }, (error, bytes) => {
      coming.delete(raw);
      done(error, bytes);
    });
  };

  return {
    hold,
    readJson(raw, { limit, hold }, done) {
      const here = raw.readableLength;
      if (here <= limits.uncounted && (raw.complete || here === Number(raw.headers['content-length']))) {
        // Most bodies are here by now, and to read them as they come would take longer.
        const bytes: Buffer | null = raw.read();
        raw.resume();
        if (here > limit) done(new AppError('body-too-large'));
        else parseHere(bytes, done);
        return;
      }
      readBytes(raw, { limit, hold }, (error, bytes) => {
        if (error || !bytes) done(error);
        else if (bytes.length <= limits.parsedHere) parseHere(bytes, done);
        else parser.parse(bytes, done);
      });
    },
    readBytes,
    expect,
    watch(refuse) {
      clock = setInterval(() => {
        const now = performance.now();
        for (const [raw, window] of coming) {
          if (raw.complete || raw.socket.destroyed) coming.delete(raw);
          // What has come and lies here unread says that we are the slow ones.
          else if (!window || raw.readableLength > 0 || raw.socket.bytesRead - window.bytes >= limits.windowBytes)
            coming.set(raw, { since: now, bytes: raw.socket.bytesRead });
          else if (now - window.since >= limits.windowMs) {
            coming.delete(raw);
            refuse(raw);
          }
        }
      }, limits.checkMs).unref();
    },
    async close() {
      clearInterval(clock);
      await parser.close();
    },
  };
}

function parseHere(bytes: Buffer | null, done: (error: Error | null, value?: unknown) => void): void {
  let value: unknown;
  try {
    value = bytes && bytes.length > 0 ? parseJson(bytes.toString('utf8')) : undefined;
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)));
  }
  done(null, value);
}

interface ReadOptions {
  limit: number;
  hold(): HeldBytes;
}

interface Window {
  since: number;
  bytes: number;
}

function readAll(
  raw: IncomingMessage,
  { limit, hold, uncounted }: ReadOptions & { uncounted: number },
  done: (error: Error | null, bytes?: Buffer) => void,
): void {
  const parts: Buffer[] = [];
  let size = 0;
  let held: HeldBytes | undefined;
  const end = (error: Error | null, bytes?: Buffer) => {
    raw.off('data', onData).off('end', onEnd).off('error', onError);
    // What still comes is dropped.
    if (error) raw.on('error', () => {}).resume();
    done(error, bytes);
  };
  const onData = (part: Buffer) => {
    parts.push(part);
    size += part.length;
    if (size > limit) return end(new AppError('body-too-large'));
    if (size <= uncounted) return;
    try {
      if (held) held.add(part.length);
      else (held = hold()).add(size);
    } catch (error) {
      end(error instanceof Error ? error : new Error(String(error)));
    }
  };
  const onEnd = () => end(null, parts.length === 1 ? parts[0] : Buffer.concat(parts));
  const onError = (cause: Error) => end(new AppError('bad-request', {}, { cause }));
  raw.on('data', onData).on('end', onEnd).on('error', onError);
}

/** A thread that parses one body after another, and ends when it has had nothing to do for a while. */
function createParser() {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();

  const end = async () => {
    const ended = worker;
    worker = undefined;
    await ended?.terminate();
  };
  const ask = async (bytes: Buffer): Promise<unknown> => {
    clearTimeout(idle);
    const asked = (worker ??= new Worker(new URL('./json.worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: workerHeapMb },
    }));
    const answered = Promise.withResolvers<FromJsonWorker>();
    const onExit = () => answered.reject(new Error('the thread that parses JSON has ended'));
    asked.once('message', answered.resolve).once('error', answered.reject).once('exit', onExit);
    try {
      asked.postMessage(bytes);
      const answer = await answered.promise;
      idle = setTimeout(() => void end(), workerIdleMs).unref();
      if ('failure' in answer) throw new AppError(answer.failure.code, answer.failure.details);
      return answer.value;
    } catch (error) {
      if (error instanceof AppError) throw error;
      await end();
      throw new AppError('malformed-json', {}, { cause: error });
    } finally {
      asked.off('message', answered.resolve).off('error', answered.reject).off('exit', onExit);
    }
  };
  return {
    parse(bytes: Buffer, done: (error: Error | null, value?: unknown) => void): void {
      last = last.then(() => ask(bytes)).then((value) => done(null, value), done);
    },
    close: async () => {
      clearTimeout(idle);
      await end();
    },
  };
}
