import { z } from 'zod';
import { providerError, untold, type Access, type ModelInfo, type ModelPrice } from './model.ts';
import { onlyDraws } from './drawing.ts';
import { onlyTranscribes } from './transcription.ts';
import { ask, askJson, checkKey, isObject, parseJson, readBody, refusal, type Ask } from './wire.ts';

/**
 * As OpenAI has it, with what OpenRouter (https://openrouter.ai/docs/models), vLLM and Groq add, Together’s `type`
 * (https://docs.together.ai/reference/models-1), Mistral’s capabilities (https://docs.mistral.ai/api) and GitHub’s `task`.
 */
const Listed = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  owned_by: z.string().nullish().catch(undefined),
  type: z.string().nullish().catch(undefined),
  task: z.string().nullish().catch(undefined),
  capabilities: z.looseObject({ completion_chat: z.boolean() }).nullish().catch(undefined),
  context_length: z.number().nullish(),
  context_window: z.number().nullish(),
  max_model_len: z.number().nullish(),
  architecture: z
    .object({ input_modalities: z.array(z.string()).nullish(), output_modalities: z.array(z.string()).nullish() })
    .nullish(),
  supported_parameters: z.array(z.string()).nullish(),
  top_provider: z.object({ max_completion_tokens: z.number().nullish() }).nullish(),
  pricing: z
    .object({
      prompt: z.coerce.number(),
      completion: z.coerce.number(),
      input_cache_read: z.coerce.number().nullish(),
      input_cache_write: z.coerce.number().nullish(),
    })
    .nullish()
    .catch(undefined),
});

/** Ollama's own list, whose older versions tell what a model can do only when asked for that one: https://docs.ollama.com/api */
const OllamaTags = z.object({
  models: z.array(z.object({ model: z.string(), capabilities: z.array(z.string()).nullish() })),
});
const OllamaLoaded = z.object({
  models: z.array(z.object({ model: z.string(), context_length: z.number().positive().nullish() })),
});
const OllamaModel = z.object({
  capabilities: z.array(z.string()).nullish(),
  parameters: z.string().nullish(),
});
const maxShown = 100;
/** Bytes; OpenRouter’s has two million. */
const maxList = 16 * 1024 * 1024;
const usualContext = 8192;
/** What Ollama gives a model that nobody has set anything for: https://docs.ollama.com/context-length */
const ollamaContext = 4096;

/** What a server has, in its own words where it has any; `list` asks for the list that all have. */
export async function listModels(access: Access, list: Ask): Promise<ModelInfo[]> {
  const data = await askList(access, list);
  const isOllama = data.length > 0 && data.every(({ owned_by }) => owned_by === 'library');
  const found = isOllama ? await askOllama(access, list).catch(() => undefined) : undefined;
  list.signal?.throwIfAborted();
  const hasPrices = data.some(({ pricing }) => pricing);
  return found ?? data.flatMap((model) => toInfo(model, hasPrices));
}

/** The entries that are models. Throws `provider-no-list` where a server has no list. */
async function askList(access: Access, list: Ask): Promise<z.output<typeof Listed>[]> {
  checkKey(access);
  const response = await ask(access, list);
  if (response.status === 404 || response.status === 405 || response.status === 501) {
    response.body.destroy();
    throw providerError('provider-no-list');
  }
  if (response.status !== 200) throw await refusal(response, access);
  const text = await readBody(response, maxList).catch((error: unknown) => {
    list.signal?.throwIfAborted();
    throw error;
  });
  const told = parseJson(text);
  const entries = Array.isArray(told)
    ? told
    : isObject(told)
      ? told['data'] === undefined
        ? told['models']
        : told['data']
      : undefined;
  if (entries !== null && !Array.isArray(entries)) throw providerError('provider-answer-unreadable');
  const models = (entries ?? []).flatMap((entry) => Listed.safeParse(entry).data ?? []);
  return [...new Map(models.map((model) => [model.id, model])).values()];
}

/** What answers nobody, by its name: what measures, sorts or judges texts, speaks, or makes films. */
const answersNot =
  /embed|voyage|\bclip\b|\bbge\b|\be5\b|\bgte\b|minilm|rerank|\btts\b|text-to-speech|orpheus|kokoro|moderation|guard(?:ian)?\b|\bsora\b|\bveo\b|\b[ti]2v\b|video(?!-?(?:llama|llava|chat))|hailuo|kling|seedance|music|lyria/i;

