import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { botGroups, bots } from '../../../shared/contracts/bots.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const aGroup = async (person: Person, name: string) =>
  (await person.call(botGroups.create, { body: { name } })).body.data;
const aBot = async (person: Person, name: string, botgroup: string | null = null) =>
  (await person.call(bots.create, { body: { name, botgroup } })).body.data;
const order = async (person: Person) =>
  (await person.call(botGroups.list)).body.data.map(({ name, position }) => [name, position]);

test('a new group comes last, and counts the bots that are in it and not in the trash', async () => {
  const person = await app.aPerson();
  const first = await aGroup(person, 'Shop');
  await aGroup(person, '社内');
  await aBot(person, 'One', first.uuid);
  const trashed = await aBot(person, 'Two', first.uuid);
  await person.call(bots.remove, { params: { uuid: trashed.uuid } });
  expect(first).toMatchObject({ uuid: expect.any(String), name: 'Shop', color: 'gray', position: 0, bots: 0 });
  expect((await person.call(botGroups.list)).body).toEqual({
    data: [{ ...first, bots: 1 }, expect.objectContaining({ name: '社内', position: 1, bots: 0 })],
    meta: { nextCursor: null },
  });
  expect((await person.call(botGroups.get, { params: { uuid: first.uuid } })).body.data.bots).toBe(1);
});

test('a group is renamed and painted where it is', async () => {
  const person = await app.aPerson();
  const [{ uuid }] = [await aGroup(person, 'Shop'), await aGroup(person, 'Other')];
  const { body } = await person.call(botGroups.update, { params: { uuid }, body: { name: 'Store', color: 'teal' } });
  expect(body.data).toMatchObject({ name: 'Store', color: 'teal', position: 0 });
});

test.each([
  ['to the front', 'c', 0, 'cabd'],
  ['to the back', 'a', 3, 'bcda'],
  ['between others', 'a', 1, 'bacd'],
  ['beyond the end', 'b', 1000, 'acdb'],
  ['to where it is', 'b', 1, 'abcd'],
])('a group moves %s and the others close up', async (_, moved, position, expected) => {
  const person = await app.aPerson();
  const groups = new Map<string, string>();
  for (const name of 'abcd') groups.set(name, (await aGroup(person, name)).uuid);
  await person.call(botGroups.update, { params: { uuid: groups.get(moved) ?? '' }, body: { position } });
  expect(await order(person)).toEqual([...expected].map((name, at) => [name, at]));
});

test('many who move, make and delete groups at once leave no gap and no place twice', async () => {
  const person = await app.aPerson();
  const groups = await Promise.all(Array.from({ length: 8 }, (_, at) => aGroup(person, `g${at}`)));
  await Promise.all([
    ...groups
      .slice(0, 5)
      .map(({ uuid }, at) => person.call(botGroups.update, { params: { uuid }, body: { position: (at * 3) % 8 } })),
    ...groups.slice(6).map(({ uuid }) => person.call(botGroups.remove, { params: { uuid } })),
    aGroup(person, 'new'),
  ]);
  expect((await order(person)).map(([, position]) => position)).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

test('bots of a group that is deleted stay, in no group', async () => {
  const person = await app.aPerson();
  const [first, group, last] = [await aGroup(person, 'a'), await aGroup(person, 'b'), await aGroup(person, 'c')];
  const bot = await aBot(person, 'One', group.uuid);
  await person.call(botGroups.remove, { params: { uuid: group.uuid } });
  expect((await person.call(bots.get, { params: { uuid: bot.uuid } })).body.data.botgroup).toBeNull();
  expect(await order(person)).toEqual([
    [first.name, 0],
    [last.name, 1],
  ]);
  expect((await person.call(botGroups.get, { params: { uuid: group.uuid } })).error.code).toBe('botgroup-not-found');
});

test('the list of bots shows one group, or those in none', async () => {
  const person = await app.aPerson();
  const group = await aGroup(person, 'Shop');
  await aBot(person, 'inside', group.uuid);
  const outside = await aBot(person, 'outside');
  const names = async (botgroup: string) =>
    (await person.call(bots.list, { query: { botgroup } })).body.data.map(({ name }) => name);
  expect([await names(group.uuid), await names('none')]).toEqual([['inside'], ['outside']]);
  await person.call(bots.update, { params: { uuid: outside.uuid }, body: { botgroup: group.uuid } });
  expect([(await names(group.uuid)).toSorted(), await names('none')]).toEqual([['inside', 'outside'], []]);
  await person.call(bots.update, { params: { uuid: outside.uuid }, body: { botgroup: null } });
  expect(await names('none')).toEqual(['outside']);
  expect((await person.fetch('/api/user/bots?botgroup=some')).status).toBe(400);
});

test('a workspace has at most a hundred groups', async () => {
  const person = await app.aPerson();
  for (let at = 0; at < 100; at++) await aGroup(person, `g${at}`);
  const reply = await person.call(botGroups.create, { body: { name: 'one more' } });
  expect([reply.status, reply.error.code, (await order(person)).length]).toEqual([422, 'too-many', 100]);
});

describe("another's group", () => {
  test('is none, and no bot goes into it', async () => {
    const theirs = await aGroup(await app.aPerson(), 'theirs');
    const person = await app.aPerson();
    const bot = await aBot(person, 'mine');
    for (const route of [botGroups.get, botGroups.remove] as const)
      expect((await person.call(route, { params: { uuid: theirs.uuid } })).error.code).toBe('botgroup-not-found');
    expect(
      (await person.call(botGroups.update, { params: { uuid: theirs.uuid }, body: { name: 'mine' } })).error.code,
    ).toBe('botgroup-not-found');
    expect(
      (await person.call(bots.update, { params: { uuid: bot.uuid }, body: { botgroup: theirs.uuid } })).error.code,
    ).toBe('botgroup-not-found');
    expect((await person.call(bots.create, { body: { name: 'x', botgroup: theirs.uuid } })).error.code).toBe(
      'botgroup-not-found',
    );
    expect((await person.call(bots.list)).body.data.map(({ name, botgroup }) => [name, botgroup])).toEqual([
      ['mine', null],
    ]);
  });
});
