import { z } from 'zod';
import { documentErrorCodes } from '../errors.ts';
import { event } from '../event.ts';
import { GivenLabels, labelLimits, Labels, noLabels } from '../labels.ts';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import { Retrieval, usualRetrieval } from '../retrieval.ts';
import { route } from '../route.ts';
import { optionalText, text, uuid, webAddress } from '../text.ts';
import { Mark } from './bots.ts';

export { labelLimits, noLabels };

export const documentStatuses = [
  'queued',
  'parsing',
  'chunking',
  'embedding',
  'indexed',
  'indexed-with-warnings',
  'failed',
  'canceled',
] as const;
export const DocumentStatus = z.enum(documentStatuses);
export type DocumentStatus = z.output<typeof DocumentStatus>;

/** How documents are divided. */
export const Chunking = z.strictObject({
  /** What paragraphs are merged up to, in Latin characters; a Chinese, Japanese or Korean one counts as 2.5. */
  size: z.number().int().min(200).max(4000),
  /** Which share of the piece before is repeated where a paragraph has to be cut. */
  overlap: z.number().min(0).max(0.5),
});
export type Chunking = z.output<typeof Chunking>;

export const usualChunking: Chunking = { size: 1000, overlap: 0.25 };

/** How a base reads documents. */
export const BaseReading = z.strictObject({
  /** Whether words are read from pictures of pages: scans and photos. */
  scans: z.boolean(),
});

/** How a base reads and divides its documents, and what bots that are made from it and its search test begin with. */
export const BaseSettings = z.strictObject({
  reading: BaseReading.default({ scans: true }),
  chunking: Chunking,
  retrieval: Retrieval,
});
export type BaseSettings = z.output<typeof BaseSettings>;

export const usualSettings: BaseSettings = {
  reading: { scans: true },
  chunking: usualChunking,
  retrieval: usualRetrieval,
};

export const Knowledge = z.object({
  uuid,
  name: z.string(),
  description: z.string(),
  documentCount: z.number().int(),
  chunkCount: z.number().int(),
  bytes: z.number().int(),
  /** Documents that are still on their way, those that failed, and those that were read with gaps. */
  busyCount: z.number().int(),
  failedCount: z.number().int(),
  warningCount: z.number().int(),
  bots: z.array(z.object({ uuid, name: z.string(), mark: Mark })),
  settings: BaseSettings,
  createdAt: moment,
  updatedAt: moment,
});
export type Knowledge = z.output<typeof Knowledge>;

/** What may stand in a file without being found by a question. */
export const documentWarnings = [
  /** Pages, for example scans. */
  'page-without-text',
  /** Pages whose words were read from a picture with doubt. */
  'page-in-doubt',
  'picture',
  /** Charts and diagrams. */
  'drawing',
  /** Files inside the file: a sheet in a text, an attachment of a mail, a video. */
  'file-inside',
  'comment',
  'hidden-sheet',
  'hidden-row',
  'hidden-slide',
  /** Cells whose formula was never calculated. */
  'formula',
  /** Rows in which a quotation mark stands that nothing closes. */
  'stray-quote',
  /** Signs of a font for which there is no character. */
  'character',
  /** Something that the file only refers to, and that is elsewhere. */
  'elsewhere',
] as const;

export const DocumentWarning = z.object({
  kind: z.enum(documentWarnings),
  count: z.number().int(),
  /** Pages, sheets, rows or names, at most 100; empty where the format has no places. */
  places: z.array(z.string()),
});
export type DocumentWarning = z.output<typeof DocumentWarning>;

export const Document = z.object({
  uuid,
  knowledge: uuid,
  name: z.string(),
  source: z.enum(['file', 'url', 'text', 'qa']),
  /** Of the page that it was fetched from. */
  url: z.string().nullable(),
  mime: z.string(),
  bytes: z.number().int(),
  language: z.string().nullable(),
  pages: z.number().int().nullable(),
  status: DocumentStatus,
  stage: z.enum(['parsing', 'chunking', 'embedding']).nullable(),
  progress: z.number().min(0).max(1),
  error: z.object({ code: z.enum(documentErrorCodes), stage: z.string(), message: z.string() }).nullable(),
  warnings: z.array(DocumentWarning),
  tokens: z.number().int(),
  chunkCount: z.number().int(),
  enabled: z.boolean(),
  ...Labels.shape,
  createdAt: moment,
  updatedAt: moment,
});
export type Document = z.output<typeof Document>;

