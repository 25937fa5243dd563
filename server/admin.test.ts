import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accounts } from '../shared/contracts/accounts.ts';
import { usage } from '../shared/contracts/usage.ts';
import { eventually, startTestApp, type TestApp } from './testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.stop());

/** Runs the command as its own process, while the server runs on the same data. */
function admin(...words: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['server/admin.ts', ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...app.settings },
  });
  return { status, stdout, stderr };
}

test('who forgot the password and has no mail server gets a link from the machine, good once', async () => {
  const person = await app.aPerson();
  const { status, stdout } = admin('reset-password', person.user.email.toUpperCase());
  expect(status).toBe(0);
  const code = new URL(/http\S+/.exec(stdout)?.[0] ?? '').searchParams.get('code') ?? '';
  const body = { code, password: 'an even better password', passwordConfirmation: 'an even better password' };
  expect((await app.anyone.call(accounts.resetPassword, { body })).status).toBe(200);
  expect((await app.anyone.call(accounts.resetPassword, { body })).status).toBe(400);
  expect((await person.call(accounts.me)).status).toBe(401);
});

test('somebody can be made an operator, and be freed of a lost second factor', async () => {
  await app.aPerson();
  const person = await app.aPerson();
  await app.server.context.db
    .updateTable('user')
    .set({ totp_since: 1, totp_secret: 'x' })
    .where('uuid', '=', person.user.uuid)
    .execute();
  expect(admin('make-operator', person.user.username).status).toBe(0);
  expect((await person.call(accounts.me)).body).toMatchObject({ operator: true, twoFactor: true });
  expect(admin('reset-two-factor', person.user.username).status).toBe(0);
  const told = await eventually('the mail is kept', () =>
    app.server.context.db
      .selectFrom('mail')
      .select('kind')
      .where('recipient', '=', person.user.email)
      .where('state', '=', 'kept')
      .executeTakeFirst(),
  );
  expect(told.kind).toBe('two-factor-off');
  // There is nothing left to take away, and nothing to tell.
  expect(admin('reset-two-factor', person.user.username).status).toBe(0);
  const mails = app.server.context.db.selectFrom('mail').select('kind').where('recipient', '=', person.user.email);
  expect(await mails.execute()).toHaveLength(1);
  expect((await person.call(accounts.me)).status).toBe(401);
  expect(
    (
      await app.anyone.call(accounts.signIn, {
        body: { identifier: person.user.username, password: 'correct horse battery' },
      })
    ).body,
  ).toHaveProperty('jwt');
});

test('a name that nobody has, or no command, is told in a sentence', () => {
  expect(admin('reset-password', 'nobody')).toMatchObject({ status: 1, stderr: 'There is no account named nobody.\n' });
  expect(admin('dance').stderr).toContain('npm run admin -- reset-password');
});

test('accounts of credits are counted again from their entries', async () => {
  const person = await app.aPerson();
  const { db } = app.server.context;
  await person.call(usage.history);
  expect(admin('ledger', 'check')).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+ accounts agree/) });
  const workspace = person.user.workspaces[0]?.uuid ?? '';
  await db.updateTable('credit_account').set({ balance: 1 }).where('workspace', '=', workspace).execute();
  const { status, stdout } = admin('ledger', 'check');
  expect([status, stdout]).toEqual([1, expect.stringContaining(`${workspace}: balance is 1`)]);
});
