import { sql } from 'kysely';
import { AppError } from '../../../shared/errors.ts';
import { lockRow, prepareQuery, type Db, type Trx } from '../../infra/db.ts';
import { sessionHolders } from '../users/sessions.ts';
import { people } from '../users/users.ts';
import type { WorkspaceTable } from './workspaces.tables.ts';

/** Members with their roles, for queries of other features to join. */
export const memberships = (db: Db | Trx) =>
  db
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.uuid', 'member.workspace')
    .innerJoin(people(db), 'person.uuid', 'member.user')
    .select([
      'member.workspace',
      'member.user',
      'member.role',
      'workspace.name as workspaceName',
      'person.username',
      'person.avatar',
      'person.locale',
      'person.suspended_at',
    ])
    .as('membership');

/** Workspaces by name, for queries of other features to join. */
export const workspaceNames = (db: Db | Trx) => db.selectFrom('workspace').select(['uuid', 'name']).as('named');

export const findWorkspaceName = async (db: Db | Trx, uuid: string): Promise<string | undefined> =>
  (await db.selectFrom('workspace').select('name').where('uuid', '=', uuid).executeTakeFirst())?.name;

/** The workspaces that a person is in, the oldest first. */
export const listMemberships = prepareQuery((db, { user }: { user: string }) =>
  db
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.uuid', 'member.workspace')
    .select(['workspace.uuid', 'workspace.name', 'workspace.named', 'workspace.avatar', 'workspace.personal_of'])
    .select('member.role')
    .select(['workspace.created_at', 'workspace.updated_at'])
    .where('member.user', '=', user)
    .orderBy('workspace.created_at')
    .orderBy('workspace.uuid'),
);

/** The members of a workspace, by name. */
export const listMembers = (db: Db | Trx, workspace: string) => findMembers(db, { workspace });

const findMembers = prepareQuery((db, { workspace }: { workspace: string }) =>
  db
    .selectFrom(memberships(db))
    .selectAll()
    .where('membership.workspace', '=', workspace)
    .orderBy('membership.username'),
);

/** How many workspaces each of them is in. */
export async function countMemberships(db: Db, users: string[]): Promise<Map<string, number>> {
  if (users.length === 0) return new Map();
  const rows = await db
    .selectFrom('member')
    .select(['user', (select) => select.fn.countAll().as('count')])
    .where('user', 'in', users)
    .groupBy('user')
    .execute();
  return new Map(rows.map(({ user, count }) => [user, Number(count)]));
}

/** Until the transaction ends nobody else changes the members, or counts what the workspace has. */
export const lockWorkspace = (trx: Trx, uuid: string) => lockRow(trx, 'workspace', uuid);

export async function insertPersonalWorkspace(
  trx: Trx,
  workspace: Pick<WorkspaceTable, 'uuid' | 'name' | 'named'> & { user: string; now: number },
): Promise<void> {
  const { uuid, name, named, user, now } = workspace;
  await trx
    .insertInto('workspace')
    .values({ uuid, name, named, personal_of: user, avatar: null, created_at: now, updated_at: now })
    .execute();
  const row = { workspace: uuid, user, role: 'owner', created_at: now, updated_at: now } as const;
  await trx.insertInto('member').values(row).execute();
}

type Asked = { user: string; session: string; workspace: string; now: number };

const callerQuery = (atHome: boolean) =>
  prepareQuery((db, { user, session, workspace, now }: Asked) =>
    db
      .selectFrom(sessionHolders(db))
      .leftJoin('workspace', (join) =>
        atHome ? join.onRef('workspace.personal_of', '=', 'holder.user') : join.on('workspace.uuid', '=', workspace),
      )
      .leftJoin('member', (join) =>
        join.onRef('member.workspace', '=', 'workspace.uuid').onRef('member.user', '=', 'holder.user'),
      )
      .select([
        'holder.user',
        'holder.username',
        'holder.avatar',
        'holder.locale',
        'holder.is_operator',
        'holder.last_seen_at',
        'member.workspace',
        'workspace.name as workspaceName',
        'member.role',
      ])
      .where('holder.session', '=', session)
      .where('holder.user', '=', user)
      .where('holder.expires_at', '>', now)
      .where('holder.suspended_at', 'is', null),
  );
