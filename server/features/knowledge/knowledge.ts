import type { Selectable } from 'kysely';
import { z } from 'zod';
import {
  BaseReading,
  Chunking,
  usualSettings,
  type BaseSettings,
  type Embedding,
  type Knowledge,
  type SearchHit,
} from '../../../shared/contracts/knowledge.ts';
import { AppError } from '../../../shared/errors.ts';
import { Retrieval } from '../../../shared/retrieval.ts';
import { lockRow, newId, type Db, type Trx } from '../../infra/db.ts';
import type { KnowledgeTable } from './knowledge.tables.ts';
import type { Caller } from '../../infra/http.ts';
import { parseJson } from '../../infra/json.ts';
import { page, readCursor } from '../../infra/page.ts';
import type { Context, Named } from '../../feature.ts';
import { emptySoon, erasableBefore, longAgo } from '../../infra/trash.ts';
import { record } from '../audit/audit.ts';
import { eraseFiles, listStored } from '../files/files.ts';
import { keywordIndexes } from './keyword-index.ts';
import type { SearchRequest } from './keyword-search.ts';
import {
  countHits,
  deleteChunks,
  deleteDocuments,
  deleteErasableKnowledges,
  deleteVersions,
  eraseDeletedChunks,
  findDeletedKnowledge,
  findHits,
  findCountedKnowledge,
  findKnowledge,
  findKnown,
  findReadiness,
  insertKnowledge,
  listChunksOf,
  listErasableDocuments,
  listErasableVersions,
  listKnowledges,
  listVersionFiles,
  replacementOf,
  stopKnowledges,
  updateKnowledge,
  type KnowledgeRow,
} from './knowledge.store.ts';

type UsedBy = Map<string, Named[]>;

/** What answers from each base of a workspace, as the features say that have such things. */
export async function findUses(context: Context, workspace: string): Promise<UsedBy> {
  const found: UsedBy = new Map();
  for (const { uses } of context.features) {
    for (const [base, users] of (await uses?.['knowledge']?.(context, workspace)) ?? [])
      found.set(base, [...(found.get(base) ?? []), ...users]);
  }
  return found;
}

export async function listOwnKnowledges(
  { db }: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
  usedBy: UsedBy,
) {
  const rows = await listKnowledges(db, {
    workspace: caller.workspace,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.updated_at);
  return { data: shown.rows.map((row) => toKnowledge(row, usedBy)), meta: { nextCursor: shown.nextCursor } };
}

export async function createKnowledge(
  context: Context,
  caller: Caller,
  given: { name: string; description?: string | undefined; settings?: BaseSettings | undefined },
): Promise<Knowledge> {
  const now = Date.now();
  const uuid = newId();
  const row = {
    uuid,
    workspace: caller.workspace,
    name: given.name,
    description: given.description ?? '',
    settings: JSON.stringify(given.settings ?? {}),
    deleted_at: null,
    deleted_by: null,
    created_at: now,
    updated_at: now,
  };
  await context.db.transaction().execute(async (trx) => {
    await insertKnowledge(trx, row);
    await record(trx, caller, 'knowledge.created', row.name);
  });
  return getKnowledge(context, caller, uuid, new Map());
}

export async function getKnowledge({ db }: Context, caller: Caller, uuid: string, usedBy: UsedBy): Promise<Knowledge> {
  const knowledge = await findCountedKnowledge(db, caller.workspace, uuid);
  if (!knowledge) throw new AppError('knowledge-not-found');
  return toKnowledge(knowledge, usedBy);
}

export async function updateOwnKnowledge(
  { db }: Context,
  caller: Caller,
  uuid: string,
  given: { name?: string | undefined; description?: string | undefined; settings?: BaseSettings | undefined },
): Promise<void> {
  await mustFindKnowledge(db, caller, uuid);
  const { name, description, settings } = given;
  await updateKnowledge(db, uuid, {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(settings && { settings: JSON.stringify(settings) }),
  });
}

export async function removeKnowledge({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await mustFindKnowledge(db, caller, uuid);
  await db.transaction().execute(async (trx) => {
    await lockRow(trx, 'knowledge', uuid);
    const { name } = await mustFindKnowledge(trx, caller, uuid);
    await updateKnowledge(trx, uuid, { deleted_at: Date.now(), deleted_by: caller.user });
    await record(trx, caller, 'knowledge.deleted', name);
  });
}

export async function restoreKnowledge({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockRow(trx, 'knowledge', uuid);
    const deleted = await findDeletedKnowledge(trx, caller.workspace, uuid);
    if (!deleted) return;
    await updateKnowledge(trx, uuid, { deleted_at: null, deleted_by: null });
    await record(trx, caller, 'knowledge.restored', deleted.name);
  });
}

/** Throws away for good what is in the trash: it is erased as what was there for a month. Throws `knowledge-not-found`. */
export async function eraseKnowledge({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockRow(trx, 'knowledge', uuid);
    const deleted = await findDeletedKnowledge(trx, caller.workspace, uuid);
    if (!deleted) throw new AppError('knowledge-not-found');
    await updateKnowledge(trx, uuid, { deleted_at: longAgo });
    await record(trx, caller, 'knowledge.erased', deleted.name);
  });
  await emptySoon(db);
}