/** `group` of a model whose server tells what it is for, or whose name does; undefined for one that answers. */
function groupOf({ id, type, task, architecture, capabilities }: z.output<typeof Listed>): ModelInfo['group'] {
  const gives = architecture?.output_modalities;
  if (gives) return gives.includes('text') ? undefined : gives.includes('image') ? 'image-model' : 'other';
  const told = (type ?? task)?.toLowerCase();
  if (told?.includes('image') && !told.endsWith('text')) return 'image-model';
  if (told && /embed|rerank|moderation|audio|speech|transcri|video/.test(told)) return 'other';
  if (capabilities?.completion_chat === false) return onlyDraws.test(id) ? 'image-model' : 'other';
  if (told && /chat|language|text-generation|completion|^llm$|^vlm$/.test(told)) return undefined;
  if (onlyDraws.test(id)) return 'image-model';
  return answersNot.test(id) || onlyTranscribes.test(id) ? 'other' : undefined;
}

function toInfo(model: z.output<typeof Listed>, hasPrices: boolean): ModelInfo[] {
  const { id, name, architecture, supported_parameters: takes, top_provider, pricing } = model;
  const { input_modalities: sees } = architecture ?? {};
  const group = groupOf(model);
  if (group && group !== 'model')
    // Whoever knows better says so by hand.
    return [{ id, name: name || id, group, contextTokens: 0, capabilities: [], ...(hasPrices && { price: null }) }];
  const maxOutputTokens = top_provider?.max_completion_tokens;
  return [
    {
      id,
      name: name || id,
      contextTokens: model.context_length ?? model.context_window ?? model.max_model_len ?? usualContext,
      ...(maxOutputTokens && { maxOutputTokens }),
      capabilities:
        sees && takes
          ? [
              ...(sees.includes('image') ? (['vision'] as const) : []),
              ...(takes.includes('tools') ? (['tools'] as const) : []),
              ...(takes.includes('response_format') ? (['json'] as const) : []),
              ...(takes.includes('reasoning') ? (['reasoning'] as const) : []),
            ]
          : untold,
      ...(hasPrices && { price: toPrice(pricing) }),
    },
  ];
}

/** Null for one that is not told, or is below nothing: then it depends on where the question goes. */
function toPrice(pricing: z.output<typeof Listed>['pricing']): ModelPrice | null {
  if (!pricing || !(pricing.prompt >= 0 && pricing.completion >= 0)) return null;
  const perMillion = (price: number) => Number((price * 1_000_000).toPrecision(6));
  return {
    in: perMillion(pricing.prompt),
    out: perMillion(pricing.completion),
    cached: perMillion(pricing.input_cache_read ?? pricing.prompt),
    ...(pricing.input_cache_write && { cacheWrite: perMillion(pricing.input_cache_write) }),
  };
}

/** The windows of the models that Ollama has loaded, by their names: https://docs.ollama.com/api/ps */
export async function askWindows(access: Access, list: Ask): Promise<Map<string, number>> {
  const { origin } = new URL(list.url);
  const { models } = await askJson(access, { ...list, url: `${origin}/api/ps` }, OllamaLoaded);
  return new Map(models.flatMap(({ model, context_length }) => (context_length ? [[model, context_length]] : [])));
}

async function askOllama(access: Access, list: Ask): Promise<ModelInfo[]> {
  const { origin } = new URL(list.url);
  const { models } = await askJson(access, { ...list, url: `${origin}/api/tags` }, OllamaTags);
  const infos = await Promise.all(
    models.slice(0, maxShown).map(async ({ model, capabilities }): Promise<ModelInfo[]> => {
      const shown = await askJson(
        access,
        {
          ...list,
          url: `${origin}/api/show`,
          headers: { ...list.headers, 'content-type': 'application/json' },
          body: JSON.stringify({ model }),
        },
        OllamaModel,
      ).catch(() => undefined);
      const can = capabilities ?? shown?.capabilities;
      if (can && !can.includes('completion')) return [];
      const set = /^num_ctx\s+(\d+)/m.exec(shown?.parameters ?? '')?.[1];
      return [
        {
          id: model,
          name: model,
          contextTokens: Number(set) || ollamaContext,
          ...(!set && { asksWindow: true }),
          capabilities: can
            ? [
                ...(can.includes('vision') ? (['vision'] as const) : []),
                ...(can.includes('tools') ? (['tools'] as const) : []),
                'json',
                ...(can.includes('thinking') ? (['reasoning'] as const) : []),
              ]
            : untold,
        },
      ];
    }),
  );
  return infos.flat();
}
