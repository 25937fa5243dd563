import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { ApiKeyTable } from '../../infra/db.types.ts';
import { containing, type Position } from '../../infra/page.ts';

const withPerson = (db: Db | Trx, workspace: string) =>
  db
    .selectFrom('api_key')
    .innerJoin('user', 'user.uuid', 'api_key.user')
    .selectAll('api_key')
    .select('user.username')
    .where('api_key.workspace', '=', workspace);

export type KeyRow = ApiKeyTable & { username: string };

interface ListOptions {
  workspace: string;
  q: string | undefined;
  /** Keys that were revoked before are left out. */
  revokedSince: number;
  limit: number;
  after: Position | undefined;
}

export function listKeys(db: Db, { workspace, q, revokedSince, limit, after }: ListOptions): Promise<KeyRow[]> {
  let query = withPerson(db, workspace).where((where) =>
    where.or([where('api_key.revoked_at', 'is', null), where('api_key.revoked_at', '>', revokedSince)]),
  );
  if (q)
    query = query.where(
      sql<boolean>`(lower(api_key.name) like ${containing(q)} escape '\\' or lower(api_key.prefix) like ${containing(q)} escape '\\')`,
    );
  if (after)
    query = query.where(sql<boolean>`(api_key.created_at, api_key.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('api_key.created_at', 'desc')
    .orderBy('api_key.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** A key that was not revoked. */
export const findKey = (db: Db | Trx, workspace: string, uuid: string): Promise<KeyRow | undefined> =>
  withPerson(db, workspace).where('api_key.uuid', '=', uuid).where('api_key.revoked_at', 'is', null).executeTakeFirst();

export const insertKey = (trx: Trx, key: ApiKeyTable) => trx.insertInto('api_key').values(key).execute();

export const updateKey = (
  trx: Trx,
  uuid: string,
  changes: Partial<Pick<ApiKeyTable, 'name' | 'scopes' | 'bots' | 'expires_at'>>,
) =>
  trx
    .updateTable('api_key')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

export const revokeKey = (trx: Trx, workspace: string, uuid: string, now: number) =>
  trx
    .updateTable('api_key')
    .set({ revoked_at: now, updated_at: now })
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .where('revoked_at', 'is', null)
    .returning(['name', 'prefix'])
    .executeTakeFirst();

/** How many keys of the workspace work, another than this one. Until the transaction ends nobody else adds one. */
export async function countOtherKeys(trx: Trx, workspace: string, uuid: string, now: number): Promise<number> {
  await trx
    .updateTable('workspace')
    .set((set) => ({ name: set.ref('name') }))
    .where('uuid', '=', workspace)
    .execute();
  const { count } = await trx
    .selectFrom('api_key')
    .select((select) => select.fn.countAll().as('count'))
    .where('workspace', '=', workspace)
    .where('uuid', '!=', uuid)
    .where('revoked_at', 'is', null)
    .where((where) => where.or([where('expires_at', 'is', null), where('expires_at', '>', now)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export const listBots = async (db: Db | Trx, workspace: string, uuids: string[]) =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('bot')
        .select(['uuid', 'name'])
        .where('workspace', '=', workspace)
        .where('uuid', 'in', uuids)
        .where('deleted_at', 'is', null)
        .orderBy('name')
        .execute();
