import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { operator } from '../../../shared/contracts/operator.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import type { Route } from '../../../shared/route.ts';
import { newId } from '../../infra/db.ts';
import { during, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { updateUser } from '../users/users.ts';

const unknown = '00000000-0000-7000-8000-000000000000';
const password = 'correct horse battery';

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp();
  boss = await app.aPerson();
});
afterAll(() => app.stop());

const outcome = (reply: { status: number; error?: { code: string } }) => [reply.status, reply.error?.code];
const of = (person: Person) => ({ params: { uuid: person.user.uuid } });
const see = async (person: Person) => (await boss.call(operator.user, of(person))).body.data;
const auditAbout = async (person: Person) =>
  (await boss.call(operator.audit, { query: { q: person.user.username } })).body.data
    .filter((entry) => entry.actor?.uuid === boss.user.uuid)
    .map((entry) => entry.action);
const signIn = (person: Person, secret = password) =>
  app.anyone.call(accounts.signIn, { body: { identifier: person.user.username, password: secret } });

async function connect(person: Person) {
  const socket = io(app.url, {
    path: '/socket.io',
    transports: ['websocket'],
    auth: { token: person.jwt },
    forceNew: true,
    reconnection: false,
  });
  await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject));
  return socket;
}

test('the area is for operators: for nobody else, and for no key', async () => {
  const person = await app.aPerson();
  const { key } = (
    await boss.call(keys.create, { body: { name: 'all', scopes: ['chat', 'read', 'converse', 'edit'] } })
  ).body.data;
  for (const route of Object.values(operator) as Route[]) {
    const path = route.path.replace(':uuid', person.user.uuid);
    const ask = (authorization: string) => app.anyone.fetch(path, { method: route.method, headers: { authorization } });
    expect([route.path, (await ask(`Bearer ${person.jwt}`)).status]).toEqual([route.path, 403]);
    expect([route.path, (await ask(`Bearer ${key}`)).status]).toEqual([route.path, 403]);
    expect([route.path, (await ask('')).status]).toEqual([route.path, 401]);
  }
  expect(await see(person)).toMatchObject({ operator: false, suspendedAt: null });
});

describe('the list of accounts', () => {
  test('tells what an operator needs to know of each', async () => {
    const person = await app.aPerson();
    await person.call(workspaces.create, { body: { name: 'Second' } });
    await app.server.context.db
      .insertInto('identity')
      .values({
        provider: 'google',
        subject: person.user.uuid,
        user: person.user.uuid,
        email: 'x@example.com',
        created_at: Date.now(),
      })
      .execute();
    expect(await see(person)).toMatchObject({
      username: person.user.username,
      email: person.user.email,
      operator: false,
      twoFactor: false,
      providers: ['local', 'google'],
      suspendedAt: null,
      suspendedFor: null,
      workspaces: 2,
      lastSeenAt: expect.any(String),
    });
    const { data } = (await boss.call(operator.users, { query: { q: person.user.email.toUpperCase() } })).body;
    expect(data).toEqual([await see(person)]);
    expect(JSON.stringify(data)).not.toContain('hash');
  });

  test('goes page by page, newest first, without losing or repeating one', async () => {
    const people = [];
    for (const at of [1, 2, 3, 4, 5]) people.push(await app.aPerson(`paged_${at}`));
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await boss.call(operator.users, { query: { limit: 2, q: 'paged_', cursor } });
      seen.push(...body.data.map((user) => user.uuid));
      cursor = body.meta.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(people.map((person) => person.user.uuid).toReversed());
    expect((await boss.call(operator.users, { query: { q: '%' } })).body.data).toEqual([]);
  });

  test('can be narrowed by state', async () => {
    const [plain, suspended, second, verified] = [
      await app.aPerson('state-plain'),
      await app.aPerson('state-suspended'),
      await app.aPerson('state-operator'),
      await app.aPerson('state-verified'),
    ];
    await boss.call(operator.suspend, of(suspended));
    await boss.call(operator.setOperator, { ...of(second), body: { operator: true } });
    await app.server.context.db
      .updateTable('user')
      .set({ email_verified: 1 })
      .where('uuid', '=', verified.user.uuid)
      .execute();
    const names = async (state: 'all' | 'active' | 'suspended' | 'unverified' | 'operators') =>
      (await boss.call(operator.users, { query: { state, q: 'state-' } })).body.data.map((user) => user.username);
    expect(await names('suspended')).toEqual([suspended.user.username]);
    expect(await names('operators')).toEqual([second.user.username]);
    expect(await names('active')).toEqual([verified, second, plain].map((person) => person.user.username));
    expect(await names('unverified')).not.toContain(verified.user.username);
    expect(await names('all')).toHaveLength(4);
    await boss.call(operator.setOperator, { ...of(second), body: { operator: false } });
  });

  test('an account that is not there is a 404, whatever is done with it', async () => {
    for (const uuid of [unknown, 'nonsense', "' or 1=1"]) {
      for (const route of [
        operator.user,
        operator.suspend,
        operator.restore,
        operator.resetTwoFactor,
        operator.resetPassword,
      ] as const)
        expect((await boss.call(route, { params: { uuid } })).status).toBe(404);
      expect((await boss.call(operator.setOperator, { params: { uuid }, body: { operator: true } })).status).toBe(404);
    }
    expect((await boss.call(operator.suspend, { params: { uuid: unknown } })).error.code).toBe('user-not-found');
  });
});

