import { languageOf } from '../../../shared/text.ts';
import { termsOf, termWeights } from '../../infra/terms.ts';
import { translate } from '../../infra/translate.ts';
import type { ModelProvider, ModelRequest, Passage } from './model.ts';

const maxQuotes = 3;
/** A passage whose best sentence has less of the question than this share of the best one's is not quoted. */
const worthQuoting = 0.6;
/** Less of the question's weight than this in all quotes together: the passages do not answer it. */
const enoughCovered = 0.25;

interface Candidate {
  passage: Passage;
  text: string;
  /** Weight of the question's terms in it, less the longer it is. */
  score: number;
  terms: Set<string>;
}

/**
 * The model without a key: picks the sentences of the passages that have most of the question's terms, weighted by how
 * rare each is among the passages, and quotes them untouched with their citation, framed in the question's language.
 */
export const builtIn: ModelProvider = {
  name: 'built-in',
  title: 'Kotae',
  kind: 'built-in',
  picture:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#00b900" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H15l-6.4 4.8A1 1 0 0 1 7 29v-4H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4Z"/><path d="M9.5 12.2 16 7.4l6.5 4.8M12.4 12.6h7.2M11.6 16h8.8v5.2h-8.8z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  settings: null,
  keyUrl: null,
  operator: { settings: {}, read: () => ({}) },
  wishes: [],
  catalogue: [],
  thinking: () => undefined,
  connect: () => ({
    async listModels() {
      return [{ id: 'extractive', name: 'Kotae (Built-in)', contextTokens: 16_000, capabilities: [] }];
    },
    async *stream(request, signal) {
      const answer = quoteSentences(request);
      // In pieces, as any model speaks: a reader sees it grow, and a stop comes between two of them.
      for (const text of answer.match(/[^\s。、]+[\s。、]*|\s+|[。、]+/gu) ?? []) {
        signal.throwIfAborted();
        yield { type: 'text', text };
      }
      yield { type: 'usage', tokensIn: 0, tokensOut: 0, tokensCached: 0 };
      yield { type: 'finish', reason: 'stop' };
    },
  }),
};

function quoteSentences({ messages, passages, refusal }: ModelRequest): string {
  const question = messages.findLast((message) => message.role === 'user')?.text ?? '';
  const locale = languageOf(question);
  const quotes = chooseQuotes(question, passages);
  if (quotes.length === 0) return refusal;
  const lead = translate(
    locale,
    quotes.length === 1 ? 'conversations-server:builtIn.one' : 'conversations-server:builtIn.several',
  );
  return [lead, ...quotes.map(({ text, passage }) => `> ${text.replaceAll('\n', '\n> ')} [${passage.number}]`)].join(
    '\n\n',
  );
}

function chooseQuotes(question: string, passages: Passage[]): Candidate[] {
  // A question of nothing but short hiragana words is about one of them.
  const bagOf = bagger({ withGrammar: bagger({ withGrammar: false })(question).size === 0 });
  const weights = weigh(question, passages, bagOf);
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return [];
  const candidates = passages.flatMap((passage, rank) =>
    sentencesOf(passage.text).map((text) =>
      rate({ passage, text: withSubject(text, passage.text), rank, weights, bagOf }),
    ),
  );
  candidates.sort((one, other) => other.score - one.score);
  const best = candidates[0];
  if (!best || best.score === 0) return [];
  const chosen: Candidate[] = [];
  const covered = new Set<string>();
  for (const candidate of candidates) {
    if (chosen.length === maxQuotes || candidate.score < best.score * worthQuoting) break;
    const addsSomething = [...candidate.terms].some((term) => !covered.has(term));
    const isSaid = chosen.some((other) => other.text.includes(candidate.text) || candidate.text.includes(other.text));
    if (isSaid || (chosen.length > 0 && !addsSomething)) continue;
    chosen.push(candidate);
    for (const term of candidate.terms) covered.add(term);
  }
  const share = [...covered].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0) / total;
  return share >= enoughCovered ? chosen : [];
}

function weigh(question: string, passages: Passage[], bagOf: BagOf): Map<string, number> {
  const wanted = bagOf(question);
  const bags = passages.map((passage) => bagOf([passage.title, ...passage.headings, passage.text].join('\n')));
  const weights = new Map<string, number>();
  for (const [term, weight] of wanted) {
    const having = bags.filter((bag) => bag.has(term)).length;
    weights.set(term, weight * Math.log(1 + (bags.length - having + 0.5) / (having + 0.5)) + weight * 0.2);
  }
  return weights;
}

interface Rated {
  passage: Passage;
  text: string;
  rank: number;
  weights: Map<string, number>;
  bagOf: BagOf;
}

function rate({ passage, text, rank, weights, bagOf }: Rated): Candidate {
  const bag = bagOf(text);
  const above = bagOf(passage.headings.join('\n'));
  const terms = new Set<string>();
  let weight = 0;
  for (const [term, worth] of weights) {
    if (bag.has(term)) weight += worth;
    // A heading says what its sentences are about, though they need not repeat it.
    else if (above.has(term)) weight += worth * 0.5;
    else continue;
    terms.add(term);
  }
  const length = text.length > 240 ? 240 / text.length : 1;
  return { passage, text, terms, score: weight * length ** 0.3 * (1 - Math.min(rank, 8) * 0.03) };
}

/** Each term once with the weight of its kind; hiragana words of one or two letters are grammar, not subject. */
function bagger({ withGrammar }: { withGrammar: boolean }): BagOf {
  return (text) => {
    const terms = termsOf(text);
    const bag = new Map<string, number>();
    for (const word of terms.words)
      if (withGrammar || !/^\p{Script=Hiragana}{1,2}$/u.test(word)) bag.set(word, termWeights.words);
    for (const pair of terms.bigrams) bag.set(`2${pair}`, termWeights.bigrams);
    return bag;
  };
}

type BagOf = (text: string) => Map<string, number>;

const sentences = new Intl.Segmenter('ja', { granularity: 'sentence' });

/** Sentences as they stand. A question with its answer, a table row and a list item are told whole. */
function sentencesOf(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((paragraph) => {
    if (/^(Q|質問)[:：.．]/i.test(paragraph.trim())) return [paragraph.trim()];
    return paragraph.split('\n').flatMap((line) => {
      const parts = [...sentences.segment(line)].map(({ segment }) => segment.trim()).filter((part) => part.length > 1);
      return joinShort(parts);
    });
  });
}

const leansBack =
  /^(They|It|He|She|This|These|Those|That|Then|After that|それ|これ|その|この|そこ|同)\b|^(それ|これ|その|この|そこ)/u;

/** "They are valid for a year" says nothing without the sentence before it, so that is quoted along. */
function withSubject(sentence: string, passage: string): string {
  if (!leansBack.test(sentence)) return sentence;
  const at = passage.indexOf(sentence);
  const paragraph = passage.lastIndexOf('\n', at) + 1;
  const before = [...sentences.segment(passage.slice(paragraph, at))].at(-1)?.segment ?? '';
  return passage.slice(at - before.length, at + sentence.length).trim();
}

/** "No. 5", "e.g." and the like end no sentence: what is very short belongs to what follows it. */
function joinShort(parts: string[]): string[] {
  const joined: string[] = [];
  let held = '';
  for (const part of parts) {
    const whole = held ? `${held} ${part}` : part;
    if (/^[\p{Script=Latin}\p{N}\p{P}\s]*$/u.test(whole) && whole.length < 25) held = whole;
    else {
      joined.push(whole);
      held = '';
    }
  }
  if (held) joined.push(held);
  return joined;
}
