import { isFlexPart } from './flex.ts';
import type { Bounds } from './menu-layout.ts';
import type { Card, CardAction, CardsDraft, CouponDraft, ImagemapAction, Picture, RichDraft } from './rich-message.ts';

/* What LINE gets of a rich message, without what checks it. Limits: https://developers.line.biz/en/reference/messaging-api/#imagemap-message and #flex-message */

export const richKinds = ['imagemap', 'cards', 'coupon', 'flex'] as const;
export type RichKind = (typeof richKinds)[number];

/** The widths in which LINE's apps ask for the picture of an imagemap, and no other. */
export const imageWidths = [240, 300, 460, 700, 1040] as const;
export const imagemapWidth = 1040;
/** A picture may be four times as high as it is wide. */
export const maxImageHeight = 4 * imagemapWidth;
export const minImageHeight = 52;
/** A picture of a flex message has no more pixels on a side. */
const maxFlexSide = 1024;

/** A call to LINE takes no more bubbles, and no longer words. */
export const maxBubblesSaid = 5;
export const maxSaid = 5000;

export const maxAreas = 50;
export const maxCards = 10;
export const maxFacts = 6;
export const maxButtons = 3;

export const buttonStyles = ['primary', 'secondary', 'link'] as const;
export const cardRatios = ['wide', 'square', 'tall'] as const;
const ratios: Record<(typeof cardRatios)[number], string> = { wide: '20:13', square: '1:1', tall: '3:4' };

export const heightAt = (picture: Pick<Picture, 'height'>, width: number): number =>
  Math.max(1, Math.round((picture.height * width) / imagemapWidth));

export const imagemapLayouts = [
  'whole',
  'columns-2',
  'rows-2',
  'rows-3',
  'columns-3',
  'top-2',
  'grid-4',
  'grid-6',
] as const;
export type ImagemapLayout = (typeof imagemapLayouts)[number];

/** How many cells each row of a layout has. */
const layoutRows: Record<ImagemapLayout, number[]> = {
  whole: [1],
  'columns-2': [2],
  'rows-2': [1, 1],
  'rows-3': [1, 1, 1],
  'columns-3': [3],
  'top-2': [1, 2],
  'grid-4': [2, 2],
  'grid-6': [3, 3],
};

/** A layout's cells on a picture of any height; they meet without a gap. */
export function imagemapAreas(layout: ImagemapLayout, height: number): Bounds[] {
  const rows = layoutRows[layout];
  const edge = (at: number, of: number, length: number) => Math.round((at * length) / of);
  return rows.flatMap((cells, row) => {
    const [top, bottom] = [edge(row, rows.length, height), edge(row + 1, rows.length, height)];
    return Array.from({ length: cells }, (_, cell) => {
      const [left, right] = [edge(cell, cells, imagemapWidth), edge(cell + 1, cells, imagemapWidth)];
      return { x: left, y: top, width: right - left, height: bottom - top };
    });
  });
}

/** Where its pictures are, without a width at the end. */
export type ImageUrl = (image: string) => string;
type LineObject = { type: string; [name: string]: unknown };

/** Exactly the message object that LINE takes. */
export function toLineMessage(draft: RichDraft, imageUrl: ImageUrl): LineObject {
  switch (draft.kind) {
    case 'imagemap':
      return {
        type: 'imagemap',
        baseUrl: imageUrl(draft.picture.uuid),
        altText: draft.alt,
        baseSize: { width: imagemapWidth, height: draft.picture.height },
        actions: draft.areas.map(({ bounds: area, action }) => areaAction(area, action)),
      };
    case 'cards':
      return { type: 'flex', altText: draft.alt, contents: cardContents(draft, imageUrl) };
    case 'coupon':
      return { type: 'flex', altText: draft.alt, contents: couponBubble(draft, imageUrl) };
    case 'flex':
      return { type: 'flex', altText: draft.alt, contents: draft.contents };
  }
}

function areaAction(area: Bounds, { label, ...action }: ImagemapAction): LineObject {
  const more = { ...(label && { label }), area };
  if (action.type === 'uri') return { type: 'uri', linkUri: action.uri, ...more };
  if (action.type === 'message') return { type: 'message', text: action.text, ...more };
  return { type: 'clipboard', clipboardText: action.clipboardText, ...more };
}

