import { saveFile } from './save-file.ts';

/** What a drawing has from the sheets of the page; alone it would not. */
const styles = ['fill', 'fill-opacity', 'stroke', 'stroke-width', 'opacity', 'font-family', 'font-size', 'text-anchor'];
const scale = 2;
const margin = 16;
const headHeight = 32;
/** Names at its edges stand out a little. */
const bleed = 8;

/** Saves a drawing of the page as a PNG, with a title above it, on the ground on which it stands. */
export async function savePicture(
  drawing: SVGSVGElement,
  { title, name }: { title: string; name: string },
): Promise<void> {
  const { width, height } = drawing.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(asFile(drawing, width, height))}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = (width + 2 * margin) * scale;
  canvas.height = (height + headHeight + 2 * margin) * scale;
  const paper = canvas.getContext('2d');
  if (!paper) throw new Error('This browser draws no pictures.');
  const { color, fontFamily } = getComputedStyle(document.body);
  paper.scale(scale, scale);
  paper.fillStyle = getComputedStyle(document.documentElement).getPropertyValue('--sheet');
  paper.fillRect(0, 0, canvas.width, canvas.height);
  paper.fillStyle = color;
  paper.font = `600 14px ${fontFamily}`;
  paper.fillText(title, margin, margin + 14, width);
  paper.drawImage(image, margin - bleed, margin + headHeight - bleed, width + 2 * bleed, height + 2 * bleed);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (blob) saveFile(await blob.arrayBuffer(), { name, type: 'image/png' });
}

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
