import { mathText, readOldEquation } from './docx.math.ts';
import { createNumbering, formatNumber, type Mark } from './docx.numbering.ts';
import { createStyles, headingLevel, isTitle, placeOf, type Chain } from './docx.styles.ts';
import { symbolText } from './docx.symbols.ts';
import { child, elements, isOn, numberOf, valueOf, type Element } from './xml.ts';
import type { Block, Draft } from './parser.ts';
import { addressBehind, longestHeading, unwrap } from './text.ts';
import { blankCells, gridBlocks, longestRepeated } from './table.ts';
import { createWarnings } from './warnings.ts';

/** A part of the file with the addresses that its links name. */
interface Part {
  root: Element | undefined;
  links: ReadonlyMap<string, string>;
}

export interface WordParts {
  document: Part;
  styles: Element | undefined;
  numbering: Element | undefined;
  footnotes: Part;
  endnotes: Part;
  /** Headers and footers, by the name that sections call them. */
  margins: ReadonlyMap<string, Part>;
}

/** A field (ECMA-376 part 1, 17.16): its code comes first, then what Word has made of it. */
interface Field {
  code: string;
  isCode: boolean;
  /** Where its result begins in the paragraph's text. */
  from: number;
  form: Element | undefined;
}

/** What is read in one go: the body, a text box, a note, a header. */
interface Story {
  links: ReadonlyMap<string, string>;
  fields: Field[];
  isMargin: boolean;
  /** Notes have none of their own. */
  isNote: boolean;
}

/** The text of a paragraph as it grows. Its line breaks are those that are meant. */
interface Line {
  text: string;
  /** Readings over words that stand side by side belong together. */
  ruby: { base: string; reading: string } | undefined;
  isHidden: boolean;
  boxes: Element[];
  notes: { kind: 'footnotes' | 'endnotes'; id: string; mark: string }[];
}

/**
 * WordprocessingML (ECMA-376 part 1, 17) to blocks: what Word shows and prints, with deleted and hidden text left out, and with comments, pictures, charts and files inside left out and told.
 * Headers and footers come first, each text once, as they belong to no section; notes and text boxes come after the paragraph, list or
 * table that they are in.
 */
