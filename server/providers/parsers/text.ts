import { decodeBytes } from './encoding.ts';
import { ParseError } from './parser.ts';
import type { Block, Draft, ParsedDocument } from './parser.ts';

/** Characters of one document: about six times "War and Peace". */
export const maxCharacters = 20_000_000;

/** A heading above this loses words in the headings of its chunks, so it is a paragraph. */
export const longestHeading = 200;

const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆。、，．・「」『』（）【】〈〉《》！？：；';
const breakBetweenCjk = new RegExp(`(?<=[${cjk}])[^\\S\\n]*\\n\\s*(?=[${cjk}])`, 'gu');
const spaceBetweenCjk = new RegExp(`(?<=[${cjk}])[ \\t\\u3000]+(?=[${cjk}])`, 'gu');

/** Joins lines that only the layout broke: nothing between CJK characters ("くだ⏎さい"), a space elsewhere. */
export function unwrap(text: string): string {
  return text.replace(breakBetweenCjk, '').replace(/\s+/g, ' ').trim();
}

/** Drops the spaces that typesetting puts between CJK characters ("第 二 条"). */
export function closeUp(text: string): string {
  return text.replace(spaceBetweenCjk, '');
}

/** Text in the encoding that `decodeBytes` finds. Throws 'encoding-unknown' where it finds none, 'type-mismatch' when the bytes are no text at all. */
export function decodeText(file: Uint8Array, declared?: string): string {
  const text = decodeBytes(file, declared);
  if (text !== undefined) {
    if (looksBinary(text.slice(0, 65_536))) throw new ParseError('type-mismatch');
    return text.replace(/\r\n?/g, '\n');
  }
  const zeros = file.subarray(0, 65_536).reduce((sum, byte) => sum + (byte === 0 ? 1 : 0), 0);
  throw new ParseError(zeros > 0 ? 'type-mismatch' : 'encoding-unknown');
}

/** True when these first bytes can begin a text file. Bytes in no encoding that we know count as text: the parser gives that its own error. */
export function isTextHead(head: Uint8Array): boolean {
  if (isPdf(head) || isZip(head)) return false;
  const text = decodeBytes(head, undefined, true) ?? new TextDecoder('latin1').decode(head);
  return !looksBinary(text);
}

/** `%PDF-` at the very beginning: readers that search for it further on are what polyglot files live from. */
export const isPdf = (head: Uint8Array): boolean =>
  /^(?:\u00EF\u00BB\u00BF)?\s{0,16}%PDF-/.test(latin1(head.subarray(0, 32)));

export const isZip = (head: Uint8Array): boolean =>
  ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(latin1(head.subarray(0, 4)));

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

// One stray control character in a thousand is a slip of an editor, more is binary. Those from U+0080 on are curly quotes in undeclared Windows text.
function looksBinary(text: string): boolean {
  const controls = text.match(/[^\P{Cc}\t-\r\u0080-\u009F]/gu);
  return controls !== null && (controls.includes('\0') || controls.length > text.length / 1000);
}

/** What some fonts of PDFs write for a character that looks alike; Unicode's own forms undo the Kangxi radicals, but few of these. */
const radicals = new Map(
  '⺟母 ⺠民 ⺩王 ⻁虎 ⻄西 ⻅見 ⻆角 ⻉貝 ⻋車 ⻑長 ⻓長 ⻔門 ⻗雨 ⻘青 ⻚頁 ⻛風 ⻝食 ⻞食 ⻢馬 ⻣骨 ⻤鬼 ⻥魚 ⻦鳥 ⻨麦 ⻩黄 ⻫斉 ⻭歯 ⻯竜 ⻲亀'
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** Characters that no reader should meet: controls other than \n and \t, halves of surrogate pairs, byte order marks, soft hyphens, noncharacters; radicals become the characters that they stand for. */
export function clean(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?|[\u000B\u000C\u0085\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u00AD\u200B\u2060\uFEFF\uFFFE\uFFFF]/gu, '')
    .replace(/[\u00A0\u2000-\u200A\u202F]/g, ' ')
    .replace(/[\u2E80-\u2FD5]/g, (radical) => radicals.get(radical) ?? radical.normalize('NFKC'))
    .normalize('NFC');
}

/**
 * The last step of every parser: cleans each string, drops empty blocks, tells the language.
 * Throws 'no-text' when nothing is left and 'too-much-text' above `maxCharacters`.
 */
export function finish(draft: Draft): ParsedDocument {
  let characters = 0;
  const blocks: Block[] = [];
  for (const block of pairQuestions(draft.blocks)) {
    const text = withoutBlankEnds(clean(block.text));
    if (text.trim() === '') continue;
    characters += text.length;
    if (characters > maxCharacters) throw new ParseError('too-much-text');
    blocks.push({ ...block, text });
  }
  if (blocks.length === 0) throw new ParseError('no-text');
  const title = draft.title === null ? null : unwrap(clean(draft.title)).slice(0, 300).toWellFormed();
  return { ...draft, title: title || null, blocks, language: detectLanguage(blocks) };
}

