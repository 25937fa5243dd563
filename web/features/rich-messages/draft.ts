import { imagemapAreas, toLineMessage, type RichKind } from '../../../shared/rich-line.ts';
import type {
  Card,
  CardAction,
  CardsDraft,
  CouponDraft,
  ImagemapAction,
  Picture,
  RichDraft,
} from '../../../shared/rich-message.ts';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import { lineUriForm } from '../../../shared/line-uri.ts';
import type { Bounds } from '../../../shared/menu-layout.ts';
import { ghost, ghostPicture } from './ghosts.ts';

export interface AreaEdit {
  bounds: Bounds;
  action: ImagemapAction;
}
export interface ImagemapEdit {
  kind: 'imagemap';
  alt: string;
  picture: Picture | null;
  areas: AreaEdit[];
}
export interface FlexEdit {
  kind: 'flex';
  alt: string;
  /** As it is typed. */
  source: string;
}
/** A draft while it is made: not all of it has to be there yet. */
export type Edit = ImagemapEdit | CardsDraft | CouponDraft | FlexEdit;

export const emptyAction: ImagemapAction & CardAction = { type: 'uri', label: '', uri: '' };
export const emptyCard: Card = { picture: null, title: '', text: '', facts: [], buttons: [] };

const emptyBubble = {
  type: 'bubble',
  body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: 'Hello', weight: 'bold', size: 'xl' }] },
};

export function emptyEdit(kind: RichKind, language: Locale): Edit {
  if (kind === 'imagemap') return { kind, alt: '', picture: null, areas: [] };
  if (kind === 'cards')
    return { kind, alt: '', ratio: 'wide', color: '#0a6b3d', cards: [structuredClone(emptyCard)], more: null };
  if (kind === 'coupon')
    return {
      kind,
      alt: '',
      language,
      title: '',
      discount: '',
      until: null,
      conditions: '',
      redeem: { by: 'screen' },
      button: null,
      color: '#b42318',
      picture: null,
    };
  return { kind, alt: '', source: written(emptyBubble) };
}

const written = (contents: unknown): string => JSON.stringify(contents, null, 2);

export const toEdit = (draft: RichDraft): Edit =>
  draft.kind === 'flex' ? { kind: 'flex', alt: draft.alt, source: written(draft.contents) } : draft;

/** What is written, or where it is not JSON, as far as the browser's parser says so. */
export function readFlex(source: string): { contents: unknown; fault?: { line: string; column: string } | 'anywhere' } {
  try {
    return { contents: JSON.parse(source) };
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
    return { contents: undefined, fault: line && column ? { line, column } : 'anywhere' };
  }
}

/** As it would be sent, however much of it is there. */
export function toDraft(edit: Edit): unknown {
  if (edit.kind === 'imagemap')
    return { ...edit, areas: edit.areas.map((area) => ({ ...area, action: whole(area.action) })) };
  if (edit.kind === 'cards')
    return {
      ...edit,
      cards: edit.cards.map((card) => ({
        ...card,
        buttons: card.buttons.map((button) => ({ ...button, action: whole(button.action) })),
      })),
      more: edit.more && whole(edit.more),
    };
  if (edit.kind === 'coupon')
    return { ...edit, button: edit.button && { ...edit.button, uri: completed(edit.button.uri) } };
  return { kind: 'flex', alt: edit.alt, contents: readFlex(edit.source).contents };
}

const whole = <T extends Tap>(tap: T): T => (tap.type === 'uri' ? { ...tap, uri: completed(tap.uri) } : tap);

const here = (image: string) => `/line/image/${image}`;

type Tap = ImagemapAction | CardAction;

/** A host and what follows it, with nothing before it. */
const bare = /^[\p{L}\p{N}-]+(\.[\p{L}\p{N}-]+)*\.\p{L}{2,}(:\d+)?([/?#]\S*)?$/u;

/** As it is meant: a host alone is a page. */
export const completed = (uri: string): string => (bare.test(uri.trim()) ? `https://${uri.trim()}` : uri);

export const isLink = (uri: string): boolean => lineUriForm.test(completed(uri).trim());

/** It leads nowhere yet, or says nothing. */
export const isBlank = (tap: Tap | null): boolean =>
  (tap?.type === 'uri' && !isLink(tap.uri)) ||
  (tap?.type === 'message' && tap.text.trim() === '') ||
  (tap?.type === 'clipboard' && tap.clipboardText.trim() === '');

/** How many taps do nothing yet, since only the maker knows what. */
export function countBlank(edit: Edit): number {
  if (edit.kind === 'flex') return 0;
  if (edit.kind === 'coupon') return edit.button && !isLink(edit.button.uri) ? 1 : 0;
  const taps =
    edit.kind === 'imagemap' ? edit.areas.map(({ action }) => action) : [edit.more, ...edit.cards.flatMap(tapsOf)];
  return taps.filter(isBlank).length;
}

const tapsOf = ({ buttons }: Card): CardAction[] => buttons.map(({ action }) => action);
export const hasBlank = (card: Card): boolean => tapsOf(card).some(isBlank);

/** As LINE draws what is stored; its pictures come from here. */
export const lineOf = (draft: RichDraft) => toLineMessage(draft, here);

/** What a message without a name may be called: what it says first. */
export const proposeName = (edit: Edit): string =>
  [
    ...(edit.kind === 'cards' ? edit.cards.map(({ title }) => title) : []),
    ...(edit.kind === 'coupon' ? [edit.discount, edit.title] : []),
    edit.alt,
  ]
    .map((each) =>
      each
        .trim()
        .slice(0, 80)
        .replace(/[\uD800-\uDBFF]$/, ''),
    )
    .find((each) => each !== '') ?? '';

/** What stands in the preview where nothing has been filled in. */
type GhostWords = Record<'title' | 'text' | 'name' | 'value' | 'offer' | 'about' | 'code', string>;

/** As LINE would draw it, with ghosts for what is still empty, and for pictures; nothing where it cannot be read. */
export function lineOfEdit(edit: Edit, words: GhostWords): unknown {
  if (edit.kind === 'imagemap') return lineOf({ ...edit, picture: edit.picture ?? ghostPicture });
  if (edit.kind === 'cards') return lineOf({ ...edit, cards: edit.cards.map((card) => withGhosts(card, words)) });
  if (edit.kind === 'coupon') {
    const { discount, title, redeem } = edit;
    return lineOf({
      ...edit,
      discount: discount || ghost(words.offer),
      title: title || ghost(words.about),
      redeem: redeem.by === 'code' ? { by: 'code', code: redeem.code || ghost(words.code) } : redeem,
    });
  }
  const { contents } = readFlex(edit.source);
  return contents === undefined ? undefined : { type: 'flex', altText: edit.alt, contents };
}

function withGhosts(card: Card, words: GhostWords): Card {
  const { picture, title, text, facts, buttons } = card;
  const isEmpty = !picture && !title && !text && facts.length + buttons.length === 0;
  if (isEmpty) return { ...card, picture: ghostPicture, title: ghost(words.title), text: ghost(words.text) };
  return {
    ...card,
    facts: facts.map(({ name, value }) => ({ name: name || ghost(words.name), value: value || ghost(words.value) })),
  };
}

export const layoutAreas = (...given: Parameters<typeof imagemapAreas>): AreaEdit[] =>
  imagemapAreas(...given).map((bounds) => ({ bounds, action: { ...emptyAction } }));
