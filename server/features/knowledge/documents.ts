import { createHash } from 'node:crypto';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import type {
  AddedDocument,
  Document,
  documentFilters,
  DocumentSorting,
  Embedding,
  KnownLabel,
} from '../../../shared/contracts/knowledge.ts';
import { noLabels, type Labels } from '../../../shared/labels.ts';
import { AppError, type DocumentErrorCode } from '../../../shared/errors.ts';
import type { DocumentTable } from './knowledge.tables.ts';
import { megabyte } from '../../infra/config.ts';
import { isUniqueViolation, lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { FormFile } from '../../infra/forms.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { isOlderIndex, termsVersion } from '../../infra/terms.ts';
import { translate } from '../../infra/translate.ts';
import { detectFormat, safeFileName, safeFilePath } from '../../providers/parsers/detect.ts';
import { findParser } from '../../providers/parsers/registry.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import type { Context, ExportedFile } from '../../feature.ts';
import { emptySoon, longAgo } from '../../infra/trash.ts';
import { record } from '../audit/audit.ts';
import { addFile, findFile, keepOrRemove, mustHaveRoom, plainName, storageKey } from '../files/files.ts';
import { mustFindKnowledge, toEmbedding } from './knowledge.ts';
import {
  countDocuments,
  findAnyDocument,
  findAnyKnowledge,
  findDeletedDocument,
  findTrashedDocument,
  findDocument,
  findSameBytes,
  insertDocuments,
  findChunk,
  findFormerChunk,
  findNextChunk,
  labelsOf,
  listChunks,
  listDocuments,
  listIndexed,
  listLabels,
  listNamed,
  listUuids,
  listWorkspaceDocuments,
  listWorkspaceVersions,
  replacementOf,
  setLabels,
  updateDocument,
  type DocumentRow,
  type Replacement,
} from './knowledge.store.ts';

export interface DocumentJob {
  document: string;
  /** Which file it is about, where that is not the document's own. */
  file?: string;
}

/** The reading itself is over or given up after a minute; then a large file's passages are written, a few at a time. */
export const ingestKind = jobKind<DocumentJob>({ name: 'knowledge.ingest', lane: 'ingestion', timeoutMs: 30 * 60_000 });

/** A page or two of plain text is read in milliseconds, so eight run at once and share a commit. */
/** Documents with pages that have to be read from pictures, of which hundreds take as many minutes; each page has a limit of its own. */
export const ingestScansKind = jobKind<DocumentJob>({
  name: 'knowledge.ingest-scans',
  lane: 'scans',
  timeoutMs: 24 * 60 * 60_000,
});
export const ingestSmallKind = jobKind<DocumentJob>({
  name: 'knowledge.ingest-small',
  lane: 'ingestion',
  timeoutMs: 5 * 60_000,
  share: 1 / 8,
});
const smallBytes = 8 * 1024;

/** Added in the transaction of the change, and only once at a time for each document, which is locked before it. */
export async function addIngests(
  { queue }: Pick<Context, 'queue'>,
  trx: Trx,
  documents: (Pick<DocumentTable, 'uuid' | 'extension' | 'bytes' | 'replacement'> & { workspace: string })[],
): Promise<void> {
  const kindOf = (document: (typeof documents)[number]) => {
    const { extension, bytes } = replacementOf(document) ?? document;
    return findParser(extension)?.isPlain && bytes <= smallBytes ? ingestSmallKind : ingestKind;
  };
  for (const [kind, some] of Map.groupBy(documents, kindOf))
    await queue.addAll(
      trx,
      kind,
      some.map((document) => {
        const file = replacementOf(document)?.file;
        return {
          payload: { document: document.uuid, ...(file && { file }) },
          uniqueKey: `ingest:${document.uuid}`,
          tenant: document.workspace,
        };
      }),
    );
}

/** The name of a pasted text, with the extension by which it is read: Markdown where it has headings. */
export const textName = ({ name, text }: { name: string; text: string }): string =>
  /\.(md|txt)$/i.test(name) ? name : `${name}.${/^#{1,6} \S/m.test(text) ? 'md' : 'txt'}`;

/** Questions with their answers as a file that is read as such: each pair is one chunk. */
export const pairsFile = (name: string, pairs: { question: string; answer: string }[]) => {
  // Visitors' words may be in it, and whoever downloads it opens it in a spreadsheet: behind a space nothing is calculated, and reading leaves the space out.
  const cell = (text: string) => `"${text.replace(/^(?=[=+\-@\t\r＝＋－＠])/, ' ').replaceAll('"', '""')}"`;
  const rows = pairs.map(({ question, answer }) => `${cell(question)},${cell(answer)}`);
  return {
    name: /\.csv$/i.test(name) ? name : `${name}.csv`,
    bytes: Readable.from([Buffer.from(['question,answer', ...rows].join('\n'))]),
    source: 'qa' as const,
  };
};

/** Enough to detect a format. */
export const headBytes = 65_536;

export interface Upload {
  name: string;
  bytes: Readable;
  source: 'file' | 'text' | 'qa';
  labels?: Labels;
}

/** A document that is still to be read. */
export function newDocument(
  given: Omit<Stored, 'key'> & Pick<DocumentTable, 'knowledge' | 'source'> & Partial<DocumentTable>,
): DocumentTable {
  const now = Date.now();
  return {
    uuid: newId(),
    title: null,
    url: null,
    leave_out: null,
    labels: JSON.stringify(noLabels),
    replacement: null,
    language: null,
    pages: null,
    status: 'queued',
    stage: null,
    progress: 0,
    error: null,
    warnings: '[]',
    tokens: 0,
    chunk_count: 0,
    word_count: 0,
    bigram_count: 0,
    kanji_count: 0,
    generation: 0,
    enabled: 1,
    deleted_at: null,
    deleted_by: null,
    created_at: now,
    updated_at: now,
    ...given,
  };
}

/** Keeps the file, then its row and its job in one transaction. The same bytes twice in one base are told, not kept twice. */
export async function addDocument(
  context: Context,
  caller: Caller,
  knowledge: string,
  upload: Upload,
  locale: Locale,
): Promise<AddedDocument> {
  const { db } = context;
  await mustFindKnowledge(db, caller, knowledge);
  const { key, ...stored } = await store(context, caller, upload);
  const labels = toLabels({ ...noLabels, ...upload.labels });
  const document = newDocument({ knowledge, ...stored, source: upload.source, labels });
  try {
    await keepOrRemove(context, [key], async () => {
      await mustHaveRoom(context, { workspace: caller.workspace, bytes: stored.bytes });
      await context.write(async (trx) => {
        await addFile(context, trx, rowOf(caller, { key, ...stored }));
        await insertDocuments(trx, [document]);
        await addIngests(context, trx, [{ ...document, workspace: caller.workspace }]);
      });
    });
  } catch (error) {
    const same = isUniqueViolation(error) ? await findSameBytes(db, knowledge, stored.sha256) : undefined;
    if (!same) throw error;
    const known = await getDocument(context, caller, knowledge, same.uuid, locale);
    return { ...known, duplicate: true, fileName: stored.name };
  }
  context.queue.wake();
  const added = await getDocument(context, caller, knowledge, document.uuid, locale);
  return { ...added, duplicate: false, fileName: stored.name };
}

/**
 * Has a file take the place of a document's own, which goes on answering until the new one is read, and stays where it cannot be. Bytes
 * that the base has already are told. Throws `document-busy` while the document is being read.
 */
export async function replaceDocument(
  context: Context,
  caller: Caller,
  { knowledge, document: uuid }: { knowledge: string; document: string },
  upload: FormFile,
  locale: Locale,
): Promise<AddedDocument> {
  const { key, ...stored } = await store(context, caller, { name: upload.filename, bytes: upload.file });
  const twin = await keepOrRemove(context, [key], async () => {
    if (upload.file.truncated) throw tooLarge(context, stored.name);
    await mustHaveRoom(context, { workspace: caller.workspace, bytes: stored.bytes });
    return context.write(async (trx) => {
      await lockRow(trx, 'document', uuid);
      const document = await mustFind(trx, caller, knowledge, uuid);
      if (isBusy(document)) throw new AppError('document-busy');
      const same = await findSameBytes(trx, knowledge, stored.sha256);
      // What could not be read may be read this time.
      if (same && (same.uuid !== uuid || isRead(document))) return same.uuid;
      await addFile(context, trx, rowOf(caller, { key, ...stored }));
      const place = { source: 'file', url: null, leave_out: null } as const;
      await replaceWith(context, trx, document, { ...stored, ...place, by: caller.user });
      await record(trx, caller, 'document.replaced', document.knowledge_name, { document: uuid });
      return undefined;
    });
  });
  if (twin) await context.storage.remove(key);
  context.queue.wake();
  const shown = await getDocument(context, caller, knowledge, twin ?? uuid, locale);
  return { ...shown, duplicate: twin !== undefined, fileName: stored.name };
}

/** Has a file that is stored wait for the place of a document's own, and be read. */
export async function replaceWith(
  context: Context,
  trx: Trx,
  document: DocumentRow,
  file: Omit<Replacement, 'former'>,
): Promise<void> {
  const { status, error } = document;
  const replacement = JSON.stringify({ ...file, former: { status, error } } satisfies Replacement);
  await updateDocument(trx, document.uuid, { replacement });
  await queueAgain(context, trx, { ...document, replacement });
}

export const isRead = ({ status }: Pick<DocumentRow, 'status'>) =>
  status === 'indexed' || status === 'indexed-with-warnings';

export const tooLarge = ({ config }: Context, name: string) =>
  new AppError('file-too-large', { limitMb: config.MAX_UPLOAD_MB, name });

/** Which documents of a base have the names that files have. */
export async function findNamed(
  { db }: Context,
  caller: Caller,
  knowledge: string,
  names: string[],
): Promise<{ name: string; document: string }[]> {
  await mustFindKnowledge(db, caller, knowledge);
  const kept = new Map(names.map((name) => [name, safeFilePath(name)]));
  const documents = await listNamed(db, knowledge, [...kept.values()]);
  return [...kept].flatMap(([name, shown]) => {
    const same = documents.find((each) => each.name.toLowerCase() === shown.toLowerCase());
    return same ? [{ name, document: same.uuid }] : [];
  });
}

export type Stored = Pick<DocumentTable, 'name' | 'mime' | 'extension' | 'bytes' | 'sha256'> & {
  file: string;
  key: string;
};

export function rowOf({ workspace, user }: Pick<Caller, 'workspace'> & { user: string | null }, stored: Stored) {
  const { file: uuid, key: storage_key, extension: _, ...rest } = stored;
  return { ...rest, uuid, workspace, user, kind: 'document' as const, storage_key };
}

/** Keeps the bytes; they are nobody's until a row names them. */
export async function store(
  context: Context,
  caller: Pick<Caller, 'workspace'>,
  upload: Pick<Upload, 'name' | 'bytes'>,
  file = newId(),
): Promise<Stored> {
  const { storage, config } = context;
  await mustHaveRoom(context, caller);
  const name = safeFilePath(upload.name);
  const key = storageKey('document', file);
  const { head, rest } = await readHead(upload.bytes);
  const { extension, mime } = detectFormat(head, name);
  const hash = createHash('sha256');
  let bytes = 0;
  const limit = config.MAX_UPLOAD_MB * megabyte;
  const counted = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      bytes += part.length;
      done(bytes > limit ? tooLarge(context, name) : null, part);
    },
  });
  const counting = pipeline(rest, counted);
  await Promise.all([storage.put(key, counted), counting]);
  return { file, key, name, mime, extension, bytes, sha256: hash.digest('hex') };
}

