import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { OpenAIProvider } from '@ai-sdk/openai';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import {
  providerError,
  type Access,
  type ModelConnection,
  type ModelEvent,
  type ModelMessage,
  type ModelRequest,
  type Tokens,
  type ToolCall,
} from './model.ts';
import {
  ask,
  brokenOff,
  checkKey,
  createLineEnds,
  createPatience,
  endedEarly,
  isObject,
  maxAnswerLength,
  maxLineLength,
  parseJson,
  refusalOf,
  sentence,
  type Patience,
  type Timeouts,
} from './wire.ts';

// The interface that all of the AI SDK's provider packages have, named after one of them.
type LanguageModel = ReturnType<OpenAIProvider['responses']>;
type Options = Parameters<LanguageModel['doStream']>[0];
type Part = Awaited<ReturnType<LanguageModel['doStream']>>['stream'] extends ReadableStream<infer T> ? T : never;
export type Prompt = Options['prompt'];
type Message = Prompt[number];
type Metadata = NonNullable<Message['providerOptions']>;
type AssistantContent = Extract<Message, { role: 'assistant' }>['content'];
type Said = { type: 'text' | 'reasoning'; text: string; providerOptions?: Metadata };

interface Bridged {
  /** The provider's. */
  name: string;
  access: Access;
  timeouts: Timeouts;
  /** The package's model, whose requests go out through `fetch`. The package is read when it is first asked: all of them take 6 MB. */
  model(id: string, fetch: typeof globalThis.fetch): Promise<LanguageModel>;
  /** What this vendor wants said otherwise than the package says it. */
  adjust?(options: Options, request: ModelRequest): Options;
  /** The same of what the package has no word for: the body as it goes out. */
  rewrite?(body: Record<string, unknown>, request: ModelRequest): void;
  /** What the model thinks in an event that the package does not pass on. */
  plan?(event: unknown): string | undefined;
}

/**
 * A message as its model wrote it, in its order: Claude's signed thinking, Gemini's signatures, OpenAI's sealed reasoning. They
 * are good for the model that wrote them only.
 */
interface Replay {
  of: string;
  content: AssistantContent;
  /** What `Bridged.plan` found. */
  plan: string;
}

/** Only `readParts` writes it, so that its mark is proof enough. */
export const replayOf = (message: ModelMessage, of: string): Replay | undefined =>
  message.role === 'assistant' && isReplay(message.replay) && message.replay.of === of ? message.replay : undefined;
const isReplay = (data: unknown): data is Replay => isObject(data) && Array.isArray(data['content']);

/** `ModelConnection.stream` by way of a provider package. */
export function bridge({
  name,
  access,
  timeouts,
  model,
  adjust = (options) => options,
  rewrite,
  plan,
}: Bridged): ModelConnection['stream'] {
  return async function* (request, signal) {
    // However this ends, nothing stays open upstream.
    const leaving = new AbortController();
    const patience = createPatience(timeouts);
    try {
      checkKey(access);
      const of = `${name}/${request.model}`;
      const options = adjust(toOptions(request, of), request);
      const fetch = outboundFetch({
        access,
        timeouts,
        patience,
        rewrite: rewrite && ((body) => rewrite(body, request)),
      });
      const asked = await model(request.model, fetch);
      // Only calls need what came before them once more.
      const keeps = Boolean(request.tools?.length);
      const { stream } = await asked.doStream({
        ...options,
        includeRawChunks: keeps && plan !== undefined,
        abortSignal: AbortSignal.any([signal, leaving.signal]),
      });
      yield* readParts(stream, { access, patience, of, keeps, plan });
    } catch (error) {
      signal.throwIfAborted();
      throw toAppError(error, access);
    } finally {
      patience.thinks();
      leaving.abort();
    }
  };
}

/** True where a call of this turn was not made by this model through `bridge`, so that the thinking behind it cannot be sent along. */
export function lacksThoughts({ messages, model }: ModelRequest, name: string): boolean {
  const turn = messages.slice(messages.findLastIndex((message) => message.role === 'user') + 1);
  return turn.some(
    (message) =>
      message.role === 'assistant' &&
      message.calls?.length &&
      !replayOf(message, `${name}/${model}`)?.content.some(({ type }) => type === 'reasoning'),
  );
}