/** Chunks of one transaction, which on SQLite holds up everyone else while it runs. */
const eraseBatch = 64;

/** Takes every base of a workspace out of the index, and stops what is being read for it. The bases and documents themselves go with the workspace. */
export async function eraseKnowledges(context: Context, workspace: string): Promise<void> {
  await context.db.transaction().execute((trx) => stopKnowledges(trx, workspace));
  await eraseChunks(context, { workspace });
}

/** Erases bases and documents that were long enough in the trash, and old versions; a document whose base is there goes with it. */
export async function emptyKnowledgeTrash(context: Context, signal: AbortSignal): Promise<void> {
  const before = erasableBefore();
  for (;;) {
    signal.throwIfAborted();
    const documents = await listErasableDocuments(context.db, before, eraseBatch);
    if (documents.length === 0) break;
    const uuids = documents.map(({ uuid }) => uuid);
    await eraseChunks(context, { documents: uuids });
    const files = await listStored(context.db, 'document', [
      ...documents.flatMap((document) => [document.file ?? [], replacementOf(document)?.file ?? []].flat()),
      ...(await listVersionFiles(context.db, uuids)),
    ]);
    await eraseFiles(context, files, async (trx) => void (await deleteDocuments(trx, uuids)));
  }
  for (;;) {
    signal.throwIfAborted();
    const versions = await listErasableVersions(context.db, before, eraseBatch);
    if (versions.length === 0) break;
    const files = versions.map(({ file }) => file);
    const uuids = versions.map(({ uuid }) => uuid);
    await eraseFiles(context, await listStored(context.db, 'document', files), (trx) => deleteVersions(trx, uuids));
  }
  await deleteErasableKnowledges(context.db, before);
  await eraseDeletedChunks(context.db, before);
}

