export type Language = 'en' | 'ja';

/** The first of ours that is named: by the script, the page, then the visitor's browser. No region is called like one of them. */
export const chooseLanguage = (named: (string | null | undefined)[]): Language =>
  /\b(en|ja)\b/i.exec(String([...named, ...navigator.languages]))?.[0].toLowerCase() === 'ja' ? 'ja' : 'en';
