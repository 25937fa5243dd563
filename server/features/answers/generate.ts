import { setTimeout as sleep } from 'node:timers/promises';
import type { Citation, ToolUse, Trace } from '../../../shared/contracts/conversations.ts';
import type { TextKey } from '../../../shared/texts.ts';
import { AppError, errors } from '../../../shared/errors.ts';
import { languageOf } from '../../../shared/text.ts';
import { maxTokensOf, usualCount, usualTokensOf, weightOf } from '../../infra/token-estimate.ts';
import { translate } from '../../infra/translate.ts';
import type {
  ModelEvent,
  ModelFile,
  ModelMessage,
  ModelRequest,
  ToolCall,
  Tokens,
} from '../../providers/models/model.ts';
import type { SpeakingBot } from '../bots/bots.ts';
import { callTool } from '../bots/tools.ts';
import type { Context } from '../context.ts';
import { findPassages, readinessOf, type FoundPassage } from '../knowledge/knowledge.ts';
import type { Way } from '../models/models.ts';
import { costOf } from '../usage/ledger.ts';
import { createCitations } from './citations.ts';
import { choosePassages, composeRequest, searchQuery, toPassages } from './compose.ts';
import { fillVariables, phraseIn } from './guardrails.ts';

/** One question to a bot, with everything that it is answered from. */
export interface Turn {
  bot: SpeakingBot;
  question: string;
  /** Before the question, oldest first. */
  history: ModelMessage[];
  files: ModelFile[];
  attached: { name: string; text: string }[];
  /** What follows the question already: the beginning of an answer that is to go on, or calls with what they gave. */
  after: ModelMessage[];
  /** What the caller wants otherwise than the bot, and tools that the caller has. */
  wishes?: Wishes;
  /** How many questions in a row before this one the documents did not answer. */
  refusals: number;
}

export type Wishes = Partial<
  Pick<ModelRequest, 'temperature' | 'topP' | 'maxTokens' | 'stop' | 'json' | 'toolChoice' | 'tools'>
>;

export interface Listener {
  /** Fails when the question could not be stored: nothing is said before that is known. */
  stored?: Promise<void>;
  text(text: string): void;
  reasoning(text: string): void;
  citation(citation: Citation): void;
  tool(use: ToolUse): void;
  /** Sets credits aside before a call that may cost so much more, in micro-credits. Throws `balance-empty`. */
  hold(amount: number): Promise<void>;
}

export type PassageTrace = Pick<Trace['passages'][number], 'embedding' | 'score' | 'used'>;

/** What an answer's row keeps of how it came about. */
export interface KeptTrace {
  query?: string;
  coverage?: number;
  searchMs?: number;
  passages?: PassageTrace[];
  prompt?: { role: 'system' | 'user' | 'assistant' | 'tool'; text: string }[];
  failed?: { service: string; code: string }[];
  /** The documents had no answer. */
  refused?: true;
}

/** How far an answer has come; it is filled as it goes, so that it is whole whatever happens. */
export interface Progress {
  tokens: Tokens;
  way: Way | undefined;
  trace: KeptTrace;
  citations: Citation[];
  finish: 'stop' | 'length' | 'filter' | 'tools' | null;
  handsOff: boolean;
  /** Calls that are for the caller to make. */
  calls: ToolCall[];
}

export const newProgress = (): Progress => ({
  tokens: { tokensIn: 0, tokensOut: 0, tokensCached: 0 },
  way: undefined,
  trace: {},
  citations: [],
  finish: null,
  handsOff: false,
  calls: [],
});

const mostRounds = 6;
const mostRetries = 2;
const longestPauseMs = 10_000;
const promptCharacters = 60_000;

/** Answers one question: guard, retrieve, compose, then the model with its tools. Everything is told as it comes. */
export async function generate(
  context: Context,
  turn: Turn,
  progress: Progress,
  listen: Listener,
  signal: AbortSignal,
): Promise<void> {
  const { bot, question } = turn;
  const { config } = bot;
  const locale = config.language === 'question' ? languageOf(question) : config.language;
  const own = (text: string, usual: TextKey) => fillVariables(text, config.variables) || translate(locale, usual);

  if (phraseIn(question, config.guardrails.blockedTopics) !== undefined)
    return say(progress, listen, own(config.guardrails.blockedReply, 'conversations-server:blocked'));
  if (
    config.handoff.enabled &&
    (phraseIn(question, config.handoff.phrases) !== undefined ||
      (config.handoff.afterRefusals !== null && turn.refusals >= config.handoff.afterRefusals))
  ) {
    progress.handsOff = true;
    return say(progress, listen, own(config.handoff.reply, 'conversations-server:handoff'));
  }

  const ways = await findWays(context, bot, progress.trace);
  const first = ways[0];
  if (!first) throw new AppError('service-not-ready');
  const { passages, said } = await retrieve(
    context,
    turn,
    progress.trace,
    locale,
    first.service.provider === 'built-in',
  );
  const refusal = own(config.refusal, 'conversations-server:refusal');
  if (said !== undefined) return say(progress, listen, said);
  if (config.knowledges.length > 0 && passages.length === 0) progress.trace.refused = true;

  const citations = createCitations(passages);
  const tell = ({ text, citations: fresh }: { text: string; citations: Citation[] }) => {
    for (const citation of fresh) {
      progress.citations = citations.all();
      listen.citation(citation);
    }
    if (text !== '') listen.text(text);
  };
  const sees = first.service.capabilities.includes('vision');
  const request = composeRequest({
    ...turn,
    files: sees ? turn.files : [],
    unseen: sees ? [] : turn.files.map(({ name }) => name),
    config,
    refusal,
    passages: toPassages(passages),
  });
  progress.trace.prompt = request.messages.map(({ role, text }) => ({ role, text: text.slice(0, promptCharacters) }));
  const { tools: callersTools = [], ...wishes } = turn.wishes ?? {};
  const tools = [
    ...(request.tools ?? []),
    ...callersTools.filter(({ name }) => !request.tools?.some((own) => own.name === name)),
  ];
  await converse(context, {
    bot,
    ways,
    request: { ...request, ...wishes, ...(tools.length > 0 && { tools }) },
    progress,
    signal,
    listen,
    onText: (text) => tell(citations.push(text)),
  });
  tell(citations.end());
}

