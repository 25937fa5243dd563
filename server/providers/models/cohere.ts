import { z } from 'zod';
import { bridge } from './bridge.ts';
import { describe } from './catalogue.ts';
import { providerError, type ModelInfo, type ModelProvider } from './model.ts';
import { askJson, keySettings, type Patience } from './wire.ts';

const Models = z.object({
  models: z.array(
    z.object({
      name: z.string().min(1),
      context_length: z.number().nullish(),
      endpoints: z.array(z.string()).nullish(),
      features: z.array(z.string()).nullish(),
      supports_vision: z.boolean().nullish(),
      is_deprecated: z.boolean().nullish(),
    }),
  ),
  next_page_token: z.string().nullish(),
});
const mostPages = 20;
const shares = { low: 0.25, medium: 0.5, high: 0.75 };

/** Command by Cohere's chat API, version 2: https://docs.cohere.com/reference/chat-stream */
export const cohere = (patience: Patience): ModelProvider => ({
  name: 'cohere',
  title: 'Cohere',
  settings: keySettings,
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://api.cohere.com';
    const apiKey = access.apiKey ?? '';
    return {
      async listModels(signal) {
        const models: ModelInfo[] = [];
        let token = '';
        for (let page = 0; page < mostPages; page++) {
          const found = await askJson(
            access,
            {
              url: `${baseUrl}/v1/models?endpoint=chat&page_size=1000${token}`,
              headers: { authorization: `Bearer ${apiKey}` },
              signal,
              ...patience,
            },
            Models,
          );
          for (const { name, context_length, endpoints, features, supports_vision, is_deprecated } of found.models) {
            if (is_deprecated || (endpoints && !endpoints.includes('chat'))) continue;
            const has = (feature: string) => features?.includes(feature) === true;
            models.push(
              describe('cohere', {
                id: name,
                contextTokens: context_length || 128_000,
                capabilities: [
                  ...(supports_vision || has('vision') ? (['vision'] as const) : []),
                  ...(has('tools') ? (['tools'] as const) : []),
                  ...(has('json_mode') ? (['json'] as const) : []),
                  ...(has('reasoning') ? (['reasoning'] as const) : []),
                ],
              }),
            );
          }
          if (!found.next_page_token) break;
          token = `&page_token=${encodeURIComponent(found.next_page_token)}`;
        }
        return models;
      },
      stream: bridge({
        access,
        patience,
        async model(id, fetch) {
          const { createCohere } = await import('@ai-sdk/cohere');
          return createCohere({ apiKey, baseURL: `${baseUrl}/v2`, fetch }).languageModel(id);
        },
        adjust({ reasoning, ...options }, { model, messages, maxTokens }) {
          // The package would send any other file as if its bytes were text.
          const unread = messages
            .flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []))
            .find(({ mime }) => !/^(image|text)\//.test(mime));
          if (unread) throw providerError('provider-refused', { reason: `${unread.mime} is not read by this model` });
          if (!reasoning || !model.includes('reasoning')) return options;
          // The budget is a part of the limit, not of the model's own.
          const thinking =
            reasoning === 'none'
              ? { type: 'disabled' }
              : {
                  type: 'enabled',
                  tokenBudget: Math.floor(
                    maxTokens * (reasoning in shares ? shares[reasoning as keyof typeof shares] : 0.5),
                  ),
                };
          return { ...options, providerOptions: { cohere: { thinking } } };
        },
      }),
    };
  },
});