const findCallerAtHome = callerQuery(true);
const findCallerInWorkspace = callerQuery(false);

/** Who a session speaks for: one query for session, person and membership; without a workspace it is the personal one. */
export async function findCaller(
  db: Db,
  { user, session, workspace = '', now }: Omit<Asked, 'workspace'> & { workspace: string | undefined },
) {
  const [found] = await (workspace ? findCallerInWorkspace : findCallerAtHome)(db, { user, session, workspace, now });
  return found;
}

/** Who takes over: the highest role first, and in it whoever has been there longest. */
const successorRanks = ['admin', 'editor', 'staff', 'viewer'] as const;

/** The workspaces that a person owns, with who could take each over, and who does unless they choose: nobody takes a personal one unasked. */
export async function listOwnedWorkspaces(db: Db | Trx, user: string) {
  const owned = await db
    .selectFrom('member')
    .innerJoin('workspace', 'workspace.uuid', 'member.workspace')
    .select(['workspace.uuid', 'workspace.name', 'workspace.personal_of'])
    .where('member.user', '=', user)
    .where('member.role', '=', 'owner')
    .orderBy('workspace.created_at')
    .execute();
  if (owned.length === 0) return [];
  const others = await db
    .selectFrom('member')
    .innerJoin(people(db), 'person.uuid', 'member.user')
    .select(['member.workspace', 'member.role', 'person.uuid', 'person.username'])
    .where(
      'member.workspace',
      'in',
      owned.map((workspace) => workspace.uuid),
    )
    .where('member.user', '!=', user)
    .where('person.suspended_at', 'is', null)
    .orderBy('member.created_at')
    .execute();
  return owned.map(({ uuid, name, personal_of }) => {
    const candidates = others.filter((other) => other.workspace === uuid);
    const isPersonal = personal_of === user;
    const successor = isPersonal
      ? undefined
      : successorRanks
          .map((role) => candidates.find((candidate) => candidate.role === role))
          .find((found) => found !== undefined);
    return { uuid, name, isPersonal, candidates, successor };
  });
}

/** Throws `conflict` when `from` is no longer the owner, or `to` no longer a member. */
export async function handOverWorkspace(
  trx: Trx,
  { workspace, from, to }: { workspace: string; from: string; to: string },
): Promise<void> {
  await lockWorkspace(trx, workspace);
  const now = Date.now();
  const members = trx.updateTable('member').set('updated_at', now).where('workspace', '=', workspace);
  const changes = [
    await members.set({ role: 'admin' }).where('user', '=', from).where('role', '=', 'owner').executeTakeFirst(),
    await members.set({ role: 'owner' }).where('user', '=', to).executeTakeFirst(),
  ];
  if (changes.some(({ numUpdatedRows }) => numUpdatedRows === 0n)) throw new AppError('conflict');
  await trx
    .updateTable('workspace')
    .set({ personal_of: null, updated_at: now })
    .where('uuid', '=', workspace)
    .execute();
}

/** Whose workspace it is, with the address. */
export const findOwner = (db: Db | Trx, workspace: string) =>
  db
    .selectFrom('member')
    .innerJoin(people(db), 'person.uuid', 'member.user')
    .select(['member.user', 'person.email'])
    .where('member.workspace', '=', workspace)
    .where('member.role', '=', 'owner')
    .executeTakeFirst();

/** Whether whoever owns a workspace is suspended. */
export async function isOwnerSuspended(db: Db | Trx, workspace: string): Promise<boolean> {
  const owner = await db
    .selectFrom('member')
    .innerJoin(people(db), 'person.uuid', 'member.user')
    .select('person.suspended_at')
    .where('member.workspace', '=', workspace)
    .where('member.role', '=', 'owner')
    .executeTakeFirst();
  return owner !== undefined && owner.suspended_at !== null;
}

export async function countWorkspaces(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from workspace`.execute(db);
  return Number(rows[0]?.count ?? 0);
}
