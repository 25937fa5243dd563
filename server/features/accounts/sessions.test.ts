import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp();
  boss = await app.aPerson();
});
afterAll(() => app.stop());

const password = 'correct horse battery';

async function aSession(person: Person): Promise<{ jwt: string; uuid: string }> {
  const { body } = await app.anyone.call(accounts.signIn, {
    body: { identifier: person.user.username, password },
    headers: { 'user-agent': 'Second device' },
  });
  if (!('jwt' in body)) throw new Error('no session');
  const { sid } = JSON.parse(Buffer.from(body.jwt.split('.')[1] ?? '', 'base64url').toString());
  return { jwt: body.jwt, uuid: sid };
}

const statusOf = async (jwt: string) =>
  (await app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${jwt}` } })).status;

async function connected(jwt: string): Promise<{ socket: Socket; ended: Promise<number> }> {
  const socket = io(app.url, {
    path: '/socket.io',
    transports: ['websocket'],
    auth: { token: jwt },
    reconnection: false,
    forceNew: true,
  });
  await new Promise<void>((done, fail) => socket.on('connect', done).on('connect_error', fail));
  const ended = new Promise<number>((done) => socket.on('disconnect', () => done(performance.now())));
  return { socket, ended };
}

/** Ends what `end` ends, and says how long the token and the live connection went on after it. */
async function endsWithin(jwt: string, end: () => Promise<unknown>): Promise<number> {
  const { ended } = await connected(jwt);
  const from = performance.now();
  await end();
  const [at] = await Promise.all([ended, expect.poll(() => statusOf(jwt)).toBe(401)]);
  return at - from;
}

describe('devices', () => {
  test('are listed with the one at hand marked, and none of anybody else', async () => {
    const person = await app.aPerson();
    await aSession(person);
    const { sessions } = (await person.call(security.get)).body.data;
    expect(sessions.map((session) => [session.current, session.userAgent === 'Second device']).toSorted()).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  test('are signed out one by one: token and live connection at once', async () => {
    const person = await app.aPerson();
    const { jwt, uuid } = await aSession(person);
    expect(await endsWithin(jwt, () => person.call(security.endSession, { params: { uuid } }))).toBeLessThan(2000);
    expect((await person.call(accounts.me)).status).toBe(200);
  });

  test('of somebody else are not there', async () => {
    const { uuid, jwt } = await aSession(await app.aPerson());
    const reply = await (await app.aPerson()).call(security.endSession, { params: { uuid } });
    expect([reply.status, reply.error.code]).toEqual([404, 'session-not-found']);
    expect(await statusOf(jwt)).toBe(200);
  });

  test('are all signed out but this one', async () => {
    const person = await app.aPerson();
    const others = [await aSession(person), await aSession(person)];
    await person.call(security.endOtherSessions);
    expect(await Promise.all(others.map(({ jwt }) => statusOf(jwt)))).toEqual([401, 401]);
    expect((await person.call(accounts.me)).status).toBe(200);
  });

  test('are signed out by a new password, but the one it was set on', async () => {
    const person = await app.aPerson();
    const { jwt } = await aSession(person);
    const changed = await person.call(accounts.update, {
      body: { password: 'an even better password', currentPassword: password },
    });
    expect(changed.status).toBe(200);
    expect(await statusOf(jwt)).toBe(401);
    expect((await person.call(accounts.me)).status).toBe(200);
  });
});

test('a suspension ends everything within two seconds, and lifting it lets the person sign in again', async () => {
  const person = await app.aPerson();
  const { jwt } = await aSession(person);
  expect(await endsWithin(jwt, () => boss.call(operator.suspend, { params: { uuid: person.user.uuid } }))).toBeLessThan(
    2000,
  );
  const refused = await app.anyone.call(accounts.signIn, { body: { identifier: person.user.username, password } });
  expect([refused.status, refused.error.code]).toEqual([403, 'account-suspended']);
  const wrong = await app.anyone.call(accounts.signIn, {
    body: { identifier: person.user.username, password: 'something else' },
  });
  expect(wrong.status).toBe(401);
  await boss.call(operator.restore, { params: { uuid: person.user.uuid } });
  expect(
    (await app.anyone.call(accounts.signIn, { body: { identifier: person.user.username, password } })).status,
  ).toBe(200);
});

test('a token is worth nothing once its session has run out', async () => {
  const person = await app.aPerson();
  const { jwt, uuid } = await aSession(person);
  await app.server.context.db
    .updateTable('session')
    .set({ expires_at: Date.now() - 1 })
    .where('uuid', '=', uuid)
    .execute();
  expect(await statusOf(jwt)).toBe(401);
});

describe('a password', () => {
  test.each(['password', '12345678', 'QWERTYUIOP', 'iloveyou', 'sunshine1', 'football'])(
    'that everybody tries first (%s) is refused',
    async (common) => {
      const name = `c${Math.random().toString(36).slice(2)}`;
      const reply = await app.anyone.call(accounts.register, {
        body: { username: name, email: `${name}@example.com`, password: common },
      });
      expect([reply.status, reply.error.details]).toMatchObject([
        400,
        { fields: [{ path: 'password', code: 'password-common' }] },
      ]);
      expect(
        await app.server.context.db.selectFrom('user').select('uuid').where('username', '=', name).execute(),
      ).toEqual([]);
    },
  );

  test('that is the name or the address is refused', async () => {
    for (const own of ['kotaefan2000', 'kotaefan2000@example.com']) {
      const reply = await app.anyone.call(accounts.register, {
        body: { username: 'kotaefan2000', email: 'kotaefan2000@example.com', password: own },
      });
      expect(reply.status).toBe(400);
    }
  });

  test('of 64 emoji is as good as any', async () => {
    const name = `e${Math.random().toString(36).slice(2)}`;
    const emoji = '🐙'.repeat(64);
    expect(
      (
        await app.anyone.call(accounts.register, {
          body: { username: name, email: `${name}@example.com`, password: emoji },
        })
      ).status,
    ).toBe(200);
    expect((await app.anyone.call(accounts.signIn, { body: { identifier: name, password: emoji } })).status).toBe(200);
  });
});

describe('the secret of a session', () => {
  const cookieIn = (cookies: string[]) => cookies.find((cookie) => cookie.startsWith('session='))?.split(';')[0] ?? '';
  const renew = async (cookie: string) => {
    const reply = await app.anyone.call(accounts.renew, { headers: { cookie, origin: app.url } });
    return { status: reply.status, jwt: reply.body.jwt, cookie: cookieIn(reply.headers.getSetCookie()) };
  };
  const wait = (person: Person, ms: number) =>
    app.server.context.db
      .updateTable('session')
      .set((to) => ({ rotated_at: to('rotated_at', '-', ms) }))
      .where('user', '=', person.user.uuid)
      .execute();
  const sessionsOf = async (person: Person) =>
    (await app.server.context.db.selectFrom('session').select('uuid').where('user', '=', person.user.uuid).execute())
      .length;

  test('is another one after each renewal', async () => {
    const person = await app.aPerson();
    const secrets = [cookieIn(person.cookies)];
    for (let at = 0; at < 3; at++) {
      const { status, cookie } = await renew(secrets.at(-1) ?? '');
      expect(status).toBe(200);
      secrets.push(cookie);
      await wait(person, 61_000);
    }
    expect(new Set(secrets).size).toBe(4);
    expect(await sessionsOf(person)).toBe(1);
  });

  test('is the same for tabs that renew at the same moment, and for one whose answer was lost', async () => {
    const person = await app.aPerson();
    const old = cookieIn(person.cookies);
    const tabs = await Promise.all(Array.from({ length: 6 }, () => renew(old)));
    expect(tabs.map(({ status }) => status)).toEqual(Array<number>(6).fill(200));
    expect(new Set(tabs.map(({ cookie }) => cookie)).size).toBe(1);
    await wait(person, 50_000);
    expect((await renew(old)).cookie).toBe(tabs[0]?.cookie);
    expect((await renew(tabs[0]?.cookie ?? '')).status).toBe(200);
  });

  test.each([1, 2, 5])('that was replaced %i times and comes again ends the session', async (times) => {
    const person = await app.aPerson();
    const old = cookieIn(person.cookies);
    let latest = old;
    for (let at = 0; at < times; at++) {
      latest = (await renew(latest)).cookie;
      await wait(person, 61_000);
    }
    expect((await renew(old)).status).toBe(401);
    expect(await sessionsOf(person)).toBe(0);
    expect((await renew(latest)).status).toBe(401);
    expect((await person.call(accounts.me)).status).toBe(401);
    const entry = await app.server.context.db
      .selectFrom('audit')
      .select('action')
      .where('user', '=', person.user.uuid)
      .where('action', '=', 'user.session-replayed')
      .execute();
    expect(entry).toHaveLength(1);
  });

  test('does nothing when it names no session, or another form', async () => {
    const person = await app.aPerson();
    const cookie = cookieIn(person.cookies);
    for (const wrong of ['session=', 'session=x', 'session=x.y', `session=${person.user.uuid}.x`])
      expect((await renew(wrong)).status).toBe(401);
    expect(await sessionsOf(person)).toBe(1);
    expect((await renew(cookie)).status).toBe(200);
  });

  test('that it had before still signs out', async () => {
    const person = await app.aPerson();
    const old = cookieIn(person.cookies);
    await renew(old);
    expect((await app.anyone.call(accounts.signOut, { headers: { cookie: old, origin: app.url } })).status).toBe(200);
    expect(await sessionsOf(person)).toBe(0);
  });
});

describe('guessing', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await startTestApp({ RATE_LIMITS: 'true', TRUST_PROXY: '127.0.0.1' });
  });
  afterAll(() => strict.stop());

  const guess = (
    identifier: string,
    {
      from,
      with: given = 'something else',
      headers = {},
    }: { from: string; with?: string; headers?: Record<string, string> },
  ) =>
    strict.anyone.call(accounts.signIn, {
      body: { identifier, password: given },
      headers: { 'x-forwarded-for': from, ...headers },
    });

  test('from one address ends after twenty tries, whatever the name and the headers', async () => {
    const statuses = [];
    for (let at = 0; at < 21; at++)
      statuses.push(
        (
          await guess(`nobody${at}`, {
            from: '203.0.113.5',
            headers: { 'x-real-ip': `10.0.0.${at}`, forwarded: `for=10.0.0.${at}` },
          })
        ).status,
      );
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429]);
    const refused = await guess('nobody', { from: '203.0.113.5' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await guess('nobody', { from: '203.0.113.6' })).status).toBe(401);
  });

  test('one household of IPv6 is one address', async () => {
    for (let at = 0; at < 20; at++) await guess(`someone${at}`, { from: `2001:db8:1:2::${at}` });
    expect((await guess('nobody', { from: '2001:db8:1:2:ffff::1' })).status).toBe(429);
    expect((await guess('nobody', { from: '2001:db8:1:3::1' })).status).toBe(401);
  });

  test.each([
    ['IPv4', ['192.0.2.77', '::ffff:192.0.2.77', '::FFFF:c000:24d', '192.0.2.77:4711', '[::ffff:192.0.2.77]:80']],
    [
      'IPv6',
      [
        '2001:db8:9:8::1',
        '2001:0DB8:0009:0008:0:0:0:1',
        '[2001:db8:9:8::1]',
        '[2001:db8:9:8::1]:443',
        '2001:db8:9:8::1%eth0',
      ],
    ],
  ])('an address of %s is one address, however it is spelled', async (_, spellings) => {
    for (let at = 0; at < 20; at++) await guess(`somebody${at}`, { from: spellings[at % spellings.length] ?? '' });
    for (const from of spellings) expect([from, (await guess('nobody', { from })).status]).toEqual([from, 429]);
  });

  test('an address is stored in one spelling, whatever the proxies wrote', async () => {
    const person = await strict.aPerson();
    for (const from of ['::FFFF:C633:6401', '198.51.100.1:99', '198.51.100.1, [::ffff:127.0.0.1]:8080'])
      expect((await guess(person.user.username, { from, with: password })).status).toBe(200);
    const { data } = (await person.call(security.get)).body;
    expect(data.sessions.filter(({ current }) => !current).map(({ address }) => address)).toEqual(
      Array<string>(3).fill('198.51.100.1'),
    );
  });

  test('at one account from many addresses ends too, while its owner still comes in from a known device', async () => {
    const person = await strict.aPerson();
    const device = person.cookies.find((cookie) => cookie.startsWith('device='))?.split(';')[0] ?? '';
    for (let at = 0; at < 20; at++)
      expect((await guess(person.user.username, { from: `198.51.100.${at}` })).status).toBe(401);
    const stranger = await guess(person.user.username, { from: '198.51.100.99', with: password });
    expect(stranger.status).toBe(429);
    expect(
      (await guess(person.user.username, { from: '198.51.100.98', with: password, headers: { cookie: device } }))
        .status,
    ).toBe(200);
    expect(
      (
        await guess(person.user.username, {
          from: '198.51.100.97',
          with: password,
          headers: { cookie: 'device=v1.00000000.AAAA' },
        })
      ).status,
    ).toBe(429);
  });

  test('an address that is only claimed counts for nothing unless the proxy is named', async () => {
    const plain = await startTestApp({ RATE_LIMITS: 'true' });
    try {
      for (let at = 0; at < 20; at++)
        await plain.anyone.call(accounts.signIn, {
          body: { identifier: 'nobody', password: 'x' },
          headers: { 'x-forwarded-for': `203.0.113.${at}` },
        });
      expect(
        (
          await plain.anyone.call(accounts.signIn, {
            body: { identifier: 'nobody', password: 'x' },
            headers: { 'x-forwarded-for': '203.0.113.200' },
          })
        ).status,
      ).toBe(429);
    } finally {
      await plain.stop();
    }
  });
});
