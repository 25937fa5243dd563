import { embeddingLimits, type Embedding } from '../../../shared/contracts/knowledge.ts';
import { AppError } from '../../../shared/errors.ts';
import { countGraphemes } from '../../../shared/text.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { usualTokensOf } from '../../infra/token-estimate.ts';
import { keywordIndexes } from './keyword-index.ts';
import { packTerms, unpackTerms, type Lengths, type PackedTerms } from './keyword-terms.ts';
import { toEmbedding } from './knowledge.ts';
import {
  countByHand,
  deleteChunks,
  findAnyDocument,
  findChunk,
  findChunkAsRead,
  findDeletedChunk,
  findDocument,
  findLastChunk,
  findNextChunk,
  insertChunks,
  listTouchedChunks,
  makeRoomAfter,
  moveToEnd,
  updateChunk,
  updateDocument,
  type ChunkRow,
  type DocumentRow,
} from './knowledge.store.ts';

/** By which a document's chunks are found besides their own words. */
export const titleOf = ({ title, name }: { title: string | null | undefined; name: string }): string =>
  title ?? name.replace(/\.[a-z0-9]+$/i, '');

interface ChunkPath {
  /** Of the document. */
  uuid: string;
  embedding: string;
}

interface Seen {
  updatedAt?: string | undefined;
}

interface Written {
  text: string;
  questions: string[];
  keywords: string[];
}

type Engine = Pick<Context, 'engine'>;

/** Writes a chunk of one's own after another, or at the end. */
export function addChunk(
  context: Context,
  caller: Caller,
  uuid: string,
  { after, ...given }: Written & { after?: string | undefined },
): Promise<Embedding> {
  return changing(context, caller, uuid, async (edit) => {
    const before =
      after === undefined ? await findLastChunk(edit.trx, edit.document) : await mustFindChunk(edit, after);
    return toEmbedding(await addAfter(edit, before, given));
  });
}

export function updateOwnChunk(
  context: Context,
  caller: Caller,
  path: ChunkPath,
  {
    updatedAt,
    ...given
  }: { [Name in keyof Written]?: Written[Name] | undefined } & {
    enabled?: boolean | undefined;
  } & Seen,
): Promise<Embedding> {
  return changing(context, caller, path.uuid, async (edit) => {
    const chunk = await mustFindChunk(edit, path.embedding, { updatedAt });
    const { text, questions, keywords, enabled } = given;
    return toEmbedding(
      await rewrite(edit, chunk, {
        ...(text !== undefined && textOf(chunk, text)),
        ...(questions !== undefined && { questions: JSON.stringify(questions) }),
        ...(keywords !== undefined && { keywords: JSON.stringify(keywords) }),
        ...(enabled !== undefined && { enabled: enabled ? 1 : 0 }),
      }),
    );
  });
}

/** The chunk answers no more, but keeps its place. */
export function removeChunk(context: Context, caller: Caller, path: ChunkPath): Promise<void> {
  return changing(context, caller, path.uuid, async (edit) => {
    await remove(edit, await mustFindChunk(edit, path.embedding));
  });
}

/** It comes back to its place, or to the one after another. */
export function restoreChunk(
  context: Context,
  caller: Caller,
  path: ChunkPath,
  { after }: { after?: string | undefined } = {},
): Promise<Embedding> {
  return changing(context, caller, path.uuid, async (edit) => {
    const deleted = await findDeletedChunk(edit.trx, edit.document, path.embedding);
    if (!deleted) return toEmbedding(await mustFindChunk(edit, path.embedding));
    if (after === undefined) return toEmbedding(await rewrite(edit, deleted, { deleted_at: null }));
    const { position } = await mustFindChunk(edit, after);
    await makeRoomAfter(edit.trx, edit.document, position);
    return toEmbedding(await rewrite(edit, deleted, { deleted_at: null, position: position + 1 }));
  });
}

/** The first keeps what the chunk was found by besides its text. */
export function splitChunk(
  context: Context,
  caller: Caller,
  path: ChunkPath,
  { at, ...seen }: { at: number } & Seen,
): Promise<Embedding[]> {
  return changing(context, caller, path.uuid, async (edit) => {
    const chunk = await mustFindChunk(edit, path.embedding, seen);
    const [first, second] = [chunk.text.slice(0, at).trimEnd(), chunk.text.slice(at).trimStart()];
    if (!first || !second || !first.isWellFormed())
      throw new AppError('validation-failed', { fields: [{ path: 'at', code: 'invalid' }] });
    const kept = await rewrite(edit, chunk, textOf(chunk, first));
    const added = await addAfter(edit, kept, { text: second, questions: [], keywords: [], isPart: true });
    return [kept, added].map(toEmbedding);
  });
}

