import { documentChanged } from '../../../shared/contracts/knowledge.ts';
import type { DocumentErrorCode } from '../../../shared/errors.ts';
import { newId, type Trx } from '../../infra/db.ts';
import type { DocumentStage } from '../../infra/db.types.ts';
import type { JobKind, JobRun } from '../../infra/queue.ts';
import { usualTokensOf } from '../../infra/token-estimate.ts';
import { ParseError } from '../../providers/parsers/parser.ts';
import { parseFile } from './parse-file.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import type { Context } from '../context.ts';
import type { Chunk } from './chunking.ts';
import { ingestKind, toDocument, type IngestPayload } from './documents.ts';
import { keywordIndexes } from './keyword-index.ts';
import { packTerms } from './keyword-terms.ts';
import {
  deleteChunks,
  findAnyDocument,
  findFile,
  findKnowledge,
  insertChunks,
  listOtherChunks,
  updateDocument,
  type DocumentRow,
} from './knowledge.store.ts';

const clearKind = 'knowledge.clear';

/** Chunks written in one transaction: on SQLite it holds up everyone else for its time. */
const batch = 8;
const progressEveryMs = 400;

class CanceledError extends Error {}

/**
 * Reads a document into chunks of the next generation, then switches to it in one step. Killed at any moment it starts
 * over with the next worker, and whatever it had written of that generation is cleared first.
 */
export function ingestJob(context: Context): JobKind<IngestPayload> {
  return {
    kind: ingestKind,
    async run({ document: uuid }, run) {
      const document = await findAnyDocument(context.db, uuid);
      if (!document || document.status === 'canceled') return;
      try {
        await ingest(context, document, run);
      } catch (error) {
        if (error instanceof CanceledError) return clear(context, uuid);
        if (error instanceof ParseError && error.code !== 'parser-memory' && error.code !== 'parser-timeout')
          return fail(context, uuid, error.code);
        if (error instanceof BlobMissingError) return fail(context, uuid, 'file-missing');
        throw error;
      }
    },
    dead: ({ document }, error) => fail(context, document, error instanceof ParseError ? error.code : 'internal'),
  };
}

/** Removes chunks that no longer answer; they are out of the index from the moment of the switch. */
export function clearJob(context: Context): JobKind<IngestPayload> {
  return { kind: clearKind, run: ({ document }) => clear(context, document) };
}

