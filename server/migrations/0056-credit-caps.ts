import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What a workspace, a member, a bot, a channel or a key may use in a day or a month; and whose the answers on their way are. */
export const creditCaps: Migration = {
  name: '0056-credit-caps',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    for (const statement of [
      sql`create table credit_cap (uuid ${id} primary key, created_at bigint not null, updated_at bigint not null,
        workspace ${id} not null references workspace (uuid) on delete cascade, kind text not null, target text not null, span text not null,
        credits bigint not null, timezone text not null, used bigint not null, used_span text not null, warned text, unique (workspace, kind, target, span))`,
      ...['bot', 'member', 'api_key'].map((name) => sql`alter table credit_hold add column ${sql.ref(name)} ${id}`),
      sql`create index credit_hold_workspace on credit_hold (workspace)`,
    ])
      await statement.execute(trx);
  },
};
