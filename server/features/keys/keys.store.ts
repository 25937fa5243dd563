import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { ApiKeyTable } from './keys.tables.ts';
import { containing, type Position } from '../../infra/page.ts';
import { people } from '../users/users.ts';
import { lockWorkspace, memberships } from '../workspaces/memberships.ts';

const withPerson = (db: Db | Trx, workspace: string) =>
  db
    .selectFrom('api_key')
    .innerJoin(people(db), 'person.uuid', 'api_key.user')
    .selectAll('api_key')
    .select('person.username')
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
  await lockWorkspace(trx, workspace);
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

/** Who a key speaks for: nobody once it is revoked or expired, or its person is suspended or no longer in the workspace. */
export const findKeyHolder = (db: Db, hash: string, now: number) =>
  db
    .selectFrom('api_key')
    .innerJoin(memberships(db), (join) =>
      join.onRef('membership.workspace', '=', 'api_key.workspace').onRef('membership.user', '=', 'api_key.user'),
    )
    .select([
      'api_key.uuid as key',
      'api_key.scopes',
      'api_key.bots',
      'api_key.last_used_at',
      'membership.workspace',
      'membership.workspaceName',
      'membership.user',
      'membership.username',
      'membership.avatar',
      'membership.locale',
      'membership.role',
    ])
    .where('api_key.hash', '=', hash)
    .where('api_key.revoked_at', 'is', null)
    .where((where) => where.or([where('api_key.expires_at', 'is', null), where('api_key.expires_at', '>', now)]))
    .where('membership.suspended_at', 'is', null)
    .executeTakeFirst();

export const touchKey = (db: Db, uuid: string, now: number) =>
  db.updateTable('api_key').set({ last_used_at: now }).where('uuid', '=', uuid).execute();

/** All keys of a person, or those for one workspace. */
export function revokeKeysOf(trx: Trx, user: string, workspace?: string) {
  const now = Date.now();
  const all = trx
    .updateTable('api_key')
    .set({ revoked_at: now, updated_at: now })
    .where('user', '=', user)
    .where('revoked_at', 'is', null);
  return (workspace === undefined ? all : all.where('workspace', '=', workspace)).execute();
}

/** What an export says of a person's keys: nothing that opens anything. */
export const listKeysOf = (db: Db, user: string) =>
  db
    .selectFrom('api_key')
    .select(['name', 'prefix', 'scopes', 'bots', 'expires_at', 'last_used_at', 'revoked_at', 'created_at'])
    .where('user', '=', user)
    .orderBy('created_at')
    .execute();
