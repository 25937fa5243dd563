import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { documents, knowledge, usualChunking, usualSettings } from '../../../shared/contracts/knowledge.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { chunkSizes, sizesOf } from './chunking.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const guide = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} says something about the garden.`).join('\n\n');
const small = { size: 300, overlap: 0 };

async function aBase(person: Person, body: object = {}) {
  const { body: made } = await person.call(knowledge.create, { body: { name: 'Garden', ...body } });
  const at = { params: { uuid: made.data.uuid } };
  const add = async (name: string, text: string) =>
    (
      await person.call(documents.add, {
        params: { knowledge: made.data.uuid },
        body: { source: 'text' as const, name, text },
      })
    ).body.data[0]?.uuid ?? '';
  const read = () =>
    eventually('all is read', async () => {
      const { data } = (await person.call(knowledge.get, at)).body;
      return data.busyCount === 0 && data;
    });
  return { at, base: made.data, add, read };
}

test('a base divides as usual unless told', async () => {
  const person = await app.aPerson();
  const { base } = await aBase(person);
  expect(base.settings).toEqual(usualSettings);
  expect(sizesOf(usualChunking)).toEqual(chunkSizes);
});

test('a base that is told otherwise divides otherwise, and documents that are there wait for a re-index', async () => {
  const person = await app.aPerson();
  const { at, add, read } = await aBase(person);
  await add('Guide.md', guide);
  await add('Second.md', `${guide}\n\nThe end.`);
  const before = await read();
  const settings = { ...usualSettings, chunking: small, retrieval: { passages: 3, threshold: 0.7 } };
  expect((await person.call(knowledge.update, { ...at, body: { settings } })).body.data.settings).toEqual(settings);
  expect((await read()).chunkCount).toBe(before.chunkCount);

  const again = await person.call(knowledge.reindex, at);
  expect([again.status, again.body.data]).toEqual([202, { documents: 2 }]);
  const after = await eventually('both are read again', async () => {
    const { data } = (await person.call(knowledge.get, at)).body;
    return data.busyCount === 0 && data.chunkCount > before.chunkCount && data;
  });
  expect(after.chunkCount).toBeGreaterThan(2 * before.chunkCount);
  expect((await person.call(knowledge.search, { ...at, body: { query: 'the end' } })).body.data).not.toEqual([]);
});

test('a document that is being read by the former settings is read again by the new ones', async () => {
  const person = await app.aPerson();
  const { at, add, read } = await aBase(person);
  const long = Array.from({ length: 1500 }, (_, index) => `Paragraph ${index} is about the garden of number ${index}.`);
  const document = await add('Long.md', long.join('\n\n'));
  await eventually('it is being read', async () => {
    const path = { params: { knowledge: at.params.uuid, document } };
    return (await person.call(documents.get, path)).body.data.status !== 'queued';
  });
  const settings = { ...usualSettings, chunking: small };
  await person.call(knowledge.update, { ...at, body: { settings } });
  await person.call(knowledge.reindex, at);
  const wanted = (await person.call(knowledge.preview, { ...at, body: { chunking: small, of: { document } } })).body;
  await eventually('it is divided as told', async () => (await read()).chunkCount === wanted.meta.total);
});

test('a preview shows exactly what a re-index would make, and keeps nothing', async () => {
  const person = await app.aPerson();
  const { at, base, add, read } = await aBase(person, {
    settings: { ...usualSettings, chunking: small },
  });
  const document = await add('Guide.md', `# Garden\n\n${guide}`);
  const { chunkCount } = await read();
  const preview = (chunking: object, of: object) =>
    person.call(knowledge.preview, { ...at, body: { chunking, of } as never }); // A border: some are refused.
  const same = await preview(small, { document });
  const kept = await person.call(documents.embeddings, { params: { uuid: document }, query: { limit: 100 } });
  expect(same.body.meta.total).toBe(chunkCount);
  expect(same.body.data).toEqual(
    kept.body.data.map(({ position, headings, page, text, tokens }) => ({ position, headings, page, text, tokens })),
  );
  const whole = await preview({ size: 4000, overlap: 0 }, { document });
  expect(whole.body.meta.total).toBeLessThan(chunkCount);
  const japanese = await preview(usualChunking, { text: { toString: undefined } });
  expect(japanese.status).toBe(400);
  const pasted = await preview(usualChunking, {
    name: '',
    text: 'Q: 返品できますか？\nA: はい。\n\nQ: 送料は？\nA: 無料です。',
  });
  expect(pasted.body.data.map(({ text }) => text)).toEqual([
    expect.stringContaining('返品できますか'),
    expect.stringContaining('送料は'),
  ]);
  expect((await person.call(knowledge.get, at)).body.data).toMatchObject({ documentCount: 1, chunkCount });
  expect((await preview({ size: 1, overlap: 0 }, { document })).status).toBe(400);
  expect((await preview({ size: 300, overlap: 0.9 }, { document })).status).toBe(400);

  const other = await aBase(person);
  const elsewhere = await person.call(knowledge.preview, {
    params: { uuid: other.base.uuid },
    body: { chunking: small, of: { document } },
  });
  expect([elsewhere.status, elsewhere.error.code]).toEqual([404, 'document-not-found']);
  const stranger = await app.aPerson();
  const foreign = await stranger.call(knowledge.preview, { ...at, body: { chunking: small, of: { document } } });
  expect([foreign.status, foreign.error.code]).toEqual([404, 'knowledge-not-found']);
  expect(base.settings.chunking).toEqual(small);
});

