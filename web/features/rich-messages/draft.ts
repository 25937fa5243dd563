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

/** What is written, and what is wrong with it: the words of the browser's parser name line and column. */
export function readFlex(source: string): { contents: unknown; error?: string } {
  try {
    return { contents: JSON.parse(source) };
  } catch (error) {
    return { contents: undefined, error: error instanceof Error ? error.message : '' };
  }
}

/** As it would be sent, however much of it is there. */
export function toDraft(edit: Edit): unknown {
  if (edit.kind === 'imagemap')
    return { ...edit, areas: edit.areas.map((area) => ({ ...area, action: whole(area.action) })) };
  if (edit.kind !== 'flex') return edit;
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

/** As LINE would draw what is there; nothing where there is nothing to draw. */
export function lineOfEdit(edit: Edit): unknown {
  if (edit.kind === 'imagemap') return edit.picture ? lineOf({ ...edit, picture: edit.picture }) : undefined;
  if (edit.kind !== 'flex') return lineOf(edit);
  const { contents } = readFlex(edit.source);
  return contents === undefined ? undefined : { type: 'flex', altText: edit.alt, contents };
}

export const layoutAreas = (...given: Parameters<typeof imagemapAreas>): AreaEdit[] =>
  imagemapAreas(...given).map((bounds) => ({ bounds, action: { ...emptyAction } }));
