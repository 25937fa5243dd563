import { child, elements, isOn, numberOf, valueOf, type Element } from './xml.ts';

interface Style {
  id: string;
  name: string;
  basedOn: string | undefined;
  properties: Element | undefined;
  isHidden: boolean | undefined;
}

const longestChain = 20;

/** The styles of a Word document (ECMA-376 part 1, 17.7), each with those that it is based on. */
export function createStyles(root: Element | undefined) {
  const styles = new Map<string, Style>();
  let usual: string | undefined;
  for (const each of elements(root).filter(({ name }) => name === 'w:style')) {
    const id = each.attributes['w:styleId'] ?? '';
    const isUsual = ['1', 'true', 'on'].includes(each.attributes['w:default'] ?? '');
    if (isUsual && each.attributes['w:type'] === 'paragraph') usual = id;
    styles.set(id, {
      id,
      name: valueOf(child(each, 'w:name')) ?? '',
      basedOn: valueOf(child(each, 'w:basedOn')),
      properties: child(each, 'w:pPr'),
      isHidden: isOn(child(each, 'w:rPr', 'w:vanish')),
    });
  }

  /** Nearest first. */
  function chainOf(id: string | undefined): Style[] {
    const chain: Style[] = [];
    for (let next = id; next !== undefined && chain.length < longestChain;) {
      const style = styles.get(next);
      if (style) chain.push(style);
      next = style?.basedOn;
    }
    return chain;
  }

  const chains = new Map<string | undefined, Style[]>();
  function chain(id: string | undefined): Style[] {
    const known = chains.get(id);
    if (known) return known;
    const found = chainOf(id);
    chains.set(id, found);
    return found;
  }

  return {
    ofParagraph: (properties: Element | undefined) => chain(valueOf(child(properties, 'w:pStyle')) ?? usual),
    ofRun: (properties: Element | undefined) => chain(valueOf(child(properties, 'w:rStyle'))),
    /** Which list a style of lists stands for. */
    listOf: (id: string) => valueOf(child(styles.get(id)?.properties, 'w:numPr', 'w:numId')),
  };
}

export type Chain = ReturnType<ReturnType<typeof createStyles>['ofParagraph']>;

/** 1 to 6 for a heading: by the outline level of the paragraph or its nearest style, or by the name that Word gives to such styles. */
export function headingLevel(properties: Element | undefined, chain: Chain): number | undefined {
  const own = numberOf(child(properties, 'w:outlineLvl'));
  if (own !== undefined) return outline(own);
  for (const style of chain) {
    const level = numberOf(child(style.properties, 'w:outlineLvl'));
    if (level !== undefined) return outline(level);
    const named = /^(?:heading|見出し)\s?([1-9])$/i.exec(style.name)?.[1];
    if (named) return outline(Number(named) - 1);
  }
  return undefined;
}

/** From 0; 9 is the level of ordinary text. */
const outline = (level: number) => (level >= 0 && level < 9 ? Math.min(6, level + 1) : undefined);

export const isTitle = (chain: Chain) => /^(?:title|表題)$/i.test(chain[0]?.name ?? '');

/** The list that a paragraph belongs to; list 0 takes it out of its style's. */
export function placeOf(properties: Element | undefined, chain: Chain) {
  const own = child(properties, 'w:numPr');
  const inherited = chain.map((style) => child(style.properties, 'w:numPr')).find(Boolean);
  const list = valueOf(child(own, 'w:numId')) ?? valueOf(child(inherited, 'w:numId'));
  if (list === undefined || list === '0') return undefined;
  const level = numberOf(child(own, 'w:ilvl')) ?? numberOf(child(inherited, 'w:ilvl'));
  return { list, level, styles: chain.map(({ id }) => id) };
}
