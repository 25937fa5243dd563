import { formatNumber } from './docx.numbering.ts';
import type { Block } from './parser.ts';
import { blankCells, gridBlocks, longestRepeated } from './table.ts';
import { addressBehind, longestHeading, unwrap } from './text.ts';
import { createWarnings } from './warnings.ts';
import { child, elements, type Element, type XmlReader } from './xml.ts';

export interface OdfFile {
  /** Nothing where there is no such part. */
  read(name: string): Promise<Element | undefined>;
  scan(name: string, reader: XmlReader): Promise<void>;
}

/** A level of a list: how its items are marked. */
interface Level {
  format: string;
  before: string;
  after: string;
  from: number;
  /** How many numbers it shows: 2 for `1.2`. */
  shown: number;
  isBullet: boolean;
}

/** What stands in a paragraph beside its text: boxes and notes come after it. */
interface Beside {
  boxes: Element[];
  notes: { mark: string; body: Element }[];
}

/** What is no text of the document. */
const skipped = new Set([
  'text:tracked-changes',
  'office:annotation-end',
  'office:forms',
  'text:sequence-decls',
  'text:variable-decls',
  'text:user-field-decls',
  'svg:title',
  'svg:desc',
]);

/** Reads the text of OpenDocument: what LibreOffice shows, without deleted and hidden text. */
export function createWriter(file: OdfFile, styles: Element | undefined, content: Element | undefined) {
  const warnings = createWarnings();
  const readings = new Set<string>();
  const named = stylesIn(styles, content);
  const listLevels = levelsIn(styles, content);
  const outline = outlineOf(styles);
  const headingCounts: number[] = [];
  const lastCounts = new Map<string, number[]>();
  const objects = new Set<string>();
  let noteCount = 0;
  let title: string | null = null;

  return {
    warnings,
    blocksIn,
    styleOf: (name: string | undefined) => (name === undefined ? undefined : named.get(name)),
    title: () => title,
    marginBlocks,
    /** All that is in a body, and what the objects in it are. */
    async bodyBlocks(name: string): Promise<Block[]> {
      const blocks = blocksIn(child(content, 'office:body', name), null);
      await tellObjects();
      return blocks;
    },
    tellObjects,
    inlineText,
  };

  /** Formulas and charts are parts of their own, as are other documents. */
  async function tellObjects(page?: number): Promise<void> {
    for (const target of objects) {
      const root = await file.read(`${target.replace(/^\.\//, '')}/content.xml`);
      const isDrawn =
        root?.name === 'math' || elements(child(root, 'office:body')).some(({ name }) => name.endsWith('chart'));
      warnings.add(isDrawn ? 'drawing' : 'file-inside', page);
    }
    objects.clear();
  }

  function marginBlocks(): Block[] {
    const seen = new Set<string>();
    const blocks: Block[] = [];
    for (const page of elements(child(styles, 'office:master-styles')))
      for (const margin of elements(page)) {
        if (!/^style:(?:header|footer)/.test(margin.name) || margin.attributes['style:display'] === 'false') continue;
        for (const { kind, text } of blocksIn(margin, null)) {
          if (seen.has(text) || !/[\p{L}\p{N}]/u.test(text)) continue;
          seen.add(text);
          blocks.push({ kind: kind === 'heading' ? 'paragraph' : kind, text, page: null });
        }
      }
    title = null;
    return blocks;
  }

  function blocksIn(root: Element | undefined, page: number | null): Block[] {
    const blocks: Block[] = [];
    const add = (kind: Block['kind'], text: string, level?: number) => {
      if (text.trim() !== '') blocks.push({ kind, text, page, ...(level === undefined ? {} : { level }) });
    };
    for (const each of elements(root)) {
      if (skipped.has(each.name) || isHidden(each)) continue;
      if (each.name === 'office:annotation') warnings.add('comment', page ?? undefined);
      else if (each.name === 'text:h') {
        const beside: Beside = { boxes: [], notes: [] };
        const level = Number(each.attributes['text:outline-level'] ?? 1) || 1;
        const text = paragraphText(each, beside).replaceAll('\n', ' ');
        const isNumbered = text !== '' && each.attributes['text:is-list-header'] !== 'true';
        const whole = `${isNumbered ? headingMark(level) : ''}${text}`;
        if (text !== '') title ??= text;
        if (whole.length > longestHeading) add('paragraph', whole);
        else add('heading', whole, Math.min(6, level));
        blocks.push(...besideBlocks(beside, page));
      } else if (each.name === 'text:p') {
        const beside: Beside = { boxes: [], notes: [] };
        const text = paragraphText(each, beside);
        if (isTitle(each.attributes['text:style-name']) && text !== '') title ??= text.replaceAll('\n', ' ');
        add('paragraph', text);
        blocks.push(...besideBlocks(beside, page));
      } else if (each.name === 'text:list') blocks.push(...listBlocks(each, page));
      else if (each.name === 'table:table') blocks.push(...tableBlocks(each, page));
      else if (each.name.startsWith('draw:')) blocks.push(...drawnBlocks(each, page));
      else blocks.push(...blocksIn(each, page));
    }
    return blocks;
  }

  function isHidden({ name, attributes }: Element): boolean {
    if (attributes['text:is-hidden'] === 'true') return true;
    return name === 'text:section' && attributes['text:display'] === 'none';
  }

  function isTitle(style: string | undefined): boolean {
    const found = style === undefined ? undefined : named.get(style);
    return style === 'Title' || found?.attributes['style:parent-style-name'] === 'Title';
  }

  function headingMark(level: number): string {
    const depth = Math.min(level, outline.length || level) - 1;
    const own = outline[depth];
    headingCounts.length = Math.min(headingCounts.length, depth + 1);
    for (let at = 0; at <= depth; at++) headingCounts[at] ??= (outline[at]?.from ?? 1) - (at === depth ? 1 : 0);
    headingCounts[depth] = (headingCounts[depth] ?? 0) + 1;
    if (!own || own.format === '') return '';
    return `${markOf(own, headingCounts, outline)} `;
  }

  function paragraphText(paragraph: Element, beside: Beside): string {
    return inlineText(paragraph, beside).split('\n').map(unwrap).join('\n').trim();
  }

  function inlineText(parent: Element, beside: Beside): string {
    let text = '';
    for (const each of parent.children)
      text += typeof each === 'string' ? each.replace(/\s+/g, ' ') : pieceText(each, beside);
    return text;
  }

  function pieceText(element: Element, beside: Beside): string {
    const { name, attributes } = element;
    if (skipped.has(name) || attributes['text:is-hidden'] === 'true') return '';
    switch (name) {
      case 'text:s':
        return ' ';
      case 'text:tab':
        return '\t';
      case 'text:line-break':
        return '\n';
      case 'text:page-number':
        return '';
      case 'text:span':
        return isUnseen(attributes['text:style-name']) ? '' : inlineText(element, beside);
      case 'text:a': {
        const words = inlineText(element, beside);
        return words + addressBehind(words, attributes['xlink:href']);
      }
      case 'text:ruby': {
        const base = inlineText(child(element, 'text:ruby-base') ?? element, beside);
        const reading = inlineText(child(element, 'text:ruby-text') ?? { ...element, children: [] }, beside);
        const key = `${base}\n${reading}`;
        const isNew = reading !== '' && !readings.has(key);
        readings.add(key);
        return isNew ? `${base}（${reading}）` : base;
      }
      case 'text:note': {
        const body = child(element, 'text:note-body');
        const label = child(element, 'text:note-citation')?.attributes['text:label'];
        const mark = `[${label ?? formatNumber(++noteCount, 'decimal')}]`;
        if (body) beside.notes.push({ mark, body });
        return mark;
      }
      case 'office:annotation':
        warnings.add('comment');
        return '';
      default:
        if (!name.startsWith('draw:')) return inlineText(element, beside);
        beside.boxes.push(element);
        return '';
    }
  }

  function isUnseen(style: string | undefined): boolean {
    const found = style === undefined ? undefined : named.get(style);
    return child(found, 'style:text-properties')?.attributes['text:display'] === 'none';
  }

  function besideBlocks({ boxes, notes }: Beside, page: number | null): Block[] {
    return [
      ...boxes.flatMap((box) => drawnBlocks(box, page)),
      ...notes.flatMap(({ mark, body }) => {
        const [first, ...more] = blocksIn(body, page);
        return first ? [{ ...first, kind: 'paragraph' as const, text: `${mark} ${first.text}` }, ...more] : [];
      }),
    ];
  }

  /** What a frame, a shape or a group of them says. */
  function drawnBlocks(drawn: Element, page: number | null): Block[] {
    const place = page ?? undefined;
    if (drawn.name === 'draw:image') warnings.add('picture', place);
    else if (drawn.name === 'draw:object') objects.add(drawn.attributes['xlink:href'] ?? '');
    else if (drawn.name === 'draw:object-ole' || drawn.name === 'draw:plugin' || drawn.name === 'draw:applet')
      warnings.add('file-inside', place);
    // Beside an object stands a picture of it.
    const object = elements(drawn).find(({ name }) => /^draw:(?:object|plugin)/.test(name));
    if (drawn.name === 'draw:frame' && object) return drawnBlocks(object, page);
    return drawn.name.startsWith('draw:object') ? [] : blocksIn(drawn, page);
  }

  function listBlocks(list: Element, page: number | null): Block[] {
    const blocks: Block[] = [];
    let lines: { text: string; isBullet: boolean }[] = [];
    const end = () => {
      const [only, ...more] = lines;
      // Alone it may be an article of a contract, which is read as a paragraph is.
      if (only && more.length === 0 && !only.isBullet) blocks.push({ kind: 'paragraph', text: only.text, page });
      else if (only) blocks.push({ kind: 'list', text: lines.map(({ text }) => text).join('\n'), page });
      lines = [];
    };
    walk(list, { depth: 0, style: undefined, counts: [] });
    end();
    return blocks;

    function walk(
      at: Element,
      { depth, style: outer, counts: outerCounts }: { depth: number; style: string | undefined; counts: number[] },
    ): void {
      const style = at.attributes['text:style-name'] ?? outer;
      const goesOn =
        at.attributes['text:continue-numbering'] === 'true' || at.attributes['text:continue-list'] !== undefined;
      const counts = depth > 0 ? outerCounts : goesOn ? (lastCounts.get(style ?? '') ?? []) : [];
      lastCounts.set(style ?? '', counts);
      const levels = listLevels.get(style ?? '') ?? [];
      const level = levels[depth];
      for (const item of elements(at)) {
        counts.length = Math.min(counts.length, depth + 1);
        let isMarked = item.name === 'text:list-header';
        for (const each of elements(item)) {
          if (each.name === 'text:list') {
            walk(each, { depth: depth + 1, style, counts });
            continue;
          }
          if (each.name !== 'text:p') {
            end();
            blocks.push(...blocksIn({ name: '', attributes: {}, children: [each] }, page));
            continue;
          }
          const beside: Beside = { boxes: [], notes: [] };
          const text = paragraphText(each, beside).replaceAll('\n', ' ');
          if (text !== '') {
            const indent = '  '.repeat(Math.min(depth, 6));
            if (isMarked) lines.push({ text: `${indent}  ${text}`, isBullet: true });
            else {
              counts[depth] =
                Number(item.attributes['text:start-value']) || (counts[depth] ?? (level?.from ?? 1) - 1) + 1;
              const isBullet = level?.isBullet ?? true;
              const mark = isBullet || !level ? '-' : markOf(level, counts, levels);
              lines.push({ text: `${indent}${mark}${mark === '' ? '' : ' '}${text}`, isBullet });
            }
            isMarked = true;
          }
          const more = besideBlocks(beside, page);
          if (more.length > 0) end();
          blocks.push(...more);
        }
      }
    }
  }

  /** As in Word, a cell that goes down is repeated in each row, one that goes across stands in its first column. */
  function tableBlocks(table: Element, page: number | null): Block[] {
    const rows: string[][] = [];
    const later: Block[] = [];
    const below = new Map<number, { text: string; rows: number }>();
    const read = (parent: Element): void => {
      for (const each of elements(parent)) {
        if (/^table:table-(?:header-rows|rows|row-group)$/.test(each.name)) read(each);
        if (each.name !== 'table:table-row') continue;
        const texts: string[] = [];
        for (const cell of elements(each)) {
          if (!/^table:(?:covered-)?table-cell$/.test(cell.name)) continue;
          const at = texts.length;
          const covering = below.get(at);
          if (cell.name === 'table:covered-table-cell' && covering && covering.rows > 0) {
            covering.rows--;
            texts.push(covering.text);
            continue;
          }
          const inside = blocksIn(cell, page);
          const isFlat = inside.every(({ kind }) => kind !== 'table');
          const text = isFlat ? inside.map((block) => block.text.replaceAll('\n', ' ')).join(' ') : '';
          if (!isFlat) later.push(...inside);
          const spanned = repeatsOf(cell, 'table:number-rows-spanned');
          if (spanned > 1) below.set(at, { text: text.length <= longestRepeated ? text : '', rows: spanned - 1 });
          texts.push(text, ...blankCells(repeatsOf(cell, 'table:number-columns-repeated') - 1));
        }
        if (texts.some((text) => text !== '')) rows.push(texts);
      }
    };
    read(table);
    return [...(rows.length > 0 ? gridBlocks(rows, page) : []), ...later];
  }
}

