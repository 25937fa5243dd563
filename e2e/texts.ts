import { readFileSync } from 'node:fs';

/** What our pages say in a language, by `namespace:key`, with `{{names}}` filled in. */
export const textsOf =
  (locale: 'en' | 'ja') =>
  (id: string, values: Record<string, string> = {}): string => {
    const [namespace = '', key = ''] = id.split(':');
    let found: unknown = JSON.parse(
      readFileSync(new URL(`../shared/locales/${locale}/${namespace}.json`, import.meta.url), 'utf8'),
    );
    // A border: a file of texts holds texts and groups of them.
    for (const part of key.split('.')) found = (found as Record<string, unknown> | undefined)?.[part];
    if (typeof found !== 'string') throw new Error(`no text ${id}`);
    return found.replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '');
  };
