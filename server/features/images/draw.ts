import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import type { Trx } from '../../infra/db.ts';
import type { JobHandler, JobRun } from '../../infra/queue.ts';
import type { Drawing } from '../../providers/models/model.ts';
import { wasNotBegun } from '../../providers/models/wire.ts';
import { findFile, isFull, mustHaveRoom } from '../files/files.ts';
import { roomFor, toWebp } from '../files/pictures.ts';
import type { ModelTarget } from '../models/models.ts';
import { settle, type Use } from '../usage/ledger.ts';
import { reachDrawers, tell, type DrawJob } from './images.ts';
import { changePending, findImageRow, listKnown } from './images.store.ts';
import type { ImageTable } from './images.tables.ts';
import { keepPicture, maxPixels } from './keep.ts';
import { toMask } from './mask.ts';

const partialSide = 384;
const watchMs = 1_000;
const attempts = 3;
const mostWaitMs = 20_000;

class CanceledError extends Error {}

/**
 * Draws one picture. It is marked as being drawn before its provider is asked: whoever takes the job over after a kill finds the mark, and
 * cannot know whether the provider has drawn and billed it already, so it fails as interrupted, and a person asks again or not. What is drawn
 * here is drawn again. Nothing is charged but in the transaction in which the picture is stored, which also ends the job, so a picture
 * is never paid for twice.
 */
export const drawJob = (context: Context): JobHandler<DrawJob> => ({
  async run({ image: uuid }, run) {
    const row = await findImageRow(context.db, uuid);
    if (!row || (row.status !== 'queued' && row.status !== 'drawing')) return;
    try {
      await draw(context, row, run);
    } catch (error) {
      if (error instanceof CanceledError) return;
      run.signal.throwIfAborted();
      if (!(error instanceof AppError)) throw error;
      await fail(context, uuid, error);
    }
    await tell(context, uuid);
  },
  dead: async ({ image }) => {
    await fail(context, image, new AppError('internal-error'));
    await tell(context, image);
  },
});

async function fail(context: Context, uuid: string, { code, details }: AppError): Promise<void> {
  const reason = details['reason'] ?? details['service'];
  await context.db.transaction().execute(async (trx) => {
    const changes = { status: 'failed' as const, cost: 0, error: code, reason: reason ? String(reason) : null };
    if (await changePending(trx, uuid, changes)) await settle(context, trx, uuid, undefined);
  });
}

async function draw(context: Context, row: ImageTable, run: JobRun): Promise<void> {
  const { db, models } = context;
  const { uuid, workspace } = row;
  const targets = await reachDrawers(context, workspace, row.service);
  const target = targets.find(({ ownKey }) => (ownKey !== null) === (row.own_key === 1));
  const drawing = target?.connection.drawing;
  if (!target || !drawing) throw new AppError('service-not-ready', { service: row.service_name });
  if (row.status === 'drawing' && target.service.provider !== 'built-in') throw new AppError('image-interrupted');
  await mustHaveRoom(context, { workspace, bytes: roomFor(row) });
  if (!(await run.fenced((trx) => changePending(trx, uuid, { status: 'drawing' })))) throw new CanceledError();
  await tell(context, uuid);

  const begun = Date.now();
  const stopping = new AbortController();
  const signal = AbortSignal.any([run.signal, stopping.signal]);
  const look = async () => {
    if ((await findImageRow(db, uuid))?.status !== 'drawing') stopping.abort(new CanceledError());
  };
  // A database that is away for a moment says nothing of the picture.
  const watch = setInterval(() => void look().catch(() => {}), watchMs);
  try {
    const given = await ask(context, { row, drawing, target, signal });
    await models.judge(target, undefined);
    await keep(context, { row, target, run, bytes: given, latencyMs: Date.now() - begun });
  } catch (error) {
    if (error instanceof AppError) await models.judge(target, error);
    throw error;
  } finally {
    clearInterval(watch);
  }
}

interface Asking {
  row: ImageTable;
  drawing: Drawing;
  target: ModelTarget;
  signal: AbortSignal;
}

