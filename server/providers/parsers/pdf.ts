import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';
import { layOut, type Item, type Sheet } from './layout.ts';
import { ParseError, type Parser } from './parser.ts';
import { clean, isPdf } from './text.ts';

const maxPages = 5_000;

export const pdf: Parser = {
  name: 'PDF',
  extensions: ['pdf'],
  mime: 'application/pdf',
  isPlain: false,
  accepts: isPdf,
  async parse(file, onProgress, scanned = []) {
    const document = await open(file);
    const count = document.numPages;
    if (count === 0) throw new ParseError('no-pages');
    if (count > maxPages) throw new ParseError('too-many-pages');
    const seen = new Map(scanned.map((each) => [each.page, each]));
    const pages: Sheet[] = [];
    let broken = 0;
    for (let number = 1; number <= count; number++) {
      // One broken page does not spoil the others; it counts as a page without text.
      const items = await readPage(document, number).catch(() => undefined);
      if (!items) broken++;
      pages.push((hasText(items) ? { items } : seen.get(number)) ?? { items: [] });
      if (pages.at(-1)?.items.length) onProgress(number / count);
    }
    if (broken === count) throw new ParseError('file-damaged');
    const metadata = await document.getMetadata().catch(() => undefined);
    await document.loadingTask.destroy();
    return layOut(pages, titleIn(metadata?.info));
  },
  pictures: async (file) => (await import('./pdf.pages.ts')).openPages(file),
};

async function open(file: Uint8Array) {
  const { getDocumentProxy } = await import('unpdf');
  // Only the data of pdfjs-dist is used, its code never: both in one process fail. Without these tables a Japanese font that a file does not embed reads as nothing.
  const tables = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
  try {
    // pdf.js keeps the bytes that it is given, and refuses Node's Buffer.
    return await getDocumentProxy(new Uint8Array(file), {
      cMapUrl: join(tables, 'cmaps') + sep,
      cMapPacked: true,
      standardFontDataUrl: join(tables, 'standard_fonts') + sep,
      useSystemFonts: false,
      verbosity: 0,
    });
  } catch (cause) {
    throw new ParseError(
      cause instanceof Error && cause.name === 'PasswordException' ? 'file-encrypted' : 'file-damaged',
      { cause },
    );
  }
}

/** What is used of a page of pdf.js, of whichever build. */
interface PageText {
  getTextContent(): Promise<{ items: (Item | { type: string })[] }>;
  getAnnotations(): Promise<Record<string, unknown>[]>;
  cleanup(): unknown;
}

export async function readPage(
  document: { getPage(number: number): Promise<PageText> },
  number: number,
): Promise<Item[]> {
  const page = await document.getPage(number);
  const { items } = await page.getTextContent();
  const fields = await page.getAnnotations().catch(() => []);
  page.cleanup();
  return [...items.filter((item) => 'str' in item), ...fields.flatMap((field) => filledIn(field))];
}

/** What is filled into a field of a form, as text that stands where the field is. */
function filledIn(field: Record<string, unknown>): Item[] {
  const str = field['hidden'] || field['noView'] || field['password'] ? '' : shownIn(field);
  if (!Array.isArray(field['rect']) || str === '') return [];
  const [left = 0, bottom = 0, right = 0, top = 0] = field['rect'].map(Number);
  const size = Math.min(12, (top - bottom) * 0.7);
  const baseline = str.includes('\n') ? top - size : (top + bottom) / 2 - size * 0.3;
  const transform = [size, 0, 0, size, left, baseline];
  return [{ str, dir: 'ltr', width: right - left, height: size, transform, fontName: '' }];
}

function shownIn({
  fieldType,
  fieldValue,
  exportValue,
  buttonValue,
  checkBox,
  radioButton,
  options,
}: Record<string, unknown>): string {
  if (fieldType === 'Btn')
    return checkBox || radioButton ? (fieldValue === (checkBox ? exportValue : buttonValue) ? '☒' : '☐') : '';
  const choices = Array.isArray(options) ? options : [];
  return [fieldValue]
    .flat()
    .map((value) => choices.find((choice) => choice?.exportValue === value)?.displayValue ?? value)
    .filter((value) => typeof value === 'string')
    .join(', ');
}

/** Whether there is text that can be read: a font without a key to its characters yields controls, private, unassigned or replacement characters. */
export function hasText(items: Item[] | undefined): items is Item[] {
  const text = (items ?? [])
    .map((item) => item.str)
    .join('')
    .replace(/\s+/g, '');
  const bad = text.match(/[\uFFFD\p{Cc}\p{Co}\p{Cn}]|\(cid:\d+\)/gu)?.join('').length ?? 0;
  return text !== '' && bad <= text.length * 0.1;
}

/** The title that the file gives itself, unless a program filled it in with a file's name. */
function titleIn(info: object | undefined): string | null {
  const title =
    info && 'Title' in info && typeof info.Title === 'string'
      ? clean(info.Title)
          .normalize('NFKC')
          .trim()
          .replace(/^Microsoft \w+ - /, '')
      : '';
  return title.length < 3 || /\.\w{2,5}$|^\W?(?:untitled|anonymous)|^about:|^https?:|^無題/i.test(title) ? null : title;
}
