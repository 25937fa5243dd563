import { accountChanged } from '../../../shared/contracts/accounts.ts';
import type { Invitation, Member, Workspace } from '../../../shared/contracts/workspaces.ts';
import { AppError } from '../../../shared/errors.ts';
import { may } from '../../../shared/roles.ts';
import { newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { momentsOf } from '../../infra/moments.ts';
import { mustBeConfirmed } from '../users/sessions.ts';
import { lockUser } from '../users/users.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { avatarUrl, mustOwnAvatar } from '../files/files.ts';
import { eraseWorkspace } from './erase-workspace.ts';
import { endInvitationsBy } from './invitations.ts';
import { lockWorkspace } from './memberships.ts';
import { showChange } from './show-change.ts';
import {
  countOwned,
  deleteMember,
  findMember,
  findWorkspace,
  insertMember,
  insertWorkspace,
  listMembers,
  listWorkspaces,
  updateRole,
  updateWorkspace,
  type MemberRow,
  type WorkspaceRow,
} from './workspaces.store.ts';

const maxOwned = 50;

export async function listOwnWorkspaces({ db }: Context, caller: Caller) {
  const rows = await listWorkspaces(db, caller.user);
  return { data: rows.map((row) => toWorkspace(row, caller)), meta: { nextCursor: null } };
}

export async function getWorkspace({ db }: Context, caller: Caller, uuid: string): Promise<Workspace> {
  const row = await findWorkspace(db, caller.user, uuid);
  if (!row) throw new AppError('workspace-not-found');
  return toWorkspace(row, caller);
}

export async function createWorkspace(
  context: Context,
  caller: Caller,
  given: { name: string; avatar?: string | null | undefined },
): Promise<Workspace> {
  const { name, avatar = null } = given;
  if (avatar) await mustOwnAvatar(context, caller, avatar);
  const uuid = newId();
  const now = Date.now();
  await context.db.transaction().execute(async (trx) => {
    await lockUser(trx, caller.user);
    if ((await countOwned(trx, caller.user)) >= maxOwned) throw new AppError('too-many', { limit: maxOwned });
    await insertWorkspace(trx, { uuid, name, named: 1, avatar, personal_of: null, created_at: now, updated_at: now });
    await insertMember(trx, { workspace: uuid, user: caller.user, role: 'owner', created_at: now, updated_at: now });
    await record(trx, { ...caller, workspace: uuid, workspaceName: name }, 'workspace.created', name);
  });
  showChange(context, caller.user);
  return getWorkspace(context, caller, uuid);
}

export async function updateOwnWorkspace(
  context: Context,
  caller: Caller,
  given: { name?: string | undefined; avatar?: string | null | undefined },
): Promise<Workspace> {
  const { name, avatar } = given;
  if (avatar) await mustOwnAvatar(context, caller, avatar);
  await context.db.transaction().execute(async (trx) => {
    await updateWorkspace(trx, caller.workspace, {
      ...(name !== undefined && { name, named: 1 as const }),
      ...(avatar !== undefined && { avatar }),
    });
    if (name !== undefined)
      for (const { changeFace } of context.features) await changeFace?.(context, trx, { workspace: caller.workspace });
    await record(trx, caller, 'workspace.updated', name ?? caller.workspaceName, { fields: Object.keys(given) });
  });
  context.sockets.toWorkspace(caller.workspace, accountChanged, {});
  return getWorkspace(context, caller, caller.workspace);
}

export async function removeWorkspace(context: Context, caller: Caller, name: string): Promise<void> {
  await mustBeConfirmed(context, caller);
  const workspace = await mustNotBePersonal(context, caller);
  if (workspace.name !== name) throw new AppError('confirmation-mismatch');
  await eraseWorkspace(context, caller.workspace, (trx) => record(trx, caller, 'workspace.deleted', name));
}

/** The old owner stays, as an admin. */
export async function transferWorkspace(context: Context, caller: Caller, user: string): Promise<Workspace> {
  await mustNotBePersonal(context, caller);
  await changeMember(context, caller, user, async (trx, member) => {
    // The caller may have transferred it already, in a request at the same moment.
    if ((await findMember(trx, caller.workspace, caller.user))?.role !== 'owner') throw new AppError('owner-only');
    const common = { workspace: caller.workspace, updated_at: Date.now() };
    await updateRole(trx, { ...common, user: caller.user, role: 'admin' });
    await updateRole(trx, { ...common, user, role: 'owner' });
    await record(trx, caller, 'workspace.transferred', member.username);
  });
  showChange(context, caller.user);
  return getWorkspace(context, caller, caller.workspace);
}

export async function leaveWorkspace(context: Context, caller: Caller): Promise<void> {
  // A key may read for its person, but not change who is in a workspace.
  if (caller.key) throw new AppError('key-not-allowed');
  await context.db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, caller.workspace);
    const member = await findMember(trx, caller.workspace, caller.user);
    if (!member) throw new AppError('workspace-not-found');
    if (member.role === 'owner') throw new AppError('owner-only');
    await endMembership(context, trx, caller, caller.user);
    await record(trx, caller, 'workspace.left', caller.username);
  });
  showChange(context, caller.user);
}