/** The next one is deleted, and what it was found by is now of this; those after it move up. */
export function mergeChunk(context: Context, caller: Caller, path: ChunkPath, seen: Seen): Promise<Embedding> {
  return changing(context, caller, path.uuid, async (edit) => {
    const chunk = await mustFindChunk(edit, path.embedding, seen);
    const next = await findNextChunk(edit.trx, edit.document, chunk.position);
    if (!next) throw new AppError('embedding-not-found');
    const text = `${chunk.text}\n\n${next.text}`;
    const questions = both(chunk.questions, next.questions);
    const keywords = both(chunk.keywords, next.keywords);
    if (
      countGraphemes(text, embeddingLimits.text) > embeddingLimits.text ||
      questions.length > embeddingLimits.questions ||
      keywords.length > embeddingLimits.keywords
    )
      throw new AppError('embedding-too-long', { limit: embeddingLimits.text });
    await remove(edit, next);
    await moveToEnd(edit.trx, edit.document, next);
    return toEmbedding(
      await rewrite(edit, chunk, {
        ...textOf(chunk, text),
        questions: JSON.stringify(questions),
        keywords: JSON.stringify(keywords),
      }),
    );
  });
}

const both = (one: string, other: string): string[] => [...new Set<string>([...JSON.parse(one), ...JSON.parse(other)])];

/**
 * Puts what people changed of the generation before into the one that has just been read, in the transaction of the switch.
 * A chunk that was read the same gets its changes; of one that was not, the text that people wrote stays as a chunk of its own.
 */
export async function keepEdits(context: Engine, trx: Trx, uuid: string): Promise<void> {
  const document = await findAnyDocument(trx, uuid);
  if (!document) return;
  const touched = await listTouchedChunks(trx, { uuid, generation: document.generation - 1 });
  if (touched.length === 0) return;
  await applying(context, trx, document, async (edit) => {
    for (const chunk of touched) await keepEdit(edit, chunk);
  });
}

async function keepEdit(edit: Edit, former: ChunkRow): Promise<void> {
  const { trx, document } = edit;
  const { original, text, start_offset, questions, keywords, enabled } = former;
  const same = former.by_hand
    ? undefined
    : await findChunkAsRead(trx, document, { text: original ?? text, start_offset });
  if (same) {
    if (former.deleted_at === null) await rewrite(edit, same, { ...textOf(same, text), questions, keywords, enabled });
    else if (same.deleted_at === null) await remove(edit, same);
    return;
  }
  const isWritten = former.by_hand || original !== null || questions !== '[]' || keywords !== '[]';
  if (former.deleted_at !== null || !isWritten) return;
  const before = await findLastChunk(trx, document, start_offset);
  await addAfter(edit, before && (await lastByHandAfter(edit, before)), {
    text,
    questions: JSON.parse(questions),
    keywords: JSON.parse(keywords),
    enabled,
    isPart: former.end_offset > former.start_offset,
  });
}

/** Of several that were written after one, each follows the one before it. */
async function lastByHandAfter(edit: Edit, chunk: ChunkRow): Promise<ChunkRow> {
  const next = await findNextChunk(edit.trx, edit.document, chunk.position);
  return next?.by_hand === 1 ? lastByHandAfter(edit, next) : chunk;
}

/** What a transaction changes of a document's chunks; the index and the sums follow at its end, in one step. */
interface Edit {
  engine: Context['engine'];
  trx: Trx;
  document: DocumentRow;
  added: Map<number, PackedTerms>;
  removed: Set<number>;
  tokens: number;
}

/** Runs it while nobody else changes the document, neither its chunks nor which of them answer. */
async function changing<T>(
  { db, engine }: Context,
  caller: Caller,
  uuid: string,
  change: (edit: Edit) => Promise<T>,
): Promise<T> {
  if (!(await findDocument(db, caller.workspace, uuid))) throw new AppError('document-not-found');
  return db.transaction().execute(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const document = await findDocument(trx, caller.workspace, uuid);
    if (!document) throw new AppError('document-not-found');
    return applying({ engine }, trx, document, change);
  });
}

