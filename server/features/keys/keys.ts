import { randomInt } from 'node:crypto';
import type { ApiKey } from '../../../shared/contracts/keys.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Scope } from '../../../shared/roles.ts';
import { newId, type Trx } from '../../infra/db.ts';
import type { ApiKeyTable } from './keys.tables.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { record } from '../audit/audit.ts';
import { findBotNames } from '../bots/bots.ts';
import type { Context } from '../../feature.ts';
import { lockCaller } from '../users/sessions.ts';
import { lockWorkspace } from '../workspaces/memberships.ts';
import { countOtherKeys, findKey, insertKey, listKeys, revokeKey, updateKey, type KeyRow } from './keys.store.ts';

interface Fields {
  name: string;
  scopes: Scope[];
  bots: string[] | null;
  expiresAt: string | null;
}
type Given = { [Key in keyof Fields]?: Fields[Key] | undefined };

const dayMs = 86_400_000;
const revokedShownMs = 30 * dayMs;
const maxActive = 100;

export async function listOwnKeys(
  { db }: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listKeys(db, {
    workspace: caller.workspace,
    q: query.q,
    revokedSince: Date.now() - revokedShownMs,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.created_at);
  const bots = await findBotNames(db, caller.workspace, [...new Set(shown.rows.flatMap((row) => botsOf(row) ?? []))]);
  return { data: shown.rows.map((row) => toKey(row, bots)), meta: { nextCursor: shown.nextCursor } };
}

/** The key is told once: `kt_`, eight characters that show which it is, and 256 random bits. Only its hash is kept. */
export async function createKey(
  { db }: Context,
  caller: Caller,
  given: Given & Pick<Fields, 'name' | 'scopes'>,
): Promise<ApiKey & { key: string }> {
  const prefix = `kt_${randomBase62(8)}`;
  const key = `${prefix}_${newSecret()}`;
  const now = Date.now();
  const { name, scopes, bots = null, expiresAt = null } = given;
  const row: ApiKeyTable = {
    uuid: newId(now),
    workspace: caller.workspace,
    user: caller.user,
    prefix,
    hash: hashSecret(key),
    last_used_at: null,
    revoked_at: null,
    created_at: now,
    updated_at: now,
    ...toColumns({ name, scopes, bots, expiresAt }),
  };
  const named = await db.transaction().execute(async (trx) => {
    await lockCaller(trx, caller);
    const found = await mustFit(trx, caller, row.uuid, { scopes, bots, expiresAt });
    await insertKey(trx, row);
    await record(trx, caller, 'key.created', name, { prefix, scopes, bots, expiresAt });
    return found;
  });
  return { ...toKey({ ...row, username: caller.username }, named), key };
}

export async function updateOwnKey({ db }: Context, caller: Caller, uuid: string, given: Given): Promise<ApiKey> {
  return db.transaction().execute(async (trx) => {
    // The workspace is always locked before its keys, so that two changes cannot deadlock.
    await lockWorkspace(trx, caller.workspace);
    const row = await findKey(trx, caller.workspace, uuid);
    if (!row) throw new AppError('key-not-found');
    const { name = row.name, scopes = scopesOf(row), bots = botsOf(row), expiresAt = expiryOf(row) } = given;
    // An expiry that has passed may stay; only a new one has to be in the future.
    const named = await mustFit(trx, caller, uuid, { scopes, bots, expiresAt: given.expiresAt ?? null });
    const columns = toColumns({ name, scopes, bots, expiresAt });
    await updateKey(trx, uuid, columns);
    await record(trx, caller, 'key.updated', name, { prefix: row.prefix, scopes, bots, expiresAt });
    return toKey({ ...row, ...columns }, named);
  });
}

export async function removeKey({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const revoked = await revokeKey(trx, caller.workspace, uuid, Date.now());
    if (!revoked) throw new AppError('key-not-found');
    await record(trx, caller, 'key.revoked', revoked.name, { prefix: revoked.prefix });
  });
}

/** Answers the bots that the key is for. */
async function mustFit(
  trx: Trx,
  caller: Caller,
  uuid: string,
  { scopes, bots, expiresAt }: Pick<Fields, 'scopes' | 'bots' | 'expiresAt'>,
): Promise<{ uuid: string; name: string }[]> {
  const now = Date.now();
  if (bots && scopes.some((scope) => scope !== 'chat'))
    throw new AppError('validation-failed', { fields: [{ path: 'bots', code: 'invalid' }] });
  if (expiresAt !== null && Date.parse(expiresAt) <= now)
    throw new AppError('validation-failed', { fields: [{ path: 'expiresAt', code: 'invalid' }] });
  if ((await countOtherKeys(trx, caller.workspace, uuid, now)) >= maxActive)
    throw new AppError('too-many', { limit: maxActive });
  const named = bots ? await findBotNames(trx, caller.workspace, bots) : [];
  if (bots && named.length < new Set(bots).size) throw new AppError('bot-not-found');
  return named;
}

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const randomBase62 = (length: number) => Array.from({ length }, () => base62[randomInt(base62.length)]).join('');

// Written by us only.
export const scopesOf = (row: Pick<ApiKeyTable, 'scopes'>): Scope[] => JSON.parse(row.scopes);
const botsOf = (row: ApiKeyTable): string[] | null => row.bots && JSON.parse(row.bots);
const expiryOf = (row: ApiKeyTable) => (row.expires_at === null ? null : new Date(row.expires_at).toISOString());

function toColumns({
  name,
  scopes,
  bots,
  expiresAt,
}: Fields): Pick<ApiKeyTable, 'name' | 'scopes' | 'bots' | 'expires_at'> {
  return {
    name,
    scopes: JSON.stringify([...new Set(scopes)]),
    bots: bots && JSON.stringify([...new Set(bots)]),
    expires_at: expiresAt === null ? null : Date.parse(expiresAt),
  };
}

function toKey(row: KeyRow, named: { uuid: string; name: string }[]): ApiKey {
  const own = botsOf(row);
  return {
    uuid: row.uuid,
    name: row.name,
    prefix: row.prefix,
    scopes: scopesOf(row),
    bots: own && named.filter((bot) => own.includes(bot.uuid)),
    state: stateOf(row),
    createdBy: row.username,
    expiresAt: expiryOf(row),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

function stateOf(row: ApiKeyTable): ApiKey['state'] {
  if (row.revoked_at !== null) return 'revoked';
  return row.expires_at !== null && row.expires_at <= Date.now() ? 'expired' : 'active';
}

export { findKey } from './keys.store.ts';
