import { z } from 'zod';
import { bridge, lacksThoughts, type Prompt } from './bridge.ts';
import { describe } from './catalogue.ts';
import type { CatalogueModel, ModelInfo, ModelPrice, ModelProvider, ModelRequest } from './model.ts';
import { askJson, keySettings, operatorKey, type Timeouts } from './wire.ts';

const Supported = z.object({ supported: z.boolean() });
const Models = z.object({
  data: z.array(
    z.object({
      id: z.string().min(1),
      display_name: z.string().optional(),
      max_input_tokens: z.number().nullish(),
      capabilities: z.object({ image_input: Supported, thinking: Supported }).partial().nullish(),
    }),
  ),
  has_more: z.boolean().default(false),
  last_id: z.string().nullish(),
});
const maxPages = 20;

/** The least that Claude takes as a budget of thinking: https://platform.claude.com/docs/en/build-with-claude/extended-thinking */
const minBudget = 1024;

/** Claude by the Messages API: https://platform.claude.com/docs/en/api/messages */
export const anthropic = (timeouts: Timeouts): ModelProvider => ({
  name: 'anthropic',
  title: 'Anthropic',
  kind: 'vendor',
  picture:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#c05a34"/><path d="M9 22v-4M16 22v-8M23 22V10" stroke="#fff" stroke-width="3.4" stroke-linecap="round"/><circle cx="9" cy="11.5" r="2.2" fill="#ffd9c7"/></svg>',
  settings: keySettings,
  keyUrl: 'https://platform.claude.com/settings/keys',
  operator: operatorKey('ANTHROPIC_API_KEY', 'Anthropic'),
  wishes: ['parallel_tool_calls', 'strict'],
  catalogue,
  // Since 5 they think without being told to; which of them can be told not to is in the catalogue.
  thinking: (model) =>
    thinks(model) ? { least: 'none', usual: /claude-[a-z]+-[5-9]/.test(model) ? 'high' : 'none' } : undefined,
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://api.anthropic.com/v1';
    const apiKey = access.apiKey ?? '';
    return {
      async listModels(signal) {
        const models: ModelInfo[] = [];
        let after = '';
        for (let page = 0; page < maxPages; page++) {
          const { data, has_more, last_id } = await askJson(
            access,
            {
              url: `${baseUrl}/models?limit=1000${after}`,
              headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
              signal,
              idleMs: timeouts.idleMs,
            },
            Models,
          );
          models.push(
            ...data.map(({ id, display_name, max_input_tokens, capabilities: able }) =>
              describe(catalogue, {
                id,
                name: display_name,
                contextTokens: max_input_tokens || 200_000,
                capabilities: [
                  ...(able?.image_input?.supported === false ? [] : (['vision'] as const)),
                  'tools',
                  'json',
                  ...((able?.thinking?.supported ?? thinks(id)) ? (['reasoning'] as const) : []),
                ],
              }),
            ),
          );
          if (!has_more || !last_id) break;
          after = `&after_id=${encodeURIComponent(last_id)}`;
        }
        return models;
      },
      stream: bridge({
        name: 'anthropic',
        access,
        timeouts,
        async model(id, fetch) {
          const { createAnthropic } = await import('@ai-sdk/anthropic');
          return createAnthropic({ apiKey, baseURL: baseUrl, fetch }).languageModel(id);
        },
        adjust({ reasoning, ...options }, request) {
          const asked = {
            ...options,
            prompt: [...(request.json === true ? onlyJson : []), ...options.prompt.map(keepRules(request))],
            // It refuses those that are nothing but space.
            ...(options.stopSequences && { stopSequences: options.stopSequences.filter((stop) => stop.trim() !== '') }),
            ...(request.parallelCalls === false && {
              providerOptions: { anthropic: { disableParallelToolUse: true } },
            }),
          };
          // Claude refuses to go on thinking where the thoughts before its calls are missing.
          if (!reasoning || !thinks(request.model) || lacksThoughts(request, 'anthropic')) return asked;
          if (reasoning === 'none' || !countsThoughts(request.model)) return { ...asked, reasoning };
          const budgetTokens = request.thinkingTokens ?? 0;
          if (budgetTokens < minBudget) return asked;
          // The package adds the budget to the limit.
          return {
            ...asked,
            maxOutputTokens: request.maxTokens,
            providerOptions: {
              anthropic: { ...asked.providerOptions?.anthropic, thinking: { type: 'enabled', budgetTokens } },
            },
          };
        },
      }),
    };
  },
});

const thinks = (model: string) => !/claude-(3-|2|instant)/.test(model);

/** Before 4.6 thinking has a budget of tokens; since then only an effort. */
const countsThoughts = (model: string) => /claude-(opus|sonnet|haiku)-4-([015]|20)/.test(model);

/**
 * Rules are kept in the cache where they are sent again: by each round of calls, or, where no passages are among them, by the next
 * question. Those that are too short to be kept cost nothing more: https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
const keepRules =
  ({ tools, passages }: ModelRequest) =>
  (message: Prompt[number]): Prompt[number] =>
    message.role === 'system' && (tools?.length || passages.length === 0)
      ? { ...message, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
      : message;

/** Claude has no JSON mode without a schema. */
const onlyJson = [{ role: 'system' as const, content: 'Answer with one JSON object and nothing else.' }];

/** Writing into the cache, for five minutes, costs a quarter more than reading what is not in it. */
const priced = (input: number, out: number, cached: number): ModelPrice => ({
  in: input,
  out,
  cached,
  cacheWrite: input * 1.25,
});

const catalogue: CatalogueModel[] = [
  {
    id: 'claude-fable-5-2',
    name: 'Claude Fable 5.2',
    group: 'model',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'high' },
    price: priced(8, 40, 0.2),
    imagePrice: null,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-11-10',
  },
  {
    id: 'claude-opus-5-5',
    name: 'Claude Opus 5.5',
    group: 'model',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'medium' },
    price: priced(4, 20, 0.2),
    imagePrice: null,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10-24',
  },
  {
    id: 'claude-sonnet-5-5',
    name: 'Claude Sonnet 5.5',
    group: 'model',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'low', usual: 'high' },
    price: priced(2, 10, 0.1),
    imagePrice: null,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10-24',
  },
  {
    id: 'claude-haiku-5-5',
    name: 'Claude Haiku 5.5',
    group: 'model',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: { ...priced(0.1, 0.5, 0.01), long: { above: 100_000, ...priced(0.5, 2.5, 0.05) } },
    imagePrice: null,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10-24',
  },
  {
    id: 'claude-opus-5',
    name: 'Claude Opus 5',
    group: 'model',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'high' },
    price: priced(5, 25, 0.5),
    imagePrice: null,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10-24',
  },
  {
    id: 'claude-sonnet-5',
    name: 'Claude Sonnet 5',
    group: 'model',
    contextTokens: 1_000_000,
    maxOutputTokens: 128_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'high' },
    price: priced(2, 10, 0.2),
    imagePrice: null,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10-24',
  },
  {
    id: 'claude-haiku-4-5',
    name: 'Claude Haiku 4.5',
    group: 'model',
    contextTokens: 200_000,
    maxOutputTokens: 64_000,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'none' },
    price: priced(1, 5, 0.1),
    imagePrice: null,
    source: 'https://platform.claude.com/docs/en/about-claude/pricing',
    asOf: '2026-10-24',
  },
];
