import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import { megabyte } from '../../infra/config.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { createLine } from '../../infra/line.ts';
import { safeFilePath } from '../../providers/parsers/detect.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import type { Context } from '../../feature.ts';
import { findFile, mustHaveRoom, storageKey } from '../files/files.ts';
import {
  listAnsweringChunks,
  listBasesOf,
  listCopiedDocuments,
  listMoments,
  type ChunkRow,
  type CopiedDocumentRow,
} from './knowledge.store.ts';
import { beforeRows, writeBases, type NewBase, type NewDocument } from './new-bases.ts';

/** What one copy may have. */
export const copyLimits = { documents: 1000, bytes: 500 * megabyte };

/** Nobody answers from it, it could not be read, it is not read yet, or another one says the same. */
type StayReason = 'disabled' | 'failed' | 'busy' | 'same';

interface Told {
  bases: number;
  documents: number;
  /** Those of them whose original stays behind. */
  asText: number;
  left: Record<StayReason, number>;
}

interface Plan {
  bases: { base: Awaited<ReturnType<typeof listBasesOf>>[number]; documents: CopiedDocumentRow[] }[];
  left: Told['left'];
}

/** What bases of a workspace would give to a copy at this moment. Whose bases they are is part of the query. */
async function planCopy(db: Db, { workspace, knowledges }: Source): Promise<Plan> {
  const plan: Plan = { bases: [], left: { disabled: 0, failed: 0, busy: 0, same: 0 } };
  const found = await listBasesOf(db, workspace, [...new Set(knowledges)]);
  let left = copyLimits.documents;
  for (const uuid of new Set(knowledges)) {
    const base = found.find((each) => each.uuid === uuid);
    if (!base) continue;
    const documents: CopiedDocumentRow[] = [];
    const all = await listCopiedDocuments(db, uuid, left + 1);
    if (all.length > left) throw tooLarge();
    left -= all.length;
    for (const document of all) {
      const reason = whyItStays(document);
      if (reason) plan.left[reason]++;
      else documents.push(document);
    }
    plan.bases.push({ base, documents });
  }
  return plan;
}

const tooLarge = () =>
  new AppError('copy-too-large', { limit: copyLimits.documents, limitMb: copyLimits.bytes / megabyte });

function whyItStays({ enabled, status, file, is_cut, chunk_count }: CopiedDocumentRow): StayReason | undefined {
  if (enabled === 0) return 'disabled';
  if (status === 'failed' || status === 'canceled' || file === null) return 'failed';
  if (status !== 'indexed' && status !== 'indexed-with-warnings') return 'busy';
  // Every passage of it was switched off or deleted.
  return isCut({ is_cut }) && chunk_count === 0 ? 'disabled' : undefined;
}

const isCut = ({ is_cut }: Pick<CopiedDocumentRow, 'is_cut'>) => Boolean(is_cut);

/** Throws `conflict` where something of what was read is no longer as it was; whatever else came meanwhile is no part of the copy. */
async function mustBeAsRead(trx: Trx, workspace: string, { bases }: Plan): Promise<void> {
  const uuids = bases.map(({ base }) => base.uuid);
  const known = new Map((await listBasesOf(trx, workspace, uuids)).map((each) => [each.uuid, each]));
  for (const { base, documents } of bases) {
    const moments = await listMoments(
      trx,
      documents.map(({ uuid }) => uuid),
    );
    const now = new Map(moments.map((each) => [each.uuid, each]));
    const isSame = ({ uuid, updated_at, enabled, status }: CopiedDocumentRow) => {
      const found = now.get(uuid);
      return found?.updated_at === updated_at && found.enabled === enabled && found.status === status;
    };
    if (known.get(base.uuid)?.updated_at !== base.updated_at || !documents.every(isSame))
      throw new AppError('conflict');
  }
}

export interface Source {
  /** Whose the bases are. */
  workspace: string;
  knowledges: string[];
}

/** A copy whose files are kept, and whose rows are yet to be written. */
export interface PreparedCopy {
  told: Told;
  /** Makes bases and documents of the caller's own. Throws `conflict` where the originals are no longer as they were. */
  write(trx: Trx): Promise<{ knowledges: string[] }>;
  /** Takes the files back that no row was written for. */
  undo(): Promise<void>;
}

// Each reads and writes up to half a gigabyte.
const inLine = createLine({ atOnce: 2, maxWaiting: 20 });

/**
 * Copies the files of what bases of another workspace answer from into the caller's, all that their maker has left to be found: of a document
 * of which passages were changed, switched off or deleted the text as it is found, of every other one the original. Throws
 * `copy-too-large`, `workspace-full`, `storage-full`, or `conflict` where an original goes meanwhile; nothing is left then.
 */
