import { z } from 'zod';
import { bridge, lacksThoughts } from './bridge.ts';
import { describe } from './catalogue.ts';
import type { ModelInfo, ModelProvider } from './model.ts';
import { askJson, keySettings, type Patience } from './wire.ts';

const Models = z.object({
  data: z.array(
    z.object({ id: z.string().min(1), display_name: z.string().optional(), max_input_tokens: z.number().nullish() }),
  ),
  has_more: z.boolean().default(false),
  last_id: z.string().nullish(),
});
const mostPages = 20;

/** The least that Claude takes as a budget of thinking: https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
const leastBudget = 1024;
const shares = { low: 0.25, medium: 0.5, high: 0.75 };

/** Claude by the Messages API: https://platform.claude.com/docs/en/api/messages */
export const anthropic = (patience: Patience): ModelProvider => ({
  name: 'anthropic',
  title: 'Anthropic',
  settings: keySettings,
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://api.anthropic.com/v1';
    const apiKey = access.apiKey ?? '';
    return {
      async listModels(signal) {
        const models: ModelInfo[] = [];
        let after = '';
        for (let page = 0; page < mostPages; page++) {
          const { data, has_more, last_id } = await askJson(
            access,
            {
              url: `${baseUrl}/models?limit=1000${after}`,
              headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
              signal,
              ...patience,
            },
            Models,
          );
          models.push(
            ...data.map(({ id, display_name, max_input_tokens }) =>
              describe('anthropic', {
                id,
                name: display_name,
                contextTokens: max_input_tokens || 200_000,
                capabilities: ['vision', 'tools', 'json'],
              }),
            ),
          );
          if (!has_more || !last_id) break;
          after = `&after_id=${encodeURIComponent(last_id)}`;
        }
        return models;
      },
      stream: bridge({
        access,
        patience,
        async model(id, fetch) {
          const { createAnthropic } = await import('@ai-sdk/anthropic');
          return createAnthropic({ apiKey, baseURL: baseUrl, fetch }).languageModel(id);
        },
        adjust({ reasoning, ...options }, request) {
          const asked = request.json === true ? { ...options, prompt: [...onlyJson, ...options.prompt] } : options;
          // Claude refuses to go on thinking where the thoughts before its calls are missing.
          if (!reasoning || !thinks(request.model) || lacksThoughts(request)) return asked;
          if (reasoning === 'none' || !countsThoughts(request.model)) return { ...asked, reasoning };
          const budgetTokens = Math.floor(
            request.maxTokens *
              shares[request.reasoning === 'low' || request.reasoning === 'medium' ? request.reasoning : 'high'],
          );
          if (budgetTokens < leastBudget) return asked;
          // The package adds the budget to the limit, which is of both together.
          return {
            ...asked,
            maxOutputTokens: request.maxTokens - budgetTokens,
            providerOptions: { anthropic: { thinking: { type: 'enabled', budgetTokens } } },
          };
        },
      }),
    };
  },
});

const thinks = (model: string) => !/claude-(3-|2|instant)/.test(model);

/** Before 4.6 thinking has a budget of tokens; since then only an effort. */
const countsThoughts = (model: string) => /claude-(opus|sonnet|haiku)-4-([015]|20)/.test(model);

/** Claude has no JSON mode without a schema. */
const onlyJson = [{ role: 'system' as const, content: 'Answer with one JSON object and nothing else.' }];
