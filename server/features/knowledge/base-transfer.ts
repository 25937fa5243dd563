import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import {
  BaseSettings,
  embeddingFields,
  embeddingLimits,
  LeftDocument,
  type Knowledge,
} from '../../../shared/contracts/knowledge.ts';
import { AppError } from '../../../shared/errors.ts';
import { Labels, noLabels } from '../../../shared/labels.ts';
import { countGraphemes, isStorable, optionalText, text, webAddress } from '../../../shared/text.ts';
import { toJson, type Context } from '../../feature.ts';
import { megabyte } from '../../infra/config.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { parseJson } from '../../infra/json.ts';
import { usualTokensOf } from '../../infra/token-estimate.ts';
import { writeZip } from '../../infra/zip.ts';
import { safeFilePath, withoutMarks } from '../../providers/parsers/detect.ts';
import { record } from '../audit/audit.ts';
import { mustHaveRoom, plainName } from '../files/files.ts';
import { maxArchiveBytes, openExportArchive, type ExportArchive } from './archive.ts';
import { openOriginal, store, toLabels, tooLarge, type Stored } from './documents.ts';
import { getKnowledge, mustFindKnowledge, settingsOf } from './knowledge.ts';
import {
  listCopiedDocuments,
  listTouchedChunks,
  sumTouchedChunks,
  type ChunkRow,
  type CopiedDocumentRow,
  labelsOf,
} from './knowledge.store.ts';
import { beforeRows, writeBases, type NewBase, type NewDocument } from './new-bases.ts';

export { labelsOf };

export const maxArchiveMb = maxArchiveBytes / megabyte;

const version = 1;
/** Room for the largest website. */
const maxEntries = 6_000;
const maxJsonBytes = 16 * megabyte;
const maxJsonValues = 500_000;
/** A character takes up to four bytes, and a line some more for its names. */
const changeLimits = { chunks: 10_000, characters: 6_000_000, bytes: 32 * megabyte };

const BaseFile = z.object({
  format: z.literal('kotae-base'),
  version: z.literal(version),
  name: text(80),
  description: optionalText(500),
  settings: BaseSettings,
  documents: z
    .array(
      z.object({
        file: z.string().max(200),
        name: text(200),
        source: z.enum(['file', 'url', 'text', 'qa']),
        /** Answers link to it. */
        url: webAddress.nullable(),
        enabled: z.boolean(),
        /** Keys of blocks that are not read, a blank between two. */
        leaveOut: z.string().max(8_000),
        labels: Labels.default(noLabels),
        /** Where it says what people made of its chunks. */
        changes: z.string().max(200).nullable(),
      }),
    )
    .max(maxEntries),
  left: z.array(LeftDocument).max(maxEntries),
});
type BaseFile = z.output<typeof BaseFile>;

/** Found again by these very characters, so nothing of them is trimmed. */
const exact = z
  .string()
  .max(embeddingLimits.text * 16)
  .refine((value) => value !== '' && isStorable(value));
const offset = z.number().int().min(0).max(2_147_483_647);

/** A line of a file of changes: a chunk as the original had it, and as people left it. */
const ChangedChunk = z
  .strictObject({
    text: exact,
    /** As it was read, where people have changed it. */
    original: exact.nullable(),
    questions: embeddingFields.questions,
    keywords: embeddingFields.keywords,
    enabled: z.boolean(),
    deleted: z.boolean(),
    byHand: z.boolean(),
    start: offset,
    end: offset,
  })
  .refine(({ text: written, original, byHand }) =>
    byHand ? original === null && isShort(written) : original === null || isShort(written),
  );
type ChangedChunk = z.output<typeof ChangedChunk>;

const isShort = (written: string) => countGraphemes(written, embeddingLimits.text) <= embeddingLimits.text;

/** What of a base goes into a file: what was never stored does not. */
export async function listExported(
  db: Db,
  knowledge: string,
  most: number,
): Promise<{ documents: CopiedDocumentRow[]; left: LeftDocument[] }> {
  const all = await listCopiedDocuments(db, knowledge, most + 1);
  if (all.length > most) throw new AppError('too-many', { limit: most });
  return {
    documents: all.filter(({ file }) => file !== null),
    left: all.filter(({ file }) => file === null).map(({ name }) => ({ name, reason: 'missing' })),
  };
}

