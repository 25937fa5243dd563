import { translate } from './i18n.ts';

/** The model without a key has a name in each language; every other is called as its provider calls it. */
export const modelName = (name: string) => (name === 'Kotae (Built-in)' ? translate('common:builtIn') : name);
