import type { Capability, CatalogueModel, Level, ModelInfo, ModelPrice, ModelProvider, Thinking } from './model.ts';

interface Listed {
  id: string;
  name?: string | undefined;
  contextTokens: number;
  capabilities: Capability[];
}

/** A model as its vendor lists it, with what its catalogue knows better. */
export function describe(
  catalogue: CatalogueModel[],
  { id, name = id, contextTokens, capabilities }: Listed,
): ModelInfo {
  const known = find(catalogue, id);
  if (known) return { id, name: known.name, contextTokens: known.contextTokens, capabilities: known.capabilities };
  const [, model = '', year, month, day] = dated.exec(id) ?? [];
  const whole = find(catalogue, model);
  return whole
    ? {
        id,
        name: `${whole.name} (${year}-${month}-${day})`,
        contextTokens: whole.contextTokens,
        capabilities: whole.capabilities,
      }
    : { id, name, contextTokens, capabilities };
}

/** A dated name, such as `claude-haiku-4-5-20251001`, is one state of the model without the date. */
const dated = /^(.+)-(\d{4})-?(\d{2})-?(\d{2})$/;

/** How a model thinks; undefined for one that does not, as far as anybody knows. */
export function thinkingOf(
  { catalogue, thinking }: Pick<ModelProvider, 'catalogue' | 'thinking'>,
  model: string,
  capabilities: Capability[],
): Thinking | undefined {
  const known = find(catalogue, model) ?? find(catalogue, dated.exec(model)?.[1] ?? '');
  if (known) return known.thinking ?? undefined;
  return thinking(model) ?? (capabilities.includes('reasoning') ? { least: 'none', usual: 'medium' } : undefined);
}

/** Tokens of thoughts, by level. No vendor promises any; those with budgets take 1,024 to 24,576, and what is not needed is not paid. */
const rooms: Record<Level, number> = { none: 0, low: 4096, medium: 8192, high: 16_384 };

/** How much of a model's window its thoughts may take: it has to hold the question, too. */
export const thinkingShare = 1 / 4;

/** How many tokens a model needs for its thoughts, beside those of its answer. */
export function thinkingRoom(thinking: Thinking | undefined, asked: Level | undefined): number {
  return thinking ? Math.max(rooms[thinking.least], rooms[asked ?? thinking.usual]) : 0;
}

/** What a model costs on a day, and since when that is known. */
export function priceOn(
  { price, later = [], asOf }: Pick<CatalogueModel, 'price' | 'later' | 'asOf'>,
  day: string,
): { price: ModelPrice | null; pricedAt: string } {
  const begun = later.findLast(({ from }) => from <= day);
  return begun ? { price: begun.price, pricedAt: begun.from } : { price, pricedAt: asOf };
}

const find = (catalogue: CatalogueModel[], id: string) => catalogue.find((model) => model.id === id);
