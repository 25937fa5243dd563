import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { AppError } from '../../../shared/errors.ts';
import type { OutboundAnswer } from '../../infra/outbound.ts';
import { createPace } from '../../infra/pace.ts';
import { providerError, type Access, type ModelEvent, type ModelRequest, type Tokens, type ToolCall } from './model.ts';
import { frameOf, readAlike, textIn, type Frame } from './openai-compatible.frames.ts';
import { createOpening, createUnopened } from './openai-compatible.opening.ts';
import {
  brokenOff,
  createLineEnds,
  endedEarly,
  isObject,
  maxAnswerLength,
  maxLineLength,
  parseJson,
  readBody,
  refusalOf,
  sentence,
  type Patience,
} from './wire.ts';

interface Reading {
  access: Access;
  signal: AbortSignal;
  patience: Patience;
  request: ModelRequest;
  /** What ends this model's thoughts, where they have no beginning; null where it does not think so. Called with what this answer shows. */
  closer: { known: string | null; isLearned: boolean; learn(closer: string | null): void };
}

/** Events as they come; all text of one read is one event. */
export async function* readAnswer(
  response: OutboundAnswer,
  { access, signal, patience, request, closer }: Reading,
): AsyncIterable<ModelEvent> {
  const answer = openAnswer(access, request, closer);
  const { type, body } = response;
  patience.watch(body);
  try {
    // Some servers give one whole answer though a stream was asked for, and some call a stream JSON.
    if (type.startsWith('application/json')) {
      const text = await readBody(response, maxAnswerLength);
      signal.throwIfAborted();
      if (/^\s*(?:data|event|id|retry)?:/.test(text.slice(0, 100))) answer.readWhole(text);
      else answer.read(text);
    } else {
      for await (const lines of readLines(body)) {
        patience.hear();
        answer.readWhole(lines);
        const events = answer.take();
        const last = events.at(-1)?.type;
        if (last === 'text') patience.speaks();
        else if (last === 'reasoning' || answer.isCalling()) patience.thinks();
        yield* events;
        answer.throwFailure();
        if (answer.isOver()) break;
      }
      // What says that it is something else is read all the same, as far as it is a stream.
      if (!type.startsWith('text/event-stream') && !answer.hasCome())
        throw providerError('provider-answer-unreadable', { contentType: type.slice(0, 100) });
    }
    yield* answer.take();
    answer.throwFailure();
    // A stream that ends without [DONE] was whole if the model had said why it stopped.
    yield* answer.end();
  } catch (error) {
    signal.throwIfAborted();
    throw brokenOff(error);
  } finally {
    patience.thinks();
    release(body, answer.isOver());
  }
}

/** After the last event only the end of the body is on its way: once it is read, the connection serves the next answer. */
function release(body: Readable, isOver: boolean): void {
  if (!isOver) return void body.destroy();
  if (body.closed) return;
  const late = setTimeout(() => body.destroy(), 1000).unref();
  body.once('close', () => clearTimeout(late)).resume();
}

/** Whole lines, all that came within a frame at once: a vendor's pieces are smaller than anybody sees. Fails when the answer breaks off or is too long. */
async function* readLines(body: Readable): AsyncIterable<string> {
  const decoder = new TextDecoder();
  const lineEnds = createLineEnds();
  let come = '';
  let size = 0;
  let isOver = false;
  let failure: unknown;
  let wake = () => {};
  const pace = createPace((text) => {
    come += text;
    wake();
  });
  const end = (problem?: unknown) => {
    isOver = true;
    failure ??= problem;
    pace.flush();
    wake();
  };
  body
    .on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (size > maxAnswerLength) end(providerError('provider-answer-unreadable'));
      else pace.push(lineEnds(decoder.decode(bytes, { stream: true })));
    })
    .once('end', () => {
      pace.push(decoder.decode());
      end();
    })
    .on('error', end)
    .once('close', () => end(body.readableEnded ? undefined : new Error('closed-early')));
  try {
    for (let rest = ''; ;) {
      if (come === '' && !isOver) await new Promise<void>((resolve) => (wake = resolve));
      const text = rest + come;
      const end = text.lastIndexOf('\n') + 1;
      come = '';
      rest = text.slice(end);
      if (rest.length > maxLineLength) throw providerError('provider-answer-unreadable');
      if (end > 0) yield text.slice(0, end);
      if (!isOver || come !== '') continue;
      if (failure !== undefined) throw failure;
      if (rest) yield rest;
      return;
    }
  } finally {
    body.removeAllListeners('data');
    pace.flush();
  }
}

