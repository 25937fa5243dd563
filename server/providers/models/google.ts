import { z } from 'zod';
import { bridge } from './bridge.ts';
import { describe } from './catalogue.ts';
import type { ModelInfo, ModelProvider } from './model.ts';
import { askJson, keySettings, type Patience } from './wire.ts';

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
const mostPages = 20;
const chatsNot = /embedding|image|imagen|tts|audio|live|veo|aqa|learnlm|robotics|computer-use/;

/** Gemini by the Gemini API: https://ai.google.dev/api/generate-content */
export const google = (patience: Patience): ModelProvider => ({
  name: 'google',
  title: 'Google',
  settings: keySettings,
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta';
    const apiKey = access.apiKey ?? '';
    return {
      async listModels(signal) {
        const models: ModelInfo[] = [];
        let token = '';
        for (let page = 0; page < mostPages; page++) {
          const found = await askJson(
            access,
            {
              url: `${baseUrl}/models?pageSize=1000${token}`,
              headers: { 'x-goog-api-key': apiKey },
              signal,
              ...patience,
            },
            Models,
          );
          for (const { name, displayName, inputTokenLimit, supportedGenerationMethods, thinking } of found.models) {
            const id = name.replace(/^models\//, '');
            if (!supportedGenerationMethods.includes('generateContent') || chatsNot.test(id)) continue;
            const isGemini = id.startsWith('gemini-');
            models.push(
              describe('google', {
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
      stream: bridge({
        access,
        patience,
        async model(id, fetch) {
          const { createGoogle } = await import('@ai-sdk/google');
          return createGoogle({ apiKey, baseURL: baseUrl, fetch }).languageModel(id);
        },
        adjust({ reasoning, ...options }, { model }) {
          if (!reasoning || !thinks(model)) return options;
          return {
            ...options,
            reasoning,
            providerOptions: { google: { thinkingConfig: { includeThoughts: reasoning !== 'none' } } },
          };
        },
      }),
    };
  },
});

/** https://ai.google.dev/gemini-api/docs/thinking */
const thinks = (model: string) => model.startsWith('gemini-') && !/^gemini-(1|2\.0)/.test(model);
