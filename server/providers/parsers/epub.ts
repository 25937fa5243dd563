import { posix } from 'node:path';
import { blocksOfHtml } from './html.ts';
import { ParseError } from './parser.ts';
import type { Block, Parser } from './parser.ts';
import { decodeText, isZip } from './text.ts';
import { createWarnings } from './warnings.ts';
import { child, elements, readXml, withoutDocumentType, type Element } from './xml.ts';
import { openZip } from './zip.ts';

/** A book as EPUB 2 and 3 pack it: pages of XHTML in the order of the spine. https://www.w3.org/TR/epub-33/ */
export const epub: Parser = {
  name: 'EPUB',
  extensions: ['epub'],
  mime: 'application/epub+zip',
  isPlain: false,
  accepts: isZip,
  async parse(file, onProgress) {
    const { title, authors, spine, zip } = await openBook(file);
    const warnings = createWarnings();
    const blocks: Block[] = [];
    if (title !== '' && authors !== '')
      blocks.push(
        { kind: 'heading', level: 1, text: title, page: null },
        { kind: 'paragraph', text: authors, page: null },
      );
    for (const [at, { path, type }] of spine.entries()) {
      onProgress(at / spine.length);
      const entry = zip.get(path);
      if (!entry) warnings.add('elsewhere', path);
      else if (/^image\/(?!svg)/.test(type)) warnings.add('picture', path);
      else {
        const page = decodeText(await entry.read());
        for (const [, picture] of page.matchAll(/<(?:\w{1,20}:)?(?:(img|image)|audio|video)[\s/>]/gi))
          warnings.add(picture ? 'picture' : 'file-inside', path);
        for (const block of (await blocksOfHtml(asHtml(page))).blocks) blocks.push(block);
      }
    }
    return { title: title || null, pages: null, warnings: warnings.list(), blocks };
  },
};

/** Fonts are garbled so that they are of no use outside the book, which locks nothing. */
const fontMethods = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC']);

/** The parts of a book. Throws ParseError: 'type-mismatch' for another kind of zip, 'file-encrypted' for a book that needs a licence, and what `openZip` throws. */
async function openBook(file: Uint8Array) {
  const zip = await openZip(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const read = async (name: string): Promise<Element | undefined> => {
    const entry = zip.get(name);
    return entry && readXml(withoutDocumentType(await entry.read()));
  };
  const container = await read('META-INF/container.xml');
  if (!container) throw new ParseError('type-mismatch');
  const [root] = elements(child(container, 'rootfiles'));
  const main = root?.attributes['full-path'] ?? '';
  const book = await read(main);
  if (!book) throw new ParseError('file-damaged');
  const pathOf = (address: string, folder: string) => posix.join(folder, unescaped(address.split(/[?#]/)[0] ?? ''));
  const folder = posix.dirname(main);

  const items = new Map(
    elements(child(book, 'manifest')).map(
      ({ attributes: { id = '', href = '', 'media-type': type = '', properties = '' } }) => [
        id,
        { path: pathOf(href, folder), type, isContents: properties.split(/\s+/).includes('nav') },
      ],
    ),
  );
  const contents = elements(child(book, 'guide'))
    .filter(({ attributes }) => attributes['type'] === 'toc')
    .map(({ attributes }) => pathOf(attributes['href'] ?? '', folder));
  const listed = elements(child(book, 'spine')).flatMap(({ attributes }) => items.get(attributes['idref'] ?? '') ?? []);
  // What a list of contents says stands over the chapters as well.
  const chapters = listed.filter(({ path, isContents }) => !isContents && !contents.includes(path));
  const spine = chapters.length > 0 ? chapters : listed;

  const locked = elements(await read('META-INF/encryption.xml')).filter(
    (data) => !fontMethods.has(child(data, 'EncryptionMethod')?.attributes['Algorithm'] ?? ''),
  );
  const lockedPaths = locked.map((data) =>
    pathOf(child(data, 'CipherData', 'CipherReference')?.attributes['URI'] ?? '', ''),
  );
  if (spine.some(({ path }) => lockedPaths.includes(path))) throw new ParseError('file-encrypted');

  const textsOf = (name: string) =>
    elements(child(book, 'metadata'))
      .flatMap((each) => (each.name === 'dc-metadata' ? elements(each) : each))
      .filter((each) => each.name === name)
      .map(({ children }) =>
        children
          .filter((each) => typeof each === 'string')
          .join('')
          .trim(),
      );
  return { zip, spine, title: textsOf('title')[0] ?? '', authors: textsOf('creator').join(', ') };
}

function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** Those that have no end in HTML. */
const empty = /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr)$/i;

/** XHTML as a reader of HTML understands it: `<title/>` has an end of its own, and CDATA is text. */
const asHtml = (page: string): string =>
  page
    .replace(/<!\[CDATA\[(.*?)\]\]>/gs, (_, text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;'))
    .replace(/<([a-z][\w:.-]*)(\s[^<>]*)?\/>/gi, (tag: string, name: string, more = '') =>
      empty.test(name) ? tag : `<${name}${more}></${name}>`,
    );