/** Takes the chunks of one answer and gives its events. */
function openAnswer(access: Access, { model, tools }: ModelRequest, closer: Reading['closer']) {
  let events: ModelEvent[] = [];
  let failure: AppError | undefined;
  let finish: string | undefined;
  let isOver = false;
  const thoughts: Record<string, string> = {};
  const details: Record<string, unknown>[] = [];
  const extras: Record<string, unknown> = {};
  let hasSaid = false;
  let isRefused = false;
  let hasCome = false;
  /** Something came that is no chunk: a sign of life, or an event of a kind that is not known here. */
  let hasOther = false;
  const calls: ToolCall[] = [];
  const open = new Map<number, ToolCall>();
  let frame: Frame | undefined;
  /** Gone once the text itself has begun. */
  let opening: ReturnType<typeof createOpening> | undefined = createOpening({ assumed: closer.known ?? undefined });
  const unopened = createUnopened();

  const say = (type: 'text' | 'reasoning', text: unknown) => {
    if (typeof text !== 'string' || text === '') return;
    const last = events.at(-1);
    if (last?.type === type) last.text += text;
    else events.push({ type, text });
  };

  const sayText = (text: string): void => {
    const { reasoning, said } = opening?.push(text) ?? { said: text };
    say('reasoning', reasoning);
    if (said === undefined) return;
    opening = undefined;
    const found = unopened.push(said);
    say('text', found.said);
    if (found.closer === undefined) return;
    events.push({ type: 'retract' });
    closer.learn(found.closer);
    opening = createOpening({ isMarked: true });
    sayText(found.rest ?? '');
  };

  /** A text, or Mistral's parts: https://docs.mistral.ai/capabilities/reasoning */
  const sayContent = (content: unknown) => {
    if (typeof content === 'string') return sayText(content);
    if (!Array.isArray(content)) return;
    for (const part of content) {
      if (!isObject(part)) continue;
      if (typeof part['text'] === 'string') sayText(part['text']);
      if (Array.isArray(part['thinking']))
        for (const thought of part['thinking']) if (isObject(thought)) say('reasoning', thought['text']);
    }
  };

  const addCall = (piece: unknown, at: number) => {
    if (!isObject(piece)) return;
    const { id, index = at, function: called } = piece;
    const key = Number(index);
    let call = open.get(key);
    // Some servers give every call the same index, and whole; some give neither indexes nor ids.
    if (!call || (typeof id === 'string' && id !== '' ? id !== call.id : isNext(call, called))) {
      call = { id: typeof id === 'string' && id !== '' ? id : `call_${randomUUID()}`, name: '', input: '' };
      open.set(key, call);
      calls.push(call);
    }
    if (isObject(piece['extra_content'])) extras[call.id] = piece['extra_content'];
    if (!isObject(called)) return;
    if (typeof called['name'] === 'string' && call.name === '') call.name = called['name'];
    const input = called['arguments'];
    if (typeof input === 'string') call.input += input;
    // Ollama's own form, which servers in front of it hand on: https://github.com/ollama/ollama/blob/main/docs/api.md
    else if (isObject(input)) call.input = JSON.stringify(input);
  };

  /** OpenRouter's pieces of one thought have the same index: https://openrouter.ai/docs/use-cases/reasoning-tokens */
  const addDetail = (piece: unknown) => {
    if (!isObject(piece)) return;
    const last = details.at(-1);
    if (!last || last['type'] !== piece['type'] || last['index'] !== piece['index'])
      return void details.push({ ...piece });
    for (const [name, value] of Object.entries(piece)) {
      const before = last[name];
      const grows = growing.has(name) && typeof value === 'string' && typeof before === 'string';
      if (value !== null) last[name] = grows ? before + value : value;
    }
  };

  // Checked by hand: a schema costs several times as much per token.
  const readChunk = (data: string) => {
    const chunk = parseJson(data);
    if (!isObject(chunk)) {
      // Half a chunk is damage; anything else that is none is a sign of life.
      if (data.startsWith('{') || data.length > maxLineLength) failure = providerError('provider-answer-unreadable');
      hasOther = true;
      return;
    }
    const { error, choices, usage } = chunk;
    frame = undefined;
    if (error) return void (failure = streamFailure(error, access));
    if (Array.isArray(choices)) {
      const [choice] = choices;
      const delta = isObject(choice) ? (choice['delta'] ?? choice['message']) : undefined;
      if (isObject(delta)) {
        const thought = typeof delta['reasoning_content'] === 'string' ? 'reasoning_content' : 'reasoning';
        const reasoning = delta[thought];
        if (typeof reasoning === 'string' && reasoning !== '') opening?.trust();
        say('reasoning', reasoning);
        if (tools && typeof reasoning === 'string') thoughts[thought] = `${thoughts[thought] ?? ''}${reasoning}`;
        if (tools && Array.isArray(delta['reasoning_details'])) delta['reasoning_details'].forEach(addDetail);
        sayContent(delta['content']);
        if (typeof delta['refusal'] === 'string' && delta['refusal'] !== '') {
          sayText(delta['refusal']);
          isRefused = true;
        }
        if (Array.isArray(delta['tool_calls'])) delta['tool_calls'].forEach(addCall);
        else if (!reasoning && !usage && !choice['finish_reason']) frame = frameOf(data, delta['content']);
      }
      if (isObject(choice) && typeof choice['finish_reason'] === 'string') finish = choice['finish_reason'];
    }
    if (Array.isArray(choices) || isObject(usage)) hasCome = true;
    else hasOther = true;
    if (isObject(usage)) events.push({ type: 'usage', ...toTokens(usage) });
  };

  const read = (data: string) => {
    const trimmed = data.trim();
    if (trimmed === '') return;
    if (trimmed === '[DONE]') return void (isOver = true);
    const text = frame && textIn(frame, trimmed);
    if (text === undefined) readChunk(trimmed);
    else sayText(text);
  };

  const toReplay = (): Replay => ({
    model,
    thoughts: { ...thoughts, ...(details.length > 0 && { reasoning_details: details }) },
    extras,
  });

  return {
    /** One chunk, or a whole answer. */
    read,
    /** Whole lines of a stream. */
    readWhole(lines: string) {
      for (let at = 0; at < lines.length;) {
        if (isOver || failure) return;
        const alike = frame && readAlike(frame, lines, at);
        if (alike) {
          sayText(alike.text);
          at = alike.end;
        }
        const newline = lines.indexOf('\n', at);
        const end = newline < 0 ? lines.length : newline;
        if (lines.startsWith('data:', at)) read(lines.slice(at + 5, end));
        at = end + 1;
      }
    },
    isOver: () => isOver,
    hasCome: () => hasCome || isOver || failure !== undefined,
    isCalling: () => calls.length > 0,
    take() {
      const taken = events;
      hasSaid ||= taken.some(({ type }) => type === 'text');
      events = [];
      return taken;
    },
    throwFailure() {
      if (failure) throw failure;
    },
    end(): ModelEvent[] {
      const left = opening?.end();
      say('reasoning', left?.reasoning);
      // Thoughts that found no end before the limit are none the less thoughts.
      if (!left?.isPlain || finish !== 'length') say('text', left?.said);
      say('text', unopened.end());
      // What one answer has taught is doubted at once, since anybody can have a model say it.
      if (left?.isPlain && (finish !== 'length' || closer.isLearned)) closer.learn(null);
      hasSaid ||= events.length > 0;
      if (hasOther && !hasCome) throw providerError('provider-answer-unreadable');
      if (!finish && !isOver) throw endedEarly();
      // DeepSeek's, OpenRouter's, and words that nobody knows for an answer that is none.
      if (finish === 'insufficient_system_resource') throw providerError('provider-busy', { reason: finish });
      if (finish === 'error') throw providerError('provider-failed', { reason: finish });
      if (finish && !endings.has(finish) && !hasSaid && calls.length === 0)
        throw providerError('provider-refused', { reason: finish });
      if (calls.some((call) => call.name === '')) throw providerError('provider-answer-unreadable');
      return [
        ...events,
        ...calls.map((call): ModelEvent => ({ type: 'call', call: { ...call, input: call.input || '{}' } })),
        ...(calls.length > 0 && [thoughts, details, extras].some((kept) => Object.keys(kept).length > 0)
          ? [{ type: 'replay' as const, replay: toReplay() }]
          : []),
        { type: 'finish', reason: calls.length > 0 ? 'tools' : isRefused ? 'filter' : finishReason(finish) },
      ];
    },
  };
}

