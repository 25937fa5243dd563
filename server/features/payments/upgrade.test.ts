import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { newId, openDatabase } from '../../infra/db.ts';
import { migrate } from '../../infra/migrate.ts';
import { migrations } from '../../migrations/migrations.ts';
import { createDatabase } from '../../testing/database.ts';

test('payments from before there were gateways keep their receipts, refunds and states', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kotae-upgrade-'));
  const made = await createDatabase();
  const database = openDatabase({ DATA_DIR: folder, ...made.settings });
  try {
    const { db } = database;
    const before = migrations.findIndex(({ name }) => name === '0062-stripe');
    await migrate(database, migrations.slice(0, before));
    const [workspace, sold] = [newId(), newId()];
    await sql`insert into workspace (uuid, created_at, updated_at, name) values (${workspace}, 1, 1, 'Shop')`.execute(
      db,
    );
    const rows = [
      { state: 'succeeded', receipt: 1, reason: null },
      { state: 'refunded', receipt: 2, reason: 'Twice' },
      { state: 'succeeded', receipt: 3, reason: 'Wanted' },
      { state: 'requires-action', receipt: null, reason: null },
      { state: 'failed', receipt: null, reason: null },
    ].map((row, at) => ({ ...row, uuid: newId(at + 1) }));
    for (const { uuid, state, receipt, reason } of rows) {
      await sql`insert into payment (uuid, created_at, updated_at, workspace, package, key, credits, amount, currency, gateway,
        gateway_id, state, receipt, refund_reason) values (${uuid}, 1, 2, ${workspace}, ${sold}, ${uuid}, 500, 880, 'JPY', 'sandbox',
        ${uuid}, ${state}, ${receipt}, ${reason})`.execute(db);
      await sql`insert into sandbox_charge (payment, created_at, updated_at, amount, currency, state)
        values (${uuid}, 1, 2, 880, 'JPY', ${state})`.execute(db);
    }
    await migrate(database, migrations.slice(0, before + 1));
    await sql`update payment set held = 'workspace-gone' where receipt = 1`.execute(db);
    await sql`insert into token_summed (workspace, until) values (${workspace}, 5)`.execute(db);
    await migrate(database, migrations);
    const holds = await db.selectFrom('payment_hold').selectAll().execute();
    expect(holds).toMatchObject([{ payment: rows[0]?.uuid, reason: 'workspace-gone', released_at: null }]);
    // Hours that were added up without pictures are added up again.
    expect(await db.selectFrom('token_summed').selectAll().execute()).toEqual([]);

    const payments = await db.selectFrom('payment').selectAll().orderBy('uuid').execute();
    expect(
      payments.map(({ state, receipt, ended, refund_asked, refunded }) => [
        state,
        receipt,
        ended,
        refund_asked,
        refunded,
      ]),
    ).toEqual([
      ['succeeded', 1, 1, 0, 0],
      ['refunded', 2, 1, 880, 880],
      ['succeeded', 3, 1, 880, 0],
      ['requires-action', null, 0, 0, 0],
      ['failed', null, 1, 0, 0],
    ]);
    const refunds = await db.selectFrom('payment_refund').selectAll().orderBy('payment').execute();
    expect(refunds.map(({ payment, state, reason }) => [payment, state, reason])).toEqual([
      [rows[1]?.uuid, 'succeeded', 'Twice'],
      [rows[2]?.uuid, 'wanted', 'Wanted'],
    ]);
    const given = await db.selectFrom('sandbox_refund').selectAll().execute();
    expect(given.map(({ payment, refund }) => [payment, refund])).toEqual([[rows[1]?.uuid, refunds[0]?.gateway_id]]);
    const documents = await db.selectFrom('payment_document').selectAll().orderBy('number').execute();
    expect(documents.map(({ kind, number, buyer }) => [kind, number, buyer])).toEqual([
      ['receipt', 1, 'Shop'],
      ['receipt', 2, 'Shop'],
      ['receipt', 3, 'Shop'],
    ]);
    const packages = await db.selectFrom('credit_package').select('sandbox').execute();
    expect(packages.map(({ sandbox }) => sandbox)).toEqual([1, 1, 1]);
    await sql`delete from workspace where uuid = ${workspace}`.execute(db);
    const { count } = await db
      .selectFrom('payment')
      .select((select) => select.fn.countAll().as('count'))
      .where('workspace', 'is', null)
      .executeTakeFirstOrThrow();
    expect(Number(count)).toBe(5);
  } finally {
    await database.close();
    await made.drop();
    await rm(folder, { recursive: true, force: true });
  }
});
