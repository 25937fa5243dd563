import { languageOf } from '../../../../shared/text.ts';
import {
  hasSubject,
  looksLike,
  readQuestion,
  wordsIn,
  type Kind,
  type Question,
  type Subject,
  type Words,
} from './question.ts';
import { cellsOf, extractsOf, type Extract } from './extracts.ts';
import type { Passage } from '../model.ts';

/** What an extract has for a question: shares from 0 to 1, or 0 and 1 for no and yes; `margin` may be below 0. */
export interface Features {
  /** Share of the question's subjects that the quoted text has, with its passage's headings; by weight. */
  told: number;
  /** Nothing of the question is missing. */
  complete: number;
  /** The same in the core sentence or row. */
  core: number;
  /** Share of the rarest subject that is missing. */
  rarest: number;
  /** How much of what is asked for is missing in the core and in what stands directly above it. */
  head: number;
  /** How much of the word before it is missing, where both stand together: swimming suit. */
  modifier: number;
  /** The weight that is missing altogether, by the number of subjects. */
  missing: number;
  /** It looks like what was asked for (an amount, a time …); the question does not ask for such a thing: 0. */
  kindTold: number;
  kindMissing: number;
  /** How much more of the question it tells than the best extract of another passage. */
  margin: number;
  /** Its passage is the first, second … of the search. */
  rank: number;
  /** A question of one word says little. */
  single: number;
  /** How many subjects are told, up to three. */
  evidence: number;
  /** Of a row: how much of its first cell the question names. */
  named: number;
  isRow: number;
  isAnswer: number;
  isTable: number;
}
export const featureNames = [
  'told',
  'complete',
  'core',
  'rarest',
  'head',
  'modifier',
  'missing',
  'kindTold',
  'kindMissing',
  'margin',
  'rank',
  'single',
  'evidence',
  'named',
  'isRow',
  'isAnswer',
  'isTable',
] as const satisfies (keyof Features)[];

export interface Weights extends Features {
  bias: number;
  /** Added for questions in English, whose words are compared by their stems alone and meet more often by chance. */
  english: number;
}

/**
 * Logistic weights, printed by `scripts/fit-answers.ts`: fitted by Newton's method on extracts of four of our six documents in each
 * language (`bench/answers`) and of 60 public articles, against questions written to have no answer, questions moved to another
 * document and questions whose passages were taken away. `english` and `bias` hold how sure an answer has to be, chosen where right
 * answers are furthest above wrong ones when each document is judged by weights fitted without it.
 */
export const weights: Weights = {
  bias: -2.14,
  english: -0.4,
  told: 1.22,
  complete: 0.29,
  core: 1.11,
  rarest: -0.69,
  head: -0.64,
  modifier: -0.45,
  missing: -0.47,
  kindTold: 0.03,
  kindMissing: -1.15,
  margin: 1.66,
  rank: -0.24,
  single: -0.72,
  evidence: 2.47,
  named: 0.93,
  isRow: -0.31,
  isAnswer: 0.47,
  isTable: -0.01,
};

export interface Rated {
  extract: Extract;
  features: Features;
  /** Log odds that it answers. */
  odds: number;
  /** Subjects that it tells. */
  tells: Set<Subject>;
}

/** Every extract of the passages with its features, the likeliest to answer first. */
export function rate(text: string, passages: Passage[], by: Weights = weights): Rated[] {
  const question = readQuestion(text);
  if (question.subjects.length === 0) return [];
  const vocabulary = passages.map((passage) => wordsIn([passage.title, ...passage.headings, passage.text].join('\n')));
  respell(question, vocabulary);
  const seen = new Map<string, Words>();
  const words = (part: string) => {
    const known = seen.get(part) ?? wordsIn(part);
    seen.set(part, known);
    return known;
  };
  const extracts = passages.map(extractsOf);
  const worth = weigh(question, [...new Set(extracts.flat().map(({ core }) => core))].map(words));
  const all = passages.flatMap((passage, rank) => {
    const above = wordsIn(passage.headings.slice(-2).join('\n'));
    const title = wordsIn([passage.title, ...passage.headings.slice(0, -2)].join('\n'));
    return (extracts[rank] ?? []).map((extract) => ({
      extract,
      rank,
      ...tell(question, worth, extract, { above, title, words }),
    }));
  });
  const bestOf = new Map<Passage, number>();
  for (const { extract, told } of all) bestOf.set(extract.passage, Math.max(told, bestOf.get(extract.passage) ?? 0));
  const [first, second] = [...bestOf].sort((one, other) => other[1] - one[1]);
  const rated = all.map(({ extract, rank, tells, ...features }): Rated => {
    const other = first?.[0] === extract.passage ? (second?.[1] ?? 0) : (first?.[1] ?? 0);
    const whole: Features = {
      ...features,
      margin: features.told - other,
      rank: Math.min(rank, 6) / 6,
      single: question.subjects.length === 1 ? 1 : 0,
      named: extract.kind === 'row' ? namedShare(extract.core, question) : 0,
      isRow: extract.kind === 'row' ? 1 : 0,
      isAnswer: extract.kind === 'answer' ? 1 : 0,
      isTable: extract.kind === 'table' ? 1 : 0,
    };
    return { extract, features: whole, odds: oddsOf(whole, by) + (languageOf(text) === 'en' ? by.english : 0), tells };
  });
  return rated.sort((one, other) => other.odds - one.odds);
}

