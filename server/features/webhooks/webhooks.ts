import type {
  DeliveryEvent,
  DeliveryState,
  OutgoingWebhook,
  WebhookDelivery,
  WebhookEvent,
  WebhookWeek,
} from '../../../shared/contracts/webhooks.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context, GuestThread } from '../../feature.ts';
import { dayNamer, listDays } from '../../infra/days.ts';
import { lockName, newId, type Db, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { wrongAddress } from '../../infra/outbound.ts';
import { page, readCursor } from '../../infra/page.ts';
import { jobKind } from '../../infra/queue.ts';
import { newSecret } from '../../infra/sealed.ts';
import { momentsOf } from '../../infra/moments.ts';
import { record } from '../audit/audit.ts';
import { findUser } from '../users/users.ts';
import {
  deleteOldDeliveries,
  countBySpan,
  countDeliveries,
  deleteTarget,
  dueNow,
  failLateDeliveries,
  findDelivery,
  findTarget,
  findWaitingSince,
  insertDelivery,
  insertTarget,
  listDeliveryRows,
  listDueTargets,
  listTargets,
  listTimes,
  requeueFailed,
  tookMs,
  updateDelivery,
  updateTarget,
} from './webhooks.store.ts';
import type { WebhookDeliveryTable, WebhookTargetTable } from './webhooks.tables.ts';

const mostTargets = 20;

/** A delivery is tried for about a day: at once, then with growing pauses of up to two hours. */
export const maxAttempts = 16;
const givenUpMs = 86_400_000;

/** Sends what an address has waiting: one job for an address, however much waits. */
export const sendKind = jobKind<{ target: string }>({
  name: 'webhook.deliver',
  lane: 'webhooks',
  timeoutMs: 30_000,
  maxAttempts: 10,
});

/** Held by whoever adds to what an address is to be sent, and by its job while it writes. */
export const lockOf = (target: string) => `webhook ${target}`;

export const addSending = ({ queue }: Context, trx: Trx | Db, target: string, { delayMs = 0 } = {}) =>
  queue.add(trx, sendKind, { target }, { uniqueKey: lockOf(target), delayMs, sooner: true });

export const listWebhooks = async (context: Context, { workspace }: Caller): Promise<OutgoingWebhook[]> =>
  toWebhooks(context, await listTargets(context.db, workspace));

export async function createWebhook(
  context: Context,
  caller: Caller,
  { url, events }: { url: string; events: WebhookEvent[] },
): Promise<OutgoingWebhook & { secret: string }> {
  await mustBeCallable(context, url);
  if ((await listTargets(context.db, caller.workspace)).length >= mostTargets)
    throw new AppError('too-many', { limit: mostTargets });
  const now = Date.now();
  const uuid = newId();
  const secret = newSecret();
  const row: WebhookTargetTable = {
    uuid,
    workspace: caller.workspace,
    url,
    events: JSON.stringify([...new Set(events)]),
    secret: context.sealer.seal(secret, secretPlace(uuid)),
    active: 1,
    last_ok: null,
    last_error: null,
    last_at: null,
    failures: 0,
    paused_until: null,
    busy_until: null,
    created_at: now,
    updated_at: now,
  };
  await context.db.transaction().execute(async (trx) => {
    await insertTarget(trx, row);
    await record(trx, caller, 'webhook.created', new URL(url).host);
  });
  return { ...toWebhook(row), secret };
}

const secretPlace = (uuid: string) => `webhook_target:${uuid}:secret`;

export const secretOf = ({ sealer }: Context, { uuid, secret }: WebhookTargetTable): string =>
  sealer.open(secret, secretPlace(uuid));

/** A name is checked again at each connection, by what it resolves to. */
async function mustBeCallable({ outbound }: Context, url: string): Promise<void> {
  const refusal = await outbound.refusal(url);
  if (refusal) throw wrongAddress('url', refusal);
}

export async function mustFindTarget({ db }: Context, caller: Caller, uuid: string): Promise<WebhookTargetTable> {
  const row = await findTarget(db, uuid);
  if (row?.workspace !== caller.workspace) throw new AppError('webhook-not-found');
  return row;
}

export async function changeWebhook(
  context: Context,
  caller: Caller,
  uuid: string,
  given: { url?: string | undefined; events?: WebhookEvent[] | undefined; active?: boolean | undefined },
): Promise<OutgoingWebhook> {
  await mustFindTarget(context, caller, uuid);
  if (given.url !== undefined) await mustBeCallable(context, given.url);
  await context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, lockOf(uuid));
    await updateTarget(trx, uuid, {
      ...(given.url !== undefined && { url: given.url }),
      ...(given.events && { events: JSON.stringify([...new Set(given.events)]) }),
      ...(given.active !== undefined && { active: given.active ? 1 : 0 }),
      // Whoever changes it has looked at what was wrong.
      failures: 0,
      paused_until: null,
    });
    await dueNow(trx, uuid);
    await addSending(context, trx, uuid);
    await record(trx, caller, 'webhook.changed', '', { webhook: uuid });
  });
  context.queue.wake();
  return getWebhook(context, caller, uuid);
}

