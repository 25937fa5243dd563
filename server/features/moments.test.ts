import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { operatorServices } from '../../shared/contracts/services.ts';
import { unanswered } from '../../shared/contracts/unanswered.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Route } from '../../shared/route.ts';
import { everyRoute, features } from '../features.ts';
import { newId, openDatabase } from '../infra/db.ts';
import { migrate } from '../infra/migrate.ts';
import { migrations } from '../migrations/migrations.ts';
import { startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { createDatabase } from '../testing/database.ts';
import { sessionIdentity } from './accounts/identity.ts';

const moments = ['createdAt', 'updatedAt'];

/** What something else is shown by, and what a file is as long as it is there: neither has a state of its own that could change. */
const ofReferences = ['uuid', 'name', 'avatar', 'mark', 'url', 'mime', 'bytes', 'height'];

/** The objects that a schema lets through: of a list those in it, of a choice those of each. */
function objectsIn(schema: z.core.$ZodType): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodArray) return objectsIn(schema.element);
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional) return objectsIn(schema.unwrap());
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsIn);
  return [];
}

const everythingIn = (schema: z.core.$ZodType): z.ZodObject[] =>
  objectsIn(schema).flatMap((object) => [object, ...Object.values(object.shape).flatMap(everythingIn)]);

/** What a call is about: in `data`, or bare. */
const topOf = ({ reply }: Route): z.ZodObject[] =>
  objectsIn(reply).flatMap((object) => ('data' in object.shape ? objectsIn(object.shape.data) : object));

const missingOf = ({ shape }: z.ZodObject) => moments.filter((name) => !(name in shape));
const nameOf = ({ method, path }: Route) => `${method} ${path}`;

// Strangers and visitors get shapes that name all that they may know.
const routes = everyRoute.filter(({ access }) => access !== 'anyone' && access !== 'visitor');

test('whatever has an id and a state says when it was made and when it was last changed', () => {
  const things = routes.flatMap((route) =>
    topOf(route)
      .filter(({ shape }) => 'uuid' in shape && Object.keys(shape).some((name) => !ofReferences.includes(name)))
      .map((object) => ({ route: nameOf(route), missing: missingOf(object) })),
  );
  expect(things.length).toBeGreaterThan(150);
  expect(things.filter(({ missing }) => missing.length > 0)).toEqual([]);
});

test('nothing with an id says one of the two only', () => {
  const halves = routes.flatMap((route) =>
    everythingIn(route.reply)
      .filter((object) => 'uuid' in object.shape && missingOf(object).length === 1)
      .map((object) => `${nameOf(route)}: ${Object.keys(object.shape).join()}`),
  );
  expect(halves).toEqual([]);
});

let app: TestApp;
let person: Person;
/** One of each thing, by the word before its id in a path. */
const things: Record<string, string> = {};
beforeAll(async () => {
  app = await startTestApp();
  person = await app.aPerson();
  const asked = { route: { access: 'user', scope: null }, workspace: undefined, address: '127.0.0.1' } as const;
  const caller = await sessionIdentity.find(app.server.context, person.jwt, asked);
  if (!caller) throw new Error('nobody is signed in');
  for (const feature of features) Object.assign(things, await feature.examples?.(app.server.context, caller, things));
});
afterAll(() => app.stop());

/** Every object of an answer that says when it was made. */
function datedIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(datedIn);
  return 'uuid' in value && 'createdAt' in value ? [value, ...inside] : inside;
}

test('one of each thing has both, and was not changed before it was made', async () => {
  const told = new Set<string>();
  const wrong: unknown[] = [];
  for (const route of routes.filter(({ method, kind }) => method === 'GET' && kind === 'json')) {
    const parts = route.path.split('/');
    const path = parts.map((part, at) => (part.startsWith(':') ? (things[parts[at - 1] ?? ''] ?? part) : part));
    const response = await person.fetch(path.join('/'), {});
    if (response.status !== 200) continue;
    for (const thing of datedIn(await response.json())) {
      told.add(nameOf(route));
      const [createdAt, updatedAt] = moments.map((name) => z.iso.datetime().safeParse(thing[name]).data);
      if (!createdAt || !updatedAt || updatedAt < createdAt) wrong.push([nameOf(route), thing]);
    }
  }
  expect(wrong).toEqual([]);
  expect(told.size).toBeGreaterThan(40);
});

const long = '2020-01-01T00:00:00.000Z';
const longAgo = { created_at: Date.parse(long), updated_at: Date.parse(long) };

