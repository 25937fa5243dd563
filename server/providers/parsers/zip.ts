import type { Readable } from 'node:stream';
import { ParseError } from './parser.ts';

/** A file in a zip. Both throw 'file-damaged' for bytes that cannot be unpacked. */
export interface ZipEntry {
  read(): Promise<Buffer>;
  pieces(): AsyncGenerator<Buffer>;
}

const limits = { entries: 5_000, unpackedBytes: 200_000_000, ratio: 200, ratioFromBytes: 1_000_000 };

/**
 * Reads the directory of a zip and returns its entries by their names. Throws 'file-unsafe' for more than 5,000 entries,
 * 200 MB unpacked in total, an entry over 1 MB that was packed to under 1/200, entries that share bytes or a name, and names that
 * leave the folder. The sizes are the directory's own claims; what lies about them meets the limits of the child process.
 */
export async function openZip(file: Buffer): Promise<Map<string, ZipEntry>> {
  const { fromBufferPromise } = await import('yauzl');
  const entries = new Map<string, ZipEntry>();
  const starts = new Set<number>();
  let unpacked = 0;
  try {
    const zip = await fromBufferPromise(file, { lazyEntries: true, autoClose: false, strictFileNames: true });
    if (zip.entryCount > limits.entries) throw new ParseError('file-unsafe');
    for await (const entry of zip.eachEntry()) {
      unpacked += entry.uncompressedSize;
      const isDense =
        entry.uncompressedSize > limits.ratioFromBytes && entry.uncompressedSize > entry.compressedSize * limits.ratio;
      if (
        isDense ||
        unpacked > limits.unpackedBytes ||
        entries.has(entry.fileName) ||
        starts.has(entry.relativeOffsetOfLocalHeader)
      )
        throw new ParseError('file-unsafe');
      if (entry.isEncrypted()) throw new ParseError('file-encrypted');
      entries.set(
        entry.fileName,
        entryOf(() => zip.openReadStreamPromise(entry)),
      );
      starts.add(entry.relativeOffsetOfLocalHeader);
    }
  } catch (error) {
    if (error instanceof ParseError) throw error;
    throw new ParseError(/file ?name|path/i.test(String(error)) ? 'file-unsafe' : 'file-damaged', { cause: error });
  }
  return entries;
}

function entryOf(open: () => Promise<Readable>): ZipEntry {
  async function* pieces(): AsyncGenerator<Buffer> {
    try {
      yield* await open();
    } catch (error) {
      throw new ParseError('file-damaged', { cause: error });
    }
  }
  return {
    pieces,
    async read() {
      const parts: Buffer[] = [];
      for await (const piece of pieces()) parts.push(piece);
      return Buffer.concat(parts);
    },
  };
}