async function getWebhook(context: Context, caller: Caller, uuid: string): Promise<OutgoingWebhook> {
  const [webhook] = await toWebhooks(context, [await mustFindTarget(context, caller, uuid)]);
  if (!webhook) throw new AppError('webhook-not-found');
  return webhook;
}

export async function renewSecret(context: Context, caller: Caller, uuid: string): Promise<{ secret: string }> {
  await mustFindTarget(context, caller, uuid);
  const secret = newSecret();
  await context.db.transaction().execute(async (trx) => {
    await updateTarget(trx, uuid, { secret: context.sealer.seal(secret, secretPlace(uuid)) });
    await record(trx, caller, 'webhook.changed', '', { webhook: uuid });
  });
  return { secret };
}

export async function removeWebhook(context: Context, caller: Caller, uuid: string): Promise<void> {
  const { url } = await mustFindTarget(context, caller, uuid);
  await context.db.transaction().execute(async (trx) => {
    await deleteTarget(trx, uuid);
    await record(trx, caller, 'webhook.deleted', new URL(url).host);
  });
}

/** Whether any address of a thread's workspace is told of anything. */
export const hasTargets = async ({ db }: Context, { workspace }: Pick<GuestThread, 'workspace'>): Promise<boolean> =>
  (await listTargets(db, workspace)).some(({ active }) => active === 1);

/** Puts an event on its way to every address of the workspace that wants it. */
export async function sendEvent(
  context: Context,
  { workspace, uuid: thread }: Pick<GuestThread, 'workspace' | 'uuid'>,
  event: WebhookEvent,
  data: object,
  message: string | null = null,
): Promise<void> {
  const targets = (await listTargets(context.db, workspace))
    .filter(({ active, events }) => active === 1 && JSON.parse(events).includes(event))
    // Locked in the same order by everyone.
    .toSorted((one, other) => (one.uuid < other.uuid ? -1 : 1));
  if (targets.length === 0) return;
  await context.write(async (trx) => {
    for (const target of targets) await enqueue(context, trx, { target, event, data, thread, message });
  });
  context.queue.wake();
}

async function enqueue(
  context: Context,
  trx: Trx,
  {
    target,
    event,
    data,
    thread,
    message,
  }: {
    target: WebhookTargetTable;
    event: WebhookEvent | 'test';
    data: object;
    thread: string | null;
    message: string | null;
  },
): Promise<WebhookDeliveryTable> {
  const now = Date.now();
  const uuid = newId();
  const row: WebhookDeliveryTable = {
    uuid,
    target: target.uuid,
    thread,
    message,
    event,
    payload: JSON.stringify({ id: uuid, event, createdAt: new Date(now).toISOString(), data }),
    state: 'queued',
    attempts: 0,
    status: null,
    error: null,
    queued_at: now,
    // Before everything that waits.
    due_at: event === 'test' ? 0 : now,
    ended_at: null,
    created_at: now,
    updated_at: now,
  };
  await lockName(trx, context.engine, lockOf(target.uuid));
  await insertDelivery(trx, row);
  const pausedMs = event === 'test' ? 0 : (target.paused_until ?? 0) - now;
  await addSending(context, trx, target.uuid, { delayMs: Math.max(0, pausedMs) });
  return row;
}

export async function testWebhook(context: Context, caller: Caller, uuid: string): Promise<WebhookDelivery> {
  const target = await mustFindTarget(context, caller, uuid);
  const data = { workspace: caller.workspace };
  const row = await context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, lockOf(uuid));
    // Whoever asks wants to see what it answers now.
    await updateTarget(trx, uuid, { paused_until: null });
    return enqueue(context, trx, { target, event: 'test', data, thread: null, message: null });
  });
  context.queue.wake();
  return toDelivery(row);
}

