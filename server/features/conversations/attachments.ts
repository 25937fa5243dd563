import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Attachment } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { megabyte } from '../../infra/config.ts';
import { newId, type Db, type Trx } from '../../infra/db.ts';
import type { MessageTable } from './conversations.tables.ts';
import type { ModelFile } from '../../providers/models/model.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import { detectFormat, safeFileName } from '../../providers/parsers/detect.ts';
import type { Context } from '../../feature.ts';
import { isSentOutOfSight } from './conversations.store.ts';
import type { Owner } from './own-thread.ts';
import type { Guest } from '../users/speaker.ts';
import {
  addFile,
  type Attacher,
  attachmentTextKey,
  keepOrRemove,
  listAttachments,
  mustHaveRoom,
  storageKey,
  type FileRow,
} from '../files/files.ts';
import { toPicture } from '../files/pictures.ts';
import { readRecording } from '../files/recordings.ts';
import { readText } from '../knowledge/parse-file.ts';

export const maxAttachmentBytes = 10 * megabyte;
/** Of all documents of a question together: about 10,000 tokens. */
const maxCharacters = 30_000;

/** Names of pictures, also of formats that we do not read, such as the HEIC of iPhones. */
const pictureName = /\.(png|jpe?g|gif|webp|avif|heic|heif|bmp|tiff?|svg)$/i;

/** Names under which an app draws a file, so that nothing else may bear them. */
const drawnName = /\.(png|jpe?g|gif|webp|avif|svg)$/i;

/** How bytes are stored of which nobody knows what they are. */
export const unknownMime = 'application/octet-stream';

const isImage = ({ mime }: { mime: string }) => mime.startsWith('image/');
/** What has words only where somebody has written them down. */
const isRecording = ({ mime }: { mime: string }) => /^(?:audio|video)\//.test(mime);

interface Part {
  filename: string;
  file: Readable & { truncated?: boolean };
}

/**
 * Keeps a picture, made smaller where it is large and without what else its file carried, or a document of a kind that is read; with
 * `unreadAs` (a MIME type) also what cannot be read, for people to open. Where it `mustBeAsNamed`, bytes that contradict its name are
 * refused all the same.
 */
export async function attach(
  context: Context,
  owner: Owner,
  { filename, file }: Part,
  { unreadAs, mustBeAsNamed = unreadAs === undefined }: { unreadAs?: string; mustBeAsNamed?: boolean } = {},
): Promise<Attachment> {
  const name = safeFileName(filename);
  const bytes = await readAll(file);
  // The form's own limit may be lower than ours: then the rest was dropped.
  if (file.truncated) throw new AppError('file-too-large', { limitMb: context.config.MAX_UPLOAD_MB });
  await mustHaveRoom(context, owner);
  const picture = await toPicture(bytes);
  const refusedName = unreadAs === undefined ? pictureName : drawnName;
  if (!picture && mustBeAsNamed && refusedName.test(name)) throw new AppError('image-invalid');
  const kept = picture ?? { bytes, mime: mimeOf(bytes, name, { unreadAs, mustBeAsNamed }) };
  await mustHaveRoom(context, { workspace: owner.workspace, bytes: kept.bytes.length });
  const uuid = newId();
  const key = storageKey('attachment', uuid);
  await context.storage.put(key, kept.bytes);
  const row = {
    uuid,
    workspace: owner.workspace,
    user: owner.kind === 'guest' ? null : owner.user,
    guest: owner.kind === 'guest' ? owner.guest : null,
    kind: 'attachment' as const,
    name,
    mime: kept.mime,
    bytes: kept.bytes.length,
    sha256: createHash('sha256').update(kept.bytes).digest('hex'),
    storage_key: key,
  };
  await keepOrRemove(context, [key, attachmentTextKey(uuid)], async () => {
    const text =
      picture || isRecording(kept)
        ? undefined
        : await textOf(context, owner, key, name).catch((error: unknown) => {
            if (unreadAs !== undefined && error instanceof AppError) return undefined;
            throw error;
          });
    if (text !== undefined) await context.storage.put(attachmentTextKey(uuid), Buffer.from(text));
    await context.db.transaction().execute((trx) => addFile(context, trx, row));
  });
  return { uuid, name, mime: kept.mime, bytes: kept.bytes.length };
}

function mimeOf(
  bytes: Buffer,
  name: string,
  { unreadAs, mustBeAsNamed }: { unreadAs: string | undefined; mustBeAsNamed: boolean },
): string {
  try {
    return detectFormat(bytes.subarray(0, 65_536), name, bytes.length).mime;
  } catch (error) {
    const isUnread = error instanceof AppError && ['file-type-not-supported', 'file-too-old'].includes(error.code);
    const isTaken = isUnread || (error instanceof AppError && !mustBeAsNamed);
    if (unreadAs !== undefined && isTaken) return (unreadAs === unknownMime && readRecording(bytes)?.mime) || unreadAs;
    throw error;
  }
}

export const attacherOf = (owner: Owner): Attacher =>
  owner.kind === 'guest' ? { guest: owner.guest } : { user: owner.user };

async function readAll(file: Readable): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of file) {
    size += part.length;
    if (size > maxAttachmentBytes) throw new AppError('file-too-large', { limitMb: maxAttachmentBytes / 1024 / 1024 });
    parts.push(part);
  }
  if (size === 0) throw new AppError('file-empty');
  return Buffer.concat(parts);
}

