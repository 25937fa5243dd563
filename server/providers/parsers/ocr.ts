import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Item, Sheet } from './layout.ts';
import type { Picture } from './parser.ts';

export interface PictureReader {
  read(picture: Picture): Promise<Required<Sheet>>;
}

/** How the words of a page stand: turned by so many degrees, in lines or in columns, and how high a character is in pixels. */
interface Way {
  turn: 0 | 90 | 180 | 270;
  isVertical: boolean;
  height: number;
}

const horizontal = 'jpn+eng';
const vertical = 'jpn_vert';
/** Surer than this of some words, there is no other way to hold the page. Words that lie on their side or stand on their head give less than 60. */
const isRight = 75;
/** Less sure than this is no text, but what drawings and photos look like. */
const isNone = 40;
const usualHeight = 30;

/**
 * Reads English and Japanese, in lines or in columns, from pictures of pages by Tesseract (https://github.com/tesseract-ocr/tesseract): how
 * the page is turned is found by reading a part of it each way, a slight slope is straightened, and the picture is scaled to what the
 * models were trained on. Everything comes from the installed packages. One page at a time.
 */
export async function createPictureReader(): Promise<PictureReader> {
  const engine = await loadEngine();
  // Pages of one scan are mostly held alike.
  let known: Way | undefined;
  const read = async (picture: Picture): Promise<Required<Sheet>> => {
    const before = known;
    known ??= await findWay(engine, picture);
    if (!known) return { items: [], confidence: 0 };
    const reading = await readPage(engine, picture, known);
    if (!before || reading.confidence >= isRight) return reading;
    known = await findWay(engine, picture);
    if (!known) return { items: [], confidence: 0 };
    const isSame = known.turn === before.turn && known.isVertical === before.isVertical;
    return isSame ? reading : readPage(engine, picture, known);
  };
  return {
    async read(picture) {
      const reading = await read(picture);
      if (reading.confidence >= isRight) return reading;
      // Without the noise of a bad scan, which blurs letters of a good one.
      const smooth = await read({ ...picture, ...(await render(picture, (each) => each.median(3))) });
      return smooth.confidence > reading.confidence ? smooth : reading;
    },
  };
}

/** A picture without its place on the page. */
type Image = Pick<Picture, 'pixels' | 'width' | 'height'>;

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

interface Symbol {
  text: string;
  bbox: Box;
}

interface Word extends Symbol {
  confidence: number;
  symbols: Symbol[];
}

interface Line {
  bbox: Box;
  baseline: Box;
  words: Word[];
}

/** What is used of Tesseract's own interface, https://github.com/naptha/tesseract.js-core. */
interface Tesseract {
  Init(folder: null, languages: string, mode: number): number;
  SetVariable(name: string, value: string): void;
  SetImageFile(orientation: number, angle: number): number;
  FindLines(): number;
  /** The slope of the lines in radians. */
  GetGradient(): number;
  Recognize(monitor: null): number;
  GetJSONText(page: number): string;
}

interface Engine {
  /** Puts an image before one of the two models. */
  show(image: Image, isVertical: boolean): Tesseract;
}

