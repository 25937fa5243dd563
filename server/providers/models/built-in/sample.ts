import { createHash } from 'node:crypto';
import type { Sharp, SharpConstructor } from 'sharp';
import type { DrawEvent, DrawRequest } from '../model.ts';

export const sample = 'sample';

interface Palette {
  ground: string;
  pale: string;
  main: string;
  deep: string;
  mark: string;
  light: string;
}

/** Six that go together, each readable in itself: paper, a pale and a strong tone of one colour, a dark one, and one that stands out. */
const palettes: Palette[] = [
  { ground: '#f3c9a8', pale: '#e9b48c', main: '#5c7a8a', deep: '#1d3d36', mark: '#d8432a', light: '#f9f3ea' },
  { ground: '#dfe8ea', pale: '#a9c4c9', main: '#27489c', deep: '#39423a', mark: '#e8a90c', light: '#f6f1e6' },
  { ground: '#f6f1e6', pale: '#ead9bd', main: '#2f6b3a', deep: '#141a15', mark: '#c23a1e', light: '#fffdf7' },
  { ground: '#1f2c3f', pale: '#2c3f66', main: '#6f95f0', deep: '#111a2a', mark: '#e8a90c', light: '#f3e6b8' },
  { ground: '#f4dfe3', pale: '#e5bcc6', main: '#8f2f46', deep: '#4a1a2c', mark: '#c8862a', light: '#fff6e9' },
  { ground: '#e3ead8', pale: '#bfd0a8', main: '#5b7c3a', deep: '#26391f', mark: '#d9772b', light: '#fbf8ec' },
];

type Random = () => number;
interface Sheet {
  width: number;
  height: number;
  /** The shorter side. */
  unit: number;
  random: Random;
  colors: Palette;
}

/** Styles, and the words of a prompt that ask for one. */
const styles: { words: RegExp; draw(sheet: Sheet): string }[] = [
  { words: /mountain|hill|landscape|sunset|sunrise|山|丘|風景|夕|朝/i, draw: hills },
  { words: /sea|wave|ocean|water|海|波|水|川/i, draw: waves },
  { words: /city|town|street|building|night|moon|街|町|都|夜|月|ビル/i, draw: town },
  { words: /flower|leaf|leaves|plant|garden|forest|tree|花|葉|植物|庭|森|木/i, draw: plants },
  { words: /cup|coffee|tea|cafe|café|mug|カップ|コーヒー|珈琲|茶|喫茶/i, draw: cup },
  { words: /pattern|texture|tile|wallpaper|abstract|模様|柄|背景|抽象/i, draw: tiles },
];

/**
 * A picture of shapes, the same for the same prompt, seed and size, drawn here without a network: the prompt's words choose among six
 * styles, everything else is chance. It reads nothing else of the prompt. With a mask it is drawn into the clear part of the first
 * reference. PNG of exactly the size; cannot fail but by `signal`, or where the reference is no picture.
 */
export async function* drawSample(
  { prompt, width, height, seed, references: [reference] = [], mask }: DrawRequest,
  signal: AbortSignal,
): AsyncIterable<DrawEvent> {
  const { default: sharp } = await import('sharp');
  signal.throwIfAborted();
  const drawn = sharp(Buffer.from(toSvg({ prompt, width, height, seed })));
  const bytes =
    reference && mask ? await drawInto(sharp, { drawn, base: reference.bytes, mask }) : await drawn.png().toBuffer();
  signal.throwIfAborted();
  yield { type: 'picture', bytes };
}

/** What stands of the base where the mask is opaque, over what was drawn. */
async function drawInto(
  sharp: SharpConstructor,
  { drawn, base, mask }: { drawn: Sharp; base: Uint8Array; mask: Uint8Array },
): Promise<Buffer> {
  const { width = 1, height = 1 } = await sharp(base).metadata();
  const kept = await sharp(base)
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png()
    .toBuffer();
  const ground = await drawn.resize(width, height, { fit: 'cover' }).png().toBuffer();
  return sharp(ground)
    .composite([{ input: kept }])
    .png()
    .toBuffer();
}

