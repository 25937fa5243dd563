import { translate } from './i18n.ts';

/** The model without a key, which only quotes. */
export const isBuiltIn = (name: string) => name === 'Kotae (Built-in)';

/** The models without a key have names in each language; every other is called as its provider calls it. */
export function modelName(name: string): string {
  if (isBuiltIn(name)) return translate('common:builtIn');
  return name === 'Kotae (Sample)' ? translate('common:sample') : name;
}
