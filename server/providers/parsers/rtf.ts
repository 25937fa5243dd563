import { addressIn, listText, marked } from './docx.blocks.ts';
import { readOldEquation } from './docx.math.ts';
import type { Mark } from './docx.numbering.ts';
import { symbolText } from './docx.symbols.ts';
import { falling, rising } from './html.ts';
import { ParseError } from './parser.ts';
import type { Block, Draft, Parser } from './parser.ts';
import { emptyTable, tableBlocks, type RowLayout, type RtfTable } from './rtf.table.ts';
import { codePageOf, decodeRtf, readRtf, symbolCharset } from './rtf.tokens.ts';
import { addressBehind, unwrap } from './text.ts';
import { createWarnings } from './warnings.ts';

/** Rich Text Format (specification 1.9.1), as Word, WordPad, TextEdit and LibreOffice write it. */
export const rtf: Parser = {
  name: 'RTF',
  extensions: ['rtf'],
  mime: 'application/rtf',
  isPlain: true,
  accepts: (head) =>
    /^(?:\u00EF\u00BB\u00BF)?\s{0,16}\{\\rtf/.test(Buffer.from(head.subarray(0, 64)).toString('latin1')),
  async parse(file) {
    return { ...blocksOfRtf(Buffer.from(file).toString('latin1')), pages: null };
  },
};

/** Where text goes: to the page, nowhere, or to what describes the page. */
type Destination =
  | 'text'
  /** Nothing in it is looked at. */
  | 'skip'
  /** What it holds itself is no text, but the text of a box or an object may be in it. */
  | 'around'
  | 'code'
  | 'mark'
  | 'fonts'
  | 'styles'
  | 'info'
  | 'title'
  | 'form';

interface Paragraph {
  style: number;
  outline: number | undefined;
  depth: number;
  level: number;
}

/** What a group hands on to those in it; never changed, so that a group costs next to nothing. */
interface State {
  destination: Destination;
  /** Of what is around a box, an object or a field. */
  outer: Destination;
  font: number;
  /** How many characters stand after each of Unicode, for those who have none. */
  fallback: number;
  isHidden: boolean;
  isDeleted: boolean;
  rise: 'super' | 'sub' | undefined;
  paragraph: Paragraph;
}

/** What is read in one go: the body, a note, a header, a text box. */
interface Story {
  kind: 'body' | 'note' | 'margin' | 'box';
  blocks: Block[];
  /** The text of the paragraph as it grows. */
  line: string[];
  mark: string;
  list: { line: string; mark: Mark }[];
  tables: RtfTable[];
  /** Notes and boxes of the paragraph; they come after it, or after the list or table that it is in. */
  attached: Block[];
  later: Block[];
}

interface Field {
  code: string;
  /** Where in the line its result begins. */
  from: number;
  /** Of a box to tick: its state, and that which it began with. */
  result: number;
  usual: number;
}

const deepest = 10_000;
const deepestField = 50;
const longestHeading = 200;
const noParagraph: Paragraph = { style: 0, outline: undefined, depth: 0, level: 0 };

/** Destinations that begin with `\*`, so that who does not know them leaves them out, and that say something. */
const knownStarred = new Set(
  'shppict shpinst do fldinst nesttableprops ud moMath moMathPara annotation formfield footnote cs'.split(' '),
);
const skipped = new Set(
  'colortbl filetbl nonshppict shprslt xe tc tcn rxe bkmkstart bkmkend nonesttables ftnsep ftnsepc ftncn aftnsep aftnsepc aftncn private template revtbl listtable listoverridetable list listlevel leveltext levelnumbers listname listoverride rsidtbl datafield'.split(
    ' ',
  ),
);
const margins = new Set('header headerl headerr headerf footer footerl footerr footerf'.split(' '));
const characters = new Map(
  Object.entries({
    '~': ' ',
    _: '-',
    tab: '\t',
    line: '\n',
    lbr: '\n',
    softline: '\n',
    emdash: '—',
    endash: '–',
    lquote: '‘',
    rquote: '’',
    ldblquote: '“',
    rdblquote: '”',
    bullet: '•',
    emspace: ' ',
    enspace: ' ',
    qmspace: ' ',
  }),
);

/**
 * RTF to blocks: what Word shows, with deleted and hidden text left out, and with comments, pictures and files inside left out and told.
 * Headers and footers come first, each text once; notes and text boxes come after the paragraph, list or table that they are in. Throws
 * ParseError 'file-unsafe' below 10,000 groups.
 */
function blocksOfRtf(source: string): Pick<Draft, 'title' | 'blocks' | 'warnings'> {
  const warnings = createWarnings();
  const fonts = new Map<number, { name: string; codePage: number | undefined; isSymbol: boolean }>();
  const styles = new Map<number, { name: string; outline: number | undefined; basedOn: number | undefined }>();
  const marginBlocks: Block[] = [];
  const seenMargins = new Set<string>();
  const readings = new Set<string>();
  const fields: Field[] = [];
  const frames: { state: State; end: (() => void) | undefined }[] = [];
  let [codePage, usualFont, noteNumber] = [1252, 0, 0];
  let [namedFont, namedStyle] = [0, 0];
  let fileTitle = '';
  let title: string | null = null;
  let layout: RowLayout = { cells: [] };
  let merge = { isMergedAcross: false, isMergedDown: false };
  let bytes = '';
  let toSkip = 0;
  let isStarred = false;
  /** Only there a word says what its group is for. */
  let isAtStart = false;
  let state: State = {
    destination: 'text',
    outer: 'text',
    font: 0,
    fallback: 1,
    isHidden: false,
    isDeleted: false,
    rise: undefined,
    paragraph: noParagraph,
  };
  let story = startStory('body');

  readRtf(source, { open, close, control, text });
  // Braces that are missing at the end take no text away.
  while (frames.length > 0) close();
  const { blocks } = endStory(story);
  return { title: fileTitle.trim() || title, blocks: [...marginBlocks, ...blocks], warnings: warnings.list() };

  function open(): void {
    flush();
    toSkip = 0;
    if (frames.length > deepest) throw new ParseError('file-unsafe');
    frames.push({ state, end: undefined });
    isAtStart = true;
  }

  function close(): void {
    flush();
    toSkip = 0;
    isStarred = false;
    isAtStart = false;
    const frame = frames.pop();
    if (!frame) return;
    frame.end?.();
    state = frame.state;
  }

  function text(given: string): void {
    isStarred = false;
    isAtStart = false;
    if (state.destination === 'skip' || state.destination === 'around') return;
    const from = Math.min(toSkip, given.length);
    toSkip -= from;
    bytes += given.slice(from);
  }

  /** Bytes are one character or several together, so they are decoded where a run of them ends. */
  function flush(): void {
    if (bytes === '') return;
    const run = bytes;
    bytes = '';
    const font = fonts.get(state.font);
    // What a file says of itself is in the encoding of the whole.
    if (state.destination === 'title') return write(decodeRtf(run, codePage));
    if (!font?.isSymbol || state.destination !== 'text') return write(decodeRtf(run, font?.codePage ?? codePage));
    for (const byte of run) write(byte === ' ' ? byte : symbol(nameOfFont(), 0xf0_00 + byte.charCodeAt(0)));
  }

  function symbol(font: string | undefined, code: number): string {
    const shown = symbolText(font, code);
    if (shown === '\uFFFD' && state.destination === 'text' && !state.isHidden) warnings.add('character');
    return shown;
  }

  function write(given: string): void {
    switch (state.destination) {
      case 'text': {
        if (state.isHidden || state.isDeleted) return;
        const marks = state.rise === 'super' ? rising : falling;
        const small = state.rise && Array.from(given, (each) => marks.get(each));
        story.line.push(small?.every((each) => each !== undefined) ? small.join('') : given);
        return;
      }
      case 'code': {
        const field = fields.at(-1);
        if (field) field.code += given;
        return;
      }
      case 'mark':
        story.mark += given;
        return;
      case 'fonts': {
        const font = fonts.get(namedFont);
        if (font && font.name.length < 100) font.name += given;
        return;
      }
      case 'styles': {
        const style = styles.get(namedStyle);
        if (style && style.name.length < 100) style.name += given;
        return;
      }
      case 'title':
        fileTitle += given;
    }
  }

  function control(name: string, number: number | undefined): void {
    if (name === '*') {
      isStarred = isAtStart;
      return;
    }
    const wasStarred = isStarred;
    isStarred = false;
    isAtStart = false;
    flush();
    if (state.destination === 'skip' && name !== 'ud') return;
    if (wasStarred && !knownStarred.has(name) && state.destination !== 'styles') {
      go('skip');
      return;
    }
    if (!begin(name)) set(name, number);
  }

  function go(destination: Destination): void {
    state = { ...state, destination };
  }

  function atEnd(end: () => void): void {
    const frame = frames.at(-1);
    if (frame) frame.end = end;
  }

  /** Whether a control word says what its group is. */
  function begin(name: string): boolean {
    if (skipped.has(name) || /^m[a-z]{1,10}Pr$/.test(name)) go('skip');
    else if (margins.has(name)) enter('margin');
    else
      switch (name) {
        case 'fonttbl':
          go('fonts');
          break;
        case 'stylesheet':
          go('styles');
          break;
        case 'info':
          go('info');
          break;
        case 'title':
          go(state.destination === 'info' ? 'title' : 'skip');
          break;
        case 'pict':
          if (!state.isHidden) warnings.add('picture');
          go('skip');
          break;
        case 'annotation':
          warnings.add('comment');
          go('skip');
          break;
        case 'object':
          warnings.add('file-inside');
          state = { ...state, outer: state.destination, destination: 'around' };
          break;
        case 'upr':
          // The same once more in Unicode comes after it.
          state = { ...state, outer: state.destination, destination: 'skip' };
          break;
        case 'shpinst':
        case 'do':
          state = { ...state, outer: state.destination, destination: 'around' };
          break;
        case 'nesttableprops':
          state = { ...state, destination: 'around' };
          break;
        case 'result':
        case 'fldrslt':
        case 'ud':
          go(state.outer);
          if (name === 'fldrslt') startResult();
          break;
        case 'shptxt':
        case 'dptxbxtext':
          enter('box');
          break;
        case 'footnote':
          enter('note');
          break;
        case 'field':
          beginField();
          break;
        case 'fldinst':
          go('code');
          break;
        case 'formfield':
          go('form');
          break;
        case 'listtext':
        case 'pntext':
          go('mark');
          break;
        default:
          // The rest of what a file says of itself is not on its pages.
          return state.destination === 'info';
      }
    return true;
  }

  function set(name: string, number: number | undefined): void {
    const isOn = number !== 0;
    const { paragraph } = state;
    const ofParagraph = (changes: Partial<Paragraph>) => {
      state = { ...state, paragraph: { ...paragraph, ...changes } };
    };
    const character = characters.get(name);
    if (character !== undefined) {
      if (toSkip > 0) toSkip--;
      else write(character);
      return;
    }
    if (state.destination === 'fonts') return setFont(name, number ?? 0);
    if (state.destination === 'styles') return setStyle(name, number ?? 0);
    switch (name) {
      case 'u':
        writeUnit(number ?? 0);
        return;
      case 'uc':
        state = { ...state, fallback: Math.max(0, number ?? 1) };
        return;
      case 'f':
        state = { ...state, font: number ?? 0 };
        return;
      case 'plain':
        state = { ...state, font: usualFont, isHidden: false, isDeleted: false, rise: undefined };
        return;
      case 'v':
        state = { ...state, isHidden: isOn };
        return;
      case 'deleted':
        state = { ...state, isDeleted: isOn };
        return;
      case 'super':
      case 'sub':
        state = { ...state, rise: isOn ? name : undefined };
        return;
      case 'nosupersub':
        state = { ...state, rise: undefined };
        return;
      case 'ansicpg':
        codePage = number ?? codePage;
        return;
      case 'mac':
        codePage = 10000;
        return;
      case 'deff':
        usualFont = number ?? 0;
        state = { ...state, font: usualFont };
        return;
      case 'pard':
        state = { ...state, paragraph: noParagraph };
        return;
      case 's':
        return ofParagraph({ style: number ?? 0 });
      case 'outlinelevel':
        return ofParagraph({ outline: number });
      case 'ilvl':
        return ofParagraph({ level: number ?? 0 });
      case 'intbl':
        return ofParagraph({ depth: isOn ? Math.max(1, paragraph.depth) : 0 });
      case 'itap':
        return ofParagraph({ depth: Math.min(50, Math.max(0, number ?? 1)) });
      case 'par':
      case 'sect':
      case 'page':
        if (state.destination === 'text') endParagraph(paragraph.depth);
        return;
      case 'cell':
        return endCell(1);
      case 'nestcell':
        return endCell(Math.max(2, paragraph.depth));
      case 'row':
        return endRow(1);
      case 'nestrow':
        return endRow(Math.max(2, paragraph.depth));
      case 'trowd':
        layout = { cells: [] };
        return;
      case 'clmrg':
        merge = { ...merge, isMergedAcross: true };
        return;
      case 'clvmrg':
        merge = { ...merge, isMergedDown: true };
        return;
      case 'cellx':
        if (layout.cells.length < 1_000) layout.cells.push({ right: number ?? 0, ...merge });
        merge = { isMergedAcross: false, isMergedDown: false };
        return;
      case 'chftn':
        if (story.kind !== 'note' && !state.isHidden) noteNumber++;
        return write(`[${noteNumber}]`);
      case 'mden':
        return write('/');
      case 'ffres':
      case 'ffdefres':
        setForm(name, number ?? 0);
    }
  }

  function setFont(name: string, number: number): void {
    if (name === 'f') {
      namedFont = number;
      if (fonts.size < 10_000) fonts.set(number, { name: '', codePage: undefined, isSymbol: false });
    }
    const font = fonts.get(namedFont);
    if (!font) return;
    if (name === 'fcharset') {
      font.codePage = codePageOf(number) ?? font.codePage;
      font.isSymbol = number === symbolCharset;
    }
    if (name === 'cpg') font.codePage = number;
  }

  function setStyle(name: string, number: number): void {
    if (name === 's' || name === 'cs' || name === 'ds' || name === 'ts') {
      namedStyle = name === 's' ? number : -1;
      if (name === 's' && styles.size < 10_000)
        styles.set(number, { name: '', outline: undefined, basedOn: undefined });
    }
    const style = styles.get(namedStyle);
    if (!style) return;
    if (name === 'outlinelevel') style.outline = number;
    if (name === 'sbasedon') style.basedOn = number;
  }

  /** Half of a pair is joined by the other half. */
  function writeUnit(number: number): void {
    const unit = number & 0xff_ff;
    write(unit >= 0xf0_00 && unit <= 0xf0_ff ? symbol(nameOfFont(), unit) : String.fromCharCode(unit));
    toSkip = state.fallback;
  }

  function nameOfFont(): string | undefined {
    return fonts.get(state.font)?.name.split(';')[0]?.trim();
  }

  function startStory(kind: Story['kind']): Story {
    return { kind, blocks: [], line: [], mark: '', list: [], tables: [], attached: [], later: [] };
  }

  /** Reads the rest of the group as a text of its own. */
  function enter(kind: 'note' | 'margin' | 'box'): void {
    const outer = story;
    const isShown = !state.isHidden && !state.isDeleted;
    story = startStory(kind);
    state = { ...state, destination: 'text', outer: 'text', paragraph: noParagraph };
    atEnd(() => {
      const { blocks } = endStory(story);
      story = outer;
      if (!isShown) return;
      if (kind === 'note') append(outer.attached, blocks.map(plain));
      else if (kind === 'box') append(outer.attached, blocks);
      else
        for (const block of blocks) {
          if (seenMargins.has(block.text) || !/[\p{L}\p{N}]/u.test(block.text)) continue;
          seenMargins.add(block.text);
          marginBlocks.push(plain(block));
        }
    });
  }

  function endStory(ended: Story): Story {
    if (ended.line.length > 0 || ended.attached.length > 0) endParagraph(state.paragraph.depth);
    fit(0);
    endList();
    return ended;
  }

  function push(kind: Block['kind'], shown: string, level?: number): void {
    if (shown !== '') story.blocks.push({ kind, text: shown, page: null, ...(level === undefined ? {} : { level }) });
  }

  function endList(): void {
    const [only, ...more] = story.list;
    // Alone it may be an article of a contract or a question, which is read as a paragraph is.
    if (only && more.length === 0 && !only.mark.isBullet) push('paragraph', only.line);
    else if (only) push('list', listText(story.list));
    story.list = [];
    append(story.blocks, story.later);
    story.later = [];
  }

  /** Ends tables that are further in than a paragraph, and begins those that it is in. */
  function fit(depth: number): void {
    while (story.tables.length > depth) {
      const table = story.tables.pop();
      if (!table) return;
      endTexts(table);
      if (table.cells.length > 0) table.rows.push({ cells: table.cells, layout: { cells: [] } });
      const outer = story.tables.at(-1);
      append(outer ? outer.later : story.blocks, tableBlocks(table));
    }
    if (depth > 0 && story.tables.length === 0) endList();
    while (story.tables.length < depth) story.tables.push(emptyTable());
  }

  function endTexts(table: RtfTable): void {
    if (table.texts.length === 0) return;
    table.cells.push(table.texts.join(' '));
    table.texts = [];
  }

  function takeLine(): { shown: string; mark: Mark | undefined } {
    const shown = story.line.join('').split('\n').map(unwrap).join('\n').trim();
    const sign = unwrap(story.mark.replaceAll('\t', ' '));
    story.line = [];
    story.mark = '';
    for (const field of fields) field.from = 0;
    // A private character is a picture of a font; a lone o is the circle of others.
    const isBullet = /^(?:[\p{P}\p{S}\p{Co}\uFFFD]|o)$/u.test(sign) && !/^[※]$/.test(sign);
    return { shown, mark: sign === '' ? undefined : { text: sign, depth: state.paragraph.level, isBullet, gap: ' ' } };
  }

  function endParagraph(depth: number): void {
    fit(depth);
    const { shown, mark } = takeLine();
    const whole = marked(mark, shown);
    const table = story.tables[depth - 1];
    if (table) {
      if (whole !== '') table.texts.push((mark?.isBullet ? shown : whole).replaceAll('\n', ' '));
      append(table.later, story.attached);
      story.attached = [];
      return;
    }
    const level = levelOf(state.paragraph);
    if (mark && level === undefined && shown !== '') story.list.push({ line: whole, mark });
    else if (shown !== '') {
      endList();
      if (level === undefined || whole.length > longestHeading) push('paragraph', whole);
      else push('heading', whole.replaceAll('\n', ' '), level);
      const isTitle = /^(?:title|表題)$/i.test(styleName(styles.get(state.paragraph.style)?.name));
      if (story.kind === 'body' && (isTitle || level !== undefined)) title ??= shown.replaceAll('\n', ' ');
    }
    append(story.later, story.attached);
    story.attached = [];
    if (story.list.length === 0) endList();
  }

  function endCell(depth: number): void {
    endParagraph(depth);
    const table = story.tables[depth - 1];
    if (table && table.texts.length === 0) table.cells.push('');
    else if (table) endTexts(table);
  }

  function endRow(depth: number): void {
    fit(Math.min(depth, story.tables.length));
    const table = story.tables[depth - 1];
    if (!table) return;
    endTexts(table);
    if (table.cells.length > 0) table.rows.push({ cells: table.cells, layout });
    table.cells = [];
  }

  function levelOf({ outline, style }: Paragraph): number | undefined {
    const levelAt = (level: number) => (level >= 0 && level < 9 ? Math.min(6, level + 1) : undefined);
    if (outline !== undefined) return levelAt(outline);
    let next = styles.get(style);
    for (let steps = 0; next && steps < 20; steps++) {
      if (next.outline !== undefined) return levelAt(next.outline);
      const named = /^(?:heading|見出し)\s?([1-9])$/i.exec(styleName(next.name))?.[1];
      if (named) return levelAt(Number(named) - 1);
      next = next.basedOn === undefined ? undefined : styles.get(next.basedOn);
    }
    return undefined;
  }

  function beginField(): void {
    const field = { code: '', from: story.line.length, result: 25, usual: 0 };
    if (fields.length >= deepestField) return;
    fields.push(field);
    state = { ...state, outer: state.destination };
    atEnd(() => {
      fields.pop();
      endField(field);
    });
  }

  function startResult(): void {
    const field = fields.at(-1);
    if (field) field.from = story.line.length;
  }

  function endField({ code, from, result, usual }: Field): void {
    if (state.destination !== 'text' || state.isHidden) return;
    const shown = story.line.slice(from).join('').trim();
    const [word = ''] = /[A-Z]+/i.exec(code.slice(0, 40)) ?? [];
    const address = addressIn(code);
    // 25 is neither: it is as it began.
    if (word === 'FORMCHECKBOX') story.line.push((result === 25 ? usual : result) === 1 ? '☒' : '☐');
    else if (word === 'PAGE' && story.kind === 'margin') story.line.length = from;
    else if (word === 'SYMBOL' && shown === '') {
      const [, number = '', font] =
        /SYMBOL\s{1,5}(\d{1,5})(?:.{0,20}\\f\s{0,5}"([^"]{1,50})")?/i.exec(code.slice(0, 200)) ?? [];
      story.line.push(symbol(font, Number(number) < 256 && font ? Number(number) + 0xf0_00 : Number(number)));
    } else if (word === 'EQ' && shown === '') {
      const { text: plainText, reading } = readOldEquation(code);
      const isNew = reading !== undefined && !readings.has(`${plainText}\n${reading}`);
      if (isNew) readings.add(`${plainText}\n${reading}`);
      story.line.push(isNew ? `${plainText}（${reading}）` : plainText);
    } else story.line.push(addressBehind(shown, address));
  }

  function setForm(name: 'ffres' | 'ffdefres', number: number): void {
    const field = fields.at(-1);
    if (field) field[name === 'ffres' ? 'result' : 'usual'] = number;
  }
}

/** Of more than a call can be given at once. */
function append(blocks: Block[], more: Block[]): void {
  for (const block of more) blocks.push(block);
}

const plain = (block: Block): Block => ({
  kind: block.kind === 'heading' ? 'paragraph' : block.kind,
  text: block.text,
  page: null,
});

/** Styles end with a semicolon, and have other names after a comma. */
const styleName = (name = ''): string => (name.split(/[;,]/)[0] ?? '').trim();
