import { marked } from 'marked';
import { decode } from './decode.ts';
import { isLong, parseHtml, plainPage, readable, type Drawing } from './drawing.ts';

export async function openMarkdown(bytes: ArrayBuffer): Promise<Drawing> {
  const page = plainPage(readable);
  page.body.append(...parseHtml(await marked.parse(decode(new Uint8Array(bytes)))).body.childNodes);
  return isLong(page);
}
