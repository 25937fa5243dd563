/** Ranks public question sets through the product's own index and search, and times both. Sets are read from EVAL_DIR. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase, type Database } from '../server/infra/db.ts';
import { migrate } from '../server/infra/migrate.ts';
import { migrations } from '../server/migrations/migrations.ts';
import { keywordIndexes } from '../server/features/knowledge/keyword-index.ts';
import { packTerms, type Lengths } from '../server/features/knowledge/keyword-terms.ts';
import { createSearch, type Search } from '../server/features/knowledge/search.ts';
import { putDocument } from '../server/testing/knowledge.ts';

interface EvaluationSet {
  corpus: { id: string; title: string; text: string }[];
  queries: { id: string; text: string }[];
  qrels: Record<string, Record<string, number>>;
}

const bars: Record<string, Partial<Record<'r1' | 'r5' | 'r10' | 'ndcg', number>>> = {
  'jsquad-valid': { r1: 90.5, r5: 96.5, r10: 97.5 },
  'xquad-en': { ndcg: 96.5 },
  cranfield: { ndcg: 35.5 },
};
const batch = 8;
const enoughCoverage = 0.4;
const missed: string[] = [];
const check = (what: string, holds: boolean) => {
  if (!holds) missed.push(what);
};

const folder = process.env['EVAL_DIR'];
if (!folder || !existsSync(folder)) {
  console.log('Retrieval: skipped, since EVAL_DIR names no folder with the evaluation sets.');
  process.exit(0);
}
const sets = Object.keys(bars).map((name) => ({
  name,
  set: JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as EvaluationSet,
}));

for (const engine of ['sqlite', 'postgres'] as const) {
  const url = process.env['TEST_DATABASE_URL'];
  if (engine === 'postgres' && !url) {
    console.log('postgres: skipped, since TEST_DATABASE_URL is not set.');
    continue;
  }
  if (process.argv[2] && process.argv[2] !== engine) continue;
  const data = mkdtempSync(join(tmpdir(), 'kotae-bench-'));
  const options = engine === 'postgres' ? { DATA_DIR: data, DATABASE_URL: url } : { DATA_DIR: data };
  const database = openDatabase(options);
  await migrate(database, migrations);
  const search = createSearch(options);
  for (const { name, set } of sets) await measureSet(database, search, name, set);
  for (const { name, set } of sets) if (name !== 'cranfield') await measureRefusal(database, search, name, set);
  for (const size of [10_000, 50_000]) await measureSize(database, search, size);
  await search.close();
  await database.close();
  rmSync(data, { recursive: true });
}
if (missed.length > 0) {
  console.error(`Missed: ${missed.join('; ')}`);
  process.exit(1);
}

async function measureSet(database: Database, search: Search, name: string, set: EvaluationSet): Promise<void> {
  const { base, ids, perSecond, worstMs } = await index(database, set.corpus);
  let r1 = 0;
  let r5 = 0;
  let r10 = 0;
  let ndcg = 0;
  const times: number[] = [];
  const judged = set.queries.filter((query) => set.qrels[query.id]);
  for (const query of judged) {
    const { hits, tookMs } = await search.search({ knowledges: [base], query: query.text, limit: 10 });
    times.push(tookMs);
    const wanted = set.qrels[query.id] ?? {};
    const gains = hits.map((hit) => ((wanted[ids.get(hit.chunk) ?? ''] ?? 0) > 0 ? 1 : 0));
    const first = gains.indexOf(1);
    if (first === 0) r1++;
    if (first >= 0 && first < 5) r5++;
    if (first >= 0) r10++;
    const relevant = Object.values(wanted).filter((grade) => grade > 0).length;
    ndcg += dcg(gains) / dcg(Array<number>(Math.min(10, relevant)).fill(1));
  }
  const share = (count: number) => Math.round((count / judged.length) * 1000) / 10;
  const figures = { r1: share(r1), r5: share(r5), r10: share(r10), ndcg: share(ndcg) };
  console.log(
    `${database.engine} ${name}: R@1 ${figures.r1}  R@5 ${figures.r5}  R@10 ${figures.r10}  nDCG@10 ${figures.ndcg}  search p50 ${percentile(times, 50)} ms p95 ${percentile(times, 95)} ms  indexed ${Math.round(perSecond)} chunks/s, slowest batch of ${batch} ${worstMs.toFixed(1)} ms`,
  );
  for (const [figure, bar] of Object.entries(bars[name] ?? {}))
    check(
      `${database.engine} ${name} ${figure} ${figures[figure as keyof typeof figures]} < ${bar}`,
      figures[figure as keyof typeof figures] >= bar,
    );
}

/** Half of the articles in a base: questions about them should be answered, questions about the others refused. */
async function measureRefusal(database: Database, search: Search, name: string, set: EvaluationSet): Promise<void> {
  const titles = [...new Set(set.corpus.map((item) => item.title))];
  const known = new Set(titles.filter((_, at) => at % 2 === 0));
  const { base } = await index(
    database,
    set.corpus.filter((item) => known.has(item.title)),
  );
  const titleOf = new Map(set.corpus.map((item) => [item.id, item.title]));
  const answered = { inside: 0, outside: 0 };
  const asked = { inside: 0, outside: 0 };
  for (const query of set.queries.filter((_, at) => at % 3 === 0)) {
    const title = titleOf.get(Object.keys(set.qrels[query.id] ?? {})[0] ?? '') ?? '';
    const side = known.has(title) ? 'inside' : 'outside';
    asked[side]++;
    if ((await search.search({ knowledges: [base], query: query.text, limit: 1 })).coverage >= enoughCoverage)
      answered[side]++;
  }
  const share = (side: 'inside' | 'outside') => Math.round((answered[side] / asked[side]) * 1000) / 10;
  console.log(
    `${database.engine} ${name}: of questions that the base can answer ${share('inside')} % are let through, of the others ${share('outside')} %`,
  );
}