export async function listDeliveries(
  context: Context,
  caller: Caller,
  uuid: string,
  query: {
    limit: number;
    cursor?: string | undefined;
    state?: DeliveryState | undefined;
    event?: DeliveryEvent | undefined;
  },
) {
  await mustFindTarget(context, caller, uuid);
  const rows = await listDeliveryRows(context.db, {
    target: uuid,
    state: query.state,
    event: query.event,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.created_at);
  // Of many they take a while, and they are the same for all that follows the first.
  const counts = query.cursor
    ? undefined
    : await countDeliveries(context.db, [uuid], { since: Date.now() - keptMs, event: query.event });
  return {
    data: shown.rows.map(toDelivery),
    meta: { nextCursor: shown.nextCursor },
    counts: counts?.get(uuid) ?? null,
  };
}

const daysShown = 7;
const mostTimed = 500;

export async function getWeek(context: Context, caller: Caller, uuid: string): Promise<WebhookWeek> {
  const { db } = context;
  await mustFindTarget(context, caller, uuid);
  const timezone = (await findUser(db, caller.user))?.timezone ?? 'UTC';
  const today = dayNamer(timezone)(Date.now());
  const first = new Date(Date.parse(today) - (daysShown - 1) * 86_400_000).toISOString().slice(0, 10);
  const days = listDays(timezone, first, today);
  const since = days[0]?.since ?? 0;
  const [counts, times] = await Promise.all([
    countBySpan(
      db,
      uuid,
      days.map(({ day, ...span }) => ({ name: day, ...span })),
    ),
    listTimes(db, uuid, { since, limit: mostTimed }),
  ]);
  const byDay = new Map(days.map(({ day }) => [day, { day, ...none }]));
  for (const { name, state, count } of counts) {
    const day = byDay.get(name);
    if (day) day[state] = count;
  }
  return { days: [...byDay.values()], tookMs: medianOf(times) };
}

/** The middle one, or between the two that are, in whole milliseconds; null of none. */
function medianOf(times: number[]): number | null {
  const sorted = times.toSorted((one, other) => one - other);
  const [one, other] = [sorted[(times.length - 1) >> 1], sorted[times.length >> 1]];
  return one === undefined || other === undefined ? null : Math.round((one + other) / 2);
}

export async function replay(
  context: Context,
  caller: Caller,
  at: { uuid: string; delivery: string },
): Promise<WebhookDelivery> {
  await mustFindTarget(context, caller, at.uuid);
  const row = await findDelivery(context.db, at.delivery);
  if (row?.target !== at.uuid) throw new AppError('webhook-not-found');
  if (row.state === 'queued') return toDelivery(row);
  const now = Date.now();
  const again = { state: 'queued', attempts: 0, status: null, error: null, ended_at: null } as const;
  const changes = { ...again, queued_at: now, due_at: 0 };
  await context.db.transaction().execute(async (trx) => {
    await lockName(trx, context.engine, lockOf(at.uuid));
    await updateTarget(trx, at.uuid, { paused_until: null });
    await updateDelivery(trx, row.uuid, changes);
    await addSending(context, trx, at.uuid);
  });
  context.queue.wake();
  return toDelivery({ ...row, ...changes });
}

/** Rows of one transaction, which holds up whoever sends to the address, and on SQLite everyone else. */
const retryBatch = 500;

/** Puts on its way at once whatever an address has not taken; of one that is off, what is known of it stays. */
export async function retryAll(context: Context, caller: Caller, uuid: string): Promise<OutgoingWebhook> {
  const { active } = await mustFindTarget(context, caller, uuid);
  for (let more = active === 1; more;) {
    more = await context.db.transaction().execute(async (trx) => {
      await lockName(trx, context.engine, lockOf(uuid));
      await updateTarget(trx, uuid, { paused_until: null });
      const isMore = (await requeueFailed(trx, uuid, retryBatch)) === retryBatch;
      if (!isMore) await dueNow(trx, uuid);
      await addSending(context, trx, uuid);
      return isMore;
    });
    context.queue.wake();
  }
  return getWebhook(context, caller, uuid);
}

const keptMs = 30 * 86_400_000;

export async function sweepDeliveries({ db }: Context, now = Date.now()): Promise<void> {
  await failLateDeliveries(db, { queuedBefore: now - givenUpMs, now });
  await deleteOldDeliveries(db, now - keptMs);
}

const mostWoken = 1000;

/** Puts what is due on its way where its job was lost. */
export async function wakeTargets(context: Context, now = Date.now()): Promise<void> {
  for (const target of await listDueTargets(context.db, now, mostWoken)) await addSending(context, context.db, target);
}

const weekMs = 7 * 86_400_000;

async function toWebhooks({ db }: Context, rows: WebhookTargetTable[]): Promise<OutgoingWebhook[]> {
  const targets = rows.map(({ uuid }) => uuid);
  const [counts, waiting] = await Promise.all([
    countDeliveries(db, targets, { since: Date.now() - weekMs }),
    findWaitingSince(db, targets),
  ]);
  return rows.map((row) => toWebhook(row, counts.get(row.uuid), waiting.get(row.uuid)));
}

const none = { sent: 0, failed: 0, queued: 0 };

function toWebhook(row: WebhookTargetTable, week = none, since?: number): OutgoingWebhook {
  return {
    uuid: row.uuid,
    url: row.url,
    events: JSON.parse(row.events),
    active: row.active === 1,
    pausedUntil: (row.paused_until ?? 0) > Date.now() ? new Date(row.paused_until ?? 0).toISOString() : null,
    last:
      row.last_at === null
        ? null
        : { ok: row.last_ok === 1, error: row.last_error, at: new Date(row.last_at).toISOString() },
    week,
    waitingSince: since === undefined ? null : new Date(since).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

function toDelivery(row: WebhookDeliveryTable): WebhookDelivery {
  return {
    uuid: row.uuid,
    event: row.event,
    state: row.state,
    about: aboutOf(row),
    attempts: row.attempts,
    status: row.status,
    error: row.error,
    tookMs: tookMs(row),
    payload: row.payload,
    ...momentsOf(row),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
  };
}

const mostAbout = 200;

function aboutOf({ thread, payload }: WebhookDeliveryTable): WebhookDelivery['about'] {
  if (thread === null) return null;
  const { conversation, message } = JSON.parse(payload).data;
  return {
    thread,
    name: conversation.guest?.name ?? '',
    text: (message?.text ?? '').slice(0, mostAbout).toWellFormed(),
  };
}
