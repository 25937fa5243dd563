import { createInstance, type BackendModule } from 'i18next';
import { useCallback } from 'react';
import { initReactI18next, useTranslation as useAnyTranslation } from 'react-i18next';
import { defaultVariables } from '../../shared/formats.ts';
import type { KeyIn, Texts } from '../../shared/texts.ts';

export type Locale = 'en' | 'ja';

const storageKey = 'user-locale';
const fallback = 'en-US';
const yearSeconds = 365 * 24 * 60 * 60;

/** All but those that only the server says: each name costs the first page a few bytes. */
const files = import.meta.glob<{ default: Record<string, unknown> }>([
  '../../shared/locales/*/*.json',
  '!../../shared/locales/*/*-server.json',
  '!../../shared/locales/*/mail.json',
]);

/** Texts come file by file, when a screen first needs them. */
const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (locale, namespace, done) => {
    files[`../../shared/locales/${toLocale(locale)}/${namespace}.json`]?.().then(
      (file) => done(null, file.default),
      (error) => done(String(error), null),
    );
  },
};

/** A file as it stands in a language, which may be another than that of the screen; nothing where there is no such file. */
export const textsOf = async (locale: Locale, file: string): Promise<Record<string, unknown> | undefined> =>
  (await files[`../../shared/locales/${locale}/${file}.json`]?.())?.default;

export const i18n = createInstance();

type Values = Record<string, unknown>;
type Named<N extends keyof Texts> = { [Each in N]: `${Each}:${KeyIn<Each>}` }[N];

/** Gives the text of a key in the first file, or of one in the others or in `common` behind the file's name. */
export type Translate<First extends keyof Texts, Other extends keyof Texts = never> = (
  key: KeyIn<First> | Named<First | Other | 'common'>,
  values?: Values,
) => string;

/** The library's, which takes any string; here a key that none of these files has does not compile. */
export function useTranslation<First extends keyof Texts, Other extends keyof Texts = never>(
  ...files: [First, ...Other[]]
) {
  const names: string[] = files;
  const { t } = useAnyTranslation(names);
  const translate: Translate<First, Other> = useCallback(
    (key: string, values?: Values) => (values ? t(key, values) : t(key)),
    [t],
  );
  /** Whether there is a text for a key that is made of what somebody else named. */
  const has = (key: string): key is KeyIn<First> => i18n.exists(key, { ns: files });
  return { t: translate, has };
}

/** Outside of what is drawn, where the file is known to be there. */
export const translate = (key: Named<'common'>, values: Record<string, string> = {}): string => i18n.t(key, values);

/** The keys below one of a file that is loaded, for lists that its texts make. */
export function keysBelow(file: keyof Texts, key: string): string[] {
  const keysIn = (texts: unknown): string[] =>
    Object.entries(Object(texts)).flatMap(([name, value]) =>
      typeof value === 'string' ? [name] : keysIn(value).map((inner) => `${name}.${inner}`),
    );
  return keysIn(i18n.getResource(currentLocale(), file, key));
}

/** `en-GB` is English, anything that is not Japanese, too. */
export function toLocale(tag: string | null | undefined): Locale {
  return tag?.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}

export function currentLocale(): Locale {
  return toLocale(i18n.resolvedLanguage ?? i18n.language);
}

/** How dates and numbers are written: as the browser's region does where it speaks this language. */
export const formatLocale = (): string =>
  toLocale(navigator.language) === currentLocale() && /^(?:en|ja)-/.test(navigator.language)
    ? navigator.language
    : currentLocale();

export async function startI18n(): Promise<void> {
  const chosen = localStorage.getItem(storageKey) ?? /(?:^|;\s*)user-locale=([^;]+)/.exec(document.cookie)?.[1];
  const locale = toLocale(chosen ?? navigator.language);
  i18n.on('languageChanged', (next) => (document.documentElement.lang = toLocale(next)));
  await i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: locale,
      fallbackLng: fallback,
      supportedLngs: ['en', 'ja', fallback],
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false, defaultVariables },
      react: { useSuspense: true },
    });
  // Japanese says “3分前に確認”, but “たった今確認” and “昨日確認”.
  i18n.services.formatter?.add('at', (ago) => `${ago}`.replace(/前$/, '前に'));
  if (chosen) keep(locale);
}

export async function changeLocale(locale: Locale): Promise<void> {
  keep(locale);
  await i18n.changeLanguage(locale);
}

/** The language of an account, on a device where nobody has chosen one. */
export async function adoptLocale(locale: Locale): Promise<void> {
  if (!localStorage.getItem(storageKey)) await changeLocale(locale);
}

function keep(locale: Locale): void {
  localStorage.setItem(storageKey, locale);
  document.cookie = `${storageKey}=${locale}; path=/; max-age=${yearSeconds}; samesite=lax`;
}
