import { chartBlocks, diagramBlocks } from './drawing.charts.ts';
import { graphicKind, linesOf, shown, type DrawnLine } from './drawing.ts';
import { formatNumber } from './docx.numbering.ts';
import { createNumberFormats } from './number-formats.ts';
import { isOle, openOffice, type OfficePackage, type Relation } from './opc.ts';
import { ParseError } from './parser.ts';
import type { Block, Draft, Parser } from './parser.ts';
import { readingOrder, type Placed } from './reading-order.ts';
import { gridBlocks, longestRepeated } from './table.ts';
import { isZip, longestHeading } from './text.ts';
import { createWarnings } from './warnings.ts';
import { child, elements, type Element } from './xml.ts';

export const pptx: Parser = {
  name: 'PowerPoint',
  extensions: ['pptx', 'ppsx'],
  mime: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  isPlain: false,
  accepts: (head) => isZip(head) || isOle(head),
  async parse(file, onProgress) {
    const office = await openOffice(file, 'ppt/', 'ppt/presentation.xml');
    return readPresentation(office, onProgress);
  },
};

/** A part with shapes: a slide, its layout, its master, its notes. */
interface Part {
  root: Element | undefined;
  relations: Map<string, Relation>;
  /** Addresses outside the file. */
  links: Map<string, string>;
}

/** What a shape says, and where. */
interface Piece extends Placed {
  blocks: Block[];
  isTitle: boolean;
}

/** From the units of a group to those of the slide. */
interface Scale {
  x: number;
  y: number;
  byX: number;
  byY: number;
}

/**
 * PresentationML (ECMA-376 part 1, 19) to blocks. Each slide is a page: its title is a heading, its shapes follow as people read them, then the words that
 * its layout draws on it and its notes; what layouts and footers repeat comes once. Hidden slides, comments, pictures,
 * videos and files inside are left out and told.
 */
