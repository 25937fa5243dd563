import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, type InputType, type ZlibOptions } from 'node:zlib';
import type { PageReason } from '../../../shared/contracts/websites.ts';
import { AppError } from '../../../shared/errors.ts';
import { readBytes, type Outbound, type OutboundAnswer } from '../../infra/outbound.ts';
import { normalize } from './addresses.ts';
import { robotName } from './robots.ts';

/** One request and its answer, after redirects. */
export interface Visit {
  /** Where the last redirect led. */
  url: string;
  status: number;
  type: string;
  headers: OutboundAnswer['headers'];
  /** Nothing where it has not changed. */
  bytes: Buffer | undefined;
}

/** Why nothing came. `waitMs` is what the server asks for. */
export class NotFetched extends Error {
  readonly reason: PageReason;
  readonly waitMs: number | undefined;
  constructor(reason: PageReason, waitMs?: number) {
    super(reason);
    this.reason = reason;
    this.waitMs = waitMs;
  }
}

const mostRedirects = 5;
/** For all of it; nobody waits longer for a page. */
const timeoutMs = 30_000;
const silentMs = 15_000;

export interface FetchOptions {
  mostBytes: number;
  signal: AbortSignal;
  /** Whether a redirect may be followed. */
  follows(url: string): boolean;
  etag?: string | null;
  modified?: string | null;
}

const headerOf = ({ headers }: Pick<OutboundAnswer, 'headers'>, name: string) => [headers[name]].flat()[0];

/** Fetches a page by the guard of outbound requests, each redirect anew. Throws `NotFetched`; after an abort, the signal's reason. */
export async function fetchPage(
  outbound: Outbound,
  address: string,
  { mostBytes, signal, follows, etag, modified }: FetchOptions,
): Promise<Visit> {
  const clock = AbortSignal.timeout(timeoutMs);
  const both = AbortSignal.any([signal, clock]);
  let url = address;
  try {
    for (let hops = 0; hops <= mostRedirects; hops++) {
      const answer = await outbound.request(url, {
        signal: both,
        timeoutMs: silentMs,
        headers: {
          'user-agent': `Kotae (${robotName})`,
          accept: 'text/html,application/xhtml+xml,application/pdf,*/*;q=0.5',
          'accept-encoding': 'identity',
          ...(etag && { 'if-none-match': etag }),
          ...(modified && { 'if-modified-since': modified }),
        },
      });
      const { status, type, headers, body } = answer;
      if (status >= 300 && status < 400 && status !== 304) {
        body.destroy();
        const next = normalize(headerOf(answer, 'location') ?? '', url);
        if (!next) throw new NotFetched('damaged');
        if (!follows(next)) throw new NotFetched('elsewhere');
        url = next;
        continue;
      }
      if (status === 200) {
        const bytes = await unpack(await readBytes(answer, mostBytes), headerOf(answer, 'content-encoding'), mostBytes);
        return { url, status, type, headers, bytes };
      }
      body.destroy();
      if (status === 304) return { url, status, type, headers, bytes: undefined };
      if (status === 404 || status === 410) throw new NotFetched('not-found');
      if (status === 401 || status === 403 || status === 407 || status === 451) throw new NotFetched('forbidden');
      if (status === 429 || status === 503)
        throw new NotFetched(
          status === 429 ? 'too-many-requests' : 'server-error',
          waitOf(headerOf(answer, 'retry-after')),
        );
      throw new NotFetched(status >= 500 ? 'server-error' : 'not-found');
    }
    throw new NotFetched('redirected');
  } catch (error) {
    if (error instanceof NotFetched) throw error;
    signal.throwIfAborted();
    if (error instanceof AppError) throw new NotFetched(error.code === 'body-too-large' ? 'too-large' : 'not-allowed');
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new NotFetched(clock.aborted || code.endsWith('_TIMEOUT') ? 'slow' : 'unreachable');
  }
}

const packings: Record<string, (bytes: InputType, options: ZlibOptions) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Some pack what they were asked not to. */
async function unpack(bytes: Buffer, encoding: string | undefined, maxOutputLength: number): Promise<Buffer> {
  const name = encoding?.toLowerCase() ?? '';
  const by = name in packings ? packings[name] : undefined;
  if (!by) return bytes;
  return by(bytes, { maxOutputLength }).catch((error: unknown) => {
    throw new NotFetched(error instanceof RangeError ? 'too-large' : 'damaged');
  });
}

/** Seconds, or a date. */
function waitOf(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return ms > 0 ? ms : undefined;
}