/** Fields of a thought that come in pieces. */
const growing = new Set(['text', 'summary', 'data']);

/**
 * What servers want back with calls: the thoughts before them, under the names that they gave them (DeepSeek and others:
 * https://api-docs.deepseek.com/guides/thinking_mode), and what stood beside a call, by its id (Gemini's signatures:
 * https://ai.google.dev/gemini-api/docs/thought-signatures).
 */
export interface Replay {
  model: string;
  thoughts: Record<string, unknown>;
  extras: Record<string, unknown>;
}
export const isReplay = (data: unknown): data is Replay =>
  isObject(data) && isObject(data['thoughts']) && isObject(data['extras']);

/** Whether a piece without an id begins a call of its own: it names a function, and the one before is whole. */
function isNext(before: ToolCall, called: unknown): boolean {
  const name = isObject(called) ? called['name'] : undefined;
  if (typeof name !== 'string' || name === '' || before.name === '') return false;
  return before.input === '' ? name !== before.name : parseJson(before.input) !== undefined;
}

/** An error inside of a stream that began well; OpenRouter gives the status as its code. */
function streamFailure(error: unknown, access: Access): AppError {
  const status = isObject(error) ? Number(error['code']) : 0;
  const said = typeof error === 'string' ? error : isObject(error) ? error['message'] : '';
  return status >= 400 && status < 600
    ? refusalOf({ status, headers: {}, text: JSON.stringify({ error }), access })
    : providerError('provider-refused', { reason: sentence(typeof said === 'string' ? said : '', access) });
}

