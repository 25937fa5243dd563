import { setImmediate } from 'node:timers/promises';
import type { TrashItem, TrashKind } from '../../../shared/contracts/trash.ts';
import { excerpt } from '../../../shared/excerpt.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { forgetBodies } from '../../infra/idempotency.ts';
import { erasedAt, type Trashed, type TrashQuery } from '../../infra/trash.ts';
import { momentsOf } from '../../infra/moments.ts';
import { countDeletedBots, eraseBot, listDeletedBots } from '../bots/bots.ts';
import { countDeletedImages, eraseImage, listDeletedImages } from '../images/images.ts';
import { eraseDocument } from '../knowledge/documents.ts';
import { countDeleted, eraseKnowledge, listDeletedDocuments, listDeletedKnowledges } from '../knowledge/knowledge.ts';

type Row = Trashed & Pick<TrashItem, 'kind' | 'knowledge'>;

/** What a picture is called by are the words it was drawn from, which may be very many. */
const maxName = 120;

/** Each kind's own list, of which a page has the last of all. */
const lists: Record<TrashKind, (db: Context['db'], query: TrashQuery) => Promise<Row[]>> = {
  bot: async (db, query) => (await listDeletedBots(db, query)).map((row) => ({ ...row, kind: 'bot', knowledge: null })),
  knowledge: async (db, query) =>
    (await listDeletedKnowledges(db, query)).map((row) => ({ ...row, kind: 'knowledge', knowledge: null })),
  document: async (db, query) =>
    (await listDeletedDocuments(db, query)).map((row) => ({
      ...row,
      kind: 'document',
      knowledge: { uuid: row.knowledge, name: row.knowledge_name, isDeleted: row.base_deleted_at !== null },
    })),
  image: async (db, query) =>
    (await listDeletedImages(db, query)).map((row) => ({ ...row, kind: 'image', knowledge: null })),
};

export async function listTrash(
  { db }: Context,
  { workspace }: Caller,
  query: { q?: string | undefined; kind?: TrashKind | undefined; limit: number; cursor?: string | undefined },
) {
  const wanted = { workspace, q: query.q, limit: query.limit + 1, after: readCursor(query.cursor) };
  const rows = await Promise.all((query.kind ? [query.kind] : kinds).map((kind) => lists[kind](db, wanted)));
  const shown = page(rows.flat().toSorted(newestFirst), query.limit, (row) => row.deleted_at);
  const counts = await Promise.all([
    countDeletedBots(db, workspace),
    countDeleted(db, workspace),
    countDeletedImages(db, workspace),
  ]);
  return {
    data: shown.rows.map(({ kind, uuid, name, knowledge, ...row }): TrashItem => ({
      kind,
      uuid,
      name: excerpt(name, '', maxName),
      knowledge,
      deletedBy:
        row.deleted_by === null || row.deleted_by_name === null
          ? null
          : { uuid: row.deleted_by, name: row.deleted_by_name },
      deletedAt: new Date(row.deleted_at).toISOString(),
      erasedAt: new Date(erasedAt(row.deleted_at)).toISOString(),
      ...momentsOf(row),
    })),
    meta: { nextCursor: shown.nextCursor, total: counts.reduce((sum, count) => sum + count, 0) },
  };
}

const kinds: TrashKind[] = ['bot', 'document', 'knowledge', 'image'];

const newestFirst = (one: Row, other: Row) =>
  other.deleted_at - one.deleted_at || (one.uuid < other.uuid ? 1 : one.uuid > other.uuid ? -1 : 0);

const erase: Record<TrashKind, (context: Context, caller: Caller, uuid: string) => Promise<void>> = {
  bot: eraseBot,
  document: eraseDocument,
  knowledge: eraseKnowledge,
  image: eraseImage,
};

/** Throws one thing away for good, with what calls about it were answered. */
export async function eraseOne(context: Context, caller: Caller, kind: TrashKind, uuid: string): Promise<void> {
  await erase[kind](context, caller, uuid);
  await forgetBodies(context.db, caller.workspace);
}

const batch = 100;

/** Throws away for good what is in the trash; what somebody takes out meanwhile stays. Returns how many things went. */
export async function emptyTrash(context: Context, caller: Caller): Promise<number> {
  let erased = 0;
  for (const kind of kinds)
    for (let after: TrashQuery['after']; ;) {
      const rows = await lists[kind](context.db, { workspace: caller.workspace, q: undefined, limit: batch, after });
      for (const { uuid } of rows) {
        try {
          await erase[kind](context, caller, uuid);
          erased++;
        } catch (error) {
          if (!(error instanceof AppError && error.code.endsWith('-not-found'))) throw error;
        }
        // On SQLite nothing else is served while one follows another.
        await setImmediate();
      }
      const last = rows.at(-1);
      if (!last || rows.length < batch) break;
      after = { at: last.deleted_at, uuid: last.uuid };
    }
  await forgetBodies(context.db, caller.workspace);
  return erased;
}
