import type { MailWish, Notices, Quiet } from '../../../shared/contracts/notices.ts';
import { AppError } from '../../../shared/errors.ts';
import { may } from '../../../shared/roles.ts';
import type { Context, GuestThread } from '../../feature.ts';
import { newId } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import type { Limit } from '../../infra/limits.ts';
import { areKeys, type PushTarget } from '../../infra/push.ts';
import { hashSecret } from '../../infra/sealed.ts';
import { listLine, type MessageTable } from '../conversations/guest-threads.ts';
import { sendsMail } from '../mail/mail.ts';
import { lockCaller } from '../users/sessions.ts';
import { listMembers } from '../workspaces/memberships.ts';
import {
  deleteSubscriptionOf,
  findSubscriptionOf,
  listSettings,
  putSettings,
  putSubscription,
} from './notices.store.ts';
import type { NoticeSettingTable, PushSubscriptionTable } from './notices.tables.ts';

export async function getNotices(context: Context, caller: Caller): Promise<Notices> {
  const [settings] = await listSettings(context.db, [caller.user]);
  const here = caller.session ? await findSubscriptionOf(context.db, caller.session) : undefined;
  return {
    mail: settings?.mail ?? 'own',
    quiet: settings ? quietOf(settings) : null,
    sendsMail: sendsMail(context),
    push: { key: (await context.pushKeys()).publicKey, here: here !== undefined },
  };
}

export const quietOf = ({ quiet_from: from, quiet_to: to }: NoticeSettingTable): Quiet | null =>
  from === null || to === null ? null : { from, to };

export async function changeNotices(
  context: Context,
  caller: Caller,
  changes: { mail?: MailWish | undefined; quiet?: Quiet | null | undefined },
): Promise<Notices> {
  await context.db.transaction().execute(async (trx) => {
    await lockCaller(trx, caller);
    const [now] = await listSettings(trx, [caller.user]);
    if (!now) return;
    await putSettings(trx, {
      ...now,
      ...(changes.mail && { mail: changes.mail }),
      ...(changes.quiet !== undefined && {
        quiet_from: changes.quiet?.from ?? null,
        quiet_to: changes.quiet?.to ?? null,
      }),
    });
  });
  return getNotices(context, caller);
}

const placeOf = (uuid: string) => `push_subscription:${uuid}:target`;

export const targetOf = ({ sealer }: Context, { uuid, target }: PushSubscriptionTable): PushTarget =>
  JSON.parse(sealer.open(target, placeOf(uuid)));

export async function subscribe(context: Context, caller: Caller, target: PushTarget): Promise<Notices> {
  if (!(await isPushService(context, target.endpoint)))
    throw new AppError('validation-failed', { fields: [{ path: 'endpoint', code: 'address-not-allowed' }] });
  if (!areKeys(target.keys)) throw new AppError('validation-failed', { fields: [{ path: 'keys', code: 'invalid' }] });
  const now = Date.now();
  const uuid = newId();
  await context.db.transaction().execute(async (trx) => {
    await lockCaller(trx, caller);
    if (!caller.session) throw new AppError('not-signed-in');
    await putSubscription(trx, {
      uuid,
      user: caller.user,
      session: caller.session,
      endpoint_hash: hashSecret(target.endpoint),
      target: context.sealer.seal(JSON.stringify(target), placeOf(uuid)),
      created_at: now,
      updated_at: now,
    });
  });
  return getNotices(context, caller);
}

/** Browsers give addresses with TLS only. What its name resolves to is checked again at each connection. */
async function isPushService({ config, outbound }: Context, endpoint: string): Promise<boolean> {
  if (await outbound.refusal(endpoint)) return false;
  const { protocol, host } = new URL(endpoint);
  return protocol === 'https:' || config.ALLOW_PRIVATE_HOSTS.includes(host);
}

export async function unsubscribe(context: Context, caller: Caller): Promise<Notices> {
  if (caller.session) await deleteSubscriptionOf(context.db, caller.session);
  return getNotices(context, caller);
}

/** Whom a thread concerns: whoever it is assigned to, otherwise everyone of the team who may answer. */
export async function listConcerned(context: Context, thread: GuestThread) {
  const team = await listTeam(context, thread.workspace);
  const assigned = team.filter(({ user }) => user === thread.assignee);
  return assigned.length > 0 ? assigned : team;
}

export const listTeam = async ({ db }: Context, workspace: string) =>
  (await listMembers(db, workspace)).filter(({ role, suspended_at }) => suspended_at === null && may(role, 'converse'));

/** Whether people have to look at the thread. */
export const isPeoples = ({ status }: GuestThread) => status === 'waiting' || status === 'staff';

/** It waits for anybody, or somebody has it and has not read what came. */
export const needsPeople = (thread: GuestThread) =>
  isPeoples(thread) && (thread.status === 'waiting' || thread.waiting_since !== null || thread.unread > 0);

/** Whether a message calls people: a visitor wrote it, or with it the thread came to them. */
export function callsPeople(message: MessageTable): boolean {
  if (message.happening !== null) {
    const { kind, by } = JSON.parse(message.happening);
    // Whoever gives a thread back by themselves knows of it.
    return ['handed-off', 'woken'].includes(kind) || (kind === 'released' && by === null);
  }
  return message.role === 'user' && message.internal === 0;
}

const looksBack = 30;

/** What called people last in a thread, and what its visitor wrote last. */
export async function lastOf(context: Context, thread: string) {
  const line = await listLine(context.db, { thread, limit: looksBack, internal: true });
  return { call: line.findLast(callsPeople), said: line.findLast(({ role }) => role === 'user') };
}

/** Counts one more; false when it is one too many. */
export async function isWithin({ limits }: Context, limit: Limit, whom: string): Promise<boolean> {
  try {
    await limits.take(limit, whom);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'too-many-requests') return false;
    throw error;
  }
}