/** Texts that were divided by older rules no longer match questions, so all are read again in the background. */
export async function renewIndex(context: Context): Promise<void> {
  const name = 'terms-version';
  const { db } = context;
  await db.transaction().execute(async (trx) => {
    const known = await trx.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
    if (known && !isOlderIndex(known.value)) return;
    await trx
      .insertInto('installation')
      .values({ name, value: termsVersion })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: termsVersion }))
      .execute();
    await addIngests(context, trx, await listIndexed(trx));
  });
}

/** The first bytes, and the whole stream from its beginning again. */
async function readHead(stream: Readable): Promise<{ head: Buffer; rest: Readable }> {
  const parts: Buffer[] = [];
  let size = 0;
  const iterator: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]();
  while (size < headBytes) {
    const { value, done } = await iterator.next();
    if (done) break;
    parts.push(value);
    size += value.length;
  }
  const head = Buffer.concat(parts);
  async function* all() {
    yield head;
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) yield next.value;
  }
  return { head: head.subarray(0, headBytes), rest: Readable.from(all()) };
}

export async function listDocumentsOf(
  context: Context,
  caller: Caller,
  where: { knowledge?: string; status?: (typeof documentFilters)[number] | undefined; tag?: string | undefined },
  query: { q?: string | undefined; sort?: DocumentSorting; limit: number; cursor?: string | undefined },
  locale: Locale,
) {
  const { sort = '-added' } = query;
  if (where.knowledge) await mustFindKnowledge(context.db, caller, where.knowledge);
  const rows = await listDocuments(context.db, {
    workspace: caller.workspace,
    ...where,
    q: query.q,
    sort,
    limit: query.limit,
    after: readCursor(query.cursor, sort.endsWith('name') ? 'names' : 'moments'),
  });
  const shown = page(rows, query.limit, (row) => row.sorted_by);
  return {
    data: shown.rows.map((row) => ({ ...toDocument(row, locale), knowledgeName: row.knowledge_name })),
    meta: { nextCursor: shown.nextCursor },
  };
}

