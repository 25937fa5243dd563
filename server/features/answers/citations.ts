import type { Citation } from '../../../shared/contracts/conversations.ts';
import { urlOfWords } from '../../../shared/words-url.ts';
import type { GivenPassage } from './answered.ts';

// A marker goes with the space before it; `[1](…)` is a link. What opens and closes code and formulas is looked for as well.
const signs = / ?\[[1-9]\d{0,2}\](?!\()|\n|`+|~{3,}|\$\$?|\\[^\n]/g;
/** What the next piece of the text may complete. */
const unfinished = /[ \\]?\[\d{0,3}\]?$|(?<!`)`+$|(?<!~)~+$|\$?\$$|[ \\]$/;
const maxUnfinished = 24;

/** A citation's marker in a text, from `start` to before `end`, in UTF-16 units. */
export interface Mark {
  /** That of its citation, as the reader sees it. */
  number: number;
  start: number;
  end: number;
}

/** Spaces and marks that a quote may have more than its passage. */
const maxExtra = 200;
const maxQuote = 2_000;
const usualQuote = 300;

/**
 * Lets an answer's text through as it comes and checks what it cites: a number must be one of the passages', and a block
 * quote before it must stand in that passage, line by line. Markers that do not hold are taken out. Those that do get the
 * number that the reader sees: 1, 2, … as passages are first cited, after those that `earlier` parts of the answer cite.
 * Code, formulas and answers that are JSON as a whole pass as they are, and without passages everything does. `shown` is how long the
 * text is that was let through before, in UTF-16 units, and `marks` are those in it.
 */
export function createCitations(
  passages: GivenPassage[],
  earlier: Citation[] = [],
  { shown = 0, marks = [] }: { shown?: number; marks?: Mark[] } = {},
) {
  let held = '';
  const byNumber = new Map(passages.map((passage) => [passage.number, passage]));
  /** By chunk. */
  const cited = new Map(earlier.map((citation) => [citation.embedding, { citation, isQuoted: false }]));
  let lastNumber = Math.max(0, ...earlier.map(({ number }) => number));
  const place = createPlace();
  const quote = createQuote();
  let begun = '';
  let isJson: boolean | undefined;

  /** The citation, and whether it is new or says more than before. */
  const cite = (passage: GivenPassage): { citation: Citation; isFresh: boolean } => {
    const { embedding, document, mime, url, knowledge } = passage;
    const quoted = quote.text();
    const known = cited.get(embedding.uuid);
    const before = known?.isQuoted ? known.citation.quote : '';
    if (known && (quoted === '' || before.includes(quoted) || before.length + quoted.length > maxQuote))
      return { citation: known.citation, isFresh: false };
    const words = [before, quoted].filter(Boolean).join('\n') || embedding.text.slice(0, usualQuote).toWellFormed();
    const citation: Citation = {
      number: known?.citation.number ?? ++lastNumber,
      document: { ...document, mime, ...(url !== null && { url: urlOfWords(url, words) }) },
      knowledge,
      embedding: embedding.uuid,
      page: embedding.page,
      headings: embedding.headings,
      quote: words,
    };
    cited.set(embedding.uuid, { citation, isQuoted: quoted !== '' });
    return { citation, isFresh: true };
  };

  const read = (text: string): { text: string; citations: Citation[] } => {
    const citations = new Map<number, Citation>();
    if (isJson === undefined) {
      begun = (begun + text).trim();
      isJson = looksLikeJson(begun);
    }
    if (passages.length === 0 || isJson) {
      shown += text.length;
      return { text, citations: [] };
    }
    let out = '';
    let at = 0;
    const pass = (end: number) => {
      const part = text.slice(at, end);
      out += part;
      at = end;
      place.pass(part);
      quote.pass(part);
    };
    for (const { 0: sign, index } of text.matchAll(signs)) {
      pass(index);
      const number = sign.endsWith(']') ? Number(/\d+/.exec(sign)?.[0]) : undefined;
      if (number === undefined) {
        place.meet(sign, text.charAt(index + sign.length));
        pass(index + sign.length);
      } else if (place.isCode(sign) || isPartOfCode(sign, place.last())) pass(index + sign.length);
      else {
        const passage = byNumber.get(number);
        // A number that nothing stands for and that hangs on a word, as in `rows[12]`, is no citation of anybody's.
        if (!passage && sign.startsWith('[') && /[\w\]):]$/.test(place.last())) pass(index + sign.length);
        else if (passage && quote.standsIn(number, passage.embedding.text)) {
          const { citation, isFresh } = cite(passage);
          if (isFresh) citations.set(citation.number, citation);
          const mark = `[${citation.number}]`;
          out += sign.startsWith(' ') ? ` ${mark}` : mark;
          const end = shown + out.length;
          marks.push({ number: citation.number, start: end - mark.length, end });
          at = index + sign.length;
          quote.end();
        } else at = index + sign.length;
      }
    }
    pass(text.length);
    shown += out.length;
    return { text: out, citations: [...citations.values()] };
  };

  return {
    /** The text that may be shown so far, and the citations that are new or say more. What the next piece may complete is held back. */
    push(part: string) {
      const whole = held + part;
      const tail = whole.slice(-maxUnfinished);
      const open = passages.length === 0 ? undefined : unfinished.exec(tail)?.index;
      const cut = open === undefined ? whole.length : whole.length - tail.length + open;
      held = whole.slice(cut);
      return cut === 0 ? { text: '', citations: [] } : read(whole.slice(0, cut));
    },
    end() {
      const rest = held;
      held = '';
      return read(rest);
    },
    /** Where in the text that was let through each marker stands. */
    marks: () => marks,
    all: () => [...cited.values()].map(({ citation }) => citation).toSorted((one, other) => one.number - other.number),
  };
}

const maxBegun = 200;

/** Nothing as long as it may be either: `[1]` at the beginning is a citation, `[Menu](…)` a link, 「["A" plan]」 a name. */
function looksLikeJson(begun: string): boolean | undefined {
  if (begun.length < maxBegun && /^(?:[{[]?|\[\s*"[^"]*"?)$/.test(begun)) return undefined;
  return /^(?:\{\s*["}]|\[\s*[{[]|\[\s*"(?:[^"\\]|\\.)*"\s*[,\]])/.test(begun);
}

/** `"ids":[7]` and `row=[7]`. */
const isPartOfCode = (sign: string, before: string) => sign.startsWith('[') && /(?:":|=)$/.test(before);

/** Where in the text one is: in code (https://spec.commonmark.org/0.31.2/#code-spans, #fenced-code-blocks), in a formula, or in neither. */
function createPlace() {
  let isLead = true;
  let isBlank = true;
  let last = '';
  /** What ends the code or the formula that one is in. */
  let end: string | undefined;
  let isFence = false;
  const close = () => {
    end = undefined;
    isFence = false;
  };
  return {
    /** In a formula between single dollars, which may be none, a mark that stands by itself is a citation. */
    isCode: (sign: string) => end !== undefined && !(end === '$' && sign.startsWith(' ')),
    /** The two characters before. */
    last: () => last,
    pass(part: string) {
      if (part === '') return;
      const newline = part.lastIndexOf('\n');
      const rest = part.slice(newline + 1);
      isLead = (isLead || newline >= 0) && /^[\s>*+\-\d.)]*$/.test(rest);
      isBlank = (isBlank || newline >= 0) && rest.trim() === '';
      last = (last + part).slice(-2);
    },
    meet(sign: string, next: string) {
      if (sign === '\n') {
        // Code within a line ends with its paragraph, and a dollar that was none with its line.
        if (!isFence && (isBlank || end === '$')) close();
      } else if (isFence) {
        if (end !== undefined && sign.startsWith(end) && isLead) close();
      } else if (end !== undefined) {
        if (sign === end || sign === `\\${end}`) close();
      } else if (/^(?:`{3}|~{3})/.test(sign) && isLead) {
        end = sign;
        isFence = true;
      } else if (sign.startsWith('`') || sign === '$$') end = sign;
      // A price is no formula: https://pandoc.org/MANUAL.html#extension-tex_math_dollars
      else if (sign === '$' && /[^\s\d]/.test(next)) end = sign;
      else if (sign === '\\[') end = '\\]';
      else if (sign === '\\(') end = '\\)';
    },
  };
}

