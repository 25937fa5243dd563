import type { Category, Listing } from '../../../shared/contracts/explore.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';

/** A term of a question: found where a text has it, or anything that begins with it. */
export interface Wanted {
  term: string;
  isPrefix: boolean;
}

// Not among the characters of words, so that nobody's words are taken for them.
const mark = '\ue000';
const categoryTerm = (category: Category) => `${mark}${category}`;
const languageTerm = (language: Locale) => `${mark}${language}`;
const knowledgeTerm = `${mark}knowledge`;

const word = /[\p{L}\p{N}]+/gu;
const run =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]+/gu;
const japanese = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;
const longest = 40;
/** What a question names beyond this changes nothing any more. */
const mostWanted = 24;

/** Katakana is found by hiragana, and wide letters by narrow ones. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[ァ-ヶ]/g, (each) => String.fromCharCode(each.charCodeAt(0) - 0x60));

function* runsOf(text: string): Generator<{ characters: string[]; isJapanese: boolean }> {
  for (const [whole] of plain(text).matchAll(word))
    for (const [part] of whole.matchAll(run)) yield { characters: [...part], isJapanese: japanese.test(part) };
}

/** What a listing is found by: words, pairs of neighboring Japanese characters, its category, its languages, and what a copy has of it. */
export function termsOfListing({
  texts,
  category,
  languages,
  copying,
}: {
  texts: string[];
  category: Category;
  languages: Locale[];
  copying: Listing['copying'];
}): string[] {
  const terms = new Set([categoryTerm(category), ...languages.map(languageTerm)]);
  if (copying === 'knowledge') terms.add(knowledgeTerm);
  for (const { characters, isJapanese } of runsOf(texts.join('\n')))
    if (isJapanese) characters.forEach((each, at) => terms.add(each + (characters[at + 1] ?? '')));
    else terms.add(characters.slice(0, longest).join(''));
  return [...terms];
}

/** The terms that a listing must have; nothing where the words of a question have no letter in them. */
export function wantedTerms({
  q,
  category,
  language,
  copying,
}: {
  q?: string | undefined;
  category?: Category | undefined;
  language?: Locale | undefined;
  copying?: 'knowledge' | undefined;
}): Wanted[] | undefined {
  const wanted: Wanted[] = [
    ...(category ? [{ term: categoryTerm(category), isPrefix: false }] : []),
    ...(language ? [{ term: languageTerm(language), isPrefix: false }] : []),
    ...(copying ? [{ term: knowledgeTerm, isPrefix: false }] : []),
  ];
  if (!q?.trim()) return wanted;
  const before = wanted.length;
  for (const { characters, isJapanese } of runsOf(q)) {
    if (!isJapanese || characters.length === 1)
      wanted.push({ term: characters.slice(0, longest).join(''), isPrefix: true });
    else
      for (let at = 0; at + 1 < characters.length && wanted.length < mostWanted; at++)
        wanted.push({ term: `${characters[at]}${characters[at + 1]}`, isPrefix: false });
    if (wanted.length >= mostWanted) break;
  }
  return wanted.length === before ? undefined : wanted;
}
