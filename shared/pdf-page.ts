/** What pdf.js fetches for fonts and pictures that a file does not bring along, and never does with it. */
export const pdfOptions = {
  cMapUrl: '/pdf/cmaps/',
  cMapPacked: true,
  standardFontDataUrl: '/pdf/standard_fonts/',
  wasmUrl: '/pdf/wasm/',
  enableXfa: false,
};

/** In percent of the page. */
export interface Mark {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** A piece of a page's text, as pdf.js gives it. */
interface TextItem {
  str: string;
  transform: number[];
  width: number;
  height: number;
}

/** Where the words stand on the page. Spaces and line ends differ between the two, so they do not count. */
export function findMarks(
  items: TextItem[],
  viewport: { width: number; height: number; transform: number[] },
  words: string,
): Mark[] {
  const squeeze = (text: string) => text.normalize('NFKC').replace(/[\s|*#>-]+/g, '');
  const parts = items.map((item) => squeeze(item.str));
  const whole = parts.join('');
  const find = (text: string) => {
    const wanted = squeeze(text).slice(0, 2000);
    const start = wanted.length < 4 ? -1 : whole.indexOf(wanted);
    return start < 0 ? [] : [{ start, end: start + wanted.length }];
  };
  const once = find(words);
  // A passage has lines that the page does not have in the same order, such as a table's.
  const ranges = once.length > 0 ? once : words.split('\n').flatMap(find);
  let at = 0;
  return items.flatMap((item, index): Mark[] => {
    const from = at;
    const length = parts[index]?.length ?? 0;
    at += length;
    const [, , , , x = 0, y = 0] = item.transform;
    // Letters are taken as equally wide, which is near enough to see what is meant.
    const xAt = (place: number) => x + item.width * Math.min(1, Math.max(0, (place - from) / length));
    const met = length > 0 ? ranges.filter(({ start, end }) => at > start && from < end) : [];
    return met.map(({ start, end }) => {
      const [x1, y1] = toViewport(viewport.transform, xAt(start), y - item.height * 0.2);
      const [x2, y2] = toViewport(viewport.transform, xAt(end), y + item.height);
      return {
        left: (Math.min(x1, x2) / viewport.width) * 100,
        top: (Math.min(y1, y2) / viewport.height) * 100,
        width: (Math.abs(x2 - x1) / viewport.width) * 100,
        height: (Math.abs(y2 - y1) / viewport.height) * 100,
      };
    });
  });
}

function toViewport([a = 1, b = 0, c = 0, d = 1, e = 0, f = 0]: number[], x: number, y: number): [number, number] {
  return [a * x + c * y + e, b * x + d * y + f];
}