async function loadEngine(): Promise<Engine> {
  const require = createRequire(import.meta.url);
  // A border: the package says nothing of its types.
  const load = require('tesseract.js-core/tesseract-core-relaxedsimd-lstm.js') as (options: {
    print(): void;
    printErr(): void;
  }) => Promise<{
    FS: { writeFile(path: string, bytes: Uint8Array): void };
    TessBaseAPI: new () => Tesseract;
  }>;
  const core = await load({ print: () => {}, printErr: () => {} });
  const start = async (languages: string): Promise<Tesseract> => {
    for (const language of languages.split('+')) {
      const folder = dirname(require.resolve(`@tesseract.js-data/${language}/package.json`));
      const packed = await readFile(join(folder, '4.0.0_best_int', `${language}.traineddata.gz`));
      core.FS.writeFile(`${language}.traineddata`, await promisify(gunzip)(packed));
    }
    const tesseract = new core.TessBaseAPI();
    // 1 is the mode of neural networks alone.
    if (tesseract.Init(null, languages, 1) !== 0) throw new Error(`Tesseract cannot read ${languages}`);
    tesseract.SetVariable('tessedit_pageseg_mode', '3');
    tesseract.SetVariable('user_defined_dpi', '300');
    return tesseract;
  };
  const models = { horizontal: await start(horizontal), vertical: await start(vertical) };
  return {
    show({ pixels, width, height }, isVertical) {
      const tesseract = isVertical ? models.vertical : models.horizontal;
      core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
      if (tesseract.SetImageFile(1, 0) !== 0) throw new Error('Tesseract cannot read the picture');
      return tesseract;
    },
  };
}

function recognize(engine: Engine, image: Image, isVertical: boolean): { lines: Line[]; confidence: number } {
  const tesseract = engine.show(image, isVertical);
  tesseract.Recognize(null);
  const { blocks }: { blocks: { paragraphs: { lines: Line[] }[] }[] } = JSON.parse(tesseract.GetJSONText(0));
  const lines = blocks.flatMap(({ paragraphs }) => paragraphs.flatMap((paragraph) => paragraph.lines));
  return { lines, confidence: confidenceOf(lines.flatMap(({ words }) => words)) };
}

const isDown = ({ baseline: { x0, y0, x1, y1 } }: Line) => Math.abs(y1 - y0) > Math.abs(x1 - x0);

function confidenceOf(words: Word[]): number {
  const length = words.reduce((sum, { text }) => sum + text.length, 0);
  return words.reduce((sum, { text, confidence }) => sum + text.length * confidence, 0) / Math.max(1, length);
}

/** The most usual first. */
const ways = (
  [
    [0, false],
    [0, true],
    [90, false],
    [270, false],
    [180, false],
    [90, true],
    [270, true],
    [180, true],
  ] as const
).map(([turn, isVertical]) => ({ turn, isVertical }));
const partSide = 480;
/** As few as this tell nothing. */
const fewestCharacters = 8;

/** The way in which a part of the page with much writing on it is read most surely; nothing where there is no writing. */
async function findWay(engine: Engine, picture: Picture): Promise<Way | undefined> {
  const part = await partOf(picture);
  if (!part) return undefined;
  let best: (Way & { confidence: number }) | undefined;
  for (const { turn, isVertical } of ways) {
    const { lines } = recognize(engine, await turned(part, turn), isVertical);
    // Some lines are read although they lie on their side.
    const words = lines.filter((line) => isDown(line) === isVertical).flatMap((line) => line.words);
    if (words.reduce((sum, { text }) => sum + text.length, 0) < fewestCharacters) continue;
    const confidence = confidenceOf(words);
    if (!best || confidence > best.confidence) best = { turn, isVertical, height: heightOf(words), confidence };
    if (best.confidence >= isRight) return best;
  }
  return best;
}

/** In pixels, as most characters are. */
function heightOf(words: Word[]): number {
  const heights = words
    .flatMap(({ symbols }) => symbols.map(({ bbox }) => bbox.y1 - bbox.y0))
    .filter((each) => each > 0);
  return middleOf(heights) || usualHeight;
}

const middleOf = (values: number[]) => values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

async function turned(image: Image, turn: number): Promise<Image> {
  return turn === 0 ? image : render(image, (picture) => picture.rotate(turn));
}

async function render(
  { pixels, width, height }: Image,
  change: (picture: import('sharp').Sharp) => import('sharp').Sharp,
): Promise<Image> {
  const { default: sharp } = await import('sharp');
  sharp.cache(false);
  sharp.concurrency(1);
  const { data, info } = await change(sharp(pixels, { raw: { width, height, channels: 1 } }))
    .greyscale()
    .extractChannel(0)
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}

