import { setTimeout as sleep } from 'node:timers/promises';
import { ZodError } from 'zod';
import type { Refusable, ToolUse } from '../../../shared/contracts/conversations.ts';
import { AppError } from '../../../shared/errors.ts';
import { storable } from '../../../shared/text.ts';
import type { Context } from '../../feature.ts';
import { usualCount, usualTokensOf, weightOf } from '../../infra/token-estimate.ts';
import { translate } from '../../infra/translate.ts';
import { thinkingRoom, thinkingShare } from '../../providers/models/catalogue.ts';
import { blind } from '../../providers/models/lessons.ts';
import type {
  Capability,
  ModelEvent,
  ModelMessage,
  ModelRequest,
  ToolCall,
  Tokens,
} from '../../providers/models/model.ts';
import { wasNotBegun } from '../../providers/models/wire.ts';
import type { SpeakingBot } from '../bots/bots.ts';
import { callTool } from '../bots/tools.ts';
import type { ModelTarget } from '../models/models.ts';
import { costOf } from '../usage/ledger.ts';
import type { Answered, AnswerEvent, KeptTrace, Prepared } from './answered.ts';
import { drawTool, maxDrawn, mayDraw } from './draw.ts';
import { maskMessage } from './guardrails.ts';
import { fitMessages, tokensSent } from './history.ts';

const maxRounds = 6;
/** Calls of tools in one round. */
const maxCalls = 20;
/** Characters of what a tool was given, and of what it gave, for people to look at. */
const maxShown = 4_000;
const defaultRetries = 2;
const maxPauseMs = 10_000;

/** What the model calls of one answer share. */
interface Run {
  /** Filled during the answer, so that it is complete whatever happens. */
  answered: Answered;
  /** Sets aside the micro-credits that the next call may cost. Throws `balance-empty`. */
  hold(amount: number): Promise<void>;
  /** Draws a picture, which is then among the answer's files; false where it has as many as it may. */
  draw(bot: SpeakingBot, given: unknown): Promise<boolean>;
  signal: AbortSignal;
  stored: Promise<unknown> | undefined;
  tell(event: AnswerEvent | { type: 'retract' }): void;
}

type Asked = Extract<Prepared, { targets: ModelTarget[] }>;

/** Asks the model, makes its tool calls, and asks it again with their results, for a limited number of rounds. */
export async function converse(context: Context, prepared: Asked, run: Run): Promise<void> {
  const { bot, targets, request, historyLength = 0, maxRetries = defaultRetries } = prepared;
  const { answered, signal, tell } = run;
  const mask = bot?.config.guardrails.maskPersonal ? maskMessage : (message: ModelMessage) => message;
  const messages = [...request.messages];
  let left = targets;
  for (let round = 0; ; round++) {
    const calls: ToolCall[] = [];
    const said: string[] = [];
    let replay: unknown;
    const isLast = round === maxRounds - 1;
    const { tools: offered, ...plain } = request;
    const asked = { ...plain, messages, ...(offered && !isLast && { tools: offered }) };
    left = await speak(context, { targets: left, request: asked, historyLength, maxRetries }, run, (event) => {
      if (event.type === 'call') calls.push(event.call);
      else if (event.type === 'replay') replay = event.replay;
      else if (event.type === 'text' || event.type === 'reasoning' || event.type === 'retract') {
        if (event.type === 'retract') said.length = 0;
        if (offered && event.type === 'text') said.push(event.text);
        tell(event);
      }
    });
    answered.calls = calls.filter(
      ({ name }) =>
        request.tools?.some((tool) => tool.name === name) &&
        !(bot && mayDraw(bot) && name === drawTool.name) &&
        !bot?.config.tools.some((tool) => tool.approved && tool.name === name),
    );
    if (!bot || calls.length === 0 || answered.calls.length > 0 || isLast || signal.aborted) return;
    const made = calls.slice(0, maxCalls);
    messages.push(
      mask({ role: 'assistant', text: said.join(''), calls: made, ...(replay !== undefined && { replay }) }),
    );
    // The calls run at once, but their results go back in order, as the vendors require.
    const results = await Promise.all(made.map((call) => use(context, bot, call, run)));
    const unmade = calls.length - made.length;
    const note = unmade > 0 ? `\n\n(${unmade} more calls were not made: at most ${maxCalls} are made at once.)` : '';
    messages.push(
      ...made.map((call, at) =>
        mask({
          role: 'tool',
          id: call.id,
          name: call.name,
          text: `${results[at] ?? ''}${at === made.length - 1 ? note : ''}`,
        }),
      ),
    );
  }
}

