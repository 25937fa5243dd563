import { z } from 'zod';
import { bridge, replayOf } from './bridge.ts';
import { describe } from './catalogue.ts';
import { providerError, type CatalogueModel, type ModelInfo, type ModelProvider } from './model.ts';
import { askJson, isObject, keySettings, operatorKey, type Timeouts } from './wire.ts';

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
const PlanDelta = z.object({
  type: z.literal('tool-plan-delta'),
  delta: z.object({ message: z.object({ tool_plan: z.string() }) }),
});
const maxPages = 20;

const clamp = (least: number, value: number, most: number) => Math.min(Math.max(value, least), most);

/** Command by Cohere's chat API, version 2: https://docs.cohere.com/reference/chat-stream */
export const cohere = (timeouts: Timeouts): ModelProvider => ({
  name: 'cohere',
  title: 'Cohere',
  kind: 'vendor',
  picture:
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#8446c8"/><path d="M9 23a14 14 0 0 1 14-14M15.5 23a7.5 7.5 0 0 1 7.5-7.5" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/><circle cx="22" cy="22" r="2.2" fill="#e3c8ff"/></svg>',
  settings: keySettings,
  keyUrl: 'https://dashboard.cohere.com/api-keys',
  operator: operatorKey('COHERE_API_KEY', 'Cohere'),
  wishes: ['seed', 'presence_penalty', 'frequency_penalty'],
  catalogue,
  thinking: (model) => (thinks(model) ? { least: 'none', usual: 'medium' } : undefined),
  connect(access) {
    const baseUrl = access.baseUrl ?? 'https://api.cohere.com';
    const apiKey = access.apiKey ?? '';
    return {
      async listModels(signal) {
        const models: ModelInfo[] = [];
        let token = '';
        for (let page = 0; page < maxPages; page++) {
          const found = await askJson(
            access,
            {
              url: `${baseUrl}/v1/models?endpoint=chat&page_size=1000${token}`,
              headers: { authorization: `Bearer ${apiKey}` },
              signal,
              idleMs: timeouts.idleMs,
            },
            Models,
          );
          for (const { name, context_length, endpoints, features, supports_vision, is_deprecated } of found.models) {
            if (is_deprecated || (endpoints && !endpoints.includes('chat'))) continue;
            const has = (feature: string) => features?.includes(feature) === true;
            models.push(
              describe(catalogue, {
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
        name: 'cohere',
        access,
        timeouts,
        async model(id, fetch) {
          const { createCohere } = await import('@ai-sdk/cohere');
          return createCohere({ apiKey, baseURL: `${baseUrl}/v2`, fetch }).languageModel(id);
        },
        adjust({ reasoning, ...given }, { model, messages, thinkingTokens = 0 }) {
          // The package would send any other file as if its bytes were text.
          const unread = messages
            .flatMap((message) => (message.role === 'user' ? (message.files ?? []) : []))
            .find(({ mime }) => !/^(image|text)\//.test(mime));
          if (unread) throw providerError('provider-refused', { reason: `${unread.mime} is not read by this model` });
          // https://docs.cohere.com/reference/chat-stream#request.body.temperature, and `p`
          const options = {
            ...given,
            ...(given.temperature !== undefined && { temperature: clamp(0, given.temperature, 1) }),
            ...(given.topP !== undefined && { topP: clamp(0.01, given.topP, 0.99) }),
          };
          if (!thinks(model)) return options;
          // It thinks unless it is told not to, and without a budget until nothing is left for the answer.
          const thinking =
            reasoning === 'none'
              ? { type: 'disabled' }
              : { type: 'enabled', ...(thinkingTokens > 0 && { tokenBudget: thinkingTokens }) };
          return { ...options, providerOptions: { cohere: { thinking } } };
        },
        plan(event) {
          const { success, data } = PlanDelta.safeParse(event);
          return success ? data.delta.message.tool_plan : undefined;
        },
        // The package sends calls without what was said and planned before them.
        rewrite(body, { model, messages }) {
          const calling = messages.filter((message) => message.role === 'assistant' && message.calls?.length);
          const sent: unknown[] = Array.isArray(body['messages']) ? body['messages'] : [];
          for (const message of sent) {
            if (!isObject(message) || !message['tool_calls']) continue;
            const said = calling.shift();
            const plan = said && replayOf(said, `cohere/${model}`)?.plan;
            if (said?.text) message['content'] = said.text;
            if (plan) message['tool_plan'] = plan;
          }
        },
      }),
    };
  },
});

/** https://docs.cohere.com/docs/reasoning */
const thinks = (model: string) => /^command-a-(reasoning|plus)/.test(model);

const commandR = {
  group: 'model',
  contextTokens: 128_000,
  maxOutputTokens: 4_000,
  capabilities: ['tools', 'json'],
  thinking: null,
  imagePrice: null,
  source: 'https://cohere.com/pricing',
} satisfies Partial<CatalogueModel>;

const catalogue: CatalogueModel[] = [
  // Billed by the token, but no price of one is published: https://docs.cohere.com/v2/docs/how-does-cohere-pricing-work
  {
    id: 'command-a-plus-05-2026',
    name: 'Command A+',
    group: 'model',
    contextTokens: 128_000,
    maxOutputTokens: null,
    capabilities: ['vision', 'tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: null,
    imagePrice: null,
    source: 'https://docs.cohere.com/docs/command-a-plus',
    asOf: '2026-11-22',
  },
  // Cohere has no price for cached input: it costs what any other does.
  {
    id: 'command-a-03-2025',
    name: 'Command A',
    group: 'model',
    contextTokens: 256_000,
    maxOutputTokens: 8_000,
    capabilities: ['tools', 'json'],
    thinking: null,
    price: { in: 2.5, out: 10, cached: 2.5 },
    imagePrice: null,
    source: 'https://cohere.com/pricing',
    asOf: '2026-10-07',
  },
  // Nor is one for the next two; it is not said that they cost what Command A does.
  {
    id: 'command-a-reasoning-08-2025',
    name: 'Command A Reasoning',
    group: 'model',
    contextTokens: 256_000,
    maxOutputTokens: 32_000,
    capabilities: ['tools', 'json', 'reasoning'],
    thinking: { least: 'none', usual: 'medium' },
    price: null,
    imagePrice: null,
    source: 'https://docs.cohere.com/docs/command-a-reasoning',
    asOf: '2026-11-11',
  },
  {
    id: 'command-a-vision-07-2025',
    name: 'Command A Vision',
    group: 'model',
    contextTokens: 128_000,
    maxOutputTokens: 8_000,
    capabilities: ['vision', 'json'],
    thinking: null,
    price: null,
    imagePrice: null,
    source: 'https://docs.cohere.com/docs/command-a-vision',
    asOf: '2026-11-11',
  },
  {
    ...commandR,
    id: 'command-r-08-2024',
    name: 'Command R',
    price: { in: 0.15, out: 0.6, cached: 0.15 },
    asOf: '2026-11-11',
  },
  {
    ...commandR,
    id: 'command-r7b-12-2024',
    name: 'Command R7B',
    price: { in: 0.0375, out: 0.15, cached: 0.0375 },
    asOf: '2026-11-11',
  },
  {
    ...commandR,
    id: 'command-r-plus-08-2024',
    name: 'Command R+',
    price: { in: 2.5, out: 10, cached: 2.5 },
    asOf: '2026-10-07',
  },
];
