import { z } from 'zod';
import { checkFlex, isFlexPart } from './flex.ts';
import { lineUri, units, type Bounds } from './line-menu.ts';
import { isStorable, optionalText, text, uuid } from './text.ts';

/* Rich messages of LINE. Limits: https://developers.line.biz/en/reference/messaging-api/#imagemap-message and #flex-message */

export const richKinds = ['imagemap', 'cards', 'flex'] as const;
export type RichKind = (typeof richKinds)[number];

/** The widths in which LINE's apps ask for the picture of an imagemap, and no other. */
export const imageWidths = [240, 300, 460, 700, 1040] as const;
export const imagemapWidth = 1040;
/** A picture may be four times as high as it is wide. */
export const maxImageHeight = 4 * imagemapWidth;
export const minImageHeight = 52;
/** A picture of a flex message has no more pixels on a side. */
const maxFlexSide = 1024;

export const maxAreas = 50;
export const maxCards = 10;
export const maxFacts = 6;
export const maxButtons = 3;

/** A picture that was uploaded, with its height where it is 1,040 pixels wide. */
export const Picture = z.strictObject({
  uuid,
  height: z.number().int().min(minImageHeight).max(maxImageHeight),
});
export type Picture = z.output<typeof Picture>;

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

/** What a tap on an area does; its label is read aloud. */
const areaLabel = optionalText(100).optional();
export const ImagemapAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('uri'), label: areaLabel, uri: lineUri }),
  z.strictObject({ type: z.literal('message'), label: areaLabel, text: units(400) }),
  z.strictObject({ type: z.literal('clipboard'), label: areaLabel, clipboardText: units(1000) }),
]);
export type ImagemapAction = z.output<typeof ImagemapAction>;

const buttonLabel = text(40);
/** What a tap on a card does; its label is what the button says. */
export const CardAction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('uri'), label: buttonLabel, uri: lineUri }),
  z.strictObject({ type: z.literal('message'), label: buttonLabel, text: text(300) }),
  z.strictObject({
    type: z.literal('postback'),
    label: buttonLabel,
    data: units(300),
    displayText: optionalText(300).optional(),
  }),
]);
export type CardAction = z.output<typeof CardAction>;