/** An export that could not be imported again is refused. */
export function mustBeImportable(documents: CopiedDocumentRow[], room: { entries: number; bytes: number }): void {
  if (documents.length > room.entries) throw new AppError('too-many', { limit: room.entries });
  if (documents.reduce((sum, { bytes }) => sum + bytes, 0) > room.bytes)
    throw new AppError('file-too-large', { limitMb: maxArchiveMb });
}

/** PDF and Word files are compressed already, and a file that compresses very well would look like a zip bomb at the import. */
export const asItIs = { compress: false };

/** A base with the originals of its documents and what people made of them, as a zip that is written as it is sent. */
export async function exportBase(
  context: Context,
  caller: Caller,
  uuid: string,
): Promise<{ name: string; zip: Readable }> {
  const { db } = context;
  const { name, description, ...base } = await mustFindKnowledge(db, caller, uuid);
  const { documents, left } = await listExported(db, uuid, maxEntries - 1);
  mustBeImportable(documents, {
    entries: maxEntries - 1 - documents.filter(isChanged).length,
    bytes: maxArchiveBytes - maxJsonBytes - changeLimits.bytes,
  });
  const { chunks, characters } = await sumTouchedChunks(db, uuid);
  if (chunks > changeLimits.chunks) throw new AppError('too-many', { limit: changeLimits.chunks });
  if (characters > changeLimits.characters) throw new AppError('file-too-large', { limitMb: maxArchiveMb });
  const settings = settingsOf(base);
  const toBase = (entries: BaseFile['documents'], missing: LeftDocument[]) =>
    toJson({
      format: 'kotae-base',
      version,
      name,
      description,
      settings,
      documents: entries,
      left: missing,
    } satisfies BaseFile);
  if (toBase(documents.map(toEntry), left).length > maxJsonBytes - megabyte)
    throw new AppError('file-too-large', { limitMb: maxArchiveMb });

  await record(db, caller, 'knowledge.exported', name);
  const zip = writeZip(async (add) => {
    const entries: BaseFile['documents'] = [];
    const missing = [...left];
    for (const [at, document] of documents.entries()) {
      const opened = await openOriginal(context, caller, uuid, document.uuid).catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      });
      if (!opened) {
        missing.push({ name: document.name, reason: 'missing' });
        continue;
      }
      // Another file may have taken its place since they were listed.
      const entry = toEntry({ ...document, extension: opened.extension }, at);
      try {
        await add(entry.file, async () => opened.bytes, asItIs);
      } finally {
        opened.bytes.destroy();
      }
      if (entry.changes) await add(entry.changes, await changesOf(db, document), asItIs);
      entries.push(entry);
    }
    // The last, since only now is it known what is missing.
    await add('base.json', toBase(entries, missing), asItIs);
  });
  return { name: `${plainName(name)}.kotae-base.zip`, zip };
}

const isChanged = ({ is_cut, is_added }: CopiedDocumentRow) => Boolean(is_cut) || Boolean(is_added);

function toEntry(document: CopiedDocumentRow, at: number): BaseFile['documents'][number] {
  const { name, source, url, enabled, leave_out, extension } = document;
  const keys: string[] = leave_out === null ? [] : JSON.parse(leave_out);
  return {
    file: `documents/${at}.${extension}`,
    name,
    source,
    url,
    enabled: enabled === 1,
    leaveOut: keys.join(' '),
    labels: labelsOf(document),
    changes: isChanged(document) ? `changes/${at}.jsonl` : null,
  };
}

async function changesOf(db: Db, document: CopiedDocumentRow): Promise<Buffer> {
  const touched = await listTouchedChunks(db, document);
  return Buffer.from(
    touched
      // What people wrote and deleted comes back nowhere.
      .filter(({ by_hand, deleted_at }) => by_hand === 0 || deleted_at === null)
      .map((chunk) => `${JSON.stringify(toChange(chunk))}\n`)
      .join(''),
  );
}

const toChange = (chunk: ChunkRow): ChangedChunk => ({
  text: chunk.text,
  original: chunk.original,
  questions: JSON.parse(chunk.questions),
  keywords: JSON.parse(chunk.keywords),
  enabled: chunk.enabled === 1,
  deleted: chunk.deleted_at !== null,
  byHand: chunk.by_hand === 1,
  start: chunk.start_offset,
  end: chunk.end_offset,
});