export function toSvg({
  prompt,
  width,
  height,
  seed,
}: Pick<DrawRequest, 'prompt' | 'width' | 'height' | 'seed'>): string {
  const random = randomOf(`${seed} ${prompt}`);
  const named = styles.filter(({ words }) => words.test(prompt));
  const style = pick(random, named.length > 0 ? named : styles);
  const colors = pick(random, palettes);
  const sheet = { width, height, unit: Math.min(width, height), random, colors };
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${rect(0, 0, width, height, colors.ground)}${style.draw(sheet)}</svg>`;
}

/** mulberry32, begun with the first bytes of a hash: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
function randomOf(text: string): Random {
  let state = createHash('sha256').update(text).digest().readUInt32LE(0);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

// The lists are never empty, which their types cannot say.
const pick = <T>(random: Random, list: T[]): T => list[Math.floor(random() * list.length)] as T;
const between = (random: Random, least: number, most: number) => least + random() * (most - least);
const round = (value: number) => Math.round(value * 10) / 10;
const rect = (x: number, y: number, width: number, height: number, fill: string, radius = 0) =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="${round(radius)}" fill="${fill}"/>`;
const circle = (x: number, y: number, radius: number, fill: string, more = '') =>
  `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${fill}" ${more}/>`;
const path = (d: string, fill: string, more = '') => `<path d="${d}" fill="${fill}" ${more}/>`;

/** Ranges one before the other, and a sun. */
function hills({ width, height, unit, random, colors }: Sheet): string {
  const sun = circle(
    between(random, 0.2, 0.8) * width,
    between(random, 0.2, 0.36) * height,
    unit * between(random, 0.09, 0.15),
    colors.mark,
  );
  const range = (top: number, tall: number, fill: string, opacity: number) => {
    const points = 5 + Math.floor(random() * 3);
    let d = `M0 ${height}V${round(height * top)}`;
    for (let at = 0; at < points; at++) {
      const x = (width * (at + 0.5)) / points;
      const peak = height * top - tall * height * between(random, 0.25, 1);
      d += `L${round(x)} ${round(peak)}L${round((width * (at + 1)) / points)} ${round(height * top - tall * height * between(random, 0, 0.35))}`;
    }
    return path(`${d}V${height}Z`, fill, `fill-opacity="${opacity}"`);
  };
  const ground = (top: number, fill: string) => {
    const [a, b] = [between(random, -0.12, 0.12), between(random, -0.12, 0.12)];
    return path(
      `M0 ${height}V${round(height * top)}C${round(width * 0.3)} ${round(height * (top + a))} ${round(width * 0.65)} ${round(height * (top + b))} ${width} ${round(height * top)}V${height}Z`,
      fill,
    );
  };
  return [
    sun,
    range(0.66, 0.24, colors.main, 0.45),
    range(0.74, 0.3, colors.main, 1),
    ground(0.76, colors.pale),
    ground(0.87, colors.deep),
  ].join('');
}

/** Scales in rows, as on cloth. */
function waves({ width, height, unit, random, colors }: Sheet): string {
  const radius = unit / (4 + Math.floor(random() * 3));
  const rings = [colors.deep, colors.light, colors.main, colors.light, colors.pale];
  let drawn = '';
  for (let row = 0, y = -radius * 1.2; y < height + radius * 2; row++, y += radius / 2)
    for (let x = row % 2 ? 0 : -radius; x < width + radius * 2; x += radius * 2)
      for (const [at, fill] of rings.entries()) drawn += circle(x, y + radius, radius * (1 - at * 0.19), fill);
  return drawn + circle(width * between(random, 0.25, 0.75), height * 0.26, unit * 0.15, colors.mark);
}

/** Houses with lit windows under a moon. */
function town({ width, height, unit, random, colors }: Sheet): string {
  let drawn = circle(
    width * between(random, 0.15, 0.85),
    height * between(random, 0.14, 0.26),
    unit * 0.1,
    colors.light,
  );
  for (const [row, fill] of [colors.pale, colors.main, colors.deep].entries()) {
    const base = height * (0.78 + row * 0.11);
    for (let x = -unit * 0.05 * random(); x < width;) {
      const wide = unit * between(random, 0.12, 0.22);
      const tall = height * between(random, 0.18, 0.42) * (1 - row * 0.22);
      drawn += rect(x, base - tall, wide, height - base + tall, fill);
      if (random() < 0.4)
        drawn += path(
          `M${round(x)} ${round(base - tall)}l${round(wide / 2)} ${round(-wide * 0.35)}l${round(wide / 2)} ${round(wide * 0.35)}Z`,
          fill,
        );
      const step = unit * 0.045;
      for (let wx = x + step * 0.7; wx < x + wide - step; wx += step)
        for (let wy = base - tall + step; wy < base - step * 0.4; wy += step * 1.35)
          if (random() < 0.34)
            drawn += rect(wx, wy, step * 0.45, step * 0.6, random() < 0.8 ? colors.mark : colors.light);
      x += wide + unit * between(random, 0, 0.02);
    }
  }
  return drawn;
}

/** Stems with leaves and round flowers. */
function plants({ width, height, unit, random, colors }: Sheet): string {
  let drawn = circle(width * 0.5, height * 0.52, unit * 0.4, colors.pale);
  const stems = Math.max(5, Math.round((width / unit) * 6));
  for (let stem = 0; stem < stems; stem++) {
    const x = width * ((stem + 0.5) / stems) + between(random, -0.02, 0.02) * unit;
    const tall = height * between(random, 0.4, 0.78);
    const bend = between(random, -0.08, 0.08) * unit;
    const color = stem % 2 ? colors.main : colors.deep;
    drawn += path(
      `M${round(x)} ${height}Q${round(x + bend)} ${round(height - tall / 2)} ${round(x)} ${round(height - tall)}`,
      'none',
      `stroke="${color}" stroke-width="${round(unit * 0.011)}" stroke-linecap="round"`,
    );
    for (let at = 0.22; at < 0.9; at += 0.14)
      for (const side of [-1, 1]) {
        const t = at;
        const sx = x + 2 * t * (1 - t) * bend;
        const size = unit * 0.085 * (1.15 - at);
        const sy = height - tall * t;
        drawn += path(
          `M${round(sx)} ${round(sy)}q${round(side * size * 0.4)} ${round(-size)} ${round(side * size * 1.3)} ${round(-size * 0.9)}q${round(-side * size * 0.2)} ${round(size * 0.95)} ${round(-side * size * 1.3)} ${round(size * 0.9)}Z`,
          color,
        );
      }
    if (random() < 0.55) {
      const size = unit * between(random, 0.035, 0.055);
      for (let petal = 0; petal < 7; petal++) {
        const angle = (petal / 7) * Math.PI * 2;
        drawn += circle(
          x + Math.cos(angle) * size,
          height - tall + Math.sin(angle) * size,
          size * 0.62,
          stem % 3 ? colors.mark : colors.light,
        );
      }
      drawn += circle(x, height - tall, size * 0.6, colors.deep);
    }
  }
  return drawn;
}

/** A cup on a table, with steam. */
function cup({ width, height, unit, random, colors }: Sheet): string {
  const x = width / 2 + between(random, -0.08, 0.08) * width;
  const top = height * 0.46;
  const wide = unit * between(random, 0.4, 0.48);
  const tall = unit * between(random, 0.26, 0.36);
  const steam = [-0.2, 0.02, 0.24].map((at, index) => {
    const sx = x + wide * at;
    const rise = unit * (0.16 + 0.05 * (index % 2));
    return path(
      `M${round(sx)} ${round(top - unit * 0.05)}q${round(-unit * 0.06)} ${round(-rise * 0.4)} 0 ${round(-rise * 0.6)}t0 ${round(-rise * 0.6)}`,
      'none',
      `stroke="${colors.light}" stroke-width="${round(unit * 0.018)}" stroke-linecap="round" stroke-opacity=".85"`,
    );
  });
  return [
    circle(x - wide * 0.2, height * 0.36, unit * 0.3, colors.pale),
    rect(0, top + tall * 0.7, width, height, colors.main),
    `<ellipse cx="${round(x)}" cy="${round(top + tall * 1.02)}" rx="${round(wide * 0.86)}" ry="${round(unit * 0.055)}" fill="${colors.deep}"/>`,
    `<ellipse cx="${round(x)}" cy="${round(top + tall)}" rx="${round(wide * 0.76)}" ry="${round(unit * 0.042)}" fill="${colors.light}"/>`,
    path(
      `M${round(x + wide * 0.46)} ${round(top + tall * 0.2)}q${round(wide * 0.36)} ${round(-tall * 0.08)} ${round(wide * 0.3)} ${round(tall * 0.28)}t${round(-wide * 0.4)} ${round(tall * 0.26)}`,
      'none',
      `stroke="${colors.light}" stroke-width="${round(unit * 0.035)}"`,
    ),
    path(
      `M${round(x - wide / 2)} ${round(top)}h${round(wide)}l${round(-wide * 0.08)} ${round(tall * 0.72)}q${round(-wide * 0.06)} ${round(tall * 0.26)} ${round(-wide * 0.22)} ${round(tall * 0.26)}h${round(-wide * 0.4)}q${round(-wide * 0.16)} 0 ${round(-wide * 0.22)} ${round(-tall * 0.26)}Z`,
      colors.light,
    ),
    path(
      `M${round(x - wide * 0.465)} ${round(top + tall * 0.3)}h${round(wide * 0.93)}l${round(-wide * 0.017)} ${round(tall * 0.16)}h${round(-wide * 0.896)}Z`,
      colors.mark,
    ),
    `<ellipse cx="${round(x)}" cy="${round(top)}" rx="${round(wide / 2)}" ry="${round(unit * 0.045)}" fill="${colors.light}"/>`,
    `<ellipse cx="${round(x)}" cy="${round(top + unit * 0.004)}" rx="${round(wide * 0.45)}" ry="${round(unit * 0.034)}" fill="${colors.deep}"/>`,
    ...steam,
  ].join('');
}

/** Tiles of quarter circles, squares and dots. */
function tiles({ width, height, unit, random, colors }: Sheet): string {
  const across = 4 + Math.floor(random() * 3);
  const side = unit / across;
  const fills = [colors.ground, colors.pale, colors.main, colors.deep, colors.mark, colors.light];
  let drawn = '';
  for (let y = 0; y < height; y += side)
    for (let x = 0; x < width; x += side) {
      const back = pick(random, fills);
      const fore = pick(
        random,
        fills.filter((fill) => fill !== back),
      );
      const turn = `transform="rotate(${Math.floor(random() * 4) * 90} ${round(x + side / 2)} ${round(y + side / 2)})"`;
      const at = `${round(x)} ${round(y)}`;
      const s = round(side);
      const shape = Math.floor(random() * 5);
      // A hair larger, so that no seam shows between two.
      drawn += rect(x - 0.3, y - 0.3, side + 0.6, side + 0.6, back);
      if (shape === 0) drawn += path(`M${at}h${s}a${s} ${s} 0 0 1 ${-s} ${s}Z`, fore, turn);
      else if (shape === 1) drawn += path(`M${at}h${s}a${s / 2} ${s / 2} 0 0 1 ${-s} 0Z`, fore, turn);
      else if (shape === 2) drawn += circle(x + side / 2, y + side / 2, side * 0.32, fore);
      else if (shape === 3) drawn += path(`M${at}h${s}l${-s} ${s}Z`, fore, turn);
      else
        drawn +=
          circle(x + side / 2, y + side / 2, side * 0.5, fore) + circle(x + side / 2, y + side / 2, side * 0.25, back);
    }
  return drawn;
}