describe('suspending', () => {
  test('ends sessions, keys and connections at once; restoring lets the person in again', async () => {
    const person = await app.aPerson();
    const { key } = (await person.call(keys.create, { body: { name: 'k', scopes: ['read'] } })).body.data;
    const withKey = () => app.anyone.call(bots.list, { headers: { authorization: `Bearer ${key}` } });
    expect((await withKey()).status).toBe(200);
    const socket = await connect(person);
    const { body } = await boss.call(operator.suspend, { ...of(person), body: { reason: 'spam' } });
    expect(body.data).toMatchObject({ suspendedAt: expect.any(String), suspendedFor: 'spam', lastSeenAt: null });
    expect((await person.call(bots.list)).status).toBe(401);
    expect((await withKey()).status).toBe(401);
    await eventually('the connection ends', async () => socket.disconnected, 10_000);
    expect(outcome(await signIn(person))).toEqual([403, 'account-suspended']);
    expect(await auditAbout(person)).toEqual(['user.suspended']);

    expect((await boss.call(operator.restore, of(person))).body.data).toMatchObject({
      suspendedAt: null,
      suspendedFor: null,
    });
    expect((await signIn(person)).status).toBe(200);
    expect((await person.call(bots.list)).status).toBe(401);
    expect((await withKey()).status).toBe(200);
    expect(await auditAbout(person)).toEqual(['user.restored', 'user.suspended']);
  });

  test('keeps the moment of an earlier suspension, even of one at the same moment', async () => {
    const person = await app.aPerson();
    const moment = Date.now() - 60_000;
    await during(app, (trx) => updateUser(trx, person.user.uuid, { suspended_at: moment }), [
      () => boss.call(operator.suspend, { ...of(person), body: { reason: 'spam' } }),
    ]);
    const suspendedAt = new Date(moment).toISOString();
    expect(await see(person)).toMatchObject({ suspendedAt, suspendedFor: 'spam' });
    await boss.call(operator.suspend, of(person));
    expect(await see(person)).toMatchObject({ suspendedAt, suspendedFor: null });
  });

  test('nobody suspends themselves', async () => {
    expect(outcome(await boss.call(operator.suspend, of(boss)))).toEqual([422, 'yourself']);
    expect((await see(boss)).suspendedAt).toBeNull();
  });
});

