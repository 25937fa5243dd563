import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { AppError } from '../../../shared/errors.ts';
import type { Outbound } from '../../infra/outbound.ts';
import { providerError, type ModelEvent, type ModelProvider, type ModelRequest } from './model.ts';

interface Settings {
  baseUrl: string;
  apiKey: string | undefined;
  /** Offered as they are; without any the server is asked. */
  models: string[];
  outbound: Outbound;
}

const Usage = z.object({ prompt_tokens: z.number().int().min(0), completion_tokens: z.number().int().min(0) });
const Chunk = z.object({
  choices: z.array(z.object({ delta: z.object({ content: z.string().nullish() }).optional(), finish_reason: z.string().nullish() })).default([]),
  usage: Usage.nullish(),
  error: z.object({ message: z.string() }).nullish(),
});
const Models = z.object({ data: z.array(z.object({ id: z.string() })) });

const firstByteMs = 30_000;
const stallMs = 30_000;
const longestLine = 1024 * 1024;

/**
 * Any server that speaks OpenAI's chat completions: Ollama, vLLM, LM Studio, OpenRouter.
 * Wire format: https://platform.openai.com/docs/api-reference/chat/streaming
 */
export function openAiCompatible({ baseUrl, apiKey, models, outbound }: Settings): ModelProvider {
  const headers = { accept: 'application/json', ...(apiKey && { authorization: `Bearer ${apiKey}` }) };

  const ask = async (path: string, options: { method?: 'POST'; body?: string; signal: AbortSignal }) => {
    const response = await outbound
      .request(`${baseUrl}${path}`, { ...options, headers: options.body === undefined ? headers : { ...headers, 'content-type': 'application/json' }, timeoutMs: firstByteMs })
      .catch((cause: unknown) => {
        options.signal.throwIfAborted();
        throw cause instanceof AppError ? cause : providerError('provider-unreachable', {}, cause);
      });
    if (response.statusCode !== 200) throw await refusal(response, apiKey);
    return response;
  };

  return {
    name: 'openai-compatible',
    async listModels(signal) {
      const ids = models.length > 0 ? models : await fetchModels(await ask('/models', { signal }));
      return ids.map((id) => ({ id, name: id, contextTokens: 8192, capabilities: [] }));
    },
    async *stream(request, signal) {
      const response = await ask('/chat/completions', { method: 'POST', body: JSON.stringify(toWire(request)), signal });
      const type = response.headers['content-type'] ?? '';
      if (!type.startsWith('text/event-stream')) {
        response.destroy();
        throw providerError('provider-answer-unreadable', { contentType: type.slice(0, 100) });
      }
      yield* readEvents(response, signal);
    },
  };
}

function toWire({ model, messages, maxTokens }: ModelRequest) {
  return { model, messages: messages.map(({ role, text }) => ({ role, content: text })), max_tokens: maxTokens, stream: true, stream_options: { include_usage: true } };
}

async function fetchModels(response: IncomingMessage): Promise<string[]> {
  const parsed = Models.safeParse(parse(await readText(response, longestLine)));
  if (!parsed.success) throw providerError('provider-answer-unreadable');
  return parsed.data.data.map((model) => model.id);
}

/** Events as they come; several tokens that arrive in one read leave as one. */
async function* readEvents(response: IncomingMessage, signal: AbortSignal): AsyncIterable<ModelEvent> {
  let finish: 'stop' | 'length' | 'filter' | undefined;
  const stall = setTimeout(() => response.destroy(new Error('stalled')), stallMs);
  try {
    for await (const lines of readLines(response, () => stall.refresh())) {
      let text = '';
      let failure: AppError | undefined;
      let isOver = false;
      for (const line of lines) {
        if (!line.startsWith('data:')) continue;
        const data = line.slice(5).trim();
        if (data === '[DONE]') {
          isOver = true;
          break;
        }
        const parsed = Chunk.safeParse(parse(data));
        if (!parsed.success) failure = providerError('provider-answer-unreadable');
        else if (parsed.data.error) failure = providerError('provider-refused', { reason: parsed.data.error.message.slice(0, 300) });
        if (!parsed.success || failure) break;
        const [choice] = parsed.data.choices;
        if (choice?.delta?.content) text += choice.delta.content;
        if (choice?.finish_reason) finish = finishReason(choice.finish_reason);
        const { usage } = parsed.data;
        if (usage) yield { type: 'usage', tokensIn: usage.prompt_tokens, tokensOut: usage.completion_tokens };
      }
      // What came before a failure stands.
      if (text) yield { type: 'text', text };
      if (failure) throw failure;
      if (isOver) {
        yield { type: 'finish', reason: finish ?? 'stop' };
        return;
      }
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof AppError ? error : providerError('provider-unreachable', {}, error);
  } finally {
    clearTimeout(stall);
    response.destroy();
  }
  // A stream that ends without [DONE] was whole if the model had said why it stopped.
  if (!finish) throw providerError('provider-unreachable', { reason: 'ended-early' });
  yield { type: 'finish', reason: finish };
}

async function* readLines(response: IncomingMessage, onRead: () => void): AsyncIterable<string[]> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response) {
    onRead();
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    if (rest.length > longestLine) throw providerError('provider-answer-unreadable');
    yield lines;
  }
  rest += decoder.decode();
  if (rest) yield rest.split(/\r\n|\n|\r/);
}

async function refusal(response: IncomingMessage, apiKey: string | undefined): Promise<AppError> {
  const status = response.statusCode ?? 0;
  const said = await readText(response, 4000).catch(() => '');
  const parsed = z.object({ error: z.object({ message: z.string() }) }).safeParse(parse(said));
  // A server may repeat the key that it was sent.
  const reason = (parsed.success ? parsed.data.error.message : `HTTP ${status}`).replaceAll(apiKey || '\0', '…').slice(0, 300);
  if (status === 401 || status === 403) return providerError('provider-key-rejected', { reason });
  if (status === 429 || status === 503) return providerError('provider-busy', { reason });
  if (status >= 500) return providerError('provider-unreachable', { reason });
  return providerError('provider-refused', { reason });
}

async function readText(response: IncomingMessage, most: number): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += part.length;
    if (size > most) break;
    parts.push(part);
  }
  response.destroy();
  return Buffer.concat(parts).toString('utf8');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function finishReason(reason: string): 'stop' | 'length' | 'filter' {
  if (reason === 'length') return 'length';
  return reason === 'content_filter' ? 'filter' : 'stop';
}
