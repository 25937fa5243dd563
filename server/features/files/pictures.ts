import { AppError } from '../../../shared/errors.ts';
import { createLine } from '../../infra/line.ts';

// One at a time: passwords share libuv's four threads, and a picture of sixty megapixels takes one and a core for half a second.
const inLine = createLine({ atOnce: 1, maxWaiting: 40 });
const maxSeconds = 10;
/** As much as WebP has room for. A picture that is one pixel wide and millions high takes ten times as long as one of as many in a square. */
const longestSide = 16_383;
/** Programs that write JPEG in passes make about ten. Each takes a decoder as long as the whole picture, and no time limit ends one that has begun. */
const mostPasses = 50;

interface Shape {
  maxPixels: number;
  width: number;
  height: number;
  fit: 'cover' | 'inside';
  quality: number;
}

/**
 * A picture as WebP, turned upright, no larger than `width` × `height`, without what else its file carried.
 * Throws `image-too-large` above `maxPixels`, for a side of more than 16,383 and for a JPEG in more than 50 passes, `image-invalid` for what cannot be read, `unavailable` when too many wait.
 */
export const toWebp = (bytes: Buffer, shape: Shape): Promise<Buffer> => toFormat(bytes, shape, 'webp');

/** The same as JPEG, on white, for programs that know nothing newer. */
export const toJpeg = (bytes: Buffer, shape: Shape): Promise<Buffer> => toFormat(bytes, shape, 'jpeg');

/** The same as PNG, whole. */
export const toPng = (bytes: Buffer, shape: Omit<Shape, 'quality'>): Promise<Buffer> =>
  toFormat(bytes, { ...shape, quality: 100 }, 'png');

const toFormat = (
  bytes: Buffer,
  { maxPixels, width, height, fit, quality }: Shape,
  to: 'webp' | 'jpeg' | 'png',
): Promise<Buffer> =>
  inLine(async () => {
    const { default: sharp } = await import('sharp');
    // An idle installation should not keep decoded pictures.
    sharp.cache(false);
    sharp.concurrency(1);
    try {
      const image = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', pages: 1 });
      // SVG and PDF can name other files; sharp's loaders for them are not for strangers.
      const { format, width: wide, height: high } = await image.metadata();
      if (!['png', 'jpeg', 'webp', 'gif'].includes(format)) throw new AppError('image-invalid');
      if (Math.max(wide, high) > longestSide) throw new AppError('image-too-large');
      if (format === 'jpeg' && countPasses(bytes) > mostPasses) throw new AppError('image-too-large');
      return await image
        .rotate()
        .resize(width, height, { fit, withoutEnlargement: fit === 'inside' })
        .flatten(to === 'jpeg' && { background: '#fff' })
        // The quality of a PNG would be a palette.
        .toFormat(to, to === 'png' ? { compressionLevel: 9 } : { quality })
        .timeout({ seconds: maxSeconds })
        .toBuffer();
    } catch (cause) {
      if (cause instanceof AppError) throw cause;
      const isLarge = cause instanceof Error && /exceeds pixel limit|timeout/i.test(cause.message);
      throw new AppError(isLarge ? 'image-too-large' : 'image-invalid', {}, { cause });
    }
  });

/**
 * What stands for a film until it is played, as JPEG: a mark to press, in the film's shape, with a longer side of `side` pixels. Nobody
 * here reads films, so it shows nothing of theirs.
 */
