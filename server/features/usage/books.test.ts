import { afterAll, beforeAll, expect, test } from 'vitest';
import { operator } from '../../../shared/contracts/operator.ts';
import { microPerCredit, usage } from '../../../shared/contracts/usage.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { checkBooks, keepBooks } from './books.ts';
import { nobody } from './accounts.ts';
import { reserve, settle } from './ledger.ts';

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp({ CREDIT_GRANT: '100' });
  boss = await app.aPerson();
});
afterAll(() => app.stop());

const workspaceOf = (person: Person) => person.user.workspaces[0]?.uuid ?? '';

/** Answers that cost a thousandth of a credit each; the last is still on its way. */
async function answered(workspace: string, count: number) {
  const { context } = app.server;
  for (let at = 0; at < count; at++) {
    const message = newId();
    await context.write((trx) => reserve(context, trx, { workspace, message, amount: microPerCredit }), {
      mixes: true,
    });
    const use = { ...nobody, workspace, message, channel: 'app' };
    if (at < count - 1)
      await context.write((trx) => settle(context, trx, message, { use, cost: 1000 }), { mixes: true });
  }
}

test('accounts agree with their entries, and what does not is found and told to whoever runs the server', async () => {
  const { db } = app.server.context;
  const [fine, wrong] = [workspaceOf(await app.aPerson()), workspaceOf(await app.aPerson())];
  for (const workspace of [fine, wrong]) await answered(workspace, 5);
  const quiet = await checkBooks(db);
  expect(quiet.faults).toEqual([]);
  expect(quiet.accounts).toBeGreaterThanOrEqual(2);
  const told = (await db.selectFrom('credit_account').selectAll().where('workspace', '=', wrong).executeTakeFirst())!;
  await db
    .updateTable('credit_account')
    .set({ balance: told.balance + 7, reserved: told.reserved + 1 })
    .where('workspace', '=', wrong)
    .execute();
  const found = await keepBooks(app.server.context);
  expect(found.faults).toEqual([
    { workspace: wrong, of: 'balance', told: told.balance + 7, counted: told.balance },
    { workspace: wrong, of: 'reserved', told: told.reserved + 1, counted: told.reserved },
  ]);
  const { ledger } = (await boss.call(operator.health)).body.data;
  expect(ledger).toMatchObject({ faults: 2, accounts: found.accounts });
});

test('what was added up wrong is added up again', async () => {
  const { db } = app.server.context;
  const person = await app.aPerson();
  const workspace = workspaceOf(person);
  await answered(workspace, 3);
  await db
    .updateTable('token_entry')
    .set({ created_at: Date.now() - 600_000 })
    .where('workspace', '=', workspace)
    .execute();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const query = { from: day(Date.now() - 86_400_000), until: day(Date.now() + 86_400_000) };
  const used = async () => (await person.call(usage.byDay, { query })).body.data.total.amount;
  expect(await used()).toBe(2000);
  await db.updateTable('token_sum').set({ amount: -5 }).where('workspace', '=', workspace).execute();
  const faults = (await keepBooks(app.server.context)).faults.filter((fault) => fault.workspace === workspace);
  expect(faults).toEqual([{ workspace, of: 'usage', told: -5, counted: -2000 }]);
  expect(await used()).toBe(2000);
  expect((await checkBooks(db)).faults.filter((fault) => fault.workspace === workspace)).toEqual([]);
});