export function blocksOfWord(parts: WordParts): Pick<Draft, 'title' | 'blocks' | 'warnings'> {
  const styles = createStyles(parts.styles);
  const markOf = createNumbering(parts.numbering, styles.listOf);
  const readings = new Set<string>();
  const noteNumbers = { footnotes: 0, endnotes: 0 };
  const notes = { footnotes: notesIn(parts.footnotes.root), endnotes: notesIn(parts.endnotes.root) };
  const warnings = createWarnings();
  let title: string | null = null;

  const startStory = (part: Part, more: Partial<Story> = {}): Story => ({
    links: part.links,
    fields: [],
    isMargin: false,
    isNote: false,
    ...more,
  });

  const body = blocksIn(child(parts.document.root, 'w:body'), startStory(parts.document));
  return { title, blocks: [...marginBlocks(), ...body], warnings: warnings.list() };

  function marginBlocks(): Block[] {
    const seen = new Set<string>();
    const blocks: Block[] = [];
    for (const name of ['w:headerReference', 'w:footerReference'])
      for (const reference of found(parts.document.root, name)) {
        const part = parts.margins.get(reference.attributes['r:id'] ?? '');
        if (!part) continue;
        const inside = blocksIn(part.root, startStory(part, { isMargin: true }));
        for (const { kind, text } of inside) {
          if (seen.has(text) || !/[\p{L}\p{N}]/u.test(text)) continue;
          seen.add(text);
          blocks.push({ kind: kind === 'heading' ? 'paragraph' : kind, text, page: null });
        }
      }
    return blocks;
  }

  function blocksIn(root: Element | undefined, story: Story): Block[] {
    const blocks: Block[] = [];
    let list: { line: string; mark: Mark }[] = [];
    /** What comes after the block that is being read. */
    let later: Block[] = [];
    let carried: Line | undefined;
    const push = (kind: Block['kind'], text: string, level?: number) => {
      if (text.trim() !== '') blocks.push({ kind, text, page: null, ...(level === undefined ? {} : { level }) });
    };
    const endList = () => {
      const [only, ...more] = list;
      // Alone it may be an article of a contract or a question, which is read as a paragraph is.
      if (only && more.length === 0 && !only.mark.isBullet) push('paragraph', only.line);
      else if (only) push('list', listText(list));
      list = [];
      blocks.push(...later);
      later = [];
    };

    for (const each of flat(root)) {
      if (each.name === 'w:p') {
        const line = lineOf(each, story, carried);
        const properties = child(each, 'w:pPr');
        carried = goesOn(properties) ? line : undefined;
        if (carried) continue;
        const { text, mark, chain } = finishParagraph(line, properties);
        const level = headingLevel(properties, chain);
        const whole = marked(mark, text);
        if (mark && level === undefined && text !== '') list.push({ line: whole, mark });
        else if (text !== '') {
          endList();
          if (level === undefined || whole.length > longestHeading) push('paragraph', whole);
          else push('heading', whole.replaceAll('\n', ' '), level);
          if (!story.isMargin && (isTitle(chain) || level !== undefined)) title ??= text.replaceAll('\n', ' ');
        }
        later.push(...attached(line, story));
        if (list.length === 0) endList();
      } else if (each.name === 'w:tbl') {
        endList();
        blocks.push(...tableBlocks(each, story));
      } else if (each.name === 'w:altChunk') warnings.add('file-inside');
      else if (each.name === 'm:oMathPara' || each.name === 'm:oMath') {
        endList();
        push('paragraph', mathText(each));
      }
    }
    if (carried) push('paragraph', textOf(carried));
    endList();
    return blocks;
  }

  /** A paragraph that is empty to its end, mark and all, is not there, and so is not counted. */
  function finishParagraph(line: Line, properties: Element | undefined) {
    const chain = styles.ofParagraph(properties);
    const text = textOf(line);
    const place = placeOf(properties, chain);
    const isGone = text === '' && isOn(child(properties, 'w:rPr', 'w:vanish')) === true;
    return { text, chain, mark: place && !isGone ? markOf(place) : undefined };
  }

  function attached(line: Line, story: Story): Block[] {
    const boxes = line.boxes.flatMap((box) => blocksIn(box, { ...story, fields: [] }));
    const said = line.notes.flatMap(({ kind, id, mark }) => {
      const [first, ...more] = blocksIn(notes[kind].get(id), startStory(parts[kind], { isNote: true }));
      return first ? [{ ...first, kind: 'paragraph' as const, text: `${mark} ${first.text}` }, ...more] : [];
    });
    return [...boxes, ...said];
  }

  function lineOf(paragraph: Element, story: Story, carried?: Line): Line {
    const line: Line = carried ?? { text: '', ruby: undefined, isHidden: false, boxes: [], notes: [] };
    const chain = styles.ofParagraph(child(paragraph, 'w:pPr'));
    readInline(paragraph, { story, line, chain });
    // A field whose code has no end would hide whatever comes after it.
    story.fields = story.fields.filter(({ isCode }) => !isCode);
    for (const field of story.fields) field.from = 0;
    endRuby(line);
    return line;
  }

  function readInline(parent: Element, at: { story: Story; line: Line; chain: Chain }): void {
    for (const each of flat(parent)) readPiece(each, at);
  }

  function readPiece(element: Element, at: { story: Story; line: Line; chain: Chain }): void {
    const { story, line, chain } = at;
    switch (element.name) {
      case 'w:r':
        line.isHidden = isHidden(child(element, 'w:rPr'), chain);
        readInline(element, at);
        line.isHidden = false;
        return;
      case 'w:t':
        return add(at, ownText(element).replace(/\s/g, ' '));
      case 'w:tab':
      case 'w:ptab':
        return add(at, '\t');
      case 'w:br':
      case 'w:cr':
        return add(at, '\n');
      case 'w:noBreakHyphen':
        return add(at, '-');
      case 'w:sym': {
        const symbol = symbolText(
          element.attributes['w:font'],
          Number.parseInt(element.attributes['w:char'] ?? '', 16),
        );
        if (symbol === '\uFFFD') warnings.add('character');
        return add(at, symbol);
      }
      case 'w:commentReference':
        return warnings.add('comment');
      case 'w:object':
        return warnings.add('file-inside');
      case 'imagedata':
        return warnings.add('picture');
      case 'graphicData': {
        const kind = element.attributes['uri']?.split('/').at(-1) ?? '';
        if (kind === 'picture') warnings.add('picture');
        else if (/^(?:chart|chartex|diagram)$/.test(kind)) warnings.add('drawing');
        return readInline(element, at);
      }
      case 'w:ruby':
        return addRuby(element, at);
      case 'w:sdt':
        return readControl(element, at);
      case 'w:hyperlink':
        return readLink(element, at, story.links.get(element.attributes['r:id'] ?? ''));
      case 'w:fldSimple':
        return readSimpleField(element, at);
      case 'w:fldChar':
        return readFieldMark(element, at);
      case 'w:instrText': {
        const field = story.fields.at(-1);
        if (field?.isCode) field.code += ownText(element);
        return;
      }
      case 'm:oMath':
      case 'm:oMathPara':
        return add(at, mathText(element));
      case 'w:footnoteReference':
      case 'w:endnoteReference':
        return addNote(element, at);
      case 'w:txbxContent':
        if (!line.isHidden) line.boxes.push(element);
        return;
      case 'textpath':
        add(at, ` ${element.attributes['string'] ?? ''} `);
        return;
      case 'w:pPr':
      case 'w:rPr':
      case 'w:delText':
      case 'w:delInstrText':
        return;
      default:
        readInline(element, at);
    }
  }

  function add({ story, line }: { story: Story; line: Line }, text: string): void {
    // Inside the code of a field stand the results of others, which that field makes its own result of.
    const isInCode = story.fields.some(({ isCode }, at) => isCode && at < story.fields.length - 1);
    if (line.isHidden || isInCode || text === '') return;
    endRuby(line);
    line.text += text;
  }

  function addRuby(ruby: Element, at: { story: Story; line: Line; chain: Chain }): void {
    const read = (name: string) => {
      const line: Line = { text: '', ruby: undefined, isHidden: false, boxes: [], notes: [] };
      const inside = child(ruby, name);
      if (inside) readInline(inside, { ...at, line });
      return textOf(line);
    };
    addReading(at, read('w:rubyBase'), read('w:rt'));
  }

  function addReading({ line }: { line: Line }, base: string, reading: string): void {
    if (line.isHidden) return;
    line.ruby = { base: `${line.ruby?.base ?? ''}${base}`, reading: `${line.ruby?.reading ?? ''}${reading}` };
  }

  /** The reading stands behind the word the first time: once is enough to find it, and elsewhere the sentence stays whole. */
  function endRuby(line: Line): void {
    if (!line.ruby) return;
    const { base, reading } = line.ruby;
    const key = `${base}\n${reading}`;
    line.text += readings.has(key) || reading === '' ? base : `${base}（${reading}）`;
    readings.add(key);
    line.ruby = undefined;
  }

  function readControl(control: Element, at: { story: Story; line: Line; chain: Chain }): void {
    const box = child(control, 'w:sdtPr', 'w14:checkbox');
    if (box) return add(at, isOn(child(box, 'w14:checked')) ? '☒' : '☐');
    const content = child(control, 'w:sdtContent');
    if (content) readInline(content, at);
  }

  function readLink(
    element: Element,
    at: { story: Story; line: Line; chain: Chain },
    target: string | undefined,
  ): void {
    const from = at.line.text.length;
    readInline(element, at);
    endRuby(at.line);
    addAddress(at, from, target);
  }

  function addAddress(at: { story: Story; line: Line }, from: number, target: string | undefined): void {
    add(at, addressBehind(at.line.text.slice(from), target));
  }

  function readSimpleField(element: Element, at: { story: Story; line: Line; chain: Chain }): void {
    const code = element.attributes['w:instr'] ?? '';
    if (isPageNumber(code, at.story)) return;
    readLink(element, at, addressIn(code));
  }

  function readFieldMark(element: Element, at: { story: Story; line: Line }): void {
    const { story, line } = at;
    const type = element.attributes['w:fldCharType'];
    const field = story.fields.at(-1);
    if (type === 'begin' && story.fields.length < deepestField) {
      const form = child(element, 'w:ffData');
      story.fields.push({ code: '', isCode: true, from: line.text.length, form });
    } else if (type === 'separate' && field) {
      endRuby(line);
      field.isCode = false;
      field.from = line.text.length;
    } else if (type === 'end' && field) {
      endRuby(line);
      story.fields.pop();
      endField(field, at);
    }
  }

  function endField({ code, isCode, from, form }: Field, at: { story: Story; line: Line }): void {
    const { line } = at;
    const hasResult = !isCode && line.text.slice(from).trim() !== '';
    const [check, choice] = [child(form, 'w:checkBox'), child(form, 'w:ddList')];
    if (check) add(at, (isOn(child(check, 'w:checked')) ?? isOn(child(check, 'w:default'))) ? '☒' : '☐');
    else if (choice && !hasResult) {
      const entries = elements(choice).filter(({ name }) => name === 'w:listEntry');
      const chosen = numberOf(child(choice, 'w:result')) ?? numberOf(child(choice, 'w:default')) ?? 0;
      add(at, valueOf(entries[chosen]) ?? '');
    } else if (isPageNumber(code, at.story)) line.text = line.text.slice(0, from);
    else if (/^\s*EQ\s/.test(code.slice(0, 20)) && !hasResult) addOldEquation(code, at);
    else if (!isCode) addAddress(at, from, addressIn(code));
  }

  function addOldEquation(code: string, at: { story: Story; line: Line }): void {
    const { base = '', reading, text } = readOldEquation(code);
    if (reading !== undefined) addReading(at, base, reading);
    else add(at, text);
  }

  function addNote(element: Element, at: { story: Story; line: Line }): void {
    if (at.story.isNote || at.line.isHidden) return;
    const kind = element.name === 'w:footnoteReference' ? 'footnotes' : 'endnotes';
    const hasOwnMark = ['1', 'true', 'on'].includes(element.attributes['w:customMarkFollows'] ?? '');
    const number = hasOwnMark ? 0 : ++noteNumbers[kind];
    const mark = hasOwnMark ? '' : `[${formatNumber(number, kind === 'endnotes' ? 'lowerRoman' : 'decimal')}]`;
    add(at, mark);
    at.line.notes.push({ kind, id: element.attributes['w:id'] ?? '', mark });
  }

  function isHidden(properties: Element | undefined, chain: Chain): boolean {
    const own = isOn(child(properties, 'w:vanish'));
    const inherited = [...styles.ofRun(properties), ...chain].find((style) => style.isHidden !== undefined);
    return own ?? inherited?.isHidden ?? false;
  }

  /** A Markdown table; a row with headings or tables in it is laid out by it, so what is in it comes one after the other. */
  function tableBlocks(table: Element, story: Story): Block[] {
    const blocks: Block[] = [];
    let head: string[] | undefined;
    let rows: string[][] = [];
    /** The text that goes down a column. */
    let above: string[] = [];
    let later: Block[] = [];
    const endTable = () => {
      if (rows.length > 0) blocks.push(...gridBlocks(head && rows[0] !== head ? [head, ...rows] : rows));
      rows = [];
      blocks.push(...later);
      later = [];
    };
    for (const row of flat(table)) {
      const properties = child(row, 'w:trPr');
      if (row.name !== 'w:tr' || child(properties, 'w:del') || isOn(child(properties, 'w:hidden'))) continue;
      const cells = flat(row).filter(({ name }) => name === 'w:tc');
      if (cells.some((cell) => flat(cell).some(isHeadingOrBox))) {
        endTable();
        blocks.push(...cells.flatMap((cell) => blocksIn(cell, story)));
        above = [];
        continue;
      }
      const texts: string[] = blankCells(numberOf(child(properties, 'w:gridBefore')) ?? 0);
      const next: string[] = [];
      for (const cell of cells) {
        const merge = child(cell, 'w:tcPr', 'w:vMerge');
        const isBelow = merge !== undefined && valueOf(merge) !== 'restart';
        const { text, nested } = cellOf(cell, story);
        const shown = isBelow && text === '' ? (above[texts.length] ?? '') : text;
        // To repeat a long text in each of many rows would take more than it tells.
        if (merge) next[texts.length] = shown.length <= longestRepeated ? shown : '';
        texts.push(shown, ...blankCells((numberOf(child(cell, 'w:tcPr', 'w:gridSpan')) ?? 1) - 1));
        later.push(...nested);
      }
      texts.push(...blankCells(numberOf(child(properties, 'w:gridAfter')) ?? 0));
      above = next;
      if (texts.some((text) => text !== '')) {
        rows.push(texts);
        head ??= texts;
      }
      if (later.some(({ kind }) => kind === 'table')) endTable();
    }
    endTable();
    return blocks;
  }

  function isHeadingOrBox(element: Element): boolean {
    if (element.name !== 'w:p') return false;
    const properties = child(element, 'w:pPr');
    return headingLevel(properties, styles.ofParagraph(properties)) !== undefined;
  }

  /** A cell on one line; its tables, text boxes and notes come after the row or the table. */
  function cellOf(cell: Element, story: Story): { text: string; nested: Block[] } {
    const texts: string[] = [];
    const nested: Block[] = [];
    let carried: Line | undefined;
    for (const each of flat(cell)) {
      if (each.name === 'w:tbl') nested.push(...tableBlocks(each, story));
      else if (each.name.startsWith('m:oMath')) texts.push(mathText(each));
      if (each.name !== 'w:p') continue;
      const line = lineOf(each, story, carried);
      const properties = child(each, 'w:pPr');
      carried = goesOn(properties) ? line : undefined;
      if (carried) continue;
      const { text, mark } = finishParagraph(line, properties);
      if (text !== '') texts.push(mark?.isBullet ? text : marked(mark, text));
      nested.push(...attached(line, story));
    }
    if (carried) texts.push(textOf(carried));
    return { text: texts.join(' ').replaceAll('\n', ' '), nested };
  }
}

