import { setTimeout as sleep } from 'node:timers/promises';
import { documentChanged } from '../../../shared/contracts/knowledge.ts';
import type { DocumentErrorCode } from '../../../shared/errors.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import type { DocumentStage } from './knowledge.tables.ts';
import { type JobHandler, type JobRun } from '../../infra/queue.ts';
import { createLine } from '../../infra/line.ts';
import { usualTokensOf } from '../../infra/token-estimate.ts';
import { ParseError } from '../../providers/parsers/parser.ts';
import { parseFile, scanFile } from './parse-file.ts';
import { findParser } from '../../providers/parsers/registry.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import type { Context } from '../../feature.ts';
import { eraseFiles, findFile, listStored } from '../files/files.ts';
import { sizesOf, type Chunk } from './chunking.ts';
import { keepEdits, titleOf } from './chunks.ts';
import { settingsOf } from './knowledge.ts';
import { addIngests, clearKind, dropReplacement, ingestScansKind, toDocument, type DocumentJob } from './documents.ts';
import { keywordIndexes } from './keyword-index.ts';
import { packTerms } from './keyword-terms.ts';
import {
  deleteChunks,
  findAnyDocument,
  findSameBytes,
  hasChunks,
  insertChunks,
  listOtherChunks,
  replacementOf,
  updateDocument,
  type DocumentRow,
  type Replacement,
} from './knowledge.store.ts';
import { keepVersion } from './versions.ts';

// What people wrote is put in again within one transaction: many of them at once would leave nobody else a connection.
const inLine = createLine({ atOnce: 2, maxWaiting: 10_000 });

/** Chunks of one transaction, which on SQLite holds up everyone else while it runs. */
const batch = 8;
const progressEveryMs = 400;
/** Shorter work shows no progress. */
const idleMs = 150;
const meetingMs = 20;

class CanceledError extends Error {}
/** There are pages without text, which may be scans. */
class ScansError extends Error {}

/**
 * Reads a document into chunks of the next generation, then switches to it in one step. Killed at any moment it starts
 * over with the next worker, and whatever it had written of that generation is cleared first. One that has pages to be read from pictures
 * is handed on to a job that does.
 */
export function ingestJob(context: Context, { readsScans } = { readsScans: false }): JobHandler<DocumentJob> {
  return {
    async run(job, run) {
      const { document: uuid, file } = job;
      const document = await findAnyDocument(context.db, uuid);
      const isWanted = document && document.status !== 'canceled' && (!file || replacementOf(document)?.file === file);
      if (!isWanted) return finish(context, run, uuid);
      try {
        await ingest(context, document, { run, readsScans });
      } catch (error) {
        if (error instanceof ScansError) return run.finish((trx) => addScans(context, trx, document, job));
        if (error instanceof CanceledError) await clear(context, uuid);
        else if (error instanceof ParseError && error.code !== 'parser-memory' && error.code !== 'parser-timeout')
          await fail(context, document, error);
        else if (error instanceof BlobMissingError) await fail(context, document, { code: 'file-missing' });
        else throw error;
        await finish(context, run, uuid);
      }
    },
    async dead({ document: uuid, file }, error) {
      const document = await findAnyDocument(context.db, uuid);
      if (document && (!file || replacementOf(document)?.file === file))
        await fail(context, document, error instanceof ParseError ? error : { code: 'internal' });
    },
  };
}

/** Ends the job; a document that is to be read again since it was canceled or failed gets a new one, which it could not while this ran. */
async function finish(context: Context, run: JobRun, uuid: string): Promise<void> {
  await run.finish(
    async (trx) => {
      const document = await findAnyDocument(trx, uuid);
      if (document?.status === 'queued') await addIngests(context, trx, [document]);
    },
    (trx) => lockRow(trx, 'document', uuid),
  );
  context.queue.wake();
}

/** Gives it to the job that reads scans; while it waits, nothing else begins it. */
const addScans = (context: Context, trx: Trx, document: DocumentRow, job: DocumentJob) =>
  context.queue.add(trx, ingestScansKind, job, { uniqueKey: `ingest:${document.uuid}`, tenant: document.workspace });

/** Removes chunks that no longer answer; they are out of the index from the moment of the switch. Newer ones are being written. */
export function clearJob(context: Context): JobHandler<DocumentJob> {
  return {
    async run({ document, file }) {
      await clear(context, document, '<');
      if (file) await eraseFiles(context, await listStored(context.db, 'document', [file]), async () => {});
    },
  };
}

