import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { InvitationTable, MemberTable, WorkspaceTable } from './workspaces.tables.ts';
import { containing, type Position } from '../../infra/page.ts';
import { people } from '../users/users.ts';

const withRole = (db: Db | Trx, user: string) =>
  db
    .selectFrom('workspace')
    .innerJoin('member', (join) => join.onRef('member.workspace', '=', 'workspace.uuid').on('member.user', '=', user))
    .selectAll('workspace')
    .select([
      'member.role',
      sql<number>`(select count(*) from member m where m.workspace = workspace.uuid)`.as('members'),
    ]);

export type WorkspaceRow = WorkspaceTable & { role: MemberTable['role']; members: number };

/** The whole list, since a person is in few workspaces. */
export const listWorkspaces = (db: Db, user: string): Promise<WorkspaceRow[]> =>
  withRole(db, user).orderBy('workspace.created_at').orderBy('workspace.uuid').execute();

export const findWorkspace = (db: Db | Trx, user: string, uuid: string): Promise<WorkspaceRow | undefined> =>
  withRole(db, user).where('workspace.uuid', '=', uuid).executeTakeFirst();

export const insertWorkspace = (trx: Trx, workspace: WorkspaceTable) =>
  trx.insertInto('workspace').values(workspace).execute();

export const updateWorkspace = (
  trx: Trx,
  uuid: string,
  changes: Partial<Pick<WorkspaceTable, 'name' | 'named' | 'avatar'>>,
) =>
  trx
    .updateTable('workspace')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** Regardless of its members. */
export const findAnyWorkspace = (trx: Trx, uuid: string) =>
  trx.selectFrom('workspace').select('personal_of').where('uuid', '=', uuid).executeTakeFirst();

export const deleteWorkspace = (trx: Trx, uuid: string) =>
  trx.deleteFrom('workspace').where('uuid', '=', uuid).execute();

export const countOwned = async (trx: Trx, user: string) =>
  Number(
    (
      await trx
        .selectFrom('member')
        .select((select) => select.fn.countAll().as('count'))
        .where('user', '=', user)
        .where('role', '=', 'owner')
        .executeTakeFirstOrThrow()
    ).count,
  );

const withPerson = (db: Db | Trx, workspace: string) =>
  db
    .selectFrom('member')
    .innerJoin(people(db), 'person.uuid', 'member.user')
    .select([
      'person.uuid',
      'person.username',
      'person.email',
      'person.avatar',
      'person.totp_since',
      'person.last_seen_at',
      'member.role',
      'member.created_at',
      'member.updated_at',
    ])
    .where('member.workspace', '=', workspace);

export type MemberRow = Awaited<ReturnType<typeof listMembers>>[number];