type Upload = Readable & { truncated: boolean };

/**
 * Makes a base of an exported file. Its files are stored first and its rows written in one step, so that a file that is damaged,
 * foreign or hostile leaves nothing behind. Throws `import-unreadable`, `import-newer`, `file-unsafe`, `file-too-large`,
 * `workspace-full`.
 */
export function importBase(
  context: Context,
  caller: Caller,
  upload: Upload,
): Promise<{ base: Knowledge; left: LeftDocument[] }> {
  return receiveArchive(context, caller, { upload, maxEntries }, async (archive) => {
    const { left: missing, documents, ...base } = await readBaseFile(archive);
    const action = 'knowledge.imported';
    const bases = [{ ...base, folder: '', documents: documents.map((each) => ({ ...each, typed: each.file })) }];
    const { made, left } = await takeBases(context, caller, { archive, bases, action }, (write) =>
      context.db.transaction().execute(write),
    );
    context.queue.wake();
    return { base: await getKnowledge(context, caller, made[0] ?? '', new Map()), left: [...missing, ...left] };
  });
}

async function readBaseFile(archive: ExportArchive): Promise<BaseFile> {
  const head = z.looseObject({ format: z.literal('kotae-base'), version: z.number().int().min(1) });
  const file = await readJson(archive, 'base.json', head, { bytes: maxJsonBytes, values: maxJsonValues });
  if (file.version > version) throw new AppError('import-newer');
  return parseShape(BaseFile, file);
}