/** A base of real paragraphs, repeated with their sentences in other combinations until there are enough. */
async function measureSize(database: Database, search: Search, size: number): Promise<void> {
  const texts = sets.flatMap(({ set }) => set.corpus);
  const corpus = Array.from({ length: size }, (_, at) => {
    const one = texts[at % texts.length];
    const other = texts[(at * 7 + Math.floor(at / texts.length)) % texts.length];
    const half = (text: string) => text.slice(0, Math.ceil(text.length / 2));
    return { id: String(at), title: one?.title ?? '', text: `${half(one?.text ?? '')}${half(other?.text ?? '')}` };
  });
  const { base, perSecond } = await index(database, corpus);
  const queries = sets.flatMap(({ set }) => set.queries.slice(0, 150));
  const times: number[] = [];
  for (const query of queries)
    times.push((await search.search({ knowledges: [base], query: query.text, limit: 10 })).tookMs);
  const p95 = percentile(times, 95);
  console.log(
    `${database.engine} ${size} chunks: indexed ${Math.round(perSecond)} chunks/s, search p50 ${percentile(times, 50)} ms p95 ${p95} ms`,
  );
  if (database.engine === 'sqlite') {
    check(`indexing ${Math.round(perSecond)} chunks/s < 1,000`, perSecond >= 1000);
    check(`search p95 ${p95} ms at ${size}`, p95 <= (size === 10_000 ? 20 : 60));
  }
}

async function index({ db, engine }: Database, corpus: { id: string; title: string; text: string }[]) {
  const { knowledge, key, chunkAt, count } = await putDocument(db);
  const ids = new Map<number, string>();
  const lengths: Lengths[] = [];
  let worstMs = 0;
  const started = performance.now();
  for (let at = 0; at < corpus.length; at += batch) {
    const part = corpus
      .slice(at, at + batch)
      .map((item) => ({ item, terms: packTerms({ title: item.title, headings: [], text: item.text }) }));
    const before = performance.now();
    await db.transaction().execute(async (trx) => {
      const rows = part.map(({ item }, offset) => chunkAt(at + offset, item.text));
      const inserted = await trx.insertInto('chunk').values(rows).returning(['id', 'position']).execute();
      await keywordIndexes[engine].add(
        trx,
        key,
        inserted.map(({ id, position }) => ({ id, terms: part[position - at]!.terms })),
      );
      for (const { id, position } of inserted) ids.set(id, corpus[position]!.id);
    });
    worstMs = Math.max(worstMs, performance.now() - before);
    lengths.push(...part.map(({ terms }) => terms.lengths));
  }
  const perSecond = (corpus.length / (performance.now() - started)) * 1000;
  await count(lengths);
  return { base: knowledge, ids, perSecond, worstMs };
}

function dcg(gains: number[]): number {
  return gains.reduce((sum, gain, at) => sum + gain / Math.log2(at + 2), 0);
}

function percentile(values: number[], percent: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round((sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0) * 10) / 10;
}
