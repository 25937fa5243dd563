const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** What a person counts as characters: a family emoji is one. Stops counting one past `limit`. */
export function countGraphemes(text: string, limit = Infinity): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) if (++count > limit) break;
  return count;
}

/** Neither Postgres nor a browser can keep these: NUL, and halves of surrogate pairs. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** Japanese when it has kana or kanji, English otherwise: all that framing a sentence needs. */
export function languageOf(sample: string): 'ja' | 'en' {
  return /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(sample) ? 'ja' : 'en';
}
