/** Reads a workbook where it holds nobody up, so that one that never ends is ended with its frame. */
import type { WorkBook } from '@e965/xlsx';
import { namesOf, readBook, sheetOf } from './sheet-rows.ts';

let book: WorkBook | undefined;

addEventListener('message', ({ data }: MessageEvent<{ book: ArrayBuffer | string } | { sheet: string }>) => {
  if ('book' in data) {
    book = readBook(data.book);
    postMessage(namesOf(book));
    return;
  }
  const sheet = book?.Sheets[data.sheet];
  if (!sheet) throw new TypeError('no such sheet');
  postMessage(sheetOf(sheet));
});
