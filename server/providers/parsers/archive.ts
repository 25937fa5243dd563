import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { getFileNameLowLevel, openPromise, validateFileName, type Entry, type ZipFile } from 'yauzl';
import { decodeBytes } from './encoding.ts';
import { ParseError } from './parser.ts';

const limits = { ratio: 200, ratioFromBytes: 1024 * 1024, headerBytes: 1_000 };

export interface ArchiveEntry {
  /** With `/` between folders; a folder ends with one. */
  name: string;
  /** What it unpacks to, as the directory has it. */
  bytes: number;
  isEncrypted: boolean;
  /** The stream fails with 'file-damaged' when it is damaged or not as long as the directory says. */
  open(): Readable;
}

export interface Archive {
  entries: ArchiveEntry[];
  close(): void;
}

/**
 * Reads the directory of a zip on the disk that a stranger made, and unpacks nothing. Throws ParseError: 'file-unsafe' for more than
 * `maxEntries`, an entry over 1 MB that was packed to under 1/200, entries that share bytes, names over 1,000 bytes, and names that
 * leave the folder; 'file-damaged' for what is no whole zip.
 */
export async function openArchive(path: string, maxEntries: number): Promise<Archive> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false, decodeStrings: false }).catch(damaged);
  try {
    const entries = await readDirectory(zip, maxEntries);
    const names = namesOf(entries);
    return {
      entries: entries.map((entry, at) => ({
        name: names[at] ?? '',
        bytes: entry.uncompressedSize,
        isEncrypted: entry.isEncrypted(),
        open: () => Readable.from(unpack(zip, entry), { objectMode: false }),
      })),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

async function readDirectory(zip: ZipFile, maxEntries: number): Promise<Entry[]> {
  if (zip.entryCount > maxEntries) throw new ParseError('file-unsafe');
  const entries: Entry[] = [];
  try {
    for await (const entry of zip.eachEntry()) {
      const isDense =
        entry.uncompressedSize > limits.ratioFromBytes && entry.uncompressedSize > entry.compressedSize * limits.ratio;
      const isWordy =
        Math.max(entry.fileNameLength, entry.extraFieldLength, entry.fileCommentLength) > limits.headerBytes;
      if (isDense || isWordy) throw new ParseError('file-unsafe');
      entries.push(entry);
    }
  } catch (error) {
    damaged(error);
  }
  // https://www.bamsoftware.com/hacks/zipbomb/: a small file becomes a large one where entries overlap.
  const inOrder = entries.toSorted((one, other) => startOf(one) - startOf(other));
  if (inOrder.some((entry, at) => at > 0 && startOf(entry) < endOf(inOrder[at - 1])))
    throw new ParseError('file-unsafe');
  return entries;
}

const startOf = (entry: Entry) => entry.relativeOffsetOfLocalHeader;
/** Where an entry ends at the earliest: what stands before its bytes has 30 of its own, and the name. */
const endOf = (entry: Entry | undefined) =>
  entry ? startOf(entry) + 30 + entry.fileNameLength + entry.compressedSize : 0;

/**
 * The names as a person knows them: UTF-8 where the entry says so. Others have the encoding of the machine that packed them and do not
 * say which, so those of an archive are looked at together: UTF-8 or Japanese where they make sense as such, else CP437, as
 * https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, appendix D, has it.
 */
function namesOf(entries: Entry[]): string[] {
  // No name has control characters, and a line break would shift the others.
  const plain = entries.map(({ fileNameRaw }) => fileNameRaw.map((byte) => Math.max(byte, 0x20)));
  const together = Buffer.concat(plain.flatMap((name) => [name, Buffer.from('\n')]));
  const guessed = decodeBytes(together) ?? '';
  const isKnown = isUtf8(together) || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(guessed);
  const guesses = guessed.split('\n');
  return entries.map((entry, at) => {
    const told = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false);
    const isTold = (entry.generalPurposeBitFlag & 0x8_00) !== 0 || entry.extraFields.some(({ id }) => id === 0x70_75);
    const name = (isTold || !isKnown ? told : (guesses[at] ?? told)).replaceAll('\\', '/');
    if (validateFileName(name) !== null) throw new ParseError('file-unsafe');
    return name;
  });
}

/** yauzl checks the length of an entry; we check its CRC. */
async function* unpack(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer> {
  let sum = 0;
  try {
    for await (const part of await zip.openReadStreamPromise(entry)) {
      sum = crc32(part, sum);
      yield part;
    }
  } catch (cause) {
    damaged(cause);
  }
  if (sum !== entry.crc32) damaged();
}

function damaged(cause?: unknown): never {
  throw cause instanceof ParseError ? cause : new ParseError('file-damaged', { cause });
}
