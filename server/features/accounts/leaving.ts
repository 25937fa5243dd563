import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { ZipFile } from 'yazl';
import { AppError } from '../../../shared/errors.ts';
import type { Trx } from '../../infra/db.ts';
import type { UserTable } from '../../infra/db.types.ts';
import type { Caller } from '../../infra/http.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { plainName, removeBlobs, type StoredFile } from '../files/files.ts';
import { sendMail, sendsMail } from '../mail/mail.ts';
import { mustNotBeLastOperator } from '../operator/operator.ts';
import { eraseWorkspace } from '../workspaces/erase-workspace.ts';
import { findUser } from './accounts.store.ts';
import {
  deletePerson,
  handOverWorkspace,
  hasOtherUsers,
  listBotVersions,
  listOwnAudit,
  listOwned,
  listOwnKeys,
  listOwnThreads,
  listThreadMessages,
  listWorkspaceBots,
  listWorkspaceDocuments,
} from './leaving.store.ts';
import { listOwnSessions, mustBeConfirmed } from './sessions.ts';
import { issueTicket, takeTicket } from './tickets.ts';
import { getUser } from './users.ts';

const exportMs = 5 * 60_000;

/** What happens to each workspace a person owns: somebody takes it over, or it goes with them. */
export async function previewLeaving(context: Context, caller: Caller) {
  const owned = await listOwned(context.db, caller.user);
  return owned.map(({ uuid, name, candidates, successor }) => ({
    uuid,
    name,
    members: candidates.length + 1,
    successor: successor ? { uuid: successor.uuid, username: successor.username } : null,
  }));
}

/**
 * Deletes a person. Workspaces with other members are handed over; the others are erased, the personal one last and in one
 * transaction with the person, so that whoever is interrupted is still there and can finish.
 */
