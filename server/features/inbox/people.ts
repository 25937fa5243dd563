import type { GuestProfile } from '../../../shared/contracts/inbox.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import { listConnectionsOf } from '../connections/connections.ts';
import {
  announce,
  changeGuestThread,
  eraseThreads,
  eraseUnsent,
  happened,
  listLine,
  listThreadsOfGuest,
  partGuest,
  uniteGuests,
  type ThreadTable,
} from '../conversations/guest-threads.ts';
import { eraseFiles, findOwnPicture } from '../files/files.ts';
import {
  changeGuest,
  deleteGuest,
  deleteIdentities,
  listGuestRows,
  listIdentities,
  listTags,
  mustFindGuest,
  toFace,
} from '../guests/guests.ts';
import { showMessages } from './shown.ts';
import { isMail } from '../../../shared/mail.ts';

const mostThreads = 100;

export async function getGuest(context: Context, caller: Caller, uuid: string): Promise<GuestProfile> {
  const { db } = context;
  const guest = await mustFindGuest(db, caller.workspace, uuid);
  const [identities, tags, threads] = await Promise.all([
    listIdentities(db, uuid),
    listTags(db, [uuid]),
    listThreadsOfGuest(db, uuid, mostThreads),
  ]);
  const connections = await listConnectionsOf(db, [...new Set(identities.map(({ channel_id }) => channel_id))]);
  return {
    ...toFace(guest),
    language: guest.language,
    email: guest.email,
    phone: guest.phone,
    note: guest.note,
    tags: tags.get(uuid) ?? [],
    fields: JSON.parse(guest.fields),
    identities: identities.map((identity) => ({
      uuid: identity.uuid,
      channel: identity.channel,
      channelName: connections.find(({ channel_id }) => channel_id === identity.channel_id)?.name ?? '',
      name: identity.name,
      verified: identity.verified === 1,
      ...momentsOf(identity),
    })),
    blocked: guest.blocked_at !== null,
    page: guest.page,
    lastSeenAt: guest.last_seen_at === null ? null : new Date(guest.last_seen_at).toISOString(),
    createdAt: new Date(guest.created_at).toISOString(),
    updatedAt: new Date(guest.updated_at).toISOString(),
    threads: threads.filter(isBegun).map(toSummary),
  };
}

const isBegun = ({ last_at }: ThreadTable) => last_at !== null;

const toSummary = ({ uuid, title, status, ...row }: ThreadTable) => ({ uuid, title, status, ...momentsOf(row) });

export async function listGuests(
  { db }: Context,
  caller: Caller,
  query: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const rows = await listGuestRows(db, {
    workspace: caller.workspace,
    q: query.q,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.updated_at);
  return {
    data: shown.rows.map((row) => ({
      ...toFace(row),
      email: row.email,
      lastSeenAt: row.last_seen_at === null ? null : new Date(row.last_seen_at).toISOString(),
      ...momentsOf(row),
    })),
    meta: { nextCursor: shown.nextCursor },
  };
}

export async function updateGuest(
  context: Context,
  caller: Caller,
  uuid: string,
  given: Parameters<typeof changeGuest>[3],
): Promise<GuestProfile> {
  if (given.email && !isMail(given.email))
    throw new AppError('validation-failed', { fields: [{ path: 'email', code: 'email-form' }] });
  const before = await mustFindGuest(context.db, caller.workspace, uuid);
  await changeGuest(context, caller.workspace, uuid, given);
  if (given.blocked === true) context.sockets.endGuest(uuid);
  for (const { uuid: thread } of await listThreadsOfGuest(context.db, uuid, mostThreads)) {
    if (given.blocked === true && before.blocked_at === null)
      await changeGuestThread(context, thread, () => ({ rows: [happened('blocked', { by: caller.user })] }));
    else announce(context, thread, { message: null, isNew: false });
  }
  return getGuest(context, caller, uuid);
}

export async function merge(context: Context, caller: Caller, uuid: string, other: string): Promise<GuestProfile> {
  await context.db.transaction().execute(async (trx) => {
    await uniteGuests(trx, caller.workspace, uuid, other);
    await record(trx, caller, 'guest.merged', '', { guest: uuid });
  });
  // Also the one who stays: they may be blocked now.
  context.sockets.endGuest(other);
  context.sockets.endGuest(uuid);
  return told(context, caller, uuid);
}

export async function split(context: Context, caller: Caller, uuid: string, identity: string): Promise<GuestProfile> {
  const own = await context.db.transaction().execute(async (trx) => {
    const made = await partGuest(trx, caller.workspace, uuid, identity);
    await record(trx, caller, 'guest.split', '', { guest: uuid });
    return made;
  });
  context.sockets.endGuest(uuid);
  await told(context, caller, own);
  return told(context, caller, uuid);
}

async function told(context: Context, caller: Caller, uuid: string): Promise<GuestProfile> {
  for (const thread of await listThreadsOfGuest(context.db, uuid, mostThreads))
    announce(context, thread.uuid, { message: null, isNew: false });
  return getGuest(context, caller, uuid);
}

/** Everything about a person, with what was said. */
export async function exportGuest(context: Context, caller: Caller, uuid: string): Promise<Buffer> {
  const profile = await getGuest(context, caller, uuid);
  const conversations: unknown[] = [];
  for (const thread of (await listThreadsOfGuest(context.db, uuid)).filter(isBegun).map(toSummary)) {
    const messages: unknown[] = [];
    for (let after = 0; ;) {
      const rows = await listLine(context.db, { thread: thread.uuid, after, limit: 500, internal: true });
      messages.push(...(await showMessages(context, rows)));
      if (rows.length < 500) break;
      after = rows.at(-1)?.seq ?? after;
    }
    conversations.push({ ...thread, messages });
  }
  return Buffer.from(JSON.stringify({ ...profile, threads: undefined, conversations }, null, 2));
}

/** Erases a person with their conversations and files, for good. */
export async function eraseGuest(context: Context, caller: Caller, uuid: string): Promise<void> {
  const { avatar } = await mustFindGuest(context.db, caller.workspace, uuid);
  // Who can no longer come adds nothing to what is being erased.
  const { db } = context;
  await db.transaction().execute(async (trx) => {
    const ways = await listIdentities(trx, uuid);
    if (ways.length === 0) return;
    for (const feature of context.features) await feature.eraseGuest?.(context, trx, ways);
    await deleteIdentities(
      trx,
      ways.map((way) => way.uuid),
    );
  });
  await eraseThreads(context, { guest: uuid });
  await eraseUnsent(context, { before: Date.now() + 1, guest: uuid });
  await eraseFiles(context, await findOwnPicture(context, avatar), async (trx) => {
    await deleteGuest(trx, uuid);
    await record(trx, caller, 'guest.erased', '', { guest: uuid });
  });
  context.sockets.endGuest(uuid);
}
