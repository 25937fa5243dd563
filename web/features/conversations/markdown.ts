import { Marked, Tokenizer, type MarkedToken, type TokenizerAndRendererExtension } from 'marked';

/** A part of a text: marked's own, or one of the two that are ours. Raw HTML is a part as well, and whoever draws it shows it as it was written. */
export type Part =
  | MarkedToken
  | { type: 'formula'; raw: string; text: string; display: boolean }
  /** `[1]` in running text. */
  | { type: 'citation'; raw: string; number: number };

// `\(…\)` and `\[…\]` are what most models write; a single dollar counts as Pandoc counts it, since prices have dollars, too:
// https://pandoc.org/MANUAL.html#extension-tex_math_dollars
const formulaAlone = /^ {0,3}(?:\$\$([^$]{1,4000}?)\$\$|\\\[([^]{1,4000}?)\\\])[ \t]*(?:\n|$)/;
const formulaWithin =
  /^(?:\$\$([^$]{1,4000}?)\$\$|\\\[([^]{1,4000}?)\\\]|\\\(([^\n]{1,4000}?)\\\)|\$(?![\s$])([^$\n]{0,999}?[^\s$\\])\$(?![\d$]))/;
const inDollars = /\$\$[^$]{1,4000}?\$\$|\$(?![\s$])[^$\n]{0,999}?[^\s$\\]\$(?![\d$])/g;

function toFormula(match: RegExpExecArray | null, isAlone: boolean) {
  if (!match) return undefined;
  const [raw, dollars, square, round, dollar] = match;
  const text = (dollars ?? square ?? round ?? dollar ?? '').trim();
  return text === '' ? undefined : { type: 'formula', raw, text, display: isAlone || square !== undefined };
}

/** How many characters may be looked at again and again, because they might end what has begun: some hundreds of milliseconds' work. */
const maxWork = 4_000_000;
let work = 0;

function spend(text: string): void {
  work += text.length;
  if (work > maxWork) throw new RangeError('more marks than can be paired in a moment');
}

const extensions: TokenizerAndRendererExtension[] = [
  {
    name: 'formulaAlone',
    level: 'block',
    // The text that is given begins in the middle of a line.
    start: (text) => {
      const at = text.search(/\n {0,3}(?:\$\$|\\\[)/);
      return at < 0 ? undefined : at + 1;
    },
    tokenizer(text) {
      spend(text);
      return toFormula(formulaAlone.exec(text), true);
    },
  },
  {
    name: 'formulaWithin',
    level: 'inline',
    start: (text) => text.indexOf('$'),
    tokenizer(text) {
      spend(text);
      return toFormula(formulaWithin.exec(text), false);
    },
  },
  {
    name: 'citation',
    level: 'inline',
    tokenizer(text) {
      const [raw, number = ''] = /^\[(\d{1,3})\](?!\()/.exec(text) ?? [];
      if (raw === undefined || this.lexer.state.inLink || number in this.lexer.tokens.links) return undefined;
      return { type: 'citation', raw, number: Number(number) };
    },
  },
];

// CommonMark counts 「 and 。 as it counts a comma, and takes for granted that a space stands between it and the next word.
// In Chinese, Japanese and Korean none does, and `**「答え」**です` keeps its stars. The amendments:
// https://github.com/tats-u/markdown-cjk-friendly/blob/main/specification.md
const cjk = '\\u2e80-\\ua4cf\\uac00-\\ud7af\\uf900-\\ufaff\\ufe30-\\ufe4f\\uff01-\\uffef\\u{20000}-\\u{3ffff}';
const isCjk = new RegExp(`^[${cjk}]`, 'u');
const cjkMark = new RegExp(`(?![^${cjk}])[\\p{P}\\p{S}]`, 'gu');
const markBeforeStars = new RegExp(`(?!\\*)[\\p{P}\\p{S}](?=\\*+[${cjk}])`, 'gu');
const markAfterStars = new RegExp(`([${cjk}]\\*+)((?!\\*)[\\p{P}\\p{S}])`, 'gu');
const letters = (text: string) => '字'.repeat(text.length);

/** What marked looks for the end of emphasis in: of the same length as the text, with letters for what must not count as a mark. */
const emStrongMask = (text: string) =>
  text
    .replace(inDollars, letters)
    .replace(cjkMark, letters)
    .replace(markBeforeStars, letters)
    .replace(markAfterStars, (_, before: string, mark: string) => before + letters(mark));

const { emStrong, url } = Tokenizer.prototype;

const marked = new Marked({
  gfm: true,
  extensions,
  hooks: { emStrongMask },
  tokenizer: {
    emStrong(text, masked, before = '') {
      const mayBegin =
        text.startsWith('*') && before !== '*' && (isCjk.test(before) || isCjk.test(text.replace(/^\*+/, '')));
      return emStrong.call(this, text, masked, mayBegin ? '' : before);
    },
    /** An address ends where a Japanese sentence or bracket does. */
    url(text) {
      const token = url.call(this, text);
      const end = token?.raw.search(/[\u3000-\u303f\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65]/) ?? -1;
      return end < 0 ? token : url.call(this, text.slice(0, end));
    },
  },
});

/** Markdown (CommonMark with GitHub's tables, tasks, strikethrough and addresses; formulas; citations) as the tree of its parts. Nothing in it is HTML. */
export function toParts(text: string): Part[] {
  work = 0;
  return partsOf(marked.lexer(text));
}

const betweenCjk = new RegExp(`(?<=[${cjk}])\\n(?=[${cjk}])`, 'gu');

/** The end of a line is a space, but not between letters that are written without any. */
export const joinLines = (text: string): string => text.replace(betweenCjk, '');

/** Types of marked leave room for anybody's extensions; here they are ours. */
export const partsOf = (tokens: unknown[] = []): Part[] => tokens as Part[];
