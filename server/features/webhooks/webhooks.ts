import type { OutgoingWebhook, WebhookDelivery, WebhookEvent } from '../../../shared/contracts/webhooks.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { jobKind } from '../../infra/queue.ts';
import { newSecret } from '../../infra/sealed.ts';
import { record } from '../audit/audit.ts';
import {
  deleteOldDeliveries,
  deleteTarget,
  findDelivery,
  findTarget,
  insertDelivery,
  insertTarget,
  listDeliveryRows,
  listTargets,
  updateDelivery,
  updateTarget,
} from './webhooks.store.ts';
import type { WebhookDeliveryTable, WebhookTargetTable } from './webhooks.tables.ts';

const mostTargets = 20;

/** Tried for about a day: at once, then with growing pauses of up to two hours. */
export const sendKind = jobKind<{ delivery: string }>({
  name: 'webhook.send',
  lane: 'messages',
  timeoutMs: 30_000,
  maxAttempts: 16,
  maxPauseMs: 2 * 3_600_000,
});

export const listWebhooks = async ({ db }: Context, { workspace }: Caller): Promise<OutgoingWebhook[]> =>
  (await listTargets(db, workspace)).map(toWebhook);

export async function createWebhook(
  context: Context,
  caller: Caller,
  { url, events }: { url: string; events: WebhookEvent[] },
): Promise<OutgoingWebhook & { secret: string }> {
  mustBeCallable(context, url);
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
    last_at: null,
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
function mustBeCallable({ outbound }: Context, url: string): void {
  if (!outbound.allows(url))
    throw new AppError('validation-failed', { fields: [{ path: 'url', code: 'address-not-allowed' }] });
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
  if (given.url !== undefined) mustBeCallable(context, given.url);
  await context.db.transaction().execute(async (trx) => {
    await updateTarget(trx, uuid, {
      ...(given.url !== undefined && { url: given.url }),
      ...(given.events && { events: JSON.stringify([...new Set(given.events)]) }),
      ...(given.active !== undefined && { active: given.active ? 1 : 0 }),
    });
    await record(trx, caller, 'webhook.changed', '', { webhook: uuid });
  });
  return toWebhook(await mustFindTarget(context, caller, uuid));
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

/** Puts an event on its way to every address of the workspace that wants it. */
export async function sendEvent(context: Context, workspace: string, event: WebhookEvent, data: object): Promise<void> {
  const targets = (await listTargets(context.db, workspace)).filter(
    ({ active, events }) => active === 1 && JSON.parse(events).includes(event),
  );
  if (targets.length === 0) return;
  await context.write(async (trx) => {
    for (const target of targets) await enqueue(context, trx, target, event, data);
  });
  context.queue.wake();
}

async function enqueue(
  { queue }: Context,
  trx: Trx,
  target: WebhookTargetTable,
  event: WebhookEvent | 'test',
  data: object,
): Promise<WebhookDeliveryTable> {
  const now = Date.now();
  const uuid = newId();
  const row: WebhookDeliveryTable = {
    uuid,
    target: target.uuid,
    event,
    payload: JSON.stringify({ id: uuid, event, createdAt: new Date(now).toISOString(), data }),
    state: 'queued',
    attempts: 0,
    status: null,
    error: null,
    ended_at: null,
    created_at: now,
    updated_at: now,
  };
  await insertDelivery(trx, row);
  await queue.add(trx, sendKind, { delivery: uuid }, { uniqueKey: `webhook:${uuid}` });
  return row;
}

export async function testWebhook(context: Context, caller: Caller, uuid: string): Promise<WebhookDelivery> {
  const target = await mustFindTarget(context, caller, uuid);
  const row = await context.db
    .transaction()
    .execute((trx) => enqueue(context, trx, target, 'test', { workspace: caller.workspace }));
  context.queue.wake();
  return toDelivery(row);
}

export async function listDeliveries(
  context: Context,
  caller: Caller,
  uuid: string,
  query: { limit: number; cursor?: string | undefined },
) {
  await mustFindTarget(context, caller, uuid);
  const rows = await listDeliveryRows(context.db, {
    target: uuid,
    limit: query.limit,
    after: readCursor(query.cursor),
  });
  const shown = page(rows, query.limit, (row) => row.created_at);
  return { data: shown.rows.map(toDelivery), meta: { nextCursor: shown.nextCursor } };
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
  const changes = { state: 'queued', status: null, error: null, ended_at: null } as const;
  await context.db.transaction().execute(async (trx) => {
    await updateDelivery(trx, row.uuid, changes);
    await context.queue.add(
      trx,
      sendKind,
      { delivery: row.uuid },
      { uniqueKey: `webhook:${row.uuid}:${row.attempts}` },
    );
  });
  context.queue.wake();
  return toDelivery({ ...row, ...changes });
}

const keptMs = 30 * 86_400_000;

export const sweepDeliveries = ({ db }: Context, now = Date.now()) => deleteOldDeliveries(db, now - keptMs);

function toWebhook(row: WebhookTargetTable): OutgoingWebhook {
  return {
    uuid: row.uuid,
    url: row.url,
    events: JSON.parse(row.events),
    active: row.active === 1,
    last: row.last_at === null ? null : { ok: row.last_ok === 1, at: new Date(row.last_at).toISOString() },
    createdAt: new Date(row.created_at).toISOString(),
  };
}

function toDelivery(row: WebhookDeliveryTable): WebhookDelivery {
  return {
    uuid: row.uuid,
    event: row.event,
    state: row.state,
    attempts: row.attempts,
    status: row.status,
    error: row.error,
    payload: row.payload,
    createdAt: new Date(row.created_at).toISOString(),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at).toISOString(),
  };
}
