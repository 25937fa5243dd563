import { bots, type Bot } from '../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { websites, type PageReason } from '../../shared/contracts/websites.ts';
import type { BodyIn } from '../../shared/route.ts';
import { ApiError, call } from './api.ts';
import { pathOf } from './dropped-files.ts';
import { firstWordsOf } from './first-words.ts';

/** A file that was not taken, and why. */
export interface Lost {
  name: string;
  error: unknown;
}

/** Told of each file in its order: how it went, or that it is being sent. */
export type OnFile = (at: number, state: 'sending' | 'taken' | 'lost', error?: unknown) => void;

/**
 * A bot, and where there are files a base of its name that it answers from, in one step. `lost` are those of several files that
 * were not taken; where none is, nothing is made and the first problem is thrown.
 */
export async function makeBot(
  body: BodyIn<typeof bots.create>,
  files: File[],
  onFile?: OnFile,
): Promise<{ bot: Bot; lost: Lost[] }> {
  if (files.length === 0) return { bot: (await call(bots.create, { body })).data, lost: [] };
  const { base, lost } = await makeBase({ name: body.name }, files, onFile);
  await untilRead(base);
  try {
    const knowledges = [...(body.knowledges ?? []), base];
    const first = firstWordsOf(body.name, await firstPartsOf(base));
    return { bot: (await call(bots.create, { body: { ...first, ...body, knowledges } })).data, lost };
  } catch (error) {
    await removeBase(base);
    throw error;
  }
}

/** A bot that answers from a website, as soon as its first pages are read; the others follow. Where nothing can be read, nothing is made and the reason is told. */
export async function makeBotOf(url: string): Promise<Bot | PageReason> {
  const { data: found } = await call(websites.look, { body: { url } });
  if (found.reason) return found.reason;
  const name = [...(found.title || new URL(found.url).hostname)].slice(0, maxName).join('');
  const base = (await call(knowledge.create, { body: { name } })).data.uuid;
  try {
    const reach = found.title === '' && found.mapped !== null ? 'sitemap' : 'site';
    const { uuid: website } = (
      await call(websites.create, { params: { knowledge: base }, body: { url: found.url, settings: { reach } } })
    ).data;
    await untilFound(website);
    await untilRead(base);
    const first = firstWordsOf(name, await firstPartsOf(base));
    return (await call(bots.create, { body: { ...first, name, knowledges: [base] } })).data;
  } catch (error) {
    await removeBase(base);
    throw error;
  }
}

const maxName = 60;

/** Until pages have become documents, or the visit is over. */
async function untilFound(website: string): Promise<void> {
  const until = Date.now() + readForMs;
  while (Date.now() < until) {
    const { state, read } = (await call(websites.get, { params: { website } })).data;
    if (state !== 'crawling' || read > 0) return;
    await new Promise((done) => setTimeout(done, readEveryMs));
  }
}

/** A base with its files. `lost` are those of several that were not taken; where none is, nothing is made and the first problem is thrown. */
export async function makeBase(
  body: BodyIn<typeof knowledge.create>,
  files: File[],
  onFile?: OnFile,
): Promise<{ base: string; lost: Lost[] }> {
  const base = (await call(knowledge.create, { body })).data.uuid;
  const lost: Lost[] = [];
  let taken = 0;
  for (const [at, file] of files.entries()) {
    const form = new FormData();
    form.append('file', file, pathOf(file));
    onFile?.(at, 'sending');
    try {
      const { data, meta } = await call(documents.add, { params: { knowledge: base }, form });
      taken += data.length;
      lost.push(...meta.skipped.map(({ name, code, message }) => ({ name, error: new ApiError(422, code, message) })));
      onFile?.(at, 'taken');
    } catch (error) {
      lost.push({ name: pathOf(file), error });
      onFile?.(at, 'lost', error);
    }
  }
  const [first] = lost;
  if (first && taken === 0) {
    await removeBase(base);
    throw first.error;
  }
  return { base, lost };
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
