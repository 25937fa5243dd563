import { labelled } from '../../../shared/characters.ts';
import { ParseError } from './parser.ts';
import type { Block, Parser, WebPage } from './parser.ts';
import { decodeText, isTextHead, roman, unwrap } from './text.ts';

export const html: Parser = {
  name: 'HTML',
  extensions: ['html', 'htm'],
  mime: 'text/html',
  isPlain: false,
  accepts: isTextHead,
  async parse(file, onProgress) {
    const text = decodeText(file, declaredCharset(file));
    onProgress(0.1);
    const { title, blocks, page, isDrawnByScript } = await blocksOfHtml(text);
    if (isDrawnByScript) throw new ParseError('drawn-by-script');
    return { title, pages: null, page, warnings: [], blocks };
  },
};

/** A name that a page gives itself in `<meta charset>` or `http-equiv`, when TextDecoder knows it. */
function declaredCharset(file: Uint8Array): string | undefined {
  const head = Buffer.from(file.subarray(0, 4096)).toString('latin1');
  const tags = head.match(/<meta[^<>]*/gi) ?? [];
  const name = tags.map((tag) => /charset\s*=[\s"']*([\w-]+)/i.exec(tag)?.[1]).find(Boolean);
  try {
    return name === undefined ? undefined : new TextDecoder(name).encoding;
  } catch {
    return undefined;
  }
}

/** What is used of a DOM node. linkedom types its tree with the browser's types, which a server program does not have. */
interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
  readonly nextElementSibling: DomNode | null;
  readonly previousElementSibling: DomNode | null;
  getAttribute(name: string): string | null;
}
interface DomDocument extends DomNode {
  readonly documentElement: DomNode;
  readonly title: string;
}

const setOf = (names: string) => new Set(names.split(' '));
/** What no browser shows; the children of players are for browsers that cannot play. */
const unseen = setOf(
  'SCRIPT STYLE NOSCRIPT TEMPLATE META LINK AUDIO VIDEO IFRAME RP ANNOTATION ANNOTATION-XML DEFS SYMBOL METADATA',
);
const blockLevel = setOf(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIALOG DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM HEADER HGROUP HR HTML LEGEND LI MAIN MENU NAV OL P PRE SEARCH SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL H1 H2 H3 H4 H5 H6',
);
/** Drawn with a gap around them, though they stand in a line. */
const spaced = setOf('BUTTON LABEL TEXTAREA OUTPUT TEXT');
const lists = setOf('UL OL MENU');
const headings = setOf('H1 H2 H3 H4 H5 H6');

const nameOf = (node: DomNode) => node.nodeName.toUpperCase();
const attribute = (node: DomNode, name: string) => node.getAttribute(name)?.trim() ?? '';

/**
 * HTML to blocks: all that a browser shows, what is folded away or hidden until it is chosen, and what stands for pictures and behind
 * links. Menus are left out, unless the page is nothing else. No walk keeps recursion, so depth is no danger.
 */
export async function blocksOfHtml(
  text: string,
): Promise<{ title: string | null; blocks: Block[]; page: WebPage; isDrawnByScript: boolean }> {
  const { parseHTML } = await import('linkedom');
  const whole = /<html[\s>]/i.test(text) ? text : `<html><body>${text}</body></html>`;
  // A border: linkedom's document does what DomDocument says.
  const document = parseHTML(whole).document as unknown as DomDocument;
  const root = document.documentElement;
  const page = survey(root);
  let blocks = collectBlocks(root, page);
  if (blocks.length === 0) blocks = collectBlocks(root, { ...page, menus: new Set() });
  return {
    title: document.title || (blocks.find((block) => block.kind === 'heading')?.text ?? null),
    blocks,
    page: page.web,
    isDrawnByScript: blocks.length === 0 && page.hasScript && page.hasRoomForText,
  };
}

/** Calls back on entering and leaving each node of a tree, in order; `enter` returning false skips what is inside. */
function walk(root: DomNode, enter: (node: DomNode) => boolean, leave: (node: DomNode) => void): void {
  let node: DomNode | null = root;
  while (node) {
    const inside: DomNode | null = enter(node) ? node.firstChild : null;
    if (inside) {
      node = inside;
      continue;
    }
    leave(node);
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      if (node) leave(node);
    }
    node = node === root || !node ? null : node.nextSibling;
  }
}