/** Without empty lines before it and white space after it; the first line keeps its indent. */
export function withoutBlankEnds(text: string): string {
  const indent = text.length - text.trimStart().length;
  return text.slice(text.slice(0, indent).lastIndexOf('\n') + 1).trimEnd();
}

/** The address of a link in brackets, to stand behind its words; nothing where they are the address, or where it leads into the file itself. */
export function addressBehind(words: string, target: string | undefined): string {
  if (words.trim() === '' || !target || !/^(?:https?:|mailto:|tel:)/i.test(target)) return '';
  return bareAddress(words.trim()) === bareAddress(target) ? '' : ` (${target})`;
}

const bareAddress = (address: string) =>
  address
    .toLowerCase()
    .replace(/^(?:https?:\/\/|mailto:|tel:)/, '')
    .replace(/\/$/, '');

const englishWords = new Set(
  'the of and to in is for you a be are it that on with as this or by from at an not have can we your'.split(' '),
);

/** Japanese when it has kana (or a few lone kanji, as in a table of names); English when its common words say so; else other. */
function detectLanguage(blocks: Block[]): ParsedDocument['language'] {
  // A sample from all over the document: a translated foreword does not decide.
  const step = Math.max(1, Math.floor(blocks.length / 400));
  const sample = blocks
    .filter((_, index) => index % step === 0)
    .map((block) => block.text.slice(0, 500))
    .join('\n');
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  const letters = count(/\p{L}/gu);
  const kana = count(/[\p{Script=Hiragana}\p{Script=Katakana}]/gu);
  const han = count(/\p{Script=Han}/gu);
  if (kana + han > letters * 0.15) return kana > (kana + han) * 0.05 || han < 200 ? 'ja' : 'other';
  if (count(/\p{Script=Latin}/gu) < letters * 0.7 || letters === 0) return 'other';
  const words = sample.toLowerCase().match(/\p{L}+/gu) ?? [];
  const english = words.filter((word) => englishWords.has(word)).length;
  // Lists of goods and names have no such words; those without any accent are taken for English.
  return english > words.length * 0.08 || count(/[a-z]/gi) === letters ? 'en' : 'other';
}

const question = /^\s*(?:Q|ご?質問|問(?=\s*\d))\s*(?:\d{1,3}\s*)?[:：.．、）)]\s*\S/i;
const answer = /^\s*(?:A|ご?回答|答え?)\s*(?:\d{1,3}\s*)?[:：.．、）)]\s*\S/i;

/** A mark stands at the beginning; of a line with a million spaces after it no more is looked at. */
const asks = (text: string) => question.test(text.trimStart().slice(0, 60));
const replies = (text: string) => answer.test(text.trimStart().slice(0, 60));

/** Lines of one paragraph, cut before each line that asks (`Q: …`, `Q．`, `質問：`) or answers (`A: …`, `回答：`). */
export function cutAtQuestions(text: string): string[] {
  const parts: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (asks(line) || replies(line)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts.map((lines) => lines.join('\n')).filter((part) => part.trim() !== '');
}

/** A paragraph that asks and the one after it that answers become one block: an answer is worth little without its question. */
function pairQuestions(blocks: Block[]): Block[] {
  const paired: Block[] = [];
  for (const block of blocks.flatMap((each) =>
    each.kind === 'paragraph' ? cutAtQuestions(each.text).map((text) => ({ ...each, text })) : each,
  )) {
    const before = paired.at(-1);
    if (block.kind === 'paragraph' && before?.kind === 'paragraph' && asks(before.text) && replies(block.text)) {
      paired[paired.length - 1] = { ...before, kind: 'qa', text: `${before.text}\n${block.text}` };
    } else paired.push(block);
  }
  return paired;
}

/** In Roman numerals from 1 to 3,999, else in digits. */
export function roman(number: number): string {
  if (number < 1 || number > 3999) return String(number);
  const signs = [
    ['', 'I', 'II', 'III', 'IV', 'V', 'VI', 'VII', 'VIII', 'IX'],
    ['', 'X', 'XX', 'XXX', 'XL', 'L', 'LX', 'LXX', 'LXXX', 'XC'],
    ['', 'C', 'CC', 'CCC', 'CD', 'D', 'DC', 'DCC', 'DCCC', 'CM'],
    ['', 'M', 'MM', 'MMM'],
  ];
  return Array.from(String(number).padStart(4, '0'), (digit, at) => signs[3 - at]?.[Number(digit)] ?? '').join('');
}