export async function listOwnMembers(
  { db }: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listMembers(db, {
    workspace: caller.workspace,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: shown.rows.map(toMember), meta: { nextCursor: shown.nextCursor } };
}

export async function changeRole(
  context: Context,
  caller: Caller,
  user: string,
  role: Invitation['role'],
): Promise<Member> {
  const changes = { role, updated_at: Date.now() };
  const member = await changeMember(context, caller, user, async (trx, { username, role: from }) => {
    await updateRole(trx, { workspace: caller.workspace, user, ...changes });
    if (!may(role, 'manage')) await endInvitationsBy(trx, caller, user);
    await record(trx, caller, 'member.role-changed', username, { from, to: role });
  });
  return toMember({ ...member, ...changes });
}

export async function removeMember(context: Context, caller: Caller, user: string): Promise<void> {
  await changeMember(context, caller, user, async (trx, { username, role }) => {
    await endMembership(context, trx, caller, user);
    await record(trx, caller, 'member.removed', username, { role });
  });
}

/** What a person made for the workspace, keys for one, goes with them, and so do links by which they would come back. */
async function endMembership({ features }: Context, trx: Trx, caller: Caller, user: string): Promise<void> {
  const { workspace } = caller;
  await deleteMember(trx, workspace, user);
  await endInvitationsBy(trx, caller, user);
  for (const feature of features.toReversed()) await feature.person?.leave?.(trx, { workspace, user });
}

/** Changes another member in a transaction; never oneself, and never the owner. */
async function changeMember(
  context: Context,
  caller: Caller,
  user: string,
  change: (trx: Trx, member: MemberRow) => Promise<void>,
): Promise<MemberRow> {
  const member = await context.db.transaction().execute(async (trx) => {
    await lockWorkspace(trx, caller.workspace);
    const found = await findMember(trx, caller.workspace, user);
    if (!found) throw new AppError('member-not-found');
    // Compared with the stored id, since the given one may be in capitals.
    if (found.uuid === caller.user) throw new AppError('yourself');
    if (found.role === 'owner') throw new AppError('owner-only');
    await change(trx, found);
    return found;
  });
  showChange(context, user);
  return member;
}

async function mustNotBePersonal({ db }: Context, caller: Caller): Promise<WorkspaceRow> {
  const workspace = await findWorkspace(db, caller.user, caller.workspace);
  if (!workspace) throw new AppError('workspace-not-found');
  if (workspace.personal_of !== null) throw new AppError('workspace-personal');
  return workspace;
}

function toWorkspace(row: WorkspaceRow, caller: Caller): Workspace {
  return {
    uuid: row.uuid,
    name: row.name,
    avatar: row.avatar ? { url: avatarUrl(row.avatar) } : null,
    role: row.role,
    personal: row.personal_of === caller.user,
    members: Number(row.members),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

function toMember(row: MemberRow): Member {
  return {
    uuid: row.uuid,
    username: row.username,
    email: row.email,
    avatar: row.avatar ? { url: avatarUrl(row.avatar) } : null,
    role: row.role,
    twoFactor: row.totp_since !== null,
    lastSeenAt: row.last_seen_at === null ? null : new Date(Number(row.last_seen_at)).toISOString(),
    joinedAt: new Date(row.created_at).toISOString(),
    ...momentsOf(row),
  };
}
