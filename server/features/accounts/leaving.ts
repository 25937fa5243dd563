import type { FastifyReply } from 'fastify';
import { AppError } from '../../../shared/errors.ts';
import { toJson, type Context, type ExportedFile, type StoredFile } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { writeZip, type AddToZip } from '../../infra/zip.ts';
import { record } from '../audit/audit.ts';
import { plainName, removeBlobs } from '../files/files.ts';
import { sendMail, sendsMail } from '../mail/mail.ts';
import { lockCaller, mustBeConfirmed } from '../users/sessions.ts';
import { deleteUser, findUser, hasUsers, mustNotBeLastOperator, updateUser, type User } from '../users/users.ts';
import { eraseWorkspace } from '../workspaces/erase-workspace.ts';
import { handOverWorkspace, listOwnedWorkspaces } from '../workspaces/memberships.ts';
import type { TicketTable } from './accounts.tables.ts';
import { getUser } from './profile.ts';
import { listOwnSessions } from './sessions.ts';
import { holderOf, issueTicket, takeTicket } from './tickets.ts';

const exportMs = 5 * 60_000;

/** What happens to each workspace a person owns: somebody takes it over, or it goes with them. */
export async function previewLeaving(context: Context, caller: Caller) {
  const owned = await listOwnedWorkspaces(context.db, caller.user);
  const face = ({ uuid, username }: { uuid: string; username: string }) => ({ uuid, username });
  return owned.map(({ uuid, name, isPersonal, candidates, successor }) => ({
    uuid,
    name,
    personal: isPersonal,
    members: candidates.length + 1,
    successor: successor ? face(successor) : null,
    candidates: candidates.map(face),
  }));
}

/**
 * Deletes a person. Workspaces with other members are handed over, the personal one only to whom they chose; the others are
 * erased, the personal one last and in one transaction with the person, so that whoever is interrupted is still there and can finish.
 */
export async function deleteAccount(
  context: Context,
  caller: Caller,
  handOver: { workspace: string; user: string }[],
): Promise<void> {
  const { db } = context;
  const user = await findUser(db, caller.user);
  if (!user) throw new AppError('not-signed-in');
  // Checked before anything is erased, and again in the transaction that deletes the person.
  await db.transaction().execute(async (trx) => {
    await mustLeaveAnOperator(trx, user);
    await lockCaller(trx, caller);
  });
  const plans = (await listOwnedWorkspaces(db, user.uuid)).map((workspace) => {
    const wish = handOver.find((one) => one.workspace === workspace.uuid);
    const successor = wish
      ? workspace.candidates.find((candidate) => candidate.uuid === wish.user)
      : workspace.successor;
    if (wish && !successor) throw new AppError('member-not-found');
    return { ...workspace, successor };
  });
  if (handOver.some((wish) => !plans.some((plan) => plan.uuid === wish.workspace)))
    throw new AppError('workspace-not-found');

  const files: StoredFile[] = [];
  const goodbye = async (trx: Trx) => {
    await mustLeaveAnOperator(trx, user);
    await lockCaller(trx, caller);
    for (const { uuid, name, successor } of plans) {
      if (!successor) continue;
      await handOverWorkspace(trx, { workspace: uuid, from: user.uuid, to: successor.uuid });
      await record(
        trx,
        { ...caller, workspace: uuid, workspaceName: name },
        'workspace.transferred',
        successor.username,
      );
    }
    await updateUser(trx, user.uuid, { avatar: null });
    for (const feature of context.features.toReversed())
      files.push(...((await feature.person?.erase?.(trx, { user: user.uuid, email: user.email }, context)) ?? []));
    await deleteUser(trx, user.uuid);
    if (sendsMail(context))
      await sendMail(context, trx, {
        kind: 'account-deleted',
        to: user.email,
        locale: user.locale,
        values: { username: user.username },
      });
    await record(
      trx,
      { user: user.uuid, username: user.username, address: caller.address },
      'user.deleted',
      user.username,
    );
  };
  const erased = plans.filter((plan) => !plan.successor);
  for (const { uuid } of erased.filter((plan) => !plan.isPersonal)) await eraseWorkspace(context, uuid);
  for (const feature of context.features.toReversed()) await feature.person?.clear?.(context, user.uuid);
  const personal = erased.find((plan) => plan.isPersonal);
  if (personal) await eraseWorkspace(context, personal.uuid, goodbye);
  else await db.transaction().execute(goodbye);
  context.sockets.endUser(user.uuid);
  await removeBlobs(context, files);
}

/** An installation that others still use needs somebody who runs it. */
async function mustLeaveAnOperator(trx: Trx, user: User): Promise<void> {
  if (!user.is_operator) return;
  if (await hasUsers(trx, user.uuid)) await mustNotBeLastOperator(trx, user.uuid);
}

export async function offerExport(context: Context, caller: Caller): Promise<{ url: string; expiresAt: string }> {
  await mustBeConfirmed(context, caller);
  const ticket = await context.db.transaction().execute(async (trx) => {
    const user = await lockCaller(trx, caller);
    await record(trx, caller, 'user.exported', caller.username);
    return issueTicket(trx, { kind: 'export', user, data: { session: caller.session }, ms: exportMs });
  });
  return { url: `/api/export/${ticket}`, expiresAt: new Date(Date.now() + exportMs).toISOString() };
}

/** Everything of a person and of the workspaces they own, written as it is sent. */
export async function downloadExport(context: Context, code: string, reply: FastifyReply): Promise<void> {
  const ticket = await takeTicket(context.db, ['export'], code);
  const { session }: { session: string } = JSON.parse(ticket.data);
  const user = await holderOf(context.db, ticket);
  const name = `kotae-${user.username.replace(/[^\p{L}\p{N}._-]/gu, '_')}-${new Date().toISOString().slice(0, 10)}.zip`;
  await reply
    .header('content-type', 'application/zip')
    .header(
      'content-disposition',
      `attachment; filename="kotae-export.zip"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .header('cache-control', 'no-store')
    .send(writeZip((add) => fill(context, add, ticket, session)));
}

async function fill(context: Context, addFile: AddToZip, ticket: TicketTable, session: string): Promise<void> {
  const { uuid: user } = await holderOf(context.db, ticket);
  const add = async (files: AsyncIterable<ExportedFile> | undefined, folder = '') => {
    for await (const { name, content } of files ?? []) {
      await holderOf(context.db, ticket);
      await addFile(`${folder}${name}`, content);
    }
  };
  for (const feature of context.features) await add(feature.person?.export?.(context, user, session));
  for (const workspace of await listOwnedWorkspaces(context.db, user)) {
    const folder = `workspaces/${plainName(workspace.name)}-${workspace.uuid.slice(-6)}/`;
    await addFile(`${folder}workspace.json`, toJson({ uuid: workspace.uuid, name: workspace.name }));
    for (const feature of context.features) await add(feature.workspace?.export?.(context, workspace.uuid), folder);
  }
}

/** The account itself, without anything that lets one in. */
export async function* exportAccount(context: Context, user: string, session: string): AsyncGenerator<ExportedFile> {
  yield { name: 'account.json', content: toJson(await getUser(context.db, user, { withAvatar: true })) };
  yield { name: 'sessions.json', content: toJson(await listOwnSessions(context, { user, session })) };
}
