/**
 * Fits the weights by which the built-in model decides (`decide.ts`) and prints them with cross-validated figures:
 * `EVAL_DIR=<folder> node scripts/fit-answers.ts`. It learns from the documents of `bench/answers` that are not `unseen`, and,
 * where EVAL_DIR has `chunk-en.json` and `chunk-ja.json` (whole articles, questions and the places of their answers), from these. Three
 * kinds of questions have no answer: those written so, those asked of another document, and those whose passages were taken away.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blocksOf, plain, readCases, unseen, type Question } from '../bench/lib/cases.ts';
import { chunk } from '../server/features/knowledge/chunking.ts';
import { keywordIndexes } from '../server/features/knowledge/keyword-index.ts';
import { packTerms } from '../server/features/knowledge/keyword-terms.ts';
import { createSearch } from '../server/features/knowledge/search.ts';
import { openDatabase } from '../server/infra/db.ts';
import { migrate } from '../server/infra/migrate.ts';
import { migrations } from '../server/migrations/migrations.ts';
import {
  featureNames,
  likeliest,
  oddsOf,
  rate,
  type Features,
  type Rated,
  type Weights,
} from '../server/providers/models/built-in/decide.ts';
import { readQuestion } from '../server/providers/models/built-in/question.ts';
import type { Passage } from '../server/providers/models/model.ts';
import type { Block } from '../server/providers/parsers/parser.ts';
import { putDocument } from '../server/testing/knowledge.ts';

interface Source {
  name: string;
  language: 'en' | 'ja';
  isOurs: boolean;
  blocks: Block[];
  questions: Question[];
}

/** A question with what might be said to it. */
interface Sample {
  group: string;
  language: string;
  text: string;
  origin: 'ours' | 'articles';
  what: 'answerable' | 'written' | 'moved' | 'taken away';
  options: (Rated & { isRight: boolean })[];
}

/** What has no such value is no answer, which is believed before the fit: the few that seem to be were misread. */
const hollowBelief = -4;
const hollowAt = 1 + featureNames.indexOf('hollow');
const penaltyOf = (at: number) => (at === 0 ? 1e-9 : at === hollowAt ? 0.02 : 0.002);

const passagesGiven = 12;
const data = mkdtempSync(join(tmpdir(), 'kotae-fit-'));
const database = openDatabase({ DATA_DIR: data });
const search = createSearch({ DATA_DIR: data });
const samples: Sample[] = [];
try {
  await migrate(database, migrations);
  for (const language of ['en', 'ja'] as const) {
    const sources = [...(await ours(language)), ...articles(language)];
    const bases = new Map<Source, Awaited<ReturnType<typeof put>>>();
    for (const source of sources) bases.set(source, await put(source));
    for (const [at, source] of sources.entries()) {
      const peers = sources.filter(
        (other) => other !== source && other.isOurs === source.isOurs && !unseen.has(other.name),
      );
      const base = bases.get(source)!;
      const origin = source.isOurs ? ('ours' as const) : ('articles' as const);
      const isTested = !unseen.has(source.name);
      const push = (question: Question, what: Sample['what'], passages: Passage[], group = source) =>
        samples.push({
          // Articles are left out a fifth at a time.
          group: source.isOurs ? `${language} ${group.name}` : `${language} articles-${at % 5}`,
          language,
          text: question.text,
          origin,
          what,
          options: rate(question.text, passages).map((option) => ({
            ...option,
            isRight:
              what === 'answerable' &&
              question.decisive.every((text) => plain(option.extract.text).includes(plain(text))),
          })),
        });
      for (const [index, question] of source.questions.entries()) {
        const found = await base.find(question.text);
        if (question.decisive.length === 0) push(question, 'written', found.slice(0, passagesGiven));
        else {
          push(question, 'answerable', found.slice(0, passagesGiven));
          const without = found.filter(
            ({ text }) => !question.decisive.some((each) => plain(text).includes(plain(each))),
          );
          push(question, 'taken away', without.slice(0, passagesGiven));
          const elsewhere = peers[(at + index) % peers.length];
          if (elsewhere && isTested)
            push(question, 'moved', (await bases.get(elsewhere)!.find(question.text)).slice(0, passagesGiven));
        }
      }
    }
  }
} finally {
  await search.close();
  await database.close();
  rmSync(data, { recursive: true });
}