export const prepareCopy = (context: Context, caller: Caller, source: Source): Promise<PreparedCopy> =>
  inLine(async () => {
    const { db, storage } = context;
    const plan = await planCopy(db, source);
    const wanted = plan.bases.flatMap(({ documents }) => documents);
    const bytes = wanted.reduce((sum, document) => sum + document.bytes, 0);
    if (bytes > copyLimits.bytes) throw tooLarge();
    await mustHaveRoom(context, { workspace: caller.workspace, bytes });
    const made = new Map(wanted.map(({ uuid }) => [uuid, newId()]));
    const { mustBeInTime, undo } = await beforeRows(context, [...made.values()]);
    try {
      const copied: NewBase[] = [];
      let asText = 0;
      for (const { base, documents } of plan.bases) {
        const known = new Set<string>();
        const kept: NewDocument[] = [];
        for (const document of documents) {
          mustBeInTime();
          const found = await copyFile(context, document, made.get(document.uuid) ?? newId());
          if (!found) {
            plan.left.disabled++;
            continue;
          }
          const { isText, ...copy } = found;
          // Two texts may have become the same.
          if (known.has(copy.sha256)) {
            plan.left.same++;
            await storage.remove(storageKey('document', copy.file));
          } else {
            kept.push(copy);
            if (isText) asText++;
          }
          known.add(copy.sha256);
        }
        copied.push({ ...base, documents: kept });
      }
      return {
        told: {
          bases: copied.length,
          documents: copied.flatMap(({ documents }) => documents).length,
          asText,
          left: plan.left,
        },
        undo,
        async write(trx) {
          mustBeInTime();
          const made = await writeBases(context, trx, caller, copied);
          await mustBeAsRead(trx, source.workspace, plan);
          return { knowledges: made };
        },
      };
    } catch (error) {
      await undo();
      throw error;
    }
  });

/** Nothing where every passage of it is switched off. */
async function copyFile(
  { db, storage }: Context,
  original: CopiedDocumentRow,
  file: string,
): Promise<(NewDocument & { isText: boolean }) | undefined> {
  const key = storageKey('document', file);
  if (isCut(original)) {
    const chunks = await listAnsweringChunks(db, original);
    const { text, extension, mime } = asFound(chunks);
    const bytes = Buffer.from(text);
    if (bytes.length === 0) return undefined;
    await storage.put(key, bytes);
    return {
      file,
      source: 'text',
      leave_out: original.leave_out,
      labels: original.labels,
      name: safeFilePath(`${original.name.replace(/\.[a-z0-9]{1,10}$/i, '')}.${extension}`),
      extension,
      mime,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      isText: true,
      // Their text is in the file by now, whoever wrote it.
      added: chunks
        .filter(({ questions, keywords }) => questions !== '[]' || keywords !== '[]')
        .map((chunk) => ({ ...chunk, original: null, by_hand: 0 as const })),
    };
  }
  const stored = original.file === null ? undefined : await findFile(db, original.file);
  if (!stored) throw new AppError('conflict');
  try {
    await storage.put(key, await storage.get(stored.storage_key));
  } catch (error) {
    throw error instanceof BlobMissingError ? new AppError('conflict', {}, { cause: error }) : error;
  }
  const { mime, bytes, sha256 } = stored;
  const { name, extension, leave_out, labels } = original;
  // What was fetched from elsewhere is not fetched again.
  const source = original.source === 'url' ? 'file' : original.source;
  const chunks = original.is_added ? await listAnsweringChunks(db, original) : [];
  const added = chunks.filter(
    ({ by_hand, questions, keywords }) => by_hand === 1 || questions !== '[]' || keywords !== '[]',
  );
  return { file, name, extension, source, leave_out, labels, mime, bytes, sha256, isText: false, added };
}

/** The passages that answer, one after another below their headings, without what two of them have in common. */
function asFound(chunks: ChunkRow[]): { text: string; extension: string; mime: string } {
  const parts: string[] = [];
  let shown: string[] = [];
  let before: ChunkRow | undefined;
  for (const chunk of chunks) {
    const headings: string[] = JSON.parse(chunk.headings);
    const same = headings.findIndex((heading, at) => heading !== shown[at]);
    const from = same < 0 ? headings.length : same;
    for (const [at, heading] of headings.entries())
      if (at >= from) parts.push(`${'#'.repeat(Math.min(at + 1, 6))} ${heading}`);
    shown = headings;
    parts.push(chunk.text.slice(before ? commonOf(before, chunk) : 0).trim());
    before = chunk;
  }
  const isMarkdown = chunks.some(({ headings }) => headings !== '[]');
  return {
    text: parts.filter((part) => part !== '').join('\n\n'),
    ...(isMarkdown ? { extension: 'md', mime: 'text/markdown' } : { extension: 'txt', mime: 'text/plain' }),
  };
}

/** How much of a passage the one before it has, too: both have to be as they were read. */
function commonOf(before: ChunkRow, chunk: ChunkRow): number {
  const isAsRead = [before, chunk].every(
    ({ original, by_hand, text, start_offset, end_offset }) =>
      original === null && by_hand === 0 && text.length === end_offset - start_offset,
  );
  return isAsRead ? Math.max(0, Math.min(before.end_offset - chunk.start_offset, chunk.text.length)) : 0;
}
