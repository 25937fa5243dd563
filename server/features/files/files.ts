import { sql } from 'kysely';
import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AppError } from '../../../shared/errors.ts';
import { trimEnd } from '../../../shared/text.ts';
import { megabyte } from '../../infra/config.ts';
import { lockName, newId, type Db, type Trx } from '../../infra/db.ts';
import type { FileTable } from './files.tables.ts';
import type { Caller } from '../../infra/http.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import type { Context, StoredFile } from '../../feature.ts';
import {
  countShown,
  deleteFiles,
  deleteFilesOf,
  findAvatar,
  insertFiles,
  releaseDocuments,
  releasePictures,
  renamePicture,
  sumBytes,
  takeUnshown,
} from './files.store.ts';
import { toWebp } from './pictures.ts';

export const avatarUrl = (uuid: string) => `/api/avatar/${uuid}`;

const maxPixels = 8_000 * 8_000;
const avatarSide = 256;

/** Keeps a picture as a square WebP of 256 pixels; whatever else the file carried is gone. One that nobody has uploaded is of no user. */
export async function keepAvatar(
  context: Context,
  owner: { workspace: string; user: string | null },
  bytes: Buffer,
): Promise<{ uuid: string; url: string }> {
  if (bytes.length === 0) throw new AppError('file-empty');
  const picture = await toWebp(bytes, { maxPixels, width: avatarSide, height: avatarSide, fit: 'cover', quality: 82 });
  const uuid = await keepPicture(
    context,
    { ...owner, kind: 'avatar', name: 'avatar.webp', mime: 'image/webp' },
    picture,
  );
  return { uuid, url: avatarUrl(uuid) };
}

/** Keeps a picture that rows of a feature show: one of which `pictures` does not tell goes after a day. */
export async function keepPicture(
  context: Context,
  row: Pick<FileTable, 'user' | 'name' | 'mime'> & { workspace: string; kind: 'avatar' | 'menu' },
  picture: Buffer,
): Promise<string> {
  await mustHaveRoom(context, { workspace: row.workspace, bytes: picture.length });
  const uuid = newId();
  const key = storageKey(row.kind, uuid);
  await context.storage.put(key, picture);
  const { workspace, user, kind, name, mime } = row;
  const file = {
    uuid,
    workspace,
    user,
    kind,
    name,
    mime,
    bytes: picture.length,
    sha256: createHash('sha256').update(picture).digest('hex'),
    storage_key: key,
  };
  await keepOrRemove(context, [key], () => context.db.transaction().execute((trx) => addFile(context, trx, file)));
  return uuid;
}

export async function readAvatar(context: Context, uuid: string): Promise<Readable> {
  const file = await findAvatar(context.db, uuid);
  if (!file) throw new AppError('file-not-found');
  return context.storage.get(file.storage_key).catch((error: unknown) => {
    throw error instanceof BlobMissingError ? new AppError('file-not-found', {}, { cause: error }) : error;
  });
}

/** Throws unless the avatar exists and was uploaded in the caller's workspace or by the caller. */
export async function mustOwnAvatar(context: Context, caller: Caller, uuid: string): Promise<void> {
  const file = await findAvatar(context.db, uuid);
  if (!file || (file.workspace !== caller.workspace && file.user !== caller.user)) throw new AppError('file-not-found');
}

/** The row of a stored file, in the transaction of whatever it belongs to. Throws `workspace-full`, however many are added at once. */
export const addFile = (
  context: Pick<Context, 'config' | 'engine'>,
  trx: Trx,
  { workspace, ...file }: NewFile & { workspace: string },
): Promise<void> => addFiles(context, trx, workspace, [file]);

type NewFile = Omit<FileTable, 'created_at' | 'updated_at' | 'sent_at' | 'workspace' | 'guest'> & {
  guest?: string | null;
};

/** The same for several: all of them, or none. */
export async function addFiles(
  { config, engine }: Pick<Context, 'config' | 'engine'>,
  trx: Trx,
  workspace: string,
  files: NewFile[],
): Promise<void> {
  await lockName(trx, engine, `files of ${workspace}`);
  await mustNotExceed(config, trx, { workspace, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) });
  const now = Date.now();
  await insertFiles(
    trx,
    files.map((file) => ({ guest: null, ...file, workspace, sent_at: null, created_at: now, updated_at: now })),
  );
}

