import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font } from 'fontkit';

/** BIZ UDPGothic (OFL-1.1) has Japanese and Latin in one file. */
const files = {
  regular: '@expo-google-fonts/biz-udpgothic/400Regular/BIZUDPGothic_400Regular.ttf',
  bold: '@expo-google-fonts/biz-udpgothic/700Bold/BIZUDPGothic_700Bold.ttf',
};
export type Weight = keyof typeof files;

const { resolve } = createRequire(import.meta.url);

/** Where the typeface is that every machine has, for what embeds it. */
export const typefaceFile = (weight: Weight): string => resolve(files[weight]);

const missing = '〓';

/** The text with a mark in place of each character that the typeface lacks, so that none is lost without a trace. */
export async function writable(text: string, weight: Weight): Promise<string> {
  const font = await open(weight);
  return Array.from(text.normalize('NFC'))
    .map((each) => (each === '\n' || font.hasGlyphForCodePoint(each.codePointAt(0) ?? 0) ? each : missing))
    .join('');
}

const opened = new Map<Weight, Promise<Font>>();

function open(weight: Weight): Promise<Font> {
  const known = opened.get(weight);
  if (known) return known;
  const opening = read(weight);
  opened.set(weight, opening);
  // What failed once may be there the next time.
  opening.catch(() => opened.delete(weight));
  return opening;
}

async function read(weight: Weight): Promise<Font> {
  // A server that draws nothing keeps no typeface in memory.
  const { create } = await import('fontkit');
  const font = create(await readFile(typefaceFile(weight)));
  if ('fonts' in font) throw new Error('a file with several typefaces');
  return font;
}

interface Box {
  weight: Weight;
  /** Of the letters, in the unit of the drawing. */
  size: number;
  /** Of the longest line. */
  width: number;
  /** What does not fit on so many ends with an ellipsis. */
  lines: number;
}

/**
 * A text as outlines, so that a drawing of it is the same on machines that have no fonts. Each line is the data of an SVG path that
 * begins at 0,0 on its baseline, with the width that it takes; characters that the typeface lacks are left out. Lines break where
 * https://unicode.org/reports/tr14/ allows it, in Japanese rather at the end of a clause, and within what is longer than a line.
 */
export async function outline(text: string, box: Box): Promise<{ path: string; width: number }[]> {
  const font = await open(box.weight);
  const known = shown(font, text.slice(0, box.lines * 400));
  return (await breakLines(font, known, box)).map((line) => draw(font, line, box.size));
}

/** The text as far as the typeface has it, in one paragraph. */
function shown(font: Font, text: string): string {
  const characters = Array.from(text.normalize('NFC').replace(/\s+/g, ' ').trim());
  return characters.filter((each) => font.hasGlyphForCodePoint(each.codePointAt(0) ?? 0)).join('');
}

async function breakLines(font: Font, text: string, { size, width, lines }: Box): Promise<string[]> {
  const measure = (part: string) => (font.layout(part).advanceWidth * size) / font.unitsPerEm;
  const fits = (part: string) => measure(part.trimEnd()) <= width;
  const done: string[] = [];
  let rest = text;
  while (rest !== '' && done.length < lines) {
    const isLast = done.length === lines - 1;
    if (fits(rest)) return [...done, rest];
    const isEnough = (line: string) => done.length === lines - 2 && fits(rest.slice(line.length).trimStart());
    const line = isLast ? shorten(rest, fits) : ((await longestLine(rest, fits, isEnough)) ?? longestPart(rest, fits));
    done.push(line.trimEnd());
    rest = rest.slice(line.length).trimStart();
  }
  return done;
}

/** So much of a line at least is filled where it ends with a clause: Japanese may break within any word. */
const clauseShare = 0.5;

/** As much as fits, up to a place where a line may end; nothing where there is none. */
async function longestLine(
  text: string,
  fits: (part: string) => boolean,
  /** Whether there is room for what follows a line that is not filled. */
  isEnough: (line: string) => boolean,
): Promise<string | undefined> {
  const { default: LineBreaker } = await import('linebreak');
  const breaker = new LineBreaker(text);
  let line: string | undefined;
  let clause = '';
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak()) {
    const part = text.slice(0, next.position);
    if (!fits(part)) break;
    line = part;
    if (/[、。，！？][」』）]?\s*$/u.test(part)) clause = part;
  }
  return line !== undefined && clause.length > clauseShare * line.length && isEnough(clause) ? clause : line;
}

/** As many characters as fit, and one at least. */
function longestPart(text: string, fits: (part: string) => boolean): string {
  let part = '';
  for (const each of text) {
    if (part !== '' && !fits(part + each)) break;
    part += each;
  }
  return part;
}

const shorten = (text: string, fits: (part: string) => boolean) =>
  `${longestPart(text, (part) => fits(`${part}…`)).trimEnd()}…`;

function draw(font: Font, line: string, size: number): { path: string; width: number } {
  const scale = size / font.unitsPerEm;
  const { glyphs, positions } = font.layout(line);
  let x = 0;
  const paths = glyphs.map((glyph, at) => {
    const { xAdvance = 0, xOffset = 0, yOffset = 0 } = positions[at] ?? {};
    const path = glyph.path.scale(scale, -scale).translate((x + xOffset) * scale, -yOffset * scale);
    x += xAdvance;
    return path.toSVG();
  });
  return { path: paths.join(''), width: x * scale };
}
