import { createHash, randomInt } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { setImmediate } from 'node:timers/promises';
import {
  imageChanged,
  maxSeed,
  uploadService,
  type Image,
  type ImageSize,
  type Mask,
} from '../../../shared/contracts/images.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Context } from '../../feature.ts';
import { lockName, newId, type Trx } from '../../infra/db.ts';
import type { Caller } from '../../infra/http.ts';
import { page, readCursor } from '../../infra/page.ts';
import { limit } from '../../infra/limits.ts';
import { jobKind } from '../../infra/queue.ts';
import { isTextKey, translate } from '../../infra/translate.ts';
import { erasableBefore, restorableSince } from '../../infra/trash.ts';
import { BlobMissingError, type Storage } from '../../providers/storage/storage.ts';
import { eraseFiles, findFile, listStored, mustHaveRoom } from '../files/files.ts';
import { roomFor } from '../files/pictures.ts';
import type { ModelTarget } from '../models/models.ts';
import { costOfPicture, reserve, settle } from '../usage/ledger.ts';
import {
  changeImage,
  changePending,
  countPending,
  deleteImages,
  findImageRow,
  insertImages,
  listBatch,
  listErasable,
  listImages,
  listKnown,
  listSome,
  listThumbs,
  sumImages,
  type ImageRow,
} from './images.store.ts';
import type { ImageTable } from './images.tables.ts';
import { keepPicture } from './keep.ts';

export { countDeletedImages, listDeletedImages } from './images.store.ts';

export interface DrawJob {
  image: string;
}

/** One attempt: what a provider may have drawn already is not asked for again by itself. */
export const drawKind = jobKind<DrawJob>({ name: 'images.draw', lane: 'images', timeoutMs: 15 * 60_000 });

/** Pictures that one workspace may have under way. */
const maxPending = 64;

interface Wanted {
  prompt: string;
  service: string;
  size: ImageSize;
  count: number;
  seed?: number | undefined;
  references: string[];
  mask?: Mask | undefined;
}

export async function listOwnImages(
  context: Context,
  { workspace, locale }: Caller,
  { q, limit, cursor }: { q?: string | undefined; limit: number; cursor?: string | undefined },
) {
  const { db } = context;
  const [found, sums] = await Promise.all([
    listImages(db, { workspace, q, limit, after: readCursor(cursor) }),
    sumImages(db, workspace),
  ]);
  const { rows, nextCursor } = page(found, limit, (row) => row.created_at);
  return { data: rows.map((row) => toImage(row, locale)), meta: { nextCursor, ...sums } };
}

/**
 * Sets aside what the pictures may cost and puts them into the queue, in one transaction. Throws `service-not-found`,
 * `service-not-ready`, `balance-empty`, `cap-reached`, `too-many`, `image-not-found` for a reference that is none of the workspace's, and
 * `idempotency-key-used` for a key that was used for something else.
 */
