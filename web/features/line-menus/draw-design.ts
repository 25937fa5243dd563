import type { DesignCell, MenuDesign } from '../../../shared/menu-design.ts';
import type { Bounds, MenuSize } from '../../../shared/menu-layout.ts';
import type { Draft } from './draft.ts';
import { icons } from './icons.ts';
import { readImage } from './read-image.ts';

/** Lengths of a design are those of a menu of this width. */
const designWidth = 2500;
const maxBytes = 1024 * 1024;
const iconGrid = 24;
const iconStroke = 1.6;
/** Of the label's size. */
const iconShare = 2.1;
const gapShare = 0.45;
const lineShare = 1.3;
/** Beyond this a cell is so wide that its icon stands beside its label. */
const wideCell = 2.8;
const shrinkStep = 0.95;
/** A label that is not broken is at least so large. */
const unbrokenShare = 0.72;
const smallest = 14;

interface Drawn {
  design: MenuDesign;
  areas: Bounds[];
  size: MenuSize;
  /** The design's picture, read. */
  picture: CanvasImageSource | undefined;
}

/** Draws a design as large as the menu, or as large as asked for. */
export function drawDesign(
  canvas: HTMLCanvasElement,
  { design, areas, size, picture }: Drawn,
  width = size.width,
): void {
  const scale = width / size.width;
  canvas.width = width;
  canvas.height = Math.round(size.height * scale);
  const paper = canvas.getContext('2d');
  if (!paper) return;
  paper.scale(scale, scale);
  paper.fillStyle = design.ground;
  paper.fillRect(0, 0, size.width, size.height);
  if (picture) drawCover(paper, picture, size);
  const unit = size.width / designWidth;
  const family = getComputedStyle(document.body).fontFamily;
  for (const [at, bounds] of areas.entries()) {
    const cell = design.cells[at];
    if (cell)
      drawCell(paper, cell, {
        box: withinGaps(bounds, size, design.gap * unit),
        radius: design.radius * unit,
        unit,
        family,
      });
  }
}

/** A design as a file that LINE takes: PNG, or where that is too large JPEG, as good as there is room for. */
export async function renderDraft({ design, menu }: Pick<Draft, 'design' | 'menu'>): Promise<Blob | undefined> {
  if (!design) return undefined;
  await loadFonts(design);
  const picture = design.picture === null ? undefined : await readImage(design.picture);
  const canvas = document.createElement('canvas');
  drawDesign(canvas, { design, areas: menu.areas.map(({ bounds }) => bounds), size: menu.size, picture });
  return toFile(canvas);
}

/** Letters that have not been shown yet may still have to be fetched. */
export const loadFonts = ({ cells }: MenuDesign): Promise<unknown> =>
  document.fonts
    .load('600 40px "Inter Variable"', cells.map(({ label }) => label ?? '').join('') || 'A')
    .catch(() => []);

export async function toFile(canvas: HTMLCanvasElement, isPhoto = false): Promise<Blob> {
  const write = (type: string, quality?: number) =>
    new Promise<Blob>((done, fail) =>
      canvas.toBlob((blob) => (blob ? done(blob) : fail(new Error('This browser writes no pictures.'))), type, quality),
    );
  let file = isPhoto ? await write('image/jpeg', 0.92) : await write('image/png');
  for (let quality = 0.85; file.size > maxBytes && quality > 0.3; quality -= 0.12)
    file = await write('image/jpeg', quality);
  return file;
}

function drawCover(paper: CanvasRenderingContext2D, picture: CanvasImageSource, size: MenuSize): void {
  const { width, height } = sizeOf(picture);
  const scale = Math.max(size.width / width, size.height / height);
  paper.drawImage(
    picture,
    (size.width - width * scale) / 2,
    (size.height - height * scale) / 2,
    width * scale,
    height * scale,
  );
}

export function sizeOf(picture: CanvasImageSource): MenuSize {
  if (picture instanceof HTMLImageElement) return { width: picture.naturalWidth, height: picture.naturalHeight };
  return 'width' in picture && typeof picture.width === 'number' && typeof picture.height === 'number'
    ? { width: picture.width, height: picture.height }
    : { width: 1, height: 1 };
}

/** Between two cells is one gap, and as much around them. */
function withinGaps({ x, y, width, height }: Bounds, size: MenuSize, gap: number): Bounds {
  const left = x === 0 ? gap : gap / 2;
  const top = y === 0 ? gap : gap / 2;
  const right = x + width === size.width ? gap : gap / 2;
  const bottom = y + height === size.height ? gap : gap / 2;
  return {
    x: x + left,
    y: y + top,
    width: Math.max(1, width - left - right),
    height: Math.max(1, height - top - bottom),
  };
}