/** What must be known of a page before it is read. */
interface Page {
  web: WebPage;
  base: string | null;
  byId: Map<string, DomNode>;
  /** Elements that hold nothing but links to pages: those of `nav`, and of lists and lines in headers, footers and asides. */
  menus: Set<DomNode>;
  /** Elements with headings, tables or code that cannot be written as one text. */
  structured: Set<DomNode>;
  /** Tables that name what their cells are, so that they are no means of layout. */
  named: Set<DomNode>;
  /** Words whose reading has been written. */
  readings: Set<string>;
  hasScript: boolean;
  hasRoomForText: boolean;
}

const isNavigation = (node: DomNode) => nameOf(node) === 'NAV' || attribute(node, 'role') === 'navigation';
const isFrame = (node: DomNode) =>
  /^(?:HEADER|FOOTER|ASIDE)$/.test(nameOf(node)) || /^(?:banner|contentinfo)$/.test(attribute(node, 'role'));

function survey(root: DomNode): Page {
  const page: Page = {
    web: { base: null, links: [], canonical: null, robots: '' },
    base: null,
    byId: new Map(),
    menus: new Set(),
    structured: new Set(),
    named: new Set(),
    readings: new Set(),
    hasScript: false,
    hasRoomForText: false,
  };
  /** For each open element: its links, and whether anything but links is in it. */
  const open: { links: number; isMixed: boolean }[] = [{ links: 0, isMixed: false }];
  const tables: DomNode[] = [];
  let [inLink, inFrame, inNavigation] = [0, 0, 0];
  const mix = () => {
    const last = open.at(-1);
    if (last) last.isMixed = true;
  };
  walk(
    root,
    (node) => {
      if (node.nodeType === 3 && inLink === 0 && /[\p{L}\p{N}]/u.test(node.textContent ?? '')) mix();
      if (node.nodeType !== 1) return false;
      const name = nameOf(node);
      open.push({ links: 0, isMixed: false });
      const id = attribute(node, 'id');
      if (id) page.byId.set(id, node);
      noteWeb(node, name, page.web);
      if (name === 'SCRIPT') page.hasScript = true;
      else if (!/^(?:HTML|HEAD|BODY|TITLE|META|LINK|STYLE|BASE)$/.test(name)) page.hasRoomForText = true;
      const address =
        name === 'BASE' || (name === 'LINK' && attribute(node, 'rel') === 'canonical') ? attribute(node, 'href') : '';
      if (/^https?:/i.test(address)) page.base ??= address;
      if (headings.has(name) || name === 'TABLE')
        for (let up = node.parentNode; up && !page.structured.has(up); up = up.parentNode) page.structured.add(up);
      const table = tables.at(-1);
      if (table && (name === 'TH' || name === 'CAPTION')) page.named.add(table);
      if (name === 'TABLE') tables.push(node);
      if (isNavigation(node)) inNavigation++;
      if (isFrame(node)) inFrame++;
      if (inLink > 0 && blockLevel.has(name)) mix();
      if (
        inLink === 0 &&
        ((name === 'IMG' && attribute(node, 'alt')) || /^(?:INPUT|SELECT|FORM)$/.test(name)) &&
        inNavigation === 0
      )
        mix();
      if (isPageLink(node) || (inNavigation > 0 && isControl(node))) inLink++;
      return true;
    },
    (node) => {
      if (node.nodeType !== 1) return;
      const own = open.pop();
      const parent = open.at(-1);
      if (!own || !parent) return;
      if (isPageLink(node)) own.links++;
      if (isPageLink(node) || (inNavigation > 0 && isControl(node))) inLink--;
      const mayBeMenu = inNavigation > 0 || (inFrame > 0 && own.links > 1);
      if (mayBeMenu && !own.isMixed && own.links > 0 && inLink === 0 && nameOf(node) !== 'A') page.menus.add(node);
      if (isNavigation(node)) inNavigation--;
      if (isFrame(node)) inFrame--;
      if (nameOf(node) === 'TABLE') tables.pop();
      parent.links += own.links;
      parent.isMixed ||= own.isMixed;
    },
  );
  return page;
}

