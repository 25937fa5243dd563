import { bots, type Bot } from '../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import type { BodyIn } from '../../shared/route.ts';
import { call } from './api.ts';
import { firstWordsOf } from './first-words.ts';

/**
 * A bot, and where there are files a base of its name that it answers from, in one step. `problem` is why one of several files
 * was not taken; where none is, nothing is made and it is thrown.
 */
export async function makeBot(
  body: BodyIn<typeof bots.create>,
  files: File[],
): Promise<{ bot: Bot; problem?: unknown }> {
  if (files.length === 0) return { bot: (await call(bots.create, { body })).data };
  const { base, problem } = await makeBase({ name: body.name }, files);
  await untilRead(base);
  try {
    const knowledges = [...(body.knowledges ?? []), base];
    const first = firstWordsOf(body.name, await firstPartsOf(base));
    return { bot: (await call(bots.create, { body: { ...first, ...body, knowledges } })).data, problem };
  } catch (error) {
    await removeBase(base);
    throw error;
  }
}

/** A base with its files. `problem` is why one of several was not taken; where none is, nothing is made and it is thrown. */
export async function makeBase(
  body: BodyIn<typeof knowledge.create>,
  files: File[],
): Promise<{ base: string; problem: unknown }> {
  const base = (await call(knowledge.create, { body })).data.uuid;
  let isFilled = false;
  let problem: unknown;
  for (const file of files) {
    const form = new FormData();
    form.append('file', file);
    try {
      await call(documents.add, { params: { knowledge: base }, form });
      isFilled = true;
    } catch (error) {
      problem ??= error;
    }
  }
  if (!isFilled && problem) {
    await removeBase(base);
    throw problem;
  }
  return { base, problem };
}

/** Nobody asked for a base without a document, or without its bot. */
const removeBase = (uuid: string) => call(knowledge.remove, { params: { uuid } });

const readEveryMs = 500;
const readForMs = 60_000;

/** Whoever comes to the chat can ask; a long file goes on being read behind it. */
async function untilRead(base: string): Promise<void> {
  const until = Date.now() + readForMs;
  while (Date.now() < until) {
    const { busyCount } = (await call(knowledge.get, { params: { uuid: base } })).data;
    if (busyCount === 0) return;
    await new Promise((done) => setTimeout(done, readEveryMs));
  }
}

const readDocuments = 3;

/** How the first documents of a base begin. A bot without these is one all the same. */
async function firstPartsOf(base: string): Promise<Parameters<typeof firstWordsOf>[1]> {
  try {
    const { data } = await call(documents.list, { params: { knowledge: base }, query: { limit: readDocuments } });
    const read = data.map(({ uuid }) => call(documents.embeddings, { params: { uuid }, query: { limit: 50 } }));
    return (await Promise.all(read)).flatMap((each) => each.data);
  } catch {
    return [];
  }
}