export async function createImages(
  context: Context,
  caller: Caller,
  wanted: Wanted,
  givenKey: string | undefined,
): Promise<Image[]> {
  const { db, engine, config, queue } = context;
  const { workspace, user, locale } = caller;
  const key = givenKey === undefined ? null : `${user} ${givenKey}`;
  const hash = key && createHash('sha256').update(JSON.stringify(wanted)).digest('hex');
  const [target] = await reachDrawers(context, workspace, wanted.service);
  if (!target) throw new AppError('service-not-found');
  if (wanted.mask && !(wanted.references.length > 0 && target.service.capabilities.includes('mask')))
    throw new AppError('validation-failed', { fields: [{ path: 'mask', code: 'invalid' }] });
  const [width = 0, height = 0] = wanted.size.split('x').map(Number);
  await mustHaveRoom(context, { workspace, bytes: wanted.count * roomFor({ width, height }) });
  const cost = costOf(target, config.CREDIT_MARGIN);
  const now = Date.now();
  const batch = newId(now);
  const first = wanted.seed ?? randomInt(maxSeed);
  const rows = Array.from({ length: wanted.count }, (_, at): ImageTable => ({
    ...blank,
    uuid: newId(now),
    created_at: now,
    updated_at: now,
    workspace,
    user,
    api_key: caller.key?.uuid ?? null,
    batch,
    request_key: key,
    request_hash: hash,
    prompt: wanted.prompt,
    service: target.service.uuid,
    service_name: target.service.name,
    own_key: target.ownKey ? 1 : 0,
    width,
    height,
    seed: (first + at) % (maxSeed + 1),
    references: JSON.stringify(wanted.references),
    mask: wanted.mask ? JSON.stringify(wanted.mask) : null,
    status: 'queued',
    cost,
    file: null,
    thumb: null,
  }));
  const before = await db.transaction().execute(async (trx) => {
    // Of two calls at once one waits for the other: neither the key nor the limit is passed twice.
    await lockName(trx, engine, `images ${workspace}`);
    const made = key ? await listBatch(trx, workspace, key) : [];
    if (made.some((row) => row.request_hash !== hash)) throw new AppError('idempotency-key-used');
    if (made.length > 0) return made;
    if ((await countPending(trx, workspace)) + rows.length > maxPending)
      throw new AppError('too-many', { limit: maxPending });
    const known = await listKnown(trx, workspace, wanted.references);
    if (wanted.references.some((uuid) => !known.some((row) => row.uuid === uuid && isShown(row))))
      throw new AppError('image-not-found');
    const asker = { workspace, member: user, bot: null, channel: null, key: caller.key?.uuid ?? null };
    for (const { uuid } of rows) await reserve(context, trx, { workspace, message: uuid, amount: cost, asker });
    await insertImages(trx, rows);
    for (const { uuid } of rows)
      await queue.add(trx, drawKind, { image: uuid }, { uniqueKey: `image ${uuid}`, tenant: workspace });
    return undefined;
  });
  if (before) return before.map((row) => toImage(row, locale));
  queue.wake();
  for (const { uuid } of rows) await tell(context, uuid);
  return rows.toReversed().map((row) => toImage({ ...row, by: caller.username }, locale));
}

/** Puts a picture that somebody has into the gallery. Throws as `keepPicture`, and `file-empty`. */
export async function uploadImage(
  context: Context,
  caller: Caller,
  { name, bytes }: { name: string; bytes: Buffer },
): Promise<Image> {
  const { workspace, user } = caller;
  if (bytes.length === 0) throw new AppError('file-empty');
  await mustHaveRoom(context, { workspace, bytes: bytes.length });
  const now = Date.now();
  const uuid = newId(now);
  await keepPicture(context, { name: uuid, workspace, bytes }, ({ width, height, file, thumb, add }) =>
    context.db.transaction().execute(async (trx) => {
      await add(trx);
      const row: ImageTable = {
        ...blank,
        uuid,
        created_at: now,
        updated_at: now,
        workspace,
        user,
        api_key: caller.key?.uuid ?? null,
        batch: newId(now),
        prompt: name,
        service: uploadService,
        service_name: 'Upload',
        width,
        height,
        status: 'done',
        file,
        thumb,
      };
      await insertImages(trx, [row]);
    }),
  );
  await tell(context, uuid);
  return getImage(context, caller, uuid);
}

/** What neither an upload nor a picture that is about to be drawn has. */
const blank = {
  request_key: null,
  request_hash: null,
  own_key: 0,
  seed: 0,
  references: '[]',
  mask: null,
  cost: 0,
  error: null,
  reason: null,
  deleted_at: null,
  deleted_by: null,
} as const;

/** The ways to a service that draws, the workspace's own keys first. Throws as `Models.reach`. */
export async function reachDrawers(context: Context, workspace: string, service: string): Promise<ModelTarget[]> {
  const targets = await context.models.reach(workspace, service);
  return targets.filter((target) => target.service.group === 'image-model' && target.connection.drawing);
}

