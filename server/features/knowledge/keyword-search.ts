import { sql } from 'kysely';
import type { Db, Engine } from '../../infra/db.ts';
import { termsOf, termWeights } from '../../infra/terms.ts';
import { keywordIndexes, type Base } from './keyword-index.ts';
import { fields, termKey, unpackTerms, type Lengths } from './keyword-terms.ts';

export interface SearchRequest {
  /** Uuids of the bases; together they count as one. */
  knowledges: string[];
  query: string;
  limit: number;
}

export interface SearchHit {
  chunk: number;
  score: number;
  scores: Lengths;
  /** How much of the question's weight (by idf) the chunk has, 0 to 1. */
  coverage: number;
}

export interface SearchResult {
  hits: SearchHit[];
  coverage: number;
  tookMs: number;
}

// Robertson's BM25 with its usual constants: https://doi.org/10.1561/1500000019 (§3.5)
const k1 = 1.2;
const b = 0.75;

/** Beyond this many the rarest terms decide which chunks are looked at: scoring them all would take longer than it helps. */
const mostCandidates = 2000;

/** Of each kind; of a question that is longer, its beginning is looked up: a page of text has said by then what it is about. */
const mostTerms = 300;

interface QueryTerm {
  key: number;
  field: keyof Lengths;
  idf: number;
  weight: number;
  /** What it counts for in the coverage: nothing where it is grammar. */
  subject: number;
  chunks: number;
}

/** いくらですか, ください, there is: what a question is made of, and no document about its subject has to repeat. */
const grammar = /^\p{Script=Hiragana}{1,4}$/u;

/** Ranks the chunks of the bases by three BM25 sums: words, character pairs and kanji. The same scores on both engines. */
export async function searchKeywords(db: Db, engine: Engine, { knowledges, query, limit }: SearchRequest): Promise<SearchResult> {
  const started = performance.now();
  const nothing = () => ({ hits: [], coverage: 0, tookMs: performance.now() - started });
  const index = keywordIndexes[engine];
  const corpus = await readCorpus(db, knowledges);
  if (corpus.chunks === 0) return nothing();
  const terms = await weighTerms(query, corpus.chunks, (keys) => index.count(db, corpus.bases.map((base) => base.key), keys));
  const total = terms.reduce((sum, term) => sum + term.subject, 0);
  const found = terms.filter((term) => term.chunks > 0).sort((one, other) => one.chunks - other.chunks);
  if (found.length === 0) return nothing();
  const candidates = await index.candidates(db, corpus.bases, chooseGroups(found), mostCandidates * 2);

  const hits = candidates.map(({ id, data }) => score(id, data, found, corpus.averages, total));
  hits.sort((one, other) => other.score - one.score || one.chunk - other.chunk);
  const best = hits.slice(0, limit);
  return { hits: best, coverage: best[0]?.coverage ?? 0, tookMs: performance.now() - started };
}

function score(chunk: number, data: Uint8Array, terms: QueryTerm[], averages: Lengths, total: number): SearchHit {
  const { lengths, frequencyOf } = unpackTerms(data);
  const scores = { words: 0, bigrams: 0, kanji: 0 };
  let covered = 0;
  for (const { key, field, idf, weight, subject } of terms) {
    const frequency = frequencyOf(key);
    if (frequency === 0) continue;
    const norm = k1 * (1 - b + (b * lengths[field]) / averages[field]);
    scores[field] += weight * idf * ((frequency * (k1 + 1)) / (frequency + norm));
    covered += subject;
  }
  return { chunk, score: scores.words + scores.bigrams + scores.kanji, scores, coverage: total > 0 ? covered / total : 0 };
}

/** Terms of the rarest kind first until enough chunks are in sight; when even the rarest is everywhere, two must meet. */
function chooseGroups(found: QueryTerm[]): number[][] {
  const [rarest, next] = found;
  if (rarest && next && rarest.chunks > mostCandidates) return [[rarest.key], [next.key]];
  const chosen: number[] = [];
  let sum = 0;
  for (const term of found) {
    sum += term.chunks;
    if (chosen.length > 0 && sum > mostCandidates) break;
    chosen.push(term.key);
  }
  return [chosen];
}

async function weighTerms(query: string, chunks: number, count: (keys: number[]) => Promise<Map<number, number>>): Promise<QueryTerm[]> {
  const all = termsOf(query);
  const terms = new Map<number, { field: keyof Lengths; term: string }>();
  for (const field of fields) for (const term of [...all[field]].slice(0, mostTerms)) terms.set(termKey(field, term), { field, term });
  const counts = terms.size > 0 ? await count([...terms.keys()]) : new Map<number, number>();
  // A question of nothing but such words is about one of them.
  const isAllGrammar = [...terms.values()].every(({ term }) => grammar.test(term));
  return [...terms].map(([key, { field, term }]) => {
    const having = Math.min(chunks, counts.get(key) ?? 0);
    const weight = termWeights[field];
    const idf = Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
    return { key, field, chunks: having, weight, idf, subject: grammar.test(term) && !isAllGrammar ? 0 : idf * weight };
  });
}

interface Corpus {
  bases: Base[];
  chunks: number;
  averages: Lengths;
}

async function readCorpus(db: Db, knowledges: string[]): Promise<Corpus> {
  if (knowledges.length === 0) return { bases: [], chunks: 0, averages: { words: 1, bigrams: 1, kanji: 1 } };
  const bases = await db.selectFrom('knowledge').select(['key', 'uuid']).where('uuid', 'in', knowledges).where('deleted_at', 'is', null).execute();
  const sums = await db
    .selectFrom('document')
    .select([sql<number>`coalesce(sum(chunk_count), 0)`.as('chunks'), sql<number>`coalesce(sum(word_count), 0)`.as('words'), sql<number>`coalesce(sum(bigram_count), 0)`.as('bigrams'), sql<number>`coalesce(sum(kanji_count), 0)`.as('kanji')])
    .where('knowledge', 'in', knowledges)
    .where('enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const chunks = bases.length > 0 ? Number(sums.chunks) : 0;
  const average = (sum: number) => Math.max(1, Number(sum) / Math.max(1, chunks));
  return { bases, chunks, averages: { words: average(sums.words), bigrams: average(sums.bigrams), kanji: average(sums.kanji) } };
}