/** A picture alone, as LINE takes it. */
export function toImageMessage(picture: Picture, imageUrl: ImageUrl): LineObject {
  const url = imageUrl(picture.uuid);
  return { type: 'image', originalContentUrl: `${url}/1040`, previewImageUrl: `${url}/460` };
}

export function cardContents(draft: CardsDraft, imageUrl: ImageUrl): LineObject {
  const bubbles = draft.cards.map((card) => cardBubble(card, draft, imageUrl));
  if (draft.more) bubbles.push(moreBubble(draft.more, draft));
  const [first] = bubbles;
  return bubbles.length === 1 && first ? first : { type: 'carousel', contents: bubbles };
}

const box = (layout: 'vertical' | 'baseline', contents: LineObject[], more: object = {}): LineObject => ({
  type: 'box',
  layout,
  contents,
  ...more,
});
const ink = '#1f2733';
const pale = '#6b7280';
/** Where all values are such, they stand under each other as on a bill. */
const amount = /^\D{0,2}\d[\d,.]*\D{0,2}$/;

function cardBubble(
  { picture, title, text: said, facts, buttons }: Card,
  { ratio, color, cards: all, more }: CardsDraft,
  imageUrl: ImageUrl,
): LineObject {
  const isBill = facts.every(({ value }) => amount.test(value));
  const rows: LineObject[] = [
    ...(title ? [{ type: 'text', text: title, weight: 'bold', size: 'lg', color: ink, wrap: true }] : []),
    ...(said ? [{ type: 'text', text: said, size: 'sm', color: pale, wrap: true }] : []),
    ...(facts.length > 0
      ? [
          box(
            'vertical',
            facts.map(({ name, value }) =>
              box(
                'baseline',
                [
                  { type: 'text', text: name, size: 'sm', color: pale, flex: isBill ? 4 : 2, wrap: true },
                  {
                    type: 'text',
                    text: value,
                    size: 'sm',
                    color: ink,
                    weight: 'bold',
                    flex: isBill ? 3 : 4,
                    wrap: true,
                    ...(isBill && { align: 'end' }),
                  },
                ],
                { spacing: 'sm' },
              ),
            ),
            { spacing: 'sm', ...((title || said) && { margin: 'lg' }) },
          ),
        ]
      : []),
  ];
  return {
    type: 'bubble',
    // In a row of cards one sees that there is another.
    ...((all.length > 1 || more) && { size: 'kilo' }),
    ...(picture && { hero: hero(picture, ratio, imageUrl) }),
    ...(rows.length > 0 && { body: box('vertical', rows, { spacing: 'sm', paddingAll: '16px' }) }),
    ...(buttons.length > 0 && {
      footer: box(
        'vertical',
        buttons.map(({ style, action }) => button(style, action, color)),
        { spacing: 'sm', paddingAll: '12px' },
      ),
    }),
  };
}

const hero = (picture: Picture, ratio: (typeof cardRatios)[number], imageUrl: ImageUrl): LineObject => ({
  type: 'image',
  url: `${imageUrl(picture.uuid)}/${flexWidth(picture)}`,
  size: 'full',
  aspectRatio: ratios[ratio],
  aspectMode: 'cover',
});

/** What every coupon says, in its own language: it is read by friends, whatever the team reads. */
const couponWords = {
  en: {
    screen: 'Show this screen when you pay.',
    code: 'Coupon code',
    copy: 'Copy the code',
    until: (day: string) => `Valid until ${day}`,
  },
  ja: {
    screen: 'お会計のときにこの画面をご提示ください。',
    code: 'クーポンコード',
    copy: 'コードをコピー',
    until: (day: string) => `${day}まで`,
  },
};

/** A day as it is said on a coupon. */
const dayIn = (language: CouponDraft['language'], day: string): string =>
  new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(Date.parse(`${day}T00:00:00Z`));

