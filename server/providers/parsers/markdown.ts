import { blocksOfHtml } from './html.ts';
import type { Block, Parser } from './parser.ts';
import { cutAtQuestions, decodeText, isTextHead, unwrap } from './text.ts';

export const markdown: Parser = {
  name: 'Markdown',
  extensions: ['md', 'markdown'],
  mime: 'text/markdown',
  isPlain: true,
  accepts: isTextHead,
  async parse(file) {
    const { title, body } = frontMatter(decodeText(file));
    const blocks = await withTables(blocksOf(body.split('\n')));
    const first = blocks.find((block) => block.kind === 'heading' && block.level === 1);
    return { title: title ?? first?.text ?? null, pages: null, warnings: [], blocks };
  },
};

const fence = /^ {0,3}(`{3,}|~{3,})/;
const atxHeading = /^ {0,3}(#{1,6})(?:\s|$)/;
/** Many write Japanese headings without a space; a single mark may open a hashtag as well. */
const tightHeading = /^ {0,3}(#{2,6}[^\s#]|#[^\s#\d!])/u;
const htmlTable = /^ {0,3}<table[\s>]/i;
const listItem = /^\s*(?:[-*+]|\d{1,9}[.)])\s+\S/;
const rule = /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/;
const indented = /^(?: {4}|\t)/;
/** Comments, scripts and styles, which open a block of their own and end with the mark beside them. */
const unseen: [open: RegExp, close: string][] = [
  [/^\s*<!--/, '-->'],
  [/^\s*<script\b/i, '</script>'],
  [/^\s*<style\b/i, '</style>'],
];

/** The block structure of CommonMark and GitHub tables, as far as it divides a text; inline marks are dropped by `plain`. */
function blocksOf(lines: string[]): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const push = (block: Omit<Block, 'page'>) => blocks.push({ ...block, page: null });
  const flush = () => {
    for (const part of cutAtQuestions(paragraph.join('\n')))
      push({
        kind: 'paragraph',
        text: part
          .split(/(?:\\|(?<! ) {2,})\n/)
          .map((piece) => unwrap(plain(piece)))
          .join('\n'),
      });
    paragraph = [];
  };
  const takeWhile = (from: number, belongs: (line: string, index: number) => boolean) => {
    let end = from;
    while (end < lines.length && belongs(lines[end] ?? '', end)) end++;
    return { taken: lines.slice(from, end), end };
  };

  for (let at = 0; at < lines.length;) {
    const line = (lines[at] ?? '').replace(/^ {0,3}(?:> ?)+/, '');
    const next = lines[at + 1] ?? '';
    const opening = fence.exec(line)?.[1];
    const heading = atxHeading.exec(line)?.[1] ?? tightMarks(line, lines[at - 1] ?? '', next || (lines[at + 2] ?? ''));
    const hidden = unseen.find(([open]) => open.test(line));
    if (opening) {
      flush();
      const { taken, end } = takeWhile(
        at + 1,
        (each) => !each.trimStart().startsWith(opening) || each.trim().replaceAll(opening[0] ?? '', '') !== '',
      );
      push({ kind: 'code', text: [line.trim(), ...taken, opening].join('\n') });
      at = end + 1;
    } else if (htmlTable.test(line)) {
      flush();
      const { taken, end } = takeWhile(at, (each) => !/<\/table>/i.test(each));
      const last = lines[end] ?? '';
      push({ kind: 'table', text: [...taken, last].join('\n') });
      at = end + 1;
    } else if (hidden) {
      flush();
      at = takeWhile(at, (each) => !each.toLowerCase().includes(hidden[1])).end + 1;
    } else if (heading) {
      flush();
      push({ kind: 'heading', level: heading.length, text: unwrap(plain(headingText(line, heading))) });
      at++;
    } else if (paragraph.length > 0 && /^ {0,3}(?:=+|-{2,})\s*$/.test(line)) {
      const text = unwrap(plain(paragraph.join('\n')));
      paragraph = [];
      push({ kind: 'heading', level: line.includes('=') ? 1 : 2, text });
      at++;
    } else if (line.includes('|') && isTableDivider(next)) {
      flush();
      const { taken, end } = takeWhile(at + 2, (each) => each.includes('|'));
      push({
        kind: 'table',
        text: [line, next, ...taken].map((row) => plain(row.trim()).replaceAll('\n', ' ')).join('\n'),
      });
      at = end;
    } else if (line.length < 200 && rule.test(line)) {
      flush();
      at++;
    } else if (paragraph.length === 0 && indented.test(line) && line.trim() !== '' && !listItem.test(line)) {
      const { taken, end } = takeWhile(at + 1, (each) => indented.test(each));
      push({
        kind: 'code',
        text: ['```', ...[line, ...taken].map((each) => each.replace(indented, '')), '```'].join('\n'),
      });
      at = end;
    } else if (listItem.test(line)) {
      flush();
      const { taken, end } = takeWhile(at + 1, (each, index) => {
        const following = lines[index + 1] ?? '';
        if (each.trim() === '') return listItem.test(following) || /^\s{2,}\S/.test(following);
        return (
          listItem.test(each) ||
          /^\s/.test(each) ||
          (lines[index - 1]?.trim() !== '' &&
            !fence.test(each) &&
            !atxHeading.test(each) &&
            tightMarks(each, '-', '') === '')
        );
      });
      push({
        kind: 'list',
        text: listText([line, ...taken]),
      });
      at = end;
    } else {
      if (line.trim() === '') flush();
      else paragraph.push(line.trimStart());
      at++;
    }
  }
  flush();
  return blocks;
}

/** The marks of a heading without a space. One mark alone counts only at the beginning of a part with text below it, before a single word. */
function tightMarks(line: string, before: string, after: string): string {
  const marks = tightHeading.exec(line)?.[1]?.replace(/[^#]/g, '') ?? '';
  const words = line.trim().slice(marks.length);
  if (marks === '' || line.length > 100 || /\s#/.test(words)) return '';
  return marks.length > 1 || (before.trim() === '' && after.trim() !== '' && !/\s/.test(words)) ? marks : '';
}

/** Tables that are written in HTML. */
async function withTables(blocks: Block[]): Promise<Block[]> {
  const read: Block[] = [];
  for (const block of blocks)
    read.push(
      ...(block.kind === 'table' && htmlTable.test(block.text) ? (await blocksOfHtml(block.text)).blocks : [block]),
    );
  return read;
}

/** Lines of a list; those between fences as they are written. */
function listText(lines: string[]): string {
  const written: string[] = [];
  let opening = '';
  for (const line of lines) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line.slice(0, 500))?.[1] ?? '';
    if (opening === '' && line.trim() === '') continue;
    written.push(opening === '' && marks === '' ? plain(line) : line);
    if (opening === '') opening = marks;
    else if (marks.startsWith(opening) && line.trim() === marks) opening = '';
  }
  return written.join('\n');
}

/** What stands between the marks; those at the end count only after a space. */
function headingText(line: string, marks: string): string {
  const text = line.trim().slice(marks.length).trim();
  let end = text.length;
  while (text[end - 1] === '#') end--;
  return end === 0 || /\s/.test(text[end - 1] ?? '') ? text.slice(0, end).trimEnd() : text;
}

function isTableDivider(line: string): boolean {
  const cells = line.trim().split('|');
  if (cells.at(0) === '') cells.shift();
  if (cells.at(-1) === '') cells.pop();
  return cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell.trim()));
}

/** Without emphasis, code marks, tags and image addresses. The address of a link stays: it may be the answer. */
function plain(text: string): string {
  const codes: string[] = [];
  let shielded = '';
  let from = 0;
  for (const [start, end, code] of codeSpans(text)) {
    shielded += `${text.slice(from, start)}\uFDD4${codes.push(code) - 1}\uFDD5`;
    from = end;
  }
  return plainText(shielded + text.slice(from)).replace(
    /\uFDD4(\d+)\uFDD5/g,
    (_, index: string) => codes[Number(index)] ?? '',
  );
}

/** Where inline code stands, and what is in it: as many marks close it as opened it. */
function* codeSpans(text: string): Generator<[start: number, end: number, code: string]> {
  const runs = Array.from(text.matchAll(/`+/g), ({ index, 0: { length } }) => ({ index, length }));
  const byLength = Map.groupBy(runs, ({ length }) => length);
  const used = new Map<number, number>();
  let free = 0;
  for (const { index, length } of runs) {
    if (index < free || (length === 1 && text[index - 1] === '\\')) continue;
    const same = byLength.get(length) ?? [];
    let next = used.get(length) ?? 0;
    while (next < same.length && (same[next]?.index ?? 0) <= index) next++;
    used.set(length, next);
    const close = same[next]?.index;
    if (close === undefined) continue;
    free = close + length;
    const code = text.slice(index + length, close);
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && code.trim() !== '';
    yield [index, free, isPadded ? code.slice(1, -1) : code];
  }
}

