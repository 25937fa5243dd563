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

/** "OK", "LINE", "WiFi": with fewer letters a text may be part of any language. */
const fewestLetters = 5;

/**
 * Japanese when it has kana or kanji, English when it has enough other letters: all that framing a sentence needs. Undefined where it has
 * too few to tell; those of addresses do not count.
 */
export function languageOf(sample: string): 'ja' | 'en' | undefined {
  const said = sample.replace(/(?:[a-z]{1,20}:\/\/|www\.)\S*|[\w.+-]{1,64}@\S+/gi, ' ');
  if (/[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(said)) return 'ja';
  return (said.match(/\p{L}/gu)?.length ?? 0) >= fewestLetters ? 'en' : undefined;
}

/** A value behind its name, with the colon of the name's language. */
export const labelled = (name: string, value: string): string =>
  `${name}${languageOf(name) === 'ja' ? '：' : ': '}${value}`;