/** Runs one call. The model is told of an error, since it can explain it better than we can. */
async function use(context: Context, bot: SpeakingBot, call: ToolCall, { draw, signal, tell }: Run): Promise<string> {
  const shown: ToolUse = {
    id: call.id,
    name: call.name,
    state: 'running',
    input: call.input.slice(0, maxShown).toWellFormed(),
    output: '',
    tookMs: null,
  };
  tell({ type: 'tool', tool: shown });
  const started = performance.now();
  const end = (state: 'done' | 'failed', output: string) => {
    const tookMs = Math.round(performance.now() - started);
    tell({ type: 'tool', tool: { ...shown, state, output: output.slice(0, maxShown).toWellFormed(), tookMs } });
    return output;
  };
  const tool = bot.config.tools.find(({ name, approved }) => approved && name === call.name);
  const isDrawing = !tool && mayDraw(bot) && call.name === drawTool.name;
  if (!tool && !isDrawing) return end('failed', `There is no tool named ${call.name.slice(0, 64)}.`);
  try {
    const input: unknown = call.input.trim() === '' ? {} : JSON.parse(call.input);
    if (typeof input !== 'object' || input === null || Array.isArray(input))
      return end('failed', 'The input has to be a JSON object.');
    if (!tool) {
      if (!(await draw(bot, input))) return end('failed', `At most ${maxDrawn} pictures are drawn for one answer.`);
      return end('done', 'The picture is drawn, and the person sees it below your answer.');
    }
    const { status, body } = await callTool(context, bot.uuid, tool, { ...input }, signal);
    return end(status < 400 ? 'done' : 'failed', status < 400 ? body || `HTTP ${status}` : `HTTP ${status}\n${body}`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SyntaxError) return end('failed', 'The input is not JSON.');
    if (error instanceof ZodError) return end('failed', 'The prompt has to be a text of at most 4,000 characters.');
    if (error instanceof AppError)
      return end('failed', translate('en', `errors:${error.code}`, { ...error.details, requestId: call.id }));
    throw error;
  }
}

interface Speech {
  targets: ModelTarget[];
  request: Omit<ModelRequest, 'model'>;
  historyLength: number;
  maxRetries: number;
}

/**
 * One call of a model. A provider that has begun nothing is asked again, and until the first word the next target is asked;
 * after it, what came stands and the failure is told. Returns the targets that are left, the one that answered first.
 */
