/** As many as one document takes, and as long. */
export const maxPairs = 500;
export const maxLengths = { question: 500, answer: 4000 } as const;

/** Its beginning, without half of a character at the end. */
export const cutTo = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '');

export interface Pair {
  question: string;
  answer: string;
}

/**
 * Two columns as a spreadsheet copies them: cells apart by tabs, rows by line ends, and what has either of them, or a quote, in
 * quotes of which those inside are doubled. Undefined where there is no second column: then it is just text.
 */
export function toPairs(text: string): Pair[] | undefined {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/gy;
  for (let found = cell.exec(text); found; found = cell.exec(text)) {
    const [, quoted, plain = '', end] = found;
    rows.at(-1)?.push((quoted?.replaceAll('""', '"') ?? plain).trim());
    if (end === '' || end === undefined) break;
    if (end !== '\t') rows.push([]);
  }
  if (!rows.some((cells) => cells.length > 1)) return undefined;
  return rows
    .map(([question = '', answer = '']) => ({ question, answer }))
    .filter(({ question, answer }) => question || answer);
}