async function applying<T>(
  { engine }: Engine,
  trx: Trx,
  document: DocumentRow,
  change: (edit: Edit) => Promise<T>,
): Promise<T> {
  const edit: Edit = { engine, trx, document, added: new Map(), removed: new Set(), tokens: 0 };
  const value = await change(edit);
  const index = keywordIndexes[engine];
  const former = (await index.terms(trx, [...edit.removed])).map(({ data }) => unpackTerms(data).lengths);
  const added = [...edit.added].map(([id, terms]) => ({ id, terms }));
  await index.replace(trx, document.base, [...edit.removed], added);
  const sum = (field: keyof Lengths) =>
    added.reduce((total, { terms }) => total + terms.lengths[field], 0) -
    former.reduce((total, lengths) => total + lengths[field], 0);
  await updateDocument(trx, document.uuid, {
    chunk_count: document.chunk_count + added.length - former.length,
    tokens: document.tokens + edit.tokens,
    word_count: document.word_count + sum('words'),
    bigram_count: document.bigram_count + sum('bigrams'),
    kanji_count: document.kanji_count + sum('kanji'),
  });
  return value;
}

async function mustFindChunk({ trx, document }: Edit, uuid: string, seen: Seen = {}): Promise<ChunkRow> {
  const chunk = await findChunk(trx, document, uuid);
  if (!chunk) throw new AppError('embedding-not-found');
  if (seen.updatedAt !== undefined && Date.parse(seen.updatedAt) !== chunk.updated_at)
    throw new AppError('embedding-changed');
  return chunk;
}

/** A text that is the original again has none beside it. */
function textOf(chunk: ChunkRow, text: string): Pick<ChunkRow, 'text' | 'original'> {
  const original = chunk.by_hand ? null : (chunk.original ?? chunk.text);
  return { text, original: original === text ? null : original };
}

async function addAfter(
  edit: Edit,
  before: ChunkRow | undefined,
  {
    text,
    questions,
    keywords,
    enabled = 1,
    isPart = false,
  }: Written & {
    enabled?: ChunkRow['enabled'];
    /** Its text is from the original, where the one before it stands. */
    isPart?: boolean;
  },
): Promise<ChunkRow> {
  const { trx, document } = edit;
  if ((await countByHand(trx, document)) >= embeddingLimits.byHand)
    throw new AppError('too-many', { limit: embeddingLimits.byHand });
  const position = (before?.position ?? -1) + 1;
  await makeRoomAfter(trx, document, position - 1);
  const now = Date.now();
  const start = before?.start_offset ?? 0;
  const row: Omit<ChunkRow, 'id'> = {
    uuid: newId(),
    knowledge: document.knowledge,
    document: document.uuid,
    generation: document.generation,
    position,
    headings: before?.headings ?? '[]',
    page: before?.page ?? null,
    text,
    start_offset: start,
    end_offset: isPart ? (before?.end_offset ?? start) : start,
    questions: JSON.stringify(questions),
    keywords: JSON.stringify(keywords),
    tokens: usualTokensOf(text),
    enabled,
    hit_count: 0,
    original: null,
    by_hand: 1,
    deleted_at: null,
    created_at: now,
    updated_at: now,
  };
  return insert(edit, row);
}

/** Under a new id, since what is known of an id's terms is kept in memory by every process that searches. */
async function rewrite(edit: Edit, chunk: ChunkRow, changes: Partial<Omit<ChunkRow, 'id'>>): Promise<ChunkRow> {
  const { id, ...row } = { ...chunk, ...changes };
  row.updated_at = momentAfter(chunk);
  row.tokens = usualTokensOf(row.text);
  if (chunk.deleted_at === null) takeOut(edit, chunk);
  await deleteChunks(edit.trx, [id]);
  return insert(edit, row);
}

async function remove(edit: Edit, chunk: ChunkRow): Promise<void> {
  takeOut(edit, chunk);
  const now = momentAfter(chunk);
  await updateChunk(edit.trx, chunk.id, { deleted_at: now, updated_at: now });
}

/** Never the same moment twice: a change in between is known by it. */
const momentAfter = (chunk: ChunkRow) => Math.max(Date.now(), chunk.updated_at + 1);

async function insert(edit: Edit, row: Omit<ChunkRow, 'id'>): Promise<ChunkRow> {
  const [inserted] = await insertChunks(edit.trx, [row]);
  if (!inserted) throw new Error('a chunk was not written');
  const terms = packTerms({
    title: titleOf(edit.document),
    headings: JSON.parse(row.headings),
    text: row.text,
    questions: JSON.parse(row.questions),
    keywords: JSON.parse(row.keywords),
  });
  edit.added.set(inserted.id, terms);
  edit.tokens += row.tokens;
  return { ...row, id: inserted.id };
}

function takeOut(edit: Edit, { id, tokens }: ChunkRow): void {
  if (!edit.added.delete(id)) edit.removed.add(id);
  edit.tokens -= tokens;
}
