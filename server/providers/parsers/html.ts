import { labelled } from '../../../shared/characters.ts';
import type { Block, Parser } from './parser.ts';
import { decodeText, isTextHead, unwrap } from './text.ts';

export const html: Parser = {
  name: 'HTML',
  extensions: ['html', 'htm'],
  mime: 'text/html',
  isPlain: false,
  accepts: isTextHead,
  async parse(file, onProgress) {
    const text = decodeText(file, declaredCharset(file));
    onProgress(0.1);
    const { title, blocks } = await blocksOfHtml(text, { article: true });
    return { title, pages: null, pagesWithoutText: [], blocks };
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
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  remove(): void;
}
interface DomDocument extends DomNode {
  readonly documentElement: DomNode;
  readonly title: string;
}

const dropped = new Set(
  'SCRIPT STYLE NOSCRIPT TEMPLATE SVG MATH IFRAME OBJECT EMBED CANVAS AUDIO VIDEO SELECT BUTTON INPUT TEXTAREA DATALIST DIALOG HEAD TITLE'.split(
    ' ',
  ),
);
const chrome = new Set('NAV FOOTER ASIDE'.split(' '));
const blockLevel = new Set(
  'ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY CAPTION CENTER DD DETAILS DIV DL DT FIELDSET FIGCAPTION FIGURE FOOTER FORM HEADER HR HTML LEGEND LI MAIN MENU NAV OL P PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL'.split(
    ' ',
  ),
);
const structured = new Set('H1 H2 H3 H4 H5 H6 TABLE PRE'.split(' '));

/** Readability's work grows with the square of a tree's depth; no page that a person wrote is deeper. */
const deepest = 128;

/**
 * HTML to blocks, without scripts, styles and what is hidden. `article` looks for the page's main text with Readability, and takes
 * the body without menus and footers when that finds less than 40 % of it. Its walk keeps no recursion, so depth is no danger.
 */
export async function blocksOfHtml(
  text: string,
  { article }: { article: boolean },
): Promise<{ title: string | null; blocks: Block[] }> {
  const { parseHTML } = await import('linkedom');
  const whole = /<html[\s>]/i.test(text) ? text : `<html><body>${text}</body></html>`;
  // A border: linkedom's document does what DomDocument says.
  const document = parseHTML(whole).document as unknown as DomDocument;
  const title = document.title || null;
  const depth = removeUnseen(document.documentElement, dropped);
  const main = article && depth < deepest ? await mainText(whole, document) : null;
  if (article && !main) removeUnseen(document.documentElement, chrome);
  const blocks = collectBlocks(main ?? document.documentElement);
  return { title: title ?? blocks.find((block) => block.kind === 'heading')?.text ?? null, blocks };
}

async function mainText(whole: string, document: DomDocument): Promise<DomNode | null> {
  const [{ parseHTML }, { Readability }] = await Promise.all([import('linkedom'), import('@mozilla/readability')]);
  const body = visibleLength(document.documentElement);
  // Readability takes its document apart, so it is given one of its own.
  const copy = parseHTML(whole).document;
  const root = copy.documentElement as unknown as DomNode; // the same border as above
  removeUnseen(root, dropped);
  markTopHeadings(root);
  try {
    const found = new Readability<DomNode>(copy, {
      serializer: (node) => node as unknown as DomNode,
      maxElemsToParse: 100_000,
      charThreshold: 200,
    }).parse();
    return found?.content && visibleLength(found.content) > body * 0.4 ? found.content : null;
  } catch {
    return null;
  }
}

/** Readability makes an h2 of every h1, which puts a page's title beside its sections. */
function markTopHeadings(root: DomNode): void {
  walk(
    root,
    (node) => {
      if (node.nodeName === 'H1') node.setAttribute(wasTop, '');
      return node.nodeType === 1;
    },
    () => {},
  );
}
const wasTop = 'data-was-h1';

const visibleLength = (root: DomNode) => (root.textContent ?? '').replace(/\s+/g, ' ').length;

/** Calls back on entering and leaving each node of a tree, in order; `enter` returning false skips what is inside. */
function walk(root: DomNode, enter: (node: DomNode, depth: number) => boolean, leave: (node: DomNode) => void): void {
  let node: DomNode | null = root;
  let depth = 0;
  while (node) {
    const inside: DomNode | null = enter(node, depth) ? node.firstChild : null;
    if (inside) {
      node = inside;
      depth++;
      continue;
    }
    leave(node);
    while (node && node !== root && !node.nextSibling) {
      node = node.parentNode;
      depth--;
      if (node) leave(node);
    }
    node = node === root || !node ? null : node.nextSibling;
  }
}

/** Takes these elements, comments and everything hidden out of the tree; returns the depth of what is left. */
function removeUnseen(root: DomNode, names: Set<string>): number {
  const unseen: DomNode[] = [];
  let deep = 0;
  walk(
    root,
    (node, depth) => {
      deep = Math.max(deep, depth);
      if (node.nodeType === 3) return false;
      if (node.nodeType === 1 && !names.has(node.nodeName.toUpperCase()) && !isHidden(node)) return true;
      if (node !== root) unseen.push(node);
      return false;
    },
    () => {},
  );
  for (const node of unseen) node.remove();
  return deep;
}

function isHidden(node: DomNode): boolean {
  return (
    node.getAttribute('hidden') !== null ||
    node.getAttribute('aria-hidden') === 'true' ||
    /display\s*:\s*none|visibility\s*:\s*hidden/i.test(node.getAttribute('style') ?? '')
  );
}

function collectBlocks(root: DomNode): Block[] {
  const blocks: Block[] = [];
  const withStructure = ancestorsOf(root, structured);
  let inline = '';
  const push = (kind: Block['kind'], text: string, level?: number) => {
    if (text.trim() !== '') blocks.push({ kind, text, page: null, ...(level === undefined ? {} : { level }) });
  };
  const flush = (kind: Block['kind'] = 'paragraph', level?: number) => {
    push(kind, lines(inline), level);
    inline = '';
  };
  walk(
    root,
    (node) => {
      if (node.nodeType === 3) inline += node.textContent ?? '';
      if (node.nodeType !== 1) return false;
      const name = node.nodeName.toUpperCase();
      if (name === 'BR') inline += lineBreak;
      if (/^H[1-6]$/.test(name) || blockLevel.has(name)) flush();
      if (name === 'PRE') push('code', `\`\`\`\n${(node.textContent ?? '').replace(/^\n/, '').trimEnd()}\n\`\`\``);
      else if (name === 'TABLE' && isGrid(node, withStructure)) push('table', tableText(node));
      else if ((name === 'UL' || name === 'OL') && !withStructure.has(node)) push('list', listText(node));
      else if ((name === 'DL' || name === 'DETAILS') && !withStructure.has(node))
        for (const [ask, reply] of pairsIn(node))
          push(/[?？]$/.test(ask) && reply ? 'qa' : 'paragraph', pairText(ask, reply));
      else return true;
      return false;
    },
    (node) => {
      const name = node.nodeName.toUpperCase();
      const level = /^H([1-6])$/.exec(name)?.[1];
      if (level) flush('heading', node.getAttribute(wasTop) === null ? Number(level) : 1);
      else if (blockLevel.has(name)) flush();
    },
  );
  flush();
  return blocks;
}

// A line break that is meant, as against one of the source. The character is private, and cleaned from no text that has it for another reason.
const lineBreak = '\uE000';

/** One line for each intended line, however the source was laid out. */
const lines = (text: string) => text.split(lineBreak).map(unwrap).join('\n').trim();

/** Every node that has one of these elements below it. Each node is visited once however deep the tree. */
function ancestorsOf(root: DomNode, names: Set<string>): Set<DomNode> {
  const found = new Set<DomNode>();
  walk(
    root,
    (node) => {
      if (names.has(node.nodeName.toUpperCase()))
        for (let up = node.parentNode; up && !found.has(up); up = up.parentNode) found.add(up);
      return node.nodeType === 1;
    },
    () => {},
  );
  return found;
}

/** A table that shows data: two cells wide or more, with no headings or tables inside, which pages laid out with tables have. */
function isGrid(table: DomNode, withStructure: Set<DomNode>): boolean {
  return !withStructure.has(table) && cellsOf(table).some((row) => row.length > 1);
}

function cellsOf(table: DomNode): string[][] {
  const rows: string[][] = [];
  let cell = '';
  walk(
    table,
    (node) => {
      const name = node.nodeName.toUpperCase();
      if (node.nodeType === 3) cell += node.textContent ?? '';
      if (name === 'TR') rows.push([]);
      if (name === 'TD' || name === 'TH' || name === 'CAPTION') cell = '';
      else if (name === 'BR' || blockLevel.has(name)) cell += ' ';
      return node.nodeType === 1;
    },
    (node) => {
      const name = node.nodeName.toUpperCase();
      if (name === 'CAPTION') rows.push([unwrap(cell)]);
      if (name !== 'TD' && name !== 'TH') return;
      const span = Math.min(50, Number(node.getAttribute('colspan')) || 1);
      rows.at(-1)?.push(unwrap(cell).replaceAll('|', '\\|'), ...Array<string>(span - 1).fill(''));
    },
  );
  return rows.filter((row) => row.some((each) => each !== ''));
}

/** Rows are filled up to this many cells; to fill thousands of rows to the width of one would take more than it tells. */
const maxFilled = 100;

function tableText(table: DomNode): string {
  const rows = cellsOf(table);
  const caption = rows[0]?.length === 1 && rows.length > 2 ? rows.shift()?.[0] : undefined;
  const width = Math.min(
    maxFilled,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  const [header = [], ...body] = rows.map(
    (row) => `| ${[...row, ...Array<string>(Math.max(0, width - row.length)).fill('')].join(' | ')} |`,
  );
  return [...(caption ? [caption] : []), header, `|${' --- |'.repeat(width)}`, ...body].join('\n');
}

function listText(list: DomNode): string {
  const items: { depth: number; mark: string; text: string }[] = [];
  const open: { ordered: boolean; count: number }[] = [];
  walk(
    list,
    (node) => {
      const name = node.nodeName.toUpperCase();
      const current = open.at(-1);
      const item = items.at(-1);
      if (name === 'UL' || name === 'OL') open.push({ ordered: name === 'OL', count: 0 });
      else if (name === 'LI' && current)
        items.push({ depth: open.length - 1, mark: current.ordered ? `${++current.count}. ` : '- ', text: '' });
      else if (node.nodeType === 3 && item) item.text += node.textContent ?? '';
      else if (item && (name === 'BR' || blockLevel.has(name))) item.text += ' ';
      return node.nodeType === 1;
    },
    (node) => {
      if (node.nodeName === 'UL' || node.nodeName === 'OL') open.pop();
    },
  );
  return items
    .flatMap(({ depth, mark, text }) =>
      text.trim() === '' ? [] : [`${'  '.repeat(Math.min(depth, 6))}${mark}${unwrap(text)}`],
    )
    .join('\n');
}

/** The terms of a `dl` with what is said of them; the summary of a `details` with the rest of it. */
function pairsIn(list: DomNode): [ask: string, reply: string][] {
  const pairs: [string, string][] = [];
  let inTerm = false;
  walk(
    list,
    (node) => {
      const name = node.nodeName.toUpperCase();
      if (name === 'DT' || name === 'SUMMARY') {
        pairs.push(['', '']);
        inTerm = true;
      }
      if (pairs.length === 0 && node.nodeType === 3 && node.textContent?.trim()) pairs.push(['', '']);
      const pair = pairs.at(-1);
      const piece =
        node.nodeType === 3
          ? (node.textContent ?? '')
          : name === 'LI'
            ? `${lineBreak}- `
            : name === 'BR' || blockLevel.has(name)
              ? lineBreak
              : '';
      if (pair) pair[inTerm ? 0 : 1] += piece;
      return node.nodeType === 1;
    },
    (node) => {
      if (node.nodeName === 'DT' || node.nodeName === 'SUMMARY') inTerm = false;
    },
  );
  return pairs.map(([ask, reply]) => [lines(ask).replaceAll('\n', ' '), lines(reply).replace(/\n{2,}/g, '\n')]);
}

const pairText = (ask: string, reply: string) =>
  /[?？]$/.test(ask) && reply ? `Q: ${ask}\nA: ${reply}` : ask && reply ? labelled(ask, reply) : ask || reply;
