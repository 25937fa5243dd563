import type { FastifyReply } from 'fastify';
import { AppError } from '../../shared/errors.ts';

export interface EventStream {
  /** Sends one event. */
  send(data: string): void;
  /** The first event opens it, or a long wait for that one; until then an error is an ordinary answer. */
  isOpen(): boolean;
  end(): void;
}

interface Watch {
  /** Throws once the caller is no longer let in, since a stream outlasts the check at its beginning. */
  recheck(): Promise<unknown>;
  /** The reader has gone. */
  onLeave(): void;
  /** The caller is no longer let in; the stream ends after this. */
  onRefused(error: AppError): void;
}

const heartbeatMs = 15_000;
const recheckMs = 1_000;
/** A connection whose reader does not read is closed. */
const maxBuffered = 1024 * 1024;

/** Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html */
export function openEventStream(reply: FastifyReply, { recheck, onLeave, onRefused }: Watch): EventStream {
  const { raw } = reply;
  let isOver = false;
  let waiting = '';
  /** Events of one turn are sent in one write, after the work that they started has begun. */
  const flush = () => {
    if (waiting === '' || raw.destroyed) return;
    raw.write(waiting);
    waiting = '';
    if (raw.writableLength > maxBuffered) raw.destroy();
  };
  const end = () => {
    isOver = true;
    timers.forEach(clearInterval);
    flush();
    if (raw.headersSent) raw.end();
  };
  const open = () => {
    reply.hijack();
    raw.writeHead(200, {
      ...toHeaders(reply.getHeaders()),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    const watch = () =>
      recheck().catch((error: unknown) => {
        // An unreachable database says nothing about the caller.
        if (isOver || !(error instanceof AppError) || error.code === 'unavailable') return;
        onRefused(error);
        end();
      });
    timers.push(setInterval(() => void watch(), recheckMs));
  };
  // Whoever waits for a model that loads or thinks must not take the connection for dead.
  const beat = () => {
    if (!raw.headersSent) open();
    raw.write(': still here\n\n');
  };
  const timers = [setInterval(beat, heartbeatMs)];
  raw.once('close', () => {
    if (isOver) return;
    end();
    onLeave();
  });
  return {
    send(data) {
      if (isOver) return;
      if (!raw.headersSent) open();
      if (waiting === '') setImmediate(flush);
      waiting += `data: ${data}\n\n`;
    },
    isOpen: () => raw.headersSent,
    end,
  };
}

/** Fastify's headers may be numbers. */
function toHeaders(headers: ReturnType<FastifyReply['getHeaders']>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)]],
    ),
  );
}
