import {
  hasSubject,
  isExact,
  looksLike,
  readQuestion,
  wordsIn,
  type Kind,
  type Question,
  type Subject,
  type Words,
} from './question.ts';
import { cellsOf, extractsOf, type Extract } from './extracts.ts';
import { neighborsOf } from '../../../infra/spelling.ts';
import { meantIn } from '../../../infra/synonyms.ts';
import { stemOf } from '../../../infra/terms.ts';
import type { Passage } from '../model.ts';

/** What an extract has for a question: shares from 0 to 1, or 0 and 1 for no and yes; `margin` may be below 0. */
export interface Features {
  /** Share of the question's subjects that the quoted text has, with its passage's headings; by weight. */
  told: number;
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
  /** It does not look like what was asked for, where that has no form of its own: a place, a reason. */
  kindMissing: number;
  /** What it tells of a question that asks for an exact kind of thing (an amount, a time …) or for a number, and it has none. */
  hollow: number;
  /** What of `missing` is in the list of synonyms, so that another word for it would have been known. */
  missingListed: number;
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
  'core',
  'rarest',
  'head',
  'modifier',
  'missing',
  'kindMissing',
  'hollow',
  'missingListed',
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
}

/**
 * Logistic weights, printed by `scripts/fit-answers.ts`: fitted by Newton's method on extracts of twelve of our fourteen documents in each
 * language (`bench/answers`) and of 60 public articles, against questions written to have no answer, questions moved to another
 * document and questions whose passages were taken away. `bias` holds how sure an answer has to be, chosen where right answers,
 * less what wrong ones cost, are the most when each document is judged by weights fitted without it.
 */
