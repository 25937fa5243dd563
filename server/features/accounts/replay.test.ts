import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accountChanged, accounts, security } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import type { ErrorReply } from '../../../shared/errors.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { everyRoute } from '../../features.ts';

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp();
  boss = await app.aPerson();
});
afterAll(() => app.stop());

const password = 'correct horse battery';

/** Everything that a browser of this person would send by itself. */
const cookieOf = (cookies: string[]) => cookies.map((cookie) => cookie.split(';')[0]).join('; ');
const sessionOf = (jwt: string): string => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).sid;
const rowOf = (jwt: string) =>
  app.server.context.db.selectFrom('session').select('uuid').where('uuid', '=', sessionOf(jwt)).executeTakeFirst();

async function anotherDevice(person: Person) {
  const { body, headers } = await app.anyone.call(accounts.signIn, {
    body: { identifier: person.user.username, password },
  });
  if (!('jwt' in body)) throw new Error('no session');
  return { jwt: body.jwt, cookies: headers.getSetCookie() };
}

const errorOf = async (response: Response): Promise<ErrorReply['error']> => JSON.parse(await response.text()).error;

const withCookies = (cookies: string[], path: string, headers: Record<string, string> = {}, body?: string) =>
  app.anyone.fetch(path, {
    method: 'POST',
    headers: { cookie: cookieOf(cookies), ...headers },
    ...(body !== undefined && { body }),
  });

describe("a call with one person's cookies and another's token", () => {
  let cookie: string;
  let [one, other]: [Person, Person] = [boss, boss];
  beforeAll(async () => {
    [one, other] = [await app.aPerson(), await app.aPerson()];
    cookie = cookieOf(one.cookies);
  });

  test('is the call of the token, whatever it reads or changes', async () => {
    const headers = { cookie };
    expect((await other.call(accounts.me, { headers })).body.uuid).toBe(other.user.uuid);
    const { sessions } = (await other.call(security.get, { headers })).body.data;
    expect(sessions.map(({ uuid, current }) => [uuid, current])).toEqual([[sessionOf(other.jwt), true]]);
    expect(
      (await other.call(accounts.update, { headers, body: { timezone: 'Pacific/Tongatapu' } })).body.data.uuid,
    ).toBe(other.user.uuid);
    const bot = (await other.call(bots.create, { headers, body: { name: 'Of the token' } })).body.data.uuid;
    expect((await one.call(accounts.me)).body.timezone).toBe(one.user.timezone);
    expect((await one.call(bots.get, { params: { uuid: bot } })).status).toBe(404);
    expect((await other.call(bots.get, { params: { uuid: bot } })).status).toBe(200);
  });

  test("is nobody's when the token is none, however good the cookies are", async () => {
    for (const token of ['nonsense', `${other.jwt}x`, ''])
      expect(
        (await app.anyone.call(accounts.me, { headers: { cookie, authorization: `Bearer ${token}` } })).status,
      ).toBe(401);
  });

  test('is refused where the workspace is that of the cookies', async () => {
    expect(
      (await other.call(bots.list, { headers: { cookie, 'x-workspace': one.user.workspaces[0]?.uuid ?? '' } })).status,
    ).toBe(404);
  });

  test('opens a live connection of the token alone', async () => {
    const socket = io(app.url, {
      path: '/socket.io',
      transports: ['websocket'],
      auth: { token: other.jwt },
      reconnection: false,
      forceNew: true,
      extraHeaders: { cookie },
    });
    try {
      let heard = 0;
      socket.on('account', () => heard++);
      await new Promise<void>((done, fail) => socket.on('connect', done).on('connect_error', fail));
      app.server.context.sockets.toUser(one.user.uuid, accountChanged, {});
      await eventually('it hears what is for the token', async () => {
        app.server.context.sockets.toUser(other.user.uuid, accountChanged, {});
        return heard > 0;
      });
      app.server.context.sockets.endUser(one.user.uuid);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(socket.connected).toBe(true);
    } finally {
      socket.close();
    }
  });

  test('cookies alone open no live connection', async () => {
    const socket = io(app.url, {
      path: '/socket.io',
      transports: ['websocket'],
      reconnection: false,
      forceNew: true,
      extraHeaders: { cookie },
    });
    const refusal = await new Promise<string>((done) =>
      socket.on('connect', () => done('connected')).on('connect_error', (error) => done(error.message)),
    );
    socket.close();
    expect(refusal).toBe('not-signed-in');
  });
});