async function readPresentation(office: OfficePackage, onProgress: (share: number) => void): Promise<Draft> {
  const main = await readPart(office, office.main);
  if (!main.root) throw new ParseError('file-damaged');
  const { show } = await createNumberFormats({ isJapanese: false, is1904: false });
  const warnings = createWarnings();
  const seen = new Set<string>();
  const parts = new Map<string, Part>();
  const drawn = new Set<Part>();
  const blocks: Block[] = [];
  let title: string | null = null;
  const slides = elements(child(main.root, 'sldIdLst')).map(({ attributes }) =>
    main.relations.get(attributes['r:id'] ?? ''),
  );
  for (const [at, relation] of slides.entries()) {
    if (relation) await readSlide(relation.target, at + 1);
    onProgress((at + 1) / slides.length);
  }
  return { title, pages: slides.length, blocks, warnings: warnings.list() };

  async function readSlide(target: string, page: number): Promise<void> {
    const slide = await readPart(office, target);
    if (isOff(slide.root?.attributes['show'])) return warnings.add('hidden-slide', page);
    const layout = await readShared(targetOf(slide, 'slideLayout'));
    const master = await readShared(layout && targetOf(layout, 'slideMaster'));
    const pieces = await piecesOf(slide, page, [layout, master]);
    const [heading, rest] = headingOf(pieces);
    if (heading) title ??= heading;
    if (heading) blocks.push({ kind: 'heading', level: 1, text: heading, page });
    for (const piece of rest) blocks.push(...piece.blocks);
    if (!isOff(slide.root?.attributes['showMasterSp']))
      for (const part of isOff(layout?.root?.attributes['showMasterSp']) ? [layout] : [layout, master])
        if (part) await addBackground(part, page);
    const notes = targetOf(slide, 'notesSlide');
    if (notes)
      for (const piece of await piecesOf(await readPart(office, notes), page, [])) blocks.push(...piece.blocks);
    for (const { type, target: comments } of slide.relations.values())
      if (type === 'comments')
        for (const comment of elements(await office.read(comments)))
          if (comment.name === 'cm') warnings.add('comment', page);
  }

  async function readShared(target: string | undefined): Promise<Part | undefined> {
    if (target === undefined) return undefined;
    const part = parts.get(target) ?? (await readPart(office, target));
    parts.set(target, part);
    return part;
  }

  /** What a layout draws on each of its slides; its placeholders are only prompts. */
  async function addBackground(part: Part, page: number): Promise<void> {
    if (drawn.has(part)) return;
    drawn.add(part);
    for (const piece of await piecesOf(part, page, [], true)) blocks.push(...piece.blocks.filter(isNew));
  }

  async function piecesOf(
    part: Part,
    page: number,
    models: (Part | undefined)[],
    isBackground = false,
  ): Promise<Piece[]> {
    const pieces: Piece[] = [];
    await walk(child(part.root, 'cSld', 'spTree'), { x: 0, y: 0, byX: 1, byY: 1 });
    return readingOrder(pieces);

    async function walk(tree: Element | undefined, scale: Scale): Promise<void> {
      for (const shape of shown(tree)) {
        const kind = shape.name;
        const properties = elements(shape).find(({ name }) => /^nv\w{2,20}Pr$/.test(name));
        if (['1', 'true'].includes(child(properties, 'cNvPr')?.attributes['hidden'] ?? '')) continue;
        const placeholder = child(properties, 'nvPr', 'ph');
        if (isBackground && placeholder) continue;
        if (kind === 'grpSp') await walk(shape, scaleOf(shape, scale));
        else if (kind === 'pic') warnings.add(isMedia(properties) ? 'file-inside' : 'picture', page);
        else if (kind === 'sp' || kind === 'cxnSp' || kind === 'graphicFrame') {
          const found = kind === 'graphicFrame' ? await frameBlocks(shape) : shapeBlocks(shape, placeholder);
          const isTitle = ['title', 'ctrTitle'].includes(placeholder?.attributes['type'] ?? '');
          if (found.length > 0)
            pieces.push({ ...placed(boxOf(shape, placeholder, models), scale), blocks: found, isTitle });
        }
      }
    }

    function shapeBlocks(shape: Element, placeholder: Element | undefined): Block[] {
      const type = placeholder ? (placeholder.attributes['type'] ?? 'obj') : '';
      if (type === 'sldNum' || type === 'sldImg') return [];
      const lines = linesOf(child(shape, 'txBody'), part.links);
      const isList = ['obj', 'body'].includes(type) && lines.length > 1 && models.length > 0;
      const found = lineBlocks(lines, page, isList);
      return ['ftr', 'dt', 'hdr'].includes(type) ? found.filter(isNew) : found;
    }

    async function frameBlocks(frame: Element): Promise<Block[]> {
      const kind = graphicKind(frame);
      const data = child(frame, 'graphic', 'graphicData');
      const read = async (id: string | undefined) => office.read(part.relations.get(id ?? '')?.target);
      if (kind === 'table') return tableBlocks(child(data, 'tbl'), part.links, page);
      if (kind === 'ole') warnings.add('file-inside', page);
      if (kind === 'chart' || kind === 'diagram') {
        const found =
          kind === 'chart'
            ? chartBlocks(await read(child(data, 'chart')?.attributes['r:id']), page, show)
            : diagramBlocks(await read(child(data, 'relIds')?.attributes['r:dm']), page, part.links);
        if (found.length === 0) warnings.add('drawing', page);
        return found;
      }
      if (kind === 'chartex') warnings.add('drawing', page);
      return [];
    }
  }

  /** Footers and dates stand on every slide. */
  function isNew({ text }: Block): boolean {
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  }
}

async function readPart(office: OfficePackage, target: string): Promise<Part> {
  const relations = await office.relationsOf(target);
  return {
    root: await office.read(target),
    relations: new Map(relations.map((relation) => [relation.id, relation])),
    links: new Map(relations.filter(({ isOutside }) => isOutside).map((relation) => [relation.id, relation.target])),
  };
}

const targetOf = ({ relations }: Part, kind: string): string | undefined =>
  [...relations.values()].find(({ type }) => type === kind)?.target;

const isOff = (value: string | undefined) => value === '0' || value === 'false';

const isMedia = (properties: Element | undefined) =>
  elements(child(properties, 'nvPr')).some(({ name }) => /^(?:video|audio|wavAudio|quickTime)/.test(name));

/** The title of a slide, or where it has none a single short line at its top, and all else that is on it. */
function headingOf(pieces: Piece[]): [heading: string | undefined, rest: Piece[]] {
  const first = pieces.find(({ isTitle }) => isTitle) ?? (pieces.length > 1 ? pieces[0] : undefined);
  const text = first?.blocks.map((block) => block.text.replaceAll('\n', ' ')).join(' ');
  const isShort = first?.isTitle || (first?.blocks.length === 1 && first.blocks[0]?.kind === 'paragraph');
  const longest = first?.isTitle ? longestHeading : 60;
  if (!text || !isShort || text.length > longest) return [undefined, pieces];
  return [text, pieces.filter((piece) => piece !== first)];
}

