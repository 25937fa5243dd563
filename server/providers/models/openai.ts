import { z } from 'zod';
import { bridge } from './bridge.ts';
import { describe } from './catalogue.ts';
import type { ModelEvent, ModelProvider } from './model.ts';
import { askJson, keySettings, type Patience } from './wire.ts';

const Models = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** The list tells nothing but names: what speaks, draws, listens, embeds, or answers on another API only, is known by its name. */
const chats = /^(gpt-|o\d|chatgpt-)/;
const chatsNot =
  /audio|realtime|image|transcribe|tts|search|instruct|moderation|embedding|whisper|live|translate|deep-research|gpt-oss/;

/** OpenAI by its Responses API: https://platform.openai.com/docs/api-reference/responses */
export const openAi = (patience: Patience): ModelProvider => ({
  name: 'openai',
  title: 'OpenAI',
  settings: keySettings,
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://api.openai.com/v1';
    const apiKey = access.apiKey ?? '';
    const stream = bridge({
      access,
      patience,
      async model(id, fetch) {
        const { createOpenAI } = await import('@ai-sdk/openai');
        return createOpenAI({ apiKey, baseURL: baseUrl, fetch }).responses(id);
      },
      adjust: ({ reasoning, ...options }, { model }) => ({
        ...options,
        ...(reasoning && { reasoning: reasoning === 'none' ? leastEffort(model) : reasoning }),
        // Nothing of a conversation is kept at OpenAI; schemas are JSON Schema, not the part of it that `strict` takes.
        providerOptions: {
          openai: {
            store: false,
            strictJsonSchema: false,
            ...(reasoning && reasoning !== 'none' && { reasoningSummary: 'auto' }),
          },
        },
        ...(options.tools && { tools: options.tools.map((tool) => ({ ...tool, strict: false })) }),
      }),
    });
    return {
      async listModels(signal) {
        const { data } = await askJson(
          access,
          { url: `${baseUrl}/models`, headers: { authorization: `Bearer ${apiKey}` }, signal, ...patience },
          Models,
        );
        return data
          .filter(({ id }) => chats.test(id) && !chatsNot.test(id))
          .map(({ id }) => describe('openai', { id, contextTokens: 128_000, capabilities: ['tools', 'json'] }));
      },
      stream: (request, signal) => endAt(request.stop?.filter(Boolean) ?? [], stream(request, signal)),
    };
  },
});

/** The Responses API has no stop sequences: the text ends before the first of them here, and the rest is read for what it cost. */
async function* endAt(stops: string[], events: AsyncIterable<ModelEvent>): AsyncIterable<ModelEvent> {
  if (stops.length === 0) return yield* events;
  // The end of what came may be the beginning of a stop.
  const most = Math.max(...stops.map((stop) => stop.length)) - 1;
  let held = '';
  let isCut = false;
  const letGo = function* (): Iterable<ModelEvent> {
    if (held) yield { type: 'text', text: held };
    held = '';
  };
  try {
    for await (const event of events) {
      if (event.type !== 'text') {
        yield* letGo();
        yield event.type === 'finish' && isCut ? { type: 'finish', reason: 'stop' } : event;
      } else if (!isCut) {
        held += event.text;
        const found = stops.map((stop) => held.indexOf(stop)).filter((at) => at !== -1);
        isCut = found.length > 0;
        const text = held.slice(0, isCut ? Math.min(...found) : Math.max(0, held.length - most));
        held = isCut ? '' : held.slice(text.length);
        if (text) yield { type: 'text', text };
      }
    }
  } catch (error) {
    yield* letGo();
    throw error;
  }
}

/** The least thinking that a model takes: https://developers.openai.com/api/docs/guides/reasoning */
function leastEffort(model: string): 'none' | 'minimal' | 'low' {
  if (/^gpt-5(-mini|-nano)?(-\d{4}|$)/.test(model)) return 'minimal';
  return /^gpt-(5\.[1-9]|6-(sol|luna)|6\.1-terra)/.test(model) && !/codex|-pro/.test(model) ? 'none' : 'low';
}