const learned = (sample: Sample) => !unseen.has(sample.group.split(' ')[1] ?? '');
const groups = [...new Set(samples.map(({ group }) => group))];
console.log(`read in ${Math.round(performance.now())} ms`);
console.log(`${samples.length} samples of ${groups.length} documents`);
console.log('Each document judged by weights fitted without it:');
const fitted = new Map<string, Weights>();
const judged = new Map<string, Map<string, { right: number; told: number; of: number }>>();
for (const group of groups) {
  const by = fit(samples.filter((sample) => learned(sample) && sample.group !== group));
  fitted.set(group, by);
  const name =
    samples.find((sample) => sample.group === group)?.origin === 'ours' ? group : `${group.slice(0, 2)} articles`;
  const sums = judged.get(name) ?? new Map<string, { right: number; told: number; of: number }>();
  judged.set(name, sums);
  for (const sample of samples.filter((each) => each.group === group)) {
    const sum = sums.get(sample.what) ?? { right: 0, told: 0, of: 0 };
    const verdict = judge(sample, by);
    if (process.argv.includes('--wrong') && !unseen.has(group.slice(3))) explain(sample, by, verdict);
    sum.of++;
    if (verdict !== 'refused') sum.told++;
    if (verdict === 'right') sum.right++;
    sums.set(sample.what, sum);
  }
}
const share = (count = 0, of = 0) => (of === 0 ? '' : `${Math.round((count / of) * 100)} % of ${of}`);
console.table(
  Object.fromEntries(
    [...judged].map(([name, sums]) => [
      name,
      {
        'answered rightly': share(sums.get('answerable')?.right, sums.get('answerable')?.of),
        'answered at all': share(sums.get('answerable')?.told, sums.get('answerable')?.of),
        ...Object.fromEntries(
          (['written', 'moved', 'taken away'] as const).map((what) => [
            what,
            share(sums.get(what)?.told, sums.get(what)?.of),
          ]),
        ),
      },
    ]),
  ),
);
/** A wrong answer costs a little more than a missing one. */
const wrongCost = 1.25;
/** How sure an answer has to be: where right answers, less what wrong ones cost, are the most in both languages. */
let least = 0;
let best = -Infinity;
for (const odds of [-0.4, -0.2, 0, 0.2, 0.4, 0.6, 0.8]) {
  let gain = 0;
  for (const language of ['en', 'ja']) {
    const all = verdicts(odds).filter(({ sample }) => sample.language === language);
    const answerable = all.filter(({ sample }) => sample.what === 'answerable');
    const others = all.filter(({ sample }) => sample.what === 'written');
    const right = answerable.filter(({ verdict }) => verdict === 'right').length;
    const wrong = others.filter(({ verdict }) => verdict !== 'refused').length;
    gain += right / answerable.length - (wrongCost * wrong) / others.length;
    console.log(
      `${language}, odds of ${odds}: ${share(right, answerable.length)} answered rightly, ${share(wrong, others.length)} wrongly`,
    );
  }
  if (gain >= best) [best, least] = [gain, odds];
}
const final = fit(samples.filter(learned));
final.bias -= least;
console.log(
  `export const weights: Weights = ${JSON.stringify(final, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value), 2)};`,
);

/** Of our own documents that are fitted on, each judged without it, when an answer needs these odds. */
function verdicts(least: number) {
  return [...fitted].flatMap(([group, by]) =>
    samples
      .filter((sample) => sample.group === group && sample.origin === 'ours' && learned(sample))
      .map((sample) => ({ sample, verdict: judge(sample, { ...by, bias: by.bias - least }) })),
  );
}