function toTokens(usage: Record<string, unknown>): Tokens {
  const [read, wrote] = [usage['prompt_tokens_details'], usage['completion_tokens_details']].map((details) =>
    isObject(details) ? details : {},
  );
  const tokensIn = count(usage['prompt_tokens']);
  const completion = count(usage['completion_tokens']);
  const told = wrote?.['reasoning_tokens'];
  // xAI and Gemini count thoughts in the sum only: https://docs.x.ai/docs/key-information/consumption-and-rate-limits
  const apart = Math.max(0, count(usage['total_tokens']) - tokensIn - completion);
  const tokensOut = completion + (told === undefined ? apart : Math.min(apart, count(told)));
  const tokensThought = told === undefined ? apart : Math.min(tokensOut, count(told));
  // OpenRouter's: https://openrouter.ai/docs/use-cases/usage-accounting
  const tokensCacheWritten = count(read?.['cache_write_tokens']);
  return {
    tokensIn,
    tokensOut,
    tokensCached: count(read?.['cached_tokens']),
    ...(tokensCacheWritten > 0 && { tokensCacheWritten }),
    ...(tokensThought > 0 && { tokensThought }),
  };
}

const endings = new Set(['stop', 'length', 'tool_calls', 'function_call', 'content_filter']);

function finishReason(reason: string | undefined): 'stop' | 'length' | 'filter' | 'tools' {
  if (reason === 'length') return 'length';
  if (reason === 'tool_calls' || reason === 'function_call') return 'tools';
  return reason === 'content_filter' ? 'filter' : 'stop';
}

const count = (value: unknown) =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? Math.round(value) : 0;