async function say(progress: Progress, listen: Listener, text: string): Promise<void> {
  await listen.stored;
  progress.finish = 'stop';
  listen.text(text);
}

/** The ways to the bot's service, then those to its fallback. */
async function findWays(context: Context, bot: SpeakingBot, trace: KeptTrace): Promise<Way[]> {
  const { service, fallback } = bot.config;
  const ways: Way[] = [];
  let problem: unknown;
  for (const uuid of fallback && fallback !== service ? [service, fallback] : [service]) {
    try {
      ways.push(...(await context.models.reach(bot.workspace, uuid)));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      problem ??= error;
      (trace.failed ??= []).push({ service: uuid, code: error.code });
    }
  }
  if (ways.length === 0) throw problem;
  return ways;
}

async function retrieve(
  context: Context,
  { bot, question, history }: Turn,
  trace: KeptTrace,
  locale: 'en' | 'ja',
  isBuiltIn: boolean,
): Promise<{ passages: FoundPassage[]; said?: string }> {
  const { knowledges, retrieval } = bot.config;
  const nothing = () => ({
    passages: [],
    ...(isBuiltIn && { said: translate(locale, 'conversations-server:noKnowledge') }),
  });
  if (knowledges.length === 0) return nothing();
  const readiness = await readinessOf(context, bot.workspace, knowledges);
  if (readiness === 'indexing') return { passages: [], said: translate(locale, 'conversations-server:indexing') };
  if (readiness === 'empty') return nothing();
  const query = searchQuery(question, history);
  const { passages, coverage, tookMs } = await findPassages(context, { knowledges, query, limit: 12 });
  const chosen = coverage < retrieval.threshold ? [] : choosePassages(passages, retrieval.passages);
  const used = new Set(chosen);
  Object.assign(trace, {
    query,
    coverage,
    searchMs: Math.round(tookMs),
    passages: passages.map((passage): PassageTrace => ({
      embedding: passage.embedding.uuid,
      score: Math.round(passage.score * 100) / 100,
      used: used.has(passage),
    })),
  } satisfies KeptTrace);
  return { passages: chosen };
}

interface Conversation {
  bot: SpeakingBot;
  ways: Way[];
  request: Omit<ModelRequest, 'model'>;
  progress: Progress;
  signal: AbortSignal;
  listen: Listener;
  onText(text: string): void;
}

/** The model, its tool calls, and the model again with what they gave; as often as it wants, within reason. */
async function converse(
  context: Context,
  { bot, ways, request, progress, signal, listen, onText }: Conversation,
): Promise<void> {
  const messages = [...request.messages];
  let left = ways;
  for (let round = 0; ; round++) {
    const calls: ToolCall[] = [];
    const said: string[] = [];
    const isLast = round === mostRounds - 1;
    const { tools: offered, ...plain } = request;
    const asked = { ...plain, messages, ...(offered && !isLast && { tools: offered }) };
    left = await speak(context, { ways: left, request: asked, progress, signal, listen }, (event) => {
      if (event.type === 'text') {
        if (offered) said.push(event.text);
        onText(event.text);
      } else if (event.type === 'reasoning') listen.reasoning(event.text);
      else if (event.type === 'call') calls.push(event.call);
    });
    progress.calls = calls.filter(
      ({ name }) =>
        request.tools?.some((tool) => tool.name === name) &&
        !bot.config.tools.some((tool) => tool.approved && tool.name === name),
    );
    if (calls.length === 0 || progress.calls.length > 0 || isLast || signal.aborted) return;
    messages.push({ role: 'assistant', text: said.join(''), calls });
    // At the same time, but answered in their order, as the vendors want it.
    const results = await Promise.all(calls.map((call) => use(context, bot, call, listen, signal)));
    messages.push(
      ...calls.map((call, at): ModelMessage => ({
        role: 'tool',
        id: call.id,
        name: call.name,
        text: results[at] ?? '',
      })),
    );
  }
}

