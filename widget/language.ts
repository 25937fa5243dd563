export type Language = 'en' | 'ja';

/** The first of ours that is named: by the script, the page, then the visitor's browser. */
export const chooseLanguage = (named: (string | null | undefined)[]): Language =>
  [...named, ...navigator.languages]
    .map((each) => each?.slice(0, 2).toLowerCase())
    .find((each): each is Language => each === 'en' || each === 'ja') ?? 'en';