function drawCell(
  paper: CanvasRenderingContext2D,
  { fill, ink, icon, label: said, size, bold }: DesignCell,
  { box, radius, unit, family }: { box: Bounds; radius: number; unit: number; family: string },
): void {
  const label = said ?? '';
  if (fill) {
    paper.fillStyle = fill;
    paper.beginPath();
    paper.roundRect(box.x, box.y, box.width, box.height, Math.min(radius, box.width / 2, box.height / 2));
    paper.fill();
  }
  const parts = icon === null ? undefined : icons.get(icon);
  const isBeside = box.width / box.height > wideCell;
  const room = { width: box.width * 0.88, height: box.height * 0.86 };
  // Rather a little smaller than broken, and smaller still until it fits: a label is never cut.
  const paragraphs = label.split('\n').length;
  let font = size * unit;
  let block = blockOf(font);
  while (block.lines.length > paragraphs && font > size * unit * unbrokenShare) block = blockOf((font *= shrinkStep));
  if (block.lines.length > paragraphs) block = blockOf((font = size * unit));
  while ((block.height > room.height || block.width > room.width) && font > smallest * unit)
    block = blockOf((font *= shrinkStep));
  const { lines, iconSide, gap, textHeight, textWidth } = block;
  const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const iconAt = isBeside
    ? { x: middle.x - block.width / 2, y: middle.y - iconSide / 2 }
    : { x: middle.x - iconSide / 2, y: middle.y - block.height / 2 };
  if (parts) drawIcon(paper, parts, { ...iconAt, side: iconSide, ink });
  const textAt = isBeside
    ? { x: middle.x - block.width / 2 + iconSide + gap + textWidth / 2, y: middle.y - textHeight / 2 }
    : { x: middle.x, y: middle.y - block.height / 2 + iconSide + gap };
  paper.fillStyle = ink;
  paper.textAlign = 'center';
  paper.textBaseline = 'middle';
  lines.forEach((line, at) => paper.fillText(line, textAt.x, textAt.y + font * lineShare * (at + 0.5)));

  function blockOf(fontSize: number) {
    paper.font = `${bold ? 700 : 500} ${fontSize}px ${family}`;
    const side = parts ? Math.min(fontSize * iconShare, room.height * (label ? 0.6 : 0.8), room.width * 0.8) : 0;
    const between = parts && label ? fontSize * gapShare : 0;
    const wrapped = label ? linesOf(paper, label, isBeside ? room.width - side - between : room.width) : [];
    const tall = wrapped.length * fontSize * lineShare;
    const wide = Math.max(0, ...wrapped.map((line) => paper.measureText(line).width));
    return {
      lines: wrapped,
      iconSide: side,
      gap: between,
      textHeight: tall,
      textWidth: wide,
      width: isBeside ? side + between + wide : Math.max(side, wide),
      height: isBeside ? Math.max(side, tall) : side + between + tall,
    };
  }
}

function drawIcon(
  paper: CanvasRenderingContext2D,
  parts: string[],
  { x, y, side, ink }: { x: number; y: number; side: number; ink: string },
): void {
  paper.save();
  paper.translate(x, y);
  paper.scale(side / iconGrid, side / iconGrid);
  paper.strokeStyle = ink;
  paper.lineWidth = iconStroke;
  paper.lineCap = 'round';
  paper.lineJoin = 'round';
  for (const part of parts) paper.stroke(new Path2D(part));
  paper.restore();
}

/** These do not begin a line: https://www.w3.org/TR/jlreq/#characters_not_starting_a_line */
const notFirst = /^[、。，．・：；？！ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ」』）】〉》〕！？,.)\]]/;

/** Breaks a label where words end, which Japanese does not mark by spaces. */
function linesOf(paper: CanvasRenderingContext2D, label: string, width: number): string[] {
  const words = new Intl.Segmenter(undefined, { granularity: 'word' });
  return label.split('\n').flatMap((paragraph) => {
    const lines: string[] = [];
    let line = '';
    for (const { segment } of words.segment(paragraph)) {
      if (line && paper.measureText(line + segment.trimEnd()).width > width && !notFirst.test(segment)) {
        lines.push(line.trim());
        line = segment.trimStart();
      } else line += segment;
    }
    return [...lines, line.trim()];
  });
}