/** Keeps an upload in a temporary folder while it is read. */
export async function receiveArchive<T>(
  context: Context,
  caller: Caller,
  { upload, maxEntries: entries }: { upload: Upload; maxEntries: number },
  read: (archive: ExportArchive) => Promise<T>,
): Promise<T> {
  await mustHaveRoom(context, caller);
  const folder = await mkdtemp(join(tmpdir(), 'kotae-import-'));
  try {
    const path = join(folder, 'export.zip');
    await pipeline(upload, createWriteStream(path, { mode: 0o600 }));
    if (upload.truncated) throw new AppError('file-too-large', { limitMb: maxArchiveMb });
    const archive = await openExportArchive(path, entries);
    try {
      return await read(archive);
    } finally {
      archive.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export interface ArchivedBase {
  /** With a slash at its end; empty for the zip itself. */
  folder: string;
  name: string;
  description: string;
  settings?: BaseSettings | undefined;
  documents: {
    /** Below the folder. */
    file: string;
    name: string;
    /** The name that says by which reader it is read. */
    typed: string;
    source: BaseFile['documents'][number]['source'];
    enabled: boolean;
    url?: string | null;
    leaveOut?: string;
    labels?: Labels;
    changes?: string | null;
  }[];
}

interface Given {
  archive: ExportArchive;
  bases: ArchivedBase[];
  action?: 'knowledge.created' | 'knowledge.imported';
}

/** Stores the documents of bases, and lets `keep` write their rows. Where anything fails, nothing of them stays. */
export async function takeBases<T>(
  context: Context,
  caller: Caller,
  { archive, bases, action }: Given,
  keep: (write: (trx: Trx) => Promise<string[]>) => Promise<T>,
): Promise<{ made: T; left: LeftDocument[] }> {
  const files = new Map(pathsOf(context, archive, bases).map((path) => [path, newId()]));
  const bytes = [...files.keys()].reduce((sum, path) => sum + (archive.sizeOf(path) ?? 0), 0);
  await mustHaveRoom(context, { workspace: caller.workspace, bytes });
  const { mustBeInTime, undo } = await beforeRows(context, [...files.values()]);
  const left: LeftDocument[] = [];
  const changes = changeReader(archive);
  try {
    const stored: NewBase[] = [];
    for (const { folder, name, description, settings, documents } of bases) {
      const known = new Set<string>();
      const kept: NewDocument[] = [];
      for (const document of documents) {
        mustBeInTime();
        const path = folder + document.file;
        const { key, ...file } = await storeEntry(context, caller, { path, archive, document, file: files.get(path) });
        if (known.has(file.sha256)) {
          left.push({ name: document.name, reason: 'same' });
          await context.storage.remove(key);
          continue;
        }
        known.add(file.sha256);
        const { source, url = null, leaveOut, labels = noLabels, enabled } = document;
        kept.push({
          ...file,
          name: shownName(document),
          source,
          url,
          leave_out: leaveOut ? JSON.stringify(leaveOut.split(' ')) : null,
          labels: toLabels(labels),
          enabled: enabled ? 1 : 0,
          added: document.changes ? await changes(folder + document.changes) : [],
        });
      }
      stored.push({ name, description, settings: JSON.stringify(settings ?? {}), documents: kept });
    }
    const made = await keep((trx) => {
      mustBeInTime();
      return writeBases(context, trx, caller, stored, action);
    });
    return { made, left };
  } catch (error) {
    await undo();
    throw error;
  }
}

/** Where the documents are. Throws for one that is there twice, that is not there, or over what one may have. */
function pathsOf(context: Context, archive: ExportArchive, bases: ArchivedBase[]): string[] {
  const paths = new Set<string>();
  for (const { folder, documents } of bases)
    for (const { file, name } of documents) {
      const path = folder + file;
      const bytes = archive.sizeOf(path);
      if (bytes === undefined || paths.has(path)) throw new AppError('import-unreadable', { name: path });
      if (bytes > context.config.MAX_UPLOAD_MB * megabyte) throw tooLarge(context, name);
      paths.add(path);
    }
  return [...paths];
}

/** Pages have the names that their makers gave them, which may look like a path. */
const shownName = ({ source, name }: Pick<ArchivedBase['documents'][number], 'source' | 'name'>): string =>
  (source === 'url' && withoutMarks(name).trim()) || safeFilePath(name);

async function storeEntry(
  context: Context,
  caller: Caller,
  from: { archive: ExportArchive; path: string; document: ArchivedBase['documents'][number]; file: string | undefined },
): Promise<Stored> {
  const { name, typed } = from.document;
  const bytes = from.archive.open(from.path);
  try {
    return await store(context, caller, { name: typed, bytes }, from.file);
  } catch (cause) {
    if (cause instanceof AppError && formatErrors.has(cause.code))
      throw new AppError('import-unreadable', { name }, { cause });
    throw cause;
  } finally {
    bytes.destroy();
  }
}

const formatErrors = new Set(['file-empty', 'file-too-old', 'file-type-not-supported', 'file-not-as-named']);

/** Reads files of changes, of all of which together there are only so many. */
function changeReader(archive: ExportArchive): (path: string) => Promise<NewDocument['added']> {
  let { chunks: room, bytes: roomBytes } = changeLimits;
  return async (path) => {
    const bytes = await archive.read(path, roomBytes);
    roomBytes -= bytes.length;
    const added: NewDocument['added'] = [];
    for (const line of bytes.toString('utf8').split('\n')) {
      if (line === '') continue;
      if (--room < 0) throw new AppError('import-unreadable', { name: path });
      if (room % 50 === 0) await setImmediate();
      added.push(toAdded(parseShape(ChangedChunk, parseText(path, line)), added.length));
    }
    return added;
  };
}

function toAdded(change: ChangedChunk, position: number): NewDocument['added'][number] {
  return {
    position,
    headings: '[]',
    page: null,
    text: change.text,
    original: change.original,
    start_offset: change.start,
    end_offset: change.end,
    questions: JSON.stringify(change.questions),
    keywords: JSON.stringify(change.keywords),
    tokens: usualTokensOf(change.text),
    enabled: change.enabled ? 1 : 0,
    by_hand: change.byHand ? 1 : 0,
    deleted_at: change.deleted ? Date.now() : null,
  };
}

export async function readJson<T extends z.ZodType>(
  archive: ExportArchive,
  name: string,
  schema: T,
  most: { bytes: number; values?: number },
): Promise<z.output<T>> {
  const source = (await archive.read(name, most.bytes)).toString('utf8');
  return parseShape(schema, parseText(name, source, most.values));
}

function parseText(name: string, source: string, maxValues?: number): unknown {
  try {
    return parseJson(source, { ...(maxValues && { maxValues }) });
  } catch (cause) {
    throw new AppError('import-unreadable', { name }, { cause });
  }
}

export function parseShape<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value);
  if (!parsed.success)
    throw new AppError('import-unreadable', {
      fields: parsed.error.issues.slice(0, 5).map((issue) => ({ path: issue.path.join('.'), code: 'invalid' })),
    });
  return parsed.data;
}