describe('operators', () => {
  test('make others operators, and no longer', async () => {
    const person = await app.aPerson();
    expect(
      (await boss.call(operator.setOperator, { ...of(person), body: { operator: true } })).body.data.operator,
    ).toBe(true);
    expect((await person.call(operator.users)).status).toBe(200);
    expect(
      (await boss.call(operator.setOperator, { ...of(person), body: { operator: false } })).body.data.operator,
    ).toBe(false);
    expect(outcome(await person.call(operator.users))).toEqual([403, 'not-allowed']);
    expect(await auditAbout(person)).toEqual(['user.operator-off', 'user.operator-on']);
  });

  test('never end: the last one stays', async () => {
    expect(outcome(await boss.call(operator.setOperator, { ...of(boss), body: { operator: false } }))).toEqual([
      422,
      'last-operator',
    ]);
    // Written in capitals it is the same person on Postgres, and nobody on SQLite.
    const capitals = { params: { uuid: boss.user.uuid.toUpperCase() } };
    expect([404, 422]).toContain(
      (await boss.call(operator.setOperator, { ...capitals, body: { operator: false } })).status,
    );
    expect([404, 422]).toContain((await boss.call(operator.suspend, capitals)).status);
    expect(await see(boss)).toMatchObject({ operator: true, suspendedAt: null });
  });

  test('who are suspended do not count', async () => {
    const other = await app.aPerson();
    await boss.call(operator.setOperator, { ...of(other), body: { operator: true } });
    await boss.call(operator.suspend, of(other));
    expect(outcome(await boss.call(operator.setOperator, { ...of(boss), body: { operator: false } }))).toEqual([
      422,
      'last-operator',
    ]);
    await boss.call(operator.setOperator, { ...of(other), body: { operator: false } });
  });

  test('who take it from each other at the same moment leave one', async () => {
    const own = await startTestApp();
    try {
      const { db } = own.server.context;
      const [first, second] = [await own.aPerson(), await own.aPerson()];
      const take = (by: Person, from: Person) =>
        by.call(operator.setOperator, { ...of(from), body: { operator: false } });
      for (let round = 0; round < 20; round++) {
        await db.updateTable('user').set({ is_operator: 1 }).execute();
        await Promise.all([take(first, second), take(second, first)]);
        expect(await db.selectFrom('user').select('uuid').where('is_operator', '=', 1).execute()).toHaveLength(1);
      }
    } finally {
      await own.stop();
    }
  });
});

describe('who lost the way in', () => {
  test('gets in without second factor and passkeys after these were reset, and is signed out everywhere', async () => {
    const person = await app.aPerson();
    const { db } = app.server.context;
    const user = person.user.uuid;
    const now = Date.now();
    await db
      .updateTable('user')
      .set({ totp_secret: 'sealed', totp_since: now, totp_step: 1 })
      .where('uuid', '=', user)
      .execute();
    await db.insertInto('backup_code').values({ user, hash: 'x' }).execute();
    await db
      .insertInto('passkey')
      .values({
        uuid: newId(),
        user,
        name: 'Phone',
        credential_id: user,
        public_key: 'x',
        counter: 0,
        transports: '[]',
        last_used_at: null,
        created_at: now,
        updated_at: now,
      })
      .execute();
    expect(await see(person)).toMatchObject({ twoFactor: true, providers: ['local', 'passkey'] });
    const { body } = await boss.call(operator.resetTwoFactor, of(person));
    expect(body.data).toMatchObject({ twoFactor: false, providers: ['local'], lastSeenAt: null });
    expect(
      await db
        .selectFrom('user')
        .select(['totp_secret', 'totp_since', 'totp_step'])
        .where('uuid', '=', user)
        .executeTakeFirst(),
    ).toEqual({ totp_secret: null, totp_since: null, totp_step: null });
    expect(await db.selectFrom('backup_code').selectAll().where('user', '=', user).execute()).toEqual([]);
    expect((await person.call(bots.list)).status).toBe(401);
    expect((await signIn(person)).body).toMatchObject({ jwt: expect.any(String) });
    expect(await auditAbout(person)).toEqual(['user.two-factor-reset']);
  });

  test('sets a new password with a link that is good once, for half an hour', async () => {
    const person = await app.aPerson();
    const { url, expiresAt } = (await boss.call(operator.resetPassword, of(person))).body.data;
    const link = new URL(url);
    expect(link.pathname).toBe('/Reset-Password');
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 30 * 60_000)).toBeLessThan(5000);
    const code = link.searchParams.get('code') ?? '';
    const { db } = app.server.context;
    expect(
      JSON.stringify([
        await db.selectFrom('ticket').selectAll().execute(),
        await db.selectFrom('audit').selectAll().execute(),
        app.logs,
      ]),
    ).not.toContain(code);
    expect(
      (
        await app.anyone.call(accounts.resetPassword, {
          body: { code, password: 'another horse battery', passwordConfirmation: 'another horse battery' },
        })
      ).status,
    ).toBe(200);
    expect(
      (
        await app.anyone.call(accounts.resetPassword, {
          body: { code, password: 'yet another battery', passwordConfirmation: 'yet another battery' },
        })
      ).error.code,
    ).toBe('code-invalid');
    expect((await signIn(person)).status).toBe(401);
    expect((await signIn(person, 'another horse battery')).status).toBe(200);
    expect(await auditAbout(person)).toEqual(['user.reset-link']);
  });

  test('is never oneself', async () => {
    for (const route of [operator.resetTwoFactor, operator.resetPassword] as const)
      expect(outcome(await boss.call(route, of(boss)))).toEqual([422, 'yourself']);
    expect((await boss.call(operator.health)).status).toBe(200);
  });
});