const mostLinks = 5_000;

function noteWeb(node: DomNode, name: string, web: WebPage): void {
  const href = () => attribute(node, 'href');
  if ((name === 'A' || name === 'AREA') && web.links.length < mostLinks) {
    const isFollowed = !/\bnofollow\b/i.test(attribute(node, 'rel'));
    if (href() && isFollowed) web.links.push(href());
  } else if (/^I?FRAME$/.test(name) && web.links.length < mostLinks) {
    if (attribute(node, 'src')) web.links.push(attribute(node, 'src'));
  } else if (name === 'BASE') web.base ??= href() || null;
  else if (name === 'LINK' && /^canonical$/i.test(attribute(node, 'rel'))) web.canonical ??= href() || null;
  else if (
    name === 'LINK' &&
    web.links.length < mostLinks &&
    /^alternate$/i.test(attribute(node, 'rel')) &&
    /\b(?:rss|atom)\b/i.test(attribute(node, 'type'))
  )
    web.links.push(href());
  else if (name === 'META' && /^(?:robots|kotae)$/i.test(attribute(node, 'name')))
    web.robots += ` ${attribute(node, 'content').toLowerCase()}`;
}

/** Mail addresses and telephone numbers are no menu. */
const isPageLink = (node: DomNode) => nameOf(node) === 'A' && !/^(?:mailto|tel|sms):/i.test(attribute(node, 'href'));
const isControl = (node: DomNode) =>
  /^(?:BUTTON|LABEL|SELECT|TEXTAREA)$/.test(nameOf(node)) || node.getAttribute('aria-current') !== null;

function collectBlocks(root: DomNode, page: Page): Block[] {
  const blocks: Block[] = [];
  const writer = createWriter(page, { withMarks: false });
  const tables = createTables(page);
  const open = new Set<DomNode>();
  const openLists: Numbering[] = [];
  const alreadyRead = new Set<DomNode>();
  /** The number of a list's item, which belongs to the first text in it. */
  let mark = '';
  const push = (kind: Block['kind'], text: string, level?: number) => {
    if (text.trim() === '') return;
    const isInLine = kind === 'paragraph' || kind === 'heading';
    const numbered = mark && !isInLine ? `${mark.trim()}\n${text}` : mark + text;
    blocks.push({ kind, text: numbered, page: null, ...(level === undefined ? {} : { level }) });
    mark = '';
  };
  const flush = (kind: Block['kind'] = 'paragraph', level?: number) => push(kind, lines(writer.take()), level);
  const pushPair = ([ask, reply]: Pair) => push(/[?？]$/.test(ask) && reply ? 'qa' : 'paragraph', pairText(ask, reply));
  walk(
    root,
    (node) => {
      if (node.nodeType !== 1) return writer.enter(node);
      const name = nameOf(node);
      if (alreadyRead.has(node)) return false;
      if (blockLevel.has(name) || levelOf(node)) flush();
      open.add(node);
      const isPlain = !page.structured.has(node) && !page.menus.has(node);
      const panel = panelOf(node, page);
      if (panel && !open.has(panel) && !alreadyRead.has(panel)) {
        flush();
        alreadyRead.add(panel);
        pushPair([
          lines(textOf(node, page)).replaceAll('\n', ' '),
          lines(textOf(panel, page)).replace(/\n{2,}/g, '\n'),
        ]);
      } else if (name === 'PRE') push('code', codeOf(node));
      else if (name === 'TABLE' && isGrid(node, page)) push('table', tables.textOf(node));
      else if (lists.has(name) && isPlain) push('list', listText(node, page));
      else if ((name === 'DL' || name === 'DETAILS') && isPlain) for (const pair of pairsIn(node, page)) pushPair(pair);
      else {
        if (lists.has(name) && page.structured.has(node)) openLists.push(numberingOf(node));
        if (name === 'LI') mark = openLists.at(-1)?.isOrdered ? markOf(openLists.at(-1), node) : '';
        return writer.enter(node);
      }
      return false;
    },
    (node) => {
      writer.leave(node);
      if (node.nodeType !== 1) return;
      open.delete(node);
      const name = nameOf(node);
      const level = levelOf(node);
      if (lists.has(name) && page.structured.has(node)) openLists.pop();
      if (level) {
        flush('heading', level);
        writer.addPutOff();
      } else if (blockLevel.has(name)) flush();
    },
  );
  flush();
  return blocks;
}