export const repeatsOf = ({ attributes }: Element, name: string): number =>
  Math.max(1, Number(attributes[name] ?? 1) || 1);

function markOf(level: Level, counts: number[], levels: Level[]): string {
  const depth = levels.indexOf(level);
  const parts: string[] = [];
  for (let at = Math.max(0, depth + 1 - level.shown); at <= depth; at++) {
    const format = levels[at]?.format ?? '';
    if (format !== '') parts.push(formatNumber(counts[at] ?? 1, formats[format] ?? format));
  }
  return `${level.before}${parts.join('.')}${level.after}`;
}

/** Formats of numbers as `formatNumber` calls them; Japanese ones are named by their beginning. */
const formats: Record<string, string> = {
  '1': 'decimal',
  a: 'lowerLetter',
  A: 'upperLetter',
  i: 'lowerRoman',
  I: 'upperRoman',
  '一, 二, 三, ...': 'japaneseCounting',
  '①, ②, ③, ...': 'decimalEnclosedCircle',
  '１, ２, ３, ...': 'decimalFullWidth',
  'イ, ロ, ハ, ...': 'iroha',
  'ア, イ, ウ, ...': 'aiueoFullWidth',
};

function stylesIn(...roots: (Element | undefined)[]): Map<string, Element> {
  const named = new Map<string, Element>();
  for (const root of roots)
    for (const group of ['office:styles', 'office:automatic-styles'])
      for (const style of elements(child(root, group)))
        if (style.name === 'style:style') named.set(style.attributes['style:name'] ?? '', style);
  return named;
}

function levelsIn(...roots: (Element | undefined)[]): Map<string, Level[]> {
  const lists = new Map<string, Level[]>();
  for (const root of roots)
    for (const group of ['office:styles', 'office:automatic-styles'])
      for (const style of elements(child(root, group)))
        if (style.name === 'text:list-style') lists.set(style.attributes['style:name'] ?? '', levelsOf(style));
  return lists;
}

const outlineOf = (styles: Element | undefined): Level[] => {
  const style = child(styles, 'office:styles', 'text:outline-style');
  return style ? levelsOf(style) : [];
};

function levelsOf(style: Element): Level[] {
  const levels: Level[] = [];
  for (const { name, attributes } of elements(style)) {
    const at = Number(attributes['text:level'] ?? 1) - 1;
    if (at !== levels.length) continue;
    levels.push({
      format: attributes['style:num-format'] ?? '',
      before: attributes['style:num-prefix'] ?? '',
      after: attributes['style:num-suffix'] ?? '',
      from: Number(attributes['text:start-value'] ?? 1) || 1,
      shown: Number(attributes['text:display-levels'] ?? 1) || 1,
      isBullet: name !== 'text:list-level-style-number' && name !== 'text:outline-level-style',
    });
  }
  return levels;
}
