import type { Invitation } from '../../../shared/contracts/workspaces.ts';
import { AppError } from '../../../shared/errors.ts';
import { may } from '../../../shared/roles.ts';
import { isUniqueViolation, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { limit } from '../../infra/limits.ts';
import { page, readCursor } from '../../infra/page.ts';
import { hashSecret, newSecret } from '../../infra/sealed.ts';
import { record, type Actor } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { avatarUrl } from '../files/files.ts';
import { sendMail, sendsMail } from '../mail/mail.ts';
import { lockCaller } from '../users/sessions.ts';
import { findUser, findUserByEmail } from '../users/users.ts';
import { findWorkspaceName, lockWorkspace } from './memberships.ts';
import { showChange } from './show-change.ts';
import {
  findInvitationByHash,
  findMember,
  insertInvitation,
  insertMember,
  listInvitations,
  listInvitationsByHash,
  listUnused,
  revokeInvitation,
  revokeInvitationsBy,
  revokeInvitationsTo,
  takeInvitation,
  type InvitationRow,
} from './workspaces.store.ts';

export const codeLimit = limit('code', 30, 3600, 'codes from mails and invitations, by address');
export const inviteLimit = limit('invite', 100, 86_400, 'invitations, by person');

const dayMs = 86_400_000;
const maxOpen = 100;

export async function listOwnInvitations(
  { db }: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listInvitations(db, {
    workspace: caller.workspace,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: shown.rows.map(toInvitation), meta: { nextCursor: shown.nextCursor } };
}

interface Invited {
  role: Invitation['role'];
  email?: string | undefined;
  days: number;
}

export const invite = (context: Context, caller: Caller, given: Invited) => issue(context, caller, async () => given);

/** Whoever lost a link, or never got the mail, is given another in its place, for as many days from now. */
export const renewInvitation = (context: Context, caller: Caller, uuid: string) =>
  issue(context, caller, async (trx) => {
    const { email, role, created_at, expires_at } = await takeBack(trx, caller, uuid);
    return { role, email: email ?? undefined, days: Math.max(1, Math.round((expires_at - created_at) / dayMs)) };
  });

/** The address with the code is told once; only the code's hash is kept. A second invitation to an address replaces the first. */
async function issue(
  context: Context,
  caller: Caller,
  give: (trx: Trx) => Promise<Invited>,
): Promise<Invitation & { url: string; sent: boolean }> {
  await context.limits.take(inviteLimit, caller.user);
  const { workspace } = caller;
  const code = newSecret();
  const url = context.links.to('/Invitation', { code });
  const now = Date.now();
  const row = await context.db.transaction().execute(async (trx) => {
    // They may have been signed out, removed or given another role since the call was let in.
    await lockCaller(trx, caller);
    await lockWorkspace(trx, workspace);
    const inviter = await findMember(trx, workspace, caller.user);
    if (!inviter || !may(inviter.role, 'manage')) throw new AppError('not-allowed');
    const { role, email = null, days } = await give(trx);
    const invited = email ? await findUserByEmail(trx, email) : undefined;
    if (invited && (await findMember(trx, workspace, invited.uuid))) throw new AppError('already-member');
    if (email)
      for (const replaced of await revokeInvitationsTo(trx, workspace, email, now))
        await recordRevoked(trx, caller, replaced);
    if ((await listUnused(trx, workspace, now)).filter(isOpen).length >= maxOpen)
      throw new AppError('too-many', { limit: maxOpen });
    const made = {
      uuid: newId(),
      workspace,
      role,
      email,
      code_hash: hashSecret(code),
      invited_by: caller.user,
      expires_at: now + days * dayMs,
      accepted_at: null,
      revoked_at: null,
      created_at: now,
      updated_at: now,
    };
    await insertInvitation(trx, made);
    if (email)
      await sendMail(context, trx, {
        kind: 'invitation',
        tenant: caller.workspace,
        to: email,
        locale: invited?.locale ?? caller.locale,
        link: url,
        values: { workspace: caller.workspaceName, inviter: caller.username, role, days },
      });
    await record(trx, caller, 'invitation.created', email ?? '', { role, days });
    return { ...made, inviter: inviter.username, inviter_role: inviter.role, inviter_suspended_at: null };
  });
  context.queue.wake();
  return { ...toInvitation(row), url, sent: row.email !== null && sendsMail(context) };
}

export const takeBackInvitation = ({ db }: Context, caller: Caller, uuid: string) =>
  db.transaction().execute((trx) => takeBack(trx, caller, uuid));

async function takeBack(trx: Trx, caller: Caller, uuid: string) {
  const revoked = await revokeInvitation(trx, caller.workspace, uuid, Date.now());
  if (!revoked) throw new AppError('invitation-not-found');
  await recordRevoked(trx, caller, revoked);
  return revoked;
}

/** What somebody who may no longer invite has handed out does not open when they may again. */
export async function endInvitationsBy(trx: Trx, caller: Caller, user: string): Promise<void> {
  for (const revoked of await revokeInvitationsBy(trx, user, Date.now(), caller.workspace))
    await recordRevoked(trx, caller, revoked);
}

/** Whoever had the account of a person before may have left themselves a link by which to come back. */
export async function endAllInvitationsBy(trx: Trx, user: string): Promise<void> {
  const { username = '' } = (await findUser(trx, user)) ?? {};
  for (const revoked of await revokeInvitationsBy(trx, user, Date.now())) {
    const { workspace } = revoked;
    const workspaceName = (await findWorkspaceName(trx, workspace)) ?? '';
    await recordRevoked(trx, { user, username, address: '', workspace, workspaceName }, revoked);
  }
}

const recordRevoked = (trx: Trx, actor: Actor, { email, role }: Pick<Invitation, 'email' | 'role'>) =>
  record(trx, actor, 'invitation.revoked', email ?? '', { role });

/** What a code still invites to; nothing for a code that invites no longer, or was never given. */
export async function findOpenInvitation(db: Db | Trx, code: string) {
  const row = await findInvitationByHash(db, hashSecret(code));
  if (!row || !isOpen(row)) return undefined;
  return {
    uuid: row.uuid,
    workspace: {
      uuid: row.workspace,
      name: row.workspace_name,
      avatar: row.workspace_avatar ? { url: avatarUrl(row.workspace_avatar) } : null,
    },
    role: row.role,
    email: row.email,
    invitedBy: row.inviter ?? '',
    expiresAt: new Date(row.expires_at).toISOString(),
  };
}

/** Of some codes, those that still invite. */
export async function listOpenCodes(db: Db, codes: string[]): Promise<string[]> {
  const open = new Set(
    (await listInvitationsByHash(db, codes.map(hashSecret))).filter(isOpen).map((row) => row.code_hash),
  );
  return codes.filter((code) => open.has(hashSecret(code)));
}

interface Person {
  uuid: string;
  username: string;
  email: string;
  address: string;
}

/** Makes the person a member, in the caller's transaction: theirs may be the one in which the person registers. Answers the workspace. */
export async function acceptInvitation(
  trx: Trx,
  code: string,
  { uuid: user, username, email, address }: Person,
): Promise<string> {
  const invitation = await findOpenInvitation(trx, code);
  if (!invitation) throw new AppError('code-invalid');
  const { workspace, role } = invitation;
  if (invitation.email && invitation.email.toLowerCase() !== email.toLowerCase()) throw new AppError('not-allowed');
  if (await findMember(trx, workspace.uuid, user)) throw new AppError('already-member');
  const now = Date.now();
  if (!(await takeInvitation(trx, invitation.uuid, now))) throw new AppError('code-invalid');
  await insertMember(trx, { workspace: workspace.uuid, user, role, created_at: now, updated_at: now });
  await record(
    trx,
    { user, username, address, workspace: workspace.uuid, workspaceName: workspace.name },
    'member.joined',
    username,
    { role },
  );
  return workspace.uuid;
}

export async function joinWorkspace(context: Context, caller: Caller, code: string): Promise<string> {
  try {
    const workspace = await context.db.transaction().execute(async (trx) => {
      const person = await findUser(trx, caller.user);
      if (!person) throw new AppError('not-signed-in');
      return acceptInvitation(trx, code, { ...person, address: caller.address });
    });
    showChange(context, caller.user);
    return workspace;
  } catch (error) {
    // Of two invitations that are accepted at the same moment, the second fails here.
    if (isUniqueViolation(error)) throw new AppError('already-member', {}, { cause: error });
    throw error;
  }
}

function toInvitation(row: InvitationRow): Invitation {
  return {
    uuid: row.uuid,
    role: row.role,
    email: row.email,
    state: stateOf(row),
    invitedBy: row.inviter ?? '',
    expiresAt: new Date(row.expires_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

/** What opens the door and what the list says are the same. */
const isOpen = (row: InvitationRow) => stateOf(row) === 'open';

function stateOf(row: InvitationRow): Invitation['state'] {
  if (row.accepted_at !== null) return 'accepted';
  if (row.revoked_at !== null) return 'revoked';
  if (row.expires_at <= Date.now()) return 'expired';
  return mayStillInvite(row) ? 'open' : 'revoked';
}

/** An invitation is worth what whoever made it may do now: nothing from who has left, may no longer invite, or is suspended. */
const mayStillInvite = ({ inviter_role: role, inviter_suspended_at: suspended }: InvitationRow) =>
  role !== null && may(role, 'manage') && suspended === null;
