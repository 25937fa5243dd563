import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { AddedDocument } from '../../../shared/contracts/knowledge.ts';
import type { PageReason } from '../../../shared/contracts/websites.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockName, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { translate } from '../../infra/translate.ts';
import { detectFormat, withoutMarks } from '../../providers/parsers/detect.ts';
import { ParseError } from '../../providers/parsers/parser.ts';
import { mustHaveRoom } from '../files/files.ts';
import { normalize, pathOf } from './addresses.ts';
import { getDocument, headBytes } from './documents.ts';
import { fetchPage, NotFetched } from './fetch-page.ts';
import { keepFetched, type Fetched } from './fetched.ts';
import { mustFindKnowledge } from './knowledge.ts';
import { findByAddress } from './knowledge.store.ts';
import { parseFile } from './parse-file.ts';
import { extensionOf, findRobots, mostBytesOf, mustBeAllowed, nameOf, reasonOf } from './web-page.ts';

export const pageLimit = limit('page-fetches', 60, 60, 'pages added by their address, by person');

/** For robots.txt, the page and its reading. */
const timeoutMs = 45_000;

interface Page {
  url: string;
  name?: string | undefined;
}

/**
 * Makes a document of what an address holds, or has it take the place of what the document of that address held before. Throws
 * `validation-failed` for an address that may not be called, `page-not-read` with the reason, `document-busy`.
 */
export async function addPage(
  context: Context,
  caller: Caller,
  knowledge: string,
  { url: typed, name }: Page,
  { locale, gone }: { locale: Locale; gone: AbortSignal },
): Promise<AddedDocument> {
  const { db, engine, outbound } = context;
  await mustFindKnowledge(db, caller, knowledge);
  await context.limits.take(pageLimit, caller.user);
  await mustHaveRoom(context, caller);
  const address = await mustBeAllowed(outbound, typed);
  const signal = AbortSignal.any([gone, AbortSignal.timeout(timeoutMs)]);
  const page = await readPage(context, caller, address, signal).catch((error: unknown) => {
    if (gone.aborted) throw error;
    const reason = signal.aborted ? 'slow' : whyNot(error);
    if (!reason) throw error;
    throw new AppError('page-not-read', { reason, why: translate(locale, `websites:reason.${reason}`) });
  });
  const findKnown = async (trx: Trx) => {
    // Two that come at once are one document.
    await lockName(trx, engine, `address ${page.url} in ${knowledge}`);
    const known = (await findByAddress(trx, knowledge, page.url)) ?? (await findByAddress(trx, knowledge, address));
    return known?.uuid ?? null;
  };
  const fetched = name === undefined ? page : { ...page, name: nameOf(withoutMarks(name), page.url) };
  const { document, is } = await keepFetched(context, context.write, caller, knowledge, fetched, findKnown);
  if (is === 'busy') throw new AppError('document-busy');
  if (document === null) throw new AppError('conflict');
  const added = await getDocument(context, caller, knowledge, document, locale);
  return { ...added, duplicate: is === 'same' || is === 'twin', fileName: fetched.name };
}

/** Robots and redirects count as they do for a website. A page is read here, so that what it lacks is told; a file is read as uploads are. */
async function readPage(context: Context, caller: Caller, first: string, signal: AbortSignal): Promise<Fetched> {
  const { outbound, config } = context;
  const robots = await findRobots(outbound, first, signal);
  if (!robots.allows(pathOf(first))) throw new NotFetched('robots');
  const mostBytes = mostBytesOf(config, first);
  const visit = await fetchPage(outbound, first, { mostBytes, signal, follows: () => true });
  const url = normalize(visit.url) ?? first;
  const wishes = new URL(url).host === new URL(first).host ? robots : await findRobots(outbound, url, signal);
  if (!wishes.allows(pathOf(url))) throw new NotFetched('robots');
  const extension = extensionOf(visit);
  if (!extension) throw new NotFetched('kind');
  const bytes = visit.bytes ?? Buffer.alloc(0);
  if (bytes.length === 0) throw new NotFetched('no-text');
  const mayKeep = (text: string) => {
    if (/\b(?:noindex|none)\b/.test(text)) throw new NotFetched('noindex');
  };
  mayKeep([visit.headers['x-robots-tag']].flat().join(' ').toLowerCase());
  if (extension !== 'html') {
    // Some servers call by one kind what they send in another.
    if (!isOfKind(bytes, extension)) throw new NotFetched('damaged');
    return { name: nameOf('', url), extension, bytes, url };
  }
  const turn = { tenant: caller.workspace };
  const { document } = await parseFile({ file: bytes, extension, turn, isPreview: true, signal });
  mayKeep(document.page?.robots ?? '');
  return { name: nameOf(withoutMarks(document.title ?? ''), url), extension, bytes, url };
}

function isOfKind(bytes: Buffer, extension: string): boolean {
  try {
    return detectFormat(bytes.subarray(0, headBytes), `page.${extension}`).extension === extension;
  } catch {
    return false;
  }
}

function whyNot(error: unknown): PageReason | undefined {
  if (error instanceof NotFetched) return error.reason;
  return error instanceof ParseError ? reasonOf(error) : undefined;
}
