import { createInstance, type BackendModule } from 'i18next';
import { initReactI18next } from 'react-i18next';

export type Locale = 'en' | 'ja';

const storageKey = 'user-locale';
const yearSeconds = 365 * 24 * 60 * 60;

const files = import.meta.glob<{ default: Record<string, unknown> }>('../../shared/locales/*/*.json');

/** Texts come file by file, when a screen first needs them. */
const backend: BackendModule = {
  type: 'backend',
  init: () => {},
  read: (locale, namespace, done) => {
    files[`../../shared/locales/${locale}/${namespace}.json`]?.().then(
      (file) => done(null, file.default),
      (error: Error) => done(error, null),
    );
  },
};

export const i18n = createInstance();

/** `en-GB` is English, anything that is not Japanese, too. */
export function toLocale(tag: string | null | undefined): Locale {
  return tag?.toLowerCase().startsWith('ja') ? 'ja' : 'en';
}

export function currentLocale(): Locale {
  return toLocale(i18n.resolvedLanguage ?? i18n.language);
}

export async function startI18n(): Promise<void> {
  const chosen = localStorage.getItem(storageKey) ?? /(?:^|;\s*)user-locale=([^;]+)/.exec(document.cookie)?.[1];
  const locale = toLocale(chosen ?? navigator.language);
  i18n.on('languageChanged', (next) => (document.documentElement.lang = toLocale(next)));
  await i18n
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: locale,
      fallbackLng: 'en',
      supportedLngs: ['en', 'ja'],
      ns: ['common'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      react: { useSuspense: true },
    });
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
