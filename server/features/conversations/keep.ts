import type { Context } from '../../feature.ts';
import { settle } from '../usage/ledger.ts';
import {
  abandonMessage,
  extendLeases,
  findMessage,
  findStopRequests,
  keepText,
  listAbandoned,
  releaseThread,
  reopenQuestion,
} from './conversations.store.ts';
import { announce } from './live.ts';
import { leaseMs } from './runs.ts';

/** Texts are written a few at a time, so that hundreds of them do not block everything else. */
const flushMs = 100;
/** A process that dies loses at most this and one round of a text. Long texts are written less often, since each write is the whole text. */
const keepMs = 400;
const keepLongMs = 800;
const longText = 8000;
/** The lease is indexed, so a text that is written with it takes every index of its table along. */
const extendMs = leaseMs / 3;
const recoverMs = 10_000;

/** Keeps what answers have so far, ends those that nobody writes any more. Returns what waits for the last of them; new ones are refused by then. */
export function keepAnswers(context: Context): () => Promise<void> {
  const { runs, log } = context;
  const flushing = { isOn: false, lookedAt: 0, extendedAt: 0 };
  const flushTimer = setInterval(() => void flush(context, flushing), flushMs).unref();
  const round = () =>
    recover(context).catch((err: unknown) => log.warn({ err }, 'abandoned answers could not be looked for'));
  void round();
  const recoverTimer = setInterval(() => void round(), recoverMs).unref();
  return async () => {
    clearInterval(recoverTimer);
    while (runs.active.size > 0) await Promise.allSettled([...runs.active.values()].map((run) => run.ended));
    clearInterval(flushTimer);
  };
}

/** One clock for all answers: the texts that are due in one transaction, now and then with the leases of all, and whether another process was asked to stop one. */
async function flush(
  { db, write, log, runs }: Context,
  state: { isOn: boolean; lookedAt: number; extendedAt: number },
): Promise<void> {
  const { owner, active } = runs;
  if (state.isOn || active.size === 0) return;
  state.isOn = true;
  const now = Date.now();
  try {
    const due = [...active.values()].filter(
      (run) => run.isDirty && now - run.keptAt >= (run.message.text.length < longText ? keepMs : keepLongMs),
    );
    const extendsLeases = now - state.extendedAt >= extendMs;
    if (due.length > 0 || extendsLeases) {
      await write(
        async (trx) => {
          await Promise.all(
            due.map((run) => {
              run.isDirty = false;
              run.keptAt = now;
              return keepText(trx, { uuid: run.message.uuid, owner, text: run.message.text });
            }),
          );
          if (extendsLeases) await extendLeases(trx, [...active.keys()], owner, now + leaseMs);
        },
        { mixes: true },
      );
      if (extendsLeases) state.extendedAt = now;
    }
    if (now - state.lookedAt >= keepMs) {
      state.lookedAt = now;
      for (const { uuid } of await findStopRequests(db, [...active.keys()])) active.get(uuid)?.abort.abort();
    }
  } catch (err) {
    log.warn({ err }, 'answers could not be written; the next round tries again');
    for (const run of active.values()) run.isDirty = true;
  } finally {
    state.isOn = false;
  }
}

/** Answers of a process that is gone keep what they had, are marked interrupted, and cost nothing: the fault was ours. */
async function recover(context: Context): Promise<void> {
  const { db, runs } = context;
  const now = Date.now();
  for (const { uuid, thread, guest } of await listAbandoned(db, now)) {
    if (runs.active.has(uuid)) continue;
    await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await abandonMessage(trx, uuid, now);
      if (numUpdatedRows === 0n) return;
      if (guest) await reopenQuestion(trx, thread, uuid);
      else await releaseThread(trx, { uuid: thread, answer: uuid, status: null, now });
      await settle(context, trx, uuid, undefined);
    });
    if (guest) announce(context, thread, { message: (await findMessage(db, uuid)) ?? null, isNew: false });
  }
}
