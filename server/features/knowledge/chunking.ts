import type { Chunking } from '../../../shared/contracts/knowledge.ts';
import type { Block, ParsedDocument } from '../../providers/parsers/parser.ts';

/** A passage that is found, shown and cited as one. */
export interface Chunk {
  /** From 0, in reading order. */
  position: number;
  /** The headings above it, outermost first; they are indexed with the text but are no part of it. */
  headings: string[];
  /** 1-based, where it begins and where it ends; only PDFs have pages. */
  page: number | null;
  pageEnd: number | null;
  text: string;
  /** Where it stands in `documentText`, in UTF-16 units. A repeated table header or question is in `text` only. */
  start: number;
  end: number;
}

export interface ChunkSizes {
  /** What paragraphs are merged up to, in Latin characters; a CJK character counts as 2.5 of them, as it says about as much. */
  target: number;
  /** What a paragraph may have before it is split into sentences, and a table into rows. */
  cap: number;
  /** What code and a question with its answer may have before they are split into lines. */
  hardCap: number;
  /** Of a paragraph that is split, how much of the piece before is repeated. */
  overlap: number;
}

/** A paragraph stays whole up to half more than the target, code and an answer up to four times it, but no longer than people may write a chunk. */
export const sizesOf = ({ size, overlap }: Chunking): ChunkSizes => ({
  target: size,
  cap: size * 1.5,
  hardCap: Math.min(size * 4, 6000),
  overlap: size * overlap,
});

/** 1,000 Latin or 400 CJK characters, at most 1,500 or 600: the best of the sizes tried, see `bench/chunking.ts`. */
export const chunkSizes = sizesOf({ size: 1000, overlap: 0.25 });

const separator = '\n\n';
const maxHeadingLength = 200;

/** The text that chunks' offsets count in: the blocks' texts with an empty line between them. */
export const documentText = (document: Pick<ParsedDocument, 'blocks'>): string =>
  document.blocks.map((block) => block.text).join(separator);

/**
 * Divides a document at its headings, merges what is short, splits what is long at the ends of sentences, lines or rows.
 * Every character of a block that is no heading is in some chunk; a heading with nothing under it is a chunk of its own.
 */
export function chunk(document: Pick<ParsedDocument, 'blocks'>, sizes: ChunkSizes = chunkSizes): Chunk[] {
  const text = documentText(document);
  const chunks: Chunk[] = [];
  const path: { level: number; text: string }[] = [];
  let section: Piece[] = [];
  const flush = () => {
    for (const pieces of merge(section, sizes))
      chunks.push(
        toChunk(
          pieces,
          text,
          path.map((heading) => heading.text),
          chunks.length,
        ),
      );
    section = [];
  };
  let start = 0;
  for (const [index, block] of document.blocks.entries()) {
    if (block.kind === 'heading') {
      flush();
      const level = block.level ?? 1;
      while ((path.at(-1)?.level ?? 0) >= level) path.pop();
      const next = document.blocks[index + 1];
      if (!next || (next.kind === 'heading' && (next.level ?? 1) <= level)) {
        section = split(block, start, sizes);
        flush();
      }
      path.push({ level, text: block.text.replaceAll('\n', ' ').slice(0, maxHeadingLength).toWellFormed() });
    } else {
      for (const piece of split(block, start, sizes)) section.push(piece);
    }
    start += block.text.length + separator.length;
  }
  flush();
  return chunks;
}

/** A part of the text that stays whole. */
interface Piece {
  start: number;
  end: number;
  size: number;
  page: number | null;
  /** Shares its chunk with nothing else. */
  isAlone: boolean;
  /** Where it begins when it opens a chunk: the piece before is repeated from there. */
  overlapFrom: number;
  /** Written before it when it opens a chunk: a table's header, a question. */
  prefix: string;
}

const isCjk = (code: number) =>
  (code >= 0x2e80 && code <= 0xa4cf) ||
  (code >= 0xac00 && code <= 0xd7af) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xff00 && code <= 0xffef);

/** In Latin characters. */
function sizeOf(text: string): number {
  let size = 0;
  for (let at = 0; at < text.length; at++) size += isCjk(text.charCodeAt(at)) ? 2.5 : 1;
  return size;
}

function split(block: Block, at: number, sizes: ChunkSizes): Piece[] {
  const size = sizeOf(block.text);
  const whole = block.kind === 'code' || block.kind === 'qa' ? sizes.hardCap : sizes.cap;
  const piece = (start: number, end: number, more: Partial<Piece> = {}): Piece => ({
    start: at + start,
    end: at + end,
    size: sizeOf(block.text.slice(start, end)),
    page: block.page,
    isAlone: block.kind === 'qa',
    overlapFrom: at + start,
    prefix: '',
    ...more,
  });
  if (size <= whole) return [piece(0, block.text.length)];
  if (block.kind === 'paragraph' || block.kind === 'heading') {
    const sentences = cut(block.text, sentenceEnd, sizes.target);
    return grouped(block.text, sentences, sizes.target).map(({ start, end, part }) =>
      piece(start, end, { overlapFrom: at + overlapBefore(block.text, sentences, part, sizes.overlap) }),
    );
  }
  const body = headLength(block);
  const prefix = body <= sizes.target / 2 ? block.text.slice(0, body) : '';
  const lines = cut(block.text, /\n/g, sizes.target);
  return grouped(block.text, lines, sizes.target).map(({ start, end }) =>
    piece(start, end, start > 0 ? { prefix } : {}),
  );
}

