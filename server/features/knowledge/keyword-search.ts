import { sql } from 'kysely';
import type { Labels } from '../../../shared/labels.ts';
import type { Db, Engine } from '../../infra/db.ts';
import { subjectOf } from '../../infra/asking.ts';
import { entriesOf, meantIn } from '../../infra/synonyms.ts';
import { neighborsOf } from '../../infra/spelling.ts';
import { stemOf, termsOf, termWeights } from '../../infra/terms.ts';
import { keywordIndexes } from './keyword-index.ts';
import { fields, termKey, unpackTerms, type Lengths, type UnpackedTerms } from './keyword-terms.ts';

export interface SearchRequest {
  /** Uuids of the bases; together they count as one. */
  knowledges: string[];
  query: string;
  /** The question before, which a follow-up may lean on. */
  before?: string;
  limit: number;
  /** Documents that count have all of these. */
  filter?: Labels;
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

/** How many of the best are looked up at once to see whether they answer. */
const batch = 100;

/** Beyond this many the rarest terms decide which chunks are looked at: scoring them all would take longer than it helps. */
const maxCandidates = 2000;

/** Of each kind; of a question that is longer, its beginning is looked up: a page of text has said by then what it is about. */
const maxTerms = 300;
/** Characters that have as many terms for sure: the rest of a question that is a whole document would only take time. */
const maxQuery = 16_000;

interface QueryTerm {
  key: number;
  field: keyof Lengths;
  idf: number;
  weight: number;
  /** What it counts for in the coverage: nothing where it is grammar. */
  subject: number;
  chunks: number;
  /** The word that no chunk has and that it stands in for, by its place among these. */
  standsFor?: number;
}

/** A short hiragana word is grammar, which no document about its subject has to repeat. */
const grammar = /^\p{Script=Hiragana}{1,4}$/u;

/** What a word counts that only means the same as one of the question, or that is of the question before it. */
const impliedWeight = 0.15;
/** The same where the base does not have the question's own word at all. */
const insteadWeight = 0.7;
const maxImplied = 200;

/** Ranks the chunks of the bases by three BM25 sums: words, character pairs and kanji. The same scores on both engines. */
export async function searchKeywords(
  db: Db,
  engine: Engine,
  known: KnownTerms,
  { knowledges, query, before, limit, filter }: SearchRequest,
): Promise<SearchResult> {
  const started = performance.now();
  const nothing = () => ({ hits: [], coverage: 0, tookMs: performance.now() - started });
  const index = keywordIndexes[engine];
  const corpus = await readCorpus(db, knowledges);
  if (corpus.chunks === 0) return nothing();
  const { terms, absent } = await weighTerms({ query, before }, corpus.chunks, (keys) =>
    index.count(db, corpus.bases, keys),
  );
  const total = terms.reduce((sum, term) => sum + term.subject, 0) + absent.reduce((sum, each) => sum + each, 0);
  const found = terms.filter((term) => term.chunks > 0).sort((one, other) => one.chunks - other.chunks);
  if (found.length === 0) return nothing();
  const ids = await index.candidates(
    db,
    corpus.bases,
    chooseGroups(found),
    maxCandidates * 2,
    filter && labelled(knowledges, filter),
  );
  const candidates = await known(ids, (missing) => index.terms(db, missing));
  const hits = ids.flatMap((id, at) => {
    const candidate = candidates[at];
    return candidate ? [score(id, candidate, { terms: found, absent, averages: corpus.averages, total })] : [];
  });
  hits.sort((one, other) => other.score - one.score || one.chunk - other.chunk);
  const best = await firstAnswering(db, hits, limit);
  return { hits: best, coverage: best[0]?.coverage ?? 0, tookMs: performance.now() - started };
}

type Read = (ids: number[]) => Promise<{ id: number; data: Uint8Array }[]>;

/** The terms of chunks, in their order; nothing for one that is gone. */
export type KnownTerms = (ids: number[], read: Read) => Promise<(UnpackedTerms | undefined)[]>;

/** Caches the terms of chunks, which never change; the oldest go first. */
export function createKnownTerms(maxBytes = 48 * 2 ** 20): KnownTerms {
  const known = new Map<number, UnpackedTerms>();
  let bytes = 0;
  const keep = (id: number, terms: UnpackedTerms) => {
    if (!known.has(id)) bytes += terms.size;
    known.set(id, terms);
  };
  return async (ids, read) => {
    const found = ids.map((id) => known.get(id));
    const missing = ids.filter((_, at) => found[at] === undefined);
    if (missing.length === 0) return found;
    const fresh = new Map((await read(missing)).map(({ id, data }) => [id, unpackTerms(data)]));
    for (const [id, terms] of fresh) keep(id, terms);
    for (const [id, { size }] of known) {
      if (bytes <= maxBytes) break;
      known.delete(id);
      bytes -= size;
    }
    return ids.map((id, at) => found[at] ?? fresh.get(id));
  };
}

/** The best that answer: enabled, in an enabled document that was not deleted, of the generation that answers. */
async function firstAnswering(db: Db, hits: SearchHit[], limit: number): Promise<SearchHit[]> {
  const best: SearchHit[] = [];
  for (let at = 0; at < hits.length && best.length < limit; at += batch) {
    const some = hits.slice(at, at + batch);
    const rows = await db
      .selectFrom('chunk')
      .innerJoin('document', 'document.uuid', 'chunk.document')
      .select('chunk.id')
      .where(
        'chunk.id',
        'in',
        some.map(({ chunk }) => chunk),
      )
      .where('chunk.enabled', '=', 1)
      .where('chunk.deleted_at', 'is', null)
      .whereRef('chunk.generation', '=', 'document.generation')
      .where('document.enabled', '=', 1)
      .where('document.deleted_at', 'is', null)
      .execute();
    const answering = new Set(rows.map(({ id }) => id));
    best.push(...some.filter(({ chunk }) => answering.has(chunk)));
  }
  return best.slice(0, limit);
}

function score(
  chunk: number,
  { lengths, frequencyOf }: UnpackedTerms,
  { terms, absent, averages, total }: { terms: QueryTerm[]; absent: number[]; averages: Lengths; total: number },
): SearchHit {
  const scores = { words: 0, bigrams: 0, kanji: 0 };
  const stoodIn = new Set<number>();
  let covered = 0;
  for (const { key, field, idf, weight, subject, standsFor } of terms) {
    const frequency = frequencyOf(key);
    if (frequency === 0) continue;
    const norm = k1 * (1 - b + (b * lengths[field]) / averages[field]);
    scores[field] += weight * idf * ((frequency * (k1 + 1)) / (frequency + norm));
    covered += subject;
    if (standsFor === undefined || stoodIn.has(standsFor)) continue;
    stoodIn.add(standsFor);
    covered += Math.min(absent[standsFor] ?? 0, idf * termWeights[field]);
  }
  return {
    chunk,
    score: scores.words + scores.bigrams + scores.kanji,
    scores,
    coverage: total > 0 ? covered / total : 0,
  };
}

/** Terms of the rarest kind first until enough chunks are in sight; when even the rarest is everywhere, two must meet. */
function chooseGroups(found: QueryTerm[]): number[][] {
  const [rarest, next] = found;
  if (rarest && next && rarest.chunks > maxCandidates) return [[rarest.key], [next.key]];
  const chosen: number[] = [];
  let sum = 0;
  for (const term of found) {
    sum += term.chunks;
    if (chosen.length > 0 && sum > maxCandidates) break;
    chosen.push(term.key);
  }
  return [chosen];
}

interface Wanted {
  field: keyof Lengths;
  term: string;
  factor: number;
}

async function weighTerms(
  { query: asked, before = '' }: { query: string; before: string | undefined },
  chunks: number,
  count: (keys: number[]) => Promise<Map<number, number>>,
): Promise<{ terms: QueryTerm[]; absent: number[] }> {
  const query = asked.slice(0, maxQuery);
  const own = keysOf(query, 1);
  const subject = keysOf(subjectOf(query), 1);
  const implied = impliedBy(query);
  const terms = new Map([...keysOf(before, impliedWeight), ...implied.flatMap(({ others }) => [...others]), ...own]);
  const counts = terms.size > 0 ? await count([...terms.keys()]) : new Map<number, number>();
  const isKnown = (key: number) => (counts.get(key) ?? 0) > 0;
  const isSubject = ({ term }: Wanted, key: number) => subject.has(key) && !grammar.test(term);
  const idfOf = (having: number) => Math.log(1 + (chunks - having + 0.5) / (having + 0.5));
  const replaced = new Set<number>();
  const absent: number[] = [];
  const standsFor = new Map<number, number>();
  /** Words that the base does not have are covered by what it has instead, as far as that is as rare. */
  const replace = (keys: number[], others: Iterable<number>) => {
    let weight = 0;
    for (const key of keys) {
      const wanted = own.get(key);
      if (wanted && !replaced.has(key) && isSubject(wanted, key)) weight += idfOf(0) * termWeights[wanted.field];
      replaced.add(key);
    }
    for (const key of others) standsFor.set(key, absent.length);
    absent.push(weight);
  };
  for (const { own: keys, others } of implied) {
    if (![...others.keys()].some(isKnown)) continue;
    const missing = [...keys.keys()].filter((key) => !isKnown(key));
    if (missing.length > 0) replace(missing, others.keys());
    if ([...keys].some(([key, { field }]) => field === 'words' && isKnown(key))) continue;
    for (const [key, wanted] of others) if (!own.has(key)) terms.set(key, { ...wanted, factor: insteadWeight });
  }
  for (const [key, spellings] of misspelt(query, (each) => own.has(each) && !isKnown(each) && !replaced.has(each))) {
    const known = await count([...spellings.keys()].filter((each) => !counts.has(each)));
    const [meant, having = 0] = [...known].sort((one, other) => other[1] - one[1])[0] ?? [];
    if (meant === undefined || having === 0) continue;
    counts.set(meant, having);
    terms.set(meant, { field: 'words', term: spellings.get(meant) ?? '', factor: insteadWeight });
    replace([key], [meant]);
  }
  const isCounted = ([key, wanted]: [number, Wanted]) => isSubject(wanted, key) && !replaced.has(key);
  // A question that has no such words is about one of the others.
  const isAllGrammar = ![...own].some(isCounted);
  const weighed = [...terms].map(([key, wanted]): QueryTerm => {
    const having = Math.min(chunks, counts.get(key) ?? 0);
    const weight = termWeights[wanted.field] * wanted.factor;
    const idf = idfOf(having);
    const counted = own.has(key) && (isAllGrammar || isCounted([key, wanted]));
    const stands = standsFor.get(key);
    return {
      key,
      field: wanted.field,
      chunks: having,
      weight,
      idf,
      subject: counted ? idf * weight : 0,
      ...(stands !== undefined && { standsFor: stands }),
    };
  });
  return { terms: weighed, absent };
}

const maxMisspelt = 2;

/** The first English words that no chunk has, by their keys, each with the words, by theirs, that are one letter from it. */
function misspelt(query: string, isUnknown: (key: number) => boolean): Map<number, Map<number, string>> {
  const found = new Map<number, Map<number, string>>();
  for (const [word] of query.toLowerCase().matchAll(/(?<![\p{L}\p{N}])[a-z]{6,16}(?![\p{L}\p{N}])/gu)) {
    const key = keyOf(word);
    if (found.has(key) || !isUnknown(key)) continue;
    const spellings = neighborsOf(word);
    // Where the base has another word for what was meant, that is found as well.
    const others = spellings.flatMap((each) => meantIn(each)).flatMap(({ groups }) => groups.flatMap(entriesOf));
    found.set(key, new Map([...spellings, ...others].map((each) => [keyOf(each), stemOf(each)])));
    if (found.size === maxMisspelt) break;
  }
  return found;
}

const keyOf = (word: string) => termKey('words', stemOf(word));

function keysOf(text: string, factor: number): Map<number, Wanted> {
  const all = termsOf(text);
  return new Map(
    fields.flatMap((field) =>
      all[field].slice(0, maxTerms).map((term): [number, Wanted] => [termKey(field, term), { field, term, factor }]),
    ),
  );
}

/** The words of a question that have others for the same, and these. */
function impliedBy(query: string): { own: Map<number, Wanted>; others: Map<number, Wanted> }[] {
  const plain = query.normalize('NFKC').toLowerCase();
  let left = maxImplied;
  return meantIn(plain).flatMap(({ groups, start, end }) => {
    const own = plain.slice(start, end);
    const entries = groups.flatMap(entriesOf).filter((entry) => entry !== own);
    left -= entries.length;
    return left < 0 ? [] : [{ own: keysOf(own, 1), others: keysOf(entries.join('\n'), impliedWeight) }];
  });
}

/** Selects documents of the bases that have all labels; nothing where there are none to have. */
function labelled(knowledges: string[], { tags, fields: named }: Labels) {
  const wanted = new Map(
    [...tags.map((value) => ({ name: '', value })), ...named].map((label) => [JSON.stringify(label), label]),
  );
  if (wanted.size === 0) return undefined;
  const pairs = Array.from(wanted.values(), ({ name, value }) => sql`(name = ${name} and value = ${value})`);
  return sql<{ document: string }>`select document from document_label
    where knowledge in (${sql.join(knowledges)}) and (${sql.join(pairs, sql` or `)})
    group by document having count(*) = ${wanted.size}`;
}

interface Corpus {
  /** Keys of the bases. */
  bases: number[];
  chunks: number;
  averages: Lengths;
}

async function readCorpus(db: Db, knowledges: string[]): Promise<Corpus> {
  if (knowledges.length === 0) return { bases: [], chunks: 0, averages: { words: 1, bigrams: 1, kanji: 1 } };
  const bases = await db
    .selectFrom('knowledge')
    .select('key')
    .where('uuid', 'in', knowledges)
    .where('deleted_at', 'is', null)
    .execute();
  const sums = await db
    .selectFrom('document')
    .select([
      sql<number>`coalesce(sum(chunk_count), 0)`.as('chunks'),
      sql<number>`coalesce(sum(word_count), 0)`.as('words'),
      sql<number>`coalesce(sum(bigram_count), 0)`.as('bigrams'),
      sql<number>`coalesce(sum(kanji_count), 0)`.as('kanji'),
    ])
    .where('knowledge', 'in', knowledges)
    .where('enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  const chunks = bases.length > 0 ? Number(sums.chunks) : 0;
  const average = (sum: number) => Math.max(1, Number(sum) / Math.max(1, chunks));
  return {
    bases: bases.map(({ key }) => key),
    chunks,
    averages: { words: average(sums.words), bigrams: average(sums.bigrams), kanji: average(sums.kanji) },
  };
}
