import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { AddedDocument, DocumentVersion } from '../../../shared/contracts/knowledge.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockRow, newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { momentsOf } from '../../infra/moments.ts';
import { page, readCursor } from '../../infra/page.ts';
import { erasedAt } from '../../infra/trash.ts';
import { record } from '../audit/audit.ts';
import { getDocument, isBusy, isRead, mustFind, openFile, replaceWith } from './documents.ts';
import {
  deleteVersions,
  findAnyDocument,
  findSameBytes,
  findVersion,
  findVersionAfter,
  insertVersion,
  listVersions,
  type Replacement,
} from './knowledge.store.ts';

/** As many as are kept of a document, however young they are. */
const mostVersions = 20;

/**
 * In the transaction in which another file takes the place of a document's own: the former becomes a version, and a version that comes
 * back no longer is one. Returns the file of the version for which there is no more room.
 */
export async function keepVersion(trx: Trx, uuid: string, { version, by }: Replacement): Promise<string | undefined> {
  if (version) await deleteVersions(trx, [version]);
  const document = await findAnyDocument(trx, uuid);
  if (!document?.file) return undefined;
  const { name, mime, extension, bytes, sha256, source, url, leave_out, file } = document;
  const now = Date.now();
  await insertVersion(trx, {
    uuid: newId(),
    document: uuid,
    name,
    mime,
    extension,
    bytes,
    sha256,
    source,
    url,
    leave_out,
    file,
    replaced_by: by,
    created_at: now,
    updated_at: now,
  });
  const oldest = await findVersionAfter(trx, uuid, mostVersions);
  if (oldest) await deleteVersions(trx, [oldest.uuid]);
  return oldest?.file;
}

interface Place {
  knowledge: string;
  document: string;
}

export async function listOwnVersions(
  { db }: Context,
  caller: Caller,
  { knowledge, document }: Place,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ data: DocumentVersion[]; meta: { nextCursor: string | null } }> {
  await mustFind(db, caller, knowledge, document);
  const rows = await listVersions(db, document, {
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return {
    data: shown.rows.map((row) => ({
      uuid: row.uuid,
      name: row.name,
      mime: row.mime,
      bytes: row.bytes,
      replacedAt: new Date(row.created_at).toISOString(),
      by: row.replaced_by === null ? null : { uuid: row.replaced_by, name: row.replaced_by_name },
      keptUntil: new Date(erasedAt(row.created_at)).toISOString(),
      ...momentsOf(row),
    })),
    meta: { nextCursor: shown.nextCursor },
  };
}

/** Throws `document-not-found`, `version-not-found`, `file-not-found`. */
export async function openVersion(
  context: Context,
  caller: Caller,
  { knowledge, document, version }: Place & { version: string },
) {
  await mustFind(context.db, caller, knowledge, document);
  const found = await findVersion(context.db, document, version);
  if (!found) throw new AppError('version-not-found');
  return openFile(context, found);
}

/** Has the file of a version take the place of its document's own, as any file does. */
export async function restoreVersion(
  context: Context,
  caller: Caller,
  { knowledge, document: uuid, version }: Place & { version: string },
  locale: Locale,
): Promise<AddedDocument> {
  const { twin, name } = await context.db.transaction().execute(async (trx) => {
    await lockRow(trx, 'document', uuid);
    const document = await mustFind(trx, caller, knowledge, uuid);
    const found = await findVersion(trx, uuid, version);
    if (!found) throw new AppError('version-not-found');
    if (isBusy(document)) throw new AppError('document-busy');
    const same = await findSameBytes(trx, knowledge, found.sha256);
    if (same && (same.uuid !== uuid || isRead(document))) return { twin: same.uuid, name: found.name };
    const { name, mime, extension, bytes, sha256, source, url, leave_out, file } = found;
    const place = { source, url, leave_out };
    const restored = { name, mime, extension, bytes, sha256, file, ...place, by: caller.user, version };
    await replaceWith(context, trx, document, restored);
    await record(trx, caller, 'document.replaced', document.knowledge_name, { document: uuid });
    return { twin: undefined, name };
  });
  context.queue.wake();
  const shown = await getDocument(context, caller, knowledge, twin ?? uuid, locale);
  return { ...shown, duplicate: twin !== undefined, fileName: name };
}
