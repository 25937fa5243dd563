import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { keys } from '../../shared/contracts/keys.ts';
import { operator } from '../../shared/contracts/operator.ts';
import { visitors } from '../../shared/contracts/visitors.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Route } from '../../shared/route.ts';
import { startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { everyRoute, features } from '../features.ts';
import type { Caller } from '../infra/http.ts';
import { sessionIdentity } from './accounts/identity.ts';

/** Who gets through, by what a call asks for; otherwise the status of the refusal. Written by hand: the policy is held against it. */
const byAccess = readTable(`
            anonymous visitor suspended stranger viewer staff editor admin owner operator
  anyone    yes       yes     yes       yes      yes    yes   yes    yes   yes   yes
  visitor   401       yes     401       401      401    401   401    401   401   401
  open      401       401     401       404      yes    yes   yes    yes   yes   yes
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
  visitor   401  401  401      401
  open      403  403  403      403
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
  'GET /api/chat/:thread/export',
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
  'POST /v1/responses',
];

/** What a person with the permission may, and no key of theirs: see who is in the workspace and what others asked, and delete for good. */
const personalCalls = [
  'GET /api/user/members',
  'GET /api/chat/:thread/message/:message/trace',
  'DELETE /api/user/trash',
  'DELETE /api/user/trash/bot/:uuid',
  'DELETE /api/user/trash/knowledge/:uuid',
  'DELETE /api/user/trash/document/:uuid',
  'DELETE /api/user/trash/image/:uuid',
  'POST /api/inbox/thread/:thread/draft',
  'POST /api/inbox/thread/:thread/summary',
  'POST /api/inbox/thread/:thread/translate',
];

/** What an editor looks after, but a key only for the inbox: visitors' words. */
const visitorsWords = /^\w+ \/api\/user\/(?:unanswered|line\/webhook)/;

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
  if (visitorsWords.test(name)) return scope === 'converse' ? 'yes' : '403';
  return personalCalls.includes(name) ? '403' : keysByAccess.get(route.access)?.get(scope);
}

const nameOf = ({ method, path }: Route) => `${method} ${path}`;

let app: TestApp;
let headers: Record<string, Record<string, string>>;
let keyHeaders: Record<string, Record<string, string>>;
let stranger: Person;
/** Things of the workspace, by the word before them in a path. */
let things: Record<string, string>;
let before: unknown;
let owner: Person;

beforeAll(async () => {
  app = await startTestApp();
  const [boss, first, suspended, admin, editor, staff, viewer] = await Promise.all(
    Array.from({ length: 7 }, () => app.aPerson()),
  );
  stranger = await app.aPerson();
  if (!boss || !first || !suspended || !admin || !editor || !staff || !viewer) throw new Error('somebody is missing');
  owner = first;
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
  things = {};
  const caller = await callerOf(owner, workspace);
  for (const feature of features) Object.assign(things, await feature.examples?.(app.server.context, caller, things));
  const visit = { channel: things['web-channel'] ?? '' };
  headers['visitor'] = bearer((await app.anyone.call(visitors.begin, { body: visit })).body.data.token);
  before = await stateOf(workspace);
});
afterAll(() => app.stop());

async function callerOf(person: Person, workspace: string): Promise<Caller> {
  const asked = { route: { access: 'user', scope: null }, workspace, address: '127.0.0.1' } as const;
  const caller = await sessionIdentity.find(app.server.context, person.jwt, asked);
  if (!caller) throw new Error('nobody is signed in');
  return caller;
}

/** Rows of the workspace that somebody could have changed. */
async function stateOf(workspace: string): Promise<unknown> {
  const { db } = app.server.context;
  const tables = [
    'bot',
    'bot_group',
    'knowledge',
    'thread',
    'invitation',
    'member',
    'model_key',
    'guest',
    'connection',
    'web_channel',
  ] as const;
  const rows = tables.map((table) =>
    db.selectFrom(table).selectAll().where('workspace', '=', workspace).orderBy('created_at').execute(),
  );
  const unused = db.selectFrom('api_key').select(['uuid', 'name', 'revoked_at']).where('workspace', '=', workspace);
  return Promise.all([...rows, unused.orderBy('created_at').execute()]);
}

const nowhere = '00000000-0000-7000-8000-000000000000';

/** The path with ids in it: those that exist in the workspace, or ones that exist nowhere. Names stay what they are. */
function pathOf(route: Route, exists: boolean): string {
  const parts = route.path.split('/');
  const idOf = (thing: string | undefined) =>
    thing && (exists || !z.uuid().safeParse(thing).success) ? thing : nowhere;
  return parts.map((part, at) => (part.startsWith(':') ? idOf(things[parts[at - 1] ?? '']) : part)).join('/');
}

const denials: Partial<Record<string, string>> = {
  'not-signed-in': '401',
  'visitor-unknown': '401',
  invalid_api_key: '401',
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
    oneOf,
    properties,
    required,
    format,
    minItems,
    items,
    default: given,
    examples,
    minimum = 1,
    maximum = minimum,
  }: {
    type?: string;
    enum?: unknown[];
    const?: unknown;
    anyOf?: unknown[];
    oneOf?: unknown[];
    properties?: Record<string, unknown>;
    required?: string[];
    format?: string;
    minItems?: number;
    items?: unknown;
    default?: unknown;
    examples?: unknown[];
    minimum?: number;
    maximum?: number;
  } = schema;
  if (given !== undefined) return given;
  if (examples) return examples[0];
  if (value !== undefined) return value;
  if (values) return values[0];
  const choices = anyOf ?? oneOf;
  if (choices) return exampleOf(choices[0]);
  if (type === 'object')
    return Object.fromEntries((required ?? []).map((name) => [name, exampleOf(properties?.[name])]));
  if (type === 'array') return minItems ? [exampleOf(items)] : [];
  if (type === 'number' || type === 'integer') return Math.min(Math.max(1, minimum), maximum);
  if (type === 'boolean') return true;
  if (format === 'uuid') return nowhere;
  if (format === 'email') return 'x@example.com';
  if (format === 'date-time') return new Date(Date.now() + 3_600_000).toISOString();
  return 'x';
}

/** Ids that no workspace has, and why a stranger may meet what they name. */
const exceptions: Record<string, string> = {
  'GET /api/public/bot/:uuid': 'It was published for everybody.',
  'GET /api/public/bot/:uuid/picture.png': 'It was published for everybody.',
  'POST /api/public/bot/:uuid/report': 'It was published for everybody.',
  'POST /api/user/listing/:uuid/copy': 'Its maker lets everybody copy it.',
  'GET /api/avatar/:uuid': 'Pictures are for anyone, by an id that cannot be guessed.',
  'GET /line/image/:image/:width': 'LINE and its apps fetch what was sent, by an id that cannot be guessed.',
  'GET /api/export/:ticket': 'The code is what lets in, once.',
  'GET /api/shared/:token': 'The link is what lets in.',
};

/**
 * The operator's things are in no workspace, and visitors are no strangers; who is neither is refused before they are looked for, as the
 * table says. What is open is shown to strangers where its owner has opened it, and the examples have a public bot.
 */
const withIds = everyRoute.filter(
  (route) =>
    route.path.includes(':') &&
    route.access !== 'operator' &&
    route.access !== 'visitor' &&
    route.access !== 'open' &&
    exceptions[nameOf(route)] === undefined,
);

test('every route with an id has an example of what it is about', () => {
  const words = withIds.flatMap(({ path }) =>
    path.split('/').flatMap((part, at, parts) => (part.startsWith(':') ? [parts[at - 1] ?? ''] : [])),
  );
  expect(words.filter((word) => !things[word])).toEqual([]);
});

test.each(withIds.map((route) => [nameOf(route), route] as const))(
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
  expect(await stateOf(owner.user.workspaces[0]?.uuid ?? '')).toEqual(before);
});

test('a call that no contract declares cannot be served', async () => {
  expect(() => app.server.app.get('/api/undeclared', async () => 'x')).toThrow();
});