/** Fields in the codes of fields; every text asks all of them whether it is shown. */
const deepestField = 50;

/** A paragraph goes on in the next one where the mark at its end is deleted, and where it is the large letter that the next one begins with. */
const goesOn = (properties: Element | undefined): boolean =>
  ['w:del', 'w:moveFrom'].some((name) => child(properties, 'w:rPr', name)) ||
  ['drop', 'margin'].includes(child(properties, 'w:framePr')?.attributes['w:dropCap'] ?? '');

export const listText = (list: { line: string; mark: Mark }[]): string =>
  list.map(({ line, mark }) => `${'  '.repeat(Math.min(mark.depth, 6))}${line.replaceAll('\n', ' ')}`).join('\n');

/** Bullets that say something, such as a box to tick, stay; other signs are the hyphen of a list. */
export function marked(mark: Mark | undefined, text: string): string {
  if (!mark || text === '') return text;
  if (!mark.isBullet) return `${mark.text}${mark.text === '' ? '' : mark.gap}${text}`;
  return /^[☐☑☒✓✔✗□※]$/.test(mark.text) ? `- ${mark.text} ${text}` : `- ${text}`;
}

/** One line for each that is meant. */
const textOf = (line: Line) => line.text.split('\n').map(unwrap).join('\n').trim();

