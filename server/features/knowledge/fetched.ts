import { Readable } from 'node:stream';
import { isUniqueViolation, lockRow, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import type { JobRun } from '../../infra/queue.ts';
import type { Context } from '../../feature.ts';
import { addFile, findFile, keepOrRemove, mustHaveRoom } from '../files/files.ts';
import { addIngests, isBusy, newDocument, queueAgain, replaceWith, rowOf, store } from './documents.ts';
import {
  findAnyDocument,
  findSameBytes,
  insertDocuments,
  replacementOf,
  updateDocument,
  type DocumentRow,
} from './knowledge.store.ts';

/** What somebody fetches for a base, and keeps up to date there: a document without a person who adds it. */
export interface Fetched {
  name: string;
  extension: string;
  bytes: Buffer;
  url: string;
  /** Keys of blocks that are not its own; without them those that are known stay. */
  leaveOut?: string[];
}

type Owner = Pick<Caller, 'workspace'> & { user: string | null };

export type Kept =
  | { document: string; is: 'new' | 'changed' | 'same' }
  /** It is being read, people have deleted it, or another document has these bytes. */
  | { document: string | null; is: 'busy' | 'deleted' | 'twin' };

/**
 * Makes a document of what was fetched, or has it take the place of the document's own file, which may be looked up in the transaction
 * that writes; a document whose twin the base has goes to the trash. `write` is that of a job that must hold its lease, or any other,
 * and `also` is written with it. Throws what storing a file does, such as `workspace-full`.
 */
export async function keepFetched(
  context: Context,
  write: <T>(work: (trx: Trx) => Promise<T>) => Promise<T>,
  owner: Owner,
  knowledge: string,
  { name, extension, bytes, url, leaveOut }: Fetched,
  findKnown: string | null | ((trx: Trx) => Promise<string | null>),
  also: (trx: Trx, kept: Kept) => Promise<void> = async () => {},
): Promise<Kept> {
  const { key, ...kept } = await store(context, owner, {
    name: `page.${extension}`,
    bytes: Readable.from([bytes]),
  });
  const stored = { ...kept, name };
  const without = async (trx: Trx, result: Kept) => {
    await also(trx, result);
    return result;
  };
  let isKept = false;
  const result = await keepOrRemove(context, [key], async () => {
    await mustHaveRoom(context, { workspace: owner.workspace, bytes: stored.bytes });
    return write(async (trx): Promise<Kept> => {
      // It may run twice.
      isKept = false;
      const known = typeof findKnown === 'function' ? await findKnown(trx) : findKnown;
      if (known) await lockRow(trx, 'document', known);
      const document = known ? await findAnyDocument(trx, known) : undefined;
      if (known && !document) return without(trx, { document: known, is: 'deleted' });
      if (document && isBusy(document)) return without(trx, { document: known, is: 'busy' });
      const leave_out = leaveOut ? asKeys(leaveOut) : (document?.leave_out ?? null);
      const twin = await findSameBytes(trx, knowledge, stored.sha256);
      if (twin && twin.uuid !== known) {
        if (known) await withdrawFetched(trx, known);
        return without(trx, { document: twin.uuid, is: 'twin' });
      }
      if (twin && document) {
        const isSame = document.leave_out === leave_out;
        if (!isSame) {
          await updateDocument(trx, document.uuid, { leave_out });
          await queueAgain(context, trx, document);
        }
        return without(trx, { document: document.uuid, is: 'same' });
      }
      await addFile(context, trx, rowOf(owner, { key, ...stored }));
      isKept = true;
      if (document) {
        await replaceWith(context, trx, document, { ...stored, source: 'url', url, leave_out, by: null });
        return without(trx, { document: document.uuid, is: 'changed' });
      }
      const fresh = newDocument({ knowledge, ...stored, source: 'url', url, leave_out });
      await insertDocuments(trx, [fresh]);
      await addIngests(context, trx, [{ ...fresh, workspace: owner.workspace }]);
      return without(trx, { document: fresh.uuid, is: 'new' });
    }).catch(async (error: unknown): Promise<Kept> => {
      isKept = false;
      if (!isUniqueViolation(error)) throw error;
      const twin = await findSameBytes(context.db, knowledge, stored.sha256);
      return { document: twin?.uuid ?? null, is: 'twin' };
    });
  });
  if (!isKept) await context.storage.remove(key);
  context.queue.wake();
  return result;
}

const asKeys = (leaveOut: string[]) => (leaveOut.length > 0 ? JSON.stringify(leaveOut) : null);

/** Has a document be read again without other blocks than before. One that is being read is read once more afterwards. */
export async function leaveOutOf(context: Context, run: JobRun, uuid: string, leaveOut: string[]): Promise<boolean> {
  const leave_out = asKeys(leaveOut);
  return run.fenced(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const document = await findAnyDocument(trx, uuid);
    if (!document || (replacementOf(document) ?? document).leave_out === leave_out) return true;
    if (isBusy(document)) return false;
    await updateDocument(trx, uuid, { leave_out });
    await queueAgain(context, trx, document);
    return true;
  });
}

/** The file that a document is made of, as bytes. */
export async function readFetched(context: Context, uuid: string): Promise<Buffer | undefined> {
  const document: DocumentRow | undefined = await findAnyDocument(context.db, uuid);
  const file = document?.file ? await findFile(context.db, document.file) : undefined;
  if (!file) return undefined;
  const stream = await context.storage.get(file.storage_key).catch(() => undefined);
  return stream && Buffer.concat(await stream.toArray());
}

/** Moves what is no longer found where it was fetched to the trash. */
export async function withdrawFetched(trx: Trx, uuid: string, by: string | null = null): Promise<void> {
  await lockRow(trx, 'document', uuid);
  if (await findAnyDocument(trx, uuid)) await updateDocument(trx, uuid, { deleted_at: Date.now(), deleted_by: by });
}

/** For those who keep something of a base: whose it is, and whether it is in the trash. */
export const basesOf = (db: Db | Trx) =>
  db.selectFrom('knowledge').select(['uuid', 'workspace', 'deleted_at']).as('base');
