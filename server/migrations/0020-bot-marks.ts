import { sql } from 'kysely';
import type { Migration } from '../infra/migrate.ts';
import { firstMark, freeMark } from '../../shared/marks.ts';

/** Each bot keeps a mark that no other of its workspace has. */
export const botMarks: Migration = {
  name: '0020-bot-marks',
  async up(trx) {
    await sql`alter table bot add column mark integer not null default 0`.execute(trx);
    const { rows } = await sql<{
      uuid: string;
      workspace: string;
      deleted_at: number | null;
    }>`select uuid, workspace, deleted_at from bot order by created_at, uuid`.execute(trx);
    const taken = new Map<string, Set<number>>();
    for (const { uuid, workspace, deleted_at } of rows) {
      const known = taken.get(workspace) ?? new Set();
      taken.set(workspace, known);
      const mark = freeMark(firstMark(uuid), known);
      // One in the trash gets another when it comes back, if its own is taken.
      if (deleted_at === null) known.add(mark);
      await sql`update bot set mark = ${mark} where uuid = ${uuid}`.execute(trx);
    }
  },
};