/** Where the text of an attached document lies. */
export const attachmentTextKey = (uuid: string) => storageKey('attachment-text', uuid);

/** Everything that is stored of a file. */
async function removeBlob({ storage }: Pick<Context, 'storage'>, file: StoredFile): Promise<void> {
  await storage.remove(file.storage_key);
  if (file.kind === 'attachment') await storage.remove(attachmentTextKey(file.uuid));
}

/** Erases files that nothing names any more, and whatever goes `alongside`; the bytes first, so that whoever is interrupted still finds the rows. */
export async function eraseFiles(
  context: Pick<Context, 'db' | 'storage'>,
  files: StoredFile[],
  alongside: (trx: Trx) => Promise<void>,
): Promise<void> {
  for (const file of files) await removeBlob(context, file);
  await context.db.transaction().execute(async (trx) => {
    await alongside(trx);
    await deleteFiles(
      trx,
      files.map(({ uuid }) => uuid),
    );
  });
}

/** Whether something failed since the disk or the workspace has no room. */
export const isFull = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'workspace-full' || error.code === 'storage-full');

/** Refuses what the disk or the workspace has no room for: before anything is written, and again when it is known how much it is. */
export async function mustHaveRoom(
  { storage, config, db }: Pick<Context, 'storage' | 'config' | 'db'>,
  { workspace, bytes = 0 }: { workspace: string; bytes?: number },
): Promise<void> {
  if ((await storage.freeBytes()) - bytes < config.MIN_FREE_DISK_MB * megabyte)
    throw new AppError('storage-full', {}, { retryAfterSeconds: 60 });
  await mustNotExceed(config, db, { workspace, bytes });
}

async function mustNotExceed(
  { WORKSPACE_STORAGE_MB: limitMb }: Context['config'],
  db: Db | Trx,
  { workspace, bytes }: { workspace: string; bytes: number },
): Promise<void> {
  if (limitMb > 0 && (await sumBytes(db, workspace)) + bytes > limitMb * megabyte)
    throw new AppError('workspace-full', { limitMb });
}

/** Runs what gives stored bytes their row; where it fails, they are removed. */
export async function keepOrRemove<T>(
  { storage }: Pick<Context, 'storage'>,
  keys: string[],
  keep: () => Promise<T>,
): Promise<T> {
  try {
    return await keep();
  } catch (error) {
    for (const key of keys) await storage.remove(key);
    throw error;
  }
}

/** Spread over 256 folders, so that none gets too large. */
export function storageKey(kind: string, uuid: string): string {
  return `${kind}/${uuid.slice(-2)}/${uuid}`;
}

