import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { addChunk } from './chunks.ts';
import { addDocument, pairsFile } from './documents.ts';
import { findPairsDocument, findDocument } from './knowledge.store.ts';
import { mustFindKnowledge } from './knowledge.ts';

const readMs = 20_000;

/** Writes a question with its answer into a base's document of such pairs, or into a first one, and comes back when it can be found. */
export async function addPair(
  context: Context,
  caller: Caller,
  knowledge: string,
  { question, answer, name }: { question: string; answer: string; name: string },
): Promise<void> {
  await mustFindKnowledge(context.db, caller, knowledge);
  const known = await findPairsDocument(context.db, knowledge);
  if (known) {
    const text = `Q: ${question}\nA: ${answer}`;
    await addChunk(context, caller, known.uuid, { text, questions: [question], keywords: [] });
    return;
  }
  const upload = pairsFile(name, [{ question, answer }]);
  const { uuid } = await addDocument(context, caller, knowledge, upload, caller.locale);
  for (const until = Date.now() + readMs; Date.now() < until; await sleep(100)) {
    const found = await findDocument(context.db, caller.workspace, uuid);
    if (found?.status === 'indexed') return;
    if (found?.status === 'failed') throw new AppError('document-busy');
  }
  throw new AppError('document-busy');
}