function plainText(text: string): string {
  return text
    .replace(/!\[([^[\]\n]{0,500})\]\([^()\s]{0,2000}(?:\s"[^"\n]{0,500}")?\)/g, '$1')
    .replace(/\[([^[\]\n]{1,500})\]\(([^()\s]{0,2000})(?:\s"[^"\n]{0,500}")?\)/g, (_, label: string, url: string) =>
      /^(?:https?:|mailto:|tel:)/i.test(url) && label !== url ? `${label} (${url})` : label,
    )
    .replace(/<(https?:[^<>\s]{1,2000})>/g, '$1')
    .replace(/<br\s{0,5}\/?>/gi, '\n')
    .replace(/<!--[^<>]{0,2000}-->|<\/?[a-z][^<>]{0,1000}>/gi, '')
    .replace(/(\*\*\*|\*\*|__|~~)(?=\S)([^*_~\n]{1,2000})(?<=\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]{1,2000})(?<=\S)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/&(amp|lt|gt|quot|nbsp|#39);/g, (entity, name: string) => entities[name] ?? entity);
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" };

function frontMatter(text: string): { title: string | null; body: string } {
  const end = /^---[ \t]*\n/.test(text) ? text.indexOf('\n---', 3) : -1;
  if (end === -1 || end > 20_000) return { title: null, body: text };
  const lines = text.slice(0, end).split('\n');
  const line = lines.find((each) => /^title:/i.test(each) && each.trim().length > 'title:'.length);
  const title = line === undefined ? null : unquoted(line.slice('title:'.length).trim()).slice(0, 300) || null;
  const after = text.indexOf('\n', end + 1);
  return { title, body: after === -1 ? '' : text.slice(after) };
}

const unquoted = (value: string): string => {
  const [quote] = value;
  const isQuoted = (quote === '"' || quote === "'") && value.length > 1 && value.endsWith(quote);
  return isQuoted ? value.slice(1, -1).trim() : value;
};
