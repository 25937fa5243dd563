import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countGraphemes } from '../../../shared/text.ts';
import { translate } from '../../infra/translate.ts';
import { detectFormat, safeFileName, safeFilePath } from './detect.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const zip = Buffer.from('PK\u0003\u0004\u0014\u0000', 'latin1');
const pdf = Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1');
const html = Buffer.from('<!doctype html><p>Hello</p>');

test.each([
  [pdf, 'a.pdf', 'application/pdf'],
  [pdf, 'A.B.PDF', 'application/pdf'],
  [zip, 'a.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  [html, 'a.html', 'text/html'],
  [html, 'a.txt', 'text/plain'],
  [Buffer.from('# 題'), 'a.md', 'text/markdown'],
  [Buffer.from('a,b'), 'a.csv', 'text/csv'],
  [Buffer.from('あ'.repeat(30_000)).subarray(0, 65_536), 'cut-inside-a-character.txt', 'text/plain'],
  [Buffer.from('\uFEFF文', 'utf16le'), 'wide.txt', 'text/plain'],
])('%# a file is taken with bytes of its kind', (head, name, mime) => {
  expect(detectFormat(head, name, head.length)).toMatchObject({ mime });
});

test.each([
  [png, 'picture.pdf'],
  [zip, 'archive.pdf'],
  [html, 'page.pdf'],
  [Buffer.concat([html, pdf]), 'both.pdf'],
  [html, 'page.docx'],
  [png, 'picture.txt'],
  [pdf, 'paper.md'],
  [zip, 'archive.csv'],
])('%# bytes that contradict the name are refused', (head, name) => {
  expect(() => detectFormat(head, name, head.length)).toThrow(expect.objectContaining({ code: 'file-not-as-named' }));
});

test.each(['page.exe', 'no-extension', 'a.__proto__'])('a name of no format is refused: %s', (name) => {
  expect(() => detectFormat(html, name, html.length)).toThrow(
    expect.objectContaining({ code: 'file-type-not-supported' }),
  );
});

test.each([
  ['plan.DOC', 'Word', 'DOCX'],
  ['plan.xls', 'Excel', 'XLSX'],
  ['plan.ppt', 'PowerPoint', 'PPTX'],
])('an older format is refused with what to save it as: %s', (name, program, kind) => {
  const head = Buffer.from('d0cf11e0a1b11ae1', 'hex');
  expect(() => detectFormat(head, name, 512)).toThrow(
    expect.objectContaining({ code: 'file-too-old', details: { name, program, kind } }),
  );
  expect(translate('en', 'errors:file-too-old', { name, program, kind })).toContain(
    `${name} is in an older format that can’t be read. Open it in ${program}, choose “Save as”, pick ${kind}`,
  );
  expect(translate('ja', 'errors:file-too-old', { name, program, kind })).toContain(
    `${program}で開き、「名前を付けて保存」で${kind}形式を選んで`,
  );
});

test('an empty file is refused as empty', () => {
  expect(() => detectFormat(Buffer.alloc(0), 'a.pdf', 0)).toThrow(expect.objectContaining({ code: 'file-empty' }));
});

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Users\\me\\plan.docx', 'plan.docx'],
  ['C:plan.docx', 'plan.docx'],
  ['a\0b\n.txt', 'ab.txt'],
  ['cod\u202Etxt.exe', 'codtxt.exe'],
  ['\u2066a\u2069.md', 'a.md'],
  ['  犬 🐕‍🦺.txt ', '犬 🐕‍🦺.txt'],
  ['half\uD83D.txt', 'half.txt'],
  ['', 'file'],
  ['..', 'file'],
  ['a/', 'file'],
  ['\u202E', 'file'],
])('the name %j is shown as %j', (name, shown) => {
  expect(safeFileName(name)).toBe(shown);
});

test.each([
  ['menu/lunch.pdf', 'menu/lunch.pdf'],
  ['menu/ \u202Elunch.pdf', 'menu/lunch.pdf'],
  ['../menu/lunch.pdf', 'lunch.pdf'],
  ['menu/../../lunch.pdf', 'lunch.pdf'],
  ['/menu/lunch.pdf', 'lunch.pdf'],
  ['menu//lunch.pdf', 'lunch.pdf'],
  ['menu\\lunch.pdf', 'lunch.pdf'],
  ['C:lunch/a.pdf', 'a.pdf'],
  [`outer/${'f'.repeat(150)}/${'a'.repeat(40)}.pdf`, `${'f'.repeat(150)}/${'a'.repeat(40)}.pdf`],
  [`outer/${'f'.repeat(150)}/${'a'.repeat(60)}.pdf`, `${'a'.repeat(60)}.pdf`],
])('the path %j is shown as %j', (path, shown) => {
  expect(safeFilePath(path)).toBe(shown);
});

test('a long name keeps its extension and 200 characters as a person counts them', () => {
  const name = safeFileName(`${'👩‍👩‍👧‍👦'.repeat(300)}.pdf`);
  expect(countGraphemes(name)).toBe(200);
  expect(name.endsWith('👩‍👩‍👧‍👦.pdf')).toBe(true);
  expect(safeFileName(`a${'\u0301'.repeat(100_000)}.txt`).length).toBeLessThan(3300);
});

test('whatever the name, what is shown is short, one line and no path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (name) => {
      const shown = safeFileName(name);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).not.toMatch(/[/\\]|\p{Cc}|[\u202A-\u202E\u2066-\u2069]/u);
      expect(countGraphemes(shown)).toBeLessThanOrEqual(200);
      expect(shown.trim()).not.toBe('');
    }),
  );
});
