/**
 * Compares what our readers find in public files with what others find there: `BENCH_DOCUMENTS=<folder> npm run bench reading`. The folder
 * holds clones of the repositories that bench/README.md names; nothing is fetched here. Each file is read in the child process that reads
 * pages of websites, within the limits of uploaded files, without recognising text in pictures. What it should hold stands beside it, as these
 * repositories keep it, else another reader says it where one is installed: pdftotext (poppler-utils), pandoc, and openpyxl for the
 * words of visible cells.
 *
 * Words are runs of letters and digits after NFKC, without case; a Chinese, Japanese or Korean character is a word; hyphens inside words do not
 * count, since lines are broken there, nor do addresses in brackets, since each reader writes others. Pairs are counted inside paragraphs
 * and cells: where boxes and notes stand among the others is a matter of taste.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { openReader } from '../server/features/knowledge/parse-file.ts';
import { ParseError } from '../server/providers/parsers/parser.ts';

/** Medians of a format, and what each file has to reach that warns of nothing. */
const bars = { words: 0.99, pairs: 0.97, each: 0.9 };
/** Of each format, spread evenly over the folder. */
const most = Number(process.env['BENCH_FILES'] ?? 60);
const folder = process.env['BENCH_DOCUMENTS'];
const formats = (process.env['BENCH_ONLY'] ?? 'pdf docx xlsx pptx odt rtf epub html').split(' ');

/** Cells with words; how numbers are shown is not openpyxl's concern. */
const cells = `
import re, sys, warnings, openpyxl
warnings.simplefilter('ignore')
for sheet in openpyxl.load_workbook(sys.argv[1], data_only=True).worksheets:
  if sheet.sheet_state != 'visible': continue
  hidden = set()
  for each in sheet.column_dimensions.values():
    if each.hidden: hidden |= set(range(each.min or 0, (each.max or 0) + 1))
  for row in sheet.iter_rows():
    for cell in row:
      if isinstance(cell.value, str) and cell.column not in hidden and not sheet.row_dimensions[cell.row].hidden:
        print(re.sub('_x[0-9A-Fa-f]{4}_', ' ', cell.value), end='\\n\\n')
`;
/** Readers of others, by format. Of whole pages of HTML pandoc keeps the menus, which we leave out, and of RTF it does not know the code pages. */
const readers: Record<string, ((path: string) => string) | undefined> = {
  pdf: (path) => run('pdftotext', ['-enc', 'UTF-8', path, '-']),
  docx: byPandoc,
  odt: byPandoc,
  epub: byPandoc,
  xlsx: (path) => run('python3', ['-c', cells, path]),
};

/** Files of which the reference says what is not in them, with the reason. */
const misleading = new Map([
  ['paragraph_insertion_deletion.docx', 'pandoc puts a blank where the mark of a paragraph is deleted'],
  ['pptx_chart.pptx', 'docling adds what kind of picture a chart is'],
  ['bug2025674.pdf', 'pdftotext parts letters from their exponents'],
  ['testOverlappingText.pdf', 'its lines are printed over one another'],
  ['html/sources/example_05.html', 'docling repeats a cell that spans others'],
  ['pptx/speaker-notes/output.pptx', 'notes before the first slide are in no slide'],
]);

interface Result {
  name: string;
  words: number;
  pairs: number;
  warnings: string[];
  missing: string[];
}

if (!folder)
  console.log('Reading: skipped, since BENCH_DOCUMENTS names no folder of files; bench/README.md tells of some.');
else {
  const table: object[] = [];
  const missed: string[] = [];
  const reader = openReader({ tenant: 'bench' });
  for (const format of formats) {
    const results: Result[] = [];
    const failures = new Map<string, string[]>();
    for (const path of await choose(folder, format)) {
      if (Array.from(misleading.keys()).some((end) => path.endsWith(end))) continue;
      const wanted = passagesOf(wantedIn(path));
      if (wanted.length === 0) continue;
      const name = path.slice(folder.length + 1);
      try {
        const { document } = await reader.read({ file: readFileSync(path), extension: format });
        results.push({
          name,
          ...compare(
            document.blocks.map(({ text }) => text),
            wanted,
          ),
          warnings: document.warnings.map(({ kind }) => kind),
        });
      } catch (error) {
        const code = error instanceof ParseError ? error.code : String(error);
        failures.set(code, [...(failures.get(code) ?? []), name]);
      }
    }
    const words = median(results.map((each) => each.words));
    const pairs = median(results.map((each) => each.pairs));
    const silent = results.filter((each) => each.words < bars.each && each.warnings.length === 0);
    table.push({
      format,
      files: results.length,
      'words %': percent(words),
      'pairs %': percent(pairs),
      'under 90 % without a warning': silent.length,
      failed: Array.from(failures, ([code, names]) => `${names.length} ${code}`).join(', '),
    });
    for (const each of results.sort((a, b) => a.words - b.words || a.pairs - b.pairs).slice(0, 10))
      console.log(
        `${percent(each.words)} ${percent(each.pairs)} ${each.name} [${each.warnings.join(' ')}] ${each.missing.slice(0, 8).join(' ')}`,
      );
    for (const [code, names] of failures) console.log(`${code}: ${names.slice(0, 10).join(', ')}`);
    if (words < bars.words) missed.push(`${format}: ${percent(words)} % of the words`);
    if (pairs < bars.pairs) missed.push(`${format}: ${percent(pairs)} % of the pairs`);
    if (silent.length > 0) missed.push(`${format}: ${silent.length} files under 90 % without a warning`);
  }
  await reader.end();
  console.table(table);
  if (missed.length > 0) {
    console.error(`Missed: ${missed.join('; ')}`);
    process.exitCode = 1;
  }
}