export async function getDocument(
  { db }: Context,
  caller: Caller,
  knowledge: string,
  uuid: string,
  locale: Locale,
): Promise<Document> {
  return toDocument(await mustFind(db, caller, knowledge, uuid), locale);
}

/** What people may change of a document itself. */
type Changed = Pick<Document, 'name' | 'enabled' | 'tags' | 'fields'>;

export async function updateOwnDocument(
  context: Context,
  caller: Caller,
  knowledge: string,
  uuid: string,
  given: { [Key in keyof Changed]?: Changed[Key] | undefined },
): Promise<void> {
  const { name, enabled, tags, fields } = given;
  await context.write(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const document = await mustFind(trx, caller, knowledge, uuid);
    const known = labelsOf(document);
    if (tags ?? fields)
      await setLabels(trx, document, toLabels({ tags: tags ?? known.tags, fields: fields ?? known.fields }));
    await updateDocument(trx, uuid, {
      ...(name !== undefined && { name: safeFilePath(name) }),
      ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
    });
  });
}

/** As they are stored: each tag once, and one value for each field, the last. */
export const toLabels = ({ tags, fields }: Labels): string =>
  JSON.stringify({
    tags: [...new Set(tags)],
    fields: Array.from(new Map(fields.map(({ name, value }) => [name, value])), ([name, value]) => ({ name, value })),
  });

