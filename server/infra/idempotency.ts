import { createHash, type Hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../shared/errors.ts';
import type { Db, Trx } from './db.ts';
import { drain, readFiles } from './forms.ts';
import { limit, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import type { Sealer } from './sealed.ts';

/** One account may store this many rows a day. */
export const keyedCalls = limit('keyed-calls', 10_000, 86_400, 'calls with an Idempotency-Key, by account or API key');

const keptMs = 86_400_000;
/** A process renews what it works on each third of this. */
const leaseMs = 30_000;
export const maxAnswerBytes = 1024 * 1024;
/** Larger answers have room for so much in all, for one account. The index `idempotency_large` begins there. */
const large = { bytes: 16 * 1024, inAll: 64 * 1024 * 1024 };
const telling = [
  'cache-control',
  'content-disposition',
  'content-security-policy',
  'content-type',
  'location',
  'set-cookie',
  'x-accel-buffering',
  'x-kotae-ignored',
];

type Headers = Record<string, string | string[]>;

interface Kept {
  status: number;
  headers: Headers;
  body: string;
}

/** A call that has its key for itself. */
export interface Claim {
  /** Takes what is sent, beyond the query and the JSON. */
  digest: Hash;
  /** Keeps the answer, or frees the key when nothing was done. Without a body it is known that it was done, and not what it said. */
  finish(answer: { status: number; headers: Headers; body: string | undefined }): Promise<void>;
}

export interface KeyedCall {
  key: string;
  /** The user, API key or guest, to whom the key belongs. */
  account: string;
  owner: string;
  workspace: string;
  method: string;
  /** With its parameters, without its query. */
  path: string;
  sent: { query: unknown; body: unknown };
}

export interface Idempotency {
  /**
   * Claims a key before anything is done, or finds what the first call with it answered. Throws `idempotency-in-progress`,
   * `idempotency-outcome-unknown` where the process died that had it, `idempotency-answer-gone`, and `idempotency-key-used` where
   * something else was sent. A form is read to the end only to be compared.
   */
  begin(call: KeyedCall, readForm: ((digest: Hash) => Promise<void>) | undefined): Promise<Claim | Kept>;
  close(): void;
}

interface Parts {
  db: Db;
  sealer: Sealer;
  limits: Limits;
  log: Log;
}

/** Calls that are made again with the same key are carried out once: https://docs.stripe.com/api/idempotent_requests */
export function createIdempotency({ db, sealer, limits, log }: Parts): Idempotency {
  const running = new Set<string>();
  let clock: NodeJS.Timeout | undefined;
  const renew = () => {
    db.updateTable('idempotency')
      .set({ alive_until: Date.now() + leaseMs })
      .where('id', 'in', [...running])
      .execute()
      .catch((err: unknown) => log.warn({ err }, 'calls with a key could not be held'));
  };
  const hold = (id: string) => {
    running.add(id);
    clock ??= setInterval(renew, leaseMs / 3).unref();
  };
  const release = (id: string) => {
    running.delete(id);
    if (running.size > 0) return;
    clearInterval(clock);
    clock = undefined;
  };

  async function hasRoom(owner: string, bytes: number): Promise<boolean> {
    if (bytes <= large.bytes) return true;
    const { kept } = await db
      .selectFrom('idempotency')
      .select(({ fn }) => fn.sum('bytes').as('kept'))
      .where('owner', '=', owner)
      .where('bytes', '>', large.bytes)
      .executeTakeFirstOrThrow();
    return Number(kept) + bytes <= large.inAll;
  }

  async function store(id: string, owner: string, fingerprint: string, { status, headers, body }: Answer) {
    // Nothing was changed: the corrected or later call is a new one.
    if ((status >= 400 && status < 500) || status === 503)
      return db.deleteFrom('idempotency').where('id', '=', id).execute();
    const fits = body !== undefined && Buffer.byteLength(body) <= maxAnswerBytes;
    const sealed = fits ? sealer.seal(JSON.stringify({ headers, body }), placeOf(id)) : null;
    const answer = sealed !== null && (await hasRoom(owner, sealed.length)) ? sealed : null;
    return db
      .updateTable('idempotency')
      .set({ status, fingerprint, answer, bytes: answer?.length ?? 0 })
      .where('id', '=', id)
      .execute();
  }

  return {
    async begin(call, readForm) {
      const { account, owner, workspace } = call;
      const id = idOf(call);
      const digest = createHash('sha256').update(canonical(call.sent));
      const claim: Claim = {
        digest,
        finish: (answer) =>
          store(id, owner, digest.digest('hex'), answer)
            // What was done is told all the same; when the lease has run out, its outcome is unknown to those who ask again.
            .catch((err: unknown) => log.warn({ err }, 'the answer to a call with a key could not be kept'))
            .then(() => release(id)),
      };
      await limits.take(keyedCalls, account);
      // A call that ends in between may free the key.
      for (let tries = 0; tries < 3; tries++) {
        const now = Date.now();
        const { numInsertedOrUpdatedRows } = await db
          .insertInto('idempotency')
          .values({
            id,
            created_at: now,
            owner,
            workspace,
            fingerprint: readForm ? null : digest.copy().digest('hex'),
            alive_until: now + leaseMs,
            status: null,
            answer: null,
            bytes: 0,
          })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .executeTakeFirst();
        if (numInsertedOrUpdatedRows) {
          hold(id);
          return claim;
        }
        const first = await db.selectFrom('idempotency').selectAll().where('id', '=', id).executeTakeFirst();
        if (!first) continue;
        if (first.fingerprint !== null) {
          await readForm?.(digest);
          if (digest.digest('hex') !== first.fingerprint) throw new AppError('idempotency-key-used');
        }
        if (first.status === null && first.alive_until < now) throw new AppError('idempotency-outcome-unknown');
        if (first.status === null) break;
        if (first.answer === null) throw new AppError('idempotency-answer-gone');
        const { headers, body }: Omit<Kept, 'status'> = JSON.parse(sealer.open(first.answer, placeOf(id)));
        return { status: first.status, headers, body };
      }
      throw new AppError('idempotency-in-progress', {}, { retryAfterSeconds: 1 });
    },
    close: () => clearInterval(clock),
  };
}

type Answer = Parameters<Claim['finish']>[0];

const placeOf = (id: string) => `idempotency ${id} answer`;

const idOf = ({ account, workspace, method, path, key }: KeyedCall) =>
  createHash('sha256')
    .update(JSON.stringify([account, workspace, method, path, key]))
    .digest('hex');

/** The same text for the same value, in whatever order its fields stand. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([one], [other]) => (one < other ? -1 : 1)))
      : each,
  );

/** The header of a call, where it has one. Throws `idempotency-key-missing` for one that is no key. */
export function keyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x20-\x7e]{1,255}$/.test(key)) throw new AppError('idempotency-key-missing');
  return key;
}

