import { blocksOfHtml } from './html.ts';
import { ParseError } from './parser.ts';
import type { Parser } from './parser.ts';
import { isZip } from './text.ts';

export const docx: Parser = {
  name: 'Word',
  extensions: ['docx'],
  mime: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  isPlain: false,
  accepts: (head) => isZip(head) || isOle(head),
  async parse(file, onProgress) {
    const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    // Word keeps a document with a password inside an OLE container, as it does its older .doc.
    if (isOle(file))
      throw new ParseError(
        bytes.includes(Buffer.from('EncryptedPackage', 'utf16le')) ? 'file-encrypted' : 'type-mismatch',
      );
    const names = await inspectZip(bytes);
    if (!names.has('[Content_Types].xml') || ![...names].some((name) => name.startsWith('word/')))
      throw new ParseError('type-mismatch');
    onProgress(0.1);
    const { default: mammoth } = await import('mammoth');
    const { value } = await mammoth.convertToHtml(
      { buffer: bytes },
      { externalFileAccess: false, convertImage: mammoth.images.imgElement(async () => ({ src: '' })) },
    );
    onProgress(0.8);
    const { title, blocks } = await blocksOfHtml(value);
    return { title, pages: null, pagesWithoutText: [], blocks };
  },
};

const isOle = (head: Uint8Array) => Buffer.from(head.subarray(0, 4)).toString('hex') === 'd0cf11e0';

const limits = { entries: 5_000, unpackedBytes: 200_000_000, ratio: 200, ratioFromBytes: 1_000_000 };

/**
 * Reads the directory of a zip, unpacking nothing, and returns its names. Throws 'file-unsafe' for more than 5,000 entries,
 * 200 MB unpacked in total, an entry over 1 MB that was packed to under 1/200, entries that share bytes or a name, and names that
 * leave the folder. The sizes are the directory's own claims; what lies about them meets the limits of the child process.
 */
async function inspectZip(file: Buffer): Promise<Set<string>> {
  const { fromBufferPromise } = await import('yauzl');
  const names = new Set<string>();
  const starts = new Set<number>();
  let unpacked = 0;
  try {
    const zip = await fromBufferPromise(file, { lazyEntries: true, strictFileNames: true });
    if (zip.entryCount > limits.entries) throw new ParseError('file-unsafe');
    for await (const entry of zip.eachEntry()) {
      unpacked += entry.uncompressedSize;
      const isDense =
        entry.uncompressedSize > limits.ratioFromBytes && entry.uncompressedSize > entry.compressedSize * limits.ratio;
      if (
        isDense ||
        unpacked > limits.unpackedBytes ||
        names.has(entry.fileName) ||
        starts.has(entry.relativeOffsetOfLocalHeader)
      )
        throw new ParseError('file-unsafe');
      if (entry.isEncrypted()) throw new ParseError('file-encrypted');
      names.add(entry.fileName);
      starts.add(entry.relativeOffsetOfLocalHeader);
    }
  } catch (error) {
    if (error instanceof ParseError) throw error;
    throw new ParseError(/file ?name|path/i.test(String(error)) ? 'file-unsafe' : 'file-damaged', { cause: error });
  }
  return names;
}