test('registration is open until an operator closes it, and that is in the log', async () => {
  expect((await boss.call(operator.settings)).body.data).toEqual({ registration: 'open' });
  expect((await boss.call(operator.changeSettings, { body: { registration: 'closed' } })).body.data).toEqual({
    registration: 'closed',
  });
  const refused = await app.anyone.call(accounts.register, {
    body: { username: 'late', email: 'late@example.com', password },
  });
  expect(outcome(refused)).toEqual([403, 'registration-closed']);
  expect((await boss.call(operator.changeSettings, { body: {} })).body.data).toEqual({ registration: 'closed' });
  expect((await boss.call(operator.changeSettings, { body: { registration: 'open' } })).body.data).toEqual({
    registration: 'open',
  });
  expect(
    (await boss.call(operator.audit, { query: { action: 'settings.changed' } })).body.data.map(
      (entry) => entry.details,
    ),
  ).toEqual([{ registration: 'open' }, { registration: 'closed' }]);
  expect((await boss.call(operator.users, { query: { q: 'late@example.com' } })).body.data).toEqual([]);
});

describe('the audit log', () => {
  test('tells who did what, where, and from where, and can be narrowed', async () => {
    const person = await app.aPerson('Aiko');
    const { uuid } = (await person.call(workspaces.create, { body: { name: 'Aiko 商店' } })).body.data;
    const until = new Date().toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    await person.call(workspaces.create, { body: { name: 'Later' } });
    const entries = async (query: object) => (await boss.call(operator.audit, { query })).body.data;
    const [made] = await entries({ action: 'workspace.created', q: '商店' });
    expect(made).toMatchObject({
      action: 'workspace.created',
      actor: { uuid: person.user.uuid, name: 'Aiko' },
      workspace: { uuid, name: 'Aiko 商店' },
      subject: 'Aiko 商店',
      details: {},
      address: '127.0.0.1',
    });
    const subjects = async (query: object) =>
      (await entries({ user: person.user.uuid, action: 'workspace.created', ...query })).map((entry) => entry.subject);
    expect(await subjects({})).toEqual(['Later', 'Aiko 商店']);
    expect(await subjects({ until })).toEqual(['Aiko 商店']);
    expect(await subjects({ from: until })).toEqual(['Later']);
    expect(await subjects({ q: '%' })).toEqual([]);
    expect((await boss.fetch('/api/operator/audit?from=yesterday')).status).toBe(400);
  });

  test('goes page by page', async () => {
    const person = await app.aPerson();
    for (const name of ['1', '2', '3', '4', '5']) await person.call(workspaces.create, { body: { name } });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await boss.call(operator.audit, {
        query: { limit: 2, user: person.user.uuid, action: 'workspace.created', cursor },
      });
      seen.push(...body.data.map((entry) => entry.subject));
      cursor = body.meta.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(['5', '4', '3', '2', '1']);
  });

  test('is a CSV file for spreadsheets, in which nothing is calculated', async () => {
    const person = await app.aPerson();
    const names = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a,"b"\nc', '商店'];
    for (const name of names) expect((await person.call(workspaces.create, { body: { name } })).status).toBe(201);
    // A name is trimmed; what came another way is made harmless all the same. Later by a millisecond, since entries of one have no order.
    await app.server.context.db
      .insertInto('audit')
      .values({
        uuid: newId(),
        created_at: Date.now() + 1,
        action: 'workspace.created',
        user: person.user.uuid,
        actor: '\r=1',
        workspace: null,
        workspace_name: '\t=1',
        subject: '=cmd',
        details: '{"a":"=1"}',
        address: '',
      })
      .execute();
    const response = await boss.fetch(`/api/operator/audit/export?user=${person.user.uuid}&action=workspace.created`);
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('content-disposition'),
    ]).toEqual([
      200,
      'text/csv; charset=utf-8',
      expect.stringMatching(/^attachment; filename="kotae-audit-\d{4}-\d\d-\d\d\.csv"$/),
    ]);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    const [header, forged, ...rows] = parse(bytes, { bom: true, relax_quotes: false }) as string[][];
    expect(header).toEqual(['time', 'action', 'actor', 'workspace', 'subject', 'details', 'address']);
    expect(forged?.slice(2, 6)).toEqual(["'\r=1", "'\t=1", "'=cmd", '{"a":"=1"}']);
    expect(rows.map((row) => row[4]).toReversed()).toEqual([
      "'=1+1",
      "'+1",
      "'-1",
      "'@SUM(A1)",
      "'=1",
      'a,"b"\nc',
      '商店',
    ]);
    expect(rows[0]).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      'workspace.created',
      person.user.username,
      '商店',
      '商店',
      '{}',
      '127.0.0.1',
    ]);
  });

  test('comes whole, however long it is', async () => {
    const user = newId();
    const row = {
      created_at: Date.now(),
      action: 'test.many',
      user,
      actor: 'many',
      workspace: null,
      workspace_name: '',
      details: '{}',
      address: '',
    };
    for (let at = 0; at < 1300; at += 100)
      await app.server.context.db
        .insertInto('audit')
        .values(Array.from({ length: 100 }, (_, offset) => ({ ...row, uuid: newId(), subject: String(at + offset) })))
        .execute();
    const text = await (await boss.fetch(`/api/operator/audit/export?user=${user}`)).text();
    expect(new Set(parse(text, { bom: true, from_line: 2 }).map((each: string[]) => each[4])).size).toBe(1300);
    expect(text.trim().split('\n')).toHaveLength(1301);
  });
});

