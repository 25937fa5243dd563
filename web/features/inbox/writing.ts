/** What is being asked for in a text, right before where one writes. */
export interface Asked {
  sign: '/' | '@';
  word: string;
  /** Where the sign stands. */
  from: number;
}

/** A canned reply after a slash, a member after an @: only at the beginning of a word, so no address and no fraction asks for one. */
export function askedFor(text: string, caret: number, signs: string): Asked | undefined {
  const found = /(?:^|\s)([/@])([\p{L}\p{N}_.-]*)$/u.exec(text.slice(0, caret));
  const [, sign, word = ''] = found ?? [];
  if ((sign !== '/' && sign !== '@') || !signs.includes(sign)) return undefined;
  return { sign, word, from: caret - word.length - 1 };
}

/** The text with what was chosen in the place of what was asked for, and where one writes on. */
export function put(text: string, { from, word }: Asked, chosen: string): { text: string; caret: number } {
  const before = text.slice(0, from) + chosen;
  return { text: before + text.slice(from + 1 + word.length), caret: before.length };
}

/** A canned reply with what its variables stand for; what is not known stays as it was written, so that nobody sends a gap. */
export const fillIn = (text: string, values: { name: string; staff: string; shop: string }): string =>
  text.replace(/\{\{\s*(name|staff|shop)\s*\}\}/g, (written, key: keyof typeof values) => values[key] || written);

/** Without the marks of its sources, which mean nothing to whoever cannot open them. */
export const withoutMarks = (text: string): string => text.replace(/[ \u2060]*\[\d+\]/g, '');

/** The language that a text is not in. */
export const otherLanguage = (text: string): 'en' | 'ja' =>
  /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text) ? 'en' : 'ja';
