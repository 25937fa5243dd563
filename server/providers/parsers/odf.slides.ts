import { createWriter, type OdfFile } from './odf.text.ts';
import type { Block, Draft } from './parser.ts';
import { readingOrder, type Placed } from './reading-order.ts';
import { longestHeading } from './text.ts';
import { child, elements, type Element } from './xml.ts';

/** Shapes that come again on each slide. */
const repeated = new Set(['header', 'footer', 'date-time']);

/** A presentation of OpenDocument to blocks, as PowerPoint's: each slide is a page with its title, its shapes as people read them, and its notes. */
export async function readSlides(file: OdfFile, onProgress: (share: number) => void): Promise<Draft> {
  const [styles, content] = [await file.read('styles.xml'), await file.read('content.xml')];
  const writer = createWriter(file, styles, content);
  const { warnings } = writer;
  const seen = new Set<string>();
  const blocks: Block[] = [];
  let title: string | null = null;
  const body = elements(child(content, 'office:body', 'office:presentation'));
  const masters = new Map(
    elements(child(styles, 'office:master-styles')).map((master) => [master.attributes['style:name'] ?? '', master]),
  );
  const slides = body.filter(({ name }) => name === 'draw:page');
  for (const [at, slide] of slides.entries()) {
    await readSlide(slide, at + 1);
    onProgress((at + 1) / slides.length);
  }
  return { title, pages: slides.length, blocks, warnings: warnings.list() };

  async function readSlide(slide: Element, page: number): Promise<void> {
    const properties = child(writer.styleOf(slide.attributes['draw:style-name']), 'style:drawing-page-properties');
    if (properties?.attributes['presentation:visibility'] === 'hidden') return warnings.add('hidden-slide', page);
    const shapes = elements(slide).filter(({ name }) => name !== 'presentation:notes');
    const heading = shapes.find((shape) => classOf(shape) === 'title');
    const text =
      heading &&
      blocksOf(heading, page)
        .map((block) => block.text.replaceAll('\n', ' '))
        .join(' ');
    const isHeading = text !== undefined && text !== '' && text.length <= longestHeading;
    if (isHeading) {
      title ??= text;
      blocks.push({ kind: 'heading', level: 1, text, page });
    }
    addShapes(isHeading ? shapes.filter((shape) => shape !== heading) : shapes, page);
    // Texts of footers are declared once for all slides.
    for (const each of body)
      if (each.name.endsWith('-decl')) addOnce([{ kind: 'paragraph', text: each.children.join(''), page }]);
    const master = masters.get(slide.attributes['draw:master-page-name'] ?? '');
    if (master && !seen.has(master.attributes['style:name'] ?? '')) {
      seen.add(master.attributes['style:name'] ?? '');
      addShapes(
        elements(master).filter((shape) => shape.name.startsWith('draw:') && classOf(shape) === ''),
        page,
      );
    }
    addShapes(elements(child(slide, 'presentation:notes')), page);
    await writer.tellObjects(page);
  }

  function addShapes(shapes: Element[], page: number): void {
    const pieces = shapes.flatMap((shape) => {
      const found = blocksOf(shape, page);
      return found.length === 0 ? [] : [{ ...placeOf(shape), blocks: found, isRepeated: repeated.has(classOf(shape)) }];
    });
    for (const piece of readingOrder(pieces))
      if (piece.isRepeated) addOnce(piece.blocks);
      else blocks.push(...piece.blocks);
  }

  function addOnce(found: Block[]): void {
    for (const block of found) if (block.text.trim() !== '' && !seen.has(block.text)) blocks.push(block);
    for (const { text } of found) seen.add(text);
  }

  function blocksOf(shape: Element, page: number): Block[] {
    const isPrompt = shape.attributes['presentation:placeholder'] === 'true' || classOf(shape) === 'page-number';
    return isPrompt ? [] : writer.blocksIn({ name: '', attributes: {}, children: [shape] }, page);
  }
}

const classOf = ({ attributes }: Element): string => attributes['presentation:class'] ?? '';

const points: Record<string, number> = { pt: 1, in: 72, cm: 28.35, mm: 2.835, pc: 12, px: 0.75 };

/** A length such as `2.5cm`, in points. */
function lengthOf(value: string | undefined): number {
  const [, number = '0', unit = 'pt'] = /^(-?[\d.]{1,20})([a-z]{2})$/.exec(value ?? '') ?? [];
  return (Number(number) || 0) * (points[unit] ?? 1);
}

const placeOf = ({ attributes }: Element): Placed => ({
  x: lengthOf(attributes['svg:x']),
  y: lengthOf(attributes['svg:y']),
  width: lengthOf(attributes['svg:width']),
  height: lengthOf(attributes['svg:height']),
});
