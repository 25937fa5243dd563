import type { Block } from './parser.ts';

/** To repeat a longer text in each row or column that it spans would take more than it tells. */
export const longestRepeated = 500;
/** Word's own limit; rows are filled up to it. */
const mostColumns = 63;
export const blankCells = (count: number) => Array<string>(Math.min(mostColumns, Math.max(0, count))).fill('');

/** A table of one column is paragraphs. */
export function gridBlocks(rows: string[][], page: number | null = null): Block[] {
  const width = Math.min(
    mostColumns,
    rows.reduce((most, row) => Math.max(most, row.length), 0),
  );
  if (width < 2) return rows.map(([text = '']) => ({ kind: 'paragraph', text, page }));
  const [head = '', ...more] = rows.map(
    (row) =>
      `| ${[...row.map((text) => text.replaceAll('|', '\\|')), ...blankCells(width - row.length)].join(' | ')} |`,
  );
  return [{ kind: 'table', text: [head, `|${' --- |'.repeat(width)}`, ...more].join('\n'), page }];
}
