import { z } from 'zod';
import { bridge } from './bridge.ts';
import { describe } from './catalogue.ts';
import type { Capability, CatalogueModel, ModelEvent, ModelPrice, ModelProvider, Thinking } from './model.ts';
import { drawing } from './drawing.ts';
import { asTranscriber, isTranscriber, transcription } from './transcription.ts';
import { askJson, keySettings, operatorKey, type Timeouts } from './wire.ts';

const Models = z.object({ data: z.array(z.object({ id: z.string().min(1) })) });

/** The list tells nothing but names: what speaks, draws, listens, embeds, or answers on another API only, is known by its name. */
const chats = /^(gpt-|o\d|chatgpt-)/;
const chatsNot =
  /audio|realtime|image|transcribe|tts|search|instruct|moderation|embedding|whisper|live|translate|deep-research|gpt-oss/;

/** OpenAI by its Responses API: https://platform.openai.com/docs/api-reference/responses */
export const openAi = (timeouts: Timeouts): ModelProvider => ({
  name: 'openai',
  title: 'OpenAI',
  kind: 'vendor',
  picture:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0c8a72"/><circle cx="12.6" cy="16" r="5.6" fill="none" stroke="#fff" stroke-width="2.6"/><circle cx="19.4" cy="16" r="5.6" fill="none" stroke="#c9f5ea" stroke-width="2.6"/></svg>',
  settings: keySettings,
  keyUrl: 'https://platform.openai.com/api-keys',
  operator: operatorKey('OPENAI_API_KEY', 'OpenAI'),
  wishes: ['parallel_tool_calls', 'strict'],
  catalogue,
  thinking,
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://api.openai.com/v1';
    const apiKey = access.apiKey ?? '';
    const headers = { authorization: `Bearer ${apiKey}` };
    const stream = bridge({
      name: 'openai',
      access,
      timeouts,
      async model(id, fetch) {
        const { createOpenAI } = await import('@ai-sdk/openai');
        return createOpenAI({ apiKey, baseURL: baseUrl, fetch }).responses(id);
      },
      adjust: ({ reasoning: _reasoning, ...options }, { model, reasoning: asked, json, parallelCalls }) => ({
        ...options,
        ...(asked && thinking(model) && { reasoning: effortOf(model, asked) }),
        // Nothing of a conversation is kept at OpenAI; schemas are JSON Schema, not the part of it that `strict` takes.
        providerOptions: {
          openai: {
            store: false,
            strictJsonSchema: typeof json === 'object' && json.strict === true,
            ...(parallelCalls !== undefined && { parallelToolCalls: parallelCalls }),
            ...(asked && asked !== 'none' && { reasoningSummary: 'auto' }),
          },
        },
        ...(options.tools && { tools: options.tools.map((tool) => ({ strict: false, ...tool })) }),
      }),
    });
    return {
      async listModels(signal) {
        const { data } = await askJson(
          access,
          { url: `${baseUrl}/models`, headers, signal, idleMs: timeouts.idleMs },
          Models,
        );
        return data.flatMap(({ id }) => {
          if (isTranscriber(id)) return [asTranscriber(id)];
          if (!chats.test(id) || chatsNot.test(id)) return [];
          return [describe(catalogue, { id, contextTokens: contextOf(id), capabilities: abilitiesOf(id) })];
        });
      },
      stream: (request, signal) => endAt(request.stop?.filter(Boolean) ?? [], stream(request, signal)),
      transcription: transcription(access, { urlOf: (path) => `${baseUrl}${path}`, headers, timeouts }),
      drawing: drawing(access, { urlOf: (path) => `${baseUrl}${path}`, headers, timeouts, streams: true }),
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

/** What a model can do, as its page says: https://developers.openai.com/api/docs/models. Whatever is newer than 5 sees and thinks. */
export const abilitiesOf = (model: string): Capability[] => [
  ...(/^(chatgpt-4o|gpt-4o|gpt-4\.|gpt-4-turbo|gpt-([5-9]|\d\d)|o[134](?!-mini|-preview)|o4)/.test(model)
    ? (['vision'] as const)
    : []),
  'tools',
  'json',
  ...(thinking(model) ? (['reasoning'] as const) : []),
];

function contextOf(model: string): number {
  if (model.startsWith('gpt-4.1')) return 1_047_576;
  if (/^gpt-([5-9]|\d\d)/.test(model)) return model.includes('-chat') ? 128_000 : 400_000;
  return /^o\d/.test(model) ? 200_000 : 128_000;
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high'] as const;
type Effort = (typeof efforts)[number];

/** The least thinking that a model takes: https://developers.openai.com/api/docs/guides/reasoning and the pages of the models. */
function minEffort(model: string): Effort {
  if (model.startsWith('gpt-5-pro')) return 'high';
  if (model.includes('-pro')) return 'medium';
  if (/^gpt-5(-mini|-nano)?(-\d{4}|$)/.test(model)) return 'minimal';
  return /^gpt-(5\.[1-9]|6-(sol|luna)|6\.1-terra)/.test(model) && !/codex/.test(model) ? 'none' : 'low';
}

const effortOf = (model: string, asked: Effort): Effort =>
  efforts[Math.max(efforts.indexOf(asked), efforts.indexOf(minEffort(model)))] ?? asked;

function thinking(model: string): Thinking | undefined {
  if (!/^(o\d|gpt-([5-9]|\d\d))/.test(model) || /-chat/.test(model)) return undefined;
  const least = minEffort(model);
  // From 5.1 to 5.4 they think only when they are told to.
  const isUnasked = least === 'none' && /^gpt-5\.[1-4]/.test(model);
  return {
    least: least === 'minimal' ? 'low' : least,
    usual: isUnasked ? 'none' : least === 'high' ? 'high' : 'medium',
  };
}

/**
 * What the pages of the models say of all of them: writing into the cache costs a quarter more, and with a prompt of more than
 * 272,000 tokens everything that comes in costs double and what comes out half as much again.
 */
function priced(input: number, out: number, cached: number): ModelPrice {
  const cacheWrite = input * 1.25;
  const long = { above: 272_000, in: input * 2, out: out * 1.5, cached: cached * 2, cacheWrite: cacheWrite * 2 };
  return { in: input, out, cached, cacheWrite, long };
}

const catalogue: CatalogueModel[] = [
  {
    id: 'gpt-6.2-astra',
    name: 'GPT-6.2 Astra',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: priced(8, 40, 0.4),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-11-18',
  },
  {
    id: 'gpt-6.2-sol',
    name: 'GPT-6.2 Sol',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: priced(2, 10, 0.1),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-11-22',
  },
  {
    id: 'gpt-6.1-sol',
    name: 'GPT-6.1 Sol',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: priced(2, 10, 0.1),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-10-01',
  },
  {
    id: 'gpt-6.1-terra',
    name: 'GPT-6.1 Terra',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: priced(1, 5, 0.05),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-10-26',
  },
  {
    id: 'gpt-6-luna',
    name: 'GPT-6 Luna',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: priced(0.1, 0.5, 0.01),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-09-22',
  },
  {
    id: 'gpt-5.6-sol',
    name: 'GPT-5.6 Sol',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: priced(4, 20, 0.4),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-09-04',
  },
  {
    id: 'gpt-5.6-terra',
    name: 'GPT-5.6 Terra',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: priced(2, 12, 0.2),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-09-04',
  },
  {
    id: 'gpt-5.6-luna',
    name: 'GPT-5.6 Luna',
    group: 'model',
    contextTokens: 1_050_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: priced(0.2, 1.2, 0.02),
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-09-04',
  },
  // Billed by tokens, so a picture has no one price.
  {
    id: 'gpt-image-2.6-flare',
    name: 'GPT Image 2.6 (Flare)',
    group: 'image-model',
    contextTokens: 0,
    maxOutputTokens: null,
    capabilities: ['vision', 'mask'],
    thinking: null,
    price: null,
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-11-05',
  },
  {
    id: 'gpt-image-2.6-sunburst',
    name: 'GPT Image 2.6 (Sunburst)',
    group: 'image-model',
    contextTokens: 0,
    maxOutputTokens: null,
    capabilities: ['vision', 'mask'],
    thinking: null,
    price: null,
    imagePrice: null,
    source: 'https://developers.openai.com/api/docs/pricing',
    asOf: '2026-11-05',
  },
];