function judge(sample: Sample, by: Weights): 'right' | 'wrong' | 'refused' {
  const sorted = sample.options
    .map((option) => ({ ...option, odds: oddsOf(option.features, by) }))
    .sort((one, other) => other.odds - one.odds);
  const chosen = likeliest(sorted, 0);
  return chosen.length === 0 ? 'refused' : chosen.some(({ isRight }) => isRight) ? 'right' : 'wrong';
}

/** What of a question went wrong, with the features of what was said and of what should have been. */
function explain({ what, text, group, options }: Sample, by: Weights, verdict: string): void {
  if (what === 'taken away' || verdict === (what === 'answerable' ? 'right' : 'refused')) return;
  const tell = (option?: Sample['options'][number]) =>
    option
      ? `${oddsOf(option.features, by).toFixed(1)} ${JSON.stringify(Object.values(option.features).map((value) => Math.round(value * 100) / 100))} ${option.extract.core.slice(0, 160).replaceAll('\n', '⏎')}\n          ${lacks(option)}`
      : 'nothing';
  const { subjects, kinds } = readQuestion(text);
  const lacks = ({ extract, tells }: Rated) => {
    const words = new Set([...tells].map(({ word }) => word));
    return `${subjects.map(({ word, weight }) => `${words.has(word) ? '' : '-'}${word}${weight === 1 ? '' : `*${weight}`}`).join(' ')} (${kinds.join()}) ${extract.kind}`;
  };
  const sorted = options.toSorted((one, other) => oddsOf(other.features, by) - oddsOf(one.features, by));
  console.log(`${group}: ${what}, ${verdict}: ${text}\n    said  ${tell(sorted[0])}`);
  if (what === 'answerable' && !sorted[0]?.isRight)
    console.log(`    right ${tell(sorted.find(({ isRight }) => isRight))}`);
}

/**
 * Logistic regression by Newton's method over the extracts that would be quoted: of each question the best right one and the
 * best wrong ones by the weights so far, found again in each round. A wrong answer weighs more than a missing one.
 */
function fit(from: Sample[]): Weights {
  const names = ['bias', ...featureNames] as const;
  let by: Weights = {
    bias: -3,
    told: 3,
    core: 2,
    rarest: -1,
    head: -1,
    modifier: 0,
    missing: -1,
    kindMissing: -1,
    hollow: 0,
    missingListed: 0,
    margin: 0,
    rank: 0,
    single: 0,
    evidence: 0,
    named: 0,
    isRow: 0,
    isAnswer: 0,
    isTable: 0,
  };
  for (let round = 0; round < 5; round++) {
    const rows: Row[] = [];
    for (const { options, what, origin } of from) {
      const sorted = options
        .map((option) => ({ ...option, odds: oddsOf(option.features, by) }))
        .sort((one, other) => other.odds - one.odds);
      const right = sorted.find(({ isRight }) => isRight);
      const wrong = sorted.filter(({ isRight }) => !isRight).slice(0, 2);
      const importance = (origin === 'ours' ? 6 : 1) * (what === 'taken away' ? 0.5 : 1);
      const x = (features: Features) => [1, ...featureNames.map((name) => features[name])];
      if (right) rows.push({ x: x(right.features), y: 1, weight: importance * 1.5 });
      for (const each of wrong) rows.push({ x: x(each.features), y: 0, weight: importance * (right ? 0.3 : 0.6) });
    }
    const theta = names.map((name) => by[name]);
    for (let step = 0; step < 6; step++) newton(theta, rows);
    by = { ...by, ...Object.fromEntries(names.map((name, at) => [name, theta[at] ?? 0])) };
  }
  return by;
}

interface Row {
  x: number[];
  y: number;
  weight: number;
}

