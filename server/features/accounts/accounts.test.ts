import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, files } from '../../../shared/contracts/accounts.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { during, startTestApp, type TestApp } from '../../testing/app.ts';
import { makeFirstOperator } from '../users/setup.ts';
import { addUser } from './profile.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const password = 'correct horse battery';
const cookieOf = (cookies: string[], name: string) => cookies.find((cookie) => cookie.startsWith(`${name}=`)) ?? '';
const valueOf = (cookie: string) => cookie.split(';')[0] ?? '';

describe('registration', () => {
  test('signs the new person in, in a workspace of their own', async () => {
    const person = await app.aPerson('hanako');
    expect(person.user).toMatchObject({ username: 'hanako', email: 'hanako@example.com', avatar: null });
    expect(person.user.workspaces).toMatchObject([{ name: 'hanako', role: 'owner', personal: true }]);
    expect((await person.call(accounts.me, { query: { populate: 'avatar' } })).body).toEqual(person.user);
  });

  test('names the shop as customers know it, which is never the login name by itself', async () => {
    const unnamed = await app.aPerson('kai.login');
    expect(unnamed.user).toMatchObject({ displayName: null, workspaces: [{ name: 'kai.login', shop: '' }] });
    const body = { username: 'mio', email: 'mio@example.com', password, shop: ' Hinata Coffee ' };
    const reply = await app.anyone.call(accounts.register, { body });
    expect(reply.body).toMatchObject({ user: { workspaces: [{ name: 'Hinata Coffee', shop: 'Hinata Coffee' }] } });
    await unnamed.call(accounts.update, { body: { username: 'kai.other' } });
    const shops = async () => (await unnamed.call(accounts.me)).body.workspaces.map(({ shop }) => shop);
    expect(await shops()).toEqual(['']);
    await unnamed.call(workspaces.update, { body: { name: 'Kai’s Bakery' } });
    expect(await shops()).toEqual(['Kai’s Bakery']);
  });

  test('leaves the avatar out unless it is asked for', async () => {
    const person = await app.aPerson();
    expect((await person.call(accounts.me)).body).not.toHaveProperty('avatar');
  });

  test('tells a taken email and a taken username, however they are written', async () => {
    await app.aPerson('taro');
    const sameMail = await app.anyone.call(accounts.register, {
      body: { username: 'another', email: 'TARO@example.com', password },
    });
    expect([sameMail.status, sameMail.error.code]).toEqual([409, 'email-taken']);
    const sameName = await app.anyone.call(accounts.register, {
      body: { username: 'Ｔａｒｏ', email: 'x@example.com', password },
    });
    expect([sameName.status, sameName.error.code]).toEqual([409, 'username-taken']);
  });

  test('refuses fields it does not know and changes nothing', async () => {
    const response = await app.anyone.fetch('/api/auth/local/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        username: 'mallory',
        email: 'mallory@example.com',
        password,
        role: 'admin',
        isOperator: true,
      }),
    });
    expect(response.status).toBe(400);
    expect((await app.anyone.call(accounts.signIn, { body: { identifier: 'mallory', password } })).status).toBe(401);
  });

  test.each([
    ['too short', { password: '1234567' }, 'password-short'],
    ['very long', { password: 'x'.repeat(60_000) }, 'too-long'],
  ])('refuses a password that is %s', async (_, wrong, code) => {
    const reply = await app.anyone.call(accounts.register, {
      body: { username: 'someone', email: 'someone@example.com', ...wrong },
    });
    expect(reply.status).toBe(400);
    expect(reply.error.details).toMatchObject({ fields: [{ path: 'password', code }] });
  });

  test('refuses a password of a megabyte before it is read', async () => {
    const reply = await app.anyone.call(accounts.register, {
      body: { username: 'someone', email: 'someone@example.com', password: 'x'.repeat(900_000) },
    });
    expect([reply.status, reply.error.code]).toEqual([413, 'body-too-large']);
  });

  test('two at the same moment with the same email make one account', async () => {
    const body = { email: 'twins@example.com', password };
    const replies = await Promise.all(
      [1, 2, 3].map((each) => app.anyone.call(accounts.register, { body: { ...body, username: `twin${each}` } })),
    );
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409, 409]);
  });

  test('of two who come first at the same moment makes one the operator', async () => {
    const own = await startTestApp();
    const { db } = own.server.context;
    await during(
      own,
      async (trx) => {
        const first = await addUser(trx, {
          username: 'first',
          email: 'first@example.com',
          emailVerified: true,
          passwordHash: null,
          locale: 'en',
          timezone: undefined,
        });
        await makeFirstOperator(trx, first.uuid);
      },
      [() => own.aPerson('second')],
    );
    expect(await db.selectFrom('user').select(['username', 'is_operator']).orderBy('username').execute()).toEqual([
      { username: 'first', is_operator: 1 },
      { username: 'second', is_operator: 0 },
    ]);
    await own.stop();
  });
});

