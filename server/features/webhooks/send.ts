import { createHmac } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { JobHandler } from '../../infra/queue.ts';
import { findDelivery, findTarget, updateDelivery, updateTarget } from './webhooks.store.ts';
import { secretOf } from './webhooks.ts';

const timeoutMs = 10_000;

/**
 * The signature of a body: `t` is the second at which it was made, `v1` the HMAC-SHA256 of `<t>.<body>` under the webhook's
 * secret, in hex. Whoever checks it refuses what is older than five minutes.
 */
export const signatureOf = (secret: string, body: string, seconds: number): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

class NotTakenError extends Error {}

/** Sends an event to its address; anything but a 2xx is tried again later, with the same id and a new signature. */
export const sendJob = (context: Context): JobHandler<{ delivery: string }> => ({
  async run({ delivery: uuid }, { signal, fenced, finish }) {
    const { db, outbound } = context;
    const delivery = await findDelivery(db, uuid);
    const target = delivery && (await findTarget(db, delivery.target));
    if (!delivery || !target || delivery.state !== 'queued') return;
    const attempts = delivery.attempts + 1;
    const now = () => Date.now();
    const said = { status: null as number | null, error: null as string | null };
    try {
      if (target.active === 0) throw new NotTakenError('switched-off');
      const answer = await outbound.request(target.url, {
        method: 'POST',
        signal,
        timeoutMs,
        body: delivery.payload,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Kotae',
          'kotae-delivery': uuid,
          'kotae-event': delivery.event,
          'kotae-signature': signatureOf(secretOf(context, target), delivery.payload, Math.floor(now() / 1000)),
        },
      });
      answer.body.destroy();
      said.status = answer.status;
      if (answer.status < 200 || answer.status >= 300) throw new NotTakenError(`status-${answer.status}`);
    } catch (error) {
      signal.throwIfAborted();
      said.error =
        error instanceof AppError ? error.code : error instanceof NotTakenError ? error.message : 'unreachable';
      await fenced(async (trx) => {
        await updateDelivery(trx, uuid, { ...said, attempts });
        await updateTarget(trx, target.uuid, { last_ok: 0, last_at: now() });
      });
      throw error;
    }
    await finish(async (trx) => {
      await updateDelivery(trx, uuid, { ...said, attempts, state: 'sent', ended_at: now() });
      await updateTarget(trx, target.uuid, { last_ok: 1, last_at: now() });
    });
  },
  async dead({ delivery }) {
    await updateDelivery(context.db, delivery, { state: 'failed', ended_at: Date.now() });
  },
});