async function speak(
  context: Context,
  { targets, request, historyLength, maxRetries }: Speech,
  { answered, hold, signal, stored }: Run,
  onEvent: (event: ModelEvent) => void,
): Promise<ModelTarget[]> {
  const { config } = context;
  for (const [at, listed] of targets.entries()) {
    const target = await asLoaded(listed, signal);
    const { service } = target;
    const isLast = at === targets.length - 1;
    const { able, sent, maxTokens, thinkingTokens } = fit(request, historyLength, target, answered.trace);
    const [tokens, limit] = [usualTokensSent(able.messages), service.contextTokens];
    // Others refuse by themselves what is too long for them; this one would leave out its beginning.
    if (tokens > limit && target.asksWindow) {
      const error = new AppError('context-exceeded', { tokens, limit });
      (answered.trace.failed ??= []).push({ service: service.uuid, code: error.code });
      if (isLast) throw error;
      continue;
    }
    // Not every server tells its window, and some that it does not tell are larger than is usual.
    const window = Math.max(service.contextTokens, sent);
    const most = { tokensIn: sent, tokensOut: maxTokens + thinkingTokens, tokensCached: 0, tokensCacheWritten: sent };
    const held = target.price ? costOf(target.price, most, config.CREDIT_MARGIN) : 0;
    if (held > 0) await hold(held);
    answered.target = target;
    for (let attempt = 0; ; attempt++) {
      let hasBegun = false;
      let hasGiven = false;
      let hasFailed = false;
      let finish: Answered['finish'] = null;
      let counted: Tokens | undefined;
      let received = 0;
      try {
        const asked = { ...able, model: target.model, maxTokens, thinkingTokens };
        for await (const event of target.connection.stream(asked, signal)) {
          if (!hasBegun) await stored;
          if (event.type === 'without') {
            context.log.info(
              { service: service.uuid, model: target.model, without: event.refused },
              'a model is asked without what it has refused',
            );
            noteWithout(answered.trace, service.uuid, event.refused);
          } else if (event.type === 'usage') counted = believable(event, window);
          else if (event.type === 'finish') {
            answered.finish = finish = event.reason;
            if (event.refused) answered.trace.refused = true;
            answered.suggestions = event.suggestions ?? [];
          } else {
            hasBegun = true;
            hasGiven ||= event.type === 'call' || ('text' in event && event.text !== '');
            if (event.type === 'text' || event.type === 'reasoning') received += weightOf(event.text);
            onEvent(cleaned(event));
          }
          if (signal.aborted) break;
        }
        if (hasBegun) await judge(context, target, undefined);
        return targets.slice(at);
      } catch (error) {
        if (signal.aborted) return targets.slice(at);
        hasFailed = true;
        if (hasBegun || !(error instanceof AppError)) throw error;
        (answered.trace.failed ??= []).push({ service: target.service.uuid, code: error.code });
        await judge(context, target, error);
        if (!isLast) break;
        // A wish that is longer than our patience is passed on instead.
        if (attempt >= maxRetries || !wasNotBegun(error) || pauseMs(error, attempt) > maxPauseMs) throw error;
        await sleep(pauseMs(error, attempt), undefined, { signal }).catch(() => {});
        if (signal.aborted) return targets.slice(at);
      } finally {
        // Who says that a text was no token has not counted.
        const isCounted = counted !== undefined && (counted.tokensOut > 0 || received === 0 || !target.price?.out);
        const tokens = isCounted ? counted : hasBegun ? estimate(able, received, window) : undefined;
        // Each call costs what its model costs, unless its provider broke it off. One that gave nothing that anybody sees costs
        // something only where the asker had the model think, and no more than was set aside.
        if (tokens && target.price && !hasFailed) {
          const cost = costOf(target.price, tokens, config.CREDIT_MARGIN);
          if (hasGiven) answered.cost += cost;
          else if (wasSpent(finish, tokens, request)) answered.cost += Math.min(cost, held);
        }
        if (tokens) addTokens(answered, tokens);
      }
    }
  }
  throw new AppError('service-not-ready');
}

/** The target with the window that its server gives the model now, which may be loaded with less than it can, or with more than is usual. */
async function asLoaded(target: ModelTarget, signal: AbortSignal): Promise<ModelTarget> {
  const { asksWindow, connection, model, service } = target;
  const contextTokens = asksWindow ? await connection.window?.(model, signal) : undefined;
  return contextTokens ? { ...target, service: { ...service, contextTokens } } : target;
}

/**
 * The request as this target can take it: without what it is not able to, and with as much of the history as its window has room
 * for. An answer that may be longer than half of the window gets what the question leaves of it.
 */
function fit(
  request: Speech['request'],
  historyLength: number,
  { service: { capabilities, contextTokens }, maxOutputTokens, thinking }: ModelTarget,
  trace: KeptTrace,
) {
  const wanted = Math.min(request.maxTokens, maxOutputTokens ?? contextTokens);
  const thinkingTokens = Math.min(
    thinkingRoom(thinking, request.reasoning),
    (maxOutputTokens ?? Infinity) - wanted,
    Math.floor(contextTokens * thinkingShare),
  );
  const least = Math.min(wanted, Math.floor(contextTokens / 2));
  const whole = withinAbilities(request, capabilities);
  const fitted = fitMessages(whole, historyLength, contextTokens - thinkingTokens - least);
  Object.assign(trace, fitted.trace);
  const able = { ...whole, messages: fitted.messages };
  const sent = tokensSent(able);
  const maxTokens = Math.min(wanted, Math.max(least, contextTokens - thinkingTokens - sent));
  return { able, sent, maxTokens, thinkingTokens };
}

