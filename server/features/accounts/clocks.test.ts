import { Secret, TOTP } from 'otpauth';
import { io } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { accessTokenSeconds } from '../../infra/tokens.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterEach(() => void vi.useRealTimers());
afterAll(() => app.stop());

const minute = 60_000;
const password = 'correct horse battery';
const sessionOf = (jwt: string): string => JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()).sid;
const cookiesOf = (person: Person) => person.cookies.map((cookie) => cookie.split(';')[0]).join('; ');

/** A token of the same key, from a server whose clock is off by so much. */
async function signedBy(person: Person, offMs: number): Promise<string> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + offMs });
  try {
    return await app.server.context.tokens.sign({ user: person.user.uuid, session: sessionOf(person.jwt) });
  } finally {
    vi.useRealTimers();
  }
}

const ask = (jwt: string) => app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${jwt}` } });

async function connects(jwt: string): Promise<string> {
  const socket = io(app.url, {
    path: '/socket.io',
    transports: ['websocket'],
    auth: { token: jwt },
    reconnection: false,
    forceNew: true,
  });
  const outcome = await new Promise<string>((done) =>
    socket.on('connect', () => done('connected')).on('connect_error', (error) => done(error.message)),
  );
  socket.close();
  return outcome;
}

describe('a server whose clock is off', () => {
  test.each([
    ['fifty seconds ahead', 50_000],
    ['fifty seconds behind', -50_000],
    ['ten minutes behind', -10 * minute],
  ])('by %s signs tokens that count here', async (_, off) => {
    const jwt = await signedBy(await app.aPerson(), off);
    expect([(await ask(jwt)).status, await connects(jwt)]).toEqual([200, 'connected']);
  });

  test.each([
    ['ten minutes ahead', 10 * minute],
    ['a day ahead', 1440 * minute],
    ['twenty minutes behind', -20 * minute],
  ])('by %s signs tokens that count for nothing, and the page gets a good one with its cookie', async (_, off) => {
    const person = await app.aPerson();
    const jwt = await signedBy(person, off);
    for (let time = 0; time < 2; time++) {
      const { status, error } = await ask(jwt);
      expect([status, error.code, error.message]).toEqual([401, 'not-signed-in', 'Please sign in first.']);
    }
    expect(await connects(jwt)).toBe('not-signed-in');
    const renewed = await app.anyone.fetch(accounts.renew.path, {
      method: 'POST',
      headers: { cookie: cookiesOf(person), origin: app.url },
    });
    expect(renewed.status).toBe(200);
    const { jwt: fresh }: { jwt: string } = JSON.parse(await renewed.text());
    expect((await ask(fresh)).status).toBe(200);
  });

  test('ahead is told to whoever runs the servers, and how far it is', async () => {
    app.logs.length = 0;
    await ask(await signedBy(await app.aPerson(), 10 * minute));
    const [line, ...rest] = app.logs.map((text) => JSON.parse(text));
    expect(rest).toEqual([]);
    expect(line).toMatchObject({ level: 40, msg: expect.stringContaining('clocks') });
    expect(Math.abs(line.aheadSeconds - 600)).toBeLessThan(5);
  });

  test('makes no token last longer than others do', async () => {
    const { jwt } = await app.aPerson();
    expect((await ask(jwt)).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + accessTokenSeconds * 1000 + 61_000 });
    const claims = await app.server.context.tokens.verify(jwt);
    vi.useRealTimers();
    expect(claims).toBeUndefined();
  });

  test('is no help to who makes up tokens, nor a way to fill the log', async () => {
    app.logs.length = 0;
    const [head, , signature] = (await app.aPerson()).jwt.split('.');
    const claims = Buffer.from(
      JSON.stringify({ sid: 'x', sub: 'x', iss: 'kotae', aud: 'kotae-api', iat: 9e9, exp: 9e9 }),
    ).toString('base64url');
    expect((await ask(`${head}.${claims}.${signature}`)).status).toBe(401);
    expect(app.logs).toEqual([]);
  });
});

describe('a phone whose clock is off', () => {
  const codeOf = (secret: string, at: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

  test.each([
    ['ten minutes ahead', 10 * minute],
    ['ten minutes behind', -10 * minute],
    ['two minutes ahead', 2 * minute],
  ])('by %s shows codes that are refused in the usual words, and opens no session', async (_, off) => {
    const person = await app.aPerson();
    const { secret } = (await person.call(security.startTwoFactor)).body.data;
    expect((await person.call(security.enableTwoFactor, { body: { code: codeOf(secret, Date.now()) } })).status).toBe(
      200,
    );
    const asked = await app.anyone.call(accounts.signIn, { body: { identifier: person.user.username, password } });
    if (!('ticket' in asked.body)) throw new Error('no second step');
    const sessions = () =>
      app.server.context.db.selectFrom('session').select('uuid').where('user', '=', person.user.uuid).execute();
    const before = await sessions();
    const refused = await app.anyone.call(accounts.secondFactor, {
      body: { ticket: asked.body.ticket, code: codeOf(secret, Date.now() + off) },
    });
    expect([refused.status, refused.error.details]).toEqual([
      400,
      { fields: [{ path: 'code', code: 'code-wrong', message: expect.stringMatching(/\S \S/) }] },
    ]);
    expect([refused.headers.getSetCookie(), await sessions()]).toEqual([[], before]);
    // The clock of the next step is within what is taken.
    expect(
      (
        await app.anyone.call(accounts.secondFactor, {
          body: { ticket: asked.body.ticket, code: codeOf(secret, Date.now() + 30_000) },
        })
      ).status,
    ).toBe(200);
  });
});
