import { languageOf } from '../../../../shared/text.ts';
import { isFollowUp } from '../../../infra/asking.ts';
import { termsOf } from '../../../infra/terms.ts';
import { translate } from '../../../infra/translate.ts';
import type { ModelProvider, ModelRequest, Passage } from '../model.ts';
import { likeliest, rate, type Rated } from './decide.ts';
import type { Extract } from './extracts.ts';
import { courtesyOf } from './question.ts';
import { drawSample, sample } from './sample.ts';

const maxSuggestions = 3;
/** What two questions share of all their terms when they are the same one. */
const sameTerms = 0.8;
/** A heading is offered when something under it tells this share of the question. */
const leastNear = 0.2;
/** A bot's usual threshold; one that is stricter or laxer moves what is quoted by this much for each tenth. */
const usualThreshold = 0.4;
const oddsPerThreshold = 6;

/**
 * The model without a key: quotes the parts of the passages that most likely answer, untouched and with their citation,
 * or says that none does and what may be asked instead.
 */
export const builtIn: ModelProvider = {
  name: 'built-in',
  title: 'Kotae',
  kind: 'built-in',
  picture:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#00b900" d="M6 3h20a4 4 0 0 1 4 4v14a4 4 0 0 1-4 4H15l-6.4 4.8A1 1 0 0 1 7 29v-4H6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4Z"/><path d="M9.5 12.2 16 7.4l6.5 4.8M12.4 12.6h7.2M11.6 16h8.8v5.2h-8.8z" fill="none" stroke="#fff" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round"/></svg>',
  settings: null,
  keyUrl: null,
  operator: { line: '', settings: {}, read: () => ({}) },
  wishes: [],
  catalogue: [],
  thinking: () => undefined,
  connect: () => ({
    async listModels() {
      return [
        { id: 'extractive', name: 'Kotae (Built-in)', contextTokens: 16_000, capabilities: [] },
        { id: sample, name: 'Kotae (Sample)', group: 'image-model', contextTokens: 0, capabilities: ['mask'] },
      ];
    },
    drawing: { draw: drawSample },
    async *stream(request, signal) {
      const { text: answer, refused, suggestions } = reply(request);
      // In pieces, as any model speaks: a reader sees it grow, and a stop comes between two of them.
      for (const text of answer.match(/[^\s。、]+[\s。、]*|\s+|[。、]+/gu) ?? []) {
        signal.throwIfAborted();
        yield { type: 'text', text };
      }
      yield { type: 'usage', tokensIn: 0, tokensOut: 0, tokensCached: 0 };
      yield { type: 'finish', reason: 'stop', ...(refused && { refused }), ...(suggestions && { suggestions }) };
    },
  }),
};

interface Reply {
  text: string;
  refused?: true;
  suggestions?: string[];
}

/** It reads no files, and says so. */
function reply(request: ModelRequest): Reply {
  const { text, ...more } = answerOf(request);
  const { bot } = request;
  const note = bot?.hasFiles ? translate(bot.locale, 'conversations-server:builtIn.noFiles') : '';
  return { text: [text, note].filter(Boolean).join('\n\n'), ...more };
}

function answerOf({ messages, passages, refusal, bot }: ModelRequest): Reply {
  const questions = messages.flatMap((message) => (message.role === 'user' ? [message.text] : []));
  const question = bot?.question ?? questions.at(-1) ?? '';
  const locale = bot?.locale ?? languageOf(question) ?? 'en';
  const courtesy = courtesyOf(question);
  if (courtesy) {
    const starters = [...new Set(bot?.starters)].slice(0, maxSuggestions);
    const said = translate(locale, `conversations-server:builtIn.${courtesy}`);
    return starters.length > 0 ? { text: `${said}\n\n${listOf(starters)}`, suggestions: starters } : { text: said };
  }
  const before = questions.at(-2);
  const least = ((bot?.threshold ?? usualThreshold) - usualThreshold) * oddsPerThreshold;
  const rated = rate(question, passages);
  let quotes = choose(rated, least);
  if (quotes.length === 0 && before && isFollowUp(question))
    quotes = choose(rate(`${question}\n${before}`, passages), least);
  if (quotes.length === 0) {
    const near = rated.filter(({ features }) => features.told >= leastNear).map(({ extract }) => extract.passage);
    const nearest = [...new Set(near.flatMap(({ headings }) => headings.slice(1).slice(-1)))].slice(0, maxSuggestions);
    // A starter that asks about one of these headings would offer the same twice.
    const others = (bot?.starters ?? []).filter(
      (starter) =>
        !nearest.some((heading) => isTelling(heading) && starter.toLowerCase().includes(heading.toLowerCase())),
    );
    const offered = [...new Set([...nearest, ...others])].slice(0, 2 * maxSuggestions);
    const offer =
      offered.length > 0 ? `${translate(locale, 'conversations-server:builtIn.instead')}\n\n${listOf(offered)}` : '';
    return { text: [refusal, offer, bot?.contact].filter(Boolean).join('\n\n'), refused: true, suggestions: offered };
  }
  const [only] = quotes;
  // Somebody has answered this very question: their words are the answer, and nothing has to be said before them.
  if (only?.pair && quotes.length === 1 && isSame(question, only.pair.question))
    return { text: `${only.pair.answer.trimEnd()} [${only.passage.number}]` };
  const lead =
    bot?.lead || translate(locale, `conversations-server:builtIn.${quotes.length === 1 ? 'one' : 'several'}`);
  return { text: [lead, ...quotes.map(quote)].join('\n\n') };
}

/** Whether two questions ask the same in nearly the same words. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => {
    const { words, bigrams } = termsOf(text);
    return new Set([...words, ...bigrams]);
  });
  if (!a || !b || a.size === 0 || b.size === 0) return false;
  const all = new Set([...a, ...b]).size;
  return (a.size + b.size - all) / all >= sameTerms;
}

/** Long enough that a text which holds it is about it: an “a” is in many. */
const isTelling = (heading: string) => heading.length >= (languageOf(heading) === 'ja' ? 2 : 4);

const listOf = (items: string[]) => items.map((item) => `- ${item}`).join('\n');

/** As a block quote; the citation is in its last line, in a table within the last cell. */
function quote({ text, passage }: Quote): string {
  const lines = text.split('\n').map((line) => (line.trim() === '' ? '>' : `> ${line}`));
  const last = (lines.pop() ?? '').trimEnd();
  const isRow = last.endsWith('|');
  lines.push(`${isRow ? last.slice(0, -1).trimEnd() : last} [${passage.number}]${isRow ? ' |' : ''}`);
  return lines.join('\n');
}

interface Quote extends Pick<Extract, 'pair'> {
  text: string;
  passage: Passage;
}

function choose(rated: Rated[], least: number): Quote[] {
  const chosen = likeliest(rated, least);
  const quotes: (Quote & { head?: string })[] = [];
  for (const { extract } of chosen) {
    const { passage, row, text, pair } = extract;
    const table = row && quotes.find((each) => each.passage === passage && each.head === row.head);
    // Rows of one table are quoted under one header.
    if (table) table.text += `\n${row.line}`;
    else quotes.push({ text, passage, ...(pair && { pair }), ...(row && { head: row.head }) });
  }
  return quotes;
}