/** What a question may carry: the caller's own files. Throws `file-not-found`. */
export async function takeAttachments(
  { db }: { db: Db | Trx },
  { workspace, by, owner }: { workspace: string; by: Attacher; owner?: Owner },
  uuids: string[],
): Promise<Attachment[]> {
  const files = await listAttachments(db, { workspace, by, uuids });
  for (const { uuid } of files) if (owner && (await isKeptFrom(db, owner, uuid))) throw new AppError('file-not-found');
  return uuids.map((uuid) => {
    const file = files.find((each) => each.uuid === uuid);
    if (!file) throw new AppError('file-not-found');
    return { uuid, name: file.name, mime: file.mime, bytes: file.bytes };
  });
}

/** Whether a bot can read nothing of one of these files, which are a guest's own. Pictures are for the model to see, or to say that it cannot. */
export async function hasUnread(context: Context, owner: Guest, uuids: string[] = []): Promise<boolean> {
  if (uuids.length === 0) return false;
  const files = await takeAttachments(context, { workspace: owner.workspace, by: attacherOf(owner) }, uuids);
  for (const file of files) {
    if (isImage(file)) continue;
    const text = isRecording(file) ? undefined : await readBlob(context, attachmentTextKey(file.uuid));
    if (text === undefined || text.toString('utf8').trim() === '') return true;
  }
  return false;
}

export async function findAttachment({ db }: Context, owner: Owner, uuid: string): Promise<FileRow> {
  const [file] = await listAttachments(db, { workspace: owner.workspace, by: attacherOf(owner), uuids: [uuid] });
  if (!file || (await isKeptFrom(db, owner, uuid))) throw new AppError('file-not-found');
  return file;
}

/** What its person sent in conversations that a key may not read is none of the key's either. */
async function isKeptFrom(db: Db | Trx, owner: Owner, file: string): Promise<boolean> {
  return owner.kind === 'key' && isSentOutOfSight(db, owner, file);
}

/** The files of a question as a model gets them: pictures as they are, documents as text. What is gone is left out. */
export async function readAttachments(
  context: Context,
  message: Pick<MessageTable, 'files'>,
): Promise<{ files: ModelFile[]; attached: { name: string; text: string }[] }> {
  const named: Attachment[] = JSON.parse(message.files);
  const files: ModelFile[] = [];
  const attached: { name: string; text: string }[] = [];
  let left = maxCharacters;
  for (const each of named) {
    if (isRecording(each)) continue;
    const bytes = await readBlob(
      context,
      isImage(each) ? storageKey('attachment', each.uuid) : attachmentTextKey(each.uuid),
    );
    if (!bytes) continue;
    if (isImage(each)) files.push({ name: each.name, mime: each.mime, bytes });
    else {
      const whole = bytes.toString('utf8');
      const text = whole.slice(0, left).toWellFormed();
      left -= text.length;
      attached.push({
        name: each.name,
        text: text.length < whole.length ? `${text}\n\n${cutNote(whole.length)}` : text,
      });
    }
  }
  return { files, attached };
}

/** For the model, which tells it where it matters. */
const cutNote = (length: number) =>
  `[This document is too long to be read whole: the rest of its ${length.toLocaleString('en')} characters is missing here. Say so.]`;

const maxPictures = 8;
const maxPictureBytes = 20 * 1024 * 1024;

/**
 * The pictures of earlier messages, those of the newest first, as many as may be sent beside the ones of the question; none
 * when none of `services` sees. What is gone is left out.
 */
export async function readPictures<T extends Pick<MessageTable, 'files'>>(
  context: Context,
  { newestFirst, asked, workspace, services }: Seen<T>,
): Promise<Map<T, ModelFile[]>> {
  const pictures = new Map<T, ModelFile[]>();
  const having = newestFirst.filter(({ files }) => files !== '[]');
  if (having.length === 0) return pictures;
  const known = await Promise.all(services.map((service) => context.models.find(workspace, service)));
  if (!known.some((service) => service?.capabilities.includes('vision'))) return pictures;
  let places = maxPictures - asked.length;
  let room = maxPictureBytes - asked.reduce((sum, { bytes }) => sum + bytes.length, 0);
  for (const message of having) {
    const files: Attachment[] = JSON.parse(message.files);
    for (const { uuid, name, mime, bytes: size } of files.filter(isImage)) {
      room -= size;
      if (--places < 0 || room < 0) return pictures;
      const bytes = await readBlob(context, storageKey('attachment', uuid));
      if (bytes) pictures.set(message, [...(pictures.get(message) ?? []), { name, mime, bytes }]);
    }
  }
  return pictures;
}

interface Seen<T> {
  newestFirst: T[];
  /** What comes with the question. */
  asked: ModelFile[];
  workspace: string;
  /** That may be asked. */
  services: string[];
}

/** What was attached, as it is stored; nothing where its file is gone. */
export const readAttached = (context: Context, uuid: string): Promise<Buffer | undefined> =>
  readBlob(context, storageKey('attachment', uuid));

async function readBlob({ storage, log }: Context, key: string): Promise<Buffer | undefined> {
  try {
    const parts: Buffer[] = [];
    for await (const part of await storage.get(key)) parts.push(part);
    return Buffer.concat(parts);
  } catch (err) {
    if (!(err instanceof BlobMissingError)) throw err;
    log.warn({ err, key }, 'an attached file is missing from the storage');
    return undefined;
  }
}

/** Reads a document in a sandboxed process, as those of a base. */
async function textOf({ storage }: Context, owner: Owner, key: string, name: string): Promise<string> {
  const { path, done } = await storage.asFile(key);
  try {
    const turn = { tenant: owner.workspace, isVisitors: owner.kind === 'guest' };
    return await readText({ path, name, most: maxCharacters, turn });
  } finally {
    await done();
  }
}
