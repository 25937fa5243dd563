import { decode } from './decode.ts';
import { elementOf, isLong, parseHtml, plainPage, type Drawing } from './drawing.ts';

export const openHtml = (bytes: ArrayBuffer): Drawing => isLong(parseHtml(decode(new Uint8Array(bytes))));

export function openText(bytes: ArrayBuffer): Drawing {
  const page = plainPage(
    'pre { margin: 0; padding: 16px 20px; font: 13px/1.6 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere }',
  );
  page.body.append(elementOf('pre', decode(new Uint8Array(bytes))));
  return isLong(page);
}
