import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { SkippedFile, type AddedDocument } from '../../../shared/contracts/knowledge.ts';
import { AppError } from '../../../shared/errors.ts';
import { isSystemFile } from '../../../shared/system-files.ts';
import type { Context } from '../../feature.ts';
import { megabyte } from '../../infra/config.ts';
import type { FormFile } from '../../infra/forms.ts';
import type { Caller } from '../../infra/http.ts';
import { translate } from '../../infra/translate.ts';
import { openArchive, type ArchiveEntry } from '../../providers/parsers/archive.ts';
import { safeFilePath } from '../../providers/parsers/detect.ts';
import { ParseError } from '../../providers/parsers/parser.ts';
import { mustHaveRoom } from '../files/files.ts';
import { addDocument, tooLarge } from './documents.ts';

const limits = { files: 1_000, entries: 5_000, uploads: 20 };

export const isZipName = (name: string): boolean => /\.zip$/i.test(name);

interface Zip {
  knowledge: string;
  part: FormFile;
  locale: Locale;
}

/**
 * Makes a document of each file in a zip, one after another: what was added stays, and the rest is told with its reason. Throws
 * `file-unsafe`, `file-not-as-named`, `file-too-large`, `file-empty` or `archive-too-many` for the zip itself, before anything is added.
 */
export async function addZip(
  context: Context,
  caller: Caller,
  { knowledge, part, locale }: Zip,
): Promise<{ added: AddedDocument[]; skipped: SkippedFile[] }> {
  const name = safeFilePath(part.filename);
  await mustHaveRoom(context, caller);
  const folder = await mkdtemp(join(tmpdir(), 'kotae-zip-'));
  try {
    const path = join(folder, 'files.zip');
    await pipeline(part.file, createWriteStream(path, { mode: 0o600 }));
    if (part.file.truncated) throw tooLarge(context, name);
    if ((await stat(path)).size === 0) throw new AppError('file-empty', { name });
    const { entries, close } = await openArchive(path, limits.entries).catch((error: unknown) => refuse(error, name));
    try {
      const added: AddedDocument[] = [];
      const skipped: SkippedFile[] = [];
      for (const entry of filesIn(context, entries)) {
        try {
          added.push(await addEntry(context, caller, { knowledge, entry, locale }));
        } catch (error) {
          skipped.push(skippedBy(error, entry, locale));
        }
      }
      return { added, skipped };
    } finally {
      close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function refuse(cause: unknown, name: string): never {
  if (cause instanceof ParseError && cause.code === 'file-unsafe')
    throw new AppError('file-unsafe', { name }, { cause });
  throw new AppError('file-not-as-named', { name, kind: 'ZIP' }, { cause });
}

function filesIn({ config }: Context, entries: ArchiveEntry[]): ArchiveEntry[] {
  const files = entries.filter(({ name }) => !name.endsWith('/') && !isSystemFile(name));
  if (files.length === 0) throw new AppError('file-empty');
  if (files.length > limits.files) throw new AppError('archive-too-many', { limit: limits.files });
  const unpacked = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (unpacked > limits.uploads * config.MAX_UPLOAD_MB * megabyte) throw new AppError('file-unsafe');
  return files;
}

async function addEntry(
  context: Context,
  caller: Caller,
  { knowledge, entry, locale }: { knowledge: string; entry: ArchiveEntry; locale: Locale },
): Promise<AddedDocument> {
  const { name } = entry;
  if (entry.isEncrypted) throw new ParseError('file-encrypted');
  if (isZipName(name)) throw new AppError('archive-inside');
  if (entry.bytes > context.config.MAX_UPLOAD_MB * megabyte) throw tooLarge(context, name);
  const bytes = entry.open();
  try {
    return await addDocument(context, caller, knowledge, { name, bytes, source: 'file' }, locale);
  } finally {
    bytes.destroy();
  }
}

/** Whatever is no fault of the one file goes on to the caller. */
function skippedBy(error: unknown, { name }: ArchiveEntry, locale: Locale): SkippedFile {
  if (!(error instanceof AppError || error instanceof ParseError)) throw error;
  const code = SkippedFile.shape.code.safeParse(error.code);
  if (!code.success) throw error;
  const message =
    error instanceof AppError
      ? translate(locale, `errors:${error.code}`, error.details)
      : translate(locale, `knowledge-server:error.${error.code}`);
  return { name: safeFilePath(name), code: code.data, message };
}
