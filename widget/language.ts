export type Language = 'en' | 'ja';

/** The first of ours that is named: by the script, the page, then the visitor's browser. No region is called like one of them. */
export const chooseLanguage = (named: (string | null | undefined)[]): Language =>
  // A border: nothing else fits.
  (/\b(en|ja)\b/.exec(String([...named, ...navigator.languages]).toLowerCase())?.[0] ?? 'en') as Language;