/** One step towards the least loss, with a small penalty on large weights (all but the bias). */
function newton(theta: number[], rows: Row[]): void {
  const size = theta.length;
  const total = rows.reduce((sum, { weight }) => sum + weight, 0);
  const gradient = theta.map((value, at) => penaltyOf(at) * (value - (at === hollowAt ? hollowBelief : 0)));
  const matrix = theta.map((_, at) => theta.map((__, other) => (at === other ? penaltyOf(at) : 0)));
  for (const { x, y, weight } of rows) {
    let z = 0;
    for (let at = 0; at < size; at++) z += x[at]! * theta[at]!;
    const chance = 1 / (1 + Math.exp(-z));
    const error = ((chance - y) * weight) / total;
    const curve = (Math.max(chance * (1 - chance), 1e-4) * weight) / total;
    for (let at = 0; at < size; at++) {
      gradient[at]! += error * x[at]!;
      for (let other = 0; other < size; other++) matrix[at]![other]! += curve * x[at]! * x[other]!;
    }
  }
  // Gauss and Jordan: the matrix is small, symmetric and positive.
  for (let at = 0; at < size; at++) {
    const pivot = matrix[at]![at]!;
    for (let other = 0; other < size; other++) {
      if (other === at) continue;
      const factor = matrix[other]![at]! / pivot;
      for (let column = at; column < size; column++) matrix[other]![column]! -= factor * matrix[at]![column]!;
      gradient[other]! -= factor * gradient[at]!;
    }
  }
  for (let at = 0; at < size; at++) theta[at]! -= Math.max(-3, Math.min(3, gradient[at]! / matrix[at]![at]!));
}

async function ours(language: 'en' | 'ja'): Promise<Source[]> {
  return Promise.all(
    (await readCases(language)).map(async (each) => ({
      name: each.name,
      language,
      isOurs: true,
      blocks: await blocksOf(each),
      questions: each.questions,
    })),
  );
}

/** Every third question, as the articles have far more than we. */
function articles(language: 'en' | 'ja'): Source[] {
  const file = join(process.env['EVAL_DIR'] ?? '', `chunk-${language}.json`);
  if (!process.env['EVAL_DIR'] || !existsSync(file)) return [];
  const {
    docs,
    qs,
  }: { docs: { title: string; text: string }[]; qs: { q: string; doc: number; s: number; e: number }[] } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  return docs.slice(0, 30).map(({ title, text }, at) => ({
    name: `article-${at}`,
    language,
    isOurs: false,
    blocks: [
      { kind: 'heading' as const, level: 1, text: title, page: null },
      ...text.split('\n\n').map((part) => ({ kind: 'paragraph' as const, text: part, page: null })),
    ],
    questions: qs
      .filter(({ doc }) => doc === at)
      .filter((_, index) => index % 3 === 0)
      .slice(0, 6)
      .map(({ q, s, e }) => ({ text: q, decisive: [text.slice(s, e)] })),
  }));
}

async function put({ name, blocks }: Source) {
  const { db, engine } = database;
  const { knowledge, key, chunkAt, count } = await putDocument(db);
  const chunks = chunk({ blocks });
  const terms = chunks.map(({ headings, text }) => packTerms({ title: name, headings, text }));
  const ids = await db
    .insertInto('chunk')
    .values(chunks.map(({ position, text }) => chunkAt(position, text)))
    .returning(['id', 'position'])
    .execute();
  const indexed = ids.map(({ id, position }) => ({ id, terms: terms[position]! }));
  await db.transaction().execute((trx) => keywordIndexes[engine].add(trx, key, indexed));
  await count(terms.map(({ lengths }) => lengths));
  const byId = new Map(ids.map(({ id, position }) => [id, chunks[position]!]));
  return {
    async find(query: string): Promise<Passage[]> {
      const { hits } = await search.search({ knowledges: [knowledge], query, limit: 12 });
      return hits.map(({ chunk: id }, at) => {
        const { headings, page, text } = byId.get(id)!;
        return { number: at + 1, title: name, headings, page, text };
      });
    },
  };
}