function levelOf(node: DomNode): number {
  const level = /^H([1-6])$/.exec(nameOf(node))?.[1];
  if (level) return Number(level);
  if (attribute(node, 'role') !== 'heading') return 0;
  return Math.min(6, Math.max(1, Number(attribute(node, 'aria-level')) || 2));
}

/** What a button opens or a tab shows: named by the button, else beside it. Undefined where it cannot be written as one text. */
function panelOf(node: DomNode, page: Page): DomNode | undefined {
  const isOpener = node.getAttribute('aria-expanded') !== null || attribute(node, 'role') === 'tab';
  if (!isOpener || nameOf(node) === 'DETAILS') return undefined;
  let beside: DomNode | null = node;
  for (
    let climbed = 0;
    climbed < 3 && beside && !beside.nextElementSibling && !beside.previousElementSibling;
    climbed++
  ) {
    if (levelOf(beside)) return undefined;
    beside = beside.parentNode;
  }
  const panel =
    page.byId.get(attribute(node, 'aria-controls')) ??
    (attribute(node, 'role') === 'tab' ? undefined : (beside?.nextElementSibling ?? undefined));
  const isFit =
    panel &&
    blockLevel.has(nameOf(panel)) &&
    !page.structured.has(panel) &&
    !page.menus.has(panel) &&
    !isInHeading(node);
  return isFit && nameOf(panel) !== 'TABLE' ? panel : undefined;
}

function isInHeading(node: DomNode): boolean {
  let up = node.parentNode;
  for (let climbed = 0; climbed < 4 && up; climbed++, up = up.parentNode)
    if (up.nodeType === 1 && levelOf(up)) return true;
  return false;
}

// Breaks and spaces that are meant, as against those of the source. Unicode keeps these for a program's own use: no text has them.
const lineBreak = '\uFDD0';
const codeBreak = '\uFDD1';
const codeSpace = '\uFDD2';
const codeTab = '\uFDD3';
/** Before and after a block of code in a text. */
const codeEdge = '\uFDD6';

/** Code as it is written survives the joining of lines. */
const shielded = (code: string) =>
  code.replaceAll('\n', codeBreak).replaceAll(' ', codeSpace).replaceAll('\t', codeTab);
const unshielded = (text: string) =>
  text.replaceAll(codeBreak, '\n').replaceAll(codeSpace, ' ').replaceAll(codeTab, '\t').replaceAll(codeEdge, '');

/** One line for each intended line, however the source was laid out. */
const lines = (text: string) => unshielded(text.split(lineBreak).map(unwrap).join('\n')).trim();
const oneLine = (text: string) => unwrap(unshielded(text.replaceAll(lineBreak, ' ')));

/** Behind a link: addresses that lead somewhere from any place. */
export const isAddress = (address: string): boolean => /^(?:https?|mailto|tel|sms):/i.test(address);

interface Writer {
  add(text: string): void;
  enter(node: DomNode): boolean;
  leave(node: DomNode): void;
  /** The text since the last time. */
  take(): string;
  /** Addresses in a heading stand below it. */
  addPutOff(): void;
}

/** Longer texts are not searched for the title or address that may stand in them. */
const mostCompared = 1000;
export const rising = new Map(
  '0⁰ 1¹ 2² 3³ 4⁴ 5⁵ 6⁶ 7⁷ 8⁸ 9⁹ +⁺ -⁻ −⁻ n'.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1) || 'ⁿ']),
);
export const falling = new Map(
  '0₀ 1₁ 2₂ 3₃ 4₄ 5₅ 6₆ 7₇ 8₈ 9₉ +₊ -₋ −₋'.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]),
);
const between: Record<string, string> = { MFRAC: '/', MSUP: '^', MSUB: '_', MOVER: '^', MUNDER: '_' };

