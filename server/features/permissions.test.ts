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
import { everyRoute } from '../features.ts';

/** Who gets through, by what a call asks for; otherwise the status of the refusal. Written by hand: the policy is held against it. */
const byAccess = readTable(`
            anonymous visitor suspended stranger viewer staff editor admin owner operator
  anyone    yes       yes     yes       yes      yes    yes   yes    yes   yes   yes
  user      401       401     401       404      yes    yes   yes    yes   yes   yes
  read      401       401     401       404      yes    yes   yes    yes   yes   yes
  converse  401       401     401       404      403    yes   yes    yes   yes   yes
  edit      401       401     401       404      403    403   yes    yes   yes   yes
  manage    401       401     401       404      403    403   403    yes   yes   yes
  own       401       401     401       404      403    403   403    403   yes   yes
  operator  401       401     401       404      403    403   403    403   403   yes
`);

/** The same for API keys with one scope each, which the owner made. */
const keysByAccess = readTable(`
            chat read converse edit
  anyone    yes  yes  yes      yes
  user      403  403  403      403
  read      403  yes  403      403
  converse  403  403  yes      403
  edit      403  403  403      yes
  manage    403  403  403      403
  own       403  403  403      403
  operator  403  403  403      403
`);

/** What a key for conversations is for. */
const chatCalls = [
  'GET /api/bot/:uuid',
  'POST /api/chat',
  'GET /api/chat',
  'POST /api/chat/file',
  'GET /api/chat/file/:uuid',
  'GET /api/chat/:thread',
  'GET /api/chat/:thread/messages',
  'PUT /api/chat/:thread',
  'DELETE /api/chat/:thread',
  'GET /api/chat/:thread/stream',
  'POST /api/chat/:thread/stop',
  'POST /api/chat/:thread/message/:message/regenerate',
  'POST /api/chat/:thread/message/:message/edit',
  'POST /api/chat/:thread/message/:message/continue',
  'POST /api/chat/:thread/message/:message/show',
  'PUT /api/chat/:thread/message/:message/feedback',
  'GET /v1/models',
  'GET /v1/models/:model',
  'POST /v1/chat/completions',
];

/** What a person with the permission may see, and no key of theirs: who is in the workspace, and what others asked. */
const personalCalls = ['GET /api/user/members', 'GET /api/chat/:thread/message/:message/trace'];

/** The row of each name, by the column's name. */
function readTable(text: string): Map<string, Map<string, string>> {
  const [columns = [], ...rows] = text
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/ +/));
  return new Map(
    rows.map(([name = '', ...cells]) => [name, new Map(columns.map((column, at) => [column, cells[at] ?? '']))]),
  );
}

const people = [...(byAccess.get('anyone')?.keys() ?? [])];
const keyScopes = [...(keysByAccess.get('anyone')?.keys() ?? [])];

function keyAnswer(route: Route, scope: string): string | undefined {
  const name = nameOf(route);
  if (chatCalls.includes(name)) return scope === 'chat' ? 'yes' : '403';
  return personalCalls.includes(name) ? '403' : keysByAccess.get(route.access)?.get(scope);
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

let app: TestApp;
let headers: Record<string, Record<string, string>>;
let keyHeaders: Record<string, Record<string, string>>;
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
  };
  keyHeaders = {
    chat: { 'x-api-key': await keyOf('chat') },
    read: bearer(await keyOf('read')),
    converse: { 'x-api-key': await keyOf('converse') },
    edit: bearer(await keyOf('edit')),
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

const denials: Partial<Record<string, string>> = {
  'not-signed-in': '401',
  'not-allowed': '403',
  'scope-missing': '403',
  'key-not-allowed': '403',
  'workspace-not-found': '404',
};

/** Identity comes before everything else, so a body that is wrong changes nothing and shows who was let through. */
async function ask(route: Route, identity: Record<string, string> | undefined) {
  const response = await app.anyone.fetch(pathOf(route, false), {
    method: route.method,
    redirect: 'manual',
    headers: { ...identity, ...(route.method !== 'GET' && { 'content-type': 'application/json' }) },
    ...(route.method !== 'GET' && { body: '{"no such field":1}' }),
  });
  const { status } = response;
  const text = await response.text();
  const code = status >= 400 && text.startsWith('{') ? JSON.parse(text).error?.code : undefined;
  return { answer: denials[code] ?? 'yes', status, what: `${status} ${code}` };
}

// One test for each route and not for each cell of the tables: a test costs more than its call, and the difference names the callers.
test.each(everyRoute.map((route) => [nameOf(route), route] as const))(
  '%s lets in whom the tables name, and nobody else',
  async (_, route) => {
    const byPerson = people.map(
      (caller) => [caller, headers[caller], byAccess.get(route.access)?.get(caller)] as const,
    );
    const byKey = keyScopes.map((scope) => [`key: ${scope}`, keyHeaders[scope], keyAnswer(route, scope)] as const);
    const cells = [...byPerson, ...byKey];
    const answers = await Promise.all(
      cells.map(async ([caller, identity]) => {
        const { answer, status, what } = await ask(route, identity);
        return `${caller}: ${status < 500 ? answer : what}`;
      }),
    );
    expect(answers).toEqual(cells.map(([caller, , expected]) => `${caller}: ${expected}`));
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

test.each(ofAWorkspace.map((route) => [nameOf(route), route] as const))(
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
