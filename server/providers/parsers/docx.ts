import { posix } from 'node:path';
import { blocksOfWord, type WordParts } from './docx.blocks.ts';
import { elements, readXml, type Element } from './docx.xml.ts';
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
    const zip = await openZip(bytes);
    if (!zip.has('[Content_Types].xml') || ![...zip.keys()].some((name) => name.startsWith('word/')))
      throw new ParseError('type-mismatch');
    onProgress(0.1);
    const parts = await readParts(zip);
    onProgress(0.8);
    return { ...blocksOfWord(parts), pages: null, pagesWithoutText: [] };
  },
};

/** The document and the parts that it refers to: their names are what the package says, not what Word usually calls them. */
async function readParts(zip: Map<string, () => Promise<Buffer>>): Promise<WordParts> {
  const read = async (name: string | undefined) => {
    const unpack = name === undefined ? undefined : zip.get(name);
    return unpack && readXml(await unpack());
  };
  const start = relationsIn(await read('_rels/.rels'), '').find(({ type }) => type === 'officeDocument');
  const main = start?.target ?? 'word/document.xml';
  const document = await read(main);
  if (!document) throw new ParseError('file-damaged');

  const relationsOf = async (name: string) => {
    const cut = name.lastIndexOf('/') + 1;
    return relationsIn(await read(`${name.slice(0, cut)}_rels/${name.slice(cut)}.rels`), name.slice(0, cut));
  };
  const linksIn = (relations: Relation[]) =>
    new Map(relations.filter(({ isOutside }) => isOutside).map(({ id, target }) => [id, target]));
  const relations = await relationsOf(main);
  const part = async ({ target }: Relation) => ({
    root: await read(target),
    links: linksIn(await relationsOf(target)),
  });
  const only = async (type: string) => {
    const found = relations.find((each) => each.type === type);
    return found ? part(found) : { root: undefined, links: new Map<string, string>() };
  };
  const margins = new Map<string, Awaited<ReturnType<typeof part>>>();
  for (const each of relations)
    if (each.type === 'header' || each.type === 'footer') margins.set(each.id, await part(each));
  return {
    document: { root: document, links: linksIn(relations) },
    styles: (await only('styles')).root,
    numbering: (await only('numbering')).root,
    footnotes: await only('footnotes'),
    endnotes: await only('endnotes'),
    margins,
  };
}

interface Relation {
  id: string;
  /** The last word of the address that names it. */
  type: string;
  target: string;
  /** The target is an address, and no part of the file. */
  isOutside: boolean;
}

function relationsIn(root: Element | undefined, folder: string): Relation[] {
  return elements(root).map(({ attributes }) => {
    const isOutside = attributes['TargetMode'] === 'External';
    const target = attributes['Target'] ?? '';
    return {
      id: attributes['Id'] ?? '',
      type: attributes['Type']?.split('/').at(-1) ?? '',
      target: isOutside ? target : resolve(folder, target),
      isOutside,
    };
  });
}

/** The name in the zip of a target that is written as seen from a folder: `../word/styles.xml`, `/word/styles.xml`. */
const resolve = (folder: string, target: string) =>
  target.startsWith('/') ? target.slice(1) : posix.join(folder, target);

const isOle = (head: Uint8Array) => Buffer.from(head.subarray(0, 4)).toString('hex') === 'd0cf11e0';

const limits = { entries: 5_000, unpackedBytes: 200_000_000, ratio: 200, ratioFromBytes: 1_000_000 };

/**
 * Reads the directory of a zip and returns how to unpack each name. Throws 'file-unsafe' for more than 5,000 entries,
 * 200 MB unpacked in total, an entry over 1 MB that was packed to under 1/200, entries that share bytes or a name, and names that
 * leave the folder. The sizes are the directory's own claims; what lies about them meets the limits of the child process.
 */
async function openZip(file: Buffer): Promise<Map<string, () => Promise<Buffer>>> {
  const { fromBufferPromise } = await import('yauzl');
  const entries = new Map<string, () => Promise<Buffer>>();
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
      entries.set(entry.fileName, async () => {
        try {
          return Buffer.concat(await (await zip.openReadStreamPromise(entry)).toArray());
        } catch (error) {
          throw new ParseError('file-damaged', { cause: error });
        }
      });
      starts.add(entry.relativeOffsetOfLocalHeader);
    }
  } catch (error) {
    if (error instanceof ParseError) throw error;
    throw new ParseError(/file ?name|path/i.test(String(error)) ? 'file-unsafe' : 'file-damaged', { cause: error });
  }
  return entries;
}
