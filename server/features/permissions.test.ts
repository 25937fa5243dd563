import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { operator } from '../../shared/contracts/operator.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Route } from '../../shared/route.ts';
import { startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { callers, verdict, type CallerKind } from '../testing/permissions.ts';
import { everyRoute } from '../testing/routes.ts';

let app: TestApp;
let headers: Record<CallerKind, Record<string, string>>;
let stranger: Person;
/** Things of the workspace, by the word before them in a path. */
let things: Record<string, string>;

beforeAll(async () => {
  app = await startTestApp();
  const [boss, owner, suspended, admin, editor, staff, viewer] = await Promise.all(
    Array.from({ length: 7 }, () => app.aPerson()),
  );
  stranger = await app.aPerson();
  if (!boss || !owner || !suspended || !admin || !editor || !staff || !viewer) throw new Error('somebody is missing');
  const { db } = app.server.context;
  await db.updateTable('user').set({ is_operator: 0 }).execute();
  await db.updateTable('user').set({ is_operator: 1 }).where('uuid', '=', boss.user.uuid).execute();
  const workspace = owner.user.workspaces[0]?.uuid ?? '';
  for (const [person, role] of [
    [admin, 'admin'],
    [editor, 'editor'],
    [staff, 'staff'],
    [viewer, 'viewer'],
  ] as const) {
    const { url } = (await owner.call(workspaces.invite, { body: { role, days: 7 } })).body.data;
    await person.call(workspaces.acceptInvitation, { body: { code: new URL(url).searchParams.get('code') ?? '' } });
  }
  const keyOf = async (scope: 'chat' | 'read' | 'converse' | 'edit') =>
    (await owner.call(keys.create, { body: { name: scope, scopes: [scope] } })).body.data.key;
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const inWorkspace = (person: Person) => ({ ...bearer(person.jwt), 'x-workspace': workspace });
  headers = {
    anonymous: {},
    visitor: bearer('v1.visitor.AAAAAAAAAAAAAAAA'),
    suspended: bearer(suspended.jwt),
    stranger: inWorkspace(stranger),
    viewer: inWorkspace(viewer),
    staff: inWorkspace(staff),
    editor: inWorkspace(editor),
    admin: inWorkspace(admin),
    owner: inWorkspace(owner),
    operator: bearer(boss.jwt),
    'key: chat': { 'x-api-key': await keyOf('chat') },
    'key: read': bearer(await keyOf('read')),
    'key: converse': { 'x-api-key': await keyOf('converse') },
    'key: edit': bearer(await keyOf('edit')),
  };
  await boss.call(operator.suspend, { params: { uuid: suspended.user.uuid } });
  const bot = (await owner.call(bots.create, { body: { name: 'Bot' } })).body.data.uuid;
  const base = (await owner.call(knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const [document] = (
    await owner.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'Text', text: 'The shop opens at nine.' },
    })
  ).body.data;
  const thread = (await owner.call(conversations.send, { body: { bot, message: { text: 'When does it open?' } } })).body
    .data.thread.uuid;
  const invitation = (await owner.call(workspaces.invite, { body: { role: 'viewer', days: 7 } })).body.data.uuid;
  const key = (await owner.call(keys.list)).body.data[0]?.uuid ?? '';
  const chunk = await db.selectFrom('chunk').select('uuid').where('knowledge', '=', base).executeTakeFirst();
  things = {
    bot,
    knowledge: base,
    document: document?.uuid ?? '',
    chat: thread,
    invitation,
    'api-key': key,
    member: viewer.user.uuid,
    embedding: chunk?.uuid ?? bot,
    user: owner.user.uuid,
  };
});
afterAll(() => app.stop());

const nowhere = '00000000-0000-7000-8000-000000000000';

/** The path with ids in it: those that exist in the workspace, or ones that exist nowhere. */
function pathOf(route: Route, exists: boolean): string {
  const parts = route.path.split('/');
  return parts
    .map((part, at) => (part.startsWith(':') ? (exists && things[parts[at - 1] ?? '']) || nowhere : part))
    .join('/');
}

