import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBuffer } from 'yauzl';
import { sql } from 'kysely';
import { accounts, security } from '../../shared/contracts/accounts.ts';
import { bots } from '../../shared/contracts/bots.ts';
import { conversations } from '../../shared/contracts/conversations.ts';
import { documents, knowledge } from '../../shared/contracts/knowledge.ts';
import { keys } from '../../shared/contracts/keys.ts';
import { operator } from '../../shared/contracts/operator.ts';
import { services } from '../../shared/contracts/services.ts';
import { workspaces } from '../../shared/contracts/workspaces.ts';
import type { Route } from '../../shared/route.ts';
import { eventually, startTestApp, type TestApp } from '../testing/app.ts';
import { startModelServer } from '../testing/openai.ts';
import { everyRoute } from '../features.ts';

/** Each secret by what it is, and what was said where it could have come out. */
const canaries = new Map<string, string>();
const said: { where: string; what: string | Buffer }[] = [];

const secretOf = (what: string) => {
  const value = `canary-${what.replaceAll(' ', '-')}-${randomBytes(12).toString('hex')}`;
  canaries.set(what, value);
  return value;
};
const settings = {
  google: secretOf('Google client secret'),
  smtp: secretOf('SMTP password'),
  model: secretOf('key of the model server'),
  master: randomBytes(32).toString('base64'),
};
canaries.set('master key', settings.master);
const password = secretOf('password');

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let mailServer: SMTPServer;
const mails: { to: string; text: string }[] = [];

interface Somebody {
  jwt: string;
  cookies: string;
  uuid: string;
}
let boss: Somebody;
let owner: Somebody;

const json = { 'content-type': 'application/json' };
const bearer = ({ jwt }: Somebody) => ({ authorization: `Bearer ${jwt}` });

/** Asks, and remembers everything that came back. */
async function say(where: string, path: string, init: RequestInit = {}): Promise<Response> {
  const response = await app.anyone.fetch(path, { redirect: 'manual', ...init });
  const bytes = Buffer.from(await response.clone().arrayBuffer());
  said.push({ where, what: `${response.status} ${[...response.headers].flat().join(' ')}` }, { where, what: bytes });
  return response;
}

async function mailTo(address: string): Promise<string> {
  const { text } = await eventually(`a mail with a code to ${address}`, async () =>
    mails.findLast(({ to, text }) => to === address && text.includes('code=')),
  );
  return new URL(/https?:\S+/.exec(text)?.[0] ?? '').searchParams.get('code') ?? '';
}

async function arrive(name: string): Promise<Somebody> {
  expect(
    (await app.anyone.call(accounts.register, { body: { username: name, email: `${name}@example.com`, password } }))
      .status,
  ).toBe(202);
  const code = await mailTo(`${name}@example.com`);
  canaries.set(`code of the first mail of ${name}`, code);
  const { body, headers } = await app.anyone.call(accounts.verifyEmail, { body: { code } });
  if (!('jwt' in body)) throw new Error('not let in');
  const cookies = headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  for (const cookie of cookies)
    canaries.set(`cookie ${cookie.split('=')[0]} of ${name}`, cookie.slice(cookie.indexOf('=') + 1));
  return { jwt: body.jwt, cookies: cookies.join('; '), uuid: body.user.uuid };
}

