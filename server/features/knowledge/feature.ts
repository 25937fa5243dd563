import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { documents, knowledge as contract } from '../../../shared/contracts/knowledge.ts';
import type { Feature } from '../../feature.ts';
import { pageLimit } from './added-page.ts';
import {
  addDocument,
  clearKind,
  exportDocuments,
  ingestKind,
  ingestScansKind,
  ingestSmallKind,
  listEmbeddings,
  reindexJob,
  reindexKind,
  renewIndex,
  replaceDocument,
} from './documents.ts';
import { sweepCopyJob, sweepCopyKind } from './new-bases.ts';
import { previewLimit } from './previews.ts';
import { clearJob, ingestJob } from './documents.jobs.ts';
import { createKnowledge, emptyKnowledgeTrash, eraseKnowledges } from './knowledge.ts';
import { knowledgeRoutes } from './knowledge.routes.ts';
import { deleteKnowledges } from './knowledge.store.ts';
import { setReaders } from './parse-file.ts';
import { createSearch, type Search } from './search.ts';
import { listOwnVersions } from './versions.ts';

declare module '../../feature.ts' {
  interface Services {
    search: Search;
  }
}

const audit = [
  'knowledge.created',
  'knowledge.exported',
  'knowledge.imported',
  'knowledge.deleted',
  'knowledge.restored',
  'knowledge.reindexed',
  'knowledge.erased',
  'document.deleted',
  'document.restored',
  'document.erased',
  'document.replaced',
] as const;

declare module '../audit/audit.ts' {
  interface AuditActions extends Record<(typeof audit)[number], true> {}
}

/** Bases with documents, and finding in them what answers a question. */
export const knowledge: Feature = {
  name: 'knowledge',
  tables: ['knowledge', 'document', 'document_label', 'document_version', 'chunk'],
  contracts: [contract, documents],
  routes: knowledgeRoutes,
  limits: [previewLimit, pageLimit],
  notFound: {
    knowledge: 'knowledge-not-found',
    document: 'document-not-found',
    versions: 'version-not-found',
    embedding: 'embedding-not-found',
  },
  audit,
  provide({ config }) {
    setReaders(config.WORKER_CONCURRENCY);
    return { search: createSearch(config) };
  },
  jobs(context) {
    context.queue.register(ingestKind, ingestJob(context));
    context.queue.register(ingestSmallKind, ingestJob(context));
    context.queue.register(ingestScansKind, ingestJob(context, { readsScans: true }));
    context.queue.register(clearKind, clearJob(context));
    context.queue.register(reindexKind, reindexJob(context));
    context.queue.register(sweepCopyKind, sweepCopyJob(context));
  },
  prepare: renewIndex,
  emptyTrash: emptyKnowledgeTrash,
  close: ({ search }) => search.close(),
  workspace: {
    clear: eraseKnowledges,
    erase: async (trx, workspace) => void (await deleteKnowledges(trx, workspace)),
    export: exportDocuments,
  },
  async examples(context, caller) {
    const base = (await createKnowledge(context, caller, { name: 'Base' })).uuid;
    const name = 'Text.md';
    const bytesOf = (text: string) => Readable.from([Buffer.from(text)]);
    const text = { name, bytes: bytesOf('The shop opens at eight.'), source: 'text' as const };
    const document = (await addDocument(context, caller, base, text, caller.locale)).uuid;
    const findChunk = async () => (await listEmbeddings(context, caller, document, { limit: 1 })).data[0];
    await onceThere(findChunk);
    const at = { knowledge: base, document };
    const file = Object.assign(bytesOf('The shop opens at nine.'), { truncated: false });
    await replaceDocument(context, caller, at, { fieldname: 'file', filename: name, file }, caller.locale);
    const version = await onceThere(async () => (await listOwnVersions(context, caller, at, { limit: 1 })).data[0]);
    return { ...at, versions: version.uuid, embedding: (await onceThere(findChunk)).uuid };
  },
};

async function onceThere<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (const until = Date.now() + 10_000; ;) {
    const found = await find();
    if (found) return found;
    if (Date.now() > until) throw new Error('the example is not read within ten seconds');
    await sleep(20);
  }
}