/** The lines of the block quote that one is in, since the last marker in it. */
function createQuote() {
  let lines = [''];
  let length = 0;
  let isNewLine = true;
  let isQuote = false;
  let known = new Map<number, boolean>();
  const squeezed = new Map<string, string>();
  const forget = () => {
    lines = [''];
    length = 0;
  };
  return {
    pass(part: string) {
      if (part === '') return;
      known = new Map();
      for (const [at, piece] of part.split('\n').entries()) {
        if (at > 0) {
          if (isNewLine) isQuote = false;
          isNewLine = true;
        }
        if (piece === '') continue;
        if (isNewLine) {
          if (!piece.trimStart().startsWith('>')) forget();
          isQuote = piece.trimStart().startsWith('>');
          if (isQuote) lines.push('');
        }
        isNewLine = false;
        if (!isQuote) continue;
        length += piece.length;
        lines[lines.length - 1] += piece;
      }
    },
    /** Line breaks and other spaces do not make a quote different, nor do lines without letters: rules of tables, dashes. */
    standsIn(number: number, passage: string): boolean {
      if (!isQuote || isNewLine) return true;
      if (length > 2 * passage.length + maxExtra) return false;
      const before = known.get(number);
      if (before !== undefined) return before;
      const whole = squeezed.get(passage) ?? squeeze(passage);
      squeezed.set(passage, whole);
      const stands = lines.every((line) => !/[\p{L}\p{N}]/u.test(line) || whole.includes(squeeze(line)));
      known.set(number, stands);
      return stands;
    },
    text: () =>
      isQuote && !isNewLine
        ? lines
            .map((line) => line.replace(/^\s*>\s?/, '').trim())
            .filter((line) => /[\p{L}\p{N}]/u.test(line))
            .join('\n')
        : '',
    end: forget,
  };
}

const squeeze = (text: string): string => text.replace(/[\s>]+/g, '').normalize('NFKC');