async function eraseChunks(
  { db, engine }: Context,
  of: { workspace: string } | { documents: string[] },
): Promise<void> {
  for (;;) {
    const left = await db.transaction().execute(async (trx) => {
      const chunks = await listChunksOf(trx, of, eraseBatch);
      for (const base of new Set(chunks.map((chunk) => chunk.base))) {
        const ids = chunks.filter((chunk) => chunk.base === base).map((chunk) => chunk.id);
        await keywordIndexes[engine].remove(trx, base, ids);
        await deleteChunks(trx, ids);
      }
      return chunks.length;
    });
    if (left === 0) return;
    // Lets others write between two batches.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function mustFindKnowledge(
  db: Db | Trx,
  caller: Caller,
  uuid: string,
): Promise<Selectable<KnowledgeTable>> {
  const knowledge = await findKnowledge(db, caller.workspace, uuid);
  if (!knowledge) throw new AppError('knowledge-not-found');
  return knowledge;
}

/** Throws unless each of the bases exists in the workspace. */
export async function mustHaveKnowledges({ db }: Context, workspace: string, uuids: string[]): Promise<void> {
  const known = await findKnown(db, workspace, [...new Set(uuids)]);
  if (known.length < new Set(uuids).size) throw new AppError('knowledge-not-found');
}

export interface FoundPassage extends SearchHit {
  knowledge: string;
  mime: string;
  /** Of the page that it was fetched from. */
  url: string | null;
  coverage: number;
  tokens: number;
}

/** The best passages of the bases for a question, best first. `coverage` is the best one's share of the question's weight, 0 to 1. */
export async function findPassages(
  context: Context,
  request: SearchRequest,
): Promise<{ passages: FoundPassage[]; coverage: number; tookMs: number }> {
  const { hits, coverage, tookMs, rows } = await findRows(context, request);
  const passages = hits.flatMap((hit): FoundPassage[] => {
    const row = rows.get(hit.chunk);
    if (!row) return [];
    return [
      {
        embedding: {
          uuid: row.uuid,
          position: row.position,
          text: row.text,
          page: row.page,
          headings: JSON.parse(row.headings),
        },
        document: { uuid: row.document, name: row.document_name },
        mime: row.document_mime,
        url: row.document_url,
        knowledge: row.knowledge,
        score: hit.score,
        scores: hit.scores,
        coverage: hit.coverage,
        tokens: row.tokens,
      },
    ];
  });
  noteHits(
    context,
    hits.map((hit) => hit.chunk),
  );
  return { passages, coverage, tookMs };
}

const noted = new WeakMap<Db, Map<number, number>>();
const noteMs = 5_000;

/** Counts how often passages are found. This is only for show, so it is written now and then, and no answer waits for it. */
function noteHits({ db, write, log }: Pick<Context, 'db' | 'write' | 'log'>, chunks: number[]): void {
  const counts = noted.get(db) ?? new Map<number, number>();
  if (counts.size === 0 && chunks.length > 0) {
    setTimeout(() => {
      noted.delete(db);
      write(async (trx) => {
        // In one order for all processes, so that no two wait for each other.
        for (const [id, hits] of [...counts].sort(([one], [other]) => one - other)) await countHits(trx, { id, hits });
      }).catch((err: unknown) => log.warn({ err }, 'how often passages were found could not be written down'));
    }, noteMs).unref();
    noted.set(db, counts);
  }
  for (const chunk of chunks) counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
}

/** The hits with their rows. Searches again when a document was read anew in between, since its chunks are then others. */
async function findRows(context: Pick<Context, 'db' | 'search'>, request: SearchRequest, left = 2) {
  const { db, search } = context;
  const result = await search.search(request);
  const rows = new Map(
    (
      await findHits(
        db,
        result.hits.map((hit) => hit.chunk),
      )
    ).map((row) => [row.id, row]),
  );
  if (rows.size < result.hits.length && left > 0) return findRows(context, request, left - 1);
  return { ...result, rows };
}

/** How far the bases are: nothing in them, all still on its way, or something to answer from. */
export async function readinessOf(
  { db }: Context,
  workspace: string,
  knowledges: string[],
): Promise<'empty' | 'indexing' | 'ready'> {
  let state: 'empty' | 'indexing' | 'ready' = 'empty';
  for (const uuid of knowledges) {
    const base = await findReadiness(db, workspace, uuid);
    if (base === 'ready') return base;
    if (base === 'indexing') state = base;
  }
  return state;
}

export const toEmbedding = (row: {
  uuid: string;
  position: number;
  headings: string;
  page: number | null;
  text: string;
  start_offset: number;
  end_offset: number;
  tokens: number;
  enabled: number;
  hit_count: number;
  questions: string;
  keywords: string;
  original: string | null;
  by_hand: number;
  created_at: number;
  updated_at: number;
}): Embedding => ({
  uuid: row.uuid,
  position: row.position,
  headings: JSON.parse(row.headings),
  page: row.page,
  text: row.text,
  start: row.start_offset,
  end: row.end_offset,
  tokens: row.tokens,
  enabled: row.enabled === 1,
  hitCount: row.hit_count,
  questions: JSON.parse(row.questions),
  keywords: JSON.parse(row.keywords),
  original: row.original,
  byHand: row.by_hand === 1,
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
});

/** What is not written there, or cannot be understood, is as usual. */
export function settingsOf({ settings }: Pick<KnowledgeTable, 'settings'>): BaseSettings {
  const { data } = z
    .looseObject({ reading: z.unknown(), chunking: z.unknown(), retrieval: z.unknown() })
    .safeParse(parseJson(settings));
  return {
    reading: BaseReading.safeParse(data?.reading).data ?? usualSettings.reading,
    chunking: Chunking.safeParse(data?.chunking).data ?? usualSettings.chunking,
    retrieval: Retrieval.safeParse(data?.retrieval).data ?? usualSettings.retrieval,
  };
}

function toKnowledge(row: KnowledgeRow, usedBy: UsedBy): Knowledge {
  return {
    uuid: row.uuid,
    name: row.name,
    description: row.description,
    documentCount: Number(row.document_count),
    chunkCount: Number(row.chunk_count),
    bytes: Number(row.bytes),
    busyCount: Number(row.busy_count),
    failedCount: Number(row.failed_count),
    warningCount: Number(row.warning_count),
    bots: usedBy.get(row.uuid) ?? [],
    settings: settingsOf(row),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

export {
  countDeleted,
  countThings,
  listDeletedDocuments,
  listDeletedKnowledges,
  listPassages,
} from './knowledge.store.ts';