/** Lines with a bullet or a number are a list. */
function lineBlocks(lines: DrawnLine[], page: number, isList: boolean): Block[] {
  const blocks: Block[] = [];
  const counts: number[] = [];
  for (const { text, level, bullet = isList ? 'sign' : 'none' } of lines) {
    counts.length = Math.min(counts.length, level + 1);
    const last = blocks.at(-1);
    if (bullet === 'none') {
      counts.length = 0;
      blocks.push({ kind: 'paragraph', text, page });
      continue;
    }
    let mark = '-';
    if (bullet !== 'sign') {
      counts[level] = counts[level] === undefined ? bullet.from : counts[level] + 1;
      mark = numberMark(bullet.numbered, counts[level]);
    }
    const line = `${'  '.repeat(Math.min(level, 6))}${mark} ${text.replaceAll('\n', ' ')}`;
    if (last?.kind === 'list') last.text += `\n${line}`;
    else blocks.push({ kind: 'list', text: line, page });
  }
  return blocks;
}

const numberings: [start: RegExp, format: string][] = [
  [/^arabicDb/, 'decimalFullWidth'],
  [/^alphaLc/, 'lowerLetter'],
  [/^alphaUc/, 'upperLetter'],
  [/^romanLc/, 'lowerRoman'],
  [/^romanUc/, 'upperRoman'],
  [/^circleNum/, 'decimalEnclosedCircle'],
  [/^ea1/, 'japaneseCounting'],
];

/** `arabicParenR` for 3 is `3)` (ECMA-376 part 1, 20.1.10.61). */
function numberMark(type: string, number: number): string {
  const format = numberings.find(([start]) => start.test(type))?.[1] ?? 'decimal';
  const text = formatNumber(number, format);
  if (type.endsWith('ParenBoth')) return `(${text})`;
  if (type.endsWith('ParenR')) return `${text})`;
  return type.endsWith('Plain') ? text : `${text}.`;
}

/** As in Word, a cell that goes down is repeated in each row, one that goes across stands in its first column. */
function tableBlocks(table: Element | undefined, links: ReadonlyMap<string, string>, page: number): Block[] {
  const above: string[] = [];
  const rows = elements(table)
    .filter(({ name }) => name === 'tr')
    .map((row) =>
      elements(row)
        .filter(({ name }) => name === 'tc')
        .map((cell, at) => {
          const own = linesOf(child(cell, 'txBody'), links)
            .map(({ text }) => text.replaceAll('\n', ' '))
            .join(' ');
          const text = isMerged(cell, 'vMerge') && own === '' ? (above[at] ?? '') : own;
          above[at] = text.length <= longestRepeated ? text : '';
          return isMerged(cell, 'hMerge') ? own : text;
        }),
    );
  return gridBlocks(
    rows.filter((row) => row.some((text) => text !== '')),
    page,
  );
}

const isMerged = ({ attributes }: Element, name: string) => ['1', 'true'].includes(attributes[name] ?? '');

/** Where a shape stands; a placeholder may leave that to the layout or the master. */
function boxOf(shape: Element, placeholder: Element | undefined, models: (Part | undefined)[]): Element | undefined {
  const own = child(shape, 'spPr', 'xfrm') ?? child(shape, 'xfrm');
  if (own || !placeholder) return own;
  const { type = 'obj', idx } = placeholder.attributes;
  for (const model of models)
    for (const each of elements(child(model?.root, 'cSld', 'spTree'))) {
      const like = child(each, 'nvSpPr', 'nvPr', 'ph')?.attributes;
      const isLike = like && (idx === undefined ? (like['type'] ?? 'obj') === type : like['idx'] === idx);
      const found = isLike && child(each, 'spPr', 'xfrm');
      if (found) return found;
    }
  return undefined;
}

const numberIn = (element: Element | undefined, name: string) => Number(element?.attributes[name] ?? 0) || 0;

function placed(box: Element | undefined, { x, y, byX, byY }: Scale): Placed {
  const [offset, extent] = [child(box, 'off'), child(box, 'ext')];
  return {
    x: x + numberIn(offset, 'x') * byX,
    y: y + numberIn(offset, 'y') * byY,
    width: numberIn(extent, 'cx') * byX,
    height: numberIn(extent, 'cy') * byY,
  };
}

function scaleOf(group: Element, outer: Scale): Scale {
  const box = child(group, 'grpSpPr', 'xfrm');
  const { x, y, width, height } = placed(box, outer);
  const [offset, extent] = [child(box, 'chOff'), child(box, 'chExt')];
  const byX = width / numberIn(extent, 'cx') || outer.byX;
  const byY = height / numberIn(extent, 'cy') || outer.byY;
  return { x: x - numberIn(offset, 'x') * byX, y: y - numberIn(offset, 'y') * byY, byX, byY };
}