export function oddsOf(features: Features, by: Weights): number {
  return featureNames.reduce((sum, name) => sum + by[name] * features[name], by.bias);
}

/** A word in no passage that is one letter from a word in them was misspelt. */
function respell({ subjects }: Question, vocabulary: Words[]): void {
  for (const subject of subjects) {
    if (!/^[a-z]{4,}$/.test(subject.written) || vocabulary.some((words) => hasSubject(words, subject) > 0)) continue;
    for (const { words } of vocabulary) {
      const near = [...words].find((word) => isNear(word, subject.word) || isNear(word, subject.written));
      if (near) subject.word = near;
    }
  }
}

/** One letter is changed, added, left out or swapped with its neighbor; the first one holds. */
function isNear(one: string, other: string): boolean {
  if (one[0] !== other[0] || one.length < 4 || Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at++;
  const rest = (text: string, from: number) => text.slice(from);
  return (
    rest(one, at + 1) === rest(other, at + 1) ||
    rest(one, at + 1) === rest(other, at) ||
    rest(one, at) === rest(other, at + 1) ||
    (one[at] === other[at + 1] && one[at + 1] === other[at] && rest(one, at + 2) === rest(other, at + 2))
  );
}

/** What is in every sentence tells none of them apart. */
function weigh({ subjects }: Question, cores: Words[]): Map<Subject, number> {
  const count = cores.length + 1;
  return new Map(
    subjects.map((subject) => {
      // A word that no sentence has may only be another way to ask, so it weighs as one that a single sentence has.
      const having = Math.max(1, cores.filter((words) => hasSubject(words, subject) >= 0.8).length);
      return [subject, subject.weight * (0.3 + 0.7 * (Math.log(count / having) / Math.log(count)))];
    }),
  );
}

const isBefore = (one: Subject, other: Subject) => {
  const gap = other.start - one.start - one.written.length;
  return gap >= 0 && gap <= 1;
};

interface Places {
  above: Words;
  title: Words;
  words(part: string): Words;
}

function tell(
  { subjects, kinds, head }: Question,
  worth: Map<Subject, number>,
  extract: Extract,
  { above, title, words }: Places,
) {
  const [core, quoted, near] = [words(extract.core), words(extract.text), words(extract.above)];
  let [total, told, inCore, missing, heaviest, rarest, lacking, modifier] = [0, 0, 0, 0, 0, 0, 0, 0];
  const tells = new Set<Subject>();
  for (const subject of subjects) {
    const weight = worth.get(subject) ?? 0;
    const own = subject.values.some((kind) => looksLike(kind, core)) ? 1 : hasSubject(core, subject);
    const share = Math.max(
      own,
      0.9 * hasSubject(quoted, subject),
      0.9 * hasSubject(near, subject),
      0.8 * hasSubject(above, subject),
      0.4 * hasSubject(title, subject),
    );
    if (subject === head)
      lacking = 1 - Math.max(own, hasSubject(near, subject), 0.8 * hasSubject(above, subject), 0.6 * share);
    if (head && subject !== head && isBefore(subject, head)) modifier = Math.max(modifier, 1 - share);
    total += weight;
    told += weight * share;
    inCore += weight * own;
    missing += weight * (1 - share);
    if (share >= 0.5) tells.add(subject);
    if (weight > heaviest || (weight === heaviest && 1 - share > rarest)) [heaviest, rarest] = [weight, 1 - share];
  }
  const inCoreOf = (kind: Kind) => looksLike(kind, core);
  // What is quoted beside the core, in a row or an answer, tells it half.
  const beside = (kind: Kind) => extract.kind !== 'sentence' && looksLike(kind, quoted);
  const hits = kinds.reduce((sum, kind) => sum + (inCoreOf(kind) ? 1 : beside(kind) ? 0.5 : 0), 0);
  return {
    told: total > 0 ? told / total : 0,
    complete: total > 0 && told >= 0.89 * total ? 1 : 0,
    core: total > 0 ? inCore / total : 0,
    rarest,
    head: lacking,
    modifier,
    missing: Math.min(missing, 3) / 3,
    evidence: Math.min(told, 3) / 3,
    kindTold: kinds.length > 0 ? hits / kinds.length : 0,
    kindMissing: kinds.length > 0 ? 1 - hits / kinds.length : 0,
    tells,
  };
}

/** How much of a row's first cell is in the question, so that "Duvet, double" is not told of a single one. */
function namedShare(core: string, { subjects }: Question): number {
  const [first = ''] = cellsOf(core.split('\n')[0]?.replace(/^[^:：]{1,40}[:：]/, '') ?? '');
  const own = readQuestion(first).subjects;
  const named = own.filter(({ word, groups }) =>
    subjects.some((subject) => subject.word === word || subject.groups.some((group) => groups.includes(group))),
  );
  return own.length === 0 ? 0 : named.length / own.length;
}