/** Once for each service, however many rounds of calls there are. */
function noteWithout(trace: KeptTrace, service: string, refused: Refusable[]): void {
  const others = (trace.without ?? []).filter((each) => each.service !== service);
  const before = trace.without?.find((each) => each.service === service)?.parts ?? [];
  trace.without = [...others, { service, parts: [...new Set([...before, ...refused])] }];
}

/** That a key's state cannot be written down is no reason to lose an answer. */
const judge = ({ models, log }: Context, target: ModelTarget, refusal: AppError | undefined): Promise<void> =>
  models
    .judge(target, refusal)
    .catch((err: unknown) =>
      log.warn({ err, service: target.service.uuid }, 'the state of a key was not written down'),
    );

/** Without what the model is known not to be able to. */
function withinAbilities(
  { tools, toolChoice, ...request }: Omit<ModelRequest, 'model'>,
  capabilities: Capability[],
): Omit<ModelRequest, 'model'> {
  return {
    ...request,
    ...(!capabilities.includes('vision') && { messages: blind(request.messages) }),
    ...(tools && capabilities.includes('tools') && { tools, toolChoice }),
  };
}

/** What no database can keep; a half of a surrogate pair stays here, since the next event may bring the other. */
function cleaned(event: ModelEvent): ModelEvent {
  if (event.type === 'call') {
    const { call } = event;
    return {
      type: 'call',
      call: { ...call, id: storable(call.id), name: storable(call.name), input: storable(call.input) },
    };
  }
  return 'text' in event && event.text.includes('\u0000')
    ? { ...event, text: event.text.replaceAll('\u0000', '') }
    : event;
}

/** Whether a call that gave nothing has done what was asked: it thought, or ended where the asker's own limits made it end. */
const wasSpent = (finish: Answered['finish'], { tokensThought = 0 }: Tokens, { stop }: Speech['request']): boolean =>
  finish === 'length' || (finish === 'stop' && (tokensThought > 0 || Boolean(stop?.length)));

/** What was counted, with parts that are no more than their whole; nothing where it is more than the model reads or writes at once. */
function believable(tokens: Tokens, window: number): Tokens | undefined {
  const whole = (count: number, most = Infinity) =>
    Number.isFinite(count) ? Math.min(Math.max(0, Math.round(count)), most) : 0;
  const [tokensIn, tokensOut] = [whole(tokens.tokensIn), whole(tokens.tokensOut)];
  if (tokensIn > window || tokensOut > window) return undefined;
  const tokensCached = whole(tokens.tokensCached, tokensIn);
  return {
    tokensIn,
    tokensOut,
    tokensCached,
    ...(tokens.tokensCacheWritten !== undefined && {
      tokensCacheWritten: whole(tokens.tokensCacheWritten, tokensIn - tokensCached),
    }),
    ...(tokens.tokensThought !== undefined && { tokensThought: whole(tokens.tokensThought, tokensOut) }),
  };
}

/** What was sent and received, where a provider did not count it, or not in earnest. */
const estimate = ({ messages }: Omit<ModelRequest, 'model'>, received: number, window: number): Tokens => ({
  tokensIn: Math.min(window, usualTokensSent(messages)),
  tokensOut: Math.min(window, usualCount(received)),
  tokensCached: 0,
});

const usualTokensSent = (messages: ModelMessage[]) => messages.reduce((sum, { text }) => sum + usualTokensOf(text), 0);

function addTokens(answered: Answered, tokens: Tokens): void {
  const { tokensIn, tokensOut, tokensCached, tokensCacheWritten = 0 } = answered.tokens;
  answered.tokens = {
    tokensIn: tokensIn + tokens.tokensIn,
    tokensOut: tokensOut + tokens.tokensOut,
    tokensCached: tokensCached + tokens.tokensCached,
    tokensCacheWritten: tokensCacheWritten + (tokens.tokensCacheWritten ?? 0),
  };
}

function pauseMs(error: AppError, attempt: number): number {
  const wanted = error.details['retryAfterMs'];
  return typeof wanted === 'number' ? wanted : 500 * 2 ** attempt;
}
