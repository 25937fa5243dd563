import { posix } from 'node:path';
import type { DocumentErrorCode } from '../../../shared/errors.ts';
import { ParseError } from './parser.ts';
import { elements, readXml, scanXml, type Element, type XmlReader } from './xml.ts';
import { openZip } from './zip.ts';

/** A file of Word, Excel or PowerPoint: parts in a zip that name each other (Open Packaging Conventions, ECMA-376 part 2). */
export interface OfficePackage {
  /** The part that everything begins with. */
  main: string;
  has(name: string): boolean;
  /** Nothing where there is no such part. */
  read(name: string | undefined): Promise<Element | undefined>;
  /** Reads a part that may be too long to be kept as a tree. */
  scan(name: string | undefined, reader: XmlReader): Promise<void>;
  relationsOf(name: string): Promise<Relation[]>;
}

export interface Relation {
  id: string;
  /** The last word of the address that names it. */
  type: string;
  target: string;
  /** The target is an address, and no part of the file. */
  isOutside: boolean;
}

/**
 * Opens a file of Office. `folder` is where its parts are, such as `word/`. Throws ParseError: 'file-encrypted' for one with a password,
 * 'file-too-old' for one of before 2007, 'type-mismatch' for another kind of file, and what `openZip` throws.
 */
export async function openOffice(file: Uint8Array, folder: string, usualMain: string): Promise<OfficePackage> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (isOle(file)) throw new ParseError(oleCode(bytes));
  const zip = await openZip(bytes);
  if (!zip.has('[Content_Types].xml') || ![...zip.keys()].some((name) => name.startsWith(folder)))
    throw new ParseError('type-mismatch');
  const read = async (name: string | undefined) => {
    const entry = name === undefined ? undefined : zip.get(name);
    return entry && readXml(await entry.read());
  };
  const start = relationsIn(await read('_rels/.rels'), '').find(({ type }) => type === 'officeDocument');
  return {
    main: start?.target ?? usualMain,
    has: (name) => zip.has(name),
    read,
    scan: async (name, reader) => {
      const entry = name === undefined ? undefined : zip.get(name);
      if (entry) await scanXml(entry.pieces(), reader);
    },
    relationsOf: async (name) => {
      const cut = name.lastIndexOf('/') + 1;
      return relationsIn(await read(`${name.slice(0, cut)}_rels/${name.slice(cut)}.rels`), name.slice(0, cut));
    },
  };
}

/** A document with a password is kept inside an OLE container, as all documents were before 2007; the names of its streams tell. */
function oleCode(bytes: Buffer): DocumentErrorCode {
  const has = (name: string) => bytes.includes(Buffer.from(name, 'utf16le'));
  if (has('EncryptedPackage')) return 'file-encrypted';
  return ['WordDocument', 'Workbook', 'PowerPoint Document'].some(has) ? 'file-too-old' : 'type-mismatch';
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

/** The container of Office before 2007, which holds a newer document with a password as well. */
export const isOle = (head: Uint8Array) => Buffer.from(head.subarray(0, 4)).toString('hex') === 'd0cf11e0';
