import { z } from 'zod';
import { list, webUrl } from '../../infra/config.ts';
import type { Access, ModelConnection, ModelFile, ModelMessage, ModelProvider, ModelRequest } from './model.ts';
import { isReplay, readAnswer } from './openai-compatible.answer.ts';
import { askWindows, listModels } from './openai-compatible.lists.ts';
import { drawing } from './drawing.ts';
import { transcription } from './transcription.ts';
import { ask, checkKey, createPatience, operatorAccess, refusal, type Timeouts } from './wire.ts';
import { trimEnd } from '../../../shared/text.ts';

/** Where Ollama listens unless told otherwise. */
const ollama = 'http://127.0.0.1:11434/v1';

/**
 * Any server that speaks OpenAI's chat completions: Ollama, vLLM, LM Studio, OpenRouter, Azure.
 * Wire format: https://platform.openai.com/docs/api-reference/chat/streaming
 */
export const openAiCompatible = (timeouts: Timeouts): ModelProvider => ({
  name: 'openai-compatible',
  title: 'OpenAI-compatible',
  kind: 'server',
  picture:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#4c5f7a"/><path d="M9 11h14M9 16h14M9 21h9" stroke="#fff" stroke-width="2.4" stroke-linecap="round"/><circle cx="22.5" cy="21" r="2" fill="#8fe38f"/></svg>',
  settings: z.object({
    baseUrl: z
      .url({ protocol: /^https?$/ })
      .max(500)
      .meta({ title: 'Base URL' }),
    apiKey: z.string().trim().min(1).max(500).optional().meta({ title: 'API key', secret: true }),
    models: z.string().max(10_000).optional().meta({ title: 'Models' }),
  }),
  keyUrl: null,
  operator: operatorAccess(
    'OPENAI_COMPATIBLE_BASE_URL=http://192.168.1.20:8000/v1',
    {
      OPENAI_COMPATIBLE_BASE_URL: webUrl
        .optional()
        .meta({ description: 'An OpenAI-compatible server, for example http://127.0.0.1:11434/v1.' }),
      OPENAI_COMPATIBLE_API_KEY: z.string().optional().meta({ description: 'Its key, if it wants one.' }),
      OPENAI_COMPATIBLE_MODELS: list
        .default([])
        .meta({ description: 'Its models to offer, comma-separated; without it the server is asked.' }),
    },
    ({ OPENAI_COMPATIBLE_BASE_URL: baseUrl, OPENAI_COMPATIBLE_API_KEY: apiKey, OPENAI_COMPATIBLE_MODELS: models }) => ({
      apiKey,
      baseUrl: baseUrl ?? ollama,
      ...(models.length > 0 && { models }),
      ...(!baseUrl && { tag: 'Ollama', isGuess: true }),
    }),
  ),
  wishes: ['seed', 'presence_penalty', 'frequency_penalty', 'parallel_tool_calls', 'strict'],
  catalogue: [],
  thinking: (model) => (thinkers.test(model) ? { least: 'none', usual: 'medium' } : undefined),
  connect(access): ModelConnection {
    const { host, headers, urlOf } = reach(access);
    const closers = new Map<string, string | null>();
    const closerOf = ({ model, reasoning }: ModelRequest) => {
      const key = `${reasoning ?? ''} ${model}`;
      const learned = closers.get(key);
      return {
        isLearned: learned != null,
        known: learned ?? (closers.has(key) || !opensInPrompt.test(model) ? null : '</think>'),
        learn(closer: string | null) {
          if (closers.size >= maxModels) closers.clear();
          closers.set(key, closer);
        },
      };
    };
    let windows: { at: number; known: Promise<Map<string, number>> } | undefined;
    return {
      async window(model) {
        // Asked once for all who ask at the same time, whoever of them leaves.
        const signal = AbortSignal.timeout(windowMs);
        if (!windows || Date.now() - windows.at > windowMs)
          windows = {
            at: Date.now(),
            known: askWindows(access, { url: urlOf('/models'), headers, signal, idleMs: windowMs }).catch(() => {
              windows = undefined;
              return new Map<string, number>();
            }),
          };
        return (await windows.known).get(model);
      },
      listModels: (signal) => listModels(access, { url: urlOf('/models'), headers, signal, idleMs: timeouts.idleMs }),
      async *stream(request, signal) {
        checkKey(access);
        const body = JSON.stringify(toWire(request, host));
        const response = await ask(access, {
          url: urlOf('/chat/completions'),
          headers: { ...headers, 'content-type': 'application/json' },
          body,
          signal,
          idleMs: timeouts.startMs,
        });
        if (response.status !== 200) throw await refusal(response, access);
        yield* readAnswer(response, {
          access,
          signal,
          patience: createPatience(timeouts),
          request,
          closer: closerOf(request),
        });
      },
      transcription: transcription(access, { urlOf, headers, timeouts }),
      drawing: drawing(access, { urlOf, headers, timeouts, streams: false }),
    };
  },
});

