import { labelled } from '../../../shared/characters.ts';
import { ParseError } from './parser.ts';
import type { Block, Parser } from './parser.ts';
import { decodeText, isTextHead, maxCharacters } from './text.ts';

export const csv: Parser = {
  name: 'CSV',
  extensions: ['csv', 'tsv'],
  mime: 'text/csv',
  isPlain: true,
  accepts: isTextHead,
  async parse(file, onProgress) {
    const text = decodeText(file);
    return { title: null, pages: null, pagesWithoutText: [], blocks: await rowBlocks(text, onProgress) };
  },
};

const questionNames = /^(?:q|questions?|faq|ご?質問(?:文|内容)?|問い?|お問い?合わせ(?:内容)?)$/i;
const answerNames = /^(?:a|answers?|repl(?:y|ies)|ご?回答(?:文|内容)?|答え?)$/i;

/** Each row repeats the names of its columns ("Price: 300"), so that it can be read without the rows before it. */
async function rowBlocks(text: string, onProgress: (share: number) => void): Promise<Block[]> {
  const { parse } = await import('csv-parse');
  // The stream hands over rows one at a time: a whole sheet as arrays of cells takes several times the memory of its text.
  const rows: AsyncIterable<string[]> = parse(text, {
    delimiter: delimiterOf(text),
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    bom: true,
  });
  const blocks: Block[] = [];
  let names: string[] | undefined;
  let characters = 0;
  for await (const row of rows) {
    const cells = row.map((cell) => cell.trim());
    if (!names) {
      names = isHeader(cells) ? cells : [];
      if (names.length > 0) continue;
    }
    const block = rowBlock(names, cells);
    characters += block.text.length;
    if (characters > maxCharacters) throw new ParseError('too-much-text');
    blocks.push(block);
    if (blocks.length % 1000 === 0) onProgress(Math.min(0.95, characters / (text.length * 2)));
  }
  // A header and nothing else is still a text.
  if (blocks.length === 0 && names) blocks.push({ kind: 'table', text: names.join(' | '), page: null });
  return blocks;
}

function rowBlock(names: string[], cells: string[]): Block {
  if (names.length === 0) return { kind: 'table', text: cells.filter((cell) => cell !== '').join(' | '), page: null };
  const ask = names.findIndex((name) => questionNames.test(name));
  const reply = names.findIndex((name) => answerNames.test(name));
  const isQa = Boolean(cells[ask] && cells[reply]);
  const others = cells.flatMap((cell, index) =>
    cell === '' || (isQa && (index === ask || index === reply))
      ? []
      : [names[index] ? labelled(names[index], cell) : cell],
  );
  const pair = isQa ? [`Q: ${cells[ask]}`, `A: ${cells[reply]}`] : [];
  return { kind: isQa ? 'qa' : 'table', text: [...pair, ...others].join('\n'), page: null };
}

/** Names differ from each other, and none is a number, a date or an address. */
function isHeader(cells: string[]): boolean {
  const named = cells.filter((cell) => cell !== '');
  return (
    named.length >= cells.length / 2 &&
    new Set(named).size === named.length &&
    !named.some((cell) => /^[\d\s.,:/\\%¥$€+-]+$|@|https?:/.test(cell))
  );
}

/** The one of , ; tab that cuts the first lines into the most, and equally many, cells. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, 20_000)
    .split('\n')
    .slice(0, 20)
    .map((line) => line.replace(/"[^"]*"/g, ''))
    .filter((line) => line.trim() !== '');
  const score = (delimiter: string) => {
    const counts = lines.map((line) => line.split(delimiter).length - 1);
    const most = counts[0] ?? 0;
    return most * counts.filter((count) => count === most).length;
  };
  return [',', ';', '\t'].reduce((best, each) => (score(each) > score(best) ? each : best));
}
