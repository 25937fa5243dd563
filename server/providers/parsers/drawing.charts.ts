import { linesOf } from './drawing.ts';
import type { createNumberFormats } from './number-formats.ts';
import type { Block } from './parser.ts';
import { gridBlocks } from './table.ts';
import { child, elements, type Element } from './xml.ts';

type Show = Awaited<ReturnType<typeof createNumberFormats>>['show'];

/** A chart (ECMA-376 part 1, 21.2) as its title and a table of its figures, as they were last drawn. Nothing where it keeps none. */
export function chartBlocks(root: Element | undefined, page: number, show: Show): Block[] {
  const chart = child(root, 'chart');
  const series = elements(child(chart, 'plotArea')).flatMap((plot) =>
    elements(plot).filter(({ name }) => name === 'ser'),
  );
  const columns = series.map((each) => ({
    name: [...pointsOf(child(each, 'tx'), show).values()].join(' '),
    categories: pointsOf(child(each, 'cat') ?? child(each, 'xVal'), show),
    values: pointsOf(child(each, 'val') ?? child(each, 'yVal'), show),
  }));
  const categories = columns[0]?.categories ?? new Map<number, string>();
  const places = [...new Set(columns.flatMap(({ values }) => [...values.keys()]))].toSorted(
    (one, other) => one - other,
  );
  if (places.length === 0) return [];
  const rows = places.map((at) => [categories.get(at) ?? '', ...columns.map(({ values }) => values.get(at) ?? '')]);
  const titles = [chart, ...elements(child(chart, 'plotArea'))].flatMap((each) =>
    linesOf(child(each, 'title', 'tx', 'rich'), new Map()).map(({ text }) => text),
  );
  return [
    ...titles.map((text): Block => ({ kind: 'paragraph', text, page })),
    ...gridBlocks([['', ...columns.map(({ name }) => name)], ...rows], page),
  ];
}

/** The values that stand in the cache of a reference, or as they are, by their place. */
function pointsOf(source: Element | undefined, show: Show): Map<number, string> {
  const points = new Map<number, string>();
  const from = (each: Element): void => {
    const code = child(each, 'formatCode')?.children.join('') ?? 'General';
    for (const point of elements(each)) {
      if (
        point.name === 'lvl' ||
        point.name.endsWith('Cache') ||
        point.name.endsWith('Lit') ||
        point.name.endsWith('Ref')
      )
        from(point);
      if (point.name !== 'pt') continue;
      const text = child(point, 'v')?.children.join('') ?? '';
      const isNumber = each.name.startsWith('num') && text !== '' && !Number.isNaN(Number(text));
      const at = Number(point.attributes['idx'] ?? 0);
      const before = points.get(at);
      const shown = isNumber ? show(Number(text), code).trim() : text;
      // Categories in levels: the outer ones stand after the inner.
      points.set(at, before === undefined ? shown : `${shown} ${before}`);
    }
  };
  if (source) from(source);
  return points;
}

/** The words of a diagram (SmartArt, ECMA-376 part 1, 21.4) as a list with its levels. */
export function diagramBlocks(data: Element | undefined, page: number, links: ReadonlyMap<string, string>): Block[] {
  const points = new Map(elements(child(data, 'ptLst')).map((point) => [point.attributes['modelId'] ?? '', point]));
  const below = new Map<string, { id: string; order: number }[]>();
  for (const { attributes } of elements(child(data, 'cxnLst'))) {
    if ((attributes['type'] ?? 'parOf') !== 'parOf') continue;
    const from = attributes['srcId'] ?? '';
    const list = below.get(from) ?? [];
    list.push({ id: attributes['destId'] ?? '', order: Number(attributes['srcOrd'] ?? 0) });
    below.set(from, list);
  }
  const lines: string[] = [];
  const read = new Set<string>();
  const add = (id: string, level: number): void => {
    const point = points.get(id);
    if (!point || read.has(id)) return;
    read.add(id);
    const isNode = ['node', 'asst', undefined].includes(point.attributes['type']);
    const text = isNode
      ? linesOf(child(point, 't'), links)
          .map((line) => line.text.replaceAll('\n', ' '))
          .join(' ')
      : '';
    if (text !== '') lines.push(`${'  '.repeat(Math.min(level, 6))}- ${text}`);
    const inside = (below.get(id) ?? []).toSorted((one, other) => one.order - other.order);
    // A chain as long as the file would need as many calls.
    if (level < 100) for (const each of inside) add(each.id, text === '' ? level : level + 1);
  };
  for (const [id, point] of points) if (point.attributes['type'] === 'doc') add(id, 0);
  for (const id of points.keys()) add(id, 0);
  return lines.length === 0 ? [] : [{ kind: 'list', text: lines.join('\n'), page }];
}