export async function deleteAccount(
  context: Context,
  caller: Caller,
  handOver: { workspace: string; user: string }[],
): Promise<void> {
  const { db } = context;
  const user = await findUser(db, caller.user);
  if (!user) throw new AppError('not-signed-in');
  // Asked here, before anything is erased, and once more where it counts.
  await db.transaction().execute((trx) => mustLeaveAnOperator(trx, user));
  const plans = (await listOwned(db, user.uuid)).map((workspace) => {
    const wish = handOver.find((one) => one.workspace === workspace.uuid);
    const successor = wish
      ? workspace.candidates.find((candidate) => candidate.uuid === wish.user)
      : workspace.successor;
    if (wish && !successor) throw new AppError('member-not-found');
    return { ...workspace, successor };
  });
  if (handOver.some((wish) => !plans.some((plan) => plan.uuid === wish.workspace)))
    throw new AppError('workspace-not-found');

  let files: StoredFile[] = [];
  const goodbye = async (trx: Trx) => {
    await mustLeaveAnOperator(trx, user);
    for (const { uuid, name, successor } of plans) {
      if (!successor) continue;
      await handOverWorkspace(trx, uuid, successor.uuid);
      await record(
        trx,
        { ...caller, workspace: uuid, workspaceName: name },
        'workspace.transferred',
        successor.username,
      );
    }
    files = await deletePerson(trx, user.uuid, user.email);
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
  const personal = erased.find((plan) => plan.isPersonal);
  if (personal) await eraseWorkspace(context, personal.uuid, goodbye);
  else await db.transaction().execute(goodbye);
  context.sockets.endUser(user.uuid);
  for (const file of files)
    await removeBlobs(context, file).catch((err: unknown) =>
      context.log.warn({ err, file: file.uuid }, 'a file of a deleted account could not be removed'),
    );
}

/** An installation that others still use needs somebody who runs it. */
async function mustLeaveAnOperator(trx: Trx, user: UserTable): Promise<void> {
  if (!user.is_operator) return;
  if (await hasOtherUsers(trx, user.uuid)) await mustNotBeLastOperator(trx, user);
}

export async function offerExport(context: Context, caller: Caller): Promise<{ url: string; expiresAt: string }> {
  await mustBeConfirmed(context, caller);
  const ticket = await issueTicket(context.db, {
    kind: 'export',
    user: caller.user,
    data: { session: caller.session },
    ms: exportMs,
  });
  await record(context.db, caller, 'user.exported', caller.username);
  return { url: `/api/export/${ticket}`, expiresAt: new Date(Date.now() + exportMs).toISOString() };
}

/** Everything of a person and of the workspaces they own, written as it is sent. */
export async function downloadExport(context: Context, code: string, reply: FastifyReply): Promise<void> {
  const ticket = await takeTicket(context.db, ['export'], code);
  const { session }: { session: string } = JSON.parse(ticket.data);
  const user = ticket.user ? await findUser(context.db, ticket.user) : undefined;
  if (!user || user.suspended_at !== null) throw new AppError('code-invalid');
  const zip = new ZipFile();
  zip.on('error', (error: Error) => reply.raw.destroy(error));
  // Once the first bytes are out an error can only end the connection; the file is then visibly incomplete.
  fill(context, zip, user.uuid, session).then(
    () => zip.end(),
    (error: Error) => reply.raw.destroy(error),
  );
  const name = `kotae-${user.username.replace(/[^\p{L}\p{N}._-]/gu, '_')}-${new Date().toISOString().slice(0, 10)}.zip`;
  await reply
    .header('content-type', 'application/zip')
    .header(
      'content-disposition',
      `attachment; filename="kotae-export.zip"; filename*=UTF-8''${encodeURIComponent(name)}`,
    )
    .header('cache-control', 'no-store')
    .send(zip.outputStream);
}

async function fill(context: Context, zip: ZipFile, user: string, session: string): Promise<void> {
  const { db } = context;
  const json = (name: string, value: unknown) => zip.addBuffer(Buffer.from(JSON.stringify(value, null, 2)), name);
  json('account.json', await getUser(db, user, { withAvatar: true }));
  json('sessions.json', await listOwnSessions(context, { user, session }));
  json('api-keys.json', await listOwnKeys(db, user));
  json(
    'activity.json',
    (await listOwnAudit(db, user)).map((entry) => ({
      ...entry,
      created_at: moment(entry.created_at),
      details: JSON.parse(entry.details),
    })),
  );
  for (const thread of await listOwnThreads(db, user)) {
    const messages = await listThreadMessages(db, thread.uuid);
    json(`conversations/${thread.uuid}.json`, {
      title: thread.title,
      bot: thread.bot,
      createdAt: moment(thread.created_at),
      messages: messages.map((message) => ({
        ...message,
        citations: JSON.parse(message.citations),
        created_at: moment(message.created_at),
      })),
    });
  }
  for (const workspace of await listOwned(db, user)) {
    const folder = `workspaces/${plainName(workspace.name)}-${workspace.uuid.slice(-6)}`;
    json(`${folder}/workspace.json`, { uuid: workspace.uuid, name: workspace.name });
    for (const bot of await listWorkspaceBots(db, workspace.uuid)) {
      const versions = await listBotVersions(db, bot.uuid);
      json(`${folder}/bots/${plainName(bot.name)}-${bot.uuid.slice(-6)}.json`, {
        name: bot.name,
        description: bot.description,
        draft: JSON.parse(bot.draft),
        versions: versions.map((version) => ({
          ...version,
          config: JSON.parse(version.config),
          created_at: moment(version.created_at),
        })),
      });
    }
    for (const document of await listWorkspaceDocuments(db, workspace.uuid)) {
      const { storage_key: key } = document;
      if (key === null) continue;
      const name = `${folder}/knowledge/${plainName(document.knowledgeName)}-${document.knowledge.slice(-6)}/${document.uuid.slice(-6)}-${plainName(document.name)}`;
      const missing = (err: unknown) => {
        context.log.warn({ err, document: document.uuid }, 'a file is missing from an export');
        return Readable.from([Buffer.from('This file is missing from the storage.')]);
      };
      zip.addReadStreamLazy(
        name,
        (give) =>
          void context.storage
            .get(key)
            .catch(missing)
            .then((stream) => give(null, stream)),
      );
    }
  }
}

const moment = (ms: number) => new Date(ms).toISOString();
