import { afterAll, beforeAll, expect, test } from 'vitest';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { trash } from '../../../shared/contracts/trash.ts';
import { during, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { updateDocument } from './knowledge.store.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const formOf = (name: string, text: string) => {
  const form = new FormData();
  form.append('file', new Blob([text]), name);
  return form;
};

const dataOf = async (response: Response) =>
  ((await response.json()) as { data: { uuid: string; duplicate: boolean; status: string } }).data;

async function aBase(person: Person) {
  const base = (await person.call(knowledge.create, { body: { name: 'Manual' } })).body.data.uuid;
  const path = documents.list.path.replace(':knowledge', base);
  const see = async (document: string) =>
    (await person.call(documents.get, { params: { knowledge: base, document } })).body.data;
  const read = (document: string) =>
    eventually('the document is read', async () => {
      const data = await see(document);
      return !['queued', 'parsing', 'chunking', 'embedding'].includes(data.status) && data;
    });
  return {
    base,
    see,
    read,
    at: (document: string) => ({ params: { knowledge: base, document } }),
    async add(name: string, text: string): Promise<string> {
      const response = await person.fetch(path, { method: 'POST', body: formOf(name, text) });
      const [{ uuid }] = ((await response.json()) as { data: [{ uuid: string }] }).data;
      await read(uuid);
      return uuid;
    },
    replace: (document: string, name: string, text: string) =>
      person.fetch(`${path}/${document}/file`, { method: 'PUT', body: formOf(name, text) }),
    find: async (query: string) =>
      (await person.call(knowledge.search, { params: { uuid: base }, body: { query } })).body.data.map(
        ({ embedding }) => embedding.text,
      ),
    original: async (document: string) => (await person.fetch(`${path}/${document}/file`)).text(),
    files: async () =>
      (
        await app.server.context.db
          .selectFrom('file')
          .select('uuid')
          .where('workspace', '=', (query) =>
            query.selectFrom('knowledge').select('workspace').where('uuid', '=', base),
          )
          .where('kind', '=', 'document')
          .execute()
      ).length,
  };
}

test('a file takes the place of another at its address; the old passages answer until the new ones are in, and go then', async () => {
  const person = await app.aPerson();
  const { add, replace, find, see, read, original, files, base } = await aBase(person);
  const document = await add('prices.txt', 'A zebra costs ninety coins.');
  const long = Array.from({ length: 3000 }, (_, at) => `Paragraph ${at} about giraffes of number ${at}.`).join('\n\n');
  const text = `A zebra costs a hundred coins.\n\n${long}`;
  const reply = await replace(document, 'prices.txt', text);
  expect(reply.status).toBe(202);
  expect(await dataOf(reply)).toMatchObject({ uuid: document, duplicate: false, status: 'queued' });
  const told = async () =>
    (await find('zebra')).flatMap((found) => /zebra costs (ninety|a hundred)/.exec(found)?.[1] ?? []);
  const heard: string[] = [];
  const isNew = async () => {
    heard.push((await told()).join(' and '));
    return heard.at(-1) === 'a hundred';
  };
  await eventually('the new passages are in', isNew);
  expect(heard.slice(0, -1).every((each) => each === 'ninety')).toBe(true);
  expect(await read(document)).toMatchObject({ uuid: document, name: 'prices.txt', status: 'indexed', error: null });
  expect(await original(document)).toBe(text);
  expect((await see(document)).bytes).toBe(text.length);
  expect((await person.call(documents.list, { params: { knowledge: base } })).body.data).toHaveLength(1);
  expect(await files()).toBe(2);
});

test('what fails of a file that was canceled says nothing of the document, nor of the file that comes next', async () => {
  const person = await app.aPerson();
  const { add, replace, read, original, at } = await aBase(person);
  const document = await add('prices.txt', 'A zebra costs ninety coins.');
  for (let round = 0; round < 4; round++) {
    expect((await replace(document, 'prices.pdf', `%PDF-1.7\nnothing ${round}`)).status).toBe(202);
    await person.call(documents.cancel, at(document));
    const text = `A zebra costs ${round} coins.`;
    expect((await replace(document, 'prices.txt', text)).status).toBe(202);
    expect(await read(document)).toMatchObject({ status: 'indexed', name: 'prices.txt', error: null });
    expect(await original(document)).toBe(text);
  }
});

