import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts } from '../../shared/contracts/accounts.ts';
import { inbox } from '../../shared/contracts/inbox.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { operator } from '../../shared/contracts/operator.ts';
import { usualEmbed } from '../../shared/contracts/web-channels.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import { scopes, type GivenRole } from '../../shared/roles.ts';
import { everyRoute, features } from '../features.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { aChannel, aVisitor } from '../testing/channels.ts';
import { sessionIdentity } from './accounts/identity.ts';

let app: TestApp;
let boss: Person;
let owner: Person;
let workspace: string;
let base: string;
let menu: string;
let document: string;
beforeAll(async () => {
  app = await startTestApp();
  [boss, owner] = [await app.aPerson(), await app.aPerson()];
  workspace = (await owner.call(workspaces.create, { body: { name: 'Shop' } })).body.data.uuid;
  base = (await owner.call(knowledge.create, { headers: inWorkspace(), body: { name: 'Base' } })).body.data.uuid;
  menu = await aMenu();
  document = await aDocument();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => app.stop());

const inWorkspace = () => ({ 'x-workspace': workspace });

/** A rich menu of a channel that LINE need not know. */
async function aMenu(): Promise<string> {
  const asked = { route: { access: 'user', scope: null }, workspace, address: '127.0.0.1' } as const;
  const caller = await sessionIdentity.find(app.server.context, owner.jwt, asked);
  const made: Record<string, string> = {};
  for (const { name, examples } of features)
    if (caller && ['line-channels', 'line-menus'].includes(name))
      Object.assign(made, await examples?.(app.server.context, caller, made));
  return made['rich-menu'] ?? '';
}

/** A document that has been read. */
async function aDocument(): Promise<string> {
  const at = { headers: inWorkspace(), params: { knowledge: base } };
  const body = { source: 'text' as const, name: 'a.txt', text: 'A zebra.' };
  const uuid = (await owner.call(documents.add, { ...at, body })).body.data[0]?.uuid ?? '';
  await eventually(
    'it is read',
    async () =>
      (await owner.call(documents.get, { ...at, params: { knowledge: base, document: uuid } })).body.data.status ===
      'indexed',
  );
  return uuid;
}

async function aMember(): Promise<Person> {
  const person = await app.aPerson();
  const role: GivenRole = 'editor';
  const { url } = (await owner.call(workspaces.invite, { headers: inWorkspace(), body: { role } })).body.data;
  const code = new URL(url).searchParams.get('code') ?? '';
  expect((await person.call(workspaces.acceptInvitation, { body: { code } })).status).toBe(200);
  return person;
}

const aKey = async () =>
  (await owner.call(keys.create, { headers: inWorkspace(), body: { name: 'Site', scopes: [...scopes] } })).body.data;

const boundary = 'part-of-a-form';
const opening = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\nContent-Type: text/plain\r\n\r\n`;

/** Sends a form whose file comes a little at a time and has no end. */
async function drip(path: string, headers: Record<string, string>, method = 'POST') {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname).on('error', () => {});
  const all = {
    Host: new URL(app.url).host,
    'Content-Type': `multipart/form-data; boundary=${boundary}`,
    'Transfer-Encoding': 'chunked',
    ...headers,
  };
  const send = (text: string) => void socket.write(`${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`);
  socket.write(
    `${method} ${path} HTTP/1.1\r\n${Object.entries(all)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}\r\n`,
  );
  send(opening);
  const clock = setInterval(() => send(randomBytes(512).toString('hex')), 50);
  const replied = new Promise<string>((resolve) => socket.once('data', (reply) => resolve(String(reply))));
  socket.once('close', () => clearInterval(clock));
  await sleep(300);
  return {
    replied: replied.finally(() => socket.destroy()),
    /** The file is whole after all. */
    finish() {
      clearInterval(clock);
      send(`\r\n--${boundary}--\r\n`);
      socket.write('0\r\n\r\n');
    },
  };
}

const codeOf = (reply: string) => /"code":"([a-z-]+)"/.exec(reply)?.[1] ?? reply;

/** What an upload could leave behind: rows, blobs, half-written files and folders of their own. */
async function findTraces() {
  const { db } = app.server.context;
  const names = (folder: string) => readdir(folder, { recursive: true }).catch(() => []);
  return {
    files: (await db.selectFrom('file').select('uuid').execute()).length,
    documents: (await db.selectFrom('document').select('uuid').execute()).length,
    bots: (await db.selectFrom('bot').select('uuid').execute()).length,
    stored: (await names(join(app.folder, 'files', 'blobs'))).filter((name) => name.split('/').length > 2),
    incoming: await names(join(app.folder, 'files', 'incoming')),
  };
}
const listImports = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('kotae-import-'));

const uploads = everyRoute.filter(({ kind }) => kind === 'multipart');

test('the ways to upload are known', () => expect(uploads.length).toBeGreaterThan(3));

describe.each(uploads.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const path = () =>
    route.path
      .replace(':knowledge', base)
      .replace(':document', document)
      .replace('rich-menu/:uuid', `rich-menu/${menu}`);
  const asMember = (person: Person) => ({ ...inWorkspace(), authorization: `Bearer ${person.jwt}` });

  type Ending = [string, string, () => Promise<{ headers: Record<string, string>; end(): Promise<unknown> }>];
  const ofVisitors: Ending[] = [
    [
      'the visitor was erased',
      'visitor-unknown',
      async () => {
        const { uuid: channel } = await aChannel(boss, null, { shown: { ...usualEmbed.shown, upload: true } });
        const { headers, guest } = await aVisitor(app, channel);
        return { headers, end: () => boss.call(inbox.eraseGuest, { params: { uuid: guest.uuid } }) };
      },
    ],
  ];
  const ofMembers: Ending[] = [
    [
      'the session has ended',
      'not-signed-in',
      async () => {
        const person = await aMember();
        const cookie = person.cookies.map((each) => each.split(';')[0]).join('; ');
        const end = () => person.fetch(accounts.signOut.path, { method: 'POST', headers: { origin: app.url, cookie } });
        return { headers: asMember(person), end };
      },
    ],
    [
      'the person was suspended',
      'not-signed-in',
      async () => {
        const person = await aMember();
        const end = () => boss.call(operator.suspend, { params: { uuid: person.user.uuid } });
        return { headers: asMember(person), end };
      },
    ],
    [
      'the member was removed',
      'workspace-not-found',
      async () => {
        const person = await aMember();
        const params = { uuid: person.user.uuid };
        return {
          headers: asMember(person),
          end: () => owner.call(workspaces.removeMember, { headers: inWorkspace(), params }),
        };
      },
    ],
    ...(route.scope === null
      ? []
      : [
          [
            'the key was revoked',
            'not-signed-in',
            async () => {
              const { uuid, key } = await aKey();
              const end = () => owner.call(keys.remove, { headers: inWorkspace(), params: { uuid } });
              return { headers: { 'x-api-key': key }, end };
            },
          ] satisfies Ending,
        ]),
  ];
  const endings = route.access === 'visitor' ? ofVisitors : ofMembers;

  test('ends within seconds for who has lost access on the way, and leaves nothing', async () => {
    const [before, imports] = [await findTraces(), await listImports()];
    const upload = async ([what, code, begin]: Ending) => {
      const { headers, end } = await begin();
      const dripped = await drip(path(), headers, route.method);
      await end();
      const from = performance.now();
      const reply = await Promise.race([dripped.replied, sleep(10_000, 'it still goes on')]);
      expect([what, codeOf(reply)]).toEqual([what, code]);
      expect(performance.now() - from).toBeLessThan(5_000);
    };
    // More of them at once would be more than one address may have in memory.
    for (let at = 0; at < endings.length; at += 2) await Promise.all(endings.slice(at, at + 2).map(upload));
    expect(await findTraces()).toEqual(before);
    // Others may import at the same time.
    await eventually('no folder of it is left', async () =>
      (await listImports()).every((name) => imports.includes(name)),
    );
  });

  test('keeps nothing that ends right after access was lost', async () => {
    const before = await findTraces();
    const { headers, end } = await endings[0]![2]();
    const upload = await drip(path(), headers, route.method);
    await sleep(1_000);
    await end();
    upload.finish();
    expect(codeOf(await upload.replied)).toBe(endings[0]![1]);
    expect(await findTraces()).toEqual(before);
  });
});

test('an upload outlasts the token that began it, as long as its session lives', async () => {
  const person = await aMember();
  const upload = await drip(documents.add.path.replace(':knowledge', base), {
    ...inWorkspace(),
    authorization: `Bearer ${person.jwt}`,
  });
  // The token is valid for 15 minutes.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
  await sleep(3_000);
  upload.finish();
  expect(await upload.replied).toMatch(/^HTTP\/1.1 202 /);
});
