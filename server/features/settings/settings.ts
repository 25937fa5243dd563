import type { z } from 'zod';
import { Settings } from '../../../shared/contracts/operator.ts';
import type { Db, Trx } from '../../infra/db.ts';

export type Settings = z.output<typeof Settings>;

const defaults: Settings = { registration: 'open' };

/** What operators have set for the installation, and the default of what they have not. */
export async function readSettings(db: Db | Trx): Promise<Settings> {
  const rows = await db.selectFrom('setting').selectAll().where('name', 'in', Object.keys(defaults)).execute();
  return Settings.parse({
    ...defaults,
    ...Object.fromEntries(rows.map(({ name, value }): [string, unknown] => [name, JSON.parse(value)])),
  });
}

export async function saveSettings(trx: Trx, changes: [name: string, value: unknown][]): Promise<void> {
  for (const [name, given] of changes) {
    const value = JSON.stringify(given);
    await trx
      .insertInto('setting')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }
}