function toOptions(request: ModelRequest, of: string): Options {
  const {
    messages,
    maxTokens,
    thinkingTokens = 0,
    temperature,
    topP,
    stop,
    reasoning,
    tools,
    toolChoice,
    json,
    seed,
    presencePenalty,
    frequencyPenalty,
  } = request;
  return {
    prompt: toPrompt(messages, of),
    maxOutputTokens: maxTokens + thinkingTokens,
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { topP }),
    ...(stop?.length && { stopSequences: stop }),
    ...(seed !== undefined && { seed }),
    ...(presencePenalty !== undefined && { presencePenalty }),
    ...(frequencyPenalty !== undefined && { frequencyPenalty }),
    ...(reasoning && { reasoning }),
    ...(tools?.length && {
      tools: tools.map(({ name, description, parameters, strict }) => ({
        type: 'function',
        name,
        description,
        inputSchema: parameters,
        ...(strict && { strict }),
      })),
      ...(toolChoice && {
        toolChoice: typeof toolChoice === 'object' ? { type: 'tool', toolName: toolChoice.name } : { type: toolChoice },
      }),
    }),
    ...(json && { responseFormat: { type: 'json', ...(json !== true && { name: json.name, schema: json.schema }) } }),
  };
}

function toPrompt(messages: ModelMessage[], of: string): Options['prompt'] {
  // Vendors take rules at the head only, and want a person to speak first.
  const rules = messages.flatMap((message) => (message.role === 'system' ? [message.text] : []));
  const spoken = messages.filter((message) => message.role !== 'system');
  const prompt: Options['prompt'] = [];
  if (rules.length > 0) prompt.push({ role: 'system', content: rules.join('\n\n') });
  if (spoken[0]?.role === 'assistant') prompt.push({ role: 'user', content: [{ type: 'text', text: '…' }] });
  for (const message of spoken) {
    const last = prompt.at(-1);
    if (message.role === 'user')
      prompt.push({
        role: 'user',
        content: [
          ...(message.text ? [{ type: 'text' as const, text: message.text }] : []),
          ...(message.files ?? []).map(({ name, mime, bytes }) => ({
            type: 'file' as const,
            filename: name,
            mediaType: mime,
            data: { type: 'data' as const, data: bytes },
          })),
        ],
      });
    else if (message.role === 'assistant')
      prompt.push({
        role: 'assistant',
        content: replayed(message, of) ?? [
          ...(message.text ? [{ type: 'text' as const, text: message.text }] : []),
          ...(message.calls ?? []).map((call) => toCallPart(call)),
        ],
      });
    else {
      const result = {
        type: 'tool-result' as const,
        toolCallId: message.id,
        toolName: message.name,
        output: { type: 'text' as const, value: message.text },
      };
      // Results of parallel calls are one message.
      if (last?.role === 'tool') last.content.push(result);
      else prompt.push({ role: 'tool', content: [result] });
    }
  }
  return prompt;
}

/** As it was written, with the calls that were made, and with the words of the message where some were masked since. */
function replayed(message: Extract<ModelMessage, { role: 'assistant' }>, of: string): AssistantContent | undefined {
  const replay = replayOf(message, of);
  if (!replay) return undefined;
  const made = new Map(message.calls?.map((call) => [call.id, call]));
  const said = replay.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
  let words = said === message.text ? undefined : message.text;
  return replay.content.flatMap((part): AssistantContent => {
    if (part.type === 'tool-call') {
      const call = made.get(part.toolCallId);
      return call ? [toCallPart(call, part.providerOptions)] : [];
    }
    if (part.type !== 'text' || words === undefined) return [part];
    const text = words;
    words = '';
    return text === '' ? [] : [{ ...part, text }];
  });
}

function toCallPart({ id, name, input }: ToolCall, metadata?: Metadata) {
  const parsed = parseJson(input);
  return {
    type: 'tool-call' as const,
    toolCallId: id,
    toolName: name,
    input: typeof parsed === 'object' && parsed !== null ? parsed : {},
    ...(metadata && { providerOptions: metadata }),
  };
}

interface Reading {
  access: Access;
  patience: Patience;
  of: string;
  /** Whether what the model says may have to be sent back. */
  keeps: boolean;
  plan: Bridged['plan'];
}

