import { createHmac } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockName, type Trx } from '../../infra/db.ts';
import type { JobHandler, JobRun } from '../../infra/queue.ts';
import { claimTarget, findDue, findNext, findTarget, updateDelivery, updateTarget } from './webhooks.store.ts';
import type { WebhookDeliveryTable, WebhookTargetTable } from './webhooks.tables.ts';
import { addSending, lockOf, maxAttempts, secretOf } from './webhooks.ts';

const timeoutMs = 10_000;
/** After this an address lets others of its lane go first. */
const turnMs = 15_000;
/** Longer than a turn and the request that it ends with. */
const busyMs = 40_000;
/** Addresses of one workspace that are called at once. */
const mostBusy = 2;
const waitForRoomMs = 1_000;

/** So many failures in a row say something of the address, and not only of what it was sent. */
const failuresBeforePause = 3;
const longestPauseMs = 15 * 60_000;
const longestRetryMs = 2 * 3_600_000;

const backoffMs = (failures: number, mostMs: number) => Math.min(mostMs, 1_000 * 4 ** failures);

/**
 * The signature of a body: `t` is the second at which it was made, `v1` the HMAC-SHA256 of `<t>.<body>` under the webhook's
 * secret, in hex. Whoever checks it refuses what is older than five minutes.
 */
export const signatureOf = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

class NotTakenError extends Error {}

/**
 * Sends what an address has waiting, one after another, until one is not taken or others have waited long enough. What is not
 * answered with 2xx is sent again later, with the same id and a new signature.
 */
export const sendJob = (context: Context): JobHandler<{ target: string }> => ({
  async run({ target: uuid }, run) {
    const { db, engine } = context;
    // Whoever adds a delivery, or changes where it goes, holds the same lock before the job's row: what they add is seen here, or its job is added after this one.
    const lockFirst = (trx: Trx) => lockName(trx, engine, lockOf(uuid));
    const fenced: JobRun['fenced'] = (write) => run.fenced(write, lockFirst);
    const begun = Date.now();
    const target = await findTarget(db, uuid);
    if (!target) return;
    const isRoom = await db.transaction().execute(async (trx) => {
      await lockName(trx, engine, `webhooks of ${target.workspace}`);
      return claimTarget(trx, target, { now: begun, until: begun + busyMs, most: mostBusy });
    });
    let now = begun;
    for (let goesOn = isRoom; goesOn && now - begun < turnMs; now = Date.now()) {
      const state = await findTarget(db, uuid);
      if (!state || (state.paused_until ?? 0) > now) break;
      const delivery = await findDue(db, uuid, now);
      goesOn = delivery !== undefined && (await send(context, state, delivery, { ...run, fenced }));
    }
    await run.finish(async (trx) => {
      if (isRoom) await updateTarget(trx, uuid, { busy_until: null });
      const [state, next] = [await findTarget(trx, uuid), await findNext(trx, uuid)];
      if (!state || !next) return;
      const dueMs = Math.max(next.due_at, state.paused_until ?? 0) - Date.now();
      await addSending(context, trx, uuid, { delayMs: Math.max(dueMs, isRoom ? 0 : waitForRoomMs) });
    }, lockFirst);
    context.queue.wake();
  },
});

/** True when it was taken. */
async function send(
  context: Context,
  target: WebhookTargetTable,
  delivery: WebhookDeliveryTable,
  { signal, fenced }: JobRun,
): Promise<boolean> {
  const { outbound } = context;
  if (target.active === 0 && delivery.event !== 'test') {
    await updateDelivery(context.db, delivery.uuid, { state: 'failed', error: 'switched-off', ended_at: Date.now() });
    return true;
  }
  const attempts = delivery.attempts + 1;
  const late = AbortSignal.timeout(timeoutMs);
  let status: number | null = null;
  try {
    const answer = await outbound.request(target.url, {
      method: 'POST',
      signal: AbortSignal.any([signal, late]),
      timeoutMs,
      body: delivery.payload,
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Kotae',
        'kotae-delivery': delivery.uuid,
        'kotae-event': delivery.event,
        'kotae-signature': signatureOf(secretOf(context, target), delivery.payload, Math.floor(Date.now() / 1000)),
      },
    });
    answer.body.destroy();
    status = answer.status;
    if (status < 200 || status >= 300) throw new NotTakenError(`status-${status}`);
  } catch (error) {
    signal.throwIfAborted();
    const code =
      error instanceof AppError ? error.code : error instanceof NotTakenError ? error.message : 'unreachable';
    const failures = target.failures + 1;
    const now = Date.now();
    const pauseMs = failures < failuresBeforePause ? 0 : backoffMs(failures - failuresBeforePause + 1, longestPauseMs);
    await fenced(async (trx) => {
      await updateDelivery(trx, delivery.uuid, {
        attempts,
        status,
        error: code,
        ...(attempts < maxAttempts
          ? { due_at: now + backoffMs(attempts, longestRetryMs) }
          : { state: 'failed', ended_at: now }),
      });
      await updateTarget(trx, target.uuid, {
        last_ok: 0,
        last_error: code,
        last_at: now,
        failures,
        paused_until: pauseMs > 0 ? now + pauseMs : null,
      });
    });
    return false;
  }
  await fenced(async (trx) => {
    const now = Date.now();
    await updateDelivery(trx, delivery.uuid, { attempts, status, error: null, state: 'sent', ended_at: now });
    await updateTarget(trx, target.uuid, {
      last_ok: 1,
      last_error: null,
      last_at: now,
      failures: 0,
      paused_until: null,
    });
  });
  return true;
}