/** Writes elements that stand in a line, as a visitor reads them. */
function createWriter(page: Page, { withMarks = true } = {}): Writer {
  let parts: string[] = [];
  let takes = 0;
  let putOff: string[] = [];
  let readings = '';
  let [inSvg, inHeading] = [0, 0];
  const openLists: Numbering[] = [];
  const open: { node: DomNode; from: number; take: number }[] = [];

  const add = (text: string) => {
    if (text !== '') parts.push(text);
  };
  const since = (from: number) => {
    const added = parts.length - from > 100 ? '' : parts.slice(from).join('');
    return added.length > mostCompared ? '' : added;
  };
  /** The first time that a word has this reading. */
  const addReadings = (base: string) => {
    if (readings.trim() !== '' && !page.readings.has(`${base}\0${readings}`)) add(`（${readings.trim()}）`);
    page.readings.add(`${base}\0${readings}`);
    readings = '';
  };
  const endBase = () => {
    const ruby = open.findLast(({ node }) => nameOf(node) === 'RUBY');
    if (readings === '' || !ruby) return;
    addReadings(since(ruby.take === takes ? ruby.from : 0).trim());
    ruby.from = parts.length;
    ruby.take = takes;
  };

  return {
    add,
    enter(node) {
      if (node.nodeType === 3) {
        if (readings !== '' && node.textContent?.trim()) endBase();
        add(node.textContent ?? '');
      }
      if (node.nodeType !== 1) return false;
      const name = nameOf(node);
      if (page.menus.has(node)) return false;
      if (name === 'TITLE' && inSvg === 0) return false;
      if (unseen.has(name)) {
        if (name === 'TEMPLATE' && node.getAttribute('shadowrootmode') !== null) return true;
        const label = /^(?:IFRAME|VIDEO|AUDIO)$/.test(name)
          ? attribute(node, 'title') || attribute(node, 'aria-label')
          : '';
        add(label && ` ${label} `);
        return false;
      }
      if (name === 'RT' || name === 'RTC') {
        readings += node.textContent ?? '';
        return false;
      }
      if (name === 'BR') add(lineBreak);
      if (name === 'PRE') {
        add(`${lineBreak}${codeEdge}${shielded(codeOf(node))}${codeEdge}${lineBreak}`);
        return false;
      }
      const parent = node.parentNode;
      if (parent && node.previousElementSibling) add(between[nameOf(parent)] ?? '');
      if (name === 'MROW' && parent && between[nameOf(parent)]) add('(');
      if (name === 'MSQRT') add('√(');
      if (blockLevel.has(name)) add(lineBreak);
      else if (spaced.has(name) || (name === 'A' && node.previousElementSibling?.nodeName === 'A')) add(' ');
      if (withMarks && lists.has(name)) openLists.push(numberingOf(node));
      if (withMarks && name === 'LI') add(markOf(openLists.at(-1), node));
      if (name === 'IMG' || name === 'AREA') add(` ${attribute(node, 'alt')} `);
      if (name === 'INPUT') add(` ${shownIn(node)} `);
      if (name === 'OPTGROUP') add(`${lineBreak}${attribute(node, 'label')}`);
      if (name === 'OPTION') add(`${lineBreak}- `);
      if (/^(?:DEL|S|STRIKE)$/.test(name)) add('~~');
      if (name === 'SVG') inSvg++;
      if (levelOf(node)) inHeading++;
      open.push({ node, from: parts.length, take: takes });
      return true;
    },
    leave(node) {
      const last = open.at(-1);
      if (last?.node !== node) return;
      const name = nameOf(node);
      if (name === 'RUBY') endBase();
      open.pop();
      if (withMarks && lists.has(name)) openLists.pop();
      if (name === 'SVG') inSvg--;
      if (levelOf(node)) inHeading--;
      const isNew = last.take === takes;
      const from = isNew ? last.from : 0;
      let text = since(from);
      if (name === 'SUP' || name === 'SUB') {
        const marks = name === 'SUP' ? rising : falling;
        const small = Array.from(text.trim(), (mark) => marks.get(mark));
        if (small.length > 0 && small.every((mark) => mark !== undefined)) {
          parts.length = from;
          add(small.join(''));
        }
      }
      if (/^(?:DEL|S|STRIKE)$/.test(name)) add('~~');
      if (name === 'MSQRT' || (name === 'MROW' && node.parentNode && between[nameOf(node.parentNode)])) add(')');
      const isEmpty = text.trim() === '' && parts.length - from < 100;
      const label =
        isEmpty && /^(?:A|BUTTON|SVG)$/.test(name)
          ? attribute(node, 'aria-label')
          : isEmpty && name === 'OPTION'
            ? attribute(node, 'label') || attribute(node, 'value')
            : isEmpty && name === 'TEXTAREA'
              ? attribute(node, 'placeholder')
              : '';
      add(label);
      text += label;
      for (const extra of [attribute(node, 'title'), addressOf(node, page)]) {
        if (extra === '' || says(text, extra)) continue;
        const written = text.trim() === '' && isEmpty ? ` ${extra} ` : ` (${extra})`;
        if (inHeading > 0) putOff.push(extra);
        else add(written);
        text += written;
      }
      if (blockLevel.has(name) || name === 'SELECT' || name === 'DATALIST') add(lineBreak);
      else if (spaced.has(name)) add(' ');
    },
    take() {
      const text = parts.join('');
      parts = [];
      takes++;
      return text;
    },
    addPutOff() {
      add(putOff.join(lineBreak));
      putOff = [];
    },
  };
}