/** A document that was sent; `duplicate` when the base had the same bytes already, and nothing was added. */
export const AddedDocument = Document.extend({
  duplicate: z.boolean(),
  /** How the file is called that was sent, or that lies in a ZIP. What is there already may have another name. */
  fileName: z.string(),
});
export type AddedDocument = z.output<typeof AddedDocument>;

/** A file that was a document's until another took its place. */
export const DocumentVersion = z.object({
  uuid,
  name: z.string(),
  mime: z.string(),
  bytes: z.number().int(),
  replacedAt: moment,
  /** Who replaced it, without a name where they are gone; null where the visit of a website did. */
  by: z.object({ uuid, name: z.string().nullable() }).nullable(),
  keptUntil: moment,
  ...moments,
});
export type DocumentVersion = z.output<typeof DocumentVersion>;

/** A file in a ZIP that no document was made of, and why. */
export const SkippedFile = z.object({
  name: z.string(),
  code: z.enum([
    'file-type-not-supported',
    'file-not-as-named',
    'file-empty',
    'file-too-large',
    'file-damaged',
    'file-encrypted',
    'archive-inside',
    'workspace-full',
    'storage-full',
  ]),
  message: z.string(),
});
export type SkippedFile = z.output<typeof SkippedFile>;

/** A document that an import does not have: its original was gone at the export, or another one has the same bytes. */
export const LeftDocument = z.object({ name: z.string().max(4000), reason: z.enum(['missing', 'same']) });
export type LeftDocument = z.output<typeof LeftDocument>;

export const Embedding = z.object({
  uuid,
  position: z.number().int(),
  headings: z.array(z.string()),
  page: z.number().int().nullable(),
  text: z.string(),
  start: z.number().int(),
  end: z.number().int(),
  /** It is found by these as well as by its text. */
  questions: z.array(z.string()),
  keywords: z.array(z.string()),
  tokens: z.number().int(),
  enabled: z.boolean(),
  hitCount: z.number().int(),
  /** The text as it was read, where people have changed it. */
  original: z.string().nullable(),
  /** People wrote it; it is not in the original. */
  byHand: z.boolean(),
  createdAt: moment,
  updatedAt: moment,
});
export type Embedding = z.output<typeof Embedding>;

/** The chunk beside one; null where the document begins or ends. Neighbours may have some words in common. */
const Neighbour = Embedding.pick({ text: true, headings: true }).nullable();

/** How much people may write of each. */
export const embeddingLimits = { text: 6000, questions: 20, question: 300, keywords: 30, keyword: 60, byHand: 1000 };

export const embeddingFields = {
  text: text(embeddingLimits.text),
  questions: z.array(text(embeddingLimits.question)).max(embeddingLimits.questions),
  keywords: z.array(text(embeddingLimits.keyword)).max(embeddingLimits.keywords),
};

/** When what is to be changed was changed last, as the caller knows it; a change that came between is told and kept. */
const seen = { updatedAt: moment.optional() };

export const SearchHit = z.object({
  embedding: Embedding.pick({ uuid: true, position: true, text: true, page: true, headings: true }),
  document: z.object({ uuid, name: z.string() }),
  score: z.number(),
  scores: z.object({ words: z.number(), bigrams: z.number(), kanji: z.number() }),
  /** Its share of the question's weight, 0 to 1; a bot answers when that of the first one reaches its threshold. */
  coverage: z.number(),
});
export type SearchHit = z.output<typeof SearchHit>;

/** A tag has no name. */
export const KnownLabel = z.object({ name: z.string().nullable(), value: z.string(), documents: z.number().int() });
export type KnownLabel = z.output<typeof KnownLabel>;

