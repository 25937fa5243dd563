import { setImmediate } from 'node:timers/promises';
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
  findDeletedChunk,
  findDocument,
  findLastChunk,
  findNextChunk,
  insertChunks,
  listReadChunks,
  listTouchedChunks,
  makeRoomAt,
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
    await makeRoomAt(edit.trx, edit.document, [position]);
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
export async function keepEdits(
  context: Engine,
  trx: Trx,
  { uuid, isReplaced }: { uuid: string; isReplaced: boolean },
): Promise<void> {
  const document = await findAnyDocument(trx, uuid);
  if (!document) return;
  const touched = await listTouchedChunks(trx, { uuid, generation: document.generation - 1 });
  if (touched.length === 0) return;
  const read = await listReadChunks(trx, document);
  const byText = Map.groupBy(read, asRead);
  await applying(context, trx, document, async (edit) => {
    const written: Placed[] = [];
    for (const [count, former] of touched.entries()) {
      // Nothing on SQLite waits for a disk here, and thousands would hold up every other call.
      if (count % 50 === 49) await setImmediate();
      const { text, questions, keywords, enabled, deleted_at } = former;
      const alike = former.by_hand ? [] : (byText.get(asRead(former)) ?? []);
      const at = nearestTo(alike, former.start_offset);
      const same = alike[at];
      if (same && deleted_at === null)
        alike[at] = await rewrite(edit, same, { ...textOf(same, text), questions, keywords, enabled });
      else if (same?.deleted_at === null) alike[at] = await remove(edit, same);
      // What people made of a passage goes with the file that it was read from; what they added to it does not.
      const isLeft = isReplaced ? isAdded(former) : isWritten(former);
      if (same || deleted_at !== null || !isLeft) continue;
      written.push({ former, after: lastUpTo(read, former.start_offset) });
    }
    await placeWritten(edit, read, written);
  });
}

/** What the file said there, whatever people made of it. */
const asRead = ({ original, text }: ChunkRow) => original ?? text;

const isAdded = ({ by_hand, start_offset, end_offset }: ChunkRow) => by_hand === 1 && end_offset === start_offset;

const isWritten = ({ by_hand, original, questions, keywords }: ChunkRow) =>
  by_hand === 1 || original !== null || questions !== '[]' || keywords !== '[]';

/** Which of these, in order, is the last one that begins at a place or before it; -1 for none. */
function lastUpTo(chunks: ChunkRow[], start: number): number {
  let [from, to] = [0, chunks.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((chunks[middle]?.start_offset ?? 0) <= start) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}

/** Which of those that say the same, in order, stands nearest. Thousands may, so they are not all looked at. */
function nearestTo(chunks: ChunkRow[], start: number): number {
  const before = lastUpTo(chunks, start);
  const distance = (at: number) => Math.abs((chunks[at]?.start_offset ?? Infinity) - start);
  return distance(before) <= distance(before + 1) ? Math.max(before, 0) : before + 1;
}

/** A passage that people wrote, and which of those that were read it follows; -1 for none. */
interface Placed {
  former: ChunkRow;
  after: number;
}

/**
 * Each follows what it stood after, in their order; what was read makes room in one step, however many they are. What people may add
 * by hand is limited when they add it: here nothing of theirs is lost.
 */
async function placeWritten(edit: Edit, read: ChunkRow[], written: Placed[]): Promise<void> {
  if (written.length === 0) return;
  const ordered = written.toSorted((a, b) => a.after - b.after);
  const places = ordered.map(({ after }) => read[after]?.position ?? -1);
  await makeRoomAt(edit.trx, edit.document, places);
  const rows = ordered.map(({ former, after }, at) => ({
    ...byHand(edit, read[after], {
      text: former.text,
      questions: JSON.parse(former.questions),
      keywords: JSON.parse(former.keywords),
      enabled: former.enabled,
      isPart: former.end_offset > former.start_offset,
    }),
    position: (places[at] ?? -1) + 1 + at,
  }));
  await insertAll(edit, rows);
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

async function addAfter(edit: Edit, before: ChunkRow | undefined, written: ByHand): Promise<ChunkRow> {
  const { trx, document } = edit;
  if ((await countByHand(trx, document)) >= embeddingLimits.byHand)
    throw new AppError('too-many', { limit: embeddingLimits.byHand });
  const row = byHand(edit, before, written);
  await makeRoomAt(trx, document, [row.position - 1]);
  return insert(edit, row);
}

interface ByHand extends Written {
  enabled?: ChunkRow['enabled'];
  /** Its text is from the original, where the one before it stands. */
  isPart?: boolean;
}

/** A passage of somebody's own, right after another one. */
function byHand(
  { document }: Edit,
  before: ChunkRow | undefined,
  { text, questions, keywords, enabled = 1, isPart = false }: ByHand,
): Omit<ChunkRow, 'id'> {
  const now = Date.now();
  const start = before?.start_offset ?? 0;
  return {
    uuid: newId(),
    knowledge: document.knowledge,
    document: document.uuid,
    generation: document.generation,
    position: (before?.position ?? -1) + 1,
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

async function remove(edit: Edit, chunk: ChunkRow): Promise<ChunkRow> {
  takeOut(edit, chunk);
  const now = momentAfter(chunk);
  await updateChunk(edit.trx, chunk.id, { deleted_at: now, updated_at: now });
  return { ...chunk, deleted_at: now, updated_at: now };
}

/** Never the same moment twice: a change in between is known by it. */
const momentAfter = (chunk: ChunkRow) => Math.max(Date.now(), chunk.updated_at + 1);

async function insert(edit: Edit, row: Omit<ChunkRow, 'id'>): Promise<ChunkRow> {
  const [inserted] = await insertAll(edit, [row]);
  if (!inserted) throw new Error('a chunk was not written');
  return inserted;
}

async function insertAll(edit: Edit, rows: Omit<ChunkRow, 'id'>[]): Promise<ChunkRow[]> {
  const byPosition = new Map(rows.map((row) => [row.position, row]));
  const made = await insertChunks(edit.trx, rows);
  return made.map(({ id, position }) => {
    const row = byPosition.get(position);
    if (!row) throw new Error('a chunk was not written');
    const terms = packTerms({
      title: titleOf(edit.document),
      headings: JSON.parse(row.headings),
      text: row.text,
      questions: JSON.parse(row.questions),
      keywords: JSON.parse(row.keywords),
    });
    edit.added.set(id, terms);
    edit.tokens += row.tokens;
    return { ...row, id };
  });
}

function takeOut(edit: Edit, { id, tokens }: ChunkRow): void {
  if (!edit.added.delete(id)) edit.removed.add(id);
  edit.tokens -= tokens;
}