/** Claims the key of a call. Returns true when the call was carried out before, and is answered with what was answered then. */
export async function isAnsweredBefore(key: string, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const { caller, visitor } = request;
  const who = caller ?? visitor;
  const owner = caller?.user ?? visitor?.guest;
  if (!who || !owner) return false;
  const found = await request.server.idempotency.begin(
    {
      key,
      account: caller?.key?.uuid ?? owner,
      owner,
      workspace: who.workspace,
      method: request.method,
      path: request.url.split('?', 1)[0] ?? '',
      sent: { query: request.query, body: request.isMultipart() ? undefined : request.body },
    },
    request.isMultipart() ? (digest) => drain(readFiles(request, async () => {}, undefined, digest)) : undefined,
  );
  if ('digest' in found) {
    request.claim = found;
    return false;
  }
  await reply.status(found.status).headers(found.headers).header('idempotency-replayed', 'true').send(found.body);
  return true;
}

/** What is kept of an answer's headers. */
export const tellingHeaders = (reply: FastifyReply): Headers =>
  Object.fromEntries(
    Object.entries(reply.getHeaders()).flatMap(([name, value]) =>
      value === undefined || !telling.includes(name) ? [] : [[name, Array.isArray(value) ? value : String(value)]],
    ),
  );

/** Forgets what was answered to somebody, or in a workspace. */
export const forgetAnswers = (trx: Trx, of: { owner: string } | { workspace: string }) =>
  'owner' in of
    ? trx.deleteFrom('idempotency').where('owner', '=', of.owner).execute()
    : trx.deleteFrom('idempotency').where('workspace', '=', of.workspace).execute();

/** What is erased is not told again: the calls stay carried out, without what they were answered. */
export const forgetBodies = (db: Db | Trx, workspace: string) =>
  db.updateTable('idempotency').set({ answer: null, bytes: 0 }).where('workspace', '=', workspace).execute();

export const sweepAnswers = async (db: Db): Promise<void> =>
  void (await db
    .deleteFrom('idempotency')
    .where('created_at', '<', Date.now() - keptMs)
    .execute());