// A full stop inside "3.5" or "e.g. x" is no end; one before a space may be, and a needless cut costs nothing, as short pieces are merged again.
const sentenceEnd = /[。！？!?．][。！？!?．」』）)】〉》"”’]*\s*|\.["')\]”’]*\s+|\n+/g;

/** Ends of the parts of a text; a part above `most` is cut at a comma, a space or, failing these, anywhere but inside a character. */
function cut(text: string, end: RegExp, most: number): number[] {
  const ends: number[] = [];
  let from = 0;
  const add = (to: number) => {
    while (sizeOf(text.slice(from, Math.min(to, from + most + 1))) > most) {
      let next = from;
      for (let size = 0; size <= most; next++) size += isCjk(text.charCodeAt(next)) ? 2.5 : 1;
      next--;
      const window = text.slice(from, next);
      const soft = Math.max(...['、', '，', ' ', '\n'].map((mark) => window.lastIndexOf(mark) + 1));
      if (soft > window.length / 2) next = from + soft;
      else if (text.codePointAt(next - 1) !== text.charCodeAt(next - 1)) next--;
      ends.push(next);
      from = next;
    }
    if (to > from) ends.push(to);
    from = to;
  };
  for (const match of text.matchAll(end)) add(match.index + match[0].length);
  add(text.length);
  return ends;
}

/** Parts, given by their ends, as ranges of at most `target` each; `part` is the index of the first. */
function grouped(text: string, ends: number[], target: number): { start: number; end: number; part: number }[] {
  const ranges: { start: number; end: number; part: number }[] = [];
  let size = 0;
  let start = 0;
  for (const [part, end] of ends.entries()) {
    const more = sizeOf(text.slice(start, end));
    const range = ranges.at(-1);
    if (!range || size + more > target) {
      ranges.push({ start, end, part });
      size = more;
    } else {
      range.end = end;
      size += more;
    }
    start = end;
  }
  return ranges;
}

/** Where the whole parts before `part` begin that together have at most `most`. */
function overlapBefore(text: string, ends: number[], part: number, most: number): number {
  const start = ends[part - 1] ?? 0;
  let from = start;
  for (let index = part - 2; index >= -1; index--) {
    const earlier = ends[index] ?? 0;
    if (sizeOf(text.slice(earlier, start)) > most) break;
    from = earlier;
  }
  return from;
}

/** How much of a block is repeated before each of its parts: a table's lines down to its divider, a question's first line. */
function headLength(block: Block): number {
  if (block.kind === 'qa') return block.text.indexOf('\n') + 1;
  if (block.kind !== 'table') return 0;
  const divider = /^(?:.*\n){0,2}\|(?: ?:?-+:? ?\|)+\n/.exec(block.text.slice(0, 20_000));
  return divider?.[0].length ?? 0;
}

function merge(pieces: Piece[], { target, cap }: ChunkSizes): Piece[][] {
  const groups: Piece[][] = [];
  let size = 0;
  for (const piece of pieces) {
    const group = groups.at(-1);
    const isFirst =
      !group ||
      piece.isAlone ||
      group[0]?.isAlone ||
      piece.prefix !== '' ||
      // A citation names one page.
      piece.page !== group[0]?.page ||
      size + piece.size > target;
    if (isFirst) groups.push([piece]);
    else group.push(piece);
    size = isFirst ? piece.size : size + piece.size;
  }
  // A last line alone says little, so it joins the part before it.
  const [before, last] = groups.slice(-2);
  const total = (group: Piece[]) => group.reduce((sum, piece) => sum + piece.size, 0);
  if (
    before &&
    last &&
    !last[0]?.isAlone &&
    !before[0]?.isAlone &&
    last[0]?.prefix === '' &&
    last[0].page === before[0]?.page &&
    total(last) < target / 5 &&
    total(before) + total(last) <= cap
  )
    groups.splice(-2, 2, [...before, ...last]);
  return groups;
}

function toChunk(pieces: Piece[], text: string, headings: string[], position: number): Chunk {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (!first || !last) throw new RangeError('a chunk has at least one piece');
  const from = first.overlapFrom;
  const raw = text.slice(from, last.end);
  const start = from + raw.length - raw.trimStart().length;
  const end = last.end - (raw.length - raw.trimEnd().length);
  return {
    position,
    headings,
    page: first.page,
    pageEnd: last.page,
    text: first.prefix + text.slice(start, end),
    start,
    end,
  };
}