/** Identity comes before everything else, so a body that is wrong changes nothing and shows who was let through. */
async function call(route: Route, caller: CallerKind): Promise<{ status: number; code: string | undefined }> {
  const response = await app.anyone.fetch(pathOf(route, false), {
    method: route.method,
    redirect: 'manual',
    headers: { ...headers[caller], ...(route.method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(route.method !== 'GET' && { body: '{"no such field":1}' }),
  });
  const text = await response.text();
  const code = response.status >= 400 && text.startsWith('{') ? JSON.parse(text).error?.code : undefined;
  return { status: response.status, code };
}

const denials: Partial<Record<string, number>> = {
  'not-signed-in': 401,
  'not-allowed': 403,
  'scope-missing': 403,
  'key-not-allowed': 403,
  'workspace-not-found': 404,
};

// One test for each route and not for each cell of the table: a test costs more than its call, and the difference names the callers.
test.each(everyRoute.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s lets in whom the policy names, and nobody else',
  async (_, route) => {
    const answers = await Promise.all(callers.map(async (caller) => ({ caller, ...(await call(route, caller)) })));
    const told = answers.map(({ caller, status, code }) => {
      const denied = status < 500 && code !== undefined ? denials[code] : undefined;
      return `${caller}: ${denied ?? (status < 500 ? 'yes' : `${status} ${code}`)}`;
    });
    expect(told).toEqual(callers.map((caller) => `${caller}: ${verdict(route, caller)}`));
  },
);

/** Something of the right shape for a body. */
function exampleOf(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return 'x';
  const {
    type,
    enum: values,
    const: value,
    anyOf,
    properties,
    required,
    format,
    minItems,
    items,
    default: given,
  }: {
    type?: string;
    enum?: unknown[];
    const?: unknown;
    anyOf?: unknown[];
    properties?: Record<string, unknown>;
    required?: string[];
    format?: string;
    minItems?: number;
    items?: unknown;
    default?: unknown;
  } = schema;
  if (given !== undefined) return given;
  if (value !== undefined) return value;
  if (values) return values[0];
  if (anyOf) return exampleOf(anyOf[0]);
  if (type === 'object')
    return Object.fromEntries((required ?? []).map((name) => [name, exampleOf(properties?.[name])]));
  if (type === 'array') return minItems ? [exampleOf(items)] : [];
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return true;
  if (format === 'uuid') return nowhere;
  if (format === 'email') return 'x@example.com';
  return 'x';
}

const ofAWorkspace = everyRoute.filter(
  (route) =>
    route.path.includes(':') &&
    ['read', 'converse', 'edit', 'manage', 'own', 'user'].includes(route.access) &&
    route.path
      .split('/')
      .some(
        (part, at, parts) =>
          part.startsWith(':') &&
          ['bot', 'knowledge', 'document', 'chat', 'invitation', 'api-key', 'member', 'embedding'].includes(
            parts[at - 1] ?? '',
          ),
      ),
);

test.each(ofAWorkspace.map((route) => [`${route.method} ${route.path}`, route] as const))(
  'a stranger finds nothing at %s, as if it did not exist',
  async (_, route) => {
    const body =
      route.method === 'GET' || route.body.def.type === 'undefined'
        ? undefined
        : exampleOf(z.toJSONSchema(route.body, { io: 'input', unrepresentable: 'any' }));
    const ask = async (exists: boolean) => {
      const response = await stranger.fetch(pathOf(route, exists), {
        method: route.method,
        headers: { ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    };
    const [foreign, unknown] = [await ask(true), await ask(false)];
    expect(foreign.status, foreign.text).toBe(404);
    expect(foreign).toEqual(unknown);
  },
);

test('after all of it everything is as it was', async () => {
  const { db } = app.server.context;
  expect(
    await db
      .selectFrom('bot')
      .select(['uuid', 'name', 'deleted_at'])
      .where('uuid', '=', things['bot'] ?? '')
      .executeTakeFirst(),
  ).toEqual({ uuid: things['bot'], name: 'Bot', deleted_at: null });
  expect(
    await db
      .selectFrom('member')
      .select('role')
      .where('user', '=', things['member'] ?? '')
      .where('role', '=', 'viewer')
      .execute(),
  ).toHaveLength(1);
  expect(await db.selectFrom('api_key').select('uuid').where('revoked_at', 'is', null).execute()).toHaveLength(4);
  expect(
    await db
      .selectFrom('invitation')
      .select('uuid')
      .where('revoked_at', 'is', null)
      .where('accepted_at', 'is', null)
      .execute(),
  ).toHaveLength(1);
});

test('a call that no contract declares cannot be served', async () => {
  expect(() => app.server.app.get('/api/undeclared', async () => 'x')).toThrow();
});
