import { sql } from 'kysely';
import type { Db, Trx } from '../../infra/db.ts';
import type { FileTable, InvitationTable, MemberTable, WorkspaceTable } from '../../infra/db.types.ts';
import { containing, type Position } from '../../infra/page.ts';

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

/** A person is in few workspaces: the list is whole. */
export const listWorkspaces = (db: Db, user: string): Promise<WorkspaceRow[]> =>
  withRole(db, user).orderBy('workspace.created_at').orderBy('workspace.uuid').execute();

export const findWorkspace = (db: Db | Trx, user: string, uuid: string): Promise<WorkspaceRow | undefined> =>
  withRole(db, user).where('workspace.uuid', '=', uuid).executeTakeFirst();

export const insertWorkspace = (trx: Trx, workspace: WorkspaceTable) =>
  trx.insertInto('workspace').values(workspace).execute();

export const updateWorkspace = (trx: Trx, uuid: string, changes: Partial<Pick<WorkspaceTable, 'name' | 'avatar'>>) =>
  trx
    .updateTable('workspace')
    .set({ ...changes, updated_at: Date.now() })
    .where('uuid', '=', uuid)
    .execute();

/** Until the transaction ends nobody else changes who is in the workspace, or counts what it has. */
export const lockWorkspace = (trx: Trx, uuid: string) =>
  trx
    .updateTable('workspace')
    .set((set) => ({ name: set.ref('name') }))
    .where('uuid', '=', uuid)
    .execute();

/** Deletes the workspace and what is in it, but for the chunks and their index. Answers with the files it had; nothing when it is gone already. */
export async function deleteWorkspace(
  trx: Trx,
  uuid: string,
): Promise<Pick<FileTable, 'uuid' | 'kind' | 'storage_key'>[] | undefined> {
  await trx.deleteFrom('thread').where('workspace', '=', uuid).execute();
  await trx.deleteFrom('bot').where('workspace', '=', uuid).execute();
  await trx.deleteFrom('knowledge').where('workspace', '=', uuid).execute();
  // A picture that was uploaded here and is shown elsewhere, on a member's account for one, stays. A personal workspace goes with its person.
  const leaving = sql`select personal_of from workspace where uuid = ${uuid} and personal_of is not null`;
  const shown = sql`select avatar from "user" where avatar is not null and uuid not in (${leaving}) union select avatar from bot where avatar is not null union select avatar from workspace where avatar is not null and uuid <> ${uuid}`;
  await sql`update file set workspace = null where workspace = ${uuid} and uuid in (${shown})`.execute(trx);
  const files = await trx
    .deleteFrom('file')
    .where('workspace', '=', uuid)
    .returning(['uuid', 'kind', 'storage_key'])
    .execute();
  const { numDeletedRows } = await trx.deleteFrom('workspace').where('uuid', '=', uuid).executeTakeFirst();
  return numDeletedRows > 0n ? files : undefined;
}

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
    .innerJoin('user', 'user.uuid', 'member.user')
    .select([
      'user.uuid',
      'user.username',
      'user.email',
      'user.avatar',
      'user.totp_since',
      'member.role',
      'member.created_at',
      sql<number | null>`(select max(session.last_seen_at) from session where session."user" = "user".uuid)`.as(
        'last_seen_at',
      ),
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
      sql<boolean>`(lower("user".username) like ${containing(q)} escape '\\' or lower("user".email) like ${containing(q)} escape '\\')`,
    );
  if (after) query = query.where(sql<boolean>`(member.created_at, "user".uuid) > (${Number(after.at)}, ${after.uuid})`);
  return query
    .orderBy('member.created_at')
    .orderBy('user.uuid')
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

export const updateRole = (trx: Trx, workspace: string, user: string, role: MemberTable['role']) =>
  trx.updateTable('member').set({ role }).where('workspace', '=', workspace).where('user', '=', user).execute();

/** The keys that a person made for a workspace go with them. */
export async function deleteMember(trx: Trx, workspace: string, user: string, now: number): Promise<void> {
  await trx.deleteFrom('member').where('workspace', '=', workspace).where('user', '=', user).execute();
  await trx
    .updateTable('api_key')
    .set({ revoked_at: now, updated_at: now })
    .where('workspace', '=', workspace)
    .where('user', '=', user)
    .where('revoked_at', 'is', null)
    .execute();
}

const withInviter = (db: Db | Trx) =>
  db
    .selectFrom('invitation')
    .leftJoin('user', 'user.uuid', 'invitation.invited_by')
    .selectAll('invitation')
    .select('user.username as inviter');

export type InvitationRow = InvitationTable & { inviter: string | null };

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

export const findInvitationByHash = (db: Db | Trx, hash: string, now: number) =>
  withInviter(db)
    .innerJoin('workspace', 'workspace.uuid', 'invitation.workspace')
    .select(['workspace.name as workspace_name', 'workspace.avatar as workspace_avatar'])
    .where('invitation.code_hash', '=', hash)
    .where('invitation.accepted_at', 'is', null)
    .where('invitation.revoked_at', 'is', null)
    .where('invitation.expires_at', '>', now)
    .executeTakeFirst();

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

export const revokeInvitation = (trx: Trx, workspace: string, uuid: string, now: number) =>
  trx
    .updateTable('invitation')
    .set({ revoked_at: now, updated_at: now })
    .where('uuid', '=', uuid)
    .where('workspace', '=', workspace)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .returning(['email', 'role'])
    .executeTakeFirst();

export const revokeInvitationsTo = (trx: Trx, workspace: string, email: string, now: number) =>
  trx
    .updateTable('invitation')
    .set({ revoked_at: now, updated_at: now })
    .where('workspace', '=', workspace)
    .where(sql<boolean>`lower(email) = ${email.toLowerCase()}`)
    .where('accepted_at', 'is', null)
    .where('revoked_at', 'is', null)
    .execute();

export const countOpenInvitations = async (trx: Trx, workspace: string, now: number) =>
  Number(
    (
      await trx
        .selectFrom('invitation')
        .select((select) => select.fn.countAll().as('count'))
        .where('workspace', '=', workspace)
        .where('accepted_at', 'is', null)
        .where('revoked_at', 'is', null)
        .where('expires_at', '>', now)
        .executeTakeFirstOrThrow()
    ).count,
  );

export const findPersonByEmail = (db: Db | Trx, email: string) =>
  db.selectFrom('user').select(['uuid', 'locale']).where('email_key', '=', email.toLowerCase()).executeTakeFirst();

export const findPerson = (trx: Trx, user: string) =>
  trx.selectFrom('user').select(['uuid', 'username', 'email']).where('uuid', '=', user).executeTakeFirstOrThrow();
