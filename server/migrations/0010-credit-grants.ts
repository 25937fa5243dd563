import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** Who was granted credits, and where; whoever owns a workspace that has an account already has had theirs. */
export const creditGrants: Migration = {
  name: '0010-credit-grants',
  async up(trx, engine) {
    const id = sql.raw(engine === 'postgres' ? 'uuid' : 'text');
    await sql`create table credit_grant (claim text primary key, workspace ${id} not null, created_at bigint not null)`.execute(
      trx,
    );
    await sql`insert into credit_grant (claim, workspace, created_at)
      select claim, workspace, 0 from (
        select cast(member."user" as text) as claim, member.workspace as workspace,
          row_number() over (partition by member."user" order by member.workspace) as place
        from credit_account join member on member.workspace = credit_account.workspace and member.role = 'owner') owned
      where place = 1`.execute(trx);
  },
};
