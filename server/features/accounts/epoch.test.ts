import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { Trx } from '../../infra/db.ts';
import { hashPassword } from '../../infra/passwords.ts';
import { during, eventually, startTestApp, type Reply, type TestApp } from '../../testing/app.ts';
import { startMailServer, type MailServer } from '../../testing/mail.ts';
import { cookieHeader, follow, openIdSettings, startOpenIdProvider, type OpenIdPeer } from '../../testing/openid.ts';
import { makePasskey } from '../../testing/passkey.ts';
import { updateUser } from '../users/users.ts';
import { ticketKinds, type TicketKind } from './accounts.tables.ts';
import { shutOut } from './epoch.ts';
import { recoverPassword, recoverTwoFactor } from './recovery.ts';

let app: TestApp;
let mail: MailServer;
let google: OpenIdPeer;
let boss: Account;
beforeAll(async () => {
  mail = await startMailServer();
  google = await startOpenIdProvider(
    { sub: 'nobody', email: 'nobody@example.com', email_verified: true, name: 'Nobody' },
    () => `${app.url}/api/auth/google/callback`,
  );
  app = await startTestApp({ SMTP_URL: mail.url, ...openIdSettings(google.issuer) });
  boss = await anAccount();
});
afterAll(async () => {
  await app.stop();
  await google.close();
  await mail.close();
});

const password = 'correct horse battery';
const newPassword = 'an even better password';

interface Device {
  jwt: string;
  cookie: string;
}

interface Account extends Device {
  uuid: string;
  name: string;
  email: string;
  password: string;
}

const cookieOf = ({ headers }: Pick<Reply<unknown>, 'headers'>) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const by = ({ jwt }: Device) => ({ authorization: `Bearer ${jwt}` });

let made = 0;
async function anAccount(locale: Locale = 'en'): Promise<Account> {
  const name = `epoch${++made}x${Math.random().toString(36).slice(2, 8)}`;
  const email = `${name}@example.com`;
  await app.anyone.call(accounts.register, { body: { username: name, email, password, locale } });
  const reply = await app.anyone.call(accounts.verifyEmail, { body: { code: await codeIn(email) } });
  if (!('jwt' in reply.body)) throw new Error(JSON.stringify(reply.body));
  return { jwt: reply.body.jwt, cookie: cookieOf(reply), uuid: reply.body.user.uuid, name, email, password };
}

const mailsTo = (email: string) => mail.mails.filter((one) => one.envelope.to.includes(email));
/** The code of the first mail with one to somebody after the `seen` mails. */
const codeIn = (email: string, seen = 0) =>
  eventually(`a link for ${email}`, async () =>
    mailsTo(email)
      .slice(seen)
      .map(({ text }) => /code=(\S+)/.exec(text ?? '')?.[1])
      .find((code) => code !== undefined),
  );

const signIn = (account: Account) =>
  app.anyone.call(accounts.signIn, { body: { identifier: account.name, password: account.password } });
async function anotherDevice(account: Account): Promise<Device> {
  const reply = await signIn(account);
  if (!('jwt' in reply.body)) throw new Error(JSON.stringify(reply.body));
  return { jwt: reply.body.jwt, cookie: cookieOf(reply) };
}

const questionOf = (options: Record<string, unknown>) => ({
  challenge: String(options['challenge']),
  rpId: 'localhost',
  origin: new URL(app.server.context.links.to('/', {})).origin,
});

async function addPasskey(account: Account, device: Device = account) {
  const passkey = makePasskey();
  const { ticket, options } = (await app.anyone.call(security.passkeyOptions, { headers: by(device) })).body.data;
  const response = passkey.create(questionOf(options));
  const add = (as: Device = device) =>
    app.anyone.call(security.addPasskey, { headers: by(as), body: { ticket, name: 'Phone', response } });
  const enter = async () => {
    const asked = (await app.anyone.call(accounts.passkeyOptions)).body.data;
    const answer = passkey.get(questionOf(asked.options));
    return app.anyone.call(accounts.passkey, { body: { ticket: asked.ticket, response: answer } });
  };
  return { add, enter };
}