test('a file that cannot be read has no preview, and says so', async () => {
  const person = await app.aPerson();
  const { at, base, read } = await aBase(person);
  const form = new FormData();
  form.append('file', new Blob(['%PDF-1.7\nx']), 'broken.pdf');
  const sent = await person.fetch(`/api/user/knowledge/${base.uuid}/document`, { method: 'POST', body: form });
  const [{ uuid = '' } = {}] = ((await sent.json()) as { data: { uuid: string }[] }).data; // A border: JSON of the call.
  await read();
  const preview = await person.call(knowledge.preview, {
    ...at,
    body: { chunking: small, of: { document: uuid } },
  });
  expect([preview.status, preview.error.code]).toEqual([422, 'file-unreadable']);
});

test('a bot that is made from a base, and the base that comes with an imported bot, begin with its settings', async () => {
  const person = await app.aPerson();
  const settings = { ...usualSettings, chunking: small, retrieval: { passages: 2, threshold: 0.75 } };
  const { base } = await aBase(person, { settings });
  const made = await person.call(bots.create, { body: { name: 'Guide', knowledges: [base.uuid] } });
  expect(made.body.data.draft.retrieval).toEqual(settings.retrieval);
  const own = { passages: 9, threshold: 0 };
  const told = await person.call(bots.create, { body: { name: 'Own', knowledges: [base.uuid], retrieval: own } });
  expect(told.body.data.draft.retrieval).toEqual(own);

  const zip = await person.fetch(bots.export.path.replace(':uuid', told.body.data.uuid));
  const form = new FormData();
  form.append('file', await zip.blob(), 'bot.zip');
  const other = await app.aPerson();
  expect((await other.fetch(bots.import.path, { method: 'POST', body: form })).status).toBe(201);
  expect((await other.call(knowledge.list, {})).body.data).toMatchObject([{ name: 'Garden', settings }]);
  expect((await other.call(bots.list, {})).body.data).toMatchObject([{ draft: { retrieval: own } }]);
});

test('chunks can be edited while documents of the same words are read again', async () => {
  const person = await app.aPerson();
  const { at, add, read } = await aBase(person, { settings: { ...usualSettings, chunking: small } });
  const uuids: string[] = [];
  for (let index = 0; index < 8; index++) uuids.push(await add(`Guide ${index}.md`, `${guide}\n\nNumber ${index}.`));
  await read();
  const statuses: number[] = [];
  const edit = async (uuid: string, round: number) => {
    const chunks = await person.call(documents.embeddings, { params: { uuid }, query: { limit: 20 } });
    const embedding = chunks.body.data[round % 5]?.uuid ?? '';
    const body = { text: `Round ${round} says something about the garden and the paragraph ${round}.` };
    statuses.push((await person.call(documents.updateEmbedding, { params: { uuid, embedding }, body })).status);
  };
  const again = async (uuid: string) => {
    const params = { knowledge: at.params.uuid, document: uuid };
    statuses.push((await person.call(documents.reindex, { params })).status);
  };
  for (let round = 0; round < 12; round++)
    await Promise.all(uuids.map((uuid, index) => ((index + round) % 2 === 0 ? edit(uuid, round) : again(uuid))));
  // A chunk that is gone by then, and a document that is being read, are told.
  expect(statuses.filter((status) => ![200, 202, 404, 409].includes(status))).toEqual([]);
  await read();
});