/** Tags and fields that documents of a base have, the most frequent first. */
export async function listKnownLabels({ db }: Context, caller: Caller, knowledge: string): Promise<KnownLabel[]> {
  await mustFindKnowledge(db, caller, knowledge);
  return (await listLabels(db, knowledge)).map(({ name, value, documents: having }) => ({
    name: name === '' ? null : name,
    value,
    documents: Number(having),
  }));
}

export async function removeDocument(context: Context, caller: Caller, knowledge: string, uuid: string): Promise<void> {
  await mustFind(context.db, caller, knowledge, uuid);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const { knowledge_name: base } = await mustFind(trx, caller, knowledge, uuid);
    await updateDocument(trx, uuid, { deleted_at: Date.now(), deleted_by: caller.user });
    // The log names the base, since the name of a document is erased with it.
    await record(trx, caller, 'document.deleted', base, { document: uuid });
  });
}

/** Throws away for good what is in the trash: it is erased as what was there for a month. Throws `document-not-found`. */
export async function eraseDocument({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const deleted = await findTrashedDocument(trx, caller.workspace, uuid);
    if (!deleted) throw new AppError('document-not-found');
    await updateDocument(trx, uuid, { deleted_at: longAgo });
    await record(trx, caller, 'document.erased', deleted.knowledge_name, { document: uuid });
  });
  await emptySoon(db);
}