describe('cookies and token of a session that is over', () => {
  const endings: [string, (person: Person, device: { jwt: string; cookies: string[] }) => Promise<unknown>][] = [
    ['signing out', (_, device) => withCookies(device.cookies, accounts.signOut.path, { origin: app.url })],
    [
      'signing out that device from another',
      (person, device) => person.call(security.endSession, { params: { uuid: sessionOf(device.jwt) } }),
    ],
    ['signing out everywhere else', (person) => person.call(security.endOtherSessions)],
    [
      'a new password',
      (person) =>
        person.call(accounts.update, { body: { password: 'an even better password', currentPassword: password } }),
    ],
    [
      'a reset password',
      async (person) => {
        const { url } = (await boss.call(operator.resetPassword, { params: { uuid: person.user.uuid } })).body.data;
        const reset = await app.anyone.call(accounts.resetPassword, {
          body: {
            code: new URL(url).searchParams.get('code') ?? '',
            password: 'a reset password',
            passwordConfirmation: 'a reset password',
          },
        });
        expect(reset.status).toBe(200);
      },
    ],
    ['a suspension', (person) => boss.call(operator.suspend, { params: { uuid: person.user.uuid } })],
    ['deleting the account', (person) => person.call(accounts.remove, { body: { password } })],
  ];

  test.each(endings)('are worth nothing after %s', async (_, end) => {
    const person = await app.aPerson();
    const device = await anotherDevice(person);
    expect((await withCookies(device.cookies, accounts.renew.path, { origin: app.url })).status).toBe(200);
    await end(person, device);
    const calls = [
      app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${device.jwt}` } }),
      app.anyone.call(accounts.update, {
        headers: { authorization: `Bearer ${device.jwt}` },
        body: { timezone: 'Pacific/Tongatapu' },
      }),
    ];
    expect((await Promise.all(calls)).map(({ status, error }) => [status, error.code])).toEqual([
      [401, 'not-signed-in'],
      [401, 'not-signed-in'],
    ]);
    const renewed = await withCookies(device.cookies, accounts.renew.path, { origin: app.url });
    expect([renewed.status, renewed.headers.getSetCookie()]).toEqual([401, []]);
    expect(await rowOf(device.jwt)).toBeUndefined();
    const row = await app.server.context.db
      .selectFrom('user')
      .select('timezone')
      .where('uuid', '=', person.user.uuid)
      .executeTakeFirst();
    expect(row?.timezone).not.toBe('Pacific/Tongatapu');
  });

  test('sign nobody out a second time', async () => {
    const person = await app.aPerson();
    const device = await anotherDevice(person);
    const signedOut = () =>
      app.server.context.db
        .selectFrom('audit')
        .select('uuid')
        .where('action', '=', 'user.signed-out')
        .where('user', '=', person.user.uuid)
        .execute();
    for (let time = 0; time < 2; time++)
      expect((await withCookies(device.cookies, accounts.signOut.path, { origin: app.url })).status).toBe(200);
    expect(await signedOut()).toHaveLength(1);
    expect((await person.call(accounts.me)).status).toBe(200);
  });
});

describe('a page of another site', () => {
  const foreign = () => [
    'null',
    'https://evil.example',
    `${app.url}.evil.example`,
    app.url.replace(/\d+$/, '1'),
    'file://',
    '*',
    ' ',
    undefined,
  ];

  test('neither signs anybody out nor gets a token', async () => {
    const { cookies, jwt } = await app.aPerson();
    const before = await app.server.context.db
      .selectFrom('session')
      .selectAll()
      .where('uuid', '=', sessionOf(jwt))
      .executeTakeFirst();
    for (const path of [accounts.signOut.path, accounts.renew.path]) {
      for (const origin of foreign()) {
        const response = await withCookies(cookies, path, origin === undefined ? {} : { origin });
        expect([origin, response.status, (await errorOf(response)).code, response.headers.getSetCookie()]).toEqual([
          origin,
          403,
          'origin-not-allowed',
          [],
        ]);
      }
    }
    expect(
      await app.server.context.db
        .selectFrom('session')
        .selectAll()
        .where('uuid', '=', sessionOf(jwt))
        .executeTakeFirst(),
    ).toEqual(before);
  });

  test('can do nothing with the cookies, whatever it calls', async () => {
    const { cookies } = await app.aPerson();
    const nowhere = '00000000-0000-7000-8000-000000000000';
    for (const route of everyRoute.filter(({ access }) => access !== 'anyone')) {
      const response = await app.anyone.fetch(route.path.replace(/:\w+/g, nowhere), {
        method: route.method,
        headers: {
          cookie: cookieOf(cookies),
          origin: app.url,
          ...(route.method !== 'GET' && { 'content-type': 'application/json' }),
        },
        ...(route.method !== 'GET' && { body: '{}' }),
      });
      await response.body?.cancel();
      expect([route.method, route.path, response.status]).toEqual([route.method, route.path, 401]);
    }
  });

  test.each([
    'text/plain',
    'text/plain;application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
  ])('cannot send a form of %s in place of JSON', async (type) => {
    const { cookies, jwt, user } = await app.aPerson();
    const { db } = app.server.context;
    const state = async () => [
      await rowOf(jwt),
      await db.selectFrom('user').selectAll().where('uuid', '=', user.uuid).executeTakeFirst(),
      (await db.selectFrom('session').select('uuid').where('user', '=', user.uuid).execute()).length,
    ];
    const before = await state();
    const bodies: [string, string, string][] = [
      ['POST', accounts.signOut.path, '{}'],
      ['POST', accounts.signIn.path, JSON.stringify({ identifier: user.username, password })],
      ['PUT', accounts.update.path, '{"timezone":"Pacific/Tongatapu"}'],
      ['DELETE', accounts.remove.path, JSON.stringify({ password })],
    ];
    for (const [method, path, body] of bodies) {
      const response = await app.anyone.fetch(path, {
        method,
        headers: { cookie: cookieOf(cookies), origin: app.url, authorization: `Bearer ${jwt}`, 'content-type': type },
        body,
      });
      expect([path, response.status, (await errorOf(response)).code]).toEqual([path, 415, 'unsupported-media-type']);
    }
    expect(await state()).toEqual(before);
  });
});