const isCallback = (url: URL) => url.pathname === '/api/auth/google/callback';
async function comeBack(url: URL, cookie: string) {
  const response = await fetch(url, { headers: { accept: 'application/json', cookie } });
  const { user }: { user?: { uuid: string } } = JSON.parse(await response.text());
  return { status: response.status, user: user?.uuid };
}
/** Goes to Google from the account's page; what is answered finishes it. */
async function beginLink(account: Account, device: Device = account) {
  google.account = { ...google.account, sub: account.uuid, email: `${account.name}@gmail.example` };
  const reply = await app.anyone.call(security.linkGoogle, { headers: by(device) });
  const [, secret = ''] = /google=([^;]+)/.exec(reply.headers.getSetCookie().join()) ?? [];
  const { url, cookies } = await follow(
    reply.body.data.url,
    isCallback,
    new Map([[new URL(app.url).host, new Map([['google', secret]])]]),
  );
  return () => comeBack(url, cookieHeader(cookies.get(new URL(app.url).host)));
}
/** Goes to Google to sign in; what is answered finishes it. */
async function beginGoogle(account: Account) {
  google.account = { ...google.account, sub: account.uuid, email: `${account.name}@gmail.example` };
  const { url, cookies } = await follow(`${app.url}/api/auth/google`, isCallback);
  return () => comeBack(url, cookieHeader(cookies.get(new URL(app.url).host)));
}

async function withApp(account: Account): Promise<string> {
  const { secret } = (await app.anyone.call(security.startTwoFactor, { headers: by(account) })).body.data;
  const code = codeOf(secret, Date.now() - 30_000);
  await app.anyone.call(security.enableTwoFactor, { headers: by(account), body: { code } });
  return secret;
}
const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/** Gets a ticket of each kind; what is answered uses it, with a session that is good by then, and answers a status. */
const tickets: Record<TicketKind, (account: Account) => Promise<(now: Device) => Promise<number>>> = {
  async 'verify-email'(account) {
    const { db } = app.server.context;
    await updateUser(db, account.uuid, { email_verified: 0 });
    const seen = mailsTo(account.email).length;
    await signIn(account);
    const code = await codeIn(account.email, seen);
    await updateUser(db, account.uuid, { email_verified: 1 });
    return async () => (await app.anyone.call(accounts.verifyEmail, { body: { code } })).status;
  },
  async 'change-email'(account) {
    const email = `new-${account.email}`;
    const body = { email, currentPassword: account.password };
    await app.anyone.call(accounts.update, { headers: by(account), body });
    const code = await codeIn(email);
    return async () => (await app.anyone.call(accounts.verifyEmail, { body: { code } })).status;
  },
  async 'reset-password'(account) {
    const { url } = (
      await app.anyone.call(operator.resetPassword, { headers: by(boss), params: { uuid: account.uuid } })
    ).body.data;
    return async () => (await reset(new URL(url).searchParams.get('code') ?? '', 'a third good password')).status;
  },
  async google(account) {
    const finish = await beginLink(account);
    return async () => (await finish()).status;
  },
  async passkey(account) {
    const { add } = await addPasskey(account);
    return async (now) => (await add(now)).status;
  },
  async export(account) {
    const { url } = (await app.anyone.call(accounts.export, { headers: by(account) })).body.data;
    return async () => {
      const response = await app.anyone.fetch(url);
      await response.arrayBuffer().catch(() => {});
      return response.status;
    };
  },
  async 'two-factor'(account) {
    const secret = await withApp(account);
    const { body } = await signIn(account);
    if (!('ticket' in body)) throw new Error('no second step');
    const { ticket } = body;
    return async () =>
      (await app.anyone.call(accounts.secondFactor, { body: { ticket, code: codeOf(secret) } })).status;
  },
};

const reset = (code: string, to: string) =>
  app.anyone.call(accounts.resetPassword, { body: { code, password: to, passwordConfirmation: to } });