export async function restoreDocument(
  context: Context,
  caller: Caller,
  knowledge: string,
  uuid: string,
): Promise<void> {
  const trashed = await findTrashedDocument(context.db, caller.workspace, uuid);
  if (trashed?.knowledge === knowledge && trashed.base_deleted_at !== null)
    throw new AppError('knowledge-in-trash', { name: trashed.knowledge_name });
  try {
    await context.db.transaction().execute(async (trx) => {
      await lockRow(trx, 'document', uuid);
      const document = await findDeletedDocument(trx, caller.workspace, uuid);
      if (!document || document.knowledge !== knowledge) return;
      await updateDocument(trx, uuid, { deleted_at: null, deleted_by: null });
      await record(trx, caller, 'document.restored', document.knowledge_name, { document: uuid });
      if (isBusy(document)) await addIngests(context, trx, [document]);
    });
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('conflict', {}, { cause: error });
    throw error;
  }
  context.queue.wake();
}

export const isBusy = (document: Pick<DocumentRow, 'status'> | undefined): boolean =>
  document !== undefined && ['queued', 'parsing', 'chunking', 'embedding'].includes(document.status);

/** Reads a document anew, after a failure or for fresh chunks; what answers now goes on answering until the new chunks are whole. */
export async function readAgain(context: Context, caller: Caller, knowledge: string, uuid: string): Promise<void> {
  await mustFind(context.db, caller, knowledge, uuid);
  await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const document = await mustFind(trx, caller, knowledge, uuid);
    if (isBusy(document)) throw new AppError('document-busy');
    await queueAgain(context, trx, document);
  });
  context.queue.wake();
}

/** Removes what a job has come past: older passages, or a file that is no longer a document's. */
export const clearKind = jobKind<DocumentJob>({ name: 'knowledge.clear', lane: 'upkeep', timeoutMs: 30 * 60_000 });

/** Has a document stand as it did before a file was to take its place; false where none was. */
export async function dropReplacement(
  { queue }: Pick<Context, 'queue'>,
  trx: Trx,
  document: DocumentRow,
  error?: string,
): Promise<boolean> {
  const replacement = replacementOf(document);
  if (!replacement) return false;
  const { former, file, version } = replacement;
  await updateDocument(trx, document.uuid, {
    status: isRead(former) || error === undefined ? former.status : 'failed',
    error: error ?? former.error,
    stage: null,
    progress: 1,
    replacement: null,
  });
  // A version stays one.
  const left = version ? {} : { file };
  await queue.add(trx, clearKind, { document: document.uuid, ...left }, { tenant: document.workspace });
  return true;
}

export async function queueAgain(context: Context, trx: Trx, document: DocumentRow): Promise<void> {
  await updateDocument(trx, document.uuid, { status: 'queued', stage: null, progress: 0, error: null });
  await addIngests(context, trx, [document]);
}

interface ReindexJob {
  knowledge: string;
  /** Of the base, when this began: with others it begins again. */
  settings: string;
  /** The document that was come to last. */
  after?: string;
  /** Those that are on their way, and those that were being read by former settings. */
  going: string[];
  late: string[];
}

export const reindexKind = jobKind<ReindexJob>({ name: 'knowledge.reindex', lane: 'upkeep', timeoutMs: 5 * 60_000 });

/** Has all documents of a base read again, and says how many there are. */
export async function reindexBase(context: Context, caller: Caller, knowledge: string): Promise<number> {
  const { name, settings } = await mustFindKnowledge(context.db, caller, knowledge);
  await context.db.transaction().execute(async (trx) => {
    await addReindex(context, trx, { knowledge, settings, going: [], late: [] }, { tenant: caller.workspace });
    await record(trx, caller, 'knowledge.reindexed', name);
  });
  context.queue.wake();
  return countDocuments(context.db, knowledge);
}

