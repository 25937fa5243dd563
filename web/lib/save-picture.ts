import { saveFile } from './save-file.ts';

/** What a drawing has from the sheets of the page; alone it would not. */
const styles = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'opacity', 'font-family', 'font-size', 'text-anchor'];
const scale = 2;
const margin = 16;
const headHeight = 32;
const legendHeight = 24;
const swatch = 10;
/** Names at its edges stand out a little. */
const bleed = 8;

interface Told {
  title: string;
  name: string;
  /** What its colors stand for: a color as a sheet writes it, and a word. */
  legend: { color: string; text: string }[];
}

/** Saves a drawing of the page as a PNG, with a title and a legend above it, on the ground on which it stands. */
export async function savePicture(drawing: SVGSVGElement, { title, name, legend }: Told): Promise<void> {
  const { width, height } = drawing.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asFile(drawing, width, height))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * margin) * scale;
  const top = headHeight + (legend.length > 0 ? legendHeight : 0);
  canvas.height = (height + top + 2 * margin) * scale;
  const paper = canvas.getContext('2d');
  if (!paper) throw new Error('This browser draws no pictures.');
  const { color, fontFamily } = getComputedStyle(document.body);
  paper.scale(scale, scale);
  paper.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--sheet');
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.fillStyle = color;
  paper.font = `600 14px ${fontFamily}`;
  paper.fillText(title, margin, margin + 14, width);
  paper.font = `12px ${fontFamily}`;
  let at = margin;
  for (const { color: meant, text } of legend) {
    paper.fillStyle = resolve(meant);
    paper.fillRect(at, margin + headHeight - 4, swatch, swatch);
    paper.fillStyle = color;
    paper.fillText(text, at + swatch + 6, margin + headHeight + 5);
    at += swatch + 6 + paper.measureText(text).width + 20;
  }
  paper.drawImage(image, margin - bleed, margin + top - bleed, width + 2 * bleed, height + 2 * bleed);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob) saveFile(await blob.arrayBuffer(), { name, type: 'image/png' });
}

/** `var(--name)` as the color that it is on this page. */
const resolve = (color: string) => {
  const name = /^var\((.+)\)$/.exec(color)?.[1];
  return name ? getComputedStyle(document.documentElement).getPropertyValue(name) : color;
};

function asFile(drawing: SVGSVGElement, width: number, height: number): string {
  // A border: the clone of an SVG is one.
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = drawing.querySelectorAll<SVGElement>('*');
  copy.querySelectorAll<SVGElement>('*').forEach((element, at) => {
    const original = originals[at];
    if (!original) return;
    const computed = getComputedStyle(original);
    for (const style of styles) element.style.setProperty(style, computed.getPropertyValue(style));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `${-bleed} ${-bleed} ${width + 2 * bleed} ${height + 2 * bleed}`);
  copy.setAttribute('width', String(width + 2 * bleed));
  copy.setAttribute('height', String(height + 2 * bleed));
  return new XMLSerializer().serializeToString(copy);
}