/** Whoever had the account for a while left all of this; what is answered says whether each still opens it. */
async function everyWayIn(account: Account): Promise<(kept: Device | undefined) => Promise<Record<string, boolean>>> {
  const device = await anotherDevice(account);
  const { add, enter } = await addPasskey(account, device);
  expect((await add()).status).toBe(201);
  expect((await (await beginLink(account))()).status).toBe(200);
  const { key } = (
    await app.anyone.call(keys.create, { headers: by(device), body: { name: 'k', scopes: ['read', 'chat'] } })
  ).body.data;
  const isOpen = async (status: Promise<number>) => (await status) < 300;
  return async (kept) => ({
    password: await isOpen(signIn(account).then(({ status }) => status)),
    session: await isOpen(app.anyone.call(accounts.me, { headers: by(kept ?? device) }).then(({ status }) => status)),
    renewal: await isOpen(
      app.anyone
        .call(accounts.renew, { headers: { cookie: device.cookie, origin: app.url } })
        .then(({ status }) => status),
    ),
    passkey: await isOpen(enter().then(({ status }) => status)),
    // Google that is not linked makes another account.
    google: (await (await beginGoogle(account))()).user === account.uuid,
    key: await isOpen(
      app.anyone.fetch('/v1/models', { headers: { authorization: `Bearer ${key}` } }).then(async (response) => {
        await response.body?.cancel();
        return response.status;
      }),
    ),
  });
}

const allClosed = { password: false, session: false, renewal: false, passkey: false, google: false, key: false };
const allOpen = { password: true, session: true, renewal: true, passkey: true, google: true, key: true };
const signedOut = { ...allOpen, session: false, renewal: false };

/** What ends all that was on its way, and which ways in are good after it. */
const endings: [string, (account: Account) => Promise<unknown>, typeof allClosed][] = [
  [
    'a password that was reset by mail',
    async (account) => {
      const seen = mailsTo(account.email).length;
      await app.anyone.call(accounts.forgotPassword, { body: { email: account.email } });
      return reset(await codeIn(account.email, seen), newPassword);
    },
    allClosed,
  ],
  [
    "a password that was reset by the operator's link",
    async (account) => {
      const params = { uuid: account.uuid };
      const { url } = (await app.anyone.call(operator.resetPassword, { headers: by(boss), params })).body.data;
      return reset(new URL(url).searchParams.get('code') ?? '', newPassword);
    },
    allClosed,
  ],
  [
    'a password that was reset from the command line',
    async (account) => reset(await recoverPassword(app.server.context.db, account.name), newPassword),
    allClosed,
  ],
  [
    'a new password',
    (account) =>
      app.anyone.call(accounts.update, {
        headers: by(account),
        body: { password: newPassword, currentPassword: account.password },
      }),
    { ...signedOut, password: false },
  ],
  [
    'an operator who took the second factors away',
    (account) => app.anyone.call(operator.resetTwoFactor, { headers: by(boss), params: { uuid: account.uuid } }),
    { ...signedOut, passkey: false },
  ],
  [
    'the command line, which took the app away',
    async (account) => {
      await recoverTwoFactor(app.server.context, account.name);
      return { status: 200 };
    },
    signedOut,
  ],
  [
    'a suspension that was lifted',
    async (account) => {
      const params = { uuid: account.uuid };
      await app.anyone.call(operator.suspend, { headers: by(boss), params });
      return app.anyone.call(operator.restore, { headers: by(boss), params });
    },
    signedOut,
  ],
];

describe('a ticket', () => {
  test.each(ticketKinds)('for %s works while nothing has ended it', async (kind) => {
    const account = await anAccount();
    const use = await tickets[kind](account);
    expect(await use(account)).toBeLessThan(300);
  });

  test.each(endings)('of any kind is worth nothing after %s', async (_, end) => {
    const account = await anAccount();
    // A code is asked for at every sign-in from then on, so that comes last.
    const kinds = ticketKinds.toSorted((one, other) => Number(one === 'two-factor') - Number(other === 'two-factor'));
    const held: [TicketKind, (now: Device) => Promise<number>][] = [];
    for (const kind of kinds) held.push([kind, await tickets[kind](account)]);
    expect(await end(account)).toMatchObject({ status: 200 });
    const { db } = app.server.context;
    await db.updateTable('user').set({ totp_since: null }).where('uuid', '=', account.uuid).execute();
    const hash = await hashPassword(newPassword);
    await updateUser(db, account.uuid, { password_hash: hash });
    const now = await anotherDevice({ ...account, password: newPassword });
    const before = await stateOf(account);
    const statuses = [];
    for (const [kind, use] of held) statuses.push([kind, await use(now)]);
    expect(statuses).toEqual(kinds.map((kind) => [kind, 400]));
    expect(await stateOf(account)).toEqual(before);
    expect((await app.anyone.call(accounts.me, { headers: by(now) })).body.pendingEmail).toBeNull();
  });
});

