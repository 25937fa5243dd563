import { z } from 'zod';
import { bridge } from './bridge.ts';
import { describe } from './catalogue.ts';
import { googleDrawing } from './google-drawing.ts';
import type { CatalogueModel, ModelInfo, ModelProvider, Thinking } from './model.ts';
import { askJson, keySettings, operatorKey, type Timeouts } from './wire.ts';

const Models = z.object({
  models: z
    .array(
      z.object({
        name: z.string().min(1),
        displayName: z.string().optional(),
        inputTokenLimit: z.number().optional(),
        supportedGenerationMethods: z.array(z.string()).default([]),
        thinking: z.boolean().optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
});
const maxPages = 20;
const chatsNot = /embedding|image|imagen|tts|audio|live|veo|aqa|learnlm|robotics|computer-use/;

/** Gemini by the Gemini API: https://ai.google.dev/api/generate-content */
export const google = (timeouts: Timeouts): ModelProvider => ({
  name: 'google',
  title: 'Google',
  kind: 'vendor',
  picture:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3366dd"/><path d="M6.5 19c3.2-6 6.3-6 9.5 0s6.3 6 9.5 0" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="22.5" cy="10.5" r="2.6" fill="#ffe08a"/></svg>',
  settings: keySettings,
  keyUrl: 'https://aistudio.google.com/api-keys',
  operator: operatorKey('GEMINI_API_KEY', 'Google'),
  wishes: ['seed', 'presence_penalty', 'frequency_penalty'],
  catalogue,
  thinking,
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta';
    const apiKey = access.apiKey ?? '';
    return {
      async listModels(signal) {
        const models: ModelInfo[] = [];
        let token = '';
        for (let page = 0; page < maxPages; page++) {
          const found = await askJson(
            access,
            {
              url: `${baseUrl}/models?pageSize=1000${token}`,
              headers: { 'x-goog-api-key': apiKey },
              signal,
              idleMs: timeouts.idleMs,
            },
            Models,
          );
          for (const { name, displayName, inputTokenLimit, supportedGenerationMethods, thinking } of found.models) {
            const id = name.replace(/^models\//, '');
            if (!supportedGenerationMethods.includes('generateContent') || chatsNot.test(id)) continue;
            const isGemini = id.startsWith('gemini-');
            models.push(
              describe(catalogue, {
                id,
                name: displayName,
                contextTokens: inputTokenLimit || 32_000,
                capabilities: [
                  ...(isGemini ? (['vision', 'tools', 'json'] as const) : []),
                  ...(thinking ? (['reasoning'] as const) : []),
                ],
              }),
            );
          }
          if (!found.nextPageToken) break;
          token = `&pageToken=${encodeURIComponent(found.nextPageToken)}`;
        }
        return models;
      },
      drawing: googleDrawing(access, { baseUrl, headers: { 'x-goog-api-key': apiKey }, timeouts }),
      stream: bridge({
        name: 'google',
        access,
        timeouts,
        async model(id, fetch) {
          const { createGoogle } = await import('@ai-sdk/google');
          return createGoogle({ apiKey, baseURL: baseUrl, fetch }).languageModel(id);
        },
        adjust({ reasoning: asked, ...options }, { model, thinkingTokens = 0 }) {
          if (!thinks(model)) return options;
          // Gemini 4 cannot be told less than a little.
          const reasoning = asked === 'none' && model.startsWith('gemini-4') ? 'low' : asked;
          const isCounted = countsThoughts(model) && reasoning !== 'none' && thinkingTokens > 0;
          if (!reasoning && !isCounted) return options;
          const thinkingConfig = {
            ...(reasoning && { includeThoughts: reasoning !== 'none' }),
            ...(isCounted && { thinkingBudget: thinkingTokens }),
          };
          return { ...options, ...(reasoning && { reasoning }), providerOptions: { google: { thinkingConfig } } };
        },
      }),
    };
  },
});

/** https://ai.google.dev/gemini-api/docs/thinking */
const thinks = (model: string) => model.startsWith('gemini-') && !/^gemini-(1|2\.0)/.test(model);

/** Before 3 thinking has a budget of tokens; since then only a level. */
const countsThoughts = (model: string) => model.startsWith('gemini-2.5');

function thinking(model: string): Thinking | undefined {
  if (!thinks(model)) return undefined;
  if (!countsThoughts(model)) return { least: 'low', usual: model.startsWith('gemini-3') ? 'high' : 'medium' };
  return { least: model.includes('-pro') ? 'low' : 'none', usual: model.includes('-lite') ? 'none' : 'medium' };
}

const catalogue: CatalogueModel[] = [
  {
    id: 'gemini-4-argon',
    name: 'Gemini 4 Argon',
    group: 'model',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: { in: 2, out: 10, cached: 0.1 },
    later: [{ from: '2026-12-01', price: { in: 4, out: 20, cached: 0.2 } }],
    imagePrice: null,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-10-20',
  },
  {
    id: 'gemini-4-carbon',
    name: 'Gemini 4 Carbon',
    group: 'model',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: { in: 2, out: 10, cached: 0.1 },
    later: [{ from: '2026-12-01', price: { in: 4, out: 20, cached: 0.2 } }],
    imagePrice: null,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-11-11',
  },
  {
    id: 'gemini-4-hydrogen',
    name: 'Gemini 4 Hydrogen',
    group: 'model',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: { in: 1.5, out: 7.5, cached: 0.075 },
    imagePrice: null,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-11-14',
  },
  {
    id: 'gemini-3.8-flash',
    name: 'Gemini 3.8 Flash',
    group: 'model',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: { in: 0.75, out: 3.75, cached: 0.075 },
    later: [{ from: '2027-01-01', price: { in: 1.5, out: 7.5, cached: 0.15 } }],
    imagePrice: null,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-10-07',
  },
  {
    id: 'gemini-3.5-flash',
    name: 'Gemini 3.5 Flash',
    group: 'model',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'high' },
    price: { in: 1.5, out: 9, cached: 0.15 },
    imagePrice: null,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-10-07',
  },
  {
    id: 'gemini-3.5-flash-lite',
    name: 'Gemini 3.5 Flash-Lite',
    group: 'model',
    contextTokens: 1_048_576,
    maxOutputTokens: 65_536,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'low' },
    price: { in: 0.3, out: 2.5, cached: 0.03 },
    imagePrice: null,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-10-07',
  },
  {
    id: 'gemini-nano-banana-2.1',
    name: 'Nano Banana 2.1',
    group: 'image-model',
    contextTokens: 0,
    maxOutputTokens: null,
    capabilities: ['vision'],
    thinking: null,
    price: null,
    imagePrice: 0.0336,
    source: 'https://ai.google.dev/gemini-api/docs/pricing',
    asOf: '2026-10-18',
  },
];