describe('signing in', () => {
  test('works with email or username', async () => {
    await app.aPerson('jiro');
    for (const identifier of ['jiro', 'JIRO', 'jiro@example.com']) {
      expect((await app.anyone.call(accounts.signIn, { body: { identifier, password } })).status).toBe(200);
    }
  });

  test('does not tell whether the name or the password was wrong', async () => {
    await app.aPerson('saburo');
    const wrong = await app.anyone.call(accounts.signIn, {
      body: { identifier: 'saburo', password: 'something else' },
    });
    const unknown = await app.anyone.call(accounts.signIn, {
      body: { identifier: 'nobody', password: 'something else' },
    });
    expect([wrong.status, wrong.error]).toEqual([unknown.status, unknown.error]);
    expect(wrong.status).toBe(401);
  });

  test('answers in the language of the caller', async () => {
    const reply = await app.anyone.call(accounts.signIn, {
      body: { identifier: 'nobody', password: 'x' },
      headers: { 'accept-language': 'ja,en;q=0.5' },
    });
    expect(reply.error.message).toBe('メールアドレス、ユーザー名またはパスワードが正しくありません。');
  });
});

describe('the session', () => {
  test('has a short token that scripts can read and a lasting cookie that they cannot', async () => {
    const { cookies } = await app.aPerson();
    expect(cookieOf(cookies, 'jwt')).toMatch(/Max-Age=900; Path=\/; SameSite=Lax/);
    expect(cookieOf(cookies, 'jwt')).not.toContain('HttpOnly');
    expect(cookieOf(cookies, 'session')).toMatch(/HttpOnly; SameSite=Lax/);
  });

  test('is renewed by its cookie from our own pages, and from nowhere else', async () => {
    const { cookies } = await app.aPerson();
    const renew = (origin: string | undefined) =>
      app.anyone.fetch('/api/auth/renew', {
        method: 'POST',
        headers: { cookie: valueOf(cookieOf(cookies, 'session')), ...(origin && { origin }) },
      });
    const own = await renew(app.url);
    expect(own.status).toBe(200);
    expect(await own.json()).toEqual({ jwt: expect.stringMatching(/^ey/) });
    for (const origin of [undefined, 'null', 'https://evil.example']) expect((await renew(origin)).status).toBe(403);
  });

  test('the cookies alone are no identity', async () => {
    const { cookies } = await app.aPerson();
    const response = await app.anyone.fetch('/api/users/me', { headers: { cookie: cookies.map(valueOf).join('; ') } });
    expect(response.status).toBe(401);
  });

  test('is over at once for its token when the person signs out', async () => {
    const person = await app.aPerson();
    const out = await app.anyone.fetch('/api/auth/sign-out', {
      method: 'POST',
      headers: { cookie: valueOf(cookieOf(person.cookies, 'session')), origin: app.url },
    });
    expect(out.status).toBe(200);
    expect((await person.call(accounts.me)).status).toBe(401);
    const replayed = await app.anyone.fetch('/api/auth/renew', {
      method: 'POST',
      headers: { cookie: valueOf(cookieOf(person.cookies, 'session')), origin: app.url },
    });
    expect(replayed.status).toBe(401);
  });

  test("a token that was changed, or is somebody else's kind of token, is none", async () => {
    const { jwt } = await app.aPerson();
    const [head, claims, signature] = jwt.split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    for (const forged of [`${head}.${claims}.AAAA${signature?.slice(4)}`, `${none}.${claims}.`, 'nonsense', '']) {
      expect((await app.anyone.fetch('/api/users/me', { headers: { authorization: `Bearer ${forged}` } })).status).toBe(
        401,
      );
    }
  });
});

