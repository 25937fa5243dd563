import { renderAsync } from 'docx-preview';
import { plainPage, type Drawing } from './drawing.ts';

/** Parts in HTML are left out: they would be frames within the frame. */
const options = { renderAltChunks: false, breakPages: true, ignoreLastRenderedPageBreak: false };

export async function openDocx(bytes: ArrayBuffer): Promise<Drawing> {
  const page = plainPage('');
  await renderAsync(bytes, page.body, page.head, options);
  const style = page.createElement('style');
  style.textContent =
    'body { margin: 0 } .docx-wrapper { padding: 0; background: none } .docx-wrapper > section.docx { margin: 0; box-shadow: none; border-bottom: 1px solid #ddd }';
  page.head.append(style);
  return { pages: null, names: [], draw: () => ({ document: page, paper: 'section.docx' }) };
}
