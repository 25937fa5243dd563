/** Draws the pictures of the installed app from the mark: `node scripts/icons.ts`. */
import { readFileSync, writeFileSync } from 'node:fs';
import sharp from 'sharp';

const folder = 'web/public/icons';
const mark = readFileSync('web/public/favicon.svg', 'utf8').replace(/^<svg[^>]*>|<\/svg>\s*$/g, '');
const green = '#00b900';

/** The mark on paper to the edges; a system cuts away as much as it likes outside of the middle 80 %. */
const whole = (share: number) => {
  const size = 32 / share;
  const start = (32 - size) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${start} ${start} ${size} ${size}"><path fill="#fff" d="M${start} ${start}h${size}v${size}h${-size}z"/>${mark}</svg>\n`;
};
const bare = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${mark}</svg>\n`;
/** For the bar of a phone, which takes only what is not transparent. */
const badge = bare.replaceAll(green, '#fff').replace(/<path d="M9.5[^>]*>/, '');

const png = (svg: string, size: number) =>
  sharp(Buffer.from(svg), { density: 72 * (size / 32) })
    .resize(size, size)
    .png({ compressionLevel: 9, palette: true })
    .toBuffer();

writeFileSync(`${folder}/maskable.svg`, whole(0.6));
for (const [name, svg, size] of [
  ['192', bare, 192],
  ['512', bare, 512],
  ['maskable-192', whole(0.6), 192],
  ['maskable-512', whole(0.6), 512],
  // Its corners are rounded by the phone, and it knows no transparency.
  ['apple-180', whole(0.72), 180],
  ['badge-96', badge, 96],
] as const)
  writeFileSync(`${folder}/${name}.png`, await png(svg, size));