/** Open models that think and are served under names like these; most lists tell nothing but the name. */
const thinkers =
  /deepseek-(r\d|reasoner|v[4-9])|gpt-oss|qwq|qwen3|magistral|glm-[4-9]|kimi-k2|minimax-m|-(reasoning|thinking)\b/i;

/** Those whose thoughts begin in the prompt, so that an answer only ends them: their chat templates on https://huggingface.co */
const opensInPrompt = /deepseek-r1|qwq|-thinking\b/i;
const maxModels = 1000;
/** How long an answer of a loaded model’s window counts, and how long it is waited for. */
const windowMs = 10_000;

function reach({ baseUrl = '', apiKey }: Access) {
  // Azure's api-version stands in the query: https://learn.microsoft.com/azure/ai-foundry/openai/reference
  const [base = '', query] = baseUrl.split('?');
  const host = URL.canParse(base) ? new URL(base).hostname : '';
  const key = isAzure(host) ? { 'api-key': apiKey ?? '' } : { authorization: `Bearer ${apiKey}` };
  return {
    host,
    headers: { accept: 'application/json, text/event-stream', ...(apiKey && key) },
    urlOf: (path: string) => `${trimEnd(base, '/')}${path}${query ? `?${query}` : ''}`,
  };
}

const isAzure = (host: string) => /\.(openai|services\.ai|cognitiveservices)\.azure\.com$/.test(host);

function toWire(
  {
    model,
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
    parallelCalls,
    refused = [],
  }: ModelRequest,
  host: string,
) {
  return {
    model,
    messages: messages.map((message) => toMessage(message, model)),
    // OpenAI's own models refuse the old name, most other servers do not know the new one.
    [refused.includes('maxTokens') === (isAzure(host) || host === 'api.openai.com')
      ? 'max_tokens'
      : 'max_completion_tokens']: maxTokens + thinkingTokens,
    temperature,
    top_p: topP,
    stop: stop?.length ? stop : undefined,
    reasoning_effort: reasoning,
    seed,
    presence_penalty: presencePenalty,
    frequency_penalty: frequencyPenalty,
    ...(tools?.length && {
      tools: tools.map((tool) => ({ type: 'function', function: tool })),
      parallel_tool_calls: parallelCalls,
      tool_choice: typeof toolChoice === 'object' ? { type: 'function', function: toolChoice } : toolChoice,
    }),
    response_format: json && (json === true ? { type: 'json_object' } : { type: 'json_schema', json_schema: json }),
    stream: true,
    ...(!refused.includes('streamOptions') && { stream_options: { include_usage: true } }),
  };
}

function toMessage(message: ModelMessage, model: string) {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.id, content: message.text };
  if (message.role === 'assistant' && message.calls?.length) {
    const replay = isReplay(message.replay) && message.replay.model === model ? message.replay : undefined;
    return {
      role: 'assistant',
      content: message.text || null,
      ...replay?.thoughts,
      tool_calls: message.calls.map(({ id, name, input }) => ({
        id,
        type: 'function',
        function: { name, arguments: input },
        ...(replay?.extras[id] !== undefined && { extra_content: replay.extras[id] }),
      })),
    };
  }
  if (message.role === 'user' && message.files?.length)
    return {
      role: 'user',
      content: [...(message.text ? [{ type: 'text', text: message.text }] : []), ...message.files.map(toPart)],
    };
  return { role: message.role, content: message.text };
}

function toPart({ name, mime, bytes }: ModelFile) {
  if (mime.startsWith('text/')) return { type: 'text', text: `${name}:\n${new TextDecoder().decode(bytes)}` };
  const url = `data:${mime};base64,${Buffer.from(bytes).toString('base64')}`;
  return mime.startsWith('image/')
    ? { type: 'image_url', image_url: { url } }
    : { type: 'file', file: { filename: name, file_data: url } };
}
