import { createHash } from 'node:crypto';
import { AppError } from '../../../shared/errors.ts';
import { dyes, frames, lettersOf, sizeOf } from '../../../shared/mark-drawings.ts';
import { hourMs, type Context } from '../../feature.ts';
import { createLine } from '../../infra/line.ts';
import { outline, type Weight } from '../../infra/typeface.ts';
import { BlobMissingError } from '../../providers/storage/storage.ts';
import { readAvatar } from '../files/files.ts';
import { deletePicture, insertPicture, listStrayPictures, setPicture, type ListingRow } from './explore.store.ts';

/** As other sites want them: https://ogp.me/#structured */
export const pictureSize = { width: 1200, height: 630 };

type Pictured = Pick<ListingRow, 'uuid' | 'name' | 'summary' | 'maker' | 'avatar' | 'mark'>;

/** Raised whenever the drawing changes. */
const drawing = 2;

/** What a picture is made of, as one word: the same word, the same picture. */
export const pictureOf = ({ uuid, name, summary, maker, avatar, mark }: Pictured): string =>
  createHash('sha256')
    .update(JSON.stringify([drawing, uuid, name, summary, maker, avatar, mark]))
    .digest('hex')
    .slice(0, 32);

// One at a time, as pictures that are uploaded: each takes a core for a tenth of a second.
const inLine = createLine({ atOnce: 1, maxWaiting: 40 });

/** Drawings on their way, by what they are of: whoever asks meanwhile waits for the same one. */
const drawn = new Map<string, Promise<Buffer>>();

const keyOf = (word: string) => `share/${word.slice(0, 2)}/${word}`;

/**
 * The picture that other sites show of a public bot, as PNG of 1200 × 630. It is drawn once and kept under what it is made of.
 * Throws `unavailable` when too many wait.
 */
export async function readPicture(context: Context, listing: Pictured): Promise<Buffer> {
  const word = pictureOf(listing);
  const kept = await readKept(context, word);
  if (kept) return kept;
  const known = drawn.get(word);
  if (known) return known;
  const drawing = inLine(() => drawPicture(context, listing)).then(async (png) => {
    await insertPicture(context.db, word);
    await context.storage.put(keyOf(word), png);
    await setPicture(context.db, listing.uuid, word);
    return png;
  });
  drawn.set(word, drawing);
  return drawing.finally(() => drawn.delete(word));
}

async function readKept({ storage }: Context, word: string): Promise<Buffer | undefined> {
  try {
    return Buffer.concat(await (await storage.get(keyOf(word))).toArray());
  } catch (error) {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  }
}

/** Erases pictures of listings that are gone or look otherwise by now. */
export async function erasePictures({ db, storage }: Context, before = Date.now() - hourMs): Promise<void> {
  for (const { word } of await listStrayPictures(db, before)) {
    await storage.remove(keyOf(word));
    await deletePicture(db, word);
  }
}

const side = 156;
const left = 88;
const top = 62;
const colors = { ground: '#f6f8f4', ink: '#141a15', soft: '#39423a', faint: '#545e55', line: '#c5ccc0' };

interface Paragraph {
  weight: Weight;
  size: number;
  lines: number;
  height: number;
  color: string;
}

const nameText: Paragraph = { weight: 'bold', size: 60, lines: 2, height: 74, color: colors.ink };
const summaryText: Paragraph = { weight: 'regular', size: 36, lines: 2, height: 54, color: colors.soft };

