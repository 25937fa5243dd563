import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { newId } from '../../infra/db.ts';
import { during, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { makePasskey } from '../../testing/passkey.ts';
import { lockUser } from '../users/users.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

const password = 'correct horse battery';
const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });
const signIn = (person: Person) =>
  app.anyone.call(accounts.signIn, { body: { identifier: person.user.username, password } });
const finish = (ticket: string, code: string) => app.anyone.call(accounts.secondFactor, { body: { ticket, code } });
const forget = (person: Person) =>
  app.server.context.db.updateTable('session').set({ confirmed_at: 0 }).where('user', '=', person.user.uuid).execute();

async function ticketOf(person: Person): Promise<string> {
  const { body } = await signIn(person);
  if (!('ticket' in body)) throw new Error('no second step');
  return body.ticket;
}

/** Passkeys that nobody has the keys of. */
const putPasskeys = (person: Person, count: number) =>
  app.server.context.db
    .insertInto('passkey')
    .values(
      Array.from({ length: count }, () => ({
        uuid: newId(),
        user: person.user.uuid,
        name: 'Phone',
        credential_id: newId(),
        public_key: 'AAAA',
        counter: 0,
        transports: '[]',
        last_used_at: null,
        created_at: 0,
        updated_at: 0,
      })),
    )
    .execute();

const passkeysOf = async (person: Person) => (await person.call(security.get)).body.data.passkeys;

/** Makes the calls at the same moment, as far as they wait for whoever changes the person. */
const atOnce = <T>(person: Person, calls: (() => Promise<T>)[]) =>
  during(app, (trx) => lockUser(trx, person.user.uuid), calls);

/** Somebody with an authenticator app. The next code it shows is free to use. */
async function withApp() {
  const person = await app.aPerson();
  const { secret, url } = (await person.call(security.startTwoFactor)).body.data;
  const enabled = await person.call(security.enableTwoFactor, { body: { code: codeOf(secret, Date.now() - 30_000) } });
  return { person, secret, url, backupCodes: enabled.body.data.backupCodes };
}