/** All of an account that lets somebody in or out. */
async function stateOf({ uuid }: Account) {
  const { db } = app.server.context;
  const [user, sessions, passkeys, links, apiKeys] = await Promise.all([
    db
      .selectFrom('user')
      .select(['email', 'password_hash', 'totp_since', 'totp_secret', 'pending_email'])
      .where('uuid', '=', uuid)
      .execute(),
    db.selectFrom('session').select('uuid').where('user', '=', uuid).orderBy('uuid').execute(),
    db.selectFrom('passkey').select('uuid').where('user', '=', uuid).execute(),
    db.selectFrom('identity').select('subject').where('user', '=', uuid).execute(),
    db.selectFrom('api_key').select('uuid').where('user', '=', uuid).where('revoked_at', 'is', null).execute(),
  ]);
  return { user, sessions, passkeys, links, apiKeys };
}

describe('a way in', () => {
  test('of each kind is open while nothing has ended it', async () => {
    expect(await (await everyWayIn(await anAccount()))(undefined)).toEqual(allOpen);
  });

  test.each(endings)('is closed, or stays, after %s', async (_, end, expected) => {
    const account = await anAccount();
    const look = await everyWayIn(account);
    expect(await end(account)).toMatchObject({ status: 200 });
    expect(await look(undefined)).toEqual(expected);
  });

  test('stays open for the one who changed the password there', async () => {
    const account = await anAccount();
    const body = { password: newPassword, currentPassword: password };
    expect((await app.anyone.call(accounts.update, { headers: by(account), body })).status).toBe(200);
    expect((await app.anyone.call(accounts.me, { headers: by(account) })).status).toBe(200);
  });
});

/** What somebody may be in the middle of when the account is taken back: begun before, finished after. */
const attempts: [string, (account: Account) => Promise<() => Promise<unknown>>][] = [
  ['a sign-in with the old password', async (account) => () => signIn(account)],
  [
    'a sign-in with a code',
    async (account) => {
      const use = await tickets['two-factor'](account);
      return () => use(account);
    },
  ],
  [
    'a sign-in with a passkey',
    async (account) => {
      const { add, enter } = await addPasskey(account);
      await add();
      return enter;
    },
  ],
  [
    'a sign-in with Google',
    async (account) => {
      await (
        await beginLink(account)
      )();
      return beginGoogle(account);
    },
  ],
  ['an email that is confirmed', async (account) => bind(account, await tickets['verify-email'](account))],
  ['another email', async (account) => bind(account, await tickets['change-email'](account))],
  ['another reset', async (account) => bind(account, await tickets['reset-password'](account))],
  ['a passkey that is added', async (account) => (await addPasskey(account)).add],
  ['a link to Google', (account) => beginLink(account)],
  [
    'an authenticator app',
    async (account) => {
      const { secret } = (await app.anyone.call(security.startTwoFactor, { headers: by(account) })).body.data;
      return () => app.anyone.call(security.enableTwoFactor, { headers: by(account), body: { code: codeOf(secret) } });
    },
  ],
  [
    'an API key',
    async (account) => () =>
      app.anyone.call(keys.create, { headers: by(account), body: { name: 'k', scopes: ['read', 'chat'] } }),
  ],
  [
    'a new password',
    async (account) => () =>
      app.anyone.call(accounts.update, { headers: by(account), body: { password: 'yet another password' } }),
  ],
  [
    'a new address',
    async (account) => () =>
      app.anyone.call(accounts.update, { headers: by(account), body: { email: `evil-${account.email}` } }),
  ],
  ['an export', async (account) => () => app.anyone.call(accounts.export, { headers: by(account) })],
  ['deleting the account', async (account) => () => app.anyone.call(accounts.remove, { headers: by(account) })],
];
const bind = (account: Account, use: (now: Device) => Promise<number>) => () => use(account);

