import { layOut } from './layout.ts';
import { ParseError, type Parser, type Pictures } from './parser.ts';

/** More than a sheet of A3 at 600 dots per inch. */
const mostPixels = 100_000_000;
/** An A4 page at 300 dots per inch is 3,508 pixels high; what is finer reads no better. */
const longestSide = 4_000;
/** In points, of A4: sizes of letters are as on a page of that. */
const pageHeight = 842;

const starts = (...heads: string[]) => {
  const patterns = heads.map((head) => Buffer.from(head, 'latin1'));
  return (file: Uint8Array) => patterns.some((pattern) => pattern.equals(file.subarray(0, pattern.length)));
};

const picture = (format: Pick<Parser, 'name' | 'extensions' | 'mime' | 'accepts'>): Parser => ({
  ...format,
  isPlain: false,
  // Nothing of it is text until `pictures` have been read.
  parse: async (_file, onProgress, scanned = []) => {
    onProgress(1);
    return layOut(scanned, null);
  },
  pictures: openPictures,
});

/** Scans and photos: words come from `ocr.ts`. Of what moves the first picture is read, of a TIFF every page. */
export const pictures: readonly Parser[] = [
  picture({ name: 'PNG', extensions: ['png'], mime: 'image/png', accepts: starts('\x89PNG\r\n\x1A\n') }),
  picture({ name: 'JPEG', extensions: ['jpg', 'jpeg'], mime: 'image/jpeg', accepts: starts('\xFF\xD8\xFF') }),
  picture({
    name: 'WebP',
    extensions: ['webp'],
    mime: 'image/webp',
    accepts: (head) => starts('RIFF')(head) && starts('WEBP')(head.subarray(8)),
  }),
  picture({ name: 'GIF', extensions: ['gif'], mime: 'image/gif', accepts: starts('GIF87a', 'GIF89a') }),
  picture({
    name: 'TIFF',
    extensions: ['tif', 'tiff'],
    mime: 'image/tiff',
    accepts: starts('II*\0', 'MM\0*'),
  }),
];

async function openPictures(file: Uint8Array): Promise<Pictures> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const open = (page: number) => sharp(file, { page, limitInputPixels: mostPixels, failOn: 'error' });
  const { format, pages = 1 } = await open(0).metadata().catch(refuse);
  return {
    count: format === 'tiff' ? pages : 1,
    async picture(number) {
      const { data, info } = await open(number - 1)
        .autoOrient()
        .resize(longestSide, longestSide, { fit: 'inside', withoutEnlargement: true })
        .flatten({ background: '#fff' })
        .greyscale()
        .extractChannel(0)
        .raw({ depth: 'uchar' })
        .toBuffer({ resolveWithObject: true })
        .catch(refuse);
      const perPoint = Math.max(info.width, info.height) / pageHeight;
      return { pixels: data, width: info.width, height: info.height, perPoint };
    },
  };
}

function refuse(cause: unknown): never {
  const isLarge = cause instanceof Error && /exceeds pixel limit/i.test(cause.message);
  throw new ParseError(isLarge ? 'file-unsafe' : 'file-damaged', { cause });
}
