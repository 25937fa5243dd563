import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { addChunk } from './chunks.ts';
import { addDocument, pairsFile } from './documents.ts';
import { findChunk, findDocument, findPairsDocument, listChunks } from './knowledge.store.ts';
import { mustFindKnowledge } from './knowledge.ts';

const readMs = 20_000;
const everyChunk = { q: undefined, from: undefined, page: undefined, after: undefined };

/** Where a pair stands in a base. */
interface PairEntry {
  document: string;
  embedding: string;
}

/** Writes a question with its answer into a base's document of such pairs, or into a first one, and comes back when it can be found. */
export async function addPair(
  context: Context,
  caller: Caller,
  knowledge: string,
  { question, answer, name }: { question: string; answer: string; name: string },
): Promise<PairEntry> {
  await mustFindKnowledge(context.db, caller, knowledge);
  const known = await findPairsDocument(context.db, knowledge);
  if (known) {
    const text = `Q: ${question}\nA: ${answer}`;
    const added = await addChunk(context, caller, known.uuid, { text, questions: [question], keywords: [] });
    return { document: known.uuid, embedding: added.uuid };
  }
  const upload = pairsFile(name, [{ question, answer }]);
  const { uuid } = await addDocument(context, caller, knowledge, upload, caller.locale);
  for (const until = Date.now() + readMs; Date.now() < until; await sleep(100)) {
    const found = await findDocument(context.db, caller.workspace, uuid);
    if (found?.status === 'indexed') {
      const [first] = await listChunks(context.db, { ...everyChunk, document: uuid, limit: 1 });
      if (first) return { document: uuid, embedding: first.uuid };
    }
    if (found?.status === 'failed') throw new AppError('document-busy');
  }
  throw new AppError('document-busy');
}

/** The pair as it stands there now; nothing once it, or what it is in, is gone. */
export async function findPair({ db }: Context, { workspace }: Caller, { document, embedding }: PairEntry) {
  const found = await findDocument(db, workspace, document);
  const chunk = found && (await findChunk(db, found, embedding));
  if (!found || !chunk || chunk.deleted_at !== null || chunk.enabled === 0) return undefined;
  return { text: chunk.text, document: { uuid: document, name: found.name }, knowledge: found.knowledge, embedding };
}