test.each(attempts)('nothing comes of %s that a reset overtakes', async (_, begin) => {
  const account = await anAccount();
  const attempt = await begin(account);
  const { context } = app.server;
  const hash = await hashPassword(newPassword);
  let afterwards: Awaited<ReturnType<typeof stateOf>> | undefined;
  const takeBack = async (trx: Trx) => {
    await updateUser(trx, account.uuid, { password_hash: hash });
    await shutOut(context, trx, account.uuid);
    const row = await trx
      .selectFrom('user')
      .select(['email', 'totp_since', 'totp_secret'])
      .where('uuid', '=', account.uuid);
    const [user] = await row.execute();
    afterwards = {
      user: user ? [{ ...user, password_hash: hash, pending_email: null }] : [],
      sessions: [],
      passkeys: [],
      links: [],
      apiKeys: [],
    };
  };
  await during(app, takeBack, [attempt]);
  expect(await stateOf(account)).toEqual(afterwards);
  expect(await context.db.selectFrom('ticket').select('kind').where('user', '=', account.uuid).execute()).toEqual([]);
});

test('links that were mailed to the old address are worth nothing once there is a new one', async () => {
  const account = await anAccount();
  const change = await tickets['change-email'](account);
  const recover = await tickets['reset-password'](account);
  expect(await change(account)).toBe(200);
  expect(await recover(account)).toBe(400);
});

describe('a mail tells of', () => {
  const changes: [string, (account: Account) => Promise<unknown>, { en: RegExp; ja: RegExp }][] = [
    [
      'a passkey that was added',
      async (account) => (await addPasskey(account)).add(),
      { en: /passkey was added/, ja: /パスキーが追加/ },
    ],
    [
      'a passkey that was removed',
      async (account) => {
        const { uuid } = (await (await addPasskey(account)).add()).body.data;
        return app.anyone.call(security.removePasskey, { headers: by(account), params: { uuid } });
      },
      { en: /passkey was removed/, ja: /パスキーが削除/ },
    ],
    ['an authenticator app', withApp, { en: /turned on/, ja: /有効になりました/ }],
    [
      'new backup codes',
      async (account) => {
        await withApp(account);
        return app.anyone.call(security.renewBackupCodes, { headers: by(account) });
      },
      { en: /backup codes/, ja: /バックアップコード/ },
    ],
    [
      'an app that is no longer asked for',
      async (account) => {
        await withApp(account);
        return app.anyone.call(security.disableTwoFactor, { headers: by(account) });
      },
      { en: /turned off/, ja: /無効になりました/ },
    ],
    [
      'an app that the operator took away',
      async (account) => {
        await withApp(account);
        return app.anyone.call(operator.resetTwoFactor, { headers: by(boss), params: { uuid: account.uuid } });
      },
      { en: /turned off/, ja: /無効になりました/ },
    ],
    [
      'Google, linked',
      async (account) => (await beginLink(account))(),
      { en: /was linked/, ja: /Googleと連携しました/ },
    ],
    [
      'Google, unlinked',
      async (account) => {
        await (
          await beginLink(account)
        )();
        return app.anyone.call(security.unlinkGoogle, { headers: by(account) });
      },
      { en: /unlinked/, ja: /連携が解除/ },
    ],
    [
      'a new password',
      (account) => app.anyone.call(accounts.update, { headers: by(account), body: { password: newPassword } }),
      { en: /password was changed/, ja: /パスワードが変更/ },
    ],
    [
      'a password that was reset',
      async (account) => (await tickets['reset-password'](account))(account),
      { en: /new password/, ja: /再設定されました/ },
    ],
    [
      'another address',
      async (account) => (await tickets['change-email'](account))(account),
      { en: /email was changed/, ja: /変更されました/ },
    ],
  ];

  test.each(changes)('%s, in the language of the person', async (_, change, subject) => {
    for (const locale of ['en', 'ja'] as const) {
      const account = await anAccount(locale);
      await change(account);
      app.server.context.queue.wake();
      await eventually(`a mail in ${locale}`, async () =>
        mailsTo(account.email).some((one) => subject[locale].test(one.subject ?? '')),
      );
    }
  });

  test('another address, to that address too', async () => {
    const account = await anAccount();
    await (
      await tickets['change-email'](account)
    )(account);
    await eventually('a mail to each', async () =>
      [account.email, `new-${account.email}`].every((email) =>
        mailsTo(email).some((one) => /was changed/.test(one.subject ?? '')),
      ),
    );
  });
});
