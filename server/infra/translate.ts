import { readFileSync, readdirSync } from 'node:fs';
import { createInstance, type Resource } from 'i18next';
import type { Locale } from '../../shared/contracts/accounts.ts';
import { defaultVariables } from '../../shared/formats.ts';
import type { TextKey } from '../../shared/texts.ts';

const folder = new URL('../../shared/locales/', import.meta.url);

function load(locale: Locale) {
  const files = readdirSync(new URL(`${locale}/`, folder)).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(
    files.map((name) => [
      name.replace('.json', ''),
      JSON.parse(readFileSync(new URL(`${locale}/${name}`, folder), 'utf8')),
    ]),
  );
}

const resources: Resource = { en: load('en'), ja: load('ja') };
const i18n = createInstance({
  resources,
  fallbackLng: 'en',
  interpolation: { escapeValue: false, defaultVariables },
  initAsync: false,
});
await i18n.init();

/** The text of a key such as `errors:bot-not-found`, without markup. */
export function translate(locale: Locale, key: TextKey, values?: Record<string, unknown>): string {
  return values ? i18n.t(key, { ...values, lng: locale }) : (unchanging[locale][key] ??= i18n.t(key, { lng: locale }));
}

/** Whether a key that was put together has a text. */
export const isTextKey = (key: string): key is TextKey => i18n.exists(key);

// Texts without values are kept, because a look-up takes 15 µs and comes with every answer; there are only as many as keys.
const unchanging: Record<Locale, Record<string, string>> = { en: {}, ja: {} };

/** The caller's language from `Accept-Language`: the first of ours that is named, English otherwise. */
export function localeOf(acceptLanguage: string | undefined): Locale {
  if (!acceptLanguage) return 'en';
  const named = acceptLanguage.split(',').map((part) => part.trim().slice(0, 2).toLowerCase());
  return named.find((part): part is Locale => part === 'en' || part === 'ja') ?? 'en';
}
