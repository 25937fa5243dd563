import type { Db, Trx } from '../../infra/db.ts';
import type { AllowedHostTable } from './settings.tables.ts';

export type AllowedHostRow = AllowedHostTable;

/** Read each time, so that what is allowed or taken back holds on every node at once. */
export async function isHostAllowed(db: Db, host: string): Promise<boolean> {
  return (await db.selectFrom('allowed_host').select('uuid').where('host', '=', host).executeTakeFirst()) !== undefined;
}

export const listAllowedHosts = (db: Db): Promise<AllowedHostRow[]> =>
  db.selectFrom('allowed_host').selectAll().orderBy('host').execute();

/** One that is there already stays, with its id. */
export function putAllowedHost(trx: Trx, row: AllowedHostRow): Promise<AllowedHostRow> {
  return trx
    .insertInto('allowed_host')
    .values(row)
    .onConflict((conflict) => conflict.column('host').doUpdateSet({ updated_at: row.updated_at }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export const deleteAllowedHost = (trx: Trx, uuid: string): Promise<AllowedHostRow | undefined> =>
  trx.deleteFrom('allowed_host').where('uuid', '=', uuid).returningAll().executeTakeFirst();
