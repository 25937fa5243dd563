import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { eventually, startTestApp, type TestApp } from '../../testing/app.ts';
import { createDatabase } from '../../testing/database.ts';
import { startMailServer } from '../../testing/mail.ts';
import { cookieHeader, follow, openIdSettings, startOpenIdProvider } from '../../testing/openid.ts';
import { startProcess } from '../../testing/process.ts';
import { findSetupToken } from '../users/setup.ts';

let app: TestApp | undefined;
afterEach(async () => {
  await app?.stop();
  app = undefined;
});

const password = 'correct horse battery';
const start = async (settings: Record<string, string>) => (app = await startTestApp(settings));
const register = (own: TestApp, username: string, setup?: string) =>
  own.anyone.call(accounts.register, {
    body: { username, email: `${username}@example.com`, password, ...(setup !== undefined && { setup }) },
  });
const asks = async (own: TestApp) => (await own.anyone.call(accounts.options)).body.data.setup;
const open = { HOST: '0.0.0.0', BASE_URL: 'http://127.0.0.1' };

/** The address that this machine has for a server that listens on all of them. */
async function startOpen(settings: Record<string, string> = {}) {
  const own = await start({ ...open, ...settings });
  const bound = own.server.app.server.address();
  const url = `http://127.0.0.1:${bound && typeof bound === 'object' ? bound.port : 0}`;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json', 'accept-language': 'ja' };
    const reply = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: reply.status, body: JSON.parse(await reply.text()) };
  };
  const enter = (username: string, setup?: string) =>
    post(accounts.register.path, { username, email: `${username}@example.com`, password, setup });
  const isAsked = async () => JSON.parse(await (await fetch(`${url}${accounts.options.path}`)).text()).data.setup;
  const people = async () => (await own.server.context.db.selectFrom('user').select('username').execute()).length;
  return { own, url, post, enter, isAsked, people, token: await findSetupToken(own.server.context.db) };
}

describe('the first account of a server that others can reach', () => {
  test('is made with the setup token, by nobody else, and once', async () => {
    const { enter, isAsked, people, token } = await startOpen();
    expect(await isAsked()).toBe(true);
    for (const wrong of [undefined, 'x', token.slice(1), token.toUpperCase(), `${token} `]) {
      const { status, body } = await enter('eve', wrong);
      expect([wrong, status, body.error.code]).toEqual([wrong, 403, 'setup-needed']);
      expect(body.error.message).toContain('セットアップトークン');
    }
    expect(await people()).toBe(0);
    const boss = await enter('boss', token);
    expect([boss.status, boss.body.user.operator]).toEqual([200, true]);
    expect(await isAsked()).toBe(false);
    const next = await enter('next');
    expect([next.status, next.body.user.operator]).toEqual([200, false]);
    expect((await enter('late', token)).body.user.operator).toBe(false);
  });

  test('of those that come with the token at once, one runs the installation', async () => {
    const { enter, token } = await startOpen();
    const all = await Promise.all(['a1', 'b2', 'c3', 'd4'].map((name) => enter(name, token)));
    const operators = all.filter(({ body }) => body.user?.operator);
    expect(operators).toHaveLength(1);
  });

  test('still wants it while nobody has confirmed an address', async () => {
    const mail = await startMailServer();
    try {
      const { enter, post, isAsked, token } = await startOpen({ SMTP_URL: mail.url });
      expect((await enter('boss', token)).status).toBe(202);
      expect((await enter('eve')).status).toBe(403);
      expect(await isAsked()).toBe(true);
      const code = await eventually('the link', async () => /code=(\S+)/.exec(mail.mails[0]?.text ?? '')?.[1]);
      expect((await post(accounts.verifyEmail.path, { code })).body.user.operator).toBe(true);
      expect(await isAsked()).toBe(false);
    } finally {
      await mail.close();
    }
  });

  test('is not made with Google', async () => {
    const google = await startOpenIdProvider(
      { sub: 'eve', email: 'eve@example.com', email_verified: true, name: 'Eve' },
      () => `${app?.settings['BASE_URL']}/api/auth/google/callback`,
    );
    try {
      const { url, people } = await startOpen(openIdSettings(google.issuer));
      const isBack = ({ pathname }: URL) => pathname === '/api/auth/google/callback';
      const { url: back, cookies } = await follow(`${url}/api/auth/google`, isBack);
      const cookie = cookieHeader(cookies.get(new URL(url).host));
      const reply = await fetch(`${url}${back.pathname}${back.search}`, {
        headers: { accept: 'application/json', cookie },
      });
      const { error }: { error: { code: string } } = JSON.parse(await reply.text());
      expect([reply.status, error.code, await people()]).toEqual([403, 'setup-needed', 0]);
    } finally {
      await google.close();
    }
  });
});

test.each([{ BASE_URL: 'https://kotae.example.com' }, { TRUST_PROXY: '127.0.0.1' }])(
  'a server behind a proxy of this machine asks for it: %j',
  async (settings) => {
    const { enter, isAsked, token } = await startOpen({ HOST: '127.0.0.1', ...settings });
    expect(await isAsked()).toBe(true);
    expect((await enter('eve')).body.error.code).toBe('setup-needed');
    expect((await enter('boss', token)).status).toBe(200);
  },
);

test.each(['127.0.0.1', 'localhost', '127.0.0.5'])('a server on %s alone asks for no token', async (HOST) => {
  const own = await start({ HOST });
  expect(await asks(own)).toBe(false);
  const { body } = await register(own, 'first');
  expect(body).toMatchObject({ user: { operator: true } });
});

test('the token is printed at each start until it was used, and again by the command', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-setup-'));
  const database = await createDatabase();
  const settings = { HOST: '0.0.0.0', DATA_DIR: folder, ...database.settings };
  const admin = () =>
    spawnSync(process.execPath, ['server/admin.ts', 'setup-token'], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...settings },
    }).stdout;
  const tokenIn = (text: string) => /setup token[^:]*:\s+(\S{43})\n/.exec(text)?.[1];
  try {
    const first = await startProcess(settings);
    const token = tokenIn(first.output());
    expect(token).toBeDefined();
    expect(tokenIn(admin())).toBe(token);
    const reply = await fetch(`${first.url}${accounts.register.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'boss', email: 'boss@example.com', password, setup: token }),
    });
    expect(reply.status).toBe(200);
    await first.stop();
    const second = await startProcess(settings);
    expect(second.output()).not.toContain('setup token');
    expect(admin()).toContain('already');
    await second.stop();
  } finally {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
  // Four processes begin.
}, 120_000);
