import type { ReactNode } from 'react';
import classes from './chunks.module.css';

type Align = 'start' | 'center' | 'end';
type Part = { text: string } | { head: string[]; rows: string[][]; aligns: Align[] };

/** Larger ones are shown as they are written. */
const most = { columns: 20, rows: 200 };

/** A text in parts: the tables of its Markdown, and what stands between them. */
export function tablesIn(text: string): Part[] {
  const lines = text.split('\n');
  const parts: Part[] = [];
  let plain: string[] = [];
  const endPlain = () => {
    const isWritten = (line: string) => line.trim() !== '';
    const said = plain.slice(Math.max(0, plain.findIndex(isWritten)), plain.findLastIndex(isWritten) + 1);
    if (said.length > 0) parts.push({ text: said.join('\n') });
    plain = [];
  };
  for (let at = 0; at < lines.length;) {
    const length = tableLength(lines, at);
    if (length === 0) {
      plain.push(lines[at] ?? '');
      at++;
      continue;
    }
    endPlain();
    const [head = [], rule = [], ...rows] = lines.slice(at, at + length).map(cellsOf);
    parts.push({ head, rows, aligns: rule.map(alignOf) });
    at += length;
  }
  endPlain();
  return parts;
}

const alignOf = (rule: string): Align => (!rule.endsWith(':') ? 'start' : rule.startsWith(':') ? 'center' : 'end');

/** How many lines a table has that begins here; none where there is no table, or too large a one. */
function tableLength(lines: string[], at: number): number {
  const isRow = (line: string | undefined) => line?.trimStart().startsWith('|') === true;
  if (!isRow(lines[at]) || !isRow(lines[at + 1])) return 0;
  const columns = cellsOf(lines[at] ?? '').length;
  const rule = cellsOf(lines[at + 1] ?? '');
  if (columns > most.columns || rule.length !== columns || !rule.every((cell) => /^:?-+:?$/.test(cell))) return 0;
  let length = 2;
  while (length - 2 <= most.rows && isRow(lines[at + length])) length++;
  return length - 2 > most.rows ? 0 : length;
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

interface Props {
  text: string;
  words: string;
  /** A text in which words are marked. */
  mark(text: string, words: string): ReactNode;
}

/** What a chunk says, with its tables drawn as tables. */
export function ChunkText({ text, words, mark }: Props) {
  return tablesIn(text).map((part, at) =>
    'text' in part ? (
      <p key={at} className={classes['text']}>
        {mark(part.text, words)}
      </p>
    ) : (
      <div key={at} className={classes['tableBox']}>
        <table className={classes['table']}>
          <thead>
            <tr>
              {part.head.map((cell, column) => (
                <th key={column} style={{ textAlign: part.aligns[column] }}>
                  {mark(cell, cellWords(part.head, words))}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {part.rows.map((row, index) => (
              <tr key={index}>
                {part.head.map((_, column) => (
                  <td key={column} style={{ textAlign: part.aligns[column] }}>
                    {mark(row[column] ?? '', cellWords(row, words))}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    ),
  );
}

/** Of a row that is quoted whole, each cell is marked. */
const cellWords = (row: string[], words: string): string => {
  const isQuoted = words.split('\n').some((line) => line.includes('|') && cellsOf(line).join('|') === row.join('|'));
  return isQuoted ? row.join('\n') : words;
};
