import { AppError } from '../../../shared/errors.ts';
import { newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { jobKind, type JobHandler } from '../../infra/queue.ts';
import { hourMs, type Context } from '../../feature.ts';
import { record } from '../audit/audit.ts';
import { addFiles, listStored, storageKey } from '../files/files.ts';
import { addIngests, newDocument } from './documents.ts';
import { insertChunks, insertDocuments, insertKnowledge, type ChunkRow } from './knowledge.store.ts';
import type { DocumentTable, KnowledgeTable } from './knowledge.tables.ts';

interface SweepJob {
  files: string[];
}

/** Removes the files of bases that were never written, as the process was killed. */
export const sweepCopyKind = jobKind<SweepJob>({
  name: 'knowledge.sweep-copy',
  lane: 'upkeep',
  timeoutMs: 10 * 60_000,
});

export const sweepCopyJob = (context: Context): JobHandler<SweepJob> => ({
  run: ({ files }) => removeUnkept(context, files),
});

/** Removes those that have no row. */
async function removeUnkept({ db, storage }: Context, files: string[]): Promise<void> {
  const kept = new Set((await listStored(db, 'document', files)).map(({ uuid }) => uuid));
  for (const file of files) if (!kept.has(file)) await storage.remove(storageKey('document', file));
}

const longestMs = hourMs / 2;

/**
 * For files that are stored before their rows are written: `undo` takes those back that got none, and a job does where the process was
 * killed before it could. Rows that come too late for that job are refused.
 */
export async function beforeRows(context: Context, files: string[]) {
  const begun = Date.now();
  if (files.length > 0) await context.queue.add(context.db, sweepCopyKind, { files }, { delayMs: 2 * longestMs });
  return {
    mustBeInTime() {
      if (Date.now() - begun > longestMs) throw new AppError('unavailable', {}, { retryAfterSeconds: 60 });
    },
    // Where this fails too, the job does it.
    undo: () =>
      removeUnkept(context, files).catch((err: unknown) =>
        context.log.warn({ err }, 'files without a row could not be taken back yet'),
      ),
  };
}

/** A document whose file is stored, with what people made of its chunks. */
export interface NewDocument
  extends
    Pick<DocumentTable, 'name' | 'extension' | 'source' | 'leave_out' | 'mime' | 'bytes' | 'sha256'>,
    Partial<Pick<DocumentTable, 'url' | 'enabled' | 'labels'>> {
  file: string;
  added: Omit<
    ChunkRow,
    'id' | 'uuid' | 'knowledge' | 'document' | 'generation' | 'hit_count' | 'created_at' | 'updated_at'
  >[];
}

export interface NewBase extends Pick<KnowledgeTable, 'name' | 'description' | 'settings'> {
  documents: NewDocument[];
}

/** Makes bases and documents of the caller's own, which are then read. Throws `workspace-full`. */
export async function writeBases(
  context: Context,
  trx: Trx,
  caller: Caller,
  bases: NewBase[],
  action: 'knowledge.created' | 'knowledge.imported' = 'knowledge.created',
): Promise<string[]> {
  const { workspace, user } = caller;
  await addFiles(
    context,
    trx,
    workspace,
    bases.flatMap(({ documents }) =>
      documents.map(({ file, name, mime, bytes, sha256 }) => ({
        uuid: file,
        user,
        kind: 'document' as const,
        name,
        mime,
        bytes,
        sha256,
        storage_key: storageKey('document', file),
      })),
    ),
  );
  const made: string[] = [];
  for (const { name, description, settings, documents } of bases) {
    const now = Date.now();
    const knowledge = newId();
    await insertKnowledge(trx, {
      uuid: knowledge,
      workspace,
      name,
      description,
      settings,
      deleted_at: null,
      deleted_by: null,
      created_at: now,
      updated_at: now,
    });
    await record(trx, caller, action, name);
    const rows = documents.map(({ added, ...document }, at) => ({
      added,
      row: newDocument({ ...document, knowledge, created_at: now + at, updated_at: now + at }),
    }));
    const fresh = rows.map(({ row }) => row);
    await insertDocuments(trx, fresh);
    // As if they had been read before: reading them now keeps what people had added.
    await insertChunks(
      trx,
      rows.flatMap(({ row, added }) => added.map((chunk) => toChunk(row, chunk))),
    );
    await addIngests(
      context,
      trx,
      fresh.map((row) => ({ ...row, workspace })),
    );
    made.push(knowledge);
  }
  return made;
}

/** Named one by one, since a copy comes with more of the row it is from. */
function toChunk(document: DocumentTable, chunk: NewDocument['added'][number]): Omit<ChunkRow, 'id'> {
  const { position, headings, page, text, original, start_offset, end_offset, questions, keywords } = chunk;
  const { tokens, enabled, by_hand, deleted_at } = chunk;
  return {
    uuid: newId(),
    knowledge: document.knowledge,
    document: document.uuid,
    generation: 0,
    position,
    headings,
    page,
    text,
    original,
    start_offset,
    end_offset,
    questions,
    keywords,
    tokens,
    enabled,
    by_hand,
    deleted_at,
    hit_count: 0,
    created_at: document.created_at,
    updated_at: document.updated_at,
  };
}