const isShown = ({ status, deleted_at }: ImageTable) => status === 'done' && deleted_at === null;

/** Micro-credits of one picture: none with a key of the workspace's own, or on a server of the operator's that has no price. */
const costOf = ({ ownKey, service }: ModelTarget, margin: number): number =>
  ownKey ? 0 : costOfPicture(service.imagePrice ?? 0, margin);

export const getImage = async (context: Context, caller: Caller, uuid: string): Promise<Image> =>
  toImage(await mustFind(context, caller, uuid), caller.locale);

/** The bytes of a picture: a PNG with the prompt in it, or a small WebP. Throws `file-not-found` where it is not drawn yet. */
export async function readImage(
  context: Context,
  caller: Caller,
  uuid: string,
  size: 'full' | 'thumb',
): Promise<Buffer> {
  const row = await mustFind(context, caller, uuid);
  const stored = size === 'full' ? row.file : row.thumb;
  const file = stored ? await findFile(context.db, stored) : undefined;
  if (!file) throw new AppError('file-not-found');
  const bytes = Buffer.concat(await (await context.storage.get(file.storage_key)).toArray());
  return size === 'full' ? describePng(bytes, row.prompt) : bytes;
}

/**
 * Small pictures in the order in which they are asked for, each after its length in four bytes, big-endian, and a length of 0 for one that is
 * none. They are read one after another as they are taken, so that a call holds one of them, however many there are.
 */
export async function readThumbs(
  { db, storage }: Context,
  { workspace }: Caller,
  { uuids, from }: { uuids: string[]; from: 'gallery' | 'trash' },
): Promise<Readable> {
  const rows = await listThumbs(db, workspace, uuids, from);
  const files = await listStored(
    db,
    'image',
    rows.map(({ thumb }) => thumb),
  );
  const keyOf = new Map(rows.map(({ uuid, thumb }) => [uuid, files.find((file) => file.uuid === thumb)?.storage_key]));
  return Readable.from(
    framed(
      storage,
      uuids.map((uuid) => keyOf.get(uuid)),
    ),
  );
}

async function* framed(storage: Storage, keys: (string | undefined)[]): AsyncGenerator<Buffer> {
  for (const key of keys) {
    const bytes = key === undefined ? undefined : await readStored(storage, key);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes?.length ?? 0);
    yield length;
    if (bytes) yield bytes;
  }
}

/** Undefined where the file has gone since it was looked up. */
async function readStored(storage: Storage, key: string): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await (await storage.get(key)).toArray());
  } catch (error) {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  }
}

/** A PNG with the prompt as its description, an iTXt chunk after the first one: https://www.w3.org/TR/png-3/#11iTXt */
export function describePng(png: Buffer, prompt: string): Buffer {
  const afterHeader = 33;
  const data = Buffer.from(`iTXtDescription\0\0\0\0\0${prompt}`, 'utf8');
  const chunk = Buffer.alloc(data.length + 8);
  chunk.writeUInt32BE(data.length - 4, 0);
  data.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(data), data.length + 4);
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}

/** What is stopped is not charged, though its provider may bill it. */
export const stopped = limit('images-stopped', 60, 3600, 'pictures that a workspace stops in an hour');

/** Throws `too-many-requests` where a workspace stops more than it may, in whatever way. */
async function mayStop({ limits }: Context, { workspace, status }: ImageRow): Promise<void> {
  if (status === 'queued' || status === 'drawing') await limits.take(stopped, workspace);
}

/** What is set aside for it is free again; a picture that is done, or has failed, stays as it is. */
export async function cancelImage(context: Context, caller: Caller, uuid: string): Promise<Image> {
  const row = await mustFind(context, caller, uuid);
  await mayStop(context, row);
  await context.db.transaction().execute((trx) => cancelIn(context, trx, row.uuid));
  await tell(context, uuid);
  return getImage(context, caller, uuid);
}

