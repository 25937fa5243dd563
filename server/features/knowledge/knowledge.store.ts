import { sql, type RawBuilder, type Selectable } from 'kysely';
import { documentSortings, type documentFilters, type DocumentSorting } from '../../../shared/contracts/knowledge.ts';
import type { Labels } from '../../../shared/labels.ts';
import { inBatches, prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import type { ChunkTable, DocumentTable, DocumentVersionTable, KnowledgeTable } from './knowledge.tables.ts';
import { people } from '../users/users.ts';
import { containing, type Position } from '../../infra/page.ts';
import { restorableSince, type Trashed, type TrashQuery } from '../../infra/trash.ts';

type New<T, Made extends keyof T> = Omit<T, Made>;
export type KnowledgeRow = New<KnowledgeTable, 'key'> & {
  key: number;
  document_count: number;
  chunk_count: number;
  bytes: number;
  busy_count: number;
  failed_count: number;
  warning_count: number;
};

const busy = sql`('queued', 'parsing', 'chunking', 'embedding')`;

const withCounts = (db: Db | Trx) =>
  db
    .selectFrom('knowledge')
    .leftJoin('document', (join) =>
      join.onRef('document.knowledge', '=', 'knowledge.uuid').on('document.deleted_at', 'is', null),
    )
    .selectAll('knowledge')
    .select([
      sql<number>`count(document.uuid)`.as('document_count'),
      sql<number>`coalesce(sum(document.chunk_count), 0)`.as('chunk_count'),
      sql<number>`coalesce(sum(document.bytes), 0)`.as('bytes'),
      sql<number>`count(case when document.status in ${busy} then 1 end)`.as('busy_count'),
      sql<number>`count(document.error)`.as('failed_count'),
      sql<number>`count(case when document.status = 'indexed-with-warnings' and document.error is null then 1 end)`.as(
        'warning_count',
      ),
    ])
    .groupBy('knowledge.key');

export const findKnowledge = (db: Db | Trx, workspace: string, uuid: string) =>
  db
    .selectFrom('knowledge')
    .selectAll()
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** With sums over all of its documents, which are for people to look at and too slow for what runs with each document. */
export const findCountedKnowledge = (db: Db, workspace: string, uuid: string): Promise<KnowledgeRow | undefined> =>
  withCounts(db)
    .where('knowledge.uuid', '=', uuid)
    .where('knowledge.workspace', '=', workspace)
    .where('knowledge.deleted_at', 'is', null)
    .executeTakeFirst();

export const findDeletedKnowledge = (db: Db | Trx, workspace: string, uuid: string) =>
  db
    .selectFrom('knowledge')
    .select('name')
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .where('deleted_at', '>', restorableSince())
    .executeTakeFirst();

export function listDeletedKnowledges(db: Db, { workspace, q, limit, after }: TrashQuery): Promise<Trashed[]> {
  let query = db
    .selectFrom('knowledge')
    .leftJoin(people(db), 'person.uuid', 'knowledge.deleted_by')
    .select(['knowledge.uuid', 'knowledge.name', 'knowledge.deleted_by', 'person.username as deleted_by_name'])
    .select(['knowledge.created_at', 'knowledge.updated_at', sql<number>`knowledge.deleted_at`.as('deleted_at')])
    .where('knowledge.workspace', '=', workspace)
    .where('knowledge.deleted_at', '>', restorableSince());
  if (q) query = query.where(sql<boolean>`lower(knowledge.name) like ${containing(q)} escape '\\'`);
  if (after)
    query = query.where(sql<boolean>`(knowledge.deleted_at, knowledge.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query.orderBy('knowledge.deleted_at', 'desc').orderBy('knowledge.uuid', 'desc').limit(limit).execute();
}

export interface TrashedDocument extends Trashed {
  knowledge: string;
  knowledge_name: string;
  /** Its base is in the trash as well. */
  base_deleted_at: number | null;
}

/** Those that were deleted themselves; what is in a base that was deleted comes back with it. */
const deletedDocuments = (db: Db | Trx, workspace: string) =>
  db
    .selectFrom('document')
    .innerJoin('knowledge', 'knowledge.uuid', 'document.knowledge')
    .leftJoin(people(db), 'person.uuid', 'document.deleted_by')
    .select([
      'document.uuid',
      'document.name',
      'document.deleted_by',
      'person.username as deleted_by_name',
      'document.created_at',
      'document.updated_at',
      sql<number>`document.deleted_at`.as('deleted_at'),
      'document.knowledge',
      'knowledge.name as knowledge_name',
      'knowledge.deleted_at as base_deleted_at',
    ])
    .where('knowledge.workspace', '=', workspace)
    .where('document.deleted_at', '>', restorableSince())
    .where((where) =>
      where.or([where('knowledge.deleted_at', 'is', null), where('knowledge.deleted_at', '>', restorableSince())]),
    );

export const findTrashedDocument = (
  db: Db | Trx,
  workspace: string,
  uuid: string,
): Promise<TrashedDocument | undefined> =>
  deletedDocuments(db, workspace).where('document.uuid', '=', uuid).executeTakeFirst();

export function listDeletedDocuments(db: Db, { workspace, q, limit, after }: TrashQuery): Promise<TrashedDocument[]> {
  let query = deletedDocuments(db, workspace);
  if (q) query = query.where(sql<boolean>`lower(document.name) like ${containing(q)} escape '\\'`);
  if (after)
    query = query.where(sql<boolean>`(document.deleted_at, document.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query.orderBy('document.deleted_at', 'desc').orderBy('document.uuid', 'desc').limit(limit).execute();
}

/** Bases and documents in the trash. */
export async function countDeleted(db: Db, workspace: string): Promise<number> {
  const [bases, documents] = await Promise.all([
    db
      .selectFrom('knowledge')
      .select(sql<number>`count(*)`.as('count'))
      .where('workspace', '=', workspace)
      .where('deleted_at', '>', restorableSince())
      .executeTakeFirstOrThrow(),
    db
      .selectFrom(deletedDocuments(db, workspace).as('deleted'))
      .select(sql<number>`count(*)`.as('count'))
      .executeTakeFirstOrThrow(),
  ]);
  return Number(bases.count) + Number(documents.count);
}

export function listKnowledges(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
) {
  let query = withCounts(db).where('knowledge.workspace', '=', workspace).where('knowledge.deleted_at', 'is', null);
  if (q) query = query.where(sql<boolean>`lower(knowledge.name) like ${containing(q)} escape '\\'`);
  if (after)
    query = query.where(sql<boolean>`(knowledge.updated_at, knowledge.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('knowledge.updated_at', 'desc')
    .orderBy('knowledge.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const insertKnowledge = (db: Db | Trx, knowledge: New<KnowledgeTable, 'key'>) =>
  db.insertInto('knowledge').values(knowledge).execute();

export const updateKnowledge = (
  db: Db | Trx,
  uuid: string,
  changes: Partial<Pick<KnowledgeTable, 'name' | 'description' | 'settings' | 'deleted_at' | 'deleted_by'>>,
) =>
  db
    .updateTable('knowledge')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const findKnown = async (db: Db, workspace: string, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('knowledge')
        .select('uuid')
        .where('uuid', 'in', uuids)
        .where('workspace', '=', workspace)
        .where('deleted_at', 'is', null)
        .execute();

/** A file that takes the place of a document's own once it is read, and how the document stands until then. */
export interface Replacement extends Pick<
  DocumentTable,
  'name' | 'mime' | 'extension' | 'bytes' | 'sha256' | 'source' | 'url' | 'leave_out'
> {
  file: string;
  /** Who did it; nobody where it was fetched. */
  by: string | null;
  /** The version that it is and that comes back. */
  version?: string;
  former: Pick<DocumentTable, 'status' | 'error'>;
}

export const replacementOf = ({ replacement }: Pick<DocumentTable, 'replacement'>): Replacement | undefined =>
  replacement === null ? undefined : JSON.parse(replacement);

export type DocumentRow = DocumentTable & { knowledge_name: string; workspace: string; settings: string; base: number };

const withBase = (db: Db | Trx) =>
  db
    .selectFrom('document')
    .innerJoin('knowledge', 'knowledge.uuid', 'document.knowledge')
    .selectAll('document')
    .select(['knowledge.name as knowledge_name', 'knowledge.workspace', 'knowledge.settings', 'knowledge.key as base'])
    .where('knowledge.deleted_at', 'is', null);

export const findDocument = (db: Db | Trx, workspace: string, uuid: string): Promise<DocumentRow | undefined> =>
  withBase(db)
    .where('document.uuid', '=', uuid)
    .where('knowledge.workspace', '=', workspace)
    .where('document.deleted_at', 'is', null)
    .executeTakeFirst();

export const findDeletedDocument = (db: Db | Trx, workspace: string, uuid: string) =>
  withBase(db)
    .where('document.uuid', '=', uuid)
    .where('knowledge.workspace', '=', workspace)
    .where('document.deleted_at', '>', restorableSince())
    .executeTakeFirst();

/** For jobs, which act for nobody. */
export const findAnyDocument = (db: Db | Trx, uuid: string): Promise<DocumentRow | undefined> =>
  withBase(db).where('document.uuid', '=', uuid).where('document.deleted_at', 'is', null).executeTakeFirst();

interface DocumentsOptions {
  workspace: string;
  knowledge?: string;
  q: string | undefined;
  status?: (typeof documentFilters)[number] | undefined;
  tag?: string | undefined;
  sort: DocumentSorting;
  limit: number;
  after: Position | undefined;
}

const sortings: Record<(typeof documentSortings)[number], ReturnType<typeof sql<string | number>>> = {
  added: sql`document.created_at`,
  changed: sql`document.updated_at`,
  name: sql`lower(document.name)`,
  chunks: sql`document.chunk_count`,
  size: sql`document.bytes`,
};

/** `sorted_by` is the value that a cursor takes up the list from. */
export function listDocuments(
  db: Db,
  { workspace, knowledge, q, status, tag, sort, limit, after }: DocumentsOptions,
): Promise<(DocumentRow & { sorted_by: string | number })[]> {
  const column = documentSortings.find((each) => sort.endsWith(each)) ?? 'added';
  const isDescending = sort.startsWith('-');
  const by = sortings[column];
  let query = withBase(db).where('knowledge.workspace', '=', workspace).where('document.deleted_at', 'is', null);
  if (knowledge) query = query.where('document.knowledge', '=', knowledge);
  if (q) query = query.where(sql<boolean>`lower(document.name) like ${containing(q)} escape '\\'`);
  if (tag !== undefined)
    query = query.where('document.uuid', 'in', (where) =>
      where
        .selectFrom('document_label')
        .select('document_label.document')
        .whereRef('document_label.knowledge', '=', 'document.knowledge')
        .where('document_label.name', '=', '')
        .where('document_label.value', '=', tag),
    );
  if (status === 'busy') query = query.where(sql<boolean>`document.status in ${busy}`);
  if (status === 'failed') query = query.where('document.error', 'is not', null);
  if (status === 'problem')
    query = query.where((where) =>
      where.or([where('document.error', 'is not', null), where('document.status', '=', 'indexed-with-warnings')]),
    );
  if (status === 'ready') query = query.where('document.status', 'in', ['indexed', 'indexed-with-warnings']);
  if (after)
    query = query.where(
      sql<boolean>`(${by}, document.uuid) ${isDescending ? sql`<` : sql`>`} (${after.at}, ${after.uuid})`,
    );
  const direction = isDescending ? 'desc' : 'asc';
  return query
    .select(by.as('sorted_by'))
    .orderBy(by, direction)
    .orderBy('document.uuid', direction)
    .limit(limit + 1)
    .execute();
}

/** Documents with one of these names, whatever the case of its letters; the newest first. */
export const listNamed = (db: Db, knowledge: string, names: string[]) =>
  db
    .selectFrom('document')
    .select(['uuid', 'name'])
    .where('knowledge', '=', knowledge)
    .where('deleted_at', 'is', null)
    .where(sql<boolean>`lower(name) in (${sql.join(names.map((name) => sql`lower(${name})`))})`)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .execute();

export const findSameBytes = (db: Db | Trx, knowledge: string, sha256: string) =>
  db
    .selectFrom('document')
    .select('uuid')
    .where('knowledge', '=', knowledge)
    .where('sha256', '=', sha256)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** The oldest document of an address. */
export const findByAddress = (trx: Trx, knowledge: string, url: string) =>
  trx
    .selectFrom('document')
    .select('uuid')
    .where('knowledge', '=', knowledge)
    .where('url', '=', url)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('uuid')
    .limit(1)
    .executeTakeFirst();

export async function insertDocuments(trx: Trx, documents: DocumentTable[]): Promise<void> {
  for (const batch of inBatches(documents)) await trx.insertInto('document').values(batch).execute();
  for (const batch of inBatches(documents.flatMap(labelRows)))
    await trx.insertInto('document_label').values(batch).execute();
}

/** Written by us only. */
export const labelsOf = ({ labels }: Pick<DocumentTable, 'labels'>): Labels => JSON.parse(labels);

const labelRows = (document: Pick<DocumentTable, 'uuid' | 'knowledge' | 'labels'>) => {
  const { tags, fields } = labelsOf(document);
  return [...tags.map((value) => ({ name: '', value })), ...fields].map(({ name, value }) => ({
    knowledge: document.knowledge,
    document: document.uuid,
    name,
    value,
  }));
};

/** In a transaction that has locked the document. */
export async function setLabels(
  trx: Trx,
  document: Pick<DocumentTable, 'uuid' | 'knowledge'>,
  labels: string,
): Promise<void> {
  await trx.deleteFrom('document_label').where('document', '=', document.uuid).execute();
  for (const batch of inBatches(labelRows({ ...document, labels })))
    await trx.insertInto('document_label').values(batch).execute();
  await updateDocument(trx, document.uuid, { labels });
}

const mostLabels = 500;

export const listLabels = (db: Db, knowledge: string) =>
  db
    .selectFrom('document_label')
    .innerJoin('document', 'document.uuid', 'document_label.document')
    .select(['document_label.name', 'document_label.value', sql<number>`count(*)`.as('documents')])
    .where('document_label.knowledge', '=', knowledge)
    .where('document.deleted_at', 'is', null)
    .groupBy(['document_label.name', 'document_label.value'])
    .orderBy('documents', 'desc')
    .orderBy('document_label.name')
    .orderBy('document_label.value')
    .limit(mostLabels)
    .execute();

/** Never twice at the same moment: a change in between is known by it. */
export function updateDocument(db: Db | Trx, uuid: string, changes: Partial<DocumentTable>) {
  const now = Date.now();
  const updated_at = sql<number>`case when updated_at < ${now} then ${now} else updated_at + 1 end`;
  return db
    .updateTable('document')
    .set({ ...changes, updated_at })
    .where('uuid', '=', uuid)
    .execute();
}

export const listIndexed = (trx: Trx) =>
  trx
    .selectFrom('document')
    .innerJoin('knowledge', 'knowledge.uuid', 'document.knowledge')
    .select(['document.uuid', 'document.extension', 'document.bytes', 'document.replacement', 'knowledge.workspace'])
    .where('document.generation', '>', 0)
    .where('document.deleted_at', 'is', null)
    .execute();

/** For jobs, which act for nobody. */
export const findAnyKnowledge = (db: Db, uuid: string) =>
  db
    .selectFrom('knowledge')
    .select(['settings', 'workspace'])
    .where('uuid', '=', uuid)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const listUuids = async (
  db: Db,
  knowledge: string,
  after: string | undefined,
  limit: number,
): Promise<string[]> =>
  (
    await db
      .selectFrom('document')
      .select('uuid')
      .where('knowledge', '=', knowledge)
      .where('deleted_at', 'is', null)
      .$if(after !== undefined, (query) => query.where('uuid', '>', after ?? ''))
      .orderBy('uuid')
      .limit(limit)
      .execute()
  ).map(({ uuid }) => uuid);

export const countDocuments = async (db: Db, knowledge: string): Promise<number> =>
  Number(
    (
      await db
        .selectFrom('document')
        .select(sql<number>`count(*)`.as('count'))
        .where('knowledge', '=', knowledge)
        .where('deleted_at', 'is', null)
        .executeTakeFirstOrThrow()
    ).count,
  );

export async function insertChunks(trx: Trx, chunks: New<ChunkTable, 'id'>[]) {
  const made: { id: number; position: number }[] = [];
  for (const batch of inBatches(chunks))
    made.push(...(await trx.insertInto('chunk').values(batch).returning(['id', 'position']).execute()));
  return made;
}

/** Whether a base has anything to answer from, or anything on its way. */
export async function findReadiness(db: Db, workspace: string, uuid: string): Promise<'empty' | 'indexing' | 'ready'> {
  const documents = withBase(db)
    .where('knowledge.workspace', '=', workspace)
    .where('document.knowledge', '=', uuid)
    .where('document.deleted_at', 'is', null)
    .limit(1);
  if (await documents.where('document.chunk_count', '>', 0).executeTakeFirst()) return 'ready';
  return (await documents.where(sql<boolean>`document.status in ${busy}`).executeTakeFirst()) ? 'indexing' : 'empty';
}

/** Chunks of a document that are older than those that answer, or other ones, a few at a time. */
export const listOtherChunks = (
  db: Db | Trx,
  { document, which, limit }: { document: DocumentRow; which: '<' | '!='; limit: number },
) =>
  db
    .selectFrom('chunk')
    .select('id')
    .where('document', '=', document.uuid)
    .where('generation', which, document.generation)
    .limit(limit)
    .execute();

/** Nothing answers from the workspace's bases or is read for them any more; whoever reads at this moment finds its document canceled. */
export async function stopKnowledges(trx: Trx, workspace: string): Promise<void> {
  const now = Date.now();
  const bases = trx.selectFrom('knowledge').select('uuid').where('workspace', '=', workspace);
  await trx
    .updateTable('document')
    .set({ status: 'canceled', stage: null, updated_at: now })
    .where('knowledge', 'in', bases)
    .execute();
  await trx
    .updateTable('knowledge')
    .set({ deleted_at: now, updated_at: now })
    .where('workspace', '=', workspace)
    .execute();
}

/** Chunks of documents, or of all of a workspace, a few at a time, each with the key of its base in the index. */
export function listChunksOf(trx: Trx, of: { workspace: string } | { documents: string[] }, limit: number) {
  const chunks = trx
    .selectFrom('knowledge')
    .innerJoin('document', 'document.knowledge', 'knowledge.uuid')
    .innerJoin('chunk', 'chunk.document', 'document.uuid')
    .select(['chunk.id', 'knowledge.key as base'])
    .limit(limit);
  return 'workspace' in of
    ? chunks.where('knowledge.workspace', '=', of.workspace).execute()
    : chunks.where('document.uuid', 'in', of.documents).execute();
}

/** Documents whose time in the trash is over, or that of their base. */
export const listErasableDocuments = (db: Db, before: number, limit: number) =>
  db
    .selectFrom('document')
    .select(['document.uuid', 'document.file', 'document.replacement'])
    .where('document.uuid', 'in', (old) =>
      old
        .selectFrom('document')
        .select('uuid')
        .where('deleted_at', '<', before)
        .union(
          old
            .selectFrom('knowledge')
            .innerJoin('document', 'document.knowledge', 'knowledge.uuid')
            .select('document.uuid')
            .where('knowledge.deleted_at', '<', before),
        ),
    )
    .limit(limit)
    .execute();

export const deleteDocuments = (trx: Trx, uuids: string[]) =>
  trx.deleteFrom('document').where('uuid', 'in', uuids).execute();

const versionsOf = (db: Db | Trx, document: string) =>
  db
    .selectFrom('document_version')
    .where('document_version.document', '=', document)
    .where('document_version.created_at', '>', restorableSince());

/** The last replaced first, each with the name of who did it, where they are still there. */
export function listVersions(
  db: Db,
  document: string,
  { q, limit, after }: { q: string | undefined; limit: number; after: Position | undefined },
) {
  let query = versionsOf(db, document)
    .leftJoin(people(db), 'person.uuid', 'document_version.replaced_by')
    .selectAll('document_version')
    .select('person.username as replaced_by_name');
  if (q) query = query.where(sql<boolean>`lower(document_version.name) like ${containing(q)} escape '\\'`);
  if (after)
    query = query.where(
      sql<boolean>`(document_version.created_at, document_version.uuid) < (${Number(after.at)}, ${after.uuid})`,
    );
  return query
    .orderBy('document_version.created_at', 'desc')
    .orderBy('document_version.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

export const findVersion = (db: Db | Trx, document: string, uuid: string) =>
  versionsOf(db, document).selectAll().where('uuid', '=', uuid).executeTakeFirst();

export const insertVersion = (trx: Trx, version: DocumentVersionTable) =>
  trx.insertInto('document_version').values(version).execute();

/** The one that comes after so many. */
export const findVersionAfter = (trx: Trx, document: string, count: number) =>
  trx
    .selectFrom('document_version')
    .select(['uuid', 'file'])
    .where('document', '=', document)
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(1)
    .offset(count)
    .executeTakeFirst();

export async function deleteVersions(trx: Trx, uuids: string[]): Promise<void> {
  await trx.deleteFrom('document_version').where('uuid', 'in', uuids).execute();
}

export const listVersionFiles = async (db: Db, documents: string[]): Promise<string[]> =>
  (await db.selectFrom('document_version').select('file').where('document', 'in', documents).execute()).map(
    ({ file }) => file,
  );

/** Versions whose time is over. One may be coming back, so those of a document that waits for a file stay until it has it. */
export const listErasableVersions = (db: Db, before: number, limit: number) =>
  db
    .selectFrom('document_version')
    .innerJoin('document', 'document.uuid', 'document_version.document')
    .select(['document_version.uuid', 'document_version.file'])
    .where('document_version.created_at', '<', before)
    .where('document.replacement', 'is', null)
    .limit(limit)
    .execute();

/** Bases whose time in the trash is over; their documents are gone. */
export const deleteErasableKnowledges = (db: Db, before: number) =>
  db
    .deleteFrom('knowledge')
    .where('deleted_at', '<', before)
    .where((where) =>
      where.not(
        where.exists(
          where.selectFrom('document').select('document.uuid').whereRef('document.knowledge', '=', 'knowledge.uuid'),
        ),
      ),
    )
    .execute();

export const deleteChunks = (trx: Trx, ids: number[]) => trx.deleteFrom('chunk').where('id', 'in', ids).execute();

export function listChunks(
  db: Db,
  {
    document,
    q,
    limit,
    from,
    page,
    after,
  }: {
    document: string;
    q: string | undefined;
    limit: number;
    from: number | undefined;
    page: number | undefined;
    after: Position | undefined;
  },
) {
  let query = db
    .selectFrom('chunk')
    .innerJoin('document', 'document.uuid', 'chunk.document')
    .selectAll('chunk')
    .where('chunk.document', '=', document)
    .whereRef('chunk.generation', '=', 'document.generation');
  query = query.where('chunk.deleted_at', 'is', null);
  if (q) {
    const pattern = containing(q);
    query = query.where(
      sql<boolean>`(lower(chunk.text) like ${pattern} escape '\\' or lower(chunk.questions) like ${pattern} escape '\\' or lower(chunk.keywords) like ${pattern} escape '\\')`,
    );
  }
  if (from !== undefined) query = query.where('chunk.position', '>=', from);
  if (page !== undefined) query = query.where('chunk.page', '>=', page);
  if (after) query = query.where('chunk.position', '>', Number(after.at));
  return query
    .orderBy('chunk.position')
    .limit(limit + 1)
    .execute();
}

export type ChunkRow = Selectable<ChunkTable>;

/** Of the document as it is answered from now. */
export const findChunk = (db: Db | Trx, { uuid, generation }: { uuid: string; generation: number }, chunk: string) =>
  db
    .selectFrom('chunk')
    .selectAll()
    .where('document', '=', uuid)
    .where('generation', '=', generation)
    .where('uuid', '=', chunk)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

const chunksOf = (db: Db | Trx, { uuid, generation }: Pick<DocumentTable, 'uuid' | 'generation'>) =>
  db.selectFrom('chunk').selectAll().where('document', '=', uuid).where('generation', '=', generation);

export const findDeletedChunk = (trx: Trx, document: DocumentRow, chunk: string) =>
  chunksOf(trx, document).where('uuid', '=', chunk).where('deleted_at', 'is not', null).executeTakeFirst();

/** What comes after a place. */
export const findNextChunk = (db: Db | Trx, document: DocumentRow, position: number) =>
  chunksOf(db, document)
    .where('position', '>', position)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst();

/** What comes before a place. */
export const findFormerChunk = (db: Db, document: DocumentRow, position: number) =>
  chunksOf(db, document)
    .where('position', '<', position)
    .where('deleted_at', 'is', null)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();

export const findLastChunk = (trx: Trx, document: Pick<DocumentTable, 'uuid' | 'generation'>) =>
  chunksOf(trx, document).orderBy('position', 'desc').limit(1).executeTakeFirst();

/** All that were read of it, in order. */
export const listReadChunks = (trx: Trx, document: Pick<DocumentTable, 'uuid' | 'generation'>) =>
  chunksOf(trx, document).where('by_hand', '=', 0).orderBy('position').execute();

/** Those of the bases that a workspace has. */
export const listBasesOf = async (db: Db | Trx, workspace: string, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('knowledge')
        .select(['uuid', 'name', 'description', 'settings', 'updated_at'])
        .where('uuid', 'in', uuids)
        .where('workspace', '=', workspace)
        .where('deleted_at', 'is', null)
        .execute();

export type CopiedDocumentRow = Pick<
  DocumentTable,
  | 'uuid'
  | 'name'
  | 'source'
  | 'url'
  | 'extension'
  | 'bytes'
  | 'file'
  | 'leave_out'
  | 'labels'
  | 'status'
  | 'enabled'
  | 'generation'
  | 'chunk_count'
  | 'updated_at'
> & {
  /** People have changed, switched off or deleted something of what was read. */
  is_cut: number | boolean;
  /** They have written passages of their own, or questions or keywords by which one is found. */
  is_added: number | boolean;
};

/** What may be copied of a base, the oldest first. */
export const listCopiedDocuments = (db: Db | Trx, knowledge: string, limit: number): Promise<CopiedDocumentRow[]> => {
  const has = (what: RawBuilder<unknown>) =>
    sql<number | boolean>`exists (select 1 from chunk where chunk.document = document.uuid
      and chunk.generation = document.generation and ${what})`;
  return db
    .selectFrom('document')
    .select([
      'uuid',
      'name',
      'source',
      'url',
      'extension',
      'bytes',
      'file',
      'leave_out',
      'labels',
      'status',
      'enabled',
      'generation',
      'chunk_count',
      'updated_at',
      has(
        sql`chunk.by_hand = 0 and (chunk.original is not null or chunk.deleted_at is not null or chunk.enabled = 0)`,
      ).as('is_cut'),
      has(sql`(chunk.by_hand = 1 or chunk.questions <> '[]' or chunk.keywords <> '[]')`).as('is_added'),
    ])
    .where('knowledge', '=', knowledge)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('uuid')
    .limit(limit)
    .execute();
};

/** Where one of them was deleted or changed, it is missing or has another moment. */
export const listMoments = async (db: Db | Trx, documents: string[]) =>
  documents.length === 0
    ? []
    : db
        .selectFrom('document')
        .select(['uuid', 'updated_at', 'enabled', 'status'])
        .where('uuid', 'in', documents)
        .where('deleted_at', 'is', null)
        .execute();

/** The passages that a document answers with, in order. */
export const listAnsweringChunks = (db: Db | Trx, document: Pick<DocumentTable, 'uuid' | 'generation'>) =>
  chunksOf(db, document).where('deleted_at', 'is', null).where('enabled', '=', 1).orderBy('position').execute();

/** Whether it has any passage of the generation that answers. */
export const hasChunks = async (db: Db, document: Pick<DocumentTable, 'uuid' | 'generation'>): Promise<boolean> =>
  (await chunksOf(db, document).clearSelect().select('id').limit(1).executeTakeFirst()) !== undefined;

const isTouched = sql<boolean>`(chunk.original is not null or chunk.by_hand = 1 or chunk.deleted_at is not null or chunk.enabled = 0
  or chunk.questions <> '[]' or chunk.keywords <> '[]')`;

/** What people have changed of a document, in order. */
export const listTouchedChunks = (db: Db | Trx, document: Pick<DocumentTable, 'uuid' | 'generation'>) =>
  chunksOf(db, document).where(isTouched).orderBy('position').execute();

/** How many chunks of a base people have changed, and how much is written there. */
export async function sumTouchedChunks(db: Db, knowledge: string): Promise<{ chunks: number; characters: number }> {
  const { chunks, characters } = await db
    .selectFrom('document')
    .innerJoin('chunk', (join) =>
      join.onRef('chunk.document', '=', 'document.uuid').onRef('chunk.generation', '=', 'document.generation'),
    )
    .select([
      sql<number>`count(*)`.as('chunks'),
      sql<number>`coalesce(sum(length(chunk.text) + coalesce(length(chunk.original), 0) + length(chunk.questions)
        + length(chunk.keywords)), 0)`.as('characters'),
    ])
    .where('document.knowledge', '=', knowledge)
    .where('document.deleted_at', 'is', null)
    .where(isTouched)
    .executeTakeFirstOrThrow();
  return { chunks: Number(chunks), characters: Number(characters) };
}

export const countByHand = async (trx: Trx, document: DocumentRow) =>
  Number(
    (
      await chunksOf(trx, document)
        .clearSelect()
        .select(sql<number>`count(*)`.as('count'))
        .where('by_hand', '=', 1)
        .executeTakeFirstOrThrow()
    ).count,
  );

/** Leaves one place free after each of these positions, which come in order; as many as it is named. */
export async function makeRoomAt(
  trx: Trx,
  { uuid, generation }: Pick<DocumentTable, 'uuid' | 'generation'>,
  positions: number[],
): Promise<void> {
  const of = sql`document = ${uuid} and generation = ${generation}`;
  for (const [at, position] of positions.entries()) {
    const next = positions[at + 1];
    if (next === position) continue;
    const until = next === undefined ? sql`` : sql`and position <= ${next}`;
    // Two of a document never have the same position, not even for a moment.
    await sql`update chunk set position = -position - ${at + 2} where ${of} and position > ${position} ${until}`.execute(
      trx,
    );
  }
  await sql`update chunk set position = -position - 1 where ${of} and position < 0`.execute(trx);
}

/** Leaves no gap where it was: what comes after it moves up. */
export async function moveToEnd(trx: Trx, document: DocumentRow, { id, position }: ChunkRow): Promise<void> {
  const last = (await findLastChunk(trx, document))?.position ?? position;
  const of = sql`document = ${document.uuid} and generation = ${document.generation}`;
  await sql`update chunk set position = case when id = ${id} then ${sql.lit(-last)} else 1 - position end
    where ${of} and position >= ${position}`.execute(trx);
  await sql`update chunk set position = -position where ${of} and position < 0`.execute(trx);
}

export const updateChunk = (trx: Trx, id: number, changes: Partial<New<ChunkTable, 'id'>>) =>
  trx.updateTable('chunk').set(changes).where('id', '=', id).execute();

/** Of chunks whose time in the trash is over, what people wrote goes. */
export async function eraseDeletedChunks(db: Db, before: number): Promise<void> {
  const old = sql`deleted_at < ${before}`;
  await sql`delete from chunk where ${old} and by_hand = 1`.execute(db);
  await sql`update chunk set text = coalesce(original, text), original = null, questions = '[]', keywords = '[]'
    where ${old} and (original is not null or questions <> '[]' or keywords <> '[]')`.execute(db);
}

/** Chunks with the document they are from, by their number in the index. */
export async function findHits(db: Db, ids: number[]) {
  if (ids.length === 0) return [];
  return db
    .selectFrom('chunk')
    .innerJoin('document', 'document.uuid', 'chunk.document')
    .selectAll('chunk')
    .select(['document.name as document_name', 'document.mime as document_mime', 'document.url as document_url'])
    .where('chunk.id', 'in', ids)
    .execute();
}

export const countHits = prepareQuery((trx, { id, hits }: { id: number; hits: number }) =>
  trx
    .updateTable('chunk')
    .set((set) => ({ hit_count: set('hit_count', '+', hits) }))
    .where('id', '=', id),
);

export const deleteKnowledges = (trx: Trx, workspace: string) =>
  trx.deleteFrom('knowledge').where('workspace', '=', workspace).execute();

/** Bases, documents, and those of them that are being read: of a workspace, or of all. */
export async function countThings(db: Db, workspace?: string) {
  const bases = sql`from knowledge where deleted_at is null ${workspace === undefined ? sql`` : sql`and workspace = ${workspace}`}`;
  const documents = sql`from document where deleted_at is null and knowledge in (select uuid ${bases})`;
  const { rows } = await sql<{ knowledges: number; documents: number; busy: number }>`select
    (select count(*) ${bases}) as knowledges,
    (select count(*) ${documents}) as documents,
    (select count(*) ${documents} and status in ${busy}) as busy`.execute(db);
  const { knowledges = 0, documents: all = 0, busy: reading = 0 } = rows[0] ?? {};
  return { knowledges: Number(knowledges), documents: Number(all), busy: Number(reading) };
}

/** Documents of a workspace with where their files are. */
export const listWorkspaceDocuments = (db: Db, workspace: string) =>
  db
    .selectFrom('document')
    .innerJoin('knowledge', 'knowledge.uuid', 'document.knowledge')
    .select([
      'knowledge.uuid as knowledge',
      'knowledge.name as knowledgeName',
      'document.uuid',
      'document.name',
      'document.file',
      sql<null>`null`.as('version'),
    ])
    .where('knowledge.workspace', '=', workspace)
    .where('knowledge.deleted_at', 'is', null)
    .where('document.deleted_at', 'is', null)
    .orderBy('document.created_at')
    .execute();

/** The files whose place others have taken, as `listWorkspaceDocuments` gives those that did. */
export const listWorkspaceVersions = (db: Db, workspace: string) =>
  db
    .selectFrom('document_version')
    .innerJoin('document', 'document.uuid', 'document_version.document')
    .innerJoin('knowledge', 'knowledge.uuid', 'document.knowledge')
    .select([
      'knowledge.uuid as knowledge',
      'knowledge.name as knowledgeName',
      'document.uuid',
      'document_version.uuid as version',
      'document_version.name',
      'document_version.file',
    ])
    .where('knowledge.workspace', '=', workspace)
    .where('knowledge.deleted_at', 'is', null)
    .where('document.deleted_at', 'is', null)
    .where('document_version.created_at', '>', restorableSince())
    .orderBy('document_version.created_at')
    .execute();

export const listPassages = async (db: Db, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('chunk')
        .innerJoin('document', 'document.uuid', 'chunk.document')
        .select([
          'chunk.uuid',
          'chunk.text',
          'chunk.page',
          'chunk.headings',
          'chunk.knowledge',
          'document.uuid as document',
          'document.name as document_name',
        ])
        .where('chunk.uuid', 'in', uuids)
        .where('chunk.deleted_at', 'is', null)
        .execute();

/** The newest document of questions and answers of a base that can be added to. */
export const findPairsDocument = (db: Db, knowledge: string) =>
  db
    .selectFrom('document')
    .select('uuid')
    .where('knowledge', '=', knowledge)
    .where('source', '=', 'qa')
    .where('status', '=', 'indexed')
    .where('enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
