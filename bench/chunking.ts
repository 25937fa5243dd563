/**
 * Whether answers survive chunking: `EVAL_DIR=<folder> node bench/chunking.ts`. The folder holds `chunk-ja.json` and `chunk-en.json`:
 * `{ docs: [{ title, text }], qs: [{ q, doc, s, e }] }`, whole articles and the places of the answers in them.
 * "In one chunk" needs no search. "In context" ranks all chunks by BM25 over the product's terms and fills the product's budget:
 * 8 chunks, 2,400 CJK or 5,000 Latin characters, at most 3 per document.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { chunk, chunkSizes, documentText, type Chunk, type ChunkSizes } from '../server/features/knowledge/chunking.ts';
import { termsOf, termWeights } from '../server/infra/terms.ts';
import type { Block } from '../server/providers/parsers/parser.ts';

interface Articles {
  docs: { title: string; text: string }[];
  qs: { q: string; doc: number; s: number; e: number }[];
}
type Passage = Chunk & { doc: number };

const folder = process.env.EVAL_DIR;
const rows = {
  'as shipped': chunkSizes,
  'no overlap': { ...chunkSizes, overlap: 0 },
  'half as large': { ...chunkSizes, target: 500, cap: 750 },
  '1.6 times': { ...chunkSizes, target: 1600, cap: 2400 },
};
/** Least shares, in %, that the shipped sizes must reach. */
const bars = { 'chunk-ja.json': { one: 99, context: 96 }, 'chunk-en.json': { one: 99, context: 96.5 } };

if (!folder || !existsSync(join(folder, 'chunk-ja.json')))
  console.log('chunking: skipped, EVAL_DIR names no folder with chunk-ja.json');
else {
  const table = Object.entries(bars).flatMap(([file, bar]) => {
    // A border: the files are ours to read, and their form is told above.
    const articles = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Articles;
    return Object.entries(rows).map(([name, sizes]) => {
      const result = measure(articles, sizes, file === 'chunk-ja.json' ? 2400 : 5000);
      if (sizes === chunkSizes && (result['in one chunk %'] < bar.one || result['in context %'] < bar.context))
        process.exitCode = 1;
      return { file, sizes: name, ...result };
    });
  });
  console.table(table);
  if (process.exitCode) console.log('chunking: the shipped sizes miss a bar', bars);
}

function measure({ docs, qs }: Articles, sizes: ChunkSizes, budget: number) {
  const started = performance.now();
  const passages: Passage[] = docs.flatMap(({ text }, doc) => {
    const blocks: Block[] = text.split('\n\n').map((paragraph) => ({ kind: 'paragraph', text: paragraph, page: null }));
    if (documentText({ blocks }) !== text) throw new Error(`the offsets of article ${doc} would be wrong`);
    return chunk({ blocks }, sizes).map((each) => ({ ...each, doc }));
  });
  const chunkMs = performance.now() - started;
  const holds = (passage: Passage, answer: Articles['qs'][number]) =>
    passage.doc === answer.doc && passage.start <= answer.s && passage.end >= answer.e;
  const one = qs.filter((answer) => passages.some((passage) => holds(passage, answer))).length;
  const search = bm25(passages.map((passage) => `${docs[passage.doc]?.title ?? ''}\n${passage.text}`));
  const inContext = qs.filter((answer) =>
    context(search(answer.q), passages, budget).some((passage) => holds(passage, answer)),
  ).length;
  const share = (count: number) => Math.round((count / qs.length) * 1000) / 10;
  return {
    chunks: passages.length,
    'mean characters': Math.round(passages.reduce((sum, each) => sum + each.text.length, 0) / passages.length),
    'in one chunk %': share(one),
    'in context %': share(inContext),
    'chunking ms': Math.round(chunkMs),
  };
}

function context(ranked: number[], passages: Passage[], budget: number): Passage[] {
  const taken: Passage[] = [];
  let characters = 0;
  for (const index of ranked) {
    const passage = passages[index];
    if (!passage || taken.length === 8) break;
    if (characters + passage.text.length > budget || taken.filter((each) => each.doc === passage.doc).length === 3)
      continue;
    taken.push(passage);
    characters += passage.text.length;
  }
  return taken;
}

/** BM25 (k1 1.2, b 0.75) summed over the three bags of terms by their weights; best first, at most 50. */
function bm25(texts: string[]): (query: string) => number[] {
  const fields = Object.entries(termWeights).map(([name, weight]) => {
    // A border: the keys of termWeights are those of Terms.
    const bags = (text: string) => termsOf(text)[name as keyof typeof termWeights];
    const lengths: number[] = [];
    const postings = new Map<string, Map<number, number>>();
    for (const [index, text] of texts.entries()) {
      const terms = bags(text);
      lengths.push(terms.length);
      for (const term of terms) {
        const counts = postings.get(term) ?? new Map<number, number>();
        counts.set(index, (counts.get(index) ?? 0) + 1);
        postings.set(term, counts);
      }
    }
    const average = Math.max(1, lengths.reduce((sum, length) => sum + length, 0) / texts.length);
    return { weight, bags, lengths, postings, average };
  });
  return (query) => {
    const scores = new Map<number, number>();
    for (const { weight, bags, lengths, postings, average } of fields) {
      for (const term of new Set(bags(query))) {
        const found = postings.get(term);
        if (!found) continue;
        const idf = Math.log(1 + (texts.length - found.size + 0.5) / (found.size + 0.5));
        for (const [index, count] of found)
          scores.set(
            index,
            (scores.get(index) ?? 0) +
              (weight * idf * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * (lengths[index] ?? 0)) / average)),
          );
      }
    }
    return [...scores]
      .toSorted((one, other) => other[1] - one[1])
      .slice(0, 50)
      .map(([index]) => index);
  };
}