async function drawPicture(context: Context, { name, summary, maker, avatar, mark }: Pictured): Promise<Buffer> {
  const { default: sharp } = await import('sharp');
  const photo = avatar === null ? undefined : await readPhoto(context, avatar);
  const width = pictureSize.width - 2 * left;
  const names = await outline(name, { ...nameText, width });
  const summaries = await outline(summary, { ...summaryText, width });
  const [by] = await outline(maker, { weight: 'regular', size: 28, width: width - 280, lines: 1 });
  const [kotae] = await outline('Kotae', { weight: 'bold', size: 34, width: 300, lines: 1 });
  const nameAt = top + side + 82;
  const summaryAt = nameAt + (names.length - 1) * nameText.height + 72;
  const footAt = pictureSize.height - 52;
  const parts = [
    `<rect width="${pictureSize.width}" height="${pictureSize.height}" fill="${colors.ground}"/>`,
    ...(photo ? [] : [await drawMark(mark, name)]),
    ...names.map(({ path }, at) => placed(path, nameAt + at * nameText.height, nameText.color)),
    ...summaries.map(({ path }, at) => placed(path, summaryAt + at * summaryText.height, summaryText.color)),
    `<path d="M${left} ${footAt - 52}H${pictureSize.width - left}" stroke="${colors.line}" stroke-width="2"/>`,
    by ? placed(by.path, footAt, colors.faint) : '',
    logo(footAt, kotae),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${pictureSize.width}" height="${pictureSize.height}">${parts.join('')}</svg>`;
  // An idle installation should not keep decoded pictures.
  sharp.cache(false);
  sharp.concurrency(1);
  return sharp(Buffer.from(svg))
    .composite(photo ? [{ input: photo, left, top }] : [])
    .png({ compressionLevel: 9, palette: true, quality: 90 })
    .timeout({ seconds: 10 })
    .toBuffer();
}

const placed = (path: string, y: number, color: string, x = left) =>
  `<path transform="translate(${x} ${y})" d="${path}" fill="${color}"/>`;

/** The picture of a bot, with round corners; nothing where its file is gone. */
async function readPhoto(context: Context, avatar: string): Promise<Buffer | undefined> {
  const { default: sharp } = await import('sharp');
  try {
    const bytes = Buffer.concat(await (await readAvatar(context, avatar)).toArray());
    const corners = `<svg width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${(side * 6) / 32}"/></svg>`;
    return await sharp(bytes)
      .resize(side, side, { fit: 'cover' })
      .composite([{ input: Buffer.from(corners), blend: 'dest-in' }])
      .png()
      .toBuffer();
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The sign that the bot has on our pages, too. */
async function drawMark(mark: number, name: string): Promise<string> {
  const frame = frames[mark % frames.length] ?? { path: '', dy: 0, scale: 1 };
  const [dye, pale] = dyes[Math.floor(mark / frames.length) % dyes.length] ?? dyes[0];
  const [ground, ink] = mark >= frames.length * dyes.length ? [pale, dye] : [dye, '#ffffff'];
  const letters = lettersOf(name);
  const size = sizeOf(letters, frame);
  const [line] = await outline(letters, { weight: 'bold', size, width: 32, lines: 1 });
  const dots = frame.dots
    ? [9, 16, 23].map((x) => `<circle cx="${x}" cy="${x === 16 ? 5.5 : 7}" r="1.9" fill="${ink}"/>`).join('')
    : '';
  return `<g transform="translate(${left} ${top}) scale(${side / 32})"><rect width="32" height="32" rx="6" fill="${ground}"/>
    <path d="${frame.path}" fill="none" stroke="${ink}" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="round"/>${dots}
    ${line ? placed(line.path, 16 + frame.dy + size * 0.36, ink, 16 + (frame.dx ?? 0) - line.width / 2) : ''}</g>`;
}

/** Ours, at the end of the last line. */
function logo(y: number, text: { path: string; width: number } | undefined): string {
  const width = text?.width ?? 0;
  const x = pictureSize.width - left - width;
  const sign =
    '<path fill="#00b900" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H15l-6.4 4.8A1 1 0 0 1 7 29v-4H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4Z"/><path d="M9.5 12.2 16 7.4l6.5 4.8M12.4 12.6h7.2M11.6 16h8.8v5.2h-8.8z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/>';
  return `<g transform="translate(${x - 60} ${y - 36}) scale(1.4)">${sign}</g>${text ? placed(text.path, y, colors.ink, x) : ''}`;
}