export const drawPoster = (film: { width: number; height: number }, side: number): Promise<Buffer> =>
  inLine(async () => {
    const { default: sharp } = await import('sharp');
    const scale = side / Math.max(film.width, film.height);
    const [width, height] = [film.width, film.height].map((each) => Math.max(1, Math.round(each * scale)));
    // The mark is drawn in a square of 100, in the middle.
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 100 100">
      <rect x="-100000" y="-100000" width="200000" height="200000" fill="#1f2733"/>
      <circle cx="50" cy="50" r="22" fill="#fff" fill-opacity="0.9"/><path d="M43 38l20 12-20 12z" fill="#1f2733"/></svg>`;
    return sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer();
  });

/** Marks of a JPEG that stand alone; every other is followed by a length. Annex B of https://www.w3.org/Graphics/JPEG/itu-t81.pdf */
const marks = { stuffed: 0x00, temporary: 0x01, firstRestart: 0xd0, begin: 0xd8, end: 0xd9, pass: 0xda, fill: 0xff };

/** As a decoder goes from mark to mark, over what it does not know, to the end of the picture and not into what follows it. */
function countPasses(jpeg: Buffer): number {
  let passes = 0;
  for (let at = 2; at + 3 < jpeg.length;) {
    const mark = jpeg[at + 1];
    if (jpeg[at] !== marks.fill || mark === undefined || mark === marks.fill) {
      at++;
      continue;
    }
    if (mark === marks.end) break;
    const isAlone =
      mark === marks.stuffed || mark === marks.temporary || (mark >= marks.firstRestart && mark <= marks.begin);
    if (mark === marks.pass) passes++;
    at += isAlone ? 2 : 2 + jpeg.readUInt16BE(at + 2);
  }
  return passes;
}

const qualities = [92, 85, 75, 65, 50, 35];

/**
 * A picture of exactly this size and at most so many bytes, for programs that demand both: cut where it is wider or higher, as PNG
 * if that is small enough, as JPEG of less and less quality otherwise. Throws as `toWebp` does, and `image-too-large` where nothing helps.
 */
export async function toFit(
  bytes: Buffer,
  { maxBytes, ...size }: { width: number; height: number; maxPixels: number; maxBytes: number },
): Promise<{ bytes: Buffer; mime: 'image/png' | 'image/jpeg' }> {
  // What comes as JPEG would as PNG only be larger.
  const png = isJpeg(bytes) ? undefined : await toFormat(bytes, { ...size, fit: 'cover', quality: 100 }, 'png');
  if (png && png.length <= maxBytes) return { bytes: png, mime: 'image/png' };
  for (const quality of qualities) {
    const jpeg = await toJpeg(png ?? bytes, { ...size, fit: 'cover', quality });
    if (jpeg.length <= maxBytes) return { bytes: jpeg, mime: 'image/jpeg' };
  }
  throw new AppError('image-too-large');
}

/** What a picture may take once it is kept, in bytes: there has to be room before a provider is asked, who is paid for what is drawn. */
export const roomFor = ({ width, height }: { width: number; height: number }): number => width * height * 3;

/** How large a picture is once it is upright. Throws as `toWebp` does. */
export const sizeOf = (bytes: Buffer, limitInputPixels: number): Promise<{ width: number; height: number }> =>
  inLine(async () => {
    const { default: sharp } = await import('sharp');
    try {
      const { autoOrient } = await sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1 }).metadata();
      return autoOrient;
    } catch (cause) {
      const isLarge = cause instanceof Error && /exceeds pixel limit/i.test(cause.message);
      throw new AppError(isLarge ? 'image-too-large' : 'image-invalid', {}, { cause });
    }
  });

const jpegMark = Buffer.from([0xff, 0xd8, 0xff]);
const isJpeg = (bytes: Buffer): boolean => bytes.subarray(0, 3).equals(jpegMark);
const maxPixels = 40_000_000;
const maxSide = 2000;

/**
 * A picture for a model to see, as WebP of at most 2,000 pixels a side. Undefined for what is none, by its bytes and not its name.
 * Throws as `toWebp` does.
 */
export async function toPicture(bytes: Buffer): Promise<{ bytes: Buffer; mime: string } | undefined> {
  const isPicture =
    bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47])) ||
    isJpeg(bytes) ||
    bytes.subarray(0, 4).toString('latin1') === 'GIF8' ||
    (bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP');
  if (!isPicture) return undefined;
  const shape = { maxPixels, width: maxSide, height: maxSide, fit: 'inside' as const, quality: 85 };
  return { bytes: await toWebp(bytes, shape), mime: 'image/webp' };
}
