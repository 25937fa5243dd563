import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import type { Labels } from '../../../shared/labels.ts';
import { askStreaming, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => void (app = await startTestApp()));
afterAll(() => app.stop());

const shibuya = { tags: ['Price list', '渋谷'], fields: [{ name: 'Shop', value: 'Shibuya' }] };
const ueno = { tags: ['Price list'], fields: [{ name: 'Shop', value: 'Ueno' }] };

/** A base with a text for each of these labels. */
async function aBase(person: Person, texts: [text: string, labels?: Partial<Labels>][]) {
  const base = (await person.call(knowledge.create, { body: { name: 'Shops' } })).body.data.uuid;
  const made: string[] = [];
  for (const [at, [text, labels]] of texts.entries()) {
    const body = { source: 'text' as const, name: `Text ${at + 1}`, text, ...labels };
    const { data } = (await person.call(documents.add, { params: { knowledge: base }, body })).body;
    made.push(data[0]?.uuid ?? '');
  }
  await eventually('all are read', async () => {
    const { busyCount, chunkCount } = (await person.call(knowledge.get, { params: { uuid: base } })).body.data;
    return busyCount === 0 && chunkCount >= texts.length;
  });
  return { base, made };
}

const twoShops = (person: Person) =>
  aBase(person, [
    ['A haircut costs 5,000 yen in Shibuya.', shibuya],
    ['A haircut costs 4,000 yen in Ueno.', ueno],
    ['A haircut takes an hour.'],
  ]);

async function found(person: Person, base: string, filter?: Partial<Labels>) {
  const body = { query: 'What does a haircut cost?', ...(filter && { filter }) };
  const { data } = (await person.call(knowledge.search, { params: { uuid: base }, body })).body;
  return data.map(({ document }) => document.name).sort();
}

test('a search finds documents that have all tags and fields it asks for', async () => {
  const person = await app.aPerson();
  const { base } = await twoShops(person);
  expect(await found(person, base)).toEqual(['Text 1.txt', 'Text 2.txt', 'Text 3.txt']);
  expect(await found(person, base, { tags: ['Price list'] })).toEqual(['Text 1.txt', 'Text 2.txt']);
  expect(await found(person, base, { tags: ['Price list', '渋谷'] })).toEqual(['Text 1.txt']);
  expect(await found(person, base, { tags: ['Price list'], fields: ueno.fields })).toEqual(['Text 2.txt']);
  expect(await found(person, base, { tags: ['渋谷'], fields: ueno.fields })).toEqual([]);
  expect(await found(person, base, { tags: ['price list'] })).toEqual([]);
});

test('what is asked for is found however much else has the same words', async () => {
  const person = await app.aPerson();
  const crowd = Array.from({ length: 60 }, (_, page) =>
    Array.from(
      { length: 100 },
      (__, row) => `## Haircut ${page}-${row}\n\nA haircut costs ${page * 100 + row} yen.`,
    ).join('\n\n'),
  );
  const { base } = await aBase(person, [
    ...crowd.map((text): [string] => [text]),
    ['A haircut costs nothing on Mondays.', ueno],
  ]);
  expect(await found(person, base, ueno)).toEqual(['Text 61.txt']);
}, 120_000);

test('labels are changed, and only one of a kind is kept', async () => {
  const person = await app.aPerson();
  const { base, made } = await twoShops(person);
  const params = { knowledge: base, document: made[2] ?? '' };
  const tags = ['Menu', 'Menu', ' Lunch '];
  const fields = [
    { name: 'Shop', value: 'Ueno' },
    { name: 'Shop', value: 'Ginza' },
  ];
  const changed = await person.call(documents.update, { params, body: { tags, fields } });
  expect(changed.body.data).toMatchObject({ tags: ['Menu', 'Lunch'], fields: [{ name: 'Shop', value: 'Ginza' }] });
  expect(await found(person, base, { tags: ['Lunch'] })).toEqual(['Text 3.txt']);
  await person.call(documents.update, { params, body: { tags: [] } });
  expect((await person.call(documents.get, { params })).body.data).toMatchObject({
    tags: [],
    fields: [{ name: 'Shop', value: 'Ginza' }],
  });
  expect(await found(person, base, { tags: ['Lunch'] })).toEqual([]);
  await person.call(documents.update, { params, body: { name: 'Hours.txt' } });
  expect((await person.call(documents.get, { params })).body.data.fields).toHaveLength(1);
});

test.each([
  ['too many tags', { tags: Array.from({ length: 21 }, (_, at) => `Tag ${at}`) }],
  ['a tag without a word', { tags: [' '] }],
  ['a value that is too long', { fields: [{ name: 'Shop', value: 'x'.repeat(201) }] }],
  ['a field without a name', { fields: [{ name: '', value: 'Ueno' }] }],
])('%s: refused', async (_, body) => {
  const person = await app.aPerson();
  const { base, made } = await aBase(person, [['A haircut takes an hour.', ueno]]);
  const params = { knowledge: base, document: made[0] ?? '' };
  expect((await person.call(documents.update, { params, body })).status).toBe(400);
  expect((await person.call(documents.get, { params })).body.data).toMatchObject(ueno);
});

test('the labels of a base are told with how many documents have each, and a list shows those of a tag', async () => {
  const person = await app.aPerson();
  const { base, made } = await twoShops(person);
  const all = async () => (await person.call(knowledge.labels, { params: { uuid: base } })).body.data;
  expect(await all()).toEqual([
    { name: null, value: 'Price list', documents: 2 },
    { name: null, value: '渋谷', documents: 1 },
    { name: 'Shop', value: 'Shibuya', documents: 1 },
    { name: 'Shop', value: 'Ueno', documents: 1 },
  ]);
  const listed = async (query: { tag: string }) =>
    (await person.call(documents.list, { params: { knowledge: base }, query })).body.data.map(({ name }) => name);
  expect(await listed({ tag: '渋谷' })).toEqual(['Text 1.txt']);
  expect(await listed({ tag: 'Shibuya' })).toEqual([]);
  await person.call(documents.remove, { params: { knowledge: base, document: made[0] ?? '' } });
  expect(await all()).toEqual([
    { name: null, value: 'Price list', documents: 1 },
    { name: 'Shop', value: 'Ueno', documents: 1 },
  ]);
  const stranger = await app.aPerson();
  expect((await stranger.call(knowledge.labels, { params: { uuid: base } })).status).toBe(404);
});

test('a bot answers from the documents of its filter only', async () => {
  const person = await app.aPerson();
  const { base } = await twoShops(person);
  const answerOf = async (filter: Labels) => {
    const body = { name: 'Cutter', knowledges: [base], filter };
    const bot = (await person.call(bots.create, { body })).body.data.uuid;
    const events = await askStreaming(person, { bot, message: { text: 'What does a haircut cost?' } });
    return JSON.stringify(events);
  };
  expect(await answerOf(shibuya)).toContain('5,000 yen');
  const ofUeno = await answerOf(ueno);
  expect(ofUeno).toContain('4,000 yen');
  expect(ofUeno).not.toContain('5,000 yen');
});