const addReindex = (
  { queue }: Context,
  trx: Trx,
  job: ReindexJob,
  { tenant, delayMs = 0 }: { tenant: string; delayMs?: number },
) => queue.add(trx, reindexKind, job, { uniqueKey: `reindex:${job.knowledge}`, tenant, delayMs });

/** So few of a base are on their way at once, so that what others add need not wait for all of it. */
const mostGoing = 4;
const pauseMs = 300;

/** Goes on by adding itself anew until every document was read. Each is locked as its own job locks it. */
export function reindexJob(context: Context): JobHandler<ReindexJob> {
  const { db } = context;
  const readAgainNow = (uuid: string) =>
    db.transaction().execute(async (trx): Promise<'going' | 'late' | 'none'> => {
      await lockRow(trx, 'document', uuid);
      const document = await findAnyDocument(trx, uuid);
      if (!document || document.status === 'canceled') return 'none';
      if (document.status === 'queued') return 'going';
      if (isBusy(document)) return 'late';
      await queueAgain(context, trx, document);
      return 'going';
    });
  return {
    async run({ knowledge, settings, after: last, going: sent, late: missed }, run) {
      const base = await findAnyKnowledge(db, knowledge);
      if (!base) return;
      let after = base.settings === settings ? last : undefined;
      const going: string[] = [];
      const late: string[] = [];
      const take = async (uuid: string) => {
        const state = await readAgainNow(uuid);
        if (state !== 'none') (state === 'going' ? going : late).push(uuid);
      };
      for (const uuid of sent) if (isBusy(await findAnyDocument(db, uuid))) going.push(uuid);
      for (const uuid of missed) await take(uuid);
      let isWhole = false;
      while (going.length < mostGoing && !isWhole) {
        run.signal.throwIfAborted();
        const [next] = await listUuids(db, knowledge, after, 1);
        if (next) await take((after = next));
        else isWhole = true;
      }
      context.queue.wake();
      if (isWhole && going.length + late.length === 0) return;
      const rest = { knowledge, settings: base.settings, ...(after && { after }), going, late };
      await run.finish((trx) => addReindex(context, trx, rest, { tenant: base.workspace, delayMs: pauseMs }));
    },
  };
}

export async function cancelDocument(context: Context, caller: Caller, knowledge: string, uuid: string): Promise<void> {
  await mustFind(context.db, caller, knowledge, uuid);
  await context.db.transaction().execute(async (trx) => {
    // A document that was finished meanwhile is no longer canceled.
    await lockRow(trx, 'document', uuid);
    const document = await mustFind(trx, caller, knowledge, uuid);
    if (!isBusy(document)) return;
    if (!(await dropReplacement(context, trx, document)))
      await updateDocument(trx, uuid, { status: 'canceled', stage: null });
  });
}

export async function openOriginal(
  context: Context,
  caller: Caller,
  knowledge: string,
  uuid: string,
): Promise<{ bytes: Readable; name: string; mime: string; size: number; extension: string }> {
  return openFile(context, await mustFind(context.db, caller, knowledge, uuid));
}

/** A PDF that may be answered from. Throws `document-not-found`. */
export async function openPdf(context: Context, workspace: string, uuid: string) {
  const document = await findDocument(context.db, workspace, uuid);
  if (document?.mime !== 'application/pdf' || document.enabled === 0) throw new AppError('document-not-found');
  return openFile(context, document);
}

export async function openFile(context: Context, document: Pick<DocumentTable, 'file' | 'name' | 'extension'>) {
  const file = document.file ? await findFile(context.db, document.file) : undefined;
  if (!file) throw new AppError('file-not-found');
  const bytes = await context.storage.get(file.storage_key).catch((error: unknown) => {
    throw error instanceof BlobMissingError ? new AppError('file-not-found', {}, { cause: error }) : error;
  });
  return { bytes, name: safeFileName(document.name), mime: file.mime, size: file.bytes, extension: document.extension };
}

