import type { BotConfig } from './contracts/bots.ts';

/** `{{name}}` becomes the variable's value; what has no variable stays as it was written. */
export function fillVariables(text: string, variables: BotConfig['variables']): string {
  if (!text.includes('{{')) return text;
  const values = new Map(variables.map(({ name, value }) => [name, value]));
  return text.replace(/\{\{\s*([A-Za-z][A-Za-z0-9_-]*)\s*\}\}/g, (whole, name: string) => values.get(name) ?? whole);
}