describe('an authenticator app', () => {
  test('is set up with a first code, and asked for at every sign-in after that', async () => {
    const { person, secret, url, backupCodes } = await withApp();
    expect(url).toMatch(/^otpauth:\/\/totp\/Kotae:/);
    expect(backupCodes).toHaveLength(10);
    const asked = await signIn(person);
    expect(asked.body).toEqual({ twoFactor: true, ticket: expect.any(String) });
    expect(asked.headers.getSetCookie()).toEqual([]);
    const done = await finish(await ticketOf(person), codeOf(secret));
    expect(done.body).toMatchObject({
      jwt: expect.any(String),
      user: { username: person.user.username, twoFactor: true },
    });
  });

  test('does not count while its first code is missing', async () => {
    const person = await app.aPerson();
    await person.call(security.startTwoFactor);
    expect((await signIn(person)).body).toHaveProperty('jwt');
    const wrong = await person.call(security.enableTwoFactor, { body: { code: '000000' } });
    expect([wrong.status, wrong.error.details]).toMatchObject([
      400,
      { fields: [{ path: 'code', code: 'code-wrong' }] },
    ]);
    expect((await person.call(accounts.me)).body.twoFactor).toBe(false);
  });

  test('shows a code that works once, and a ticket that is dead after five wrong ones', async () => {
    const { person, secret } = await withApp();
    const code = codeOf(secret);
    expect((await finish(await ticketOf(person), code)).status).toBe(200);
    expect((await finish(await ticketOf(person), code)).status).toBe(400);
    const ticket = await ticketOf(person);
    const guesses = [];
    for (let at = 0; at < 6; at++) guesses.push((await finish(ticket, '123456')).error.code);
    expect(guesses).toEqual([...Array<string>(5).fill('validation-failed'), 'code-invalid']);
    expect((await finish(ticket, codeOf(secret, Date.now() + 30_000))).error.code).toBe('code-invalid');
  });

  test('shows a code that works once, even twice at the same moment', async () => {
    const { person, secret } = await withApp();
    const [one, other] = [await ticketOf(person), await ticketOf(person)];
    const code = codeOf(secret);
    const replies = await atOnce(person, [() => finish(one, code), () => finish(other, code)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  });

  test('is no longer asked for once it was turned off', async () => {
    const { person } = await withApp();
    expect((await person.call(security.disableTwoFactor)).status).toBe(200);
    expect((await signIn(person)).body).toHaveProperty('jwt');
    expect((await person.call(security.get)).body.data.twoFactor).toBeNull();
  });

  test('keeps its secret sealed', async () => {
    const { person, secret } = await withApp();
    const row = await app.server.context.db
      .selectFrom('user')
      .select('totp_secret')
      .where('uuid', '=', person.user.uuid)
      .executeTakeFirstOrThrow();
    expect(row.totp_secret).toMatch(/^v1\./);
    expect(row.totp_secret).not.toContain(secret);
  });
});

describe('backup codes', () => {
  test('work once each, however they are typed, even twice at the same moment', async () => {
    const { person, backupCodes } = await withApp();
    const [first = '', second = ''] = backupCodes;
    expect((await finish(await ticketOf(person), first.toUpperCase().replaceAll('-', ' '))).status).toBe(200);
    expect((await finish(await ticketOf(person), first)).status).toBe(400);
    const tickets = await Promise.all([ticketOf(person), ticketOf(person)]);
    const replies = await Promise.all(tickets.map((ticket) => finish(ticket, second)));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1);
    expect((await person.call(security.get)).body.data.twoFactor?.backupCodesLeft).toBe(8);
  });

  test('are replaced as a whole', async () => {
    const { person, backupCodes } = await withApp();
    const renewed = (await person.call(security.renewBackupCodes)).body.data.backupCodes;
    expect((await finish(await ticketOf(person), backupCodes[0] ?? '')).status).toBe(400);
    expect((await finish(await ticketOf(person), renewed[0] ?? '')).status).toBe(200);
  });

  test('that are renewed twice at the same moment are those of one of the two', async () => {
    const { person } = await withApp();
    const renew = () => person.call(security.renewBackupCodes);
    const replies = await atOnce(person, [renew, renew]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect((await person.call(security.get)).body.data.twoFactor?.backupCodesLeft).toBe(10);
  });
});

describe('what weakens an account', () => {
  const weakening: [string, (person: Person) => Promise<{ status: number; error: { code: string } }>][] = [
    ['turning the second factor off', (person) => person.call(security.disableTwoFactor)],
    ['new backup codes', (person) => person.call(security.renewBackupCodes)],
    ['another passkey', (person) => person.call(security.passkeyOptions)],
    ['a new password', (person) => person.call(accounts.update, { body: { password: 'an even better password' } })],
    ['a new address', (person) => person.call(accounts.update, { body: { email: 'elsewhere@example.com' } })],
    ['an export', (person) => person.call(accounts.export)],
    ['deleting it', (person) => person.call(accounts.remove)],
  ];
  test.each(weakening)('%s wants to know again who it is', async (_, attempt) => {
    const { person } = await withApp();
    await forget(person);
    const refused = await attempt(person);
    expect([refused.status, refused.error.code]).toEqual([403, 'confirmation-needed']);
    const wrong = await person.call(security.confirm, { body: { password: 'something else' } });
    expect([wrong.status, wrong.error.code]).toEqual([400, 'wrong-password']);
    expect((await attempt(person)).status).toBe(403);
    expect((await person.call(security.confirm, { body: { password } })).status).toBe(200);
    expect((await attempt(person)).status).toBe(200);
  });
});

describe('a passkey', () => {
  test.each([
    ['nothing', {}],
    [
      'a foreign answer',
      {
        id: 'AAAA',
        rawId: 'AAAA',
        type: 'public-key',
        response: { clientDataJSON: 'e30', authenticatorData: 'AA', signature: 'AA' },
      },
    ],
    ['rubbish', { id: 5, response: null }],
  ])('that answers with %s signs nobody in', async (_, response) => {
    const { ticket } = (await app.anyone.call(accounts.passkeyOptions)).body.data;
    const reply = await app.anyone.call(accounts.passkey, { body: { ticket, response } });
    expect([reply.status, reply.error.code]).toEqual([400, 'code-invalid']);
  });

  test('is added only with the answer to a question that was asked of this person', async () => {
    const person = await app.aPerson();
    const other = await app.aPerson();
    const { ticket, options } = (await other.call(security.passkeyOptions)).body.data;
    expect(options).toMatchObject({
      rp: { name: 'Kotae', id: 'localhost' },
      authenticatorSelection: { userVerification: 'required' },
    });
    for (const asker of [person, other])
      expect(
        (await asker.call(security.addPasskey, { body: { ticket, name: 'key', response: { id: 'AAAA' } } })).status,
      ).toBe(400);
    expect(await passkeysOf(other)).toEqual([]);
  });

  test('is the twentieth at most, also of those that are added at the same moment', async () => {
    const person = await app.aPerson();
    await putPasskeys(person, 19);
    const add = async () => {
      const { ticket, options } = (await person.call(security.passkeyOptions)).body.data;
      const { challenge } = options;
      const origin = new URL(app.server.context.links.to('/', {})).origin;
      const response = makePasskey().create({ challenge: String(challenge), rpId: 'localhost', origin });
      return () => person.call(security.addPasskey, { body: { ticket, name: 'Phone', response } });
    };
    const replies = await atOnce(person, [await add(), await add()]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422]);
    expect(replies.find(({ status }) => status === 422)?.error).toMatchObject({
      code: 'too-many',
      details: { limit: 20 },
    });
    expect(await passkeysOf(person)).toHaveLength(20);
  });

  test('that is the last way in stays, even when both that are left are removed at the same moment', async () => {
    const person = await app.aPerson();
    await putPasskeys(person, 2);
    const { db } = app.server.context;
    await db.updateTable('user').set({ password_hash: null }).where('uuid', '=', person.user.uuid).execute();
    const replies = await atOnce(
      person,
      (await passkeysOf(person)).map(
        ({ uuid }) =>
          () =>
            person.call(security.removePasskey, { params: { uuid } }),
      ),
    );
    expect(replies.map(({ status, error }) => [status, error?.code]).toSorted()).toEqual([
      [200, undefined],
      [422, 'last-way-in'],
    ]);
    expect(await passkeysOf(person)).toHaveLength(1);
  });

  test('and a Google account do not go at the same moment where nothing else lets in', async () => {
    const person = await app.aPerson();
    const user = person.user.uuid;
    await putPasskeys(person, 1);
    const { db } = app.server.context;
    await db
      .insertInto('identity')
      .values({ provider: 'google', subject: user, user, email: 'x@example.com', created_at: 0 })
      .execute();
    await db.updateTable('user').set({ password_hash: null }).where('uuid', '=', user).execute();
    const [passkey] = await passkeysOf(person);
    const replies = await atOnce<{ status: number }>(person, [
      () => person.call(security.removePasskey, { params: { uuid: passkey?.uuid ?? '' } }),
      () => person.call(security.unlinkGoogle),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 422]);
  });
});