/** Runs one call. What goes wrong is told to the model, which can say it better than we. */
async function use(
  context: Context,
  bot: SpeakingBot,
  call: ToolCall,
  listen: Listener,
  signal: AbortSignal,
): Promise<string> {
  const shown: ToolUse = {
    id: call.id,
    name: call.name,
    state: 'running',
    input: call.input.slice(0, 4000),
    output: '',
    tookMs: null,
  };
  listen.tool(shown);
  const started = performance.now();
  const end = (state: 'done' | 'failed', output: string) => {
    listen.tool({ ...shown, state, output: output.slice(0, 4000), tookMs: Math.round(performance.now() - started) });
    return output;
  };
  const tool = bot.config.tools.find(({ name, approved }) => approved && name === call.name);
  if (!tool) return end('failed', `There is no tool named ${call.name.slice(0, 64)}.`);
  try {
    const input: unknown = call.input.trim() === '' ? {} : JSON.parse(call.input);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return end('failed', 'The input has to be a JSON object.');
    const { status, body } = await callTool(context, bot.uuid, tool, { ...input }, signal);
    return end(status < 400 ? 'done' : 'failed', status < 400 ? body || `HTTP ${status}` : `HTTP ${status}\n${body}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SyntaxError) return end('failed', 'The input is not JSON.');
    if (error instanceof AppError) return end('failed', translate('en', `errors:${error.code}`, error.details));
    throw error;
  }
}

interface Speech {
  ways: Way[];
  request: Omit<ModelRequest, 'model'>;
  progress: Progress;
  signal: AbortSignal;
  listen: Pick<Listener, 'hold' | 'stored'>;
}

/**
 * One call of a model. Until its first word a provider that is busy or away is asked again, twice, or the next way is taken;
 * after it, what came stands and the failure is told. Returns the ways that are left, the one that answered first.
 */
async function speak(
  context: Context,
  { ways, request, progress, signal, listen }: Speech,
  onEvent: (event: ModelEvent) => void,
): Promise<Way[]> {
  const { config } = context;
  for (const [at, way] of ways.entries()) {
    const isLastWay = at === ways.length - 1;
    const maxTokens = Math.min(request.maxTokens, way.maxOutputTokens ?? Infinity);
    const sent = request.messages.reduce(
      (sum, message) =>
        sum + maxTokensOf(message.text) + (message.role === 'user' ? (message.files?.length ?? 0) * 2000 : 0) + 10,
      0,
    );
    if (way.price)
      await listen.hold(
        costOf(way.price, { tokensIn: sent, tokensOut: maxTokens, tokensCached: 0 }, config.CREDIT_MARGIN),
      );
    progress.way = way;
    for (let attempt = 0; ; attempt++) {
      let hasBegun = false;
      let counted: Tokens | undefined;
      let received = 0;
      try {
        for await (const event of way.connection.stream({ ...request, model: way.model, maxTokens }, signal)) {
          if (!hasBegun) await listen.stored;
          if (event.type === 'usage') counted = event;
          else if (event.type === 'finish') progress.finish = event.reason;
          else {
            hasBegun = true;
            if (event.type !== 'call') received += weightOf(event.text);
            onEvent(event);
          }
          if (signal.aborted) break;
        }
        return ways.slice(at);
      } catch (error) {
        if (signal.aborted) return ways.slice(at);
        if (hasBegun || !(error instanceof AppError)) throw error;
        (progress.trace.failed ??= []).push({ service: way.service.uuid, code: error.code });
        if (error.code === 'provider-key-rejected' && way.ownKey)
          await context.models.reject(way.ownKey, String(error.details['reason'] ?? ''));
        if (!isLastWay) break;
        if (attempt >= mostRetries || !errors[error.code].retry) throw error;
        await sleep(pauseMs(error, attempt), undefined, { signal }).catch(() => {});
        if (signal.aborted) return ways.slice(at);
      } finally {
        addTokens(progress, counted, hasBegun ? { request, received } : undefined);
      }
    }
  }
  throw new AppError('service-not-ready');
}

/** What a provider counted; where it did not come to that, what was sent and received, estimated. */
function addTokens(
  progress: Progress,
  counted: Tokens | undefined,
  delivered: { request: Omit<ModelRequest, 'model'>; received: number } | undefined,
): void {
  const tokens =
    counted ??
    (delivered
      ? {
          tokensIn: delivered.request.messages.reduce((sum, { text }) => sum + usualTokensOf(text), 0),
          tokensOut: usualCount(delivered.received),
          tokensCached: 0,
        }
      : undefined);
  if (!tokens) return;
  progress.tokens = {
    tokensIn: progress.tokens.tokensIn + tokens.tokensIn,
    tokensOut: progress.tokens.tokensOut + tokens.tokensOut,
    tokensCached: progress.tokens.tokensCached + tokens.tokensCached,
  };
}

function pauseMs(error: AppError, attempt: number): number {
  const wanted = error.details['retryAfterMs'];
  return Math.min(longestPauseMs, typeof wanted === 'number' ? wanted : 500 * 2 ** attempt);
}
