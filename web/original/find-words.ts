export interface Range {
  start: number;
  end: number;
}

/** A text as it is compared: readers set other spaces and marks than pages do. */
export const squeeze = (text: string): string => text.normalize('NFKC').replace(/[\s|*#>-]+/g, '');

const fewest = 4;
const mostLines = 200;

/** Where the words stand in a squeezed text: all of them at once, else line by line, one after another where they can. */
export function findWords(whole: string, words: string): Range[] {
  const once = rangeOf(whole, squeeze(words), 0);
  if (once) return [once];
  let after = 0;
  return words
    .split('\n')
    .slice(0, mostLines)
    .flatMap((line) => {
      // A row of a table repeats the names of its columns.
      const cell = line.includes(': ') ? line.slice(line.indexOf(': ') + 2) : '';
      const found = [line, cell].reduce<Range | undefined>((known, each) => {
        const wanted = squeeze(each);
        return known ?? rangeOf(whole, wanted, after) ?? rangeOf(whole, wanted, 0);
      }, undefined);
      if (found) after = found.end;
      return found ?? [];
    });
}

function rangeOf(whole: string, wanted: string, from: number): Range | undefined {
  const start = wanted.length < fewest ? -1 : whole.indexOf(wanted, from);
  return start < 0 ? undefined : { start, end: start + wanted.length };
}