beforeAll(async () => {
  upstream = await startModelServer();
  // As some servers do, it repeats the key that it does not like.
  upstream.behave(
    (request, response) =>
      void response
        .writeHead(401, json)
        .end(JSON.stringify({ error: { message: `Incorrect API key provided: ${request.authorization}` } })),
  );
  mailServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: (auth, _session, done) =>
      auth.password === settings.smtp ? done(null, { user: auth.username ?? '' }) : done(new Error('wrong password')),
    onData(stream, session, done) {
      void PostalMime.parse(new Response(stream as unknown as ReadableStream).body ?? '').then(({ text = '' }) => {
        // a Node stream is one that Response takes
        mails.push({ to: session.envelope.rcptTo[0]?.address ?? '', text });
        done();
      });
    },
  });
  mailServer.on('error', () => {});
  const port = await new Promise<number>((resolve) => {
    const listening = mailServer.listen(0, '127.0.0.1', () => resolve((listening.address() as AddressInfo).port)); // a TCP server's address is one
  });
  app = await startTestApp({
    LOG_LEVEL: 'trace',
    MASTER_KEY: settings.master,
    SMTP_URL: `smtp://kotae:${settings.smtp}@127.0.0.1:${port}`,
    GOOGLE_CLIENT_ID: 'kotae-test',
    GOOGLE_CLIENT_SECRET: settings.google,
    GOOGLE_ISSUER: 'http://127.0.0.1:9',
    OPENAI_COMPATIBLE_BASE_URL: upstream.url,
    OPENAI_COMPATIBLE_API_KEY: settings.model,
    OPENAI_COMPATIBLE_MODELS: 'double-1',
  });
  boss = await arrive('boss');
  owner = await arrive('owner');
}, 60_000);
afterAll(async () => {
  await app.stop();
  await upstream.stop();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

/** A call whose answer shows a secret this once; it is not looked through. */
const told = <T extends Route>(person: Somebody, route: T, sent: Parameters<typeof app.anyone.call<T>>[1] = {}) =>
  app.anyone.call(route, { ...sent, headers: bearer(person) });

let ids: Record<string, string>;
/** A person uses everything that has a secret. */
beforeAll(async () => {
  canaries.set('access token of the owner', owner.jwt);
  const { secret } = (await told(owner, security.startTwoFactor)).body.data;
  canaries.set('secret of the app', secret);
  canaries.set('secret of the app, in bytes', Secret.fromBase32(secret).hex.toLowerCase());
  const codes = (
    await told(owner, security.enableTwoFactor, {
      body: { code: new TOTP({ secret: Secret.fromBase32(secret) }).generate() },
    })
  ).body.data.backupCodes;
  codes.forEach((code, at) => canaries.set(`backup code ${at + 1}`, code));
  const { uuid: apiKey, key } = (await told(owner, keys.create, { body: { name: 'Key', scopes: ['chat', 'read'] } }))
    .body.data;
  canaries.set('API key', key);
  const invitation = (await told(owner, workspaces.invite, { body: { role: 'viewer' } })).body.data;
  canaries.set('code of the invitation', new URL(invitation.url).searchParams.get('code') ?? '');
  await told(owner, workspaces.invite, { body: { role: 'viewer', email: 'guest@example.com' } });
  canaries.set('code of the mailed invitation', await mailTo('guest@example.com'));
  await told(owner, accounts.forgotPassword, { body: { email: 'owner@example.com' } });
  canaries.set(
    'code of the reset',
    await mailTo('owner@example.com').then((code) =>
      code === canaries.get('code of the first mail of owner')
        ? eventually(
            'the second mail',
            async () =>
              mails.filter(({ to, text }) => to === 'owner@example.com' && text.includes('code=')).length > 1 &&
              mailTo('owner@example.com'),
          )
        : code,
    ),
  );
  const reset = (await told(boss, operator.resetPassword, { params: { uuid: boss.uuid } })).body.data;
  if (reset) canaries.set("code of the operator's reset", new URL(reset.url).searchParams.get('code') ?? '');
  const base = (await told(owner, knowledge.create, { body: { name: 'Base' } })).body.data.uuid;
  const [document] = (
    await told(owner, documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'Text', text: 'The shop opens at nine.' },
    })
  ).body.data;
  const service = (await told(owner, services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  const bot = (await told(owner, bots.create, { body: { name: 'Bot', service } })).body.data.uuid;
  const asked = await say('an answer of a model that repeats its key', conversations.send.path, {
    method: 'POST',
    headers: { ...json, ...bearer(owner), 'accept-language': 'en' },
    body: JSON.stringify({ bot, message: { text: 'Hello' } }),
  });
  expect(asked.status).toBeGreaterThanOrEqual(400);
  const thread = (await told(owner, conversations.threads, { query: { bot } })).body.data[0]?.uuid ?? '';
  ids = {
    knowledge: base,
    document: document?.uuid ?? '',
    bot,
    chat: thread,
    user: owner.uuid,
    member: owner.uuid,
    'api-key': apiKey,
  };
  expect([...canaries].filter(([, value]) => value.length < 8)).toEqual([]);
  expect(canaries.size).toBeGreaterThan(20);
}, 30_000);

// What was said is looked through at last.
describe('no secret is', { shuffle: false }, () => {
  const found = (what: string | Buffer, except: (name: string) => boolean = () => false) =>
    [...canaries]
      .filter(
        ([name, value]) =>
          !except(name) &&
          [value, encodeURIComponent(value), Buffer.from(value).toString('base64')].some((form) => what.includes(form)),
      )
      .map(([name]) => name);
  const mustHold = () =>
    expect(
      said.map(({ where, what }) => [where, found(what)] as const).filter(([, names]) => names.length > 0),
    ).toEqual([]);

  test('in any answer that can be read, as the owner, as the operator, or as a key', async () => {
    const callers: [string, Record<string, string>][] = [
      ['owner', bearer(owner)],
      ['operator', bearer(boss)],
      ['key', { 'x-api-key': canaries.get('API key') ?? '' }],
    ];
    const gets = everyRoute.filter(({ method, path }) => method === 'GET' && path !== accounts.google.path);
    for (const [name, headers] of callers) {
      for (const route of gets) {
        const parts = route.path.split('/');
        const path = parts
          .map((part, at) =>
            part.startsWith(':') ? (ids[parts[at - 1] ?? ''] ?? '00000000-0000-7000-8000-000000000000') : part,
          )
          .join('/');
        const query =
          'bot' in route.query.shape ? `?bot=${ids['bot']}` : 'populate' in route.query.shape ? '?populate=avatar' : '';
        await say(`${path} as ${name}`, `${path}${query}`, { headers: { ...headers, accept: 'application/json' } });
      }
    }
    expect(said.length).toBeGreaterThan(gets.length);
    mustHold();
  });

  test('in an error', async () => {
    const post = (path: string, body: string, headers: Record<string, string> = json) =>
      say(`error of ${path}`, path, { method: 'POST', headers, body });
    await post(accounts.signIn.path, JSON.stringify({ identifier: 'owner', password, x: 1 }));
    await post(accounts.signIn.path, `{"identifier":"owner","password":"${password}"`);
    await post(accounts.signIn.path, JSON.stringify({ identifier: 'nobody', password }));
    await post(accounts.signIn.path, JSON.stringify({ identifier: password.repeat(9), password: '' }));
    await post(accounts.register.path, JSON.stringify({ username: 'owner', email: 'x@example.com', password }));
    await post(
      accounts.register.path,
      JSON.stringify({ username: 'owner', email: 'owner@example.com', password: password.slice(0, 5) }),
    );
    await post(
      accounts.resetPassword.path,
      JSON.stringify({ code: canaries.get('code of the reset'), password, passwordConfirmation: 'another' }),
    );
    await post(accounts.secondFactor.path, JSON.stringify({ ticket: 'x', code: canaries.get('backup code 1') }));
    await post(
      workspaces.acceptInvitation.path,
      JSON.stringify({ code: canaries.get('code of the mailed invitation') }),
      { ...json, ...bearer(boss) },
    );
    await post(accounts.renew.path, '', { cookie: owner.cookies, origin: 'https://evil.example' });
    await post(bots.create.path, '{"name":5}', { ...json, authorization: `Bearer ${owner.jwt}x` });
    await post(bots.create.path, '{"name":5}', { ...json, 'x-api-key': canaries.get('API key') ?? '' });
    await say('error of Google', accounts.google.path);
    mustHold();
  });

  test('in what live connections tell', async () => {
    const sockets = [owner, boss].map(({ jwt, cookies }) =>
      io(app.url, {
        path: '/socket.io',
        transports: ['websocket'],
        auth: { token: jwt },
        extraHeaders: { cookie: cookies },
        reconnection: false,
        forceNew: true,
      }),
    );
    let heard = 0;
    for (const socket of sockets)
      socket.onAny((...event) => (heard++, said.push({ where: 'socket', what: JSON.stringify(event) })));
    await Promise.all(
      sockets.map((socket) => new Promise<void>((done, fail) => socket.on('connect', done).on('connect_error', fail))),
    );
    await told(owner, documents.add, {
      params: { knowledge: ids['knowledge'] ?? '' },
      body: { source: 'text', name: 'Another', text: 'The shop closes at six.' },
    });
    await told(owner, workspaces.update, { body: { name: 'Renamed' } });
    await eventually('something is told', async () => heard > 1);
    sockets.forEach((socket) => socket.close());
    mustHold();
  });

  test("in the export of one's own data", async () => {
    const { url } = (await told(owner, accounts.export)).body.data;
    const files = await unpack(Buffer.from(await (await app.anyone.fetch(url)).arrayBuffer()));
    expect([...files.keys()]).toEqual(
      expect.arrayContaining(['account.json', 'sessions.json', 'api-keys.json', 'activity.json']),
    );
    for (const [name, bytes] of files) said.push({ where: `export ${name}`, what: bytes });
    mustHold();
  });

  test('in what a mail server that is gone leaves behind', async () => {
    await new Promise<void>((resolve) => mailServer.close(() => resolve()));
    await say('a mail that fails', operator.testMail.path, { method: 'POST', headers: bearer(boss) });
    await eventually('it has failed once', async () => {
      await say('the mails', operator.mails.path, { headers: bearer(boss) });
      return (await told(boss, operator.mails)).body.data.some(({ error }) => error !== null);
    });
    await say('how the installation is', operator.health.path, { headers: bearer(boss) });
    mustHold();
  });

  test('in the logs, however much is logged', async () => {
    expect(app.logs.length).toBeGreaterThan(100);
    said.push({ where: 'logs', what: app.logs.join('') });
    mustHold();
  });

  test('in the database or the data folder, but sealed or as a hash', async () => {
    const { db, engine } = app.server.context;
    if (engine === 'sqlite') await sql`pragma wal_checkpoint(full)`.execute(db);
    else {
      const { rows } = await sql<{
        name: string;
      }>`select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
      for (const { name } of rows)
        said.push({
          where: `table ${name}`,
          what: JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows),
        });
    }
    const files = (await readdir(app.folder, { recursive: true, withFileTypes: true })).filter((entry) =>
      entry.isFile(),
    );
    for (const entry of files)
      said.push({ where: entry.name, what: await readFile(join(entry.parentPath, entry.name)) });
    expect(
      said.some(({ where, what }) => /kotae\.db$|table user/.test(where) && what.includes('owner@example.com')),
    ).toBe(true);
    mustHold();
    // What may lie there is what one cannot go back from.
    const hash = createHash('sha256')
      .update(canaries.get('API key') ?? '')
      .digest('hex');
    expect(said.some(({ what }) => what.includes(hash))).toBe(true);
  });

  test('missed by this search', () => {
    for (const [name, value] of canaries) expect(found(`before ${value} after`)).toContain(name);
  });
});

async function unpack(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  await new Promise<void>((done, fail) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error) return fail(error);
      zip.on('end', done).on('error', fail);
      zip.on('entry', (entry) => {
        zip.openReadStream(entry, (failed, stream) => {
          if (failed) return fail(failed);
          const parts: Buffer[] = [];
          stream
            .on('data', (part: Buffer) => parts.push(part))
            .on('end', () => {
              files.set(entry.fileName, Buffer.concat(parts));
              zip.readEntry();
            });
        });
      });
      zip.readEntry();
    });
  });
  return files;
}
