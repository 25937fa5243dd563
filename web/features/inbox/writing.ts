import { toPlainText } from '../../lib/plain-text.ts';

/** What is being asked for in a text, right before where one writes. */
export interface Asked {
  sign: '/' | '@';
  word: string;
  /** Where the sign stands. */
  from: number;
}

/** A canned reply after a slash, a member after an @: only at the beginning of a word, so no address and no fraction asks for one. */
export function askedFor(text: string, caret: number, signs: string): Asked | undefined {
  const found = /(?:^|\s)([/@／＠])([\p{L}\p{N}_.-]*)$/u.exec(text.slice(0, caret));
  const [, typed, word = ''] = found ?? [];
  // A Japanese keyboard writes them wide.
  const sign = typed?.normalize('NFKC');
  if ((sign !== '/' && sign !== '@') || !signs.includes(sign)) return undefined;
  return { sign, word, from: caret - word.length - 1 };
}

/** Whether nothing is written yet, at most something asked for. */
export const isNothingYet = (text: string): boolean => /^\s*(?:[/／][\p{L}\p{N}_.-]*)?$/u.test(text);

/** The text with what was chosen in the place of what was asked for, and where one writes on. */
export function put(text: string, { from, word }: Asked, chosen: string): { text: string; caret: number } {
  const before = text.slice(0, from) + chosen;
  return { text: before + text.slice(from + 1 + word.length), caret: before.length };
}

/** Variables in a text that stand for nothing here. */
export const findUnfilled = (text: string, known: readonly string[] = []): { text: string; at: number }[] =>
  [...text.matchAll(/\{\{([^{}\n]*)\}\}/g)]
    .filter(({ 1: name = '' }) => !known.includes(name.trim()))
    .map(({ 0: found, index }) => ({ text: found, at: index }));

/** Without the marks of its sources, which mean nothing to whoever cannot open them. */
export const withoutMarks = (text: string): string => text.replace(/(?<![ \u2060])[ \u2060]*\[\d+\]/g, '');

/** An answer of a bot as it can stand where nothing is drawn: without marks of any kind. */
export const inPlainWords = (text: string): string => withoutMarks(toPlainText(text)).trim();

/** The language that a text is not in. */
export const otherLanguage = (text: string): 'en' | 'ja' =>
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text) ? 'en' : 'ja';