const blockSide = 40;

/** The square in which neighbouring pixels differ most: text has more edges than drawings and photos. Nothing where the page is of one colour. */
async function partOf({ pixels, width, height }: Picture): Promise<Image | undefined> {
  const [columns, rows] = [Math.ceil(width / blockSide), Math.ceil(height / blockSide)];
  const blocks = new Float64Array(columns * rows);
  for (let y = 0; y < height; y++)
    for (let x = 1; x < width; x++) {
      const at = y * width + x;
      const block = Math.floor(y / blockSide) * columns + Math.floor(x / blockSide);
      blocks[block] = (blocks[block] ?? 0) + ((pixels[at] ?? 0) - (pixels[at - 1] ?? 0)) ** 2;
    }
  const side = Math.ceil(partSide / blockSide);
  let best = { sum: 0, left: 0, top: 0 };
  for (let top = 0; top <= Math.max(0, rows - side); top++)
    for (let left = 0; left <= Math.max(0, columns - side); left++) {
      let sum = 0;
      for (let row = top; row < Math.min(rows, top + side); row++)
        for (let column = left; column < Math.min(columns, left + side); column++)
          sum += blocks[row * columns + column] ?? 0;
      if (sum > best.sum) best = { sum, left: left * blockSide, top: top * blockSide };
    }
  if (best.sum === 0) return undefined;
  const { left, top } = best;
  return render({ pixels, width, height }, (picture) =>
    picture.extract({ left, top, width: Math.min(partSide, width - left), height: Math.min(partSide, height - top) }),
  );
}

const mostPixels = 16_000_000;

async function readPage(engine: Engine, picture: Picture, way: Way): Promise<Required<Sheet>> {
  const isUsual = way.height > usualHeight * 0.7 && way.height < usualHeight * 1.5;
  const scale = isUsual
    ? 1
    : Math.min(3, usualHeight / way.height, Math.sqrt(mostPixels / (picture.width * picture.height)));
  const upright = await turned(picture, way.turn);
  const scaled =
    scale === 1
      ? upright
      : await render(upright, (each) => each.resize(Math.max(1, Math.round(upright.width * scale))));
  const image = await straightened(engine, scaled, way.isVertical);
  const { lines, confidence } = recognize(engine, image, way.isVertical);
  const sizeOf = ({ bbox }: Line) => (way.isVertical ? bbox.x1 - bbox.x0 : bbox.y1 - bbox.y0);
  const body = middleOf(lines.flatMap((line) => line.words.map(() => sizeOf(line))));
  const items = lines.flatMap((line) => {
    // What is measured differs from line to line; sizes of print differ by more than that.
    const step = Math.round(Math.log(sizeOf(line) / body) / Math.log(sizeStep));
    return itemsOf(line, { image, isVertical: way.isVertical, size: body * sizeStep ** step });
  });
  if (confidence < isNone) return { items: [], confidence };
  const perPoint = picture.perPoint * scale;
  return { items: items.map((item) => inPoints(item, perPoint)), confidence };
}

const sizeStep = 1.35;

/** Slopes that are less tell on no line of a page. */
const leastSlope = 0.2;

async function straightened(engine: Engine, image: Image, isVertical: boolean): Promise<Image> {
  const tesseract = engine.show(image, isVertical);
  tesseract.FindLines();
  const slope = (tesseract.GetGradient() * 180) / Math.PI;
  return Math.abs(slope) < leastSlope || Math.abs(slope) > 20
    ? image
    : render(image, (picture) => picture.rotate(slope, { background: '#fff' }));
}

interface Text {
  text: string;
  start: number;
  end: number;
}