async function ingest(
  context: Context,
  document: DocumentRow,
  { run, readsScans }: { run: JobRun; readsScans: boolean },
): Promise<void> {
  const generation = document.generation + 1;
  await clear(context, document.uuid);
  const replacement = replacementOf(document);
  const source = replacement ?? document;
  const file = source.file ? await findFile(context.db, source.file) : undefined;
  if (!file) throw new ParseError('file-missing');

  const reporter = startReporter(context, document, run);
  try {
    const blob = await context.storage.asFile(file.storage_key);
    const { chunking, reading } = settingsOf(document);
    const order = {
      file: blob.path,
      extension: source.extension,
      ...(source.leave_out && { leaveOut: JSON.parse(source.leave_out) }),
      turn: { tenant: document.workspace },
      signal: AbortSignal.any([run.signal, reporter.signal]),
      onProgress: (share: number) => reporter.report('parsing', share * 0.7),
    };
    const parse = async () => {
      const scanned = readsScans ? await scanFile(order) : [];
      return parseFile({ ...order, scanned, chunking: sizesOf(chunking), ...(readsScans && { onProgress: () => {} }) });
    };
    const mayBeScans = reading.scans && !readsScans && findParser(source.extension)?.pictures !== undefined;
    const parsed = await parse()
      .catch((error: unknown) => {
        throw mayBeScans && error instanceof ParseError && error.code === 'no-text' ? new ScansError() : error;
      })
      .finally(() => blob.done());
    if (mayBeScans && parsed.document.warnings.some(({ kind }) => kind === 'page-without-text')) throw new ScansError();
    run.signal.throwIfAborted();

    const title = titleOf({ title: parsed.document.title, name: source.name });
    const pack = (chunks: Chunk[]) =>
      chunks.map((chunk) => ({
        chunk,
        tokens: usualTokensOf(chunk.text),
        terms: packTerms({ title, headings: chunk.headings, text: chunk.text }),
      }));
    const write = async (trx: Trx, part: ReturnType<typeof pack>) => {
      await mustGoOn(trx, document);
      if (part.length === 0) return;
      const rows = part.map(({ chunk, tokens }) => toRow(document, generation, chunk, tokens));
      const byPosition = new Map(part.map(({ chunk, terms }) => [chunk.position, terms]));
      await keywordIndexes[context.engine].add(
        trx,
        document.base,
        (await insertChunks(trx, rows)).flatMap(({ id, position }) => {
          const terms = byPosition.get(position);
          return terms ? [{ id, terms }] : [];
        }),
      );
    };
    const sums = { words: 0, bigrams: 0, kanji: 0, tokens: 0 };
    const add = (part: ReturnType<typeof pack>) => {
      for (const { tokens, terms } of part) {
        sums.tokens += tokens;
        for (const field of ['words', 'bigrams', 'kanji'] as const) sums[field] += terms.lengths[field];
      }
    };
    let at = 0;
    for (; at + batch < parsed.chunks.length; at += batch) {
      reporter.report('chunking', 0.7 + 0.3 * (at / parsed.chunks.length));
      const part = pack(parsed.chunks.slice(at, at + batch));
      add(part);
      await run.fenced((trx) => write(trx, part));
      // Lets others write between two batches.
      await new Promise((resolve) => setImmediate(resolve));
    }
    const last = pack(parsed.chunks.slice(at));
    add(last);
    await Promise.all([together(), reporter.stop()]);
    // Two rounds of terms in one transaction would take their locks in two orders, and people's edits are a round of their own.
    // A copy comes with what people had added to its original.
    const isRead = document.generation > 0 || (await hasChunks(context.db, document));
    if (isRead) await run.fenced((trx) => write(trx, last));
    const end = async (trx: Trx) => {
      await (isRead ? mustGoOn(trx, document) : write(trx, last));
      if (replacement) await mustBeOnlyOne(trx, document, replacement);
      const left = replacement && (await keepVersion(trx, document.uuid, replacement));
      await updateDocument(trx, document.uuid, {
        ...(replacement && placeOf(replacement)),
        generation,
        status: parsed.document.warnings.length > 0 ? 'indexed-with-warnings' : 'indexed',
        stage: null,
        progress: 1,
        error: null,
        warnings: JSON.stringify(parsed.document.warnings),
        language: parsed.document.language,
        pages: parsed.document.pages,
        tokens: sums.tokens,
        chunk_count: parsed.chunks.length,
        word_count: sums.words,
        bigram_count: sums.bigrams,
        kanji_count: sums.kanji,
        title: parsed.document.title ?? null,
      });
      if (!isRead && !replacement) return;
      if (isRead) await keepEdits(context, trx, { uuid: document.uuid, isReplaced: replacement !== undefined });
      const old = { document: document.uuid, ...(left && { file: left }) };
      await context.queue.add(trx, clearKind, old, { tenant: document.workspace });
    };
    // Locked, so that canceling at this moment either comes before this or finds the document indexed.
    const finish = () => run.finish(end, (trx) => lockRow(trx, 'document', document.uuid));
    await (isRead ? inLine(finish) : finish());
  } finally {
    await reporter.stop();
  }
  await announce(context, document.uuid);
}