async function cancelIn(context: Context, trx: Trx, uuid: string): Promise<void> {
  if (await changePending(trx, uuid, { status: 'canceled', cost: 0 })) await settle(context, trx, uuid, undefined);
}

export async function removeImage(context: Context, caller: Caller, uuid: string): Promise<void> {
  await mayStop(context, await mustFind(context, caller, uuid));
  await context.db.transaction().execute(async (trx) => {
    await cancelIn(context, trx, uuid);
    await changeImage(trx, uuid, { deleted_at: Date.now(), deleted_by: caller.user });
  });
}

export async function restoreImage(context: Context, caller: Caller, uuid: string): Promise<Image> {
  const row = await findImageRow(context.db, uuid);
  if (row?.workspace !== caller.workspace || (row.deleted_at !== null && row.deleted_at < restorableSince()))
    throw new AppError('image-not-found');
  await changeImage(context.db, uuid, { deleted_at: null, deleted_by: null });
  return getImage(context, caller, uuid);
}

async function mustFind({ db }: Context, { workspace }: Caller, uuid: string): Promise<ImageRow> {
  const row = await findImageRow(db, uuid);
  if (row?.workspace !== workspace || row.deleted_at !== null) throw new AppError('image-not-found');
  return row;
}

/** Tells the workspace's open pages of a picture; they ask for sentences of errors in their own language. */
export async function tell(context: Context, uuid: string, partial?: string): Promise<void> {
  const row = await findImageRow(context.db, uuid);
  if (row && row.deleted_at === null)
    context.sockets.toWorkspace(row.workspace, imageChanged, {
      image: toImage(row, 'en'),
      ...(partial && { partial }),
    });
}

/** Throws away for good a picture that is in the trash. Throws `image-not-found`. */
export async function eraseImage(context: Context, { workspace }: Caller, uuid: string): Promise<void> {
  const row = await findImageRow(context.db, uuid);
  if (row?.workspace !== workspace || row.deleted_at === null || row.deleted_at < restorableSince())
    throw new AppError('image-not-found');
  await erase(context, [row]);
}

/** Rows of one transaction, which on SQLite holds up everyone else while it runs. */
const eraseBatch = 50;

export async function emptyImageTrash(context: Context, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const rows = await listErasable(context.db, erasableBefore(), eraseBatch);
    if (rows.length === 0) return;
    await erase(context, rows);
    // On SQLite nothing else is served while one batch follows another.
    await setImmediate();
  }
}

export async function eraseImages(context: Context, workspace: string): Promise<void> {
  for (;;) {
    const rows = await listSome(context.db, workspace, eraseBatch);
    if (rows.length === 0) return;
    await erase(context, rows);
    await setImmediate();
  }
}

async function erase(context: Context, rows: Pick<ImageTable, 'uuid' | 'file' | 'thumb'>[]): Promise<void> {
  const files = await listStored(
    context.db,
    'image',
    rows.flatMap(({ file, thumb }) => [file, thumb].filter((uuid) => uuid !== null)),
  );
  await eraseFiles(context, files, async (trx) => {
    for (const { uuid } of rows) await cancelIn(context, trx, uuid);
    await deleteImages(
      trx,
      rows.map(({ uuid }) => uuid),
    );
  });
}

function toImage(row: ImageRow, locale: Locale): Image {
  const key = `errors:${row.error ?? ''}`;
  return {
    uuid: row.uuid,
    batch: row.batch,
    prompt: row.prompt,
    service: { uuid: row.service, name: row.service_name },
    width: row.width,
    height: row.height,
    seed: row.seed,
    references: JSON.parse(row.references),
    masked: row.mask !== null,
    status: row.status,
    cost: row.cost,
    ownKey: row.own_key === 1,
    error: row.error
      ? {
          code: row.error,
          message: translate(locale, isTextKey(key) ? key : 'errors:internal-error', {
            reason: row.reason ?? '',
            service: row.service_name,
            requestId: row.uuid,
          }),
        }
      : null,
    by: row.by,
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}
