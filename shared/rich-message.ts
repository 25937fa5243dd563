import { z } from 'zod';
import { checkFlex } from './flex.ts';
import { lineUri, units } from './line-menu.ts';
import type { Bounds } from './menu-layout.ts';
import {
  buttonStyles,
  cardContents,
  cardRatios,
  imagemapWidth,
  maxAreas,
  maxButtons,
  maxCards,
  maxFacts,
  maxImageHeight,
  minImageHeight,
} from './rich-line.ts';
import { isStorable, optionalText, text, uuid } from './text.ts';

/* Rich messages of LINE. Limits: https://developers.line.biz/en/reference/messaging-api/#imagemap-message and #flex-message */

/** A picture that was uploaded, with its height where it is 1,040 pixels wide. */
export const Picture = z.strictObject({
  uuid,
  height: z.number().int().min(minImageHeight).max(maxImageHeight),
});
export type Picture = z.output<typeof Picture>;

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
    areas: z.array(z.strictObject({ bounds, action: ImagemapAction })).max(maxAreas),
  })
  .superRefine(({ picture, areas }, issues) => {
    if (areas.length === 0) issues.addIssue({ code: 'custom', message: 'line-menu-empty', path: ['areas'] });
    for (const [at, { bounds: area }] of areas.entries())
      if (!isInside(area, picture.height))
        issues.addIssue({ code: 'custom', message: 'rich-bounds', path: ['areas', at, 'bounds'] });
  });

const isInside = ({ x, y, width, height }: Bounds, imageHeight: number): boolean =>
  x >= 0 && y >= 0 && width >= 1 && height >= 1 && x + width <= imagemapWidth && y + height <= imageHeight;

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

/** What a shop gives, as it is filled in: the message is made of it. */
const coupon = z.strictObject({
  kind: z.literal('coupon'),
  alt,
  /** In which its own words and its date are written. */
  language: z.enum(['en', 'ja']),
  title: text(60),
  /** What it is worth, written largest. */
  discount: text(40),
  until: z.iso.date().nullable(),
  conditions: optionalText(400),
  /** How it is used: whoever pays shows it, or gives a code. */
  redeem: z.discriminatedUnion('by', [
    z.strictObject({ by: z.literal('screen') }),
    z.strictObject({ by: z.literal('code'), code: text(40) }),
  ]),
  button: z.strictObject({ label: buttonLabel, uri: lineUri }).nullable(),
  color: hexColor,
  picture: Picture.nullable(),
});

const flex = z
  .strictObject({ kind: z.literal('flex'), alt, contents: z.unknown() })
  .superRefine(({ contents }, issues) => {
    for (const { path, code } of checkFlex(contents))
      issues.addIssue({ code: 'custom', message: code, path: ['contents', ...path] });
  });

/** A rich message as it is drawn: all of it can be sent. */
export const RichDraft = z.discriminatedUnion('kind', [imagemap, cards, coupon, flex]);
export type RichDraft = z.output<typeof RichDraft>;
export type CardsDraft = z.output<typeof cards>;
export type CouponDraft = z.output<typeof coupon>;
