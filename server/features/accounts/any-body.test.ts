import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { errors, type ErrorReply } from '../../../shared/errors.ts';
import type { Route } from '../../../shared/route.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startTestApp();
  await app.aPerson();
  person = await app.aPerson('somebody');
});
afterAll(() => app.stop());

/** Strings that somebody would try, beside any that there are. */
const hostile = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000@example.com',
  '\ud83d',
  'somebody',
  'SOMEBODY@example.com',
  'somebody@example.com',
  'somebody@example.com\r\nBcc: x@example.com',
  'correct horse battery',
  '__proto__',
  "' or 1=1 --",
  '🐙'.repeat(64),
  '{"$ne":1}',
  'NaN',
  '1e400',
);
const text = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 300 }), hostile, fc.emailAddress());
const anything = fc.oneof(
  text,
  fc.jsonValue({ maxDepth: 3 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
  fc.array(text, { maxLength: 3 }),
);

/** Now any JSON at all, now the fields of the route with anything in them, one of them missing or too many. */
const bodyOf = (fields: string[]) =>
  fc.oneof(
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
    {
      weight: 3,
      arbitrary: fc.record(Object.fromEntries(fields.map((field) => [field, anything])), { requiredKeys: [] }),
    },
    { weight: 3, arbitrary: fc.record(Object.fromEntries(fields.map((field) => [field, text]))) },
    {
      weight: 1,
      arbitrary: fc.record({ ...Object.fromEntries(fields.map((field) => [field, text])), role: fc.constant('admin') }),
    },
  );

const tables = [
  'user',
  'session',
  'mail',
  'ticket',
  'workspace',
  'member',
  'invitation',
  'api_key',
  'passkey',
  'identity',
  'backup_code',
] as const;
const countRows = async () =>
  Object.fromEntries(
    await Promise.all(
      tables.map(
        async (table) =>
          [
            table,
            Number(
              (
                await app.server.context.db
                  .selectFrom(table)
                  .select((select) => select.fn.countAll().as('rows'))
                  .executeTakeFirstOrThrow()
              ).rows,
            ),
          ] as const,
      ),
    ),
  );

const routes: [string, Route, string[]][] = [
  ['registering', accounts.register, ['username', 'email', 'password', 'locale', 'timezone', 'invitation', 'setup']],
  ['signing in', accounts.signIn, ['identifier', 'password']],
  ['a second step', accounts.secondFactor, ['ticket', 'code']],
  ['a forgotten password', accounts.forgotPassword, ['email']],
  ['a new password', accounts.resetPassword, ['code', 'password', 'passwordConfirmation']],
  ['the click in a mail', accounts.verifyEmail, ['code']],
  ['a passkey', accounts.passkey, ['ticket', 'response']],
  ['looking at an invitation', workspaces.showInvitation, ['code']],
  ['accepting an invitation', workspaces.acceptInvitation, ['code']],
  ['inviting', workspaces.invite, ['role', 'email', 'days']],
  ['confirming', security.confirm, ['password', 'ticket', 'response']],
  ['adding a passkey', security.addPasskey, ['ticket', 'name', 'response']],
  ['a code of the app', security.enableTwoFactor, ['code']],
];

describe('whatever JSON is sent', () => {
  test.each(routes)(
    'for %s is done, or refused in the one form of errors with nothing changed',
    async (_, route, fields) => {
      await fc.assert(
        fc.asyncProperty(bodyOf(fields), async (body) => {
          // What an earlier call set going is over first.
          await eventually(
            'no job is left',
            async () =>
              (
                await app.server.context.db
                  .selectFrom('job')
                  .select('uuid')
                  .where('state', 'in', ['queued', 'running'])
                  .execute()
              ).length === 0,
          );
          const before = await countRows();
          const response = await (route.access === 'anyone' ? app.anyone : person).fetch(route.path, {
            method: route.method,
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify(body) ?? 'null',
          });
          const reply: ErrorReply = JSON.parse(await response.text());
          if (response.ok) return;
          expect(response.status).toBeLessThan(500);
          expect(Object.keys(errors)).toContain(reply.error.code);
          expect(reply).toMatchObject({
            data: null,
            error: { status: response.status, message: expect.stringMatching(/\S/) },
          });
          expect(await countRows()).toEqual(before);
        }),
        { numRuns: 20 },
      );
    },
  );
});

test('the person is still who they were, and nothing went wrong on the way', async () => {
  expect((await person.call(accounts.me)).body).toMatchObject({
    username: 'somebody',
    email: 'somebody@example.com',
    operator: false,
    twoFactor: false,
  });
  expect(
    (await app.anyone.call(accounts.signIn, { body: { identifier: 'somebody', password: 'correct horse battery' } }))
      .status,
  ).toBe(200);
  expect(app.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});
