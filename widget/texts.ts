import type { EmbedSetting } from '../shared/contracts/visitors.ts';
import type { KeyIn } from '../shared/texts.ts';
import type { Language } from './language.ts';

type Key = KeyIn<'widget'>;
export type Say<K extends string = Key> = (key: K, values?: Record<string, string | number>) => string;

/** One file of texts for each language; only the visitor's comes. */
export const loadTexts = async (language: Language): Promise<Record<Key, string>> =>
  (await (language === 'ja' ? import('../shared/locales/ja/widget.json') : import('../shared/locales/en/widget.json')))
    .default;

/** The maker's words where there are any, ours otherwise. */
export const sayIn =
  <K extends string>(ours: Record<K, string>, theirs: EmbedSetting['texts']['en']): Say<K> =>
  (key, values = {}) =>
    (Reflect.get<object, string>(theirs, key) || theirs.others[key] || ours[key]).replace(
      /\{\{(\w+)\}\}/g,
      (_: string, name: string) => String(values[name] ?? ''),
    );
