interface Part {
  text: string;
  isMatch: boolean;
}

const japanese = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー々]/u;
const isGrammar = /^\p{Script=Hiragana}+$/u;
const minStem = 4;

/** A text in parts, those with the words of a question marked: English by the beginning of a word, as its end varies. */
export function matchesIn(text: string, question: string): Part[] {
  const wanted = wordsOf(question);
  const parts: Part[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    const isMatch = isWordLike === true && isAsked(segment, wanted);
    const last = parts.at(-1);
    if (last && last.isMatch === isMatch) last.text += segment;
    else parts.push({ text: segment, isMatch });
  }
  return parts;
}

interface Sorted {
  /** As they are told: parts of one word in Japanese, such as 駐車 and 場, as that word where the text has it whole. */
  found: string[];
  missing: string[];
  /** How many parts a question has, and how many of them the text has: the same whatever the text joins. */
  parts: { found: number; of: number };
}

/** Which of the words that a question is about are in a text, as they are marked there, and which are not. */
export function sortMatches(text: string, question: string): Sorted {
  const plain = plainOf(text);
  const words = [...segmenter.segment(text)].filter(({ isWordLike }) => isWordLike).map(({ segment }) => segment);
  const parts = new Map<string, boolean>();
  const told: { word: string; isFound: boolean }[] = [];
  let isJoined = false;
  for (const { segment, isWordLike } of segmenter.segment(question)) {
    const word = plainOf(segment);
    const isWanted = isWordLike === true && isAbout(word);
    if (isWanted) {
      const isFound = parts.get(word) ?? words.some((each) => isAsked(each, [word]));
      parts.set(word, isFound);
      const last = told.at(-1);
      if (isJoined && last?.isFound === isFound && (!isFound || plain.includes(plainOf(last.word + segment))))
        last.word += segment;
      else told.push({ word: segment, isFound });
    }
    isJoined = isWanted;
  }
  const those = (wanted: boolean) => [
    ...new Set(told.filter(({ isFound }) => isFound === wanted).map(({ word }) => word)),
  ];
  return {
    found: those(true),
    missing: those(false),
    parts: { found: [...parts.values()].filter(Boolean).length, of: parts.size },
  };
}

const segmenter = new Intl.Segmenter('ja', { granularity: 'word' });
const plainOf = (word: string) => word.normalize('NFKC').toLocaleLowerCase();
const isAbout = (word: string) => !isGrammar.test(word) && !common.has(word);

function wordsOf(question: string): string[] {
  return [...segmenter.segment(question)]
    .filter(({ isWordLike }) => isWordLike)
    .map(({ segment }) => plainOf(segment))
    .filter(isAbout);
}

function isAsked(segment: string, wanted: string[]): boolean {
  const word = plainOf(segment);
  if (!isAbout(word)) return false;
  return wanted.some((asked) => {
    if (asked === word) return true;
    const [short = '', long = ''] = asked.length < word.length ? [asked, word] : [word, asked];
    if (japanese.test(short)) return short.length > 1 && long.includes(short);
    return short.length >= minStem && long.startsWith(short.slice(0, Math.max(minStem, short.length - 2)));
  });
}

/** English words that only ask. */
const common = new Set(
  'a an and are as at be by can could do does for from had has have how i if in is it many me much my of on or our the there to was we what when where which who why will with would you your'.split(
    ' ',
  ),
);