const ownText = (element: Element) => element.children.filter((each) => typeof each === 'string').join('');

export const addressIn = (code: string): string | undefined =>
  /^\s{0,10}HYPERLINK\s{1,10}"([^"]{1,2000})"/i.exec(code)?.[1];

/** In a header or footer it is the number of one page of many. */
const isPageNumber = (code: string, { isMargin }: Story) => isMargin && /^\s{0,10}PAGE\b/i.test(code);

function notesIn(root: Element | undefined): Map<string, Element> {
  return new Map(elements(root).map((note) => [note.attributes['w:id'] ?? '', note]));
}

function found(root: Element | undefined, name: string): Element[] {
  const list: Element[] = [];
  const look = (parent: Element | undefined) => {
    for (const each of elements(parent)) {
      if (each.name === name) list.push(each);
      look(each);
    }
  };
  look(root);
  return list;
}

/** Around paragraphs, rows, cells or runs, without a look of their own. */
const wrappers = new Set(['w:customXml', 'w:smartTag', 'w:ins', 'w:moveTo', 'w:dir', 'w:bdo', 'w:sdtContent']);
/** Where a change is kept in mind or a value only describes another, nothing is to be read. */
const unread = new Set([
  'w:del',
  'w:moveFrom',
  'w:sdtPr',
  'w:rubyPr',
  'w:ffData',
  'positionH',
  'positionV',
  'sizeRelH',
  'sizeRelV',
]);

/** What is inside an element, with wrappers taken away, deleted parts left out, and of alternatives the first that says anything. */
function flat(parent: Element | undefined): Element[] {
  const list: Element[] = [];
  const take = (from: Element | undefined) => {
    for (const each of elements(from)) {
      if (unread.has(each.name)) continue;
      if (wrappers.has(each.name)) take(each);
      else if (each.name === 'w:sdt' && !child(each, 'w:sdtPr', 'w14:checkbox')) take(child(each, 'w:sdtContent'));
      else if (each.name === 'mc:AlternateContent') {
        const choices = elements(each);
        take(choices.find(saysAnything) ?? choices[0]);
      } else list.push(each);
    }
  };
  take(parent);
  return list;
}

const saysAnything = (element: Element): boolean =>
  elements(element).some(
    (each) =>
      ['w:t', 'm:t', 'w:sym', 'textpath'].includes(each.name) || (each.children.length > 0 && saysAnything(each)),
  );