/** The picture as the provider gave it. A provider that has not begun is asked again, a few times. */
async function ask(context: Context, { row, drawing, target, signal }: Asking): Promise<Buffer> {
  const references = await readReferences(context, row);
  const [first] = references;
  const mask = row.mask !== null && first ? await toMask(JSON.parse(row.mask), first.bytes) : undefined;
  for (let attempt = 1; ; attempt++)
    try {
      const request = { model: target.model, prompt: row.prompt, width: row.width, height: row.height, seed: row.seed };
      for await (const { type, bytes } of drawing.draw({ ...request, references, mask }, signal)) {
        const given = Buffer.from(bytes);
        if (type === 'picture') return given;
        await show(context, row.uuid, given);
      }
      throw new AppError('provider-answer-unreadable');
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof AppError) || !wasNotBegun(error) || attempt === attempts) throw error;
      const wish = Number(error.details['retryAfterMs'] ?? 1000 * 2 ** attempt);
      if (wish > mostWaitMs) throw error;
      await sleep(wish, undefined, { signal });
    }
}

/** What cannot be read of a picture that goes on is not shown. */
async function show(context: Context, uuid: string, bytes: Buffer): Promise<void> {
  const shape = { maxPixels, width: partialSide, height: partialSide, fit: 'inside' as const, quality: 60 };
  const small = await toWebp(bytes, shape).catch(() => undefined);
  if (small) await tell(context, uuid, small.toString('base64'));
}

async function readReferences(context: Context, row: ImageTable) {
  const uuids: string[] = JSON.parse(row.references);
  const rows = await listKnown(context.db, row.workspace, uuids);
  return Promise.all(
    // In the order in which they were given: the first is what a mask lies over.
    uuids
      .flatMap((uuid) => rows.find((known) => known.uuid === uuid) ?? [])
      .map(async ({ file }) => {
        const stored = file ? await findFile(context.db, file) : undefined;
        if (!stored) throw new AppError('file-not-found');
        const bytes = Buffer.concat(await (await context.storage.get(stored.storage_key)).toArray());
        return { name: `${stored.uuid}.png`, mime: stored.mime, bytes };
      }),
  );
}

interface Keeping {
  row: ImageTable;
  target: ModelTarget;
  run: JobRun;
  bytes: Buffer;
  latencyMs: number;
}

/** What came is stored, paid for and done in one transaction. Where it finds no room any more it was drawn and billed all the same. */
async function keep(context: Context, keeping: Keeping): Promise<void> {
  try {
    await store(context, keeping);
  } catch (error) {
    if (!isFull(error)) throw error;
    await keeping.run.finish(async (trx) => {
      const changes = { status: 'failed' as const, error: error.code };
      if (await changePending(trx, keeping.row.uuid, changes, 'drawing')) await pay(context, trx, keeping);
    });
  }
}

const store = (context: Context, { row, target, run, bytes, latencyMs }: Keeping): Promise<void> =>
  keepPicture(context, { name: row.uuid, workspace: row.workspace, bytes }, ({ width, height, file, thumb, add }) =>
    run.finish(async (trx) => {
      const changes = { status: 'done' as const, file, thumb, width, height };
      if (!(await changePending(trx, row.uuid, changes, 'drawing'))) throw new CanceledError();
      await add(trx);
      await pay(context, trx, { row, target, latencyMs });
    }),
  );

/** What is drawn here costs nobody anything, and is no entry. */
async function pay(
  context: Context,
  trx: Trx,
  { row, target, latencyMs }: Pick<Keeping, 'row' | 'target' | 'latencyMs'>,
): Promise<void> {
  if (target.service.provider === 'built-in') return;
  const use: Use = {
    workspace: row.workspace,
    message: row.uuid,
    thread: null,
    bot: null,
    bot_name: null,
    user: row.user,
    api_key: row.api_key,
    channel: null,
    channel_id: null,
    service: row.service,
    service_name: row.service_name,
    provider: target.service.provider,
    model: target.model,
    model_key: target.ownKey?.uuid ?? null,
    own_key: row.own_key,
    price: null,
    tokens_in: 0,
    tokens_out: 0,
    tokens_cached: 0,
    tokens_cache_written: 0,
    latency_ms: latencyMs,
    first_token_ms: null,
  };
  await settle(context, trx, row.uuid, { use, cost: row.cost, kind: 'image' });
}
