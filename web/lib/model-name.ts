import { translate } from './i18n.ts';

/** The model without a key, which only quotes. */
export const isBuiltIn = (name: string) => name === 'Kotae (Built-in)';

/** The model without a key has a name in each language; every other is called as its provider calls it. */
export const modelName = (name: string) => (isBuiltIn(name) ? translate('common:builtIn') : name);