function couponBubble(draft: CouponDraft, imageUrl: ImageUrl): LineObject {
  const { language, title, discount, until, conditions, redeem, button: link, color, picture } = draft;
  const say = couponWords[language];
  const words = (said: string, look: object): LineObject[] =>
    said ? [{ type: 'text', text: said, color: ink, wrap: true, ...look }] : [];
  const use =
    redeem.by === 'screen'
      ? words(say.screen, { size: 'sm', align: 'center' })
      : [
          ...words(say.code, { size: 'xs', color: pale, align: 'center' }),
          ...words(redeem.code, { size: 'xl', weight: 'bold', align: 'center', margin: 'sm' }),
        ];
  const head = [
    ...words(title, { size: 'sm', color: '#ffffff', align: 'center' }),
    ...words(discount, { size: 'xxl', weight: 'bold', color: '#ffffff', align: 'center', margin: 'sm' }),
  ];
  const rows = [
    ...(use.length > 0
      ? [box('vertical', use, { backgroundColor: '#f3f4f6', cornerRadius: 'md', paddingAll: '12px' })]
      : []),
    ...(until ? words(say.until(dayIn(language, until)), { size: 'sm', align: 'center', margin: 'lg' }) : []),
    ...words(conditions, { size: 'xs', color: pale, align: 'center', margin: 'lg' }),
  ];
  const buttons = [
    ...(redeem.by === 'code' && redeem.code
      ? [button('primary', { type: 'clipboard', label: say.copy, clipboardText: redeem.code }, color)]
      : []),
    ...(link ? [button(redeem.by === 'code' ? 'link' : 'primary', { type: 'uri', ...link }, color)] : []),
  ];
  return {
    type: 'bubble',
    ...(head.length > 0 && { header: box('vertical', head, { backgroundColor: color, paddingAll: '20px' }) }),
    ...(picture && { hero: hero(picture, 'wide', imageUrl) }),
    body: box('vertical', rows, { paddingAll: '20px' }),
    ...(buttons.length > 0 && { footer: box('vertical', buttons, { spacing: 'sm', paddingAll: '12px' }) }),
  };
}

const moreBubble = (action: CardAction, { color }: CardsDraft): LineObject => ({
  type: 'bubble',
  size: 'kilo',
  body: box('vertical', [button('link', action, color)], { justifyContent: 'center', paddingAll: '16px' }),
});

type ButtonAction = CardAction | { type: 'clipboard'; label: string; clipboardText: string };

const button = (style: (typeof buttonStyles)[number], action: ButtonAction, color: string): LineObject => ({
  type: 'button',
  style,
  height: 'sm',
  ...(style !== 'secondary' && { color }),
  action: filled(action),
});

/** Without what is empty, which LINE refuses. */
const filled = (action: ButtonAction): object =>
  Object.fromEntries(Object.entries(action).filter(([, value]) => value !== undefined && value !== ''));

/** The widest in which neither side has more pixels than a flex message may have. */
const flexWidth = (picture: Picture): number =>
  imageWidths.findLast((width) => width <= maxFlexSide && heightAt(picture, width) <= maxFlexSide) ?? imageWidths[0];

/** It in words: what stands for it, and where it leads. For channels that show nothing else. */
export function richInWords({ alt: said, line }: { alt: string; line: unknown }): string {
  const links = new Set<string>();
  findLinks(line, links);
  return [said, ...links].filter(Boolean).join('\n').slice(0, 5000);
}

const maxLinks = 10;

function findLinks(value: unknown, links: Set<string>): void {
  if (links.size >= maxLinks) return;
  if (Array.isArray(value)) for (const each of value) findLinks(each, links);
  else if (isFlexPart(value))
    for (const [name, each] of Object.entries(value)) {
      if ((name === 'uri' || name === 'linkUri' || name === 'originalContentUrl') && typeof each === 'string') {
        if (/^(?:https?|tel):/.test(each)) links.add(each);
      } else findLinks(each, links);
      if (links.size >= maxLinks) return;
    }
}

/** Pictures that a draft shows. */
export const picturesOf = (draft: RichDraft): Picture[] =>
  draft.kind === 'imagemap'
    ? [draft.picture]
    : draft.kind === 'cards'
      ? draft.cards.flatMap(({ picture }) => picture ?? [])
      : draft.kind === 'coupon' && draft.picture
        ? [draft.picture]
        : [];
