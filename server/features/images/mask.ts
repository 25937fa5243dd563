import type { Mask } from '../../../shared/contracts/images.ts';
import { sizeOf } from '../files/pictures.ts';
import { maxPixels } from './keep.ts';

/** Strokes as a PNG as large as the picture that they lie over: clear where it may change, opaque elsewhere. */
export async function toMask({ strokes }: Mask, picture: Buffer): Promise<Buffer> {
  const { width, height } = await sizeOf(picture, maxPixels);
  const side = Math.min(width, height);
  const lines = strokes.map(({ size, points }) => {
    const at = points.map(([x, y]) => `${(x * width).toFixed(1)} ${(y * height).toFixed(1)}`);
    // A line to itself is a dot.
    return `<path d="M${at[0]}L${at.length > 1 ? at.slice(1).join('L') : at[0]}" stroke-width="${(size * side).toFixed(1)}"/>`;
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><g fill="none" stroke="#fff" stroke-linecap="round" stroke-linejoin="round">${lines.join('')}</g></svg>`;
  const { default: sharp } = await import('sharp');
  const ground = { width, height, channels: 4 as const, background: '#000' };
  return sharp({ create: ground })
    .composite([{ input: Buffer.from(svg), blend: 'dest-out' }])
    .png()
    .toBuffer();
}
