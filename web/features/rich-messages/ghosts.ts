/* What stands in a preview for what has not been filled in yet. */

/** Has no width, and is typed by nobody. */
const mark = '\u2060';

export const ghost = (words: string): string => mark + words;
export const isGhost = (words: string | undefined): boolean => words?.startsWith(mark) ?? false;

/** In the place of a picture's id. */
export const ghostPicture = { uuid: 'ghost', height: 1040 };
export const isGhostPicture = (url: unknown): boolean => String(url).includes(`/${ghostPicture.uuid}/`);
