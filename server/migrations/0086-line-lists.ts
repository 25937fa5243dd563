import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';

/** What is listed over all channels of a workspace, by what became of it. */
export const lineLists: Migration = {
  name: '0086-line-lists',
  async up(trx) {
    for (const statement of [
      sql`create index line_channel_workspace_list on line_channel (workspace, created_at, uuid)`,
      sql`create index line_request_refused_list on line_request (workspace, created_at, uuid) where verdict <> 'accepted'`,
      sql`create index line_event_state_list on line_event (workspace, state, created_at, uuid)`,
    ])
      await statement.execute(trx);
  },
};
