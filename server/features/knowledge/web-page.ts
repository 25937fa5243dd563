import type { PageReason } from '../../../shared/contracts/websites.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Config } from '../../infra/config.ts';
import { wrongAddress, type Outbound } from '../../infra/outbound.ts';
import { safeFileName } from '../../providers/parsers/detect.ts';
import { ParseError, type Parser } from '../../providers/parsers/parser.ts';
import { findParser, parsers } from '../../providers/parsers/registry.ts';
import { normalize } from './addresses.ts';
import { fetchPage, NotFetched, type Visit } from './fetch-page.ts';
import { closedRobots, mostRobotsBytes, noRobots, readRobots, type Robots } from './robots.ts';

/** The address in the one way to write it. Throws `validation-failed` for one that may not be called. */
export async function mustBeAllowed(outbound: Outbound, typed: string): Promise<string> {
  const url = normalize(typed);
  if (!url) throw new AppError('validation-failed', { fields: [{ path: 'url', code: 'not-an-address' }] });
  const refusal = await outbound.refusal(url);
  if (refusal) throw wrongAddress('url', refusal);
  return url;
}

export const hostOf = (url: string) => new URL(url).hostname.replace(/^www\./, '');

/** What the robots.txt of a website says to us. Where it cannot be read now, nothing may be visited now (RFC 9309, 2.3.1.4). */
export async function findRobots(outbound: Outbound, first: string, signal: AbortSignal): Promise<Robots> {
  try {
    const { bytes } = await fetchPage(outbound, new URL('/robots.txt', first).href, {
      mostBytes: mostRobotsBytes,
      signal,
      follows: (url) => hostOf(url) === hostOf(first),
    });
    return bytes ? readRobots(bytes.toString('utf8')) : noRobots;
  } catch (error) {
    if (!(error instanceof NotFetched)) throw error;
    if (error.reason === 'server-error' || error.reason === 'too-many-requests') return closedRobots;
    if (error.reason === 'unreachable' || error.reason === 'slow' || error.reason === 'not-allowed') throw error;
    return noRobots;
  }
}

/** Why a file gives no document, in the words of websites. */
export function reasonOf(error: unknown): PageReason {
  if (!(error instanceof ParseError)) return 'damaged';
  const { code } = error;
  if (code === 'no-text' || code === 'drawn-by-script') return code;
  return code === 'too-much-text' || code === 'parser-memory' || code === 'parser-timeout' ? 'too-large' : 'damaged';
}

const mostPageBytes = 10 * 1024 * 1024;

/** What may come of an address: of a file as much as of an upload, of a page less. */
export const mostBytesOf = ({ MAX_UPLOAD_MB }: Config, url: string): number =>
  Math.min(MAX_UPLOAD_MB * 1024 * 1024, fileKindOf(url) ? Number.POSITIVE_INFINITY : mostPageBytes);

/** Pictures that a page links to say little, and recognizing words takes long. */
const isRead = (parser: Parser | undefined) => parser !== undefined && !parser.mime.startsWith('image/');

/** A kind of file that is no page, by the end of its address. */
function fileKindOf(url: string): string | undefined {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(new URL(url).pathname)?.[1]?.toLowerCase();
  return extension !== undefined && extension !== 'html' && extension !== 'htm' && isRead(findParser(extension))
    ? extension
    : undefined;
}

/** By which reader an answer is read: what the server says it is, else what its address says. */
export function extensionOf({ type, url }: Visit): string | undefined {
  const mime = type.split(';')[0]?.trim().toLowerCase() ?? '';
  if (mime === 'text/html' || mime === 'application/xhtml+xml') return 'html';
  const named = fileKindOf(url);
  if (mime === '' || mime === 'application/octet-stream' || mime === 'text/plain')
    return named ?? (mime === 'text/plain' ? 'txt' : undefined);
  return (
    parsers.find((parser) => parser.mime === mime && isRead(parser))?.extensions[0] ??
    (mime.startsWith('text/') ? named : undefined)
  );
}

/** How a document is called: as its page, else as the end of its address. */
export function nameOf(title: string, url: string): string {
  const name = title.replace(/\s+/g, ' ').trim();
  if (name) return name.slice(0, 200).toWellFormed();
  const { pathname, hostname } = new URL(url);
  const last = pathname.split('/').findLast(Boolean);
  try {
    return last ? safeFileName(decodeURIComponent(last)) : hostname;
  } catch {
    return last ?? hostname;
  }
}
