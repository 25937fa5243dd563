import type { FastifyReply } from 'fastify';
import { AppError } from '../../shared/errors.ts';
import { maxAnswerBytes, tellingHeaders, type Claim } from './idempotency.ts';

export interface EventStream {
  /** Sends one event. What a later event tells again may be left out when the stream is too long to be kept. */
  send(data: string, isToldAgain?: boolean, name?: string): void;
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

/**
 * Server-sent events. With an `Idempotency-Key` what is sent is kept, and goes on when the reader is lost, who will ask for it again.
 * https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function openEventStream(reply: FastifyReply, { recheck, onLeave, onRefused }: Watch): EventStream {
  const { raw, request } = reply;
  let record: Recorder | undefined;
  let isOver = false;
  let unwatch = () => {};
  let waiting = '';
  /** Events of one turn are sent in one write, after the work that they started has begun. */
  const flush = () => {
    if (waiting === '') return;
    // What is written at once may be larger: a reader who has read all before it is one who reads.
    if (raw.writableLength > maxBuffered) raw.destroy();
    if (!raw.destroyed) raw.write(waiting);
    waiting = '';
  };
  const end = () => {
    isOver = true;
    clearInterval(heart);
    unwatch();
    flush();
    if (!raw.headersSent) return;
    if (record) void record.finish().then(() => raw.end());
    else raw.end();
  };
  const open = () => {
    reply.headers({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    if (request.claim) record = recorder(request.claim, tellingHeaders(reply));
    request.claim = undefined;
    reply.hijack();
    raw.writeHead(200, toHeaders(reply.getHeaders()));
    unwatch = watchAccess(recheck, (error) => {
      onRefused(error);
      end();
    });
  };
  // Whoever waits for a model that loads or thinks must not take the connection for dead.
  const beat = () => {
    if (raw.destroyed) return;
    if (!raw.headersSent) open();
    raw.write(': still here\n\n');
  };
  const heart = setInterval(beat, heartbeatMs);
  raw.once('close', () => {
    if (isOver || record || request.claim) return;
    end();
    onLeave();
  });
  return {
    send(data, isToldAgain = false, name) {
      if (isOver) return;
      if (!raw.headersSent) open();
      if (waiting === '') setImmediate(flush);
      const event = `${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`;
      waiting += event;
      record?.add(event, isToldAgain);
    },
    isOpen: () => raw.headersSent,
    end,
  };
}

interface Recorder {
  add(event: string, isToldAgain: boolean): void;
  finish(): Promise<void>;
}

/** Keeps a stream whole, or without what its end tells again, as far as there is room. */
function recorder(claim: Claim, headers: ReturnType<typeof tellingHeaders>): Recorder {
  let whole: string | undefined = '';
  let short: string | undefined = '';
  const grow = (text: string | undefined, event: string) =>
    text === undefined || text.length + event.length > maxAnswerBytes ? undefined : text + event;
  return {
    add(event, isToldAgain) {
      whole = grow(whole, event);
      if (!isToldAgain) short = grow(short, event);
    },
    finish: () =>
      claim.finish({
        status: 200,
        headers,
        // So far characters were counted, of which some take three bytes.
        body: [whole, short].find((text) => text !== undefined && Buffer.byteLength(text) <= maxAnswerBytes),
      }),
  };
}

/** Asks every second whether the caller is still let in, until they are not or the returned function ends it. */
export function watchAccess(recheck: () => Promise<unknown>, onRefused: (error: AppError) => void): () => void {
  let isOver = false;
  const end = () => {
    isOver = true;
    clearInterval(timer);
  };
  const timer = setInterval(
    () =>
      void recheck().catch((error: unknown) => {
        // An unreachable database says nothing about the caller.
        if (isOver || !(error instanceof AppError) || error.code === 'unavailable') return;
        end();
        onRefused(error);
      }),
    recheckMs,
  );
  return end;
}

/** The same around work that is awaited: `leave` ends it, and the refusal is thrown. */
export async function whileLetIn(
  recheck: () => Promise<unknown>,
  leave: () => void,
  work: Promise<unknown>,
): Promise<void> {
  let end = () => {};
  const refused = new Promise<never>((_, fail) => {
    end = watchAccess(recheck, (error) => {
      leave();
      fail(error);
    });
  });
  await Promise.race([work, refused]).finally(end);
}

/** Fastify's headers may be numbers. */
function toHeaders(headers: ReturnType<FastifyReply['getHeaders']>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)]],
    ),
  );
}
