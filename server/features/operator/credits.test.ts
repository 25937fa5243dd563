import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operator } from '../../../shared/contracts/operator.ts';
import { microPerCredit, usage } from '../../../shared/contracts/usage.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { reserve } from '../usage/ledger.ts';

const granted = 10;

let app: TestApp;
let boss: Person;
beforeAll(async () => {
  app = await startTestApp({ CREDIT_GRANT: String(granted) });
  boss = await app.aPerson();
});
afterAll(() => app.stop());

interface Gift {
  credits: number;
  reason?: string;
  workspace?: string;
}
const give = (person: Person, { credits, reason = 'Thanks', workspace }: Gift, key: string = newId(), by = boss) =>
  by.call(operator.giveCredits, {
    params: { uuid: person.user.uuid },
    headers: { 'idempotency-key': key },
    body: { credits, reason, ...(workspace && { workspace }) },
  });
const historyOf = async (person: Person, workspace?: string) =>
  (await person.call(usage.history, workspace ? { headers: { 'x-workspace': workspace } } : {})).body;
const creditsOf = async (person: Person, workspace?: string) =>
  (await historyOf(person, workspace)).meta.balance / microPerCredit;
const ownOf = (person: Person) => person.user.workspaces[0]?.uuid ?? '';
const auditOf = async (person: Person) =>
  (await boss.call(operator.audit, { query: { action: 'credits.given', q: person.user.username } })).body.data;

