import { strFromU8, unzipSync } from 'fflate';
import { isLong, parseHtml, plainPage, readable, type Drawing } from './drawing.ts';

const mostChapters = 2000;
const mostBytes = 20_000_000;

/** The chapters of a book, one after another, without its style sheets. */
export function openEpub(bytes: ArrayBuffer): Drawing {
  const files = unzipSync(new Uint8Array(bytes), {
    filter: ({ name, originalSize }) =>
      originalSize < mostBytes && /\.(?:x?html?|xml|opf|jpe?g|png|gif|webp|svg)$/i.test(name),
  });
  const read = (name: string) => strFromU8(files[name] ?? new Uint8Array());
  const container = parseXml(read('META-INF/container.xml'));
  const packed = container.getElementsByTagNameNS('*', 'rootfile')[0]?.getAttribute('full-path') ?? '';
  const book = parseXml(read(packed));
  const names = new Map(
    [...book.getElementsByTagNameNS('*', 'item')].map((item) => [
      item.getAttribute('id'),
      nameOf(packed, item.getAttribute('href') ?? ''),
    ]),
  );
  const page = plainPage(`${readable} section + section { border-top: 1px solid #ddd }`);
  for (const each of [...book.getElementsByTagNameNS('*', 'itemref')].slice(0, mostChapters)) {
    const name = names.get(each.getAttribute('idref'));
    if (name === undefined) continue;
    const chapter = parseXhtml(read(name));
    for (const picture of chapter.querySelectorAll('img')) {
      const file = files[nameOf(name, picture.getAttribute('src') ?? '')];
      if (file) picture.setAttribute('src', URL.createObjectURL(new Blob([file])));
    }
    const section = page.createElement('section');
    section.append(...(chapter.querySelector('body')?.childNodes ?? []));
    page.body.append(section);
  }
  if (page.body.childElementCount === 0) throw new TypeError('a book without chapters');
  return isLong(page);
}

const parseXml = (text: string) => new DOMParser().parseFromString(text, 'application/xml');

/** As XHTML, which it should be, else as browsers read any page. */
function parseXhtml(text: string): Document {
  const page = new DOMParser().parseFromString(text, 'application/xhtml+xml');
  return page.querySelector('parsererror') ? parseHtml(text) : page;
}

/** The name in the book of what a file of it names. */
function nameOf(from: string, address: string): string {
  try {
    return decodeURIComponent(new URL(address, `book:///${from}`).pathname.slice(1));
  } catch {
    return '';
  }
}