/** The words of a line as text that stands where they do; words that are far apart by themselves. */
function itemsOf(
  { words, baseline }: Line,
  { image, isVertical, size }: { image: Image; isVertical: boolean; size: number },
): Item[] {
  const runs: Text[] = [];
  for (const word of words) {
    const { x0, y0, x1, y1 } = word.bbox;
    const [start, end] = isVertical ? [y0, y1] : [x0, x1];
    const text = isVertical ? word.text : withMarksAsPrinted(word, image);
    const run = runs.at(-1);
    const gap = start - (run?.end ?? start);
    // A blank beside a character that fills its square is only the square's edge.
    const isSquare = run !== undefined && (square.test(run.text.slice(-1)) || square.test(text.charAt(0)));
    if (!run || gap > size * (isSquare ? 1.5 : 1)) runs.push({ text, start, end });
    else {
      run.text += `${isSquare && gap < size * 0.6 ? '' : ' '}${text}`;
      run.end = end;
    }
  }
  const across = isVertical ? (baseline.x0 + baseline.x1) / 2 : image.height - (baseline.y0 + baseline.y1) / 2;
  return runs.map(({ text, start, end }) => ({
    str: text,
    dir: isVertical ? 'ttb' : 'ltr',
    width: isVertical ? size : end - start,
    height: isVertical ? end - start : size,
    transform: [size, 0, 0, size, ...(isVertical ? [across, image.height - start] : [start, across])],
    fontName: '',
  }));
}

const inPoints = (item: Item, perPoint: number): Item => ({
  ...item,
  width: item.width / perPoint,
  height: item.height / perPoint,
  transform: item.transform.map((each) => each / perPoint),
});

const square = /[\u3000-\u30FF\u3400-\u9FFF\uF900-\uFAFF\uFF01-\uFF60]/;
const thousands = /\d[.,]+\d{3}(?!\d)/;

/**
 * Models confuse the comma between thousands with a point ("12.800円"), or read both. In the picture they differ: a comma reaches below the line
 * on which figures stand. Where the shapes in the picture are not one for each character, the text stays.
 */
function withMarksAsPrinted({ text, bbox }: Word, image: Image): string {
  if (!thousands.test(text)) return text;
  const shapes = shapesIn(bbox, image);
  const top = middleOf(shapes.map((shape) => shape.top));
  const bottom = middleOf(shapes.map((shape) => shape.bottom));
  const height = bottom - top;
  let more = 0;
  return text.replace(/[.,]+/g, (marks, at: number) => {
    const shape = shapes[at - more];
    more += marks.length - 1;
    const isBetween = /\d$/.test(text.slice(0, at)) && /^\d/.test(text.slice(at + marks.length));
    const isMark = shape && shape.top > top + height * 0.5 && shape.bottom > bottom - height * 0.2;
    return isBetween && isMark ? (shape.bottom > bottom + height * 0.08 ? ',' : '.') : marks;
  });
}

/** The highest and the lowest ink of each shape that blank columns part from others. */
function shapesIn({ x0, y0, x1, y1 }: Box, { pixels, width, height }: Image): { top: number; bottom: number }[] {
  const below = Math.min(height, y1 + Math.ceil((y1 - y0) * 0.3));
  let [darkest, lightest] = [255, 0];
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) {
      darkest = Math.min(darkest, pixels[y * width + x] ?? 255);
      lightest = Math.max(lightest, pixels[y * width + x] ?? 0);
    }
  const shapes: { top: number; bottom: number }[] = [];
  let isInside = false;
  for (let x = x0; x < x1; x++) {
    let [top, bottom] = [below, -1];
    for (let y = y0; y < below; y++)
      if ((pixels[y * width + x] ?? 255) < (darkest + lightest) / 2) {
        top = Math.min(top, y);
        bottom = y;
      }
    const shape = shapes.at(-1);
    if (bottom >= 0 && isInside && shape) {
      shape.top = Math.min(shape.top, top);
      shape.bottom = Math.max(shape.bottom, bottom);
    } else if (bottom >= 0) shapes.push({ top, bottom });
    isInside = bottom >= 0;
  }
  return shapes;
}
