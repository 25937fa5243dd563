import { english as englishLines } from './synonyms.english.ts';
import { japanese as japaneseLines } from './synonyms.japanese.ts';
import { stemOf } from './terms.ts';

/** Longest, in words, that an English entry may be. */
const maxWords = 4;
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const loose = /^~ /;
const written = [englishLines, japaneseLines].flatMap((lines) => lines.trim().split('\n'));
const groups = written.map((line) => line.replace(loose, '').split(', '));
const loosely = written.map((line) => loose.test(line));

const latinWord = /[a-z0-9]+(?:['’][a-z]+)?/g;
const english = new Map<string, number[]>();
const japanese = new Map<string, number[]>();
for (const [group, entries] of groups.entries())
  for (const entry of entries) {
    const [map, key] = cjk.test(entry) ? [japanese, entry] : [english, wordsOf(entry).join(' ')];
    map.set(key, [...new Set([...(map.get(key) ?? []), group])]);
  }
/** By their first character, the longest first. */
const byFirst = Map.groupBy(
  [...japanese.keys()].sort((one, other) => other.length - one.length),
  (entry) => entry.charAt(0),
);

/** An entry of the list that stands in a text, and the groups of which it is one. */
export interface Meant {
  groups: number[];
  start: number;
  end: number;
}

const han = /[\p{Script=Han}々]/u;

/** A single Chinese character is a word of its own only where no other one stands beside it: no 夫 in 大丈夫. */
const standsAt = (text: string, entry: string, at: number) =>
  text.startsWith(entry, at) &&
  (entry.length > 1 || !han.test(entry) || (!han.test(text.charAt(at - 1)) && !han.test(text.charAt(at + 1))));

/** The entries in a text that is in NFKC and lower case, the longest at each place; none lies within another. */
export function meantIn(text: string): Meant[] {
  const found: Meant[] = [];
  for (let at = 0; at < text.length; at++) {
    const entry = byFirst.get(text.charAt(at))?.find((each) => standsAt(text, each, at));
    if (!entry) continue;
    found.push({ groups: japanese.get(entry) ?? [], start: at, end: at + entry.length });
    at += entry.length - 1;
  }
  const words = latinIn(text);
  for (let at = 0; at < words.length; at++) {
    const [first] = englishAt(words, at);
    if (!first) continue;
    found.push(first.meant);
    at += first.count - 1;
  }
  return found;
}

/** The groups of every entry that stands in such a text, also within another. */
export function groupsIn(text: string): Set<number> {
  const found = new Set<number>();
  const add = ({ groups }: Pick<Meant, 'groups'>) => groups.forEach((group) => found.add(group));
  for (let at = 0; at < text.length; at++)
    for (const entry of byFirst.get(text.charAt(at)) ?? [])
      if (standsAt(text, entry, at)) add({ groups: japanese.get(entry) ?? [] });
  const words = latinIn(text);
  for (let at = 0; at < words.length; at++) for (const { meant } of englishAt(words, at)) add(meant);
  return found;
}

interface Latin {
  stem: string;
  start: number;
  end: number;
}

const latinIn = (text: string): Latin[] =>
  [...text.matchAll(latinWord)].map((match) => ({
    stem: stemOf(match[0].replace(/['’]s$/, '')),
    start: match.index,
    end: match.index + match[0].length,
  }));

/** English entries that begin with a word, the longest first. */
function englishAt(words: Latin[], at: number): { meant: Meant; count: number }[] {
  const found: { meant: Meant; count: number }[] = [];
  for (let count = Math.min(maxWords, words.length - at); count > 0; count--) {
    const some = words.slice(at, at + count);
    const groups = english.get(some.map(({ stem }) => stem).join(' '));
    if (groups) found.push({ meant: { groups, start: some[0]!.start, end: some.at(-1)!.end }, count });
  }
  return found;
}

/** Whether the entries of a group only have to do with each other. */
export const isLoose = (group: number): boolean => loosely[group] ?? false;

/** The entries of a group, as they are written in the list. */
export const entriesOf = (group: number): string[] => groups[group] ?? [];

function wordsOf(text: string): string[] {
  return [...text.matchAll(latinWord)].map(([word]) => stemOf(word.replace(/['’]s$/, '')));
}
