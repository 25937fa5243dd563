import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { home } from '../../../shared/contracts/home.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import { marks } from '../../../shared/marks.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const aBot = async (person: Person, name = 'Bot') => (await person.call(bots.create, { body: { name } })).body.data;
const marksOf = async (person: Person) =>
  (await person.call(bots.dropdown)).body.data.map(({ mark }) => mark).toSorted((one, other) => one - other);
const apart = (all: number[]) => new Set(all).size;

test('as many bots as there are marks have one each, and one more is allowed', async () => {
  const person = await app.aPerson();
  // Some are made at the same moment.
  for (let made = 0; made < marks; made += 8)
    await Promise.all(Array.from({ length: 8 }, (_, at) => aBot(person, `Bakery ${made + at}`)));
  expect(await marksOf(person)).toEqual(Array.from({ length: marks }, (_, mark) => mark));
  expect((await aBot(person, 'One more')).mark).toBeLessThan(marks);
  expect(await marksOf(person)).toHaveLength(marks + 1);
}, 60_000);

test('copies, too, look different, and a new name changes no mark', async () => {
  const person = await app.aPerson();
  const { uuid, mark } = await aBot(person);
  await Promise.all(Array.from({ length: 6 }, () => person.call(bots.duplicate, { params: { uuid } })));
  expect(apart(await marksOf(person))).toBe(7);
  const renamed = await person.call(bots.update, { params: { uuid }, body: { name: 'Another' } });
  expect(renamed.body.data.mark).toBe(mark);
});

test('workspaces do not take marks from each other', async () => {
  const [one, other] = [await app.aPerson(), await app.aPerson()];
  for (const person of [one, other]) for (let at = 0; at < 40; at++) await aBot(person);
  const [ones, others] = [await marksOf(one), await marksOf(other)];
  expect([apart(ones), apart(others)]).toEqual([40, 40]);
  // Of 40 marks chosen freely among 240, 120 bots would have to be unlike by chance.
  expect(apart([...ones, ...others])).toBeLessThan(80);
});

test('a bot that comes back from the trash looks as before, or like nobody else where its mark was taken', async () => {
  const person = await app.aPerson();
  const { uuid, mark } = await aBot(person);
  const again = async () => (await person.call(bots.restore, { params: { uuid } })).body.data.mark;
  await person.call(bots.remove, { params: { uuid } });
  expect(await again()).toBe(mark);
  await person.call(bots.remove, { params: { uuid } });
  for (let made = 0; made < marks - 1; made += 8)
    await Promise.all(Array.from({ length: Math.min(8, marks - 1 - made) }, () => aBot(person)));
  await again();
  expect(apart(await marksOf(person))).toBe(marks);
}, 60_000);

test('wherever a bot is shown it has the same mark', async () => {
  const person = await app.aPerson();
  const base = (await person.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const { uuid, mark } = (await person.call(bots.create, { body: { name: 'Bot', knowledges: [base] } })).body.data;
  const shown = [
    (await person.call(bots.list)).body.data[0],
    (await person.call(bots.get, { params: { uuid } })).body.data,
    (await person.call(bots.show, { params: { uuid } })).body.data,
    (await person.call(bots.dropdown)).body.data[0],
    (await person.call(home.get)).body.data.recentBots[0],
    (await person.call(knowledge.list)).body.data[0]?.bots[0],
  ];
  expect(shown.map((each) => [each?.uuid, each?.mark])).toEqual(shown.map(() => [uuid, mark]));
});