export async function listEmbeddings(
  context: Context,
  caller: Caller,
  document: string,
  query: {
    q?: string | undefined;
    limit: number;
    cursor?: string | undefined;
    from?: number | undefined;
    page?: number | undefined;
  },
): Promise<{ data: Embedding[]; meta: { nextCursor: string | null } }> {
  if (!(await findDocument(context.db, caller.workspace, document))) throw new AppError('document-not-found');
  const rows = await listChunks(context.db, {
    document,
    q: query.q,
    limit: query.limit,
    from: query.from,
    page: query.page,
    after: readCursor(query.cursor, 'places'),
  });
  const shown = page(rows, query.limit, (row) => row.position);
  return { data: shown.rows.map(toEmbedding), meta: { nextCursor: shown.nextCursor } };
}

/** A chunk of a document as it is now, between its neighbours. Throws `document-not-found`, `embedding-not-found`. */
export async function getEmbedding({ db }: Context, caller: Caller, uuid: string, embedding: string) {
  const document = await findDocument(db, caller.workspace, uuid);
  if (!document) throw new AppError('document-not-found');
  const row = await findChunk(db, document, embedding);
  if (!row) throw new AppError('embedding-not-found');
  const { knowledge, name, mime } = document;
  const [before, after] = await Promise.all([
    findFormerChunk(db, document, row.position),
    findNextChunk(db, document, row.position),
  ]);
  return {
    ...toEmbedding(row),
    document: { uuid, knowledge, name, mime },
    before: before ? toEmbedding(before) : null,
    after: after ? toEmbedding(after) : null,
  };
}

export async function mustFind(db: Db | Trx, caller: Caller, knowledge: string, uuid: string): Promise<DocumentRow> {
  const document = await findDocument(db, caller.workspace, uuid);
  if (!document || document.knowledge !== knowledge) throw new AppError('document-not-found');
  return document;
}

export function toDocument(row: DocumentTable, locale: Locale): Document {
  const error: { code: DocumentErrorCode; stage: string; line?: number } | null = row.error
    ? JSON.parse(row.error)
    : null;
  const tell = (reason: string) => (isRead(row) ? translate(locale, 'knowledge-server:kept', { reason }) : reason);
  return {
    uuid: row.uuid,
    knowledge: row.knowledge,
    name: row.name,
    source: row.source,
    url: row.url,
    mime: row.mime,
    bytes: row.bytes,
    language: row.language,
    pages: row.pages,
    status: row.status,
    stage: row.stage,
    progress: row.progress,
    error: error && {
      code: error.code,
      stage: error.stage,
      message: tell(translate(locale, `knowledge-server:error.${error.code}`, { line: error.line })),
    },
    warnings: JSON.parse(row.warnings),
    tokens: row.tokens,
    chunkCount: row.chunk_count,
    enabled: row.enabled === 1,
    ...labelsOf(row),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

/** The originals of a workspace's documents, with those whose place another has taken. */
export async function* exportDocuments(context: Context, workspace: string): AsyncGenerator<ExportedFile> {
  const { db, storage, log } = context;
  const versions = await listWorkspaceVersions(db, workspace);
  for (const document of [...(await listWorkspaceDocuments(db, workspace)), ...versions]) {
    const file = document.file === null ? undefined : await findFile(db, document.file);
    if (!file) continue;
    const missing = (err: unknown) => {
      log.warn({ err, document: document.uuid }, 'a file is missing from an export');
      return Readable.from([Buffer.from('This file is missing from the storage.')]);
    };
    const base = `${plainName(document.knowledgeName)}-${document.knowledge.slice(-6)}`;
    const version = document.version === null ? '' : `-version-${document.version.slice(-6)}`;
    yield {
      name: `knowledge/${base}/${document.uuid.slice(-6)}${version}-${plainName(document.name)}`,
      content: () => storage.get(file.storage_key).catch(missing),
    };
  }
}
