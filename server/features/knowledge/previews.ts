import type { z } from 'zod';
import type { knowledge as contract } from '../../../shared/contracts/knowledge.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ReplyOf } from '../../../shared/route.ts';
import type { Caller } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { usualTokensOf } from '../../infra/token-estimate.ts';
import { ParseError } from '../../providers/parsers/parser.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import type { Context } from '../../feature.ts';
import { findFile } from '../files/files.ts';
import { sizesOf } from './chunking.ts';
import { findDocument } from './knowledge.store.ts';
import { textName } from './documents.ts';
import { mustFindKnowledge } from './knowledge.ts';
import { parseFile } from './parse-file.ts';

export const previewLimit = limit('chunk-previews', 120, 60, 'previews of chunks, by person');

type Body = z.output<typeof contract.preview.body>;

const shownChunks = 100;
/** With the time that it waits for its turn. */
const timeoutMs = 20_000;
const running = new Map<string, AbortController>();

/** How a document of the base, or a text, would be divided: the first chunks, and how many there are. Nothing is kept. Throws `document-not-found`, `file-not-found`, `file-unreadable`. */
export async function previewChunks(
  context: Context,
  caller: Caller,
  knowledge: string,
  { chunking, of }: Body,
  gone: AbortSignal,
): Promise<ReplyOf<typeof contract.preview>> {
  await mustFindKnowledge(context.db, caller, knowledge);
  await context.limits.take(previewLimit, caller.user);
  const { name, extension, file, done } = await open(context, caller, knowledge, of);
  // The newest of a person counts: what is dragged on asks again and again.
  running.get(caller.user)?.abort();
  const mine = new AbortController();
  running.set(caller.user, mine);
  const signal = AbortSignal.any([mine.signal, gone, AbortSignal.timeout(timeoutMs)]);
  try {
    const { chunks } = await parseFile({
      file,
      extension,
      chunking: sizesOf(chunking),
      isPreview: true,
      turn: { tenant: caller.workspace },
      signal,
    });
    return {
      data: chunks
        .slice(0, shownChunks)
        .map(({ position, headings, page, text }) => ({ position, headings, page, text, tokens: usualTokensOf(text) })),
      meta: { total: chunks.length },
    };
  } catch (error) {
    if (signal.aborted) throw new AppError('unavailable', {}, { cause: error });
    throw error instanceof ParseError ? new AppError('file-unreadable', { name }, { cause: error }) : error;
  } finally {
    if (running.get(caller.user) === mine) running.delete(caller.user);
    await done?.();
  }
}

async function open(context: Context, caller: Caller, knowledge: string, of: Body['of']) {
  if ('text' in of)
    return { name: of.name, extension: /\.md$/i.test(textName(of)) ? 'md' : 'txt', file: Buffer.from(of.text) };
  const document = await findDocument(context.db, caller.workspace, of.document);
  if (!document || document.knowledge !== knowledge) throw new AppError('document-not-found');
  const { name, extension } = document;
  const stored = document.file ? await findFile(context.db, document.file) : undefined;
  if (!stored) throw new AppError('file-not-found');
  const { path, done } = await context.storage.asFile(stored.storage_key).catch((error: unknown) => {
    throw error instanceof BlobMissingError ? new AppError('file-not-found', {}, { cause: error }) : error;
  });
  return { name, extension, file: path, done };
}