export function listMembers(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
) {
  let query = withPerson(db, workspace);
  if (q)
    query = query.where(
      sql<boolean>`(lower(person.username) like ${containing(q)} escape '\\' or lower(person.email) like ${containing(q)} escape '\\')`,
    );
  if (after) query = query.where(sql<boolean>`(member.created_at, person.uuid) > (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('member.created_at')
    .orderBy('person.uuid')
    .limit(limit + 1)
    .execute();
}

export const findMember = (db: Db | Trx, workspace: string, user: string): Promise<MemberRow | undefined> =>
  withPerson(db, workspace).where('member.user', '=', user).executeTakeFirst();

export const listMemberUsers = async (db: Db, workspace: string) =>
  (await db.selectFrom('member').select('user').where('workspace', '=', workspace).execute()).map(
    (member) => member.user,
  );

export const insertMember = (trx: Trx, member: MemberTable) => trx.insertInto('member').values(member).execute();

export const updateRole = (trx: Trx, { workspace, user, role, updated_at }: Omit<MemberTable, 'created_at'>) =>
  trx
    .updateTable('member')
    .set({ role, updated_at })
    .where('workspace', '=', workspace)
    .where('user', '=', user)
    .execute();

export const deleteMember = (trx: Trx, workspace: string, user: string) =>
  trx.deleteFrom('member').where('workspace', '=', workspace).where('user', '=', user).execute();

/** With what decides whether they still invite: what whoever made them is in the workspace. */
const withInviter = (db: Db | Trx) =>
  db
    .selectFrom('invitation')
    .leftJoin(people(db), 'person.uuid', 'invitation.invited_by')
    .leftJoin('member', (join) =>
      join.onRef('member.workspace', '=', 'invitation.workspace').onRef('member.user', '=', 'invitation.invited_by'),
    )
    .selectAll('invitation')
    .select([
      'person.username as inviter',
      'person.suspended_at as inviter_suspended_at',
      'member.role as inviter_role',
    ]);

export type InvitationRow = InvitationTable & {
  inviter: string | null;
  inviter_suspended_at: number | null;
  /** Null for who is no member. */
  inviter_role: MemberTable['role'] | null;
};

export function listInvitations(
  db: Db,
  {
    workspace,
    q,
    limit,
    after,
  }: { workspace: string; q: string | undefined; limit: number; after: Position | undefined },
): Promise<InvitationRow[]> {
  let query = withInviter(db).where('invitation.workspace', '=', workspace);
  if (q) query = query.where(sql<boolean>`lower(invitation.email) like ${containing(q)} escape '\\'`);
  if (after)
    query = query.where(sql<boolean>`(invitation.created_at, invitation.uuid) < (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('invitation.created_at', 'desc')
    .orderBy('invitation.uuid', 'desc')
    .limit(limit + 1)
    .execute();
}

/** Also one that invites no longer. */
export const findInvitationByHash = (db: Db | Trx, hash: string) =>
  withInviter(db)
    .innerJoin('workspace', 'workspace.uuid', 'invitation.workspace')
    .select(['workspace.name as workspace_name', 'workspace.avatar as workspace_avatar'])
    .where('invitation.code_hash', '=', hash)
    .executeTakeFirst();

/** Also those that invite no longer. */
export const listInvitationsByHash = async (db: Db, hashes: string[]): Promise<InvitationRow[]> =>
  hashes.length === 0 ? [] : withInviter(db).where('invitation.code_hash', 'in', hashes).execute();

/** Of a workspace those that were neither taken nor taken back, and whose time is not over. */
export const listUnused = (trx: Trx, workspace: string, now: number): Promise<InvitationRow[]> =>
  withInviter(trx)
    .where('invitation.workspace', '=', workspace)
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.revoked_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .execute();

export const insertInvitation = (trx: Trx, invitation: InvitationTable) =>
  trx.insertInto('invitation').values(invitation).execute();

/** Takes the invitation, once: false when somebody else was faster, or it was taken back. */
export async function takeInvitation(trx: Trx, uuid: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('invitation')
    .set({ accepted_at: now, updated_at: now })
    .where('uuid', '=', uuid)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Of those that nobody has taken, nor taken back. */
const revoking = (trx: Trx, now: number) =>
  trx
    .updateTable('invitation')
    .set({ revoked_at: now, updated_at: now })
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['workspace', 'email', 'role', 'created_at', 'expires_at']);

export const revokeInvitation = (trx: Trx, workspace: string, uuid: string, now: number) =>
  revoking(trx, now).where('workspace', '=', workspace).where('uuid', '=', uuid).executeTakeFirst();

/** Those whose time is over stay as they are. */
export const revokeInvitationsTo = (trx: Trx, workspace: string, email: string, now: number) =>
  revoking(trx, now)
    .where('workspace', '=', workspace)
    .where('expires_at', '>', now)
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .execute();

/** All that somebody has handed out, or what they have for one workspace. Those whose time is over stay as they are. */
export function revokeInvitationsBy(trx: Trx, user: string, now: number, workspace?: string) {
  const all = revoking(trx, now).where('expires_at', '>', now).where('invited_by', '=', user);
  return (workspace === undefined ? all : all.where('workspace', '=', workspace)).execute();
}
