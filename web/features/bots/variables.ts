import type { BotConfig } from '../../../shared/contracts/bots.ts';

const mark = /\{\{\s*([A-Za-z][A-Za-z0-9_-]*)\s*\}\}/g;

/** As the server does before a text is used: what has no variable stays as it was written. */
export function fillVariables(text: string, variables: BotConfig['variables']): string {
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  return text.replace(mark, (whole, name: string) => values.get(name) ?? whole);
}

/** Names that the texts use and nobody has given a value. */
export function unknownVariables(texts: string[], variables: BotConfig['variables']): string[] {
  const known = new Set(variables.map(({ name }) => name));
  return [...new Set(texts.flatMap((text) => [...text.matchAll(mark)].flatMap(([, name]) => name ?? [])))].filter(
    (name) => !known.has(name),
  );
}
