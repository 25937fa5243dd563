import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { startMailServer, type MailServer } from '../../testing/mail.ts';
import { eventually, startTestApp, type TestApp } from '../../testing/app.ts';

const password = 'correct horse battery';
let made = 0;
const aName = () => `mail${++made}${Math.random().toString(36).slice(2, 8)}`;

describe('where mail is sent', () => {
  let app: TestApp;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer();
    app = await startTestApp({ SMTP_URL: mail.url, MAIL_FROM: 'Shop <shop@example.com>' });
  });
  afterAll(async () => {
    await app.stop();
    await mail.close();
  });
  beforeEach(() => {
    mail.isBusy = false;
  });

  const register = (username: string, email = `${username}@example.com`, body: object = {}) =>
    app.anyone.call(accounts.register, { body: { username, email, password, ...body } });
  const mailTo = (address: string, subject?: RegExp) =>
    eventually(`a mail to ${address}`, async () =>
      mail.mails.findLast((one) => one.envelope.to.includes(address) && (!subject || subject.test(one.subject ?? ''))),
    );
  const linkIn = async (address: string, subject?: RegExp) =>
    new URL(/https?:\/\/\S+/.exec((await mailTo(address, subject)).text ?? '')?.[0] ?? '');
  const codeIn = async (address: string, subject?: RegExp) =>
    (await linkIn(address, subject)).searchParams.get('code') ?? '';
  const verified = async (username: string) => {
    await register(username);
    const reply = await app.anyone.call(accounts.verifyEmail, {
      body: { code: await codeIn(`${username}@example.com`) },
    });
    if (!('jwt' in reply.body)) throw new Error(JSON.stringify(reply.body));
    return reply.body;
  };
  const people = async (email: string) =>
    (await app.server.context.db.selectFrom('user').select('uuid').where('email_key', '=', email).execute()).length;

  test('an account is good after the click in the mail, which works once', async () => {
    const name = aName();
    const reply = await register(name);
    expect([reply.status, reply.body]).toEqual([202, { verify: true }]);
    expect(reply.headers.getSetCookie()).toEqual([]);
    const tooEarly = await app.anyone.call(accounts.signIn, { body: { identifier: name, password } });
    expect([tooEarly.status, tooEarly.error.code]).toEqual([403, 'email-not-verified']);
    const code = await eventually('the newest link', async () => {
      const mails = mail.mails.filter((one) => one.envelope.to.includes(`${name}@example.com`));
      return mails.length === 2 && /code=(\S+)/.exec(mails[1]?.text ?? '')?.[1];
    });
    const clicks = await Promise.all([1, 2].map(() => app.anyone.call(accounts.verifyEmail, { body: { code } })));
    expect(clicks.map((click) => click.status).toSorted()).toEqual([200, 400]);
    expect(clicks.find((click) => click.status === 200)?.body).toMatchObject({
      user: { username: name, emailVerified: true },
    });
    expect((await app.anyone.call(accounts.signIn, { body: { identifier: name, password } })).status).toBe(200);
  });

  test('the first person whose address is confirmed runs the installation', async () => {
    const own = await startTestApp({ SMTP_URL: mail.url });
    try {
      const names = [aName(), aName()];
      for (const name of names)
        await own.anyone.call(accounts.register, { body: { username: name, email: `${name}@example.com`, password } });
      const late = await own.anyone.call(accounts.verifyEmail, {
        body: { code: await codeIn(`${names[1]}@example.com`) },
      });
      const first = await own.anyone.call(accounts.verifyEmail, {
        body: { code: await codeIn(`${names[0]}@example.com`) },
      });
      expect([late.body, first.body]).toMatchObject([{ user: { operator: true } }, { user: { operator: false } }]);
    } finally {
      await own.stop();
    }
  });

  test('a taken address answers like a new one; its owner gets a mail, and nothing of theirs changes', async () => {
    const name = aName();
    await verified(name);
    const again = await register(aName(), `${name.toUpperCase()}@example.com`, { password: 'quite another password' });
    expect([again.status, again.body]).toEqual([202, { verify: true }]);
    expect((await mailTo(`${name}@example.com`, /already/)).subject).toBe('You already have an account');
    expect(await people(`${name}@example.com`)).toBe(1);
    expect(
      (await app.anyone.call(accounts.signIn, { body: { identifier: name, password: 'quite another password' } }))
        .status,
    ).toBe(401);
  });

  test('a taken name answers like a free one; a mail asks for another, and no account is made', async () => {
    const name = aName();
    await verified(name);
    const other = `${aName()}@example.com`;
    const again = await register(name.toUpperCase(), other, { locale: 'ja' });
    expect([again.status, again.body, again.headers.getSetCookie()]).toEqual([202, { verify: true }, []]);
    expect((await mailTo(other)).subject).toBe('別のユーザー名をお選びください');
    expect((await linkIn(other)).pathname).toBe('/Register');
    expect(await people(other)).toBe(0);
    // Neither says more of an address because the name is another's.
    const both = await register(name, `${name}@example.com`);
    expect([both.status, both.body]).toEqual([202, { verify: true }]);
  });

  test.each([
    ['a header', 'a@example.com\r\nBcc: victim@example.com'],
    ['a list', ['a@example.com', 'b@example.com']],
    ['a query', { $ne: 1 }],
    ['two', 'a@example.com,b@example.com'],
    ['a name', 'Eve <a@example.com>'],
  ])('an address that is %s is refused and sends nothing', async (_, email) => {
    const mails = async () => (await app.server.context.db.selectFrom('mail').select('uuid').execute()).length;
    const before = await mails();
    const response = await app.anyone.fetch('/api/auth/local/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: aName(), email, password }),
    });
    expect(response.status).toBe(400);
    const forgot = await app.anyone.fetch('/api/auth/forgot-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
    expect(forgot.status).toBe(400);
    expect(await mails()).toBe(before);
    expect(
      await app.server.context.db
        .selectFrom('job')
        .select('uuid')
        .where('kind', '=', 'accounts.forgot-password')
        .where('state', '=', 'queued')
        .execute(),
    ).toEqual([]);
  });

  test('a mail speaks the language of its reader, as text and as HTML, and a name in it is only text', async () => {
    const name = aName();
    await register(name, undefined, { locale: 'ja' });
    const japanese = await mailTo(`${name}@example.com`);
    expect(japanese.subject).toBe('メールアドレスの確認');
    expect(japanese.from?.address).toBe('shop@example.com');
    expect(japanese.html).toContain('lang="ja"');
    const person = await verified(aName());
    const workspace = '<img src=x onerror=alert(1)>';
    await app.anyone.fetch('/api/user/workspace', {
      method: 'PUT',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${person.jwt}` },
      body: JSON.stringify({ name: workspace }),
    });
    await app.anyone.fetch('/api/user/invitation', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${person.jwt}` },
      body: JSON.stringify({ role: 'staff', email: 'guest@example.com' }),
    });
    const invitation = await mailTo('guest@example.com');
    expect(invitation.html).not.toContain('<img');
    expect(invitation.text).toContain(workspace);
  });

  test('a forgotten password is asked for alike whether there is an account, and set once', async () => {
    const name = aName();
    const { jwt } = await verified(name);
    const key = await app.anyone.call(keys.create, {
      headers: { authorization: `Bearer ${jwt}` },
      body: { name: 'k', scopes: ['read'] },
    });
    const replies = await Promise.all(
      [`${name}@example.com`, 'nobody@example.com'].map((email) =>
        app.anyone.call(accounts.forgotPassword, { body: { email } }),
      ),
    );
    expect(replies.map((reply) => [reply.status, reply.body])).toEqual([
      [200, { ok: true }],
      [200, { ok: true }],
    ]);
    const code = await codeIn(`${name}@example.com`, /Set a new password/);
    const body = { code, password: 'an even better password', passwordConfirmation: 'an even better password' };
    const resets = await Promise.all([1, 2].map(() => app.anyone.call(accounts.resetPassword, { body })));
    expect(resets.map((reset) => reset.status).toSorted()).toEqual([200, 400]);
    expect((await app.anyone.call(accounts.resetPassword, { body })).error.code).toBe('code-invalid');
    expect((await app.anyone.call(accounts.signIn, { body: { identifier: name, password } })).status).toBe(401);
    expect(
      (await app.anyone.call(accounts.signIn, { body: { identifier: name, password: body.password } })).status,
    ).toBe(200);
    expect((await app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${jwt}` } })).status).toBe(401);
    expect((await app.anyone.fetch('/api/user/bots', { headers: { 'x-api-key': key.body.data.key } })).status).toBe(
      401,
    );
    expect(await mailTo(`${name}@example.com`, /You have a new/)).toBeDefined();
    expect(mail.mails.some((one) => one.envelope.to.includes('nobody@example.com'))).toBe(false);
  });

  test.each([
    ['null', null],
    ['nothing', ''],
    ['a list', []],
    ['a guess', 'x'.repeat(43)],
    ['a number', 123456],
  ])('a reset with %s as its code changes no password', async (_, code) => {
    const response = await app.anyone.fetch('/api/auth/reset-password', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        code,
        password: 'an even better password',
        passwordConfirmation: 'an even better password',
      }),
    });
    expect(response.status).toBe(400);
  });

  test("the links of mails are made of the configured address, whatever the request's headers say, and are no identity", async () => {
    const name = aName();
    await verified(name);
    await fetch(`${app.url}/api/auth/forgot-password`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-host': 'evil.example',
        forwarded: 'host=evil.example',
      },
      body: JSON.stringify({ email: `${name}@example.com` }),
    });
    const link = await linkIn(`${name}@example.com`, /Set a new password/);
    expect(link.origin).toBe(app.url);
    for (const token of [
      link.searchParams.get('code'),
      (await app.anyone.call(accounts.passkeyOptions)).body.data.ticket,
    ]) {
      expect((await app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    }
  });

  test('an account gets at most three such mails in an hour', async () => {
    const own = await startTestApp({ SMTP_URL: mail.url, RATE_LIMITS: 'true', LIMITS: 'forgot-password=100/3600' });
    try {
      const name = aName();
      await own.anyone.call(accounts.register, { body: { username: name, email: `${name}@example.com`, password } });
      for (let at = 0; at < 6; at++)
        await own.anyone.call(accounts.forgotPassword, { body: { email: `${name}@example.com` } });
      await eventually('the jobs are done', async () =>
        (await own.server.context.db.selectFrom('job').select('state').execute()).every((job) => job.state === 'done'),
      );
      expect(
        mail.mails.filter(
          (one) => one.envelope.to.includes(`${name}@example.com`) && /Set a new/.test(one.subject ?? ''),
        ),
      ).toHaveLength(3);
    } finally {
      await own.stop();
    }
  });

  test('a new address counts after the click in its mail; the old one is told, and a taken one learns nothing', async () => {
    const name = aName();
    const { jwt } = await verified(name);
    const change = (email: string) =>
      app.anyone.call(accounts.update, { headers: { authorization: `Bearer ${jwt}` }, body: { email } });
    const asked = await change(`${name}.new@example.com`);
    expect(asked.body.data).toMatchObject({ email: `${name}@example.com`, pendingEmail: `${name}.new@example.com` });
    const code = await codeIn(`${name}.new@example.com`);
    expect((await app.anyone.call(accounts.verifyEmail, { body: { code } })).body).toEqual({ changed: true });
    expect((await app.anyone.call(accounts.me, { headers: { authorization: `Bearer ${jwt}` } })).body).toMatchObject({
      email: `${name}.new@example.com`,
      pendingEmail: null,
      emailVerified: true,
    });
    expect((await mailTo(`${name}@example.com`, /was changed/)).text).toContain(`${name}.new@example.com`);
    const other = aName();
    await verified(other);
    expect((await change(`${other}@example.com`)).status).toBe(200);
    expect((await mailTo(`${other}@example.com`, /already/)).subject).toBe('You already have an account');
    expect(await people(`${other}@example.com`)).toBe(1);
  });

  test('while the mail server is busy or down registration answers all the same, and the mail comes later', async () => {
    mail.isBusy = true;
    const name = aName();
    expect((await register(name)).status).toBe(202);
    await eventually(
      'a first try',
      async () =>
        (
          await app.server.context.db
            .selectFrom('mail')
            .select('error')
            .where('recipient', '=', `${name}@example.com`)
            .executeTakeFirst()
        )?.error,
    );
    mail.isBusy = false;
    await app.server.context.db.updateTable('job').set({ run_at: 0 }).where('state', '=', 'queued').execute();
    expect((await mailTo(`${name}@example.com`)).subject).toBe('Confirm your email');
    const kept = await app.server.context.db
      .selectFrom('mail')
      .selectAll()
      .where('recipient', '=', `${name}@example.com`)
      .executeTakeFirstOrThrow();
    await eventually('it is marked as sent, and its link is forgotten', async () => {
      const row = await app.server.context.db
        .selectFrom('mail')
        .selectAll()
        .where('uuid', '=', kept.uuid)
        .executeTakeFirstOrThrow();
      return row.state === 'sent' && row.body === null;
    });
  });
});

describe('where no mail is sent', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.stop());

  test('a mail is kept in the data folder for the operator to hand over', async () => {
    const person = await app.aPerson();
    await app.anyone.call(accounts.forgotPassword, { body: { email: person.user.email } });
    const file = await eventually('the mail is there', async () => {
      const names = await Promise.resolve()
        .then(() => readdirSync(join(app.folder, 'mail')))
        .catch(() => []);
      return names.find((name) => readFileSync(join(app.folder, 'mail', name), 'utf8').includes(person.user.email));
    });
    const text = readFileSync(join(app.folder, 'mail', file), 'utf8');
    expect(text).toContain('Reset-Password');
    expect(person.user.operator).toBe(true);
    const shown = await eventually('the operator sees it', async () =>
      (await person.call(operator.mails)).body.data?.find(
        (one) => one.recipient === person.user.email && one.state === 'kept',
      ),
    );
    const code = new URL(shown.link ?? '').searchParams.get('code') ?? '';
    const reset = await app.anyone.call(accounts.resetPassword, {
      body: { code, password: 'an even better password', passwordConfirmation: 'an even better password' },
    });
    expect(reset.status).toBe(200);
  });

  test('the two passwords of a reset have to be the same', async () => {
    const reply = await app.anyone.call(accounts.resetPassword, {
      body: { code: 'x', password: 'an even better password', passwordConfirmation: 'an even bitter password' },
    });
    expect([reply.status, reply.error.details]).toMatchObject([
      400,
      { fields: [{ path: 'passwordConfirmation', code: 'password-mismatch' }] },
    ]);
  });
});
