import { readSheets } from './odf.sheets.ts';
import { readSlides } from './odf.slides.ts';
import { createWriter, type OdfFile } from './odf.text.ts';
import { ParseError } from './parser.ts';
import type { Draft, Parser } from './parser.ts';
import { isZip } from './text.ts';
import { elements, readXml, scanXml, withoutDocumentType } from './xml.ts';
import { openZip } from './zip.ts';

/** OpenDocument (ISO/IEC 26300), as LibreOffice writes it. */
export const odt = parserOf('OpenDocument text', 'odt', 'text', async (file) => {
  const writer = createWriter(file, await file.read('styles.xml'), await file.read('content.xml'));
  const blocks = [...writer.marginBlocks(), ...(await writer.bodyBlocks('office:text'))];
  return { title: writer.title(), pages: null, blocks, warnings: writer.warnings.list() };
});

export const ods = parserOf('OpenDocument spreadsheet', 'ods', 'spreadsheet', readSheets);

export const odp = parserOf('OpenDocument presentation', 'odp', 'presentation', readSlides);

function parserOf(
  name: string,
  extension: string,
  kind: string,
  readBody: (file: OdfFile, onProgress: (share: number) => void) => Promise<Draft>,
): Parser {
  return {
    name,
    extensions: [extension],
    mime: `application/vnd.oasis.opendocument.${kind}`,
    isPlain: false,
    accepts: isZip,
    parse: async (file, onProgress) => readBody(await openOdf(file, kind), onProgress),
  };
}

/** Throws ParseError: 'file-encrypted' for a file with a password, 'type-mismatch' for one of another kind, and what `openZip` throws. */
async function openOdf(file: Uint8Array, kind: string): Promise<OdfFile> {
  const zip = await openZip(Buffer.from(file.buffer, file.byteOffset, file.byteLength));
  const mime = (await zip.get('mimetype')?.read())?.toString('latin1').trim() ?? '';
  // A file with a password is, since version 1.3, a package inside the package.
  if (zip.has('encrypted-package')) throw new ParseError('file-encrypted');
  if (!zip.has('content.xml') || (mime !== '' && !mime.startsWith(`application/vnd.oasis.opendocument.${kind}`)))
    throw new ParseError('type-mismatch');
  const manifest = await zip.get('META-INF/manifest.xml')?.read();
  if (manifest && elements(readXml(withoutDocumentType(manifest))).some((entry) => elements(entry).some(isEncryption)))
    throw new ParseError('file-encrypted');
  return {
    read: async (name) => {
      const entry = zip.get(name);
      return entry && readXml(withoutDocumentType(await entry.read()));
    },
    scan: async (name, reader) => {
      const entry = zip.get(name);
      if (entry) await scanXml(entry.pieces(), reader);
    },
  };
}

const isEncryption = ({ name }: { name: string }) => name === 'encryption-data';