let meeting: Promise<void> | undefined;

/** Documents that are finished at about the same time are written together, in one commit. */
function together(): Promise<void> {
  meeting ??= sleep(meetingMs).finally(() => (meeting = undefined));
  return meeting;
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
    original: null,
    by_hand: 0 as const,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
}

async function mustGoOn(trx: Trx, { uuid, replacement }: DocumentRow): Promise<void> {
  const document = await findAnyDocument(trx, uuid);
  if (!document || document.status === 'canceled' || document.replacement !== replacement) throw new CanceledError();
}

function placeOf(replacement: Replacement) {
  const { former: _, by: __, version: ___, ...file } = replacement;
  return { ...file, replacement: null };
}

/** The same bytes may have been added while they were read. */
async function mustBeOnlyOne(trx: Trx, { uuid, knowledge }: DocumentRow, { sha256 }: Replacement): Promise<void> {
  const same = await findSameBytes(trx, knowledge, sha256);
  if (same && same.uuid !== uuid) throw new ParseError('file-known');
}

/** Reports progress to the database and to open pages, no more often than a person can follow, and only for work that takes a while. */
function startReporter(context: Context, { uuid, replacement }: DocumentRow, run: JobRun) {
  let stage: DocumentStage = 'parsing';
  let progress = 0;
  let toldAt: number | undefined;
  let told = Promise.resolve();
  const canceled = new AbortController();
  const tell = async () => {
    if (run.signal.aborted) return;
    const { numUpdatedRows } = await context.db
      .updateTable('document')
      .set({ status: stage, stage, progress, updated_at: Date.now() })
      .where('uuid', '=', uuid)
      .where('status', '!=', 'canceled')
      .where('replacement', replacement === null ? 'is' : '=', replacement)
      .executeTakeFirst();
    if (numUpdatedRows > 0n) await announce(context, uuid);
    else canceled.abort(new CanceledError());
  };
  const tellNext = () => {
    toldAt = Date.now();
    told = told
      .then(tell)
      .catch((err: unknown) => context.log.warn({ err, document: uuid }, 'progress could not be told'));
  };
  const first = setTimeout(tellNext, idleMs);
  return {
    /** Aborted when a report finds the document canceled or replaced. */
    signal: canceled.signal,
    report(next: DocumentStage, share: number): void {
      const isNews = toldAt !== undefined && (next !== stage || Date.now() - toldAt >= progressEveryMs);
      stage = next;
      progress = share;
      if (isNews) tellNext();
    },
    /** From here on it says nothing that could come after the end. */
    async stop(): Promise<void> {
      clearTimeout(first);
      await told;
    },
  };
}

async function fail(
  context: Context,
  { uuid, replacement }: DocumentRow,
  { code, line }: { code: DocumentErrorCode; line?: number | undefined },
): Promise<void> {
  const hasFailed = await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const document = await findAnyDocument(trx, uuid);
    if (!document || document.status === 'canceled' || document.replacement !== replacement) return false;
    const error = JSON.stringify({ code, stage: document.stage ?? 'parsing', line });
    if (!(await dropReplacement(context, trx, document, error)))
      await updateDocument(trx, uuid, { status: 'failed', error, stage: null });
    return true;
  });
  if (!hasFailed) return;
  context.queue.wake();
  await clear(context, uuid);
  await announce(context, uuid);
}

/** Deletes the chunks of older generations than the one that answers, or of every other. */
async function clear(context: Context, uuid: string, which: '<' | '!=' = '!='): Promise<void> {
  const document = await findAnyDocument(context.db, uuid);
  if (!document) return;
  for (;;) {
    const ids = (await listOtherChunks(context.db, { document, which, limit: batch })).map((row) => row.id);
    if (ids.length === 0) return;
    await context.db.transaction().execute(async (trx) => {
      await keywordIndexes[context.engine].remove(trx, document.base, ids);
      await deleteChunks(trx, ids);
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function announce(context: Context, uuid: string): Promise<void> {
  const document = await findAnyDocument(context.db, uuid);
  // The text of an error depends on the reader's language, which is not known here; pages fetch it.
  if (document) context.sockets.toWorkspace(document.workspace, documentChanged, toDocument(document, 'en'));
}
