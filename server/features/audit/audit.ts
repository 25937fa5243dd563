import { sql } from 'kysely';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { containing, type Position } from '../../infra/page.ts';
import type { AuditTable } from './audit.tables.ts';

export type AuditEntryRow = AuditTable;

/** What can be recorded: each feature adds what it declares. */
export interface AuditActions {}
export type AuditAction = keyof AuditActions;

/** Who did it; where nobody is signed in yet, `user` is whose account it is about, if there is one. */
export type Actor = Pick<Caller, 'username' | 'address'> &
  Partial<Pick<Caller, 'workspace' | 'workspaceName'>> & { user: string | null };

/** Adds an entry in the transaction of the change that it describes. It must never contain a secret. */
export async function record(
  trx: Trx | Db,
  actor: Actor,
  action: AuditAction,
  subject: string,
  details: Record<string, unknown> = {},
): Promise<void> {
  await trx
    .insertInto('audit')
    .values({
      uuid: newId(),
      created_at: Date.now(),
      action,
      user: actor.user,
      actor: actor.username,
      workspace: actor.workspace ?? null,
      workspace_name: actor.workspaceName ?? '',
      subject,
      details: JSON.stringify(details),
      address: actor.address,
    })
    .execute();
}

export interface AuditFilter {
  q?: string | undefined;
  action?: string | undefined;
  user?: string | undefined;
  from?: string | undefined;
  until?: string | undefined;
}

export function listAudit(
  db: Db,
  { q, action, user, from, until }: AuditFilter,
  { limit, after }: { limit: number; after: Position | undefined },
): Promise<AuditTable[]> {
  let query = db.selectFrom('audit').selectAll();
  if (q)
    query = query.where(
      sql<boolean>`(lower(actor) like ${containing(q)} escape '\\' or lower(subject) like ${containing(q)} escape '\\' or lower(workspace_name) like ${containing(q)} escape '\\')`,
    );
  if (action) query = query.where('action', '=', action);
  if (user) query = query.where('user', '=', user);
  if (from) query = query.where('created_at', '>=', Date.parse(from));
  if (until) query = query.where('created_at', '<', Date.parse(until));
  if (after) query = query.where(sql<boolean>`(created_at, uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('created_at', 'desc')
    .orderBy('uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** What a person did. */
export const listAuditOf = (db: Db, user: string) =>
  db
    .selectFrom('audit')
    .select(['created_at', 'action', 'workspace_name', 'subject', 'details', 'address'])
    .where('user', '=', user)
    .orderBy('created_at')
    .execute();