/** Whether a text has a title or an address in it, a telephone number with other gaps too. */
function says(text: string, extra: string): boolean {
  const digits = (phone: string) => phone.replace(/\D/g, '');
  if (oneLine(text).includes(oneLine(extra))) return true;
  return /^[\d+() -]+$/.test(extra) && digits(text).includes(digits(extra));
}

function addressOf(node: DomNode, page: Page): string {
  const name = nameOf(node);
  const given =
    name === 'A' || name === 'AREA' ? attribute(node, 'href') : name === 'FORM' ? attribute(node, 'action') : '';
  if (given === '' || given.startsWith('#')) return '';
  const address = URL.canParse(given)
    ? given
    : page.base && URL.canParse(given, page.base)
      ? new URL(given, page.base).href
      : '';
  if (!isAddress(address)) return '';
  return /^(?:mailto|tel|sms):/i.test(address)
    ? unescaped(address.replace(/^[^:]*:/, '').replace(/\?.*/s, ''))
    : address;
}

function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** What a browser writes into a field or on a button. */
function shownIn(input: DomNode): string {
  const type = attribute(input, 'type').toLowerCase();
  if (/^(?:hidden|password|checkbox|radio|file|color|range)$/.test(type)) return '';
  if (type === 'image') return attribute(input, 'alt');
  return attribute(input, 'value') || attribute(input, 'placeholder');
}

function textOf(root: DomNode, page: Page): string {
  const writer = createWriter(page);
  walk(root, writer.enter, writer.leave);
  return writer.take();
}