/** A file name that is valid on every system. */
export const plainName = (name: string) => {
  const plain = name
    .slice(0, 500)
    .normalize('NFC')
    .replace(/[\p{C}<>:"/\\|?*]/gu, '_')
    .replace(/^\.+/, '_');
  const trimmed = trimEnd(plain, '. ');
  return (trimmed === plain ? plain : `${trimmed}_`).slice(0, 80).toWellFormed() || '_';
};

export type FileRow = FileTable;

export const findFile = (db: Db | Trx, uuid: string): Promise<FileRow | undefined> =>
  db.selectFrom('file').selectAll().where('uuid', '=', uuid).executeTakeFirst();

export async function countFiles(db: Db): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{
    files: number;
    bytes: number;
  }>`select count(*) as files, coalesce(sum(bytes), 0) as bytes from file`.execute(db);
  return { files: Number(rows[0]?.files ?? 0), bytes: Number(rows[0]?.bytes ?? 0) };
}

export const listStored = async (db: Db, kind: FileRow['kind'], uuids: string[]): Promise<StoredFile[]> =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('file')
        .select(['uuid', 'kind', 'storage_key'])
        .where('uuid', 'in', uuids)
        .where('kind', '=', kind)
        .execute();

/** Takes old attachments that were never sent away from whoever attached them, so that nobody sends them while they are erased. */
export const takeUnsent = (
  db: Db,
  { before, limit, guest }: { before: number; limit: number; guest?: string | undefined },
): Promise<StoredFile[]> =>
  db
    .updateTable('file')
    .set({ user: null, guest: null })
    .where('uuid', 'in', (unsent) =>
      unsent
        .selectFrom('file')
        .select('uuid')
        // Written out, since an index of some rows is not found by a parameter.
        .where(sql<boolean>`kind = 'attachment' and sent_at is null`)
        .where('created_at', '<', before)
        .$if(guest !== undefined, (query) => query.where('guest', '=', guest ?? ''))
        .orderBy('created_at')
        .limit(limit),
    )
    .where('sent_at', 'is', null)
    .returning(['uuid', 'kind', 'storage_key'])
    .execute();

/** Notes in the transaction of a message that it names these files. Throws `file-not-found` when one has been erased meanwhile. */
export async function markSent(
  trx: Trx,
  { by, uuids, now }: { by: Attacher; uuids: string[]; now: number },
): Promise<void> {
  const sent = await trx
    .updateTable('file')
    .set({ sent_at: sql`coalesce(sent_at, ${now})` })
    .where('uuid', 'in', uuids)
    .where('guest' in by ? 'guest' : 'user', '=', 'guest' in by ? by.guest : by.user)
    .returning('uuid')
    .execute();
  if (sent.length < new Set(uuids).size) throw new AppError('file-not-found');
}

/** Who attached a file: a person with an account, or a visitor. */
export type Attacher = { user: string } | { guest: string };

/** Those of the files that somebody attached in a workspace. */
export const listAttachments = async (
  db: Db | Trx,
  { workspace, by, uuids }: { workspace: string; by: Attacher; uuids: string[] },
): Promise<FileRow[]> =>
  uuids.length === 0
    ? []
    : db
        .selectFrom('file')
        .selectAll()
        .where('uuid', 'in', uuids)
        .where('kind', '=', 'attachment')
        .where('workspace', '=', workspace)
        .where('guest' in by ? 'guest' : 'user', '=', 'guest' in by ? by.guest : by.user)
        .execute();

/** Removes the bytes of files whose rows are gone. A file that cannot be removed only takes up space, since nothing refers to it. */
export async function removeBlobs(context: Context, files: StoredFile[]): Promise<void> {
  for (const file of files)
    await removeBlob(context, file).catch((err: unknown) =>
      context.log.warn({ err, file: file.uuid }, 'a deleted file could not be removed'),
    );
}

/** The picture, unless something else shows it too. */
export async function findOwnPicture(context: Context, uuid: string | null): Promise<StoredFile[]> {
  if (uuid === null || (await countShown(context.db, shownPictures(context), uuid)) > 1) return [];
  const file = await findFile(context.db, uuid);
  return file ? [file] : [];
}

/** What a picture shows, whatever its address. */
export const digestOfPicture = async (db: Db | Trx, uuid: string | null): Promise<string | null> =>
  uuid === null ? null : ((await findAvatar(db, uuid))?.sha256 ?? null);

/** Lets the address end at which everybody could see a picture; whoever shows it has it at another. */
export async function endPictureAddress(context: Context, trx: Trx, uuid: string | null): Promise<void> {
  if (uuid !== null) await renamePicture(trx, shownPictures(context), uuid, newId());
}

/** Deletes the rows of a workspace's files. A picture that was uploaded there and is shown elsewhere, on a member's account for one, stays. */
export async function eraseWorkspaceFiles(trx: Trx, workspace: string, context: Context): Promise<StoredFile[]> {
  await releasePictures(trx, 'workspace', workspace, shownPictures(context));
  return deleteFilesOf(trx, 'workspace', workspace);
}

/** Deletes the rows of what a person attached, and of their pictures, but for those that others show. Documents stay with the workspace. */
export async function erasePersonFiles(trx: Trx, user: string, context: Context): Promise<StoredFile[]> {
  await releaseDocuments(trx, user);
  await releasePictures(trx, 'user', user, shownPictures(context));
  return deleteFilesOf(trx, 'user', user);
}

const shownPictures = ({ features }: Context) => features.flatMap(({ pictures }) => pictures ?? []);

const dayMs = 86_400_000;
/** Rows of one write, which on SQLite holds up everyone else while it runs. */
const eraseBatch = 64;

/** Erases pictures that were uploaded a day ago and that nothing shows: never used, or replaced. */
export async function sweepPictures(context: Context, signal: AbortSignal, now = Date.now()): Promise<void> {
  for (const kind of ['avatar', 'menu'] as const)
    for (;;) {
      const old = { kind, before: now - dayMs, limit: eraseBatch };
      const files = await takeUnshown(context.db, shownPictures(context), old);
      if (files.length === 0) break;
      for (const file of files) {
        signal.throwIfAborted();
        await eraseFiles(context, [file], async () => {});
      }
    }
}