describe('credits from an operator', () => {
  test('are in the balance and the history with their reason, and in the audit log', async () => {
    const person = await app.aPerson();
    const reply = await give(person, { credits: 250, reason: 'For the outage on Monday' });
    expect(reply.status).toBe(200);
    expect(reply.body.data).toMatchObject({ uuid: ownOf(person), personal: true, role: 'owner' });
    expect(reply.body.data.balance / microPerCredit).toBe(granted + 250);
    const { data, meta } = await historyOf(person);
    expect(meta.balance / microPerCredit).toBe(granted + 250);
    expect(data.map(({ kind, amount, reason }) => [kind, amount / microPerCredit, reason])).toEqual([
      ['grant', 250, 'For the outage on Monday'],
      ['grant', granted, null],
    ]);
    expect(await auditOf(person)).toMatchObject([
      {
        actor: { uuid: boss.user.uuid },
        workspace: { uuid: ownOf(person) },
        details: { credits: 250, reason: 'For the outage on Monday' },
      },
    ]);
    const entry = await app.server.context.db
      .selectFrom('token_entry')
      .select('user')
      .where('workspace', '=', ownOf(person))
      .where('note', 'is not', null)
      .executeTakeFirst();
    expect(entry?.user).toBe(boss.user.uuid);
  });

  test('can be taken back as an adjustment, down to nothing and not one credit further', async () => {
    const person = await app.aPerson();
    expect((await give(person, { credits: 5 })).status).toBe(200);
    expect((await give(person, { credits: -(granted + 5) })).status).toBe(200);
    expect((await historyOf(person)).data[0]).toMatchObject({ kind: 'adjustment', balance: 0 });
    const refused = await give(person, { credits: -1 });
    expect([refused.status, refused.error?.code]).toEqual([409, 'balance-out-of-bounds']);
    expect((await historyOf(person)).data).toHaveLength(3);
  });

  test('that an answer has set aside are not taken away from it', async () => {
    const person = await app.aPerson();
    const { context } = app.server;
    await context.db
      .transaction()
      .execute((trx) =>
        reserve(context, trx, { workspace: ownOf(person), message: newId(), amount: 4 * microPerCredit }),
      );
    expect((await give(person, { credits: -(granted - 3) })).error?.code).toBe('balance-out-of-bounds');
    expect((await give(person, { credits: -(granted - 4) })).status).toBe(200);
  });

  test('never make a balance that cannot be counted', async () => {
    const person = await app.aPerson();
    await give(person, { credits: 1 });
    await app.server.context.db
      .updateTable('credit_account')
      .set({ balance: 999_999_999 * microPerCredit })
      .where('workspace', '=', ownOf(person))
      .execute();
    expect((await give(person, { credits: 2 })).error?.code).toBe('balance-out-of-bounds');
    expect((await give(person, { credits: 1 })).status).toBe(200);
  });

  test('come once, however often and however much at once they are asked for with one key', async () => {
    const person = await app.aPerson();
    const key = newId();
    const replies = await Promise.all(Array.from({ length: 20 }, () => give(person, { credits: 7 }, key)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await creditsOf(person)).toBe(granted + 7);
    expect(await auditOf(person)).toHaveLength(1);
    for (const other of [{ credits: 8 }, { credits: 7, reason: 'Another' }]) {
      const reply = await give(person, other, key);
      expect([reply.status, reply.error?.code]).toEqual([422, 'idempotency-key-used']);
    }
    const toAnother = await give(await app.aPerson(), { credits: 7 }, key);
    expect(toAnother.error?.code).toBe('idempotency-key-used');
    expect(await creditsOf(person)).toBe(granted + 7);
  });

  test('that are refused can be asked for again with the same key once there is enough', async () => {
    const person = await app.aPerson();
    const key = newId();
    expect((await give(person, { credits: -50 }, key)).status).toBe(409);
    await give(person, { credits: 50 });
    expect((await give(person, { credits: -50 }, key)).status).toBe(200);
    expect(await creditsOf(person)).toBe(granted);
  });

  test('given and taken at the same moment leave a balance that is the sum of its entries', async () => {
    const person = await app.aPerson();
    const replies = await Promise.all(
      Array.from({ length: 30 }, (_, at) => give(person, { credits: at % 3 === 0 ? 4 : -3 })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 409]));
    const { data, meta } = await historyOf(person);
    expect(data.reduce((sum, { amount }) => sum + amount, 0)).toBe(meta.balance);
    expect(Math.min(...data.map(({ balance }) => balance))).toBeGreaterThanOrEqual(0);
    expect(data).toHaveLength(1 + replies.filter(({ status }) => status === 200).length);
  });

  test('go to any workspace that the person is in, and to no other', async () => {
    const [person, other] = [await app.aPerson(), await app.aPerson()];
    expect(await creditsOf(person)).toBe(granted);
    const team = (await person.call(workspaces.create, { body: { name: 'Team' } })).body.data.uuid;
    const listed = (await boss.call(operator.workspaces, { params: { uuid: person.user.uuid } })).body.data;
    expect(listed.map(({ name, role, personal }) => [name, role, personal])).toEqual([
      [person.user.workspaces[0]?.name, 'owner', true],
      ['Team', 'owner', false],
    ]);
    expect((await give(person, { credits: 3, workspace: team })).body.data).toMatchObject({ uuid: team, name: 'Team' });
    expect(await creditsOf(person, team)).toBe(3);
    for (const workspace of [ownOf(other), newId()]) {
      const refused = await give(person, { credits: 3, workspace });
      expect([refused.status, refused.error?.code]).toEqual([404, 'workspace-not-found']);
    }
    expect(await creditsOf(other)).toBe(granted);
    expect((await give(person, { credits: 3 }, newId(), other)).status).toBe(403);
  });

  test.each([0, 0.5, 1_000_001, -1_000_001])('are not %d', async (credits) => {
    const reply = await give(boss, { credits });
    expect([reply.status, reply.error?.code]).toEqual([400, 'validation-failed']);
  });

  test('need a reason and a key', async () => {
    expect((await give(boss, { credits: 1, reason: '  ' })).error?.code).toBe('validation-failed');
    for (const headers of [{}, { 'idempotency-key': '' }, { 'idempotency-key': 'k'.repeat(256) }])
      expect(
        (
          await boss.call(operator.giveCredits, {
            params: { uuid: boss.user.uuid },
            headers,
            body: { credits: 1, reason: 'Thanks' },
          })
        ).error?.code,
      ).toBe('idempotency-key-missing');
  });
});
