import { createServer } from 'node:http';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accounts, security, type User } from '../../../shared/contracts/accounts.ts';
import {
  cookieHeader,
  follow,
  openIdSettings,
  startHostileProvider,
  startOpenIdProvider,
  type GoogleAccount,
  type HostileProvider,
  type OpenIdPeer,
} from '../../testing/openid.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';

// The provider warns that it keeps its own state in memory, which is all a test wants.
vi.spyOn(console, 'warn').mockImplementation(() => {});

const hana = (): GoogleAccount => ({
  sub: `sub-${Math.random()}`,
  email: `hana${Math.random().toString(36).slice(2)}@example.com`,
  email_verified: true,
  name: '山田 花',
});
const password = 'correct horse battery';

const isCallback = (url: URL) => url.pathname === '/api/auth/google/callback';
/** The page that comes back finishes the sign-in; any answer of the API may come of it. */
interface Finished {
  status: number;
  headers: Headers;
  body: { jwt: string; user: User; next: string; linked?: true; error: { code: string } };
}

async function finish(app: TestApp, url: URL, cookie: string): Promise<Finished> {
  const response = await fetch(`${app.url}${url.pathname}${url.search}`, {
    headers: { accept: 'application/json', cookie },
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}

/** Goes to Google and back, as a browser does. */
async function journey(app: TestApp, start = '/api/auth/google?next=%2FBot') {
  const { url, cookies } = await follow(`${app.url}${start}`, isCallback);
  const cookie = cookieHeader(cookies.get(new URL(app.url).host));
  return { url, cookie, response: await finish(app, url, cookie) };
}

const users = async (app: TestApp) => (await app.server.context.db.selectFrom('user').selectAll().execute()).length;
const sessions = async (app: TestApp) =>
  (await app.server.context.db.selectFrom('session').selectAll().execute()).length;

/** A server with one answer; says how often it was asked. */
async function serving(body: Buffer | string, type: string) {
  const peer = { asked: 0 };
  const server = createServer((_request, response) => {
    peer.asked++;
    response.writeHead(200, { 'content-type': type }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const host = `127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
  return { peer, host, close: () => new Promise((resolve) => server.close(resolve)) };
}

describe('the picture at Google', () => {
  test.each([
    ['is copied', true, 1, true],
    ['is not fetched from a private address', false, 0, false],
    ['is left alone when it is none', 'page', 1, false],
  ] as const)('%s', async (_, kind, asked, kept) => {
    const png = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0a0' } })
      .png()
      .toBuffer();
    const pictures = await serving(
      kind === 'page' ? '<html></html>' : png,
      kind === 'page' ? 'text/html' : 'image/png',
    );
    const google = await startOpenIdProvider(
      { ...hana(), picture: `http://${pictures.host}/photo` },
      () => `${app.url}/api/auth/google/callback`,
    );
    const app = await startTestApp({
      ...openIdSettings(google.issuer),
      ...(kind !== false && { ALLOW_PRIVATE_HOSTS: pictures.host }),
    });
    try {
      const { response } = await journey(app);
      const me = async () =>
        (
          await app.anyone.call(accounts.me, {
            query: { populate: 'avatar' },
            headers: { authorization: `Bearer ${response.body.jwt}` },
          })
        ).body.avatar;
      await vi.waitFor(
        async () =>
          expect(
            await app.server.context.db
              .selectFrom('job')
              .select('state')
              .where('kind', '=', 'account.copy-picture')
              .where('attempts', '=', 0)
              .where('state', '=', 'queued')
              .execute(),
          ).toEqual([]),
        { timeout: 5000 },
      );
      await vi.waitFor(async () => expect(Boolean(await me())).toBe(kept), { timeout: 5000 });
      expect(pictures.peer.asked).toBe(asked);
    } finally {
      await app.stop();
      await google.close();
      await pictures.close();
    }
  });
});

// One person comes again and again.
describe('with a real OpenID provider', { shuffle: false }, () => {
  let app: TestApp;
  let google: OpenIdPeer;
  beforeAll(async () => {
    google = await startOpenIdProvider(hana(), () => `${app.url}/api/auth/google/callback`);
    app = await startTestApp(openIdSettings(google.issuer), { page: '<!doctype html><title>Kotae</title>' });
  });
  afterAll(async () => {
    await app.stop();
    await google.close();
  });
  beforeEach(() => {
    google.account = hana();
  });

  test('a first visit makes an account with a confirmed address and a personal workspace, and leads on', async () => {
    const { response } = await journey(app);
    expect(response.status).toBe(200);
    const { jwt, user, next } = response.body;
    expect(next).toBe('/Bot');
    expect(user).toMatchObject({
      username: '山田花',
      email: google.account.email,
      emailVerified: true,
      providers: ['google'],
    });
    expect(user.workspaces).toMatchObject([{ role: 'owner', personal: true }]);
    expect((await app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${jwt}` } })).status).toBe(200);
    expect(response.headers.getSetCookie().join()).toMatch(/session=/);
  });

  test('the second visit finds the same account by its subject, whatever the email is now', async () => {
    const first = (await journey(app)).response.body;
    google.account = { ...google.account, email: 'moved@example.com' };
    const second = (await journey(app)).response.body;
    expect(second.user.uuid).toBe(first.user.uuid);
  });

  test('a browser gets the page, which then finishes; a page of another site is never the end of the journey', async () => {
    const { url } = await follow(
      `${app.url}/api/auth/google?next=${encodeURIComponent('//evil.example/')}`,
      isCallback,
    );
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(
      (await journey(app, `/api/auth/google?next=${encodeURIComponent('https://evil.example')}`)).response.body.next,
    ).toBe('/');
  });

  test('an account that has the email already is not taken over, confirmed or not', async () => {
    const person = await app.aPerson();
    for (const verified of [0, 1] as const) {
      await app.server.context.db
        .updateTable('user')
        .set({ email_verified: verified })
        .where('uuid', '=', person.user.uuid)
        .execute();
      google.account = { ...hana(), email: person.user.email };
      const before = [await users(app), await sessions(app)];
      const { response } = await journey(app);
      expect([response.status, response.body.error.code]).toEqual([400, 'google-account-exists']);
      expect(response.headers.getSetCookie().join()).not.toMatch(/session=/);
      expect([await users(app), await sessions(app)]).toEqual(before);
    }
  });

  test('an email that Google has not confirmed makes nothing', async () => {
    google.account = { ...hana(), email_verified: false };
    const before = [await users(app), await sessions(app)];
    const { response } = await journey(app);
    expect([response.status, response.body.error.code]).toEqual([400, 'google-email-not-verified']);
    expect([await users(app), await sessions(app)]).toEqual(before);
  });

  test('no, foreign or reused state, a replayed code, and another browser are refused', async () => {
    const done = await journey(app);
    const before = await sessions(app);
    const refusals = [
      await finish(app, done.url, done.cookie),
      await finish(app, new URL(`${app.url}/api/auth/google/callback?code=x`), done.cookie),
      await finish(app, new URL(`${app.url}/api/auth/google/callback?code=x&state=foreign`), done.cookie),
      await (async () => {
        const { url } = await follow(`${app.url}/api/auth/google`, isCallback);
        return finish(app, url, '');
      })(),
      await (async () => {
        const { url, cookies } = await follow(`${app.url}/api/auth/google`, isCallback);
        url.searchParams.set('code', done.url.searchParams.get('code') ?? '');
        return finish(app, url, cookieHeader(cookies.get(new URL(app.url).host)));
      })(),
    ];
    expect(refusals.map((each) => each.status)).toEqual([400, 400, 400, 400, 400]);
    expect(await sessions(app)).toBe(before);
  });

  test('two first visits at the same moment make one account', async () => {
    const ways = await Promise.all([1, 2].map(() => follow(`${app.url}/api/auth/google`, isCallback)));
    const before = await users(app);
    const replies = await Promise.all(
      ways.map(({ url, cookies }) => finish(app, url, cookieHeader(cookies.get(new URL(app.url).host)))),
    );
    expect(replies.map((reply) => reply.status)).toEqual([200, 200]);
    const [one, other] = replies.map((reply) => reply.body.user.uuid);
    expect(one).toBe(other);
    expect(await users(app)).toBe(before + 1);
  });

  test('who has a password links Google first, signs in with it from then on, and can unlink it', async () => {
    const person = await app.aPerson();
    const { url, cookies } = await (async () => {
      const response = await person.fetch('/api/user/google', { method: 'POST' });
      const { data }: { data: { url: string } } = JSON.parse(await response.text());
      const [, secret = ''] = /google=([^;]+)/.exec(response.headers.getSetCookie().join()) ?? [];
      return follow(data.url, isCallback, new Map([[new URL(app.url).host, new Map([['google', secret]])]]));
    })();
    const linked = await finish(app, url, cookieHeader(cookies.get(new URL(app.url).host)));
    expect(linked.body).toEqual({ linked: true, next: '/Account?tab=security' });
    expect((await journey(app)).response.body.user.uuid).toBe(person.user.uuid);
    expect((await person.call(security.get)).body.data.google).toMatchObject({ email: google.account.email });
    await person.call(security.unlinkGoogle);
    expect((await person.call(security.get)).body.data.google).toBeNull();
  });

  test('the only way in cannot be taken away', async () => {
    const { jwt } = (await journey(app)).response.body;
    const reply = await app.anyone.call(security.unlinkGoogle, { headers: { authorization: `Bearer ${jwt}` } });
    expect([reply.status, reply.error.code]).toEqual([422, 'last-way-in']);
  });

  test('a suspended account does not come in through Google either', async () => {
    const { user } = (await journey(app)).response.body;
    await app.server.context.db
      .updateTable('user')
      .set({ suspended_at: Date.now() })
      .where('uuid', '=', user.uuid)
      .execute();
    const { response } = await journey(app);
    expect([response.status, response.body.error.code]).toEqual([403, 'account-suspended']);
  });
});

describe('with a provider that lies', () => {
  let app: TestApp;
  let google: HostileProvider;
  beforeAll(async () => {
    google = await startHostileProvider(hana());
    app = await startTestApp(openIdSettings(google.issuer));
  });
  afterAll(async () => {
    await app.stop();
    await google.close();
  });

  const visit = async () => {
    const { url, cookies } = await follow(`${app.url}/api/auth/google`, (there) => there.pathname === '/auth');
    const back = new URL(url.searchParams.get('redirect_uri') ?? '');
    back.searchParams.set('state', url.searchParams.get('state') ?? '');
    back.searchParams.set('code', google.codeFor(url.searchParams.get('nonce') ?? ''));
    return finish(app, back, cookieHeader(cookies.get(new URL(app.url).host)));
  };

  test('what it says is taken when it is true', async () => {
    google.spoil = {};
    expect((await visit()).status).toBe(200);
  });

  test.each([
    ['nonce', { claims: { nonce: 'another' } }],
    ['audience', { claims: { aud: 'somebody-else' } }],
    ['issuer', { claims: { iss: 'https://evil.example' } }],
    ['time', { claims: { exp: 1 } }],
    [
      'clock, ten minutes behind,',
      { claims: { iat: Math.floor(Date.now() / 1000) - 900, exp: Math.floor(Date.now() / 1000) - 600 } },
    ],
    [
      'clock, ten minutes ahead,',
      { claims: { iat: Math.floor(Date.now() / 1000) + 600, exp: Math.floor(Date.now() / 1000) + 900 } },
    ],
    ['signature', { alg: 'none' as const }],
  ])('a wrong %s is refused and makes no account', async (_, spoil) => {
    google.spoil = spoil;
    google.account = hana();
    const before = [await users(app), await sessions(app)];
    const response = await visit();
    expect([response.status, response.body.error.code]).toEqual([400, 'google-refused']);
    expect([await users(app), await sessions(app)]).toEqual(before);
  });

  test('its state token is no identity', async () => {
    const { url } = await follow(`${app.url}/api/auth/google`, (there) => there.pathname === '/auth');
    expect(
      (await app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${url.searchParams.get('state')}` } }))
        .status,
    ).toBe(401);
  });
});

test('while Google is out of reach the page says so, and passwords go on working', async () => {
  const app = await startTestApp(openIdSettings('http://127.0.0.1:9'));
  try {
    const person = await app.aPerson();
    const response = await app.anyone.call(accounts.google);
    expect([response.status, response.error.code]).toEqual([502, 'google-unreachable']);
    expect(
      (await app.anyone.call(accounts.signIn, { body: { identifier: person.user.username, password } })).status,
    ).toBe(200);
  } finally {
    await app.stop();
  }
});

test('where Google is not set up there is no such way in', async () => {
  const app = await startTestApp();
  try {
    expect((await app.anyone.call(accounts.options)).body.data.google).toBe(false);
    expect((await fetch(`${app.url}/api/auth/google`, { redirect: 'manual' })).status).toBe(404);
  } finally {
    await app.stop();
  }
});
