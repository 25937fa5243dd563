import { Readable } from 'node:stream';
import { AppError } from '../../../shared/errors.ts';
import { openArchive, type ArchiveEntry } from '../../providers/parsers/archive.ts';
import { ParseError } from '../../providers/parsers/parser.ts';

/** All of it, unpacked. */
export const maxArchiveBytes = 500_000_000;

export interface ExportArchive {
  /** The bytes that a name unpacks to, as the directory has them; undefined when there is no such name. */
  sizeOf(name: string): number | undefined;
  /** What a name unpacks to. The stream fails with `import-unreadable` when it is damaged or not as long as the directory says. */
  open(name: string): Readable;
  /** The whole of it. Throws `import-unreadable` when there is none, or over `most` bytes. */
  read(name: string, most: number): Promise<Buffer>;
  close(): void;
}

/**
 * Opens the zip that a bot or a base was exported to, unpacking nothing. Throws `file-unsafe` for too many entries, more than 500 MB unpacked in
 * all, and for what `openArchive` finds unsafe; `import-unreadable` for what is no whole zip, encrypted, or has a name twice.
 */
export async function openExportArchive(path: string, maxEntries: number): Promise<ExportArchive> {
  const { entries, close } = await openArchive(path, maxEntries).catch((error: unknown) => refuse(error));
  try {
    const byName = byNames(entries);
    const find = (name: string): ArchiveEntry => {
      const entry = byName.get(name);
      if (!entry) throw new AppError('import-unreadable', { name });
      return entry;
    };
    const open = (name: string) => Readable.from(read(find(name)), { objectMode: false });
    return {
      open,
      sizeOf: (name) => byName.get(name)?.bytes,
      async read(name, most) {
        if (find(name).bytes > most) throw new AppError('import-unreadable', { name });
        return Buffer.concat(await open(name).toArray());
      },
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function byNames(entries: ArchiveEntry[]): Map<string, ArchiveEntry> {
  const byName = new Map<string, ArchiveEntry>();
  let unpacked = 0;
  for (const entry of entries) {
    unpacked += entry.bytes;
    if (unpacked > maxArchiveBytes) throw new AppError('file-unsafe');
    if (byName.has(entry.name) || entry.isEncrypted)
      throw new AppError('import-unreadable', { name: entry.name.slice(0, 200) });
    byName.set(entry.name, entry);
  }
  return byName;
}

async function* read(entry: ArchiveEntry): AsyncGenerator<Buffer> {
  try {
    yield* entry.open();
  } catch (error) {
    refuse(error, entry.name.slice(0, 200));
  }
}

function refuse(cause: unknown, name?: string): never {
  const isUnsafe = cause instanceof ParseError && cause.code === 'file-unsafe';
  throw new AppError(isUnsafe ? 'file-unsafe' : 'import-unreadable', { ...(name && { name }) }, { cause });
}