async function* readParts(
  stream: ReadableStream<Part>,
  { access, patience, of, keeps, plan }: Reading,
): AsyncIterable<ModelEvent> {
  const replay: Replay = { of, content: [], plan: '' };
  const open = new Map<string, Said>();
  const keep = (type: Said['type'], id: string, text: string, metadata: Metadata | undefined) => {
    if (!keeps) return;
    let said = open.get(`${type} ${id}`);
    if (!said) {
      said = { type, text: '' };
      open.set(`${type} ${id}`, said);
      replay.content.push(said);
    }
    said.text += text;
    if (metadata) said.providerOptions = merge(said.providerOptions, metadata);
  };

  let isFinished = false;
  let hasSaid = false;
  for await (const parts of together(stream)) {
    const events: ModelEvent[] = [];
    const say = (type: 'text' | 'reasoning', text: string) => {
      const last = events.at(-1);
      if (last?.type === type) last.text += text;
      else if (text) events.push({ type, text });
    };
    let failure: AppError | undefined;
    for (const part of parts) {
      if (part.type === 'text-delta' && part.delta !== '') patience.speaks();
      else if (part.type === 'reasoning-start' || part.type === 'tool-input-start') patience.thinks();
      if (part.type === 'text-start' || part.type === 'text-end') keep('text', part.id, '', part.providerMetadata);
      else if (part.type === 'text-delta') {
        keep('text', part.id, part.delta, part.providerMetadata);
        say('text', part.delta);
      } else if (part.type === 'reasoning-start' || part.type === 'reasoning-end')
        keep('reasoning', part.id, '', part.providerMetadata);
      else if (part.type === 'reasoning-delta') {
        keep('reasoning', part.id, part.delta, part.providerMetadata);
        say('reasoning', part.delta);
      } else if (part.type === 'raw') {
        const planned = plan?.(part.rawValue) ?? '';
        replay.plan += planned;
        say('reasoning', planned);
      } else if (part.type === 'tool-call' && !part.providerExecuted) {
        const { toolCallId: id, toolName: name, input, providerMetadata: metadata } = part;
        const call = { id, name, input };
        replay.content.push(toCallPart(call, metadata));
        events.push({ type: 'call', call });
      } else if (part.type === 'error') {
        failure = toAppError(part.error, access);
        break;
      } else if (part.type === 'finish') {
        const reason = finishReason(part.finishReason, hasSaid || events.some(isAnswer));
        if (part.finishReason.raw !== undefined || !(reason instanceof AppError))
          events.push({ type: 'usage', ...toTokens(part.usage) });
        if (reason instanceof AppError) {
          failure = reason;
          break;
        }
        const isKept = keeps && replay.content.some(({ type }) => type === 'tool-call');
        if (isKept) events.push({ type: 'replay', replay: { ...replay, content: replay.content.filter(isSaid) } });
        events.push({ type: 'finish', reason });
        isFinished = true;
      }
    }
    hasSaid ||= events.some(isAnswer);
    yield* events;
    // What came before a failure stands.
    if (failure) throw failure;
  }
  if (!isFinished) throw endedEarly();
}

const isAnswer = ({ type }: ModelEvent) => type === 'text' || type === 'call';
/** Vendors refuse an empty text. */
const isSaid = (part: AssistantContent[number]) => part.type !== 'text' || part.text !== '';

/** The parts that are ready at the same time: all of one read of the network. */
async function* together(stream: ReadableStream<Part>): AsyncIterable<Part[]> {
  const reader = stream.getReader();
  let ready: Part[] = [];
  let wake = () => {};
  let ended = false;
  const pump = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      ready.push(value);
      wake();
    }
  })().finally(() => {
    ended = true;
    wake();
  });
  // Awaited below; until then a failure is nobody's.
  pump.catch(() => {});
  for (;;) {
    if (ready.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve));
    // Parts are made in promises; those of this read are there when the event loop comes round.
    if (!ended) await setImmediate();
    const parts = ready;
    ready = [];
    if (parts.length > 0) yield parts;
    else if (ended) return void (await pump);
  }
}

const merge = (one: Metadata | undefined, other: Metadata): Metadata =>
  Object.fromEntries(
    Object.entries({ ...one, ...other }).map(([vendor, data]) => [vendor, { ...one?.[vendor], ...data }]),
  );

function toTokens({ inputTokens, outputTokens, raw }: Extract<Part, { type: 'finish' }>['usage']): Tokens {
  // Cohere reads more than it asks money for, and its package leaves out what came from the cache.
  const billed = Billed.safeParse(raw).data;
  return {
    tokensIn: billed?.billed_units.input_tokens ?? inputTokens.total ?? 0,
    tokensOut: billed?.billed_units.output_tokens ?? outputTokens.total ?? 0,
    tokensCached: inputTokens.cacheRead ?? billed?.cached_tokens ?? 0,
    ...(inputTokens.cacheWrite && { tokensCacheWritten: inputTokens.cacheWrite }),
    ...(outputTokens.reasoning && { tokensThought: outputTokens.reasoning }),
  };
}

/** https://docs.cohere.com/reference/chat-stream, the usage of `message-end`. */
const Billed = z.object({
  billed_units: z.object({ input_tokens: z.number(), output_tokens: z.number() }),
  cached_tokens: z.number().nullish(),
});

/** Google's words for an answer that is none, or that breaks off: https://ai.google.dev/api/generate-content#FinishReason */
const failing = new Set([
  'OTHER',
  'LANGUAGE',
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
  'MISSING_THOUGHT_SIGNATURE',
]);