test('another role changes a member, who has joined when they did', async () => {
  const member = await app.aPerson();
  const { url } = (await person.call(workspaces.invite, { body: { role: 'viewer' } })).body.data;
  const code = new URL(url).searchParams.get('code') ?? '';
  await member.call(workspaces.acceptInvitation, { body: { code } });
  await app.server.context.db.updateTable('member').set(longAgo).where('user', '=', member.user.uuid).execute();
  const shown = async () =>
    (await person.call(workspaces.members)).body.data.find(({ uuid }) => uuid === member.user.uuid);
  expect(await shown()).toMatchObject({ joinedAt: long, createdAt: long, updatedAt: long });
  const changed = (
    await person.call(workspaces.changeRole, { params: { uuid: member.user.uuid }, body: { role: 'editor' } })
  ).body.data;
  expect(changed).toEqual(await shown());
  expect(changed).toMatchObject({ role: 'editor', joinedAt: long, createdAt: long });
  expect(changed.updatedAt > long).toBe(true);
});

test('a service changes with what the operator says of it, and its price is as old as before', async () => {
  const find = async () => {
    const { data } = (await person.call(operatorServices.list)).body;
    return data.find(({ price, provider }) => price !== null && provider !== 'built-in')!;
  };
  const service = await find();
  expect(service.updatedAt >= service.createdAt).toBe(true);
  const params = { uuid: service.uuid };
  const priced = (await person.call(operatorServices.update, { params, body: { price: { in: 1, out: 2, cached: 1 } } }))
    .body.data;
  const { db } = app.server.context;
  await db
    .updateTable('service_setting')
    .set({ ...longAgo, priced_at: longAgo.created_at })
    .where('service', '=', service.uuid)
    .execute();
  expect(priced.updatedAt > service.updatedAt).toBe(true);
  const named = (await person.call(operatorServices.update, { params, body: { name: 'Another' } })).body.data;
  expect(named).toMatchObject({ name: 'Another', createdAt: service.createdAt, pricedAt: long.slice(0, 10) });
  expect(named.updatedAt > service.updatedAt).toBe(true);
});

test('a question that is dismissed has changed, and was asked last when it was', async () => {
  const { db } = app.server.context;
  const uuid = things['unanswered'] ?? '';
  await db
    .updateTable('unanswered')
    .set({ ...longAgo, asked_at: longAgo.created_at })
    .where('uuid', '=', uuid)
    .execute();
  const dismissed = (await person.call(unanswered.dismiss, { params: { unanswered: uuid } })).body.data;
  expect(dismissed).toMatchObject({ firstAt: long, lastAt: long, createdAt: long });
  expect(dismissed.updatedAt > long).toBe(true);
});

test('what was there before has the moments that were known', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-upgrade-'));
  const made = await createDatabase();
  const database = openDatabase({ DATA_DIR: folder, ...made.settings });
  try {
    const { db } = database;
    await migrate(
      database,
      migrations.slice(
        0,
        migrations.findIndex(({ name }) => name === '0085-moments'),
      ),
    );
    const [user, workspace, bot] = [newId(), newId(), newId()];
    for (const statement of [
      sql`insert into "user" (uuid, created_at, updated_at, username, username_key, email, email_key, locale, timezone)
        values (${user}, 1, 1, 'hana', 'hana', 'hana@example.com', 'hana@example.com', 'ja', 'UTC')`,
      sql`insert into workspace (uuid, created_at, updated_at, name) values (${workspace}, 1, 1, 'Shop')`,
      sql`insert into member (workspace, "user", role, created_at) values (${workspace}, ${user}, 'owner', 2)`,
      sql`insert into bot (uuid, created_at, updated_at, workspace, name, description, draft, visibility)
        values (${bot}, 1, 1, ${workspace}, 'Bot', '', '{}', 'private')`,
      sql`insert into unanswered (uuid, created_at, updated_at, workspace, bot, question, terms, reason, status, count)
        values (${newId()}, 3, 4, ${workspace}, ${bot}, 'When?', '[]', 'refused', 'open', 1)`,
      sql`insert into service_setting (service, hidden, name, price, updated_at) values (${newId()}, 0, null, '{}', 5),
        (${newId()}, 0, 'Named', null, 6)`,
    ])
      await statement.execute(db);
    await migrate(database, migrations);
    const members = await db.selectFrom('member').select(['created_at', 'updated_at']).execute();
    expect(members).toEqual([{ created_at: 2, updated_at: 2 }]);
    const questions = await db.selectFrom('unanswered').select(['created_at', 'updated_at', 'asked_at']).execute();
    expect(questions).toEqual([{ created_at: 3, updated_at: 4, asked_at: 4 }]);
    const settings = await db
      .selectFrom('service_setting')
      .select(['created_at', 'updated_at', 'priced_at'])
      .orderBy('updated_at')
      .execute();
    expect(settings).toEqual([
      { created_at: 5, updated_at: 5, priced_at: 5 },
      { created_at: 6, updated_at: 6, priced_at: null },
    ]);
  } finally {
    await database.close();
    await made.drop();
    await rm(folder, { recursive: true });
  }
});
