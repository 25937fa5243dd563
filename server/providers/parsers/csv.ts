import type { Draft, Parser } from './parser.ts';
import { collectBlocks, countOf, createTables } from './sheet.ts';
import { decodeText, isTextHead } from './text.ts';
import { createWarnings } from './warnings.ts';

export const csv: Parser = {
  name: 'CSV',
  extensions: ['csv', 'tsv'],
  mime: 'text/csv',
  isPlain: true,
  accepts: isTextHead,
  async parse(file, onProgress) {
    const text = decodeText(file);
    return { title: null, pages: null, ...(await readSheet(text, onProgress)) };
  },
};

/** Blank lines part tables. */
async function readSheet(
  source: string,
  onProgress: (share: number) => void,
): Promise<Pick<Draft, 'blocks' | 'warnings'>> {
  const { parse } = await import('csv-parse');
  // Excel reads the delimiter from such a first line, and shows no row of it.
  const [line, told] = /^sep=(.)\n/u.exec(source.slice(0, 10)) ?? ['', undefined];
  const body = source.slice(line.length);
  const delimiter = told ?? delimiterOf(body);
  const warnings = createWarnings();
  let counted = { at: 0, line: line === '' ? 1 : 2 };
  const lineOf = (at: number) => {
    let number = counted.line;
    for (let next = body.indexOf('\n', counted.at); next >= 0 && next < at; next = body.indexOf('\n', next + 1))
      number++;
    counted = { at, line: number };
    return number;
  };
  // The stream hands over rows one at a time: a whole sheet as arrays of cells takes several times the memory of its text.
  const rows: AsyncIterable<{ record: string[]; info: { empty_lines: number } }> = parse(
    withoutStrayQuotes(body, delimiter, (at) => warnings.add('stray-quote', lineOf(at))),
    {
      delimiter,
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      info: true,
      bom: true,
    },
  );
  const { blocks, add, characters } = collectBlocks();
  const tables = createTables(add, !body.includes(delimiter));
  let emptyLines = 0;
  for await (const { record, info } of rows) {
    const cells = record.map((cell) => cell.trim());
    const isEmpty = countOf(cells) === 0;
    if (isEmpty || info.empty_lines > emptyLines) tables.gap();
    emptyLines = info.empty_lines;
    if (isEmpty) continue;
    tables.row({ cells });
    if (blocks.length % 1000 === 0) onProgress(Math.min(0.95, characters() / (source.length * 2)));
  }
  tables.end();
  return { blocks, warnings: warnings.list() };
}

/** The one of , ; tab | that cuts the most of the first lines into equally many cells, and into the most. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n')
    .slice(0, 20)
    .map((line) => line.replace(/"[^"]*"/g, ''));
  const score = (delimiter: string) => {
    const times = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(delimiter).length - 1;
      times.set(count, (times.get(count) ?? 0) + 1);
    }
    return Math.max(...[...times].map(([count, lines]) => count * lines ** 2));
  };
  return [',', ';', '\t', '|'].reduce((best, each) => (score(each) > score(best) ? each : best));
}

/**
 * A quote at the beginning of a cell that no quote at the end of one closes stands for itself, as in `24,"27 inches`: a blank before
 * it says so to the parser, which would take all that follows for one cell.
 */
function withoutStrayQuotes(text: string, delimiter: string, onStray: (at: number) => void): string {
  const parts: string[] = [];
  let from = 0;
  // Where no quote is left that closes, none is looked for again.
  let isOpen = false;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (at > 0 && text[at - 1] !== '\n' && text[at - 1] !== delimiter) continue;
    const end: number = isOpen ? -1 : endOfCell(text, at + 1);
    const after: string | undefined = end < 0 ? undefined : text.charAt(end + 1);
    isOpen ||= end < 0;
    if (after === '' || after === '\n' || after === delimiter) at = end;
    else {
      onStray(at);
      parts.push(text.slice(from, at), ' ');
      from = at;
    }
  }
  return [...parts, text.slice(from)].join('');
}

/** The next quote that is not one of two. */
function endOfCell(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at;
  return -1;
}