/** Why an answer ended, or why it is none. A word that nobody knows ends one that said something. */
function finishReason(
  { unified, raw }: Extract<Part, { type: 'finish' }>['finishReason'],
  hasSaid: boolean,
): 'stop' | 'length' | 'filter' | 'tools' | AppError {
  if (unified === 'stop' || unified === 'length') return unified;
  if (unified === 'tool-calls') return 'tools';
  if (unified === 'content-filter') return 'filter';
  if (raw === undefined) return endedEarly();
  // Cohere's.
  if (raw === 'TIMEOUT') return providerError('provider-timeout');
  if (raw === 'ERROR') return providerError('provider-failed', { reason: raw });
  return hasSaid && unified !== 'error' && !failing.has(raw)
    ? 'stop'
    : providerError('provider-refused', { reason: raw });
}

/**
 * The errors of the packages are told by their names, since each package may bring its own class. None is kept as a cause:
 * they hold the request, which is somebody's conversation, and what the vendor said, which may repeat the key.
 */
function toAppError(error: unknown, access: Access): AppError {
  for (let each = error; each instanceof Error; each = each.cause) if (each instanceof AppError) return each;
  if (!isObject(error)) return providerError('provider-answer-unreadable');
  const { name, message, statusCode, responseHeaders } = error;
  const text = typeof message === 'string' ? message : '';
  const isData =
    name === 'AI_JSONParseError' ||
    name === 'AI_TypeValidationError' ||
    name === 'AI_InvalidResponseDataError' ||
    name === 'AI_EmptyResponseBodyError';
  if (isData) return providerError('provider-answer-unreadable');
  if (name === 'AI_UnsupportedFunctionalityError')
    return providerError('provider-refused', { reason: sentence(text, access) });
  if (typeof statusCode === 'number')
    return refusalOf({ status: statusCode, headers: toHeaders(responseHeaders), text: bodyOf(error) || text, access });
  // An error event of a stream, which has a sentence and no status.
  if (!(error instanceof Error) && text)
    return providerError(/overloaded|rate_limit/.test(String(error['type'])) ? 'provider-busy' : 'provider-refused', {
      reason: sentence(text, access),
    });
  return providerError('provider-answer-unreadable');
}

const bodyOf = ({ responseBody }: Record<string, unknown>) =>
  typeof responseBody === 'string' && isObject(parseJson(responseBody)) ? responseBody : '';
const toHeaders = (headers: unknown): Record<string, string> =>
  isObject(headers)
    ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
    : {};

interface Fetching {
  access: Access;
  timeouts: Timeouts;
  patience: Patience;
  rewrite: ((body: Record<string, unknown>) => void) | undefined;
}

/** `fetch` for the packages: keep-alive, addresses checked, no redirects; its body fails with `AppError`. */
function outboundFetch({ access, timeouts, patience, rewrite }: Fetching): typeof globalThis.fetch {
  return async (input, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers));
    const response = await ask(access, {
      url: String(input),
      headers,
      body: typeof init?.body === 'string' ? rewritten(init.body, rewrite) : undefined,
      signal: init?.signal ?? undefined,
      idleMs: timeouts.startMs,
    });
    patience.watch(response.body);
    const { status, type } = response;
    if (status === 200 && !type.startsWith('text/event-stream')) {
      response.body.destroy();
      throw providerError('provider-answer-unreadable', { contentType: type.slice(0, 100) });
    }
    const given = Object.entries(response.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return new Response(status === 204 || status === 304 ? null : toWeb(response.body, patience), {
      status: status < 200 ? 502 : status,
      headers: given,
    });
  };
}

function rewritten(body: string, rewrite: Fetching['rewrite']): string {
  const parsed = rewrite && parseJson(body);
  if (!rewrite || !isObject(parsed)) return body;
  rewrite(parsed);
  return JSON.stringify(parsed);
}

function toWeb(body: Readable, patience: Patience): ReadableStream<Uint8Array> {
  const reads: AsyncIterator<Buffer> = body[Symbol.asyncIterator]();
  const lineEnds = createLineEnds();
  let size = 0;
  let line = 0;
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reads.next();
        if (done) return controller.close();
        patience.hear();
        size += value.length;
        // As bytes, whatever letters they are.
        const text = value.toString('latin1');
        const ended = lineEnds(text);
        const bytes = ended === text ? value : Buffer.from(ended, 'latin1');
        const at = bytes.lastIndexOf(10);
        line = at === -1 ? line + bytes.length : bytes.length - at - 1;
        if (size > maxAnswerLength || line > maxLineLength) throw providerError('provider-answer-unreadable');
        controller.enqueue(bytes);
      } catch (cause) {
        body.destroy();
        controller.error(brokenOff(cause));
      }
    },
    cancel: () => void body.destroy(),
  });
}