/** Code between fences, as many marks as it needs. */
function codeOf(pre: DomNode): string {
  let code = '';
  let isNewLine = true;
  const add = (text: string) => {
    code += text;
    if (text !== '') isNewLine = text.endsWith('\n');
  };
  walk(
    pre,
    (node) => {
      if (node.nodeType === 3) add(node.textContent ?? '');
      if (node.nodeType !== 1 || unseen.has(nameOf(node))) return false;
      const isBlock = node !== pre && blockLevel.has(nameOf(node));
      if (nameOf(node) === 'BR' || (isBlock && !isNewLine)) add('\n');
      return true;
    },
    (node) => {
      if (node !== pre && node.nodeType === 1 && blockLevel.has(nameOf(node)) && !isNewLine) add('\n');
    },
  );
  const text = code.replace(/^\n/, '').trimEnd();
  if (text.trim() === '') return '';
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** A table that shows data: two cells wide or more; with headings or tables inside only if it names its rows or columns. */
function isGrid(table: DomNode, page: Page): boolean {
  if (/^(?:presentation|none)$/.test(attribute(table, 'role'))) return false;
  if (page.structured.has(table) && !page.named.has(table)) return false;
  let width = 0;
  let most = 0;
  walk(
    table,
    (node) => {
      const name = nameOf(node);
      if (name === 'TR') width = 0;
      if (name === 'TD' || name === 'TH') most = Math.max(most, ++width);
      return node.nodeType === 1 && (name !== 'TABLE' || node === table) && name !== 'TD' && name !== 'TH';
    },
    () => {},
  );
  return most > 1;
}

/** Rows are filled up to this many cells; to fill thousands of rows to the width of one would take more than it tells. */
const maxFilled = 100;
/** Of a document, what cells that go over several rows may add to these rows. */
const maxRepeated = 2_000_000;

function createTables(page: Page): { textOf(table: DomNode): string } {
  let repeated = 0;
  /** Cells of one table; those of a table inside it become one text. */
  function readCells(table: DomNode) {
    const writer = createWriter(page);
    const rows: string[][] = [];
    const captions: string[] = [];
    /** By column: a cell that goes over rows to come. */
    let held: ({ text: string; rows: number } | undefined)[] = [];
    let depth = 0;
    let headCells = '';
    const cellText = () => oneLine(writer.take()).replaceAll('|', '\\|');
    const fillHeld = (row: string[]) => {
      for (let cell = held[row.length]; cell && cell.rows > 0; cell = held[row.length]) {
        cell.rows--;
        repeated += cell.text.length + 3;
        row.push(cell.text);
      }
    };
    const isCell = (name: string) => name === 'TD' || name === 'TH';
    walk(
      table,
      (node) => {
        const name = nameOf(node);
        if (name === 'TABLE' && node !== table) depth++;
        if (depth === 0 && node.nodeType === 1) {
          // Text between the cells, which a browser shows above the table.
          const stray = isCell(name) || name === 'TR' || name === 'CAPTION' ? cellText() : '';
          if (stray) captions.push(stray);
          if (name === 'TR' || (isCell(name) && rows.length === 0)) rows.push([]);
          if (isCell(name)) {
            if (rows.length === 1) headCells += name === 'TH' ? 'h' : 'd';
            fillHeld(rows.at(-1) ?? []);
          }
        }
        if (depth > 0 && node.previousElementSibling) {
          if (isCell(name)) writer.add(' / ');
          else if (/^(?:TR|TBODY|TFOOT)$/.test(name)) writer.add(' ; ');
        }
        return writer.enter(node);
      },
      (node) => {
        writer.leave(node);
        const name = nameOf(node);
        if (name === 'TABLE' && node !== table) depth--;
        if (depth > 0 || node.nodeType !== 1) return;
        if (name === 'CAPTION') captions.push(cellText());
        if (/^(?:THEAD|TBODY|TFOOT)$/.test(name)) held = [];
        const row = rows.at(-1);
        if (!row) return;
        if (name === 'TR') fillHeld(row);
        if (!isCell(name)) return;
        const text = cellText();
        const span = Math.min(50, Math.max(1, Number(attribute(node, 'colspan')) || 1));
        const given = Number(attribute(node, 'rowspan') || '1');
        const below = given === 0 ? Infinity : given - 1;
        for (let index = 0; index < span; index++) {
          const column = row.length;
          const cell = index === 0 ? text : '';
          row.push(cell);
          if (below > 0 && column < maxFilled && repeated < maxRepeated) held[column] = { text: cell, rows: below };
          else held[column] = undefined;
        }
      },
    );
    const rest = lines(writer.take());
    return {
      rows: rows.filter((row) => row.some((each) => each !== '')),
      captions,
      rest,
      isNamedAbove: !/^hd+$/.test(headCells),
    };
  }

  return {
    textOf(table) {
      const { rows, captions, rest, isNamedAbove } = readCells(table);
      const width = Math.min(
        maxFilled,
        rows.reduce((most, row) => Math.max(most, row.length), 0),
      );
      // Where the first column names the rows, no row names the columns.
      if (!isNamedAbove) rows.unshift([]);
      const [header = [], ...body] = rows.map(
        (row) => `| ${[...row, ...Array<string>(Math.max(0, width - row.length)).fill('')].join(' | ')} |`,
      );
      return [...captions, header, `|${' --- |'.repeat(width)}`, ...body, ...(rest ? [rest] : [])].join('\n');
    },
  };
}

interface Numbering {
  isOrdered: boolean;
  next: number;
  step: number;
  type: string;
}

function numberingOf(list: DomNode): Numbering {
  const isReversed = list.getAttribute('reversed') !== null;
  let items = 0;
  if (isReversed) for (let item = list.firstChild; item; item = item.nextSibling) if (nameOf(item) === 'LI') items++;
  return {
    isOrdered: nameOf(list) === 'OL',
    next: wholeNumber(list, 'start') ?? (isReversed ? items : 1),
    step: isReversed ? -1 : 1,
    type: attribute(list, 'type'),
  };
}

function wholeNumber(node: DomNode, name: string): number | undefined {
  const number = Number.parseInt(attribute(node, name), 10);
  return Number.isSafeInteger(number) ? number : undefined;
}

/** What a browser writes before an item. */
function markOf(list: Numbering | undefined, item: DomNode): string {
  if (!list?.isOrdered) return '- ';
  const number = wholeNumber(item, 'value') ?? list.next;
  list.next = number + list.step;
  return `${numeral(number, list.type)}. `;
}

function numeral(number: number, type: string): string {
  let letters = '';
  if (/^[aA]$/.test(type) && number > 0)
    for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26))
      letters = String.fromCodePoint(65 + ((rest - 1) % 26)) + letters;
  else letters = /^[iI]$/.test(type) ? roman(number) : String(number);
  return type === type.toUpperCase() ? letters : letters.toLowerCase();
}