describe('mails', () => {
  test('that are kept can be handed over by their link', async () => {
    const person = await app.aPerson();
    await app.anyone.call(accounts.forgotPassword, { body: { email: person.user.email } });
    const mail = await eventually('it is kept', async () =>
      (await boss.call(operator.mails, { query: { limit: 100 } })).body.data.find(
        (each) => each.recipient === person.user.email && each.state === 'kept',
      ),
    );
    expect(mail).toMatchObject({ kind: 'reset-password', error: null });
    expect(new URL(mail.link ?? '').searchParams.get('code')).toBeTruthy();
  });

  test('lose their link once their invitation was accepted or taken back', async () => {
    const [owner, guest] = [await app.aPerson(), await app.aPerson()];
    const linkOf = async (email: string) => {
      const { data } = (await boss.call(operator.mails, { query: { limit: 100 } })).body;
      const mail = data.find(
        ({ kind, recipient, state }) => kind === 'invitation' && recipient === email && state === 'kept',
      );
      return mail && { link: mail.link };
    };
    const email = `later-${guest.user.email}`;
    const invite = async (to: string) =>
      (await owner.call(workspaces.invite, { body: { role: 'editor', email: to, days: 7 } })).body.data;
    const [accepted, revoked] = [await invite(guest.user.email), await invite(email)];
    await eventually('both are kept', async () => (await linkOf(guest.user.email)) && (await linkOf(email)));
    expect([await linkOf(guest.user.email), await linkOf(email)]).toEqual([
      { link: accepted.url },
      { link: revoked.url },
    ]);
    await guest.call(workspaces.acceptInvitation, {
      body: { code: new URL(accepted.url).searchParams.get('code') ?? '' },
    });
    await owner.call(workspaces.revokeInvitation, { params: { uuid: revoked.uuid } });
    expect([await linkOf(guest.user.email), await linkOf(email)]).toEqual([{ link: null }, { link: null }]);
  });

  test('that failed are sent again when somebody says so, and that is in the log', async () => {
    expect((await boss.call(operator.testMail)).body).toEqual({ ok: true });
    const mail = await eventually('it is kept', async () =>
      (await boss.call(operator.mails)).body.data.find((each) => each.kind === 'test' && each.state === 'kept'),
    );
    expect(mail.recipient).toBe(boss.user.email);
    const letter = await readFile(join(app.server.context.config.DATA_DIR, 'mail', `${mail.uuid}.eml`), 'utf8');
    expect(letter).toContain(`Hello ${boss.user.username},`);
    expect(outcome(await boss.call(operator.retryMail, { params: { uuid: mail.uuid } }))).toEqual([
      404,
      'mail-not-found',
    ]);
    await app.server.context.db
      .updateTable('mail')
      .set({ state: 'failed', error: 'refused' })
      .where('uuid', '=', mail.uuid)
      .execute();
    expect((await boss.call(operator.mails)).body.data.find((each) => each.uuid === mail.uuid)).toMatchObject({
      state: 'failed',
      error: 'refused',
      link: null,
    });
    expect((await boss.call(operator.retryMail, { params: { uuid: mail.uuid } })).body.data.state).toBe('queued');
    await eventually('it is kept again', async () =>
      (await boss.call(operator.mails)).body.data.some(
        (each) => each.uuid === mail.uuid && each.state === 'kept' && each.error === null,
      ),
    );
    expect(
      (await boss.call(operator.audit, { query: { action: 'mail.retried' } })).body.data.map((entry) => [
        entry.subject,
        entry.details,
      ]),
    ).toEqual([[boss.user.email, { kind: 'test' }]]);
    expect(outcome(await boss.call(operator.retryMail, { params: { uuid: unknown } }))).toEqual([
      404,
      'mail-not-found',
    ]);
  });
});

