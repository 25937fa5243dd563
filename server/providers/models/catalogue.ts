import type { Capability, ModelInfo } from './model.ts';

/** US dollars per million tokens. */
export interface ModelPrice {
  in: number;
  out: number;
  cached: number;
}

/** A model as its vendor's own pages have it on the day `asOf`. */
export interface CatalogueModel {
  provider: string;
  id: string;
  /** As the vendor writes it; may end in " (tag)". */
  name: string;
  group: 'model' | 'image-model';
  /** 0 for pictures. */
  contextTokens: number;
  maxOutputTokens: number | null;
  capabilities: Capability[];
  /** Null where no source tells it. */
  price: ModelPrice | null;
  /** US dollars for one picture of the usual size. */
  imagePrice: number | null;
  source: string;
  asOf: string;
}

/** Prices are of prompts below the length from which a vendor asks for more (200,000 tokens and up, where nothing else is said). */
export const catalogue: CatalogueModel[] = [
  { provider: 'openai', id: 'gpt-6.2-astra', name: 'GPT-6.2 Astra', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 8, out: 40, cached: 0.4 }, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-11-18' },
  { provider: 'openai', id: 'gpt-6.2-sol', name: 'GPT-6.2 Sol', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: null, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-11-18' },
  { provider: 'openai', id: 'gpt-6.1-sol', name: 'GPT-6.1 Sol', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 2, out: 10, cached: 0.1 }, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-10-01' },
  { provider: 'openai', id: 'gpt-6.1-terra', name: 'GPT-6.1 Terra', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 1, out: 5, cached: 0.05 }, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-10-26' },
  { provider: 'openai', id: 'gpt-6-luna', name: 'GPT-6 Luna', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 0.1, out: 0.5, cached: 0.01 }, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-09-22' },
  { provider: 'openai', id: 'gpt-5.6-sol', name: 'GPT-5.6 Sol', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 4, out: 20, cached: 0.4 }, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-09-04' },
  { provider: 'openai', id: 'gpt-5.6-terra', name: 'GPT-5.6 Terra', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 2, out: 12, cached: 0.2 }, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-09-04' },
  { provider: 'openai', id: 'gpt-5.6-luna', name: 'GPT-5.6 Luna', group: 'model', contextTokens: 1_050_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 0.2, out: 1.2, cached: 0.02 }, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-09-04' },
  { provider: 'anthropic', id: 'claude-fable-5-2', name: 'Claude Fable 5.2', group: 'model', contextTokens: 1_000_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 8, out: 40, cached: 0.2 }, imagePrice: null, source: 'https://platform.claude.com/docs/en/about-claude/pricing', asOf: '2026-11-10' },
  { provider: 'anthropic', id: 'claude-opus-5-5', name: 'Claude Opus 5.5', group: 'model', contextTokens: 1_000_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 4, out: 20, cached: 0.2 }, imagePrice: null, source: 'https://platform.claude.com/docs/en/about-claude/pricing', asOf: '2026-10-24' },
  { provider: 'anthropic', id: 'claude-sonnet-5-5', name: 'Claude Sonnet 5.5', group: 'model', contextTokens: 1_000_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 2, out: 10, cached: 0.1 }, imagePrice: null, source: 'https://platform.claude.com/docs/en/about-claude/pricing', asOf: '2026-10-24' },
  // Of prompts up to 100,000 tokens.
  { provider: 'anthropic', id: 'claude-haiku-5-5', name: 'Claude Haiku 5.5', group: 'model', contextTokens: 1_000_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 0.1, out: 0.5, cached: 0.01 }, imagePrice: null, source: 'https://platform.claude.com/docs/en/about-claude/pricing', asOf: '2026-10-24' },
  { provider: 'anthropic', id: 'claude-opus-5', name: 'Claude Opus 5', group: 'model', contextTokens: 1_000_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 5, out: 25, cached: 0.5 }, imagePrice: null, source: 'https://platform.claude.com/docs/en/about-claude/pricing', asOf: '2026-10-24' },
  { provider: 'anthropic', id: 'claude-sonnet-5', name: 'Claude Sonnet 5', group: 'model', contextTokens: 1_000_000, maxOutputTokens: 128_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 2, out: 10, cached: 0.2 }, imagePrice: null, source: 'https://platform.claude.com/docs/en/about-claude/pricing', asOf: '2026-10-24' },
  { provider: 'anthropic', id: 'claude-haiku-4-5', name: 'Claude Haiku 4.5', group: 'model', contextTokens: 200_000, maxOutputTokens: 64_000, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 1, out: 5, cached: 0.1 }, imagePrice: null, source: 'https://platform.claude.com/docs/en/about-claude/pricing', asOf: '2026-10-24' },
  // Without the introductory halves of Argon and Carbon (until 2026-11-30) and 3.8 Flash (until 2026-12-31): on the day they end nothing must be sold below cost.
  { provider: 'google', id: 'gemini-4-argon', name: 'Gemini 4 Argon', group: 'model', contextTokens: 1_048_576, maxOutputTokens: 65_536, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 4, out: 20, cached: 0.2 }, imagePrice: null, source: 'https://ai.google.dev/gemini-api/docs/pricing', asOf: '2026-10-20' },
  { provider: 'google', id: 'gemini-4-carbon', name: 'Gemini 4 Carbon', group: 'model', contextTokens: 1_048_576, maxOutputTokens: 65_536, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 4, out: 20, cached: 0.2 }, imagePrice: null, source: 'https://ai.google.dev/gemini-api/docs/pricing', asOf: '2026-11-11' },
  { provider: 'google', id: 'gemini-4-hydrogen', name: 'Gemini 4 Hydrogen', group: 'model', contextTokens: 1_048_576, maxOutputTokens: 65_536, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 1.5, out: 7.5, cached: 0.075 }, imagePrice: null, source: 'https://ai.google.dev/gemini-api/docs/pricing', asOf: '2026-11-14' },
  { provider: 'google', id: 'gemini-3.8-flash', name: 'Gemini 3.8 Flash', group: 'model', contextTokens: 1_048_576, maxOutputTokens: 65_536, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 1.5, out: 7.5, cached: 0.15 }, imagePrice: null, source: 'https://ai.google.dev/gemini-api/docs/pricing', asOf: '2026-10-07' },
  { provider: 'google', id: 'gemini-3.5-flash', name: 'Gemini 3.5 Flash', group: 'model', contextTokens: 1_048_576, maxOutputTokens: 65_536, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 1.5, out: 9, cached: 0.15 }, imagePrice: null, source: 'https://ai.google.dev/gemini-api/docs/pricing', asOf: '2026-10-07' },
  { provider: 'google', id: 'gemini-3.5-flash-lite', name: 'Gemini 3.5 Flash-Lite', group: 'model', contextTokens: 1_048_576, maxOutputTokens: 65_536, capabilities: ['vision', 'tools', 'json', 'reasoning'], price: { in: 0.3, out: 2.5, cached: 0.03 }, imagePrice: null, source: 'https://ai.google.dev/gemini-api/docs/pricing', asOf: '2026-10-07' },
  // Cohere has no price for cached input: it costs what any other does.
  { provider: 'cohere', id: 'command-a-03-2025', name: 'Command A', group: 'model', contextTokens: 256_000, maxOutputTokens: 8_000, capabilities: ['tools', 'json'], price: { in: 2.5, out: 10, cached: 2.5 }, imagePrice: null, source: 'https://cohere.com/pricing', asOf: '2026-10-07' },
  { provider: 'cohere', id: 'command-a-reasoning-08-2025', name: 'Command A Reasoning', group: 'model', contextTokens: 256_000, maxOutputTokens: 32_000, capabilities: ['tools', 'json', 'reasoning'], price: null, imagePrice: null, source: 'https://docs.cohere.com/docs/command-a-reasoning', asOf: '2026-11-11' },
  { provider: 'cohere', id: 'command-a-vision-07-2025', name: 'Command A Vision', group: 'model', contextTokens: 128_000, maxOutputTokens: 8_000, capabilities: ['vision', 'json'], price: null, imagePrice: null, source: 'https://docs.cohere.com/docs/command-a-vision', asOf: '2026-11-11' },
  { provider: 'cohere', id: 'command-r-08-2024', name: 'Command R', group: 'model', contextTokens: 128_000, maxOutputTokens: 4_000, capabilities: ['tools', 'json'], price: { in: 0.15, out: 0.6, cached: 0.15 }, imagePrice: null, source: 'https://cohere.com/pricing', asOf: '2026-11-11' },
  { provider: 'cohere', id: 'command-r7b-12-2024', name: 'Command R7B', group: 'model', contextTokens: 128_000, maxOutputTokens: 4_000, capabilities: ['tools', 'json'], price: { in: 0.0375, out: 0.15, cached: 0.0375 }, imagePrice: null, source: 'https://cohere.com/pricing', asOf: '2026-11-11' },
  { provider: 'cohere', id: 'command-r-plus-08-2024', name: 'Command R+', group: 'model', contextTokens: 128_000, maxOutputTokens: 4_000, capabilities: ['tools', 'json'], price: { in: 2.5, out: 10, cached: 2.5 }, imagePrice: null, source: 'https://cohere.com/pricing', asOf: '2026-10-07' },
  // Billed by tokens, so a picture has no one price.
  { provider: 'openai', id: 'gpt-image-2.6-flare', name: 'GPT Image 2.6 (Flare)', group: 'image-model', contextTokens: 0, maxOutputTokens: null, capabilities: ['vision'], price: null, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-11-05' },
  { provider: 'openai', id: 'gpt-image-2.6-sunburst', name: 'GPT Image 2.6 (Sunburst)', group: 'image-model', contextTokens: 0, maxOutputTokens: null, capabilities: ['vision'], price: null, imagePrice: null, source: 'https://developers.openai.com/api/docs/pricing', asOf: '2026-11-05' },
  { provider: 'google', id: 'gemini-nano-banana-2.1', name: 'Nano Banana 2.1', group: 'image-model', contextTokens: 0, maxOutputTokens: null, capabilities: ['vision'], price: null, imagePrice: 0.0336, source: 'https://ai.google.dev/gemini-api/docs/pricing', asOf: '2026-10-18' },
];

interface Listed {
  id: string;
  name?: string | undefined;
  contextTokens: number;
  capabilities: Capability[];
}

/** A model as its vendor lists it, with what the catalogue knows better. */
export function describe(provider: string, { id, name = id, contextTokens, capabilities }: Listed): ModelInfo {
  const known = find(provider, id);
  if (known) return { id, name: known.name, contextTokens: known.contextTokens, capabilities: known.capabilities };
  // A dated name, such as `claude-haiku-4-5-20251001`, is one state of the model without the date.
  const [, model = '', year, month, day] = /^(.+)-(\d{4})-?(\d{2})-?(\d{2})$/.exec(id) ?? [];
  const whole = find(provider, model);
  return whole ? { id, name: `${whole.name} (${year}-${month}-${day})`, contextTokens: whole.contextTokens, capabilities: whole.capabilities } : { id, name, contextTokens, capabilities };
}

const find = (provider: string, id: string) => catalogue.find((model) => model.provider === provider && model.id === id);