export const documentFilters = ['busy', 'problem', 'failed', 'ready'] as const;

/** What documents may be sorted by; from the end with a minus before it. */
export const documentSortings = ['added', 'changed', 'name', 'chunks', 'size'] as const;
export type DocumentSorting = (typeof documentSortings)[number] | `-${(typeof documentSortings)[number]}`;
const documentQuery = {
  ...listQuery,
  /** Those that failed or have gaps are problems. */
  status: z.enum(documentFilters).optional(),
  tag: text(labelLimits.tag).optional(),
  sort: z
    .enum(documentSortings.flatMap((each): [DocumentSorting, DocumentSorting] => [each, `-${each}`]))
    .default('-added'),
};

const inBase = { knowledge: uuid };
const inDocument = { knowledge: uuid, document: uuid };
const inVersion = { ...inDocument, version: uuid };
const inChunk = { uuid, embedding: uuid };
const base = '/api/user/knowledge/:knowledge/document';

export const knowledge = {
  list: route('GET', '/api/user/knowledges', {
    summary: 'Knowledge bases of the workspace',
    access: 'read',
    query: listQuery,
    reply: many(Knowledge),
  }),
  create: route('POST', '/api/user/knowledge', {
    summary: 'Create a knowledge base',
    access: 'edit',
    status: 201,
    body: z.strictObject({
      name: text(80),
      description: optionalText(500).optional(),
      settings: BaseSettings.optional(),
    }),
    reply: one(Knowledge),
  }),
  get: route('GET', '/api/user/knowledge/:uuid', {
    summary: 'One knowledge base',
    access: 'read',
    params: byUuid,
    reply: one(Knowledge),
  }),
  update: route('PUT', '/api/user/knowledge/:uuid', {
    summary: 'Change a knowledge base; documents that are there keep their chunks until they are re-indexed',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ name: text(80), description: optionalText(500), settings: BaseSettings }).partial(),
    reply: one(Knowledge),
  }),
  remove: route('DELETE', '/api/user/knowledge/:uuid', {
    summary: 'Move a knowledge base to the trash; it can be restored for 30 days',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  restore: route('POST', '/api/user/knowledge/:uuid/restore', {
    summary: 'Take a knowledge base out of the trash',
    access: 'edit',
    params: byUuid,
    reply: one(Knowledge),
  }),
  export: route('GET', '/api/user/knowledge/:uuid/export', {
    summary:
      'A knowledge base as a ZIP: its settings, the originals of its documents, and what people made of their chunks',
    access: 'read',
    kind: 'file',
    params: byUuid,
  }),
  import: route('POST', '/api/user/knowledges/import', {
    summary:
      'Make a knowledge base of a ZIP that was exported (multipart, field `file`); `left` names what is not in it',
    access: 'edit',
    kind: 'multipart',
    status: 201,
    reply: z.object({ data: Knowledge, meta: z.object({ left: z.array(LeftDocument) }) }),
  }),
  search: route('POST', '/api/user/knowledge/:uuid/search', {
    summary: 'Try a question against a knowledge base',
    access: 'read',
    params: byUuid,
    body: z.strictObject({
      query: text(2000),
      limit: z.number().int().min(1).max(50).default(8),
      /** Documents that have all of these. */
      filter: GivenLabels.default(noLabels),
    }),
    reply: z.object({ data: z.array(SearchHit), meta: z.object({ coverage: z.number(), tookMs: z.number() }) }),
  }),
  labels: route('GET', '/api/user/knowledge/:uuid/labels', {
    summary: 'Tags and fields that documents of a knowledge base have, the most frequent 500',
    access: 'read',
    params: byUuid,
    reply: z.object({ data: z.array(KnownLabel) }),
  }),
  reindex: route('POST', '/api/user/knowledge/:uuid/reindex', {
    summary: 'Read all documents of a knowledge base again; what answers now goes on answering meanwhile',
    access: 'edit',
    status: 202,
    params: byUuid,
    reply: one(z.object({ documents: z.number().int() })),
  }),
  preview: route('POST', '/api/user/knowledge/:uuid/preview', {
    summary: 'How a document of the base, or a text, would be divided; nothing is kept',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({
      chunking: Chunking,
      of: z.union([
        z.strictObject({ document: uuid }),
        z.strictObject({ name: optionalText(200), text: text(100_000) }),
      ]),
    }),
    reply: z.object({
      data: z.array(Embedding.pick({ position: true, headings: true, page: true, text: true, tokens: true })),
      meta: z.object({ total: z.number().int() }),
    }),
  }),
};

export const documents = {
  all: route('GET', '/api/user/documents', {
    summary: 'Documents of every knowledge base of the workspace',
    access: 'read',
    query: documentQuery,
    reply: many(Document.extend({ knowledgeName: z.string() })),
  }),
  list: route('GET', base, {
    summary: 'Documents of a knowledge base',
    access: 'read',
    params: inBase,
    query: documentQuery,
    reply: many(Document),
  }),
  add: route('POST', base, {
    summary:
      'Add files (multipart, field `file`, repeatable; a ZIP gives a document for each file inside), a pasted text, questions with their answers, or the page or file at an address',
    access: 'edit',
    kind: 'multipart',
    status: 202,
    params: inBase,
    body: z
      .discriminatedUnion('source', [
        z.strictObject({
          source: z.literal('text'),
          name: text(200),
          text: text(2_000_000),
          ...GivenLabels.shape,
        }),
        z.strictObject({
          source: z.literal('qa'),
          name: text(200),
          pairs: z
            .array(z.strictObject({ question: text(500), answer: text(4000) }))
            .min(1)
            .max(500),
          ...GivenLabels.shape,
        }),
        z.strictObject({ source: z.literal('url'), url: webAddress, name: text(200).optional() }),
      ])
      .optional(),
    reply: z.object({ data: z.array(AddedDocument), meta: z.object({ skipped: z.array(SkippedFile) }) }),
  }),
  get: route('GET', `${base}/:document`, {
    summary: 'One document',
    access: 'read',
    params: inDocument,
    reply: one(Document),
  }),
  update: route('PUT', `${base}/:document`, {
    summary: 'Rename, enable or disable a document, or file it under tags and fields',
    access: 'edit',
    params: inDocument,
    body: z.strictObject({ name: text(200), enabled: z.boolean(), ...Labels.shape }).partial(),
    reply: one(Document),
  }),
  remove: route('DELETE', `${base}/:document`, {
    summary: 'Move a document to the trash; it can be restored for 30 days',
    access: 'edit',
    params: inDocument,
    reply: ok,
  }),
  restore: route('POST', `${base}/:document/restore`, {
    summary: 'Take a document out of the trash',
    access: 'edit',
    params: inDocument,
    reply: one(Document),
  }),
  retry: route('POST', `${base}/:document/retry`, {
    summary: 'Try a failed or canceled document again',
    access: 'edit',
    status: 202,
    params: inDocument,
    reply: one(Document),
  }),
  cancel: route('POST', `${base}/:document/cancel`, {
    summary: 'Stop the ingestion of a document',
    access: 'edit',
    params: inDocument,
    reply: one(Document),
  }),
  reindex: route('POST', `${base}/:document/reindex`, {
    summary: 'Read a document anew; the old chunks answer until the new ones are whole, and changes by people stay',
    access: 'edit',
    status: 202,
    params: inDocument,
    reply: one(Document),
  }),
  file: route('GET', `${base}/:document/file`, {
    summary: 'The original file',
    access: 'read',
    kind: 'file',
    params: inDocument,
  }),
  replace: route('PUT', `${base}/:document/file`, {
    summary:
      'Have a file (multipart, field `file`) take the place of the original; the old chunks answer until the new ones are whole, and stay where it cannot be read',
    access: 'edit',
    kind: 'multipart',
    status: 202,
    params: inDocument,
    reply: one(AddedDocument),
  }),
  versions: route('GET', `${base}/:document/versions`, {
    summary: 'The files that a document had before: the last 20, each for 30 days',
    access: 'read',
    params: inDocument,
    query: listQuery,
    reply: many(DocumentVersion),
  }),
  versionFile: route('GET', `${base}/:document/versions/:version/file`, {
    summary: 'A file that a document had before',
    access: 'read',
    kind: 'file',
    params: inVersion,
  }),
  restoreVersion: route('POST', `${base}/:document/versions/:version/restore`, {
    summary: 'Have a file that a document had before take the place of the original, which becomes a version itself',
    access: 'edit',
    status: 202,
    params: inVersion,
    reply: one(AddedDocument),
  }),
  named: route('POST', '/api/user/knowledge/:knowledge/documents-named', {
    summary: 'Which of these file names documents of the base have already',
    access: 'read',
    params: inBase,
    body: z.strictObject({ names: z.array(z.string().max(1000)).min(1).max(1000) }),
    reply: z.object({ data: z.array(z.object({ name: z.string(), document: uuid })) }),
  }),
  embeddings: route('GET', '/api/user/document/:uuid/embeddings', {
    summary: 'The chunks of a document, in order',
    access: 'read',
    params: byUuid,
    query: {
      ...listQuery,
      limit: z.coerce.number().int().min(1).max(200).default(100),
      /** The position of the first one, for a list that begins in the middle of the document. */
      from: z.coerce.number().int().min(0).optional(),
      /** Those of this page of the original and of later ones. */
      page: z.coerce.number().int().min(1).optional(),
    },
    reply: many(Embedding),
  }),
  addEmbedding: route('POST', '/api/user/document/:uuid/embedding', {
    summary: 'Write a chunk of a document, after another one or at its end',
    access: 'edit',
    status: 201,
    params: byUuid,
    body: z.strictObject({
      text: embeddingFields.text,
      questions: embeddingFields.questions.default([]),
      keywords: embeddingFields.keywords.default([]),
      after: uuid.optional(),
    }),
    reply: one(Embedding),
  }),
  updateEmbedding: route('PUT', '/api/user/document/:uuid/embedding/:embedding', {
    summary: 'Change what a chunk says and is found by, enable or disable it',
    access: 'edit',
    params: inChunk,
    body: z.strictObject({
      ...z.strictObject({ ...embeddingFields, enabled: z.boolean() }).partial().shape,
      ...seen,
    }),
    reply: one(Embedding),
  }),
  removeEmbedding: route('DELETE', '/api/user/document/:uuid/embedding/:embedding', {
    summary: 'Delete a chunk; it can be restored until the document is read again',
    access: 'edit',
    params: inChunk,
    reply: ok,
  }),
  restoreEmbedding: route('POST', '/api/user/document/:uuid/embedding/:embedding/restore', {
    summary: 'Bring a deleted chunk back',
    access: 'edit',
    params: inChunk,
    /** Which one it is to follow, where it has lost its place in a merge. */
    query: { after: uuid.optional() },
    reply: one(Embedding),
  }),
  splitEmbedding: route('POST', '/api/user/document/:uuid/embedding/:embedding/split', {
    summary: 'Make two chunks of one',
    access: 'edit',
    params: inChunk,
    /** Where the second one begins, in UTF-16 units of the text. */
    body: z.strictObject({
      at: z
        .number()
        .int()
        .min(1)
        .max(embeddingLimits.text * 16),
      ...seen,
    }),
    reply: z.object({ data: z.array(Embedding) }),
  }),
  mergeEmbedding: route('POST', '/api/user/document/:uuid/embedding/:embedding/merge', {
    summary: 'Make one chunk of this and the next',
    access: 'edit',
    params: inChunk,
    body: z.strictObject(seen),
    reply: one(Embedding),
  }),
  embedding: route('GET', '/api/user/document/:uuid/embedding/:embedding', {
    summary: 'A chunk, what it is of, and what stands before and after it',
    access: 'read',
    params: inChunk,
    reply: one(
      Embedding.extend({
        document: Document.pick({ uuid: true, knowledge: true, name: true, mime: true }),
        before: Neighbour,
        after: Neighbour,
      }),
    ),
  }),
};

/** Where a document stands; sent to everyone who looks at its workspace. */
export const documentChanged = event('document', Document);