export const weights: Weights = {
  bias: -2.96,
  told: 1.38,
  core: 2.21,
  rarest: -0.39,
  head: -0.63,
  modifier: -0.27,
  missing: -0.5,
  kindMissing: -0.24,
  hollow: -3.96,
  missingListed: -0.66,
  margin: 1.16,
  rank: -0.83,
  single: -0.65,
  evidence: 1.55,
  named: 1.05,
  isRow: -0.62,
  isAnswer: -0.37,
  isTable: -0.08,
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
  const topics = topicsOf(question, passages, vocabulary);
  const worth = weigh(question, [...new Set(extracts.flat().map(({ core }) => core))].map(words));
  const all = passages.flatMap((passage, rank) => {
    const above = wordsIn(passage.headings.slice(-2).join('\n'));
    const title = wordsIn([passage.title, ...passage.headings.slice(0, -2)].join('\n'));
    return (extracts[rank] ?? []).map((extract) => ({
      extract,
      rank,
      ...tell(question, worth, extract, { above, title, words, topics: topics.get(passage.title) }),
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
    return { extract, features: whole, odds: oddsOf(whole, by), tells };
  });
  return rated.sort((one, other) => other.odds - one.odds);
}

export function oddsOf(features: Features, by: Weights): number {
  return featureNames.reduce((sum, name) => sum + by[name] * features[name], by.bias);
}

const maxQuotes = 3;
/** Of two extracts that are this close nobody can tell which one answers, so both are quoted. */
const equalOdds = 0.5;

type Likely = Pick<Rated, 'extract' | 'odds' | 'tells'>;

/** The likeliest extract when its odds are `least` or more, and others that tell more of the question or as much; from the likeliest on. */
export function likeliest<Each extends Likely>(rated: Each[], least: number): Each[] {
  const chosen: Each[] = [];
  const told = new Set<unknown>();
  for (const one of rated) {
    if (one.odds < least || chosen.length === maxQuotes) break;
    const isSaid = chosen.some(
      ({ extract }) => extract.text.includes(one.extract.core) || one.extract.text.includes(extract.text),
    );
    const isEqual = chosen.length === 1 && (rated[0]?.odds ?? 0) - one.odds < equalOdds;
    const tellsMore = [...one.tells].some((subject) => !told.has(subject));
    if (chosen.length > 0 && (isSaid || !(tellsMore || isEqual))) continue;
    chosen.push(one);
    for (const subject of one.tells) told.add(subject);
  }
  return chosen;
}

/** A word in no passage that is one letter from a word in them, or from one for the same as in them, was misspelt. */
function respell({ subjects }: Question, vocabulary: Words[]): void {
  for (const subject of subjects) {
    if (
      subject.groups.length > 0 ||
      !/^[a-z]{6,16}$/.test(subject.written) ||
      vocabulary.some((words) => hasSubject(words, subject) > 0)
    )
      continue;
    const spellings = neighborsOf(subject.written);
    const there = spellings.map(stemOf).find((stem) => vocabulary.some(({ words }) => words.has(stem)));
    if (there) subject.word = there;
    else subject.groups = [...new Set(spellings.flatMap((each) => meantIn(each)).flatMap(({ groups }) => groups))];
  }
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

/** How much of a document each subject runs through: an article on a lighthouse does not name it in every sentence. */
function topicsOf({ subjects }: Question, passages: Passage[], vocabulary: Words[]): Map<string, Map<Subject, number>> {
  return new Map(
    [...Map.groupBy(vocabulary, (_, at) => passages[at]?.title ?? '')].map(([title, texts]) => [
      title,
      new Map(
        subjects.map((subject) => {
          const having = texts.filter((words) => hasSubject(words, subject) >= 0.8).length;
          return [subject, having > 1 ? having / texts.length : 0];
        }),
      ),
    ]),
  );
}

const isBefore = (one: Subject, other: Subject) => {
  const gap = other.start - one.start - one.written.length;
  return gap >= 0 && gap <= 1;
};

/** The number of a clause counts nothing. */
const clause = /^(?:\d+\.)+\d*\s/;

const askedShare = 0.9;
const topicShare = 0.6;
interface Places {
  above: Words;
  title: Words;
  words(part: string): Words;
  /** Of its document. */
  topics: Map<Subject, number> | undefined;
}

function tell(
  { subjects, kinds, head, counted }: Question,
  worth: Map<Subject, number>,
  extract: Extract,
  { above, title, words, topics }: Places,
) {
  const [core, quoted, near] = [words(extract.core), words(extract.text), words(extract.above)];
  let [total, told, inCore, missing, heaviest, rarest, lacking, modifier] = [0, 0, 0, 0, 0, 0, 0, 0];
  let listed = 0;
  const tells = new Set<Subject>();
  for (const subject of subjects) {
    const weight = worth.get(subject) ?? 0;
    const own = Math.max(
      subject.values.some((kind) => looksLike(kind, core)) ? 1 : hasSubject(core, subject),
      // A question that somebody answered is as good as what it asks.
      extract.kind === 'answer' ? askedShare * hasSubject(near, subject) : 0,
    );
    const share = Math.max(
      own,
      0.9 * hasSubject(quoted, subject),
      0.9 * hasSubject(near, subject),
      0.8 * hasSubject(above, subject),
      0.4 * hasSubject(title, subject),
      topicShare * (topics?.get(subject) ?? 0),
    );
    if (subject === head)
      lacking = 1 - Math.max(own, hasSubject(near, subject), 0.8 * hasSubject(above, subject), 0.6 * share);
    if (head && subject !== head && isBefore(subject, head)) modifier = Math.max(modifier, 1 - share);
    total += weight;
    told += weight * share;
    inCore += weight * own;
    missing += weight * (1 - share);
    if (subject.groups.length > 0) listed += weight * (1 - share);
    if (share >= 0.5) tells.add(subject);
    if (weight > heaviest || (weight === heaviest && 1 - share > rarest)) [heaviest, rarest] = [weight, 1 - share];
  }
  const inCoreOf = (kind: Kind) => looksLike(kind, core);
  // What is quoted beside the core, in a row or an answer, tells it half.
  const beside = (kind: Kind) => extract.kind !== 'sentence' && looksLike(kind, quoted);
  const shareOf = (asked: Kind[]) =>
    asked.reduce((sum, kind) => sum + (inCoreOf(kind) ? 1 : beside(kind) ? 0.5 : 0), 0) / Math.max(1, asked.length);
  const [exact, loose] = [kinds.filter(isExact), kinds.filter((kind) => !isExact(kind))];
  // "How long" asks for a time or a length: one of them will do.
  const hasValue = exact.length === 0 || exact.some((kind) => inCoreOf(kind) || beside(kind));
  // Of a table the header says what its numbers count.
  const isTabled = extract.kind === 'row' || extract.kind === 'table';
  const isCounted =
    counted?.test(core.text.replace(clause, '')) ||
    (counted && isTabled && exact.length === 0 && /\d/.test(quoted.text));
  return {
    told: total > 0 ? told / total : 0,
    core: total > 0 ? inCore / total : 0,
    rarest,
    head: lacking,
    modifier,
    missing: Math.min(missing, 3) / 3,
    evidence: Math.min(told, 3) / 3,
    kindMissing: loose.length > 0 ? 1 - shareOf(loose) : 0,
    hollow: total > 0 && (!hasValue || (counted && !isCounted)) ? told / total : 0,
    missingListed: Math.min(listed, 3) / 3,
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