test('health is what was measured now', async () => {
  const before = (await boss.call(operator.health)).body.data;
  const person = await app.aPerson();
  await person.call(bots.create, { body: { name: 'One more' } });
  await app.server.context.db
    .insertInto('job')
    .values({
      uuid: newId(),
      kind: 'test.never',
      lane: 'upkeep',
      payload: '{}',
      unique_key: null,
      state: 'queued',
      run_at: 1000,
      attempts: 0,
      lease_owner: null,
      lease_until: null,
      fence: 0,
      error: null,
      created_at: 0,
      updated_at: 0,
    })
    .execute();
  app.server.context.log.error({ err: new Error('the printer is on fire') }, 'something broke');
  const { data } = (await boss.call(operator.health)).body;
  expect(data).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    node: process.versions.node,
    database: { engine: process.env['TEST_ENGINE'], version: expect.stringMatching(/^\d+\.\d+/) },
    mail: { mode: 'kept', failed: 0 },
  });
  expect(data.counts).toMatchObject({
    users: before.counts.users + 1,
    workspaces: before.counts.workspaces + 1,
    bots: before.counts.bots + 1,
    sessions: before.counts.sessions + 1,
  });
  expect(data.queue).toMatchObject({ queued: before.queue.queued + 1, oldestQueuedAt: new Date(1000).toISOString() });
  expect(data.recentErrors[0]).toMatchObject({
    level: 'error',
    message: 'something broke',
    detail: 'Error: the printer is on fire',
  });
  const bot = (await person.call(bots.create, { body: { name: 'Answering' } })).body.data.uuid;
  await person.call(conversations.send, { body: { bot, message: { text: 'Hello' } } });
  const { answers } = (await boss.call(operator.health)).body.data;
  expect(answers.count).toBe(data.answers.count + 1);
  expect(answers.firstWordMs?.slow).toBeGreaterThanOrEqual(answers.firstWordMs?.median ?? Infinity);
  expect(answers.slots).toHaveLength(12);
  expect(answers.slots.reduce((sum, { count }) => sum + count, 0)).toBe(answers.count);
  for (const measured of [data.memoryBytes, data.database.bytes, data.database.pingMs, data.storage.freeBytes])
    expect(measured).toBeGreaterThan(0);
  await app.server.context.db.deleteFrom('job').where('kind', '=', 'test.never').execute();
});