function listText(list: DomNode, page: Page): string {
  const writer = createWriter(page, { withMarks: false });
  const items: { indent: string; mark: string; text: string }[] = [];
  const open: Numbering[] = [];
  const endItem = () => {
    const text = writer.take();
    const item = items.at(-1);
    if (item) item.text += text;
    else if (oneLine(text) !== '') items.push({ indent: '', mark: '', text });
  };
  walk(
    list,
    (node) => {
      const name = node.nodeType === 1 ? nameOf(node) : '';
      if (lists.has(name) && !page.menus.has(node)) open.push(numberingOf(node));
      if (name === 'LI') {
        endItem();
        const indent = '  '.repeat(Math.min(Math.max(0, open.length - 1), 6));
        items.push({ indent, mark: markOf(open.at(-1), node), text: '' });
      }
      return writer.enter(node);
    },
    (node) => {
      writer.leave(node);
      if (node.nodeType === 1 && lists.has(nameOf(node)) && !page.menus.has(node)) open.pop();
    },
  );
  endItem();
  return items
    .flatMap(({ indent, mark, text }) => {
      const written = text.split(lineBreak).map(unwrap).join(' ').trim();
      const inside = `\n${indent}${' '.repeat(mark.length)}`;
      return written === '' ? [] : [`${indent}${mark}${itemText(written, inside)}`];
    })
    .join('\n');
}

/** Code in an item has lines of its own, as far to the right as its text. */
const itemText = (text: string, inside: string) =>
  text
    .split(codeEdge)
    .map((part) => unshielded(part.trim().replaceAll(codeBreak, inside)))
    .filter((part) => part !== '')
    .join(inside);

type Pair = [ask: string, reply: string];

/** The terms of a `dl` with what is said of them; the summary of a `details` with the rest of it. */
function pairsIn(list: DomNode, page: Page): Pair[] {
  const writer = createWriter(page);
  const pairs: Pair[] = [];
  let inTerm = false;
  const endPart = () => {
    const text = writer.take();
    if (pairs.length === 0 && lines(text) !== '') pairs.push(['', '']);
    const pair = pairs.at(-1);
    if (pair) pair[inTerm ? 0 : 1] += text;
  };
  const isTerm = (name: string) => name === 'DT' || name === 'SUMMARY';
  walk(
    list,
    (node) => {
      const name = node.nodeType === 1 ? nameOf(node) : '';
      if (isTerm(name)) {
        endPart();
        pairs.push(['', '']);
        inTerm = true;
      }
      return writer.enter(node);
    },
    (node) => {
      writer.leave(node);
      const name = node.nodeType === 1 ? nameOf(node) : '';
      if (!isTerm(name)) return;
      endPart();
      inTerm = false;
    },
  );
  endPart();
  return pairs.map(([ask, reply]) => [lines(ask).replaceAll('\n', ' '), lines(reply).replace(/\n{2,}/g, '\n')]);
}

const pairText = (ask: string, reply: string) =>
  /[?？]$/.test(ask) && reply ? `Q: ${ask}\nA: ${reply}` : ask && reply ? labelled(ask, reply) : ask || reply;
