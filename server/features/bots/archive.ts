import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { openPromise, type Entry, type ZipFile } from 'yauzl';
import { AppError } from '../../../shared/errors.ts';

export const archiveLimits = {
  entries: 2_000,
  unpackedBytes: 500_000_000,
  ratio: 100,
  ratioFromBytes: 1024 * 1024,
  nameBytes: 1_000,
};

export interface Archive {
  /** The bytes that a name unpacks to, as the directory has them; undefined when there is no such name. */
  sizeOf(name: string): number | undefined;
  /** What a name unpacks to. The stream fails with `import-unreadable` when it is damaged or not as long as the directory says. */
  open(name: string): Promise<Readable>;
  /** The whole of it. Throws `import-unreadable` when there is none, or over `most` bytes. */
  read(name: string, most: number): Promise<Buffer>;
  close(): void;
}

/**
 * Opens a zip that a stranger made, unpacking nothing. Throws `file-unsafe` for more than 2,000 entries, 500 MB unpacked in all,
 * an entry over 1 MB that was packed to under 1/100, names over 1,000 bytes, and entries that share bytes; `import-unreadable` for what is no whole zip,
 * encrypted, or has a name twice or one that leaves its folder.
 */
export async function openArchive(path: string): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, strictFileNames: true }).catch(unreadable);
  try {
    const entries = await readDirectory(zip);
    const find = (name: string): Entry => {
      const entry = entries.get(name);
      if (!entry) throw new AppError('import-unreadable', { name });
      return entry;
    };
    const open = async (name: string) => {
      const entry = find(name);
      return Readable.from(checked(entry, await zip.openReadStreamPromise(entry).catch(unreadable)), {
        objectMode: false,
      });
    };
    return {
      open,
      sizeOf: (name) => entries.get(name)?.uncompressedSize,
      async read(name, most) {
        if (find(name).uncompressedSize > most) throw new AppError('import-unreadable', { name });
        return Buffer.concat(await (await open(name)).toArray());
      },
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readDirectory(zip: ZipFile): Promise<Map<string, Entry>> {
  if (zip.entryCount > archiveLimits.entries) throw new AppError('file-unsafe');
  const entries = new Map<string, Entry>();
  const starts = new Set<number>();
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      unpacked += entry.uncompressedSize;
      const isDense =
        entry.uncompressedSize > archiveLimits.ratioFromBytes &&
        entry.uncompressedSize > entry.compressedSize * archiveLimits.ratio;
      const isWordy =
        Math.max(entry.fileNameLength, entry.extraFieldLength, entry.fileCommentLength) > archiveLimits.nameBytes;
      if (isDense || isWordy || unpacked > archiveLimits.unpackedBytes || starts.has(entry.relativeOffsetOfLocalHeader))
        throw new AppError('file-unsafe');
      if (entries.has(entry.fileName) || !entry.canDecodeFileData())
        throw new AppError('import-unreadable', { name: entry.fileName.slice(0, 200) });
      entries.set(entry.fileName, entry);
      starts.add(entry.relativeOffsetOfLocalHeader);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    unreadable(error);
  }
  return entries;
}

/** yauzl checks the length of an entry; we check its CRC. */
async function* checked(entry: Entry, stream: Readable): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const part of stream) {
      sum = crc32(part, sum);
      yield part;
    }
  } catch (cause) {
    unreadable(cause);
  }
  if (sum !== entry.crc32) throw new AppError('import-unreadable', { name: entry.fileName.slice(0, 200) });
}

function unreadable(cause: unknown): never {
  throw new AppError('import-unreadable', {}, { cause });
}
