import { Worker } from 'node:worker_threads';
import { AppError } from '../../../shared/errors.ts';
import type { DbOptions } from '../../infra/db.ts';
import type { SearchRequest, SearchResult } from './keyword-search.ts';

export interface Search {
  /** Runs in a worker thread with its own connection. Throws `unavailable` after five seconds (twenty while the worker starts), or when the worker dies twice. */
  search(request: SearchRequest): Promise<SearchResult>;
  close(): Promise<void>;
}

const patienceMs = 5_000;
/** Of a worker that has not answered yet: a busy machine takes several seconds to begin one. */
const startMs = 20_000;
const idleMs = 30_000;

interface Waiting {
  request: SearchRequest;
  retried: boolean;
  done(result: SearchResult): void;
  fail(error: Error): void;
}

export type FromWorker = { id: number; result: SearchResult } | { id: number; error: string };

/** The worker starts with the first search and ends when none has come for a while: an idle server stays small. */
export function createSearch(options: DbOptions): Search {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let isStarted = false;
  let lastId = 0;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(new URL('./search.worker.ts', import.meta.url), {
      workerData: { DATA_DIR: options.DATA_DIR, DATABASE_URL: options.DATABASE_URL },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    });
    started.on('message', (message: FromWorker) => {
      isStarted = true;
      const asked = waiting.get(message.id);
      if ('result' in message) asked?.done(message.result);
      else asked?.fail(new AppError('unavailable', {}, { cause: new Error(message.error), retryAfterSeconds: 2 }));
    });
    started.on('error', () => {}); // 'exit' follows and does the rest
    started.on('exit', () => {
      if (worker === started) {
        worker = undefined;
        isStarted = false;
      }
      for (const [id, asked] of waiting) {
        if (asked.retried) asked.fail(new AppError('unavailable', {}, { retryAfterSeconds: 2 }));
        else {
          asked.retried = true;
          send(id, asked.request);
        }
      }
    });
    started.unref();
    return started;
  }

  function send(id: number, request: SearchRequest): void {
    worker ??= start();
    worker.postMessage({ id, request });
  }

  return {
    search(request) {
      clearTimeout(idle);
      const id = ++lastId;
      return new Promise<SearchResult>((done, fail) => {
        const timer = setTimeout(
          () => waiting.get(id)?.fail(new AppError('unavailable', {}, { retryAfterSeconds: 2 })),
          isStarted ? patienceMs : startMs,
        );
        const finish = () => {
          clearTimeout(timer);
          waiting.delete(id);
          if (waiting.size === 0) {
            clearTimeout(idle);
            idle = setTimeout(() => void worker?.terminate(), idleMs).unref();
          }
        };
        waiting.set(id, {
          request,
          retried: false,
          done: (result) => (finish(), done(result)),
          fail: (error) => (finish(), fail(error)),
        });
        send(id, request);
      });
    },
    async close() {
      clearTimeout(idle);
      for (const asked of waiting.values()) asked.fail(new AppError('unavailable'));
      await worker?.terminate();
    },
  };
}
