import { mathText } from './docx.math.ts';
import { addressBehind, unwrap } from './text.ts';
import { child, elements, type Element } from './xml.ts';

/** A paragraph of DrawingML with how it is marked and how deep it stands in a list. */
export interface DrawnLine {
  text: string;
  level: number;
  /** Nothing said leaves it to the place that it is in. */
  bullet: 'none' | 'sign' | { numbered: string; from: number } | undefined;
}

/** The paragraphs of a text body (ECMA-376 part 1, 21.1.2): its words, line breaks, equations, and the addresses of its links. */
export function linesOf(body: Element | undefined, links: ReadonlyMap<string, string>): DrawnLine[] {
  return elements(body).flatMap((paragraph) => {
    if (paragraph.name !== 'p') return [];
    const properties = child(paragraph, 'pPr');
    const text = inline(paragraph, links).split('\n').map(unwrap).join('\n').trim();
    return text === ''
      ? []
      : [{ text, level: Number(properties?.attributes['lvl'] ?? 0) || 0, bullet: bulletOf(properties) }];
  });
}

function bulletOf(properties: Element | undefined): DrawnLine['bullet'] {
  const numbered = child(properties, 'buAutoNum')?.attributes;
  if (numbered) return { numbered: numbered['type'] ?? 'arabicPeriod', from: Number(numbered['startAt'] ?? 1) || 1 };
  if (child(properties, 'buNone')) return 'none';
  return child(properties, 'buChar') || child(properties, 'buBlip') ? 'sign' : undefined;
}

function inline(parent: Element, links: ReadonlyMap<string, string>): string {
  let text = '';
  for (const each of shown(parent)) {
    if (each.name === 'r' || each.name === 'fld') {
      const words = child(each, 't')?.children.join('') ?? '';
      const link = child(each, 'rPr', 'hlinkClick')?.attributes['r:id'];
      text += words + (link ? addressBehind(words, links.get(link)) : '');
    } else if (each.name === 'br') text += '\n';
    else if (each.name === 'm:oMath' || each.name === 'm:oMathPara') text += mathText(each);
    else if (each.name === 'm') text += inline(each, links);
  }
  return text;
}

/** What is inside an element, with the first of alternatives that holds anything. */
export function shown(parent: Element | undefined): Element[] {
  return elements(parent).flatMap((each) => {
    if (each.name !== 'mc:AlternateContent') return [each];
    const choice = elements(each).find((one) => elements(one).length > 0);
    return choice ? shown(choice) : [];
  });
}

/** The kind of what a frame holds: `table`, `chart`, `diagram`, `ole`, `picture`. */
export const graphicKind = (frame: Element): string =>
  child(frame, 'graphic', 'graphicData')?.attributes['uri']?.split('/').at(-1) ?? '';
