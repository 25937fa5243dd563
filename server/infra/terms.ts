import { stemmer } from 'stemmer';

/** The three kinds of terms of a text, in reading order with repeats. */
export interface Terms {
  /** Words as ICU divides them: Latin ones stemmed and without stop words; product codes also whole. */
  words: string[];
  /** Pairs of neighboring Chinese or Japanese characters, unless both are hiragana. */
  bigrams: string[];
  /** Single Chinese characters. */
  kanji: string[];
}

/** The weight of each kind in a score: the best that were measured on Japanese and English question sets. */
export const termWeights = { words: 1, bigrams: 0.25, kanji: 0.15 } as const;

/** The version of our rules, increased with every change, and that of ICU, which divides words. */
const rules = 2;
export const termsVersion = `${rules}-icu${process.versions.icu}`;

/**
 * Whether this process has to rebuild an index of that version. Only an older one is rebuilt, so that of two processes with
 * different versions the newer does it, once.
 */
export function isOlderIndex(version: string): boolean {
  const [known, own] = [numbersOf(version), numbersOf(termsVersion)];
  const at = own.findIndex((number, index) => number !== (known[index] ?? 0));
  return at >= 0 && (known[at] ?? 0) < (own[at] ?? 0);
}

const numbersOf = (version: string) => version.split(/\D+/).map(Number);

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
const cjkRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]{1,}/gu;
const code = /(?<![\p{Script=Latin}\p{N}])[\p{Script=Latin}\p{N}]+(?:[-._/][\p{Script=Latin}\p{N}]+)+/gu;
const han = /[\p{Script=Han}々]/u;
const hiraganaOnly = /^\p{Script=Hiragana}+$/u;
const cjkOnly = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+$/u;

export const stopWords = new Set(
  'a an and are as at be been but by can could did do does for from had has have he her his how i if in into is it its me my no not of on or our she should so such that the their them then there these they this those to was we were what when where which while who whom why will with would you your'.split(
    ' ',
  ),
);

export function termsOf(text: string): Terms {
  const plain = text.normalize('NFKC').toLowerCase();
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(plain)) {
    if (!isWordLike) continue;
    if (cjkOnly.test(segment)) words.push(segment);
    else
      for (const part of segment.split(/[^\p{L}\p{N}\p{M}]+/u))
        if (part && !stopWords.has(part)) words.push(/^[a-z]+$/.test(part) ? stemOf(part) : part);
  }
  for (const [whole] of plain.matchAll(code)) words.push(whole);
  const bigrams: string[] = [];
  const kanji: string[] = [];
  for (const [run] of plain.matchAll(cjkRun)) {
    let before = '';
    for (const char of run) {
      if (before && !(hiraganaOnly.test(before) && hiraganaOnly.test(char))) bigrams.push(before + char);
      if (han.test(char)) kanji.push(char);
      before = char;
    }
  }
  return { words, bigrams, kanji };
}

const maxStems = 20_000;
const stems = new Map<string, string>();

/** The stem of an English word in lower case. Texts repeat their words, so stems are kept for a while. */
export function stemOf(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const stem = stemmer(word);
  // A long word is hardly a word, and hardly comes back.
  if (word.length > 40) return stem;
  if (stems.size >= maxStems) stems.clear();
  stems.set(word, stem);
  return stem;
}