async function ingest(context: Context, document: DocumentRow, run: JobRun): Promise<void> {
  const { db } = context;
  const generation = document.generation + 1;
  await clear(context, document.uuid);
  const base = await findKnowledge(db, document.workspace, document.knowledge);
  const file = document.file ? await findFile(db, document.file) : undefined;
  if (!base || !file) throw new ParseError('file-missing');

  const report = reporter(context, document.uuid, run);
  await report('parsing', 0);
  const blob = await context.storage.asFile(file.storage_key);
  const parsed = await parseFile({
    path: blob.path,
    extension: document.extension,
    signal: run.signal,
    onProgress: (share) => void report('parsing', share * 0.7),
  }).finally(() => blob.done());
  run.signal.throwIfAborted();

  await report('chunking', 0.7);
  const title = parsed.document.title ?? document.name.replace(/\.[a-z0-9]+$/i, '');
  const sums = { words: 0, bigrams: 0, kanji: 0, tokens: 0 };
  for (let at = 0; at < parsed.chunks.length; at += batch) {
    const part = parsed.chunks.slice(at, at + batch).map((chunk) => ({
      chunk,
      tokens: usualTokensOf(chunk.text),
      terms: packTerms({ title, headings: chunk.headings, text: chunk.text }),
    }));
    await run.fenced(async (trx) => {
      await mustGoOn(trx, document.uuid);
      const rows = part.map(({ chunk, tokens }) => toRow(document, generation, chunk, tokens));
      const inserted = await insertChunks(trx, rows);
      const byPosition = new Map(part.map(({ chunk, terms }) => [chunk.position, terms]));
      await keywordIndexes[context.engine].add(
        trx,
        base.key,
        inserted.flatMap(({ id, position }) => {
          const terms = byPosition.get(position);
          return terms ? [{ id, terms }] : [];
        }),
      );
    });
    for (const { tokens, terms } of part) {
      sums.tokens += tokens;
      for (const field of ['words', 'bigrams', 'kanji'] as const) sums[field] += terms.lengths[field];
    }
    await report('chunking', 0.7 + 0.3 * Math.min(1, (at + batch) / parsed.chunks.length));
    // Others get their turn between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }

  await run.fenced(async (trx) => {
    await mustGoOn(trx, document.uuid);
    await updateDocument(trx, document.uuid, {
      generation,
      status: parsed.document.pagesWithoutText.length > 0 ? 'indexed-with-warnings' : 'indexed',
      stage: null,
      progress: 1,
      error: null,
      warnings: JSON.stringify(parsed.document.pagesWithoutText.slice(0, 1000)),
      language: parsed.document.language,
      pages: parsed.document.pages,
      tokens: sums.tokens,
      chunk_count: parsed.chunks.length,
      word_count: sums.words,
      bigram_count: sums.bigrams,
      kanji_count: sums.kanji,
    });
    await context.queue.add<IngestPayload>(trx, clearKind, { document: document.uuid });
  });
  context.queue.wake();
  await announce(context, document.uuid);
}

function toRow(document: DocumentRow, generation: number, chunk: Chunk, tokens: number) {
  const now = Date.now();
  return {
    uuid: newId(),
    knowledge: document.knowledge,
    document: document.uuid,
    generation,
    position: chunk.position,
    headings: JSON.stringify(chunk.headings),
    page: chunk.page,
    text: chunk.text,
    start_offset: chunk.start,
    end_offset: chunk.end,
    questions: '[]',
    keywords: '[]',
    tokens,
    enabled: 1 as const,
    hit_count: 0,
    created_at: now,
    updated_at: now,
  };
}

async function mustGoOn(trx: Trx, uuid: string): Promise<void> {
  const document = await findAnyDocument(trx, uuid);
  if (!document || document.status === 'canceled') throw new CanceledError();
}

/** Tells the database and everyone who looks on, not more often than a person can follow. */
function reporter(context: Context, uuid: string, run: JobRun) {
  let stage: DocumentStage | undefined;
  let last = 0;
  return async (next: DocumentStage, progress: number) => {
    const now = Date.now();
    if (next === stage && now - last < progressEveryMs) return;
    stage = next;
    last = now;
    if (run.signal.aborted) return;
    const { numUpdatedRows } = await context.db
      .updateTable('document')
      .set({ status: next, stage: next, progress, updated_at: now })
      .where('uuid', '=', uuid)
      .where('status', '!=', 'canceled')
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await announce(context, uuid);
  };
}

async function fail(context: Context, uuid: string, code: DocumentErrorCode): Promise<void> {
  const document = await findAnyDocument(context.db, uuid);
  if (!document || document.status === 'canceled') return;
  await updateDocument(context.db, uuid, {
    status: 'failed',
    error: JSON.stringify({ code, stage: document.stage ?? 'parsing' }),
    stage: null,
  });
  await clear(context, uuid);
  await announce(context, uuid);
}

/** Deletes the chunks of every generation but the one that answers. */
async function clear(context: Context, uuid: string): Promise<void> {
  const document = await findAnyDocument(context.db, uuid);
  if (!document) return;
  const base = await findKnowledge(context.db, document.workspace, document.knowledge);
  if (!base) return;
  for (;;) {
    const left = await context.db.transaction().execute(async (trx) => {
      const ids = (await listOtherChunks(trx, uuid, document.generation, batch)).map((row) => row.id);
      if (ids.length === 0) return 0;
      await keywordIndexes[context.engine].remove(trx, base.key, ids);
      await deleteChunks(trx, ids);
      return ids.length;
    });
    if (left === 0) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function announce(context: Context, uuid: string): Promise<void> {
  const document = await findAnyDocument(context.db, uuid);
  // The sentence of an error is in the reader's language, which the sender does not know: readers ask for it.
  if (document) context.sockets.toWorkspace(document.workspace, documentChanged, toDocument(document, 'en'));
}