export const buttonStyles = ['primary', 'secondary', 'link'] as const;
const hexColor = z.string().regex(/^#[0-9a-f]{6}$/i, 'flex-color');

export const Card = z
  .strictObject({
    picture: Picture.nullable(),
    title: optionalText(60),
    text: optionalText(400),
    /** Small facts, each with its name: a price, a date. */
    facts: z.array(z.strictObject({ name: text(20), value: text(60) })).max(maxFacts),
    buttons: z.array(z.strictObject({ style: z.enum(buttonStyles), action: CardAction })).max(maxButtons),
  })
  .refine(
    ({ picture, title, text: said, facts, buttons }) =>
      picture !== null || title !== '' || said !== '' || facts.length > 0 || buttons.length > 0,
    { message: 'rich-card-empty' },
  );
export type Card = z.output<typeof Card>;

/** What stands for a message in lists of chats and notifications, and is read aloud. */
const alt = z
  .string()
  .refine(isStorable, { message: 'not-storable', abort: true })
  .max(1500)
  .trim()
  .refine((said) => said !== '', { message: 'empty' });

const bounds = z.strictObject({
  x: z.number().int(),
  y: z.number().int(),
  width: z.number().int(),
  height: z.number().int(),
});

const imagemap = z
  .strictObject({
    kind: z.literal('imagemap'),
    alt,
    picture: Picture,
    areas: z
      .array(z.strictObject({ bounds, action: ImagemapAction }))
      .min(1, { message: 'line-menu-empty' })
      .max(maxAreas),
  })
  .superRefine(({ picture, areas }, issues) => {
    for (const [at, { bounds: area }] of areas.entries())
      if (!isInside(area, picture.height))
        issues.addIssue({ code: 'custom', message: 'rich-bounds', path: ['areas', at, 'bounds'] });
  });

const isInside = ({ x, y, width, height }: Bounds, imageHeight: number): boolean =>
  x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= imagemapWidth && y + height <= imageHeight;

export const cardRatios = ['wide', 'square', 'tall'] as const;
const ratios: Record<(typeof cardRatios)[number], string> = { wide: '20:13', square: '1:1', tall: '3:4' };

const cards = z
  .strictObject({
    kind: z.literal('cards'),
    alt,
    /** The shape to which pictures are cut. */
    ratio: z.enum(cardRatios),
    /** That of titles' marks and filled buttons. */
    color: hexColor,
    cards: z.array(Card).min(1).max(maxCards),
    /** A last card with nothing but a button: all that there is no room for. */
    more: CardAction.nullable(),
  })
  .superRefine((draft, issues) => {
    const contents = cardContents(draft, () => 'https://example.com/line/image/00000000-0000-0000-0000-000000000000');
    for (const { path, code } of checkFlex(contents)) {
      const [list, at] = path;
      if (code === 'flex-large')
        issues.addIssue({
          code: 'custom',
          message: code,
          path: list === 'contents' && at !== undefined ? ['cards', at] : ['cards'],
        });
      if (code === 'flex-carousel-large') issues.addIssue({ code: 'custom', message: code, path: ['cards'] });
    }
  });

const flex = z
  .strictObject({ kind: z.literal('flex'), alt, contents: z.unknown() })
  .superRefine(({ contents }, issues) => {
    for (const { path, code } of checkFlex(contents))
      issues.addIssue({ code: 'custom', message: code, path: ['contents', ...path] });
  });

/** A rich message as it is drawn: all of it can be sent. */
export const RichDraft = z.discriminatedUnion('kind', [imagemap, cards, flex]);
export type RichDraft = z.output<typeof RichDraft>;
export type CardsDraft = z.output<typeof cards>;

export interface RichProblem {
  path: (string | number)[];
  code: string;
}

/** Everything that keeps a draft from being sent, each with its place; nothing where it can be. */
export function checkRich(draft: unknown): RichProblem[] {
  const parsed = RichDraft.safeParse(draft);
  if (parsed.success) return [];
  return parsed.error.issues.map(({ code, message, path, ...issue }) => ({
    path: path.filter((step) => typeof step !== 'symbol'),
    code:
      code === 'custom' || message === 'line-menu-empty'
        ? message
        : code === 'too_big'
          ? 'too-long'
          : code === 'too_small'
            ? 'empty'
            : code === 'invalid_format' && 'pattern' in issue
              ? message
              : 'invalid',
  }));
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

function cardContents(draft: CardsDraft, imageUrl: ImageUrl): LineObject {
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

function cardBubble(
  { picture, title, text: said, facts, buttons }: Card,
  { ratio, color, cards: all, more }: CardsDraft,
  imageUrl: ImageUrl,
): LineObject {
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
                  { type: 'text', text: name, size: 'sm', color: pale, flex: 2, wrap: true },
                  { type: 'text', text: value, size: 'sm', color: ink, weight: 'bold', flex: 4, wrap: true },
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
    ...(picture && {
      hero: {
        type: 'image',
        url: `${imageUrl(picture.uuid)}/${flexWidth(picture)}`,
        size: 'full',
        aspectRatio: ratios[ratio],
        aspectMode: 'cover',
      },
    }),
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

const moreBubble = (action: CardAction, { color }: CardsDraft): LineObject => ({
  type: 'bubble',
  size: 'kilo',
  body: box('vertical', [button('link', action, color)], { justifyContent: 'center', paddingAll: '16px' }),
});

const button = (style: (typeof buttonStyles)[number], action: CardAction, color: string): LineObject => ({
  type: 'button',
  style,
  height: 'sm',
  ...(style !== 'secondary' && { color }),
  action: filled(action),
});

/** Without what is empty, which LINE refuses. */
const filled = (action: CardAction): object =>
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
      : [];
