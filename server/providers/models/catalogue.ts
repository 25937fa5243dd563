import type { Capability, CatalogueModel, ModelInfo } from './model.ts';

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
  // A dated name, such as `claude-haiku-4-5-20251001`, is one state of the model without the date.
  const [, model = '', year, month, day] = /^(.+)-(\d{4})-?(\d{2})-?(\d{2})$/.exec(id) ?? [];
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

const find = (catalogue: CatalogueModel[], id: string) => catalogue.find((model) => model.id === id);