/** Files that something can be said of, at most `most` of them. */
async function choose(within: string, format: string): Promise<string[]> {
  const all = globSync(`**/*.${format}`, { cwd: within })
    .map((name) => join(within, name))
    .filter((path) => besides(path) !== undefined || (readers[format] && basename(path) !== 'expected.html'))
    .sort();
  const step = Math.max(1, all.length / most);
  return Array.from({ length: Math.min(most, all.length) }, (_, at) => all[Math.floor(at * step)] ?? []).flat();
}

/** The text that a repository keeps beside a file: as docling, Readability, pandoc and striprtf do, and a plain one. */
function besides(path: string): string | undefined {
  const [place, name] = [dirname(path), basename(path)];
  return [
    `${path}.txt`,
    join(place, `../groundtruth/${name}.md`),
    ...(name === 'source.html' ? [join(place, 'expected.html')] : []),
    ...(name === 'output.pptx' ? [join(place, 'input.native')] : []),
    ...(name.endsWith('.rtf')
      ? [join(place, name.replace(/rtf$/, 'native')), join(place, '../text', name.replace(/rtf$/, 'txt'))]
      : []),
  ].find((each) => existsSync(each));
}

function wantedIn(path: string): string {
  const text = besides(path);
  if (text?.endsWith('.txt')) return readFileSync(text, 'utf8');
  return text ? byPandoc(text) : (readers[extname(path).slice(1)]?.(path) ?? '');
}

/** Nothing where the reader is not installed or cannot read the file. */
function run(command: string, options: string[]): string {
  const { status, stdout } = spawnSync(command, options, { encoding: 'utf8', timeout: 60_000, maxBuffer: 2 ** 28 });
  return status === 0 ? stdout : '';
}

/** The words of a file as pandoc understands it, each paragraph with an empty line around it. */
function byPandoc(path: string): string {
  const json = run('pandoc', ['--to=json', path]);
  if (json === '') return '';
  const text: string[] = [];
  const notes: unknown[] = [];
  const collect = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(collect);
    if (typeof node !== 'object' || node === null) return;
    if (!('t' in node)) return Object.values(node).forEach(collect);
    const content = 'c' in node ? node.c : undefined;
    const isBlock = ['Para', 'Plain', 'Header', 'LineBlock', 'CodeBlock'].includes(String(node.t));
    // Formulas are written in another language, and what is said in place of a picture is not seen.
    const isOther = ['Math', 'Image', 'Note', 'RawInline', 'RawBlock'].includes(String(node.t));
    if (isBlock || isOther) text.push('\n\n');
    if (node.t === 'Note') notes.push(content);
    else if (node.t === 'Str') text.push(String(content));
    else if (['Space', 'SoftBreak', 'LineBreak'].includes(String(node.t))) text.push(' ');
    else if (['Code', 'CodeBlock'].includes(String(node.t)))
      text.push(Array.isArray(content) ? String(content[1]) : '');
    else if (!isOther) collect(content);
    if (isBlock) text.push('\n\n');
  };
  const { blocks, meta } = JSON.parse(json);
  // Title and author of a DOCX are paragraphs in it, those of a book are not.
  if (path.endsWith('.docx')) for (const each of Object.values(meta)) collect([{ t: 'Para', c: each }]);
  collect(blocks);
  for (const note of notes) collect(note);
  return text.join('');
}

function passagesOf(text: string): string[][] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/\n\s*\n|\f/)
    .map(wordsOf)
    .filter((words) => words.length > 0);
}

function wordsOf(passage: string): string[] {
  const plain = passage
    .replace(/\((?:"|(?:https?|mailto|tel):)[^\s()]*\)/g, '')
    .replace(/(?<=[\p{L}\p{N}])[\u00AD\u2010\u2011-]\s?(?=[\p{L}\p{N}])/gu, '');
  return (
    plain.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}])[\p{L}\p{M}\p{N}])+/gu,
    ) ?? []
  );
}

function compare(texts: string[], wanted: string[][]) {
  const own = passagesOf(texts.join('\n\n'));
  const [words, pairs] = [share(own.flat(), wanted.flat()), share(pairsOf([own.flat()]), pairsOf(wanted))];
  // A file of single words has no pairs.
  return { words: words.share, pairs: pairs.share, missing: [...words.missing, ...pairs.missing] };
}

function pairsOf(passages: string[][]): string[] {
  return passages.flatMap((words) => words.slice(1).map((word, at) => `${words[at]}_${word}`));
}

function share(own: string[], wanted: string[]) {
  const counts = new Map<string, number>();
  for (const each of own) counts.set(each, (counts.get(each) ?? 0) + 1);
  const missing = wanted.filter((each) => {
    const left = counts.get(each) ?? 0;
    counts.set(each, left - 1);
    return left <= 0;
  });
  return { share: wanted.length === 0 ? 1 : 1 - missing.length / wanted.length, missing };
}

/** Of an even number the lower one. */
function median(shares: number[]): number {
  return shares.toSorted((a, b) => a - b)[Math.floor((shares.length - 1) / 2)] ?? 1;
}

function percent(part: number): string {
  return (part * 100).toFixed(1);
}
