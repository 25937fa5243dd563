import { AppError } from '../../../shared/errors.ts';
import { findParser } from './registry.ts';

/** Formats of Office that cannot be read, with what their program saves them as. */
const older: readonly { extensions: string[]; program: string; kind: string }[] = [
  { extensions: ['doc', 'dot'], program: 'Word', kind: 'DOCX' },
  { extensions: ['xls', 'xlt', 'xlsb'], program: 'Excel', kind: 'XLSX' },
  { extensions: ['ppt', 'pps', 'pot'], program: 'PowerPoint', kind: 'PPTX' },
];

/**
 * The format of an upload by its name, its first bytes (up to 64 KB) and its size in bytes. Throws AppError: 'file-empty',
 * 'file-too-old' for a format of Office that was given up, 'file-type-not-supported' for an extension that no parser has, or 'file-not-as-named' for bytes that contradict the extension.
 */
export function detectFormat(
  head: Uint8Array,
  fileName: string,
  size = head.length,
): { extension: string; mime: string } {
  if (size === 0 || head.length === 0) throw new AppError('file-empty', { name: fileName });
  const extension = /\.([a-z0-9]{1,10})$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  const old = older.find(({ extensions }) => extensions.includes(extension));
  if (old) throw new AppError('file-too-old', { name: fileName, program: old.program, kind: old.kind });
  const parser = findParser(extension);
  if (!parser) throw new AppError('file-type-not-supported', { name: fileName, extension });
  if (!parser.accepts(head)) throw new AppError('file-not-as-named', { name: fileName, kind: extension.toUpperCase() });
  return { extension, mime: parser.mime };
}

/**
 * The same for a name that may keep the folders it lies in (`menu/lunch.pdf`), the outer ones given up first where it is too long. A
 * path that does not lead down from where it begins says nothing, and its last part is the name.
 */
export function safeFilePath(path: string): string {
  const parts = path.slice(-10_000).split('/');
  if (/[\\]|^[A-Za-z]:/.test(path) || parts.some((part) => part === '' || /^\.+$/.test(part)))
    return safeFileName(path);
  let room = longest;
  const kept: string[] = [];
  for (const part of parts.toReversed()) {
    const name = safeFileName(part);
    room -= Array.from(segmenter.segment(name)).length + 1;
    if (kept.length > 0 && room < -1) break;
    kept.unshift(name);
  }
  return kept.join('/');
}

/** Without control characters and the marks that turn the direction of writing, which make a name look like another. */
export const withoutMarks = (text: string): string =>
  text.replace(/\p{Cc}|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF\uFFFD]/gu, '');

const longest = 200;
// As in `shared/text.ts`: a grapheme is rarely more than 11 UTF-16 units, but may be made of thousands.
const unitsPerGrapheme = 16;
const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });

/**
 * A name to show, never a path to write to: without folders, drive letters, control characters and the marks that turn the direction
 * of writing (`exe.txt` shown as `txt.exe`), at most 200 characters as a person counts them with the extension kept; 'file' when nothing is left.
 */
export function safeFileName(name: string): string {
  const last = name.slice(-10_000).toWellFormed().split(/[/\\]/).at(-1) ?? '';
  const visible = withoutMarks(last.replace(/^[A-Za-z]:/, ''))
    .normalize('NFC')
    .trim();
  if (/^\.*$/.test(visible)) return 'file';
  const extension = /\.[a-z0-9]{1,10}$/i.exec(visible)?.[0] ?? '';
  const graphemes = Array.from(segmenter.segment(visible.slice(0, -extension.length || undefined)), ({ segment }) =>
    segment.slice(0, unitsPerGrapheme).toWellFormed(),
  );
  return `${graphemes
    .slice(0, longest - extension.length)
    .join('')
    .trim()}${extension}`;
}