describe('another workspace', () => {
  test('is not there for who is not in it', async () => {
    const mine = await app.aPerson();
    const theirs = await app.aPerson();
    const reply = await mine.call(bots.list, { headers: { 'x-workspace': theirs.user.workspaces[0]?.uuid ?? '' } });
    expect([reply.status, reply.error.code]).toEqual([404, 'workspace-not-found']);
    expect((await mine.call(bots.list, { headers: { 'x-workspace': 'nonsense' } })).status).toBe(404);
  });
});

describe('an avatar', () => {
  const upload = (
    person: { fetch: TestApp['anyone']['fetch'] },
    bytes: string | Buffer<ArrayBuffer>,
    name = 'me.png',
  ) => {
    const form = new FormData();
    form.append('file', new Blob([bytes]), name);
    return person.fetch('/api/user/image', { method: 'POST', body: form });
  };
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );

  test('is kept as WebP and shown to anyone who has its address', async () => {
    const person = await app.aPerson();
    const response = await upload(person, png);
    expect(response.status).toBe(201);
    const { data } = (await response.json()) as { data: { uuid: string; url: string } };
    const updated = await person.call(accounts.update, { body: { avatar: data.uuid } });
    expect(updated.body.data.avatar).toEqual({ url: data.url });
    const shown = await app.anyone.fetch(data.url);
    expect(shown.headers.get('content-type')).toBe('image/webp');
    expect(
      Buffer.from(await shown.arrayBuffer())
        .subarray(8, 12)
        .toString(),
    ).toBe('WEBP');
  });

  test.each([
    ['a page named as a picture', '<html><script>alert(1)</script></html>', 'image-invalid'],
    [
      'an SVG with a script',
      '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
      'image-invalid',
    ],
    ['nothing', '', 'file-empty'],
    ['a picture that is cut off', png.subarray(0, 40), 'image-invalid'],
  ])('is refused when it is %s', async (_, bytes, code) => {
    const person = await app.aPerson();
    const response = await upload(person, bytes);
    expect([response.status, ((await response.json()) as { error: { code: string } }).error.code]).toEqual([422, code]);
  });

  test('of another workspace cannot be taken', async () => {
    const theirs = (await (await upload(await app.aPerson(), png)).json()) as { data: { uuid: string } };
    const reply = await (await app.aPerson()).call(accounts.update, { body: { avatar: theirs.data.uuid } });
    expect([reply.status, reply.error.code]).toEqual([404, 'file-not-found']);
  });

  test('that was never uploaded is not found', async () => {
    const reply = await app.anyone.call(files.avatar, { params: { uuid: '00000000-0000-7000-8000-000000000000' } });
    expect([reply.status, reply.error.code]).toEqual([404, 'file-not-found']);
  });
});

test('the master key is made once, for its owner only, and survives a restart', async () => {
  const person = await app.aPerson();
  expect(statSync(join(app.folder, 'secrets/master.key')).mode & 0o777).toBe(0o600);
  await app.restart();
  expect((await person.call(accounts.me)).status).toBe(200);
});

test('a timezone that does not exist is refused', async () => {
  const person = await app.aPerson();
  const reply = await person.call(accounts.update, { body: { timezone: 'Mars/Olympus' } });
  expect([reply.status, reply.error.details]).toEqual([
    400,
    { fields: [{ path: 'timezone', code: 'invalid', message: 'This is not valid.' }] },
  ]);
});
