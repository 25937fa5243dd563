import type { ChatEvent, Message } from '../../../shared/contracts/conversations.ts';
import type { AppError } from '../../../shared/errors.ts';
import { newId } from '../../infra/db.ts';
import type { MessageTable, ThreadTable } from './conversations.tables.ts';

export type Listen = (event: ChatEvent) => void;

/** An answer on its way: what it has so far, and who listens. */
export interface Run {
  thread: ThreadTable;
  message: Message;
  listeners: Set<Listen>;
  abort: AbortController;
  /** When it is over and written down: a guest's thread as it was then, where it is known. */
  ended: Promise<ThreadTable | undefined>;
  /** Its text has grown since it was last written. */
  isDirty: boolean;
  keptAt: number;
  alone: NodeJS.Timeout | undefined;
  /** The question, where it came with the answer. */
  question: MessageTable | undefined;
  /** Why it ended without being whole. */
  failure: AppError | undefined;
}

/** The answers that this process is writing. */
export interface Runs {
  /** What this process signs its leases with. */
  owner: string;
  active: Map<string, Run>;
  /** Threads that a question is being written to. */
  beginning: Set<string>;
}

export const createRuns = (): Runs => ({ owner: newId(), active: new Map(), beginning: new Set() });

export interface Following {
  thread: string;
  message: string;
  ended: Promise<ThreadTable | undefined>;
  /** Why it failed, where this process knows. */
  failure?(): AppError | undefined;
  /** Goes away; the answer waits `graceMs` for somebody to come back. */
  leave(graceMs?: number): void;
}

export const leaseMs = 15_000;
/** A reader who leaves may come back, after a refresh or a tunnel. */
const graceMs = 20_000;

export function openRun(runs: Runs, thread: ThreadTable, message: Message, question?: MessageTable): Run {
  const run: Run = {
    thread,
    message,
    listeners: new Set(),
    abort: new AbortController(),
    ended: Promise.resolve(undefined),
    isDirty: false,
    keptAt: Date.now(),
    alone: undefined,
    question,
    failure: undefined,
  };
  runs.active.set(message.uuid, run);
  return run;
}

export function tell({ listeners }: Run, event: ChatEvent): void {
  for (const listen of listeners) listen(event);
}

export function follow(run: Run, listen: Listen): Following {
  clearTimeout(run.alone);
  run.listeners.add(listen);
  return {
    thread: run.thread.uuid,
    message: run.message.uuid,
    ended: run.ended,
    failure: () => run.failure,
    leave(grace = graceMs) {
      run.listeners.delete(listen);
      if (run.listeners.size > 0) return;
      if (grace === 0) run.abort.abort();
      else run.alone = setTimeout(() => run.abort.abort(), grace).unref();
    },
  };
}