test('a new file that cannot be read is told, and the old one stays with its passages', async () => {
  const person = await app.aPerson();
  const { add, replace, find, read, original, files, at, base } = await aBase(person);
  const document = await add('prices.txt', 'A zebra costs ninety coins.');
  expect((await replace(document, 'prices.pdf', '%PDF-1.7\nnothing more')).status).toBe(202);
  const after = await read(document);
  expect(after).toMatchObject({
    name: 'prices.txt',
    status: 'indexed',
    chunkCount: 1,
    error: { code: 'file-damaged' },
  });
  expect(after.error?.message).toMatch(/damaged.*The one before is still used\.$/);
  expect(await find('What does a zebra cost?')).toEqual(['A zebra costs ninety coins.']);
  expect(await original(document)).toBe('A zebra costs ninety coins.');
  await eventually('the new file is gone', async () => (await files()) === 1);
  const problems = await person.call(documents.list, { params: { knowledge: base }, query: { status: 'problem' } });
  expect(problems.body.data.map(({ uuid }) => uuid)).toEqual([document]);
  expect((await person.call(knowledge.get, { params: { uuid: base } })).body.data.failedCount).toBe(1);
  expect((await person.call(documents.reindex, at(document))).status).toBe(202);
  expect(await read(document)).toMatchObject({ status: 'indexed', error: null });
});

test.each([
  ['of a kind that is not read', 'a.exe', 'MZ', 415],
  ['that is empty', 'a.txt', '', 422],
])('a new file %s is refused at the door', async (_, name, text, status) => {
  const { add, replace, see, files } = await aBase(await app.aPerson());
  const document = await add('a.txt', 'A zebra costs ninety coins.');
  expect((await replace(document, name, text)).status).toBe(status);
  expect(await see(document)).toMatchObject({ status: 'indexed', error: null });
  expect(await files()).toBe(1);
});

test('a replacement that is canceled leaves everything as it was', async () => {
  const person = await app.aPerson();
  const { add, replace, find, see, at, original, files } = await aBase(person);
  const document = await add('prices.txt', 'A zebra costs ninety coins.');
  await replace(document, 'prices.txt', `<div>`.repeat(200_000));
  const canceled = await person.call(documents.cancel, at(document));
  expect(canceled.body.data).toMatchObject({ status: 'indexed', error: null });
  await eventually('the new file is gone', async () => (await files()) === 1);
  expect(await see(document)).toMatchObject({ status: 'indexed', chunkCount: 1 });
  expect([await find('zebra'), await original(document)]).toEqual([
    ['A zebra costs ninety coins.'],
    'A zebra costs ninety coins.',
  ]);
});

test('while a document is being read no file takes its place', async () => {
  const person = await app.aPerson();
  const { add, replace, files } = await aBase(person);
  const document = await add('prices.txt', 'A zebra costs ninety coins.');
  const [reply] = await during(app, (trx) => updateDocument(trx, document, { status: 'queued' }), [
    () => replace(document, 'prices.txt', 'A zebra costs a hundred coins.'),
  ]);
  expect(reply?.status).toBe(409);
  expect(await files()).toBe(1);
});

test('what could not be read gets a file that can', async () => {
  const { add, replace, read, find, files } = await aBase(await app.aPerson());
  const document = await add('prices.pdf', '%PDF-1.7\nnothing more');
  expect(await read(document)).toMatchObject({ status: 'failed' });
  await replace(document, 'prices.txt', 'A zebra costs ninety coins.');
  expect(await read(document)).toMatchObject({ status: 'indexed', name: 'prices.txt', error: null });
  expect(await find('zebra')).toEqual(['A zebra costs ninety coins.']);
  expect(await files()).toBe(2);
});

test('bytes that the base has already are told and replace nothing', async () => {
  const { add, replace, see, files } = await aBase(await app.aPerson());
  const [one, other] = [await add('a.txt', 'The first text.'), await add('b.txt', 'The second text.')];
  expect(await dataOf(await replace(one, 'a.txt', 'The second text.'))).toMatchObject({ uuid: other, duplicate: true });
  expect(await dataOf(await replace(one, 'a.txt', 'The first text.'))).toMatchObject({ uuid: one, duplicate: true });
  expect(await see(one)).toMatchObject({ status: 'indexed' });
  expect(await files()).toBe(2);
});

test('the same bytes that are added while they are read leave the old file where it is', async () => {
  const { add, replace, read, find } = await aBase(await app.aPerson());
  const document = await add('a.txt', 'A zebra costs ninety coins.');
  const text = Array.from({ length: 3000 }, (_, at) => `Paragraph ${at} about giraffes.`).join('\n\n');
  await replace(document, 'a.txt', text);
  await add('b.txt', text);
  const after = await read(document);
  expect(after).toMatchObject({ status: 'indexed', chunkCount: 1, error: { code: 'file-known' } });
  expect(await find('zebra')).toEqual(['A zebra costs ninety coins.']);
});

test('what people made of a passage goes with it, and what they added stays', async () => {
  const person = await app.aPerson();
  const { add, replace, read } = await aBase(person);
  const document = await add(
    'a.md',
    '# Shop\n\n## Hours\n\nOpen at nine.\n\n## Prices\n\nA zebra costs ninety coins.\n',
  );
  const chunks = async () => (await person.call(documents.embeddings, { params: { uuid: document } })).body.data;
  const [hours, prices] = await chunks();
  const at = (embedding = '') => ({ params: { uuid: document, embedding } });
  await person.call(documents.updateEmbedding, { ...at(hours?.uuid), body: { questions: ['When are you there?'] } });
  await person.call(documents.updateEmbedding, {
    ...at(prices?.uuid),
    body: { text: 'A zebra costs ninety-five coins.' },
  });
  await person.call(documents.addEmbedding, { params: { uuid: document }, body: { text: 'Ask for Kai.' } });
  await replace(
    document,
    'a.md',
    '# Shop\n\n## Hours\n\nOpen at nine.\n\n## Prices\n\nA zebra costs a hundred coins.\n',
  );
  await read(document);
  expect((await chunks()).map(({ text, questions, byHand }) => [text, questions, byHand])).toEqual([
    ['Open at nine.', ['When are you there?'], false],
    ['A zebra costs a hundred coins.', [], false],
    ['Ask for Kai.', [], true],
  ]);
});

test('the names that files have in a base are found however they are written', async () => {
  const person = await app.aPerson();
  const { add, base, at } = await aBase(person);
  const [menu, gone] = [await add('メニュー.txt', 'Zebra, ninety coins.'), await add('gone.txt', 'Nothing.')];
  const later = await add('Price List.TXT', 'A zebra costs ninety coins.');
  await person.call(documents.remove, at(gone));
  const names = ['メニュー.txt'.normalize('NFD'), 'price list.txt', 'gone.txt', 'new.txt', ''];
  const { body } = await person.call(documents.named, { params: { knowledge: base }, body: { names } });
  expect(body.data).toEqual([
    { name: names[0], document: menu },
    { name: names[1], document: later },
  ]);
});

test('a document and a base of another are the same 404 as none', async () => {
  const theirs = await aBase(await app.aPerson());
  const document = await theirs.add('a.txt', 'A zebra costs ninety coins.');
  const stranger = await app.aPerson();
  const own = await aBase(stranger);
  for (const uuid of [document, '00000000-0000-7000-8000-000000000000'])
    expect((await own.replace(uuid, 'a.txt', 'Nothing.')).status).toBe(404);
  const named = await stranger.call(documents.named, {
    params: { knowledge: theirs.base },
    body: { names: ['a.txt'] },
  });
  expect(named.error.code).toBe('knowledge-not-found');
  expect(await theirs.original(document)).toBe('A zebra costs ninety coins.');
  expect(await own.files()).toBe(0);
});

test('a document that is erased takes the file along that was to take its place', async () => {
  const person = await app.aPerson();
  const { add, replace, files, at } = await aBase(person);
  const document = await add('a.txt', 'A zebra costs ninety coins.');
  await replace(document, 'a.txt', `<div>`.repeat(200_000));
  await person.call(documents.remove, at(document));
  expect((await person.call(trash.eraseDocument, { params: { uuid: document } })).status).toBe(200);
  await eventually('all files are gone', async () => (await files()) === 0);
});
