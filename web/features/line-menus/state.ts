import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import type { StateKind } from '../../ui/page.tsx';

/** What a maker should know of a menu, in words. */
export function stateOf(menu: RichMenu): { kind: StateKind; text: KeyIn<'line-menus'> } {
  const { state, published } = menu;
  if (state === 'failed') return { kind: 'failed', text: published ? 'state.failedLive' : 'state.failed' };
  if (state === 'publishing') return { kind: 'working', text: 'state.publishing' };
  if (state === 'waiting') return { kind: 'working', text: 'state.waiting' };
  if (state === 'draft' || !published) return { kind: 'draft', text: 'state.draft' };
  if (published.changed) return { kind: 'warning', text: 'state.changed' };
  const phase = phaseOf(menu);
  if (phase === 'before') return { kind: 'draft', text: 'state.scheduled' };
  return phase === 'after' ? { kind: 'off', text: 'state.over' } : { kind: 'live', text: 'state.live' };
}

/** Where now is in the time for which a menu is shown. */
function phaseOf({ from, to }: Pick<RichMenu, 'from' | 'to'>): 'before' | 'during' | 'after' {
  const now = Date.now();
  if (from && now < Date.parse(from)) return 'before';
  return to && Date.parse(to) <= now ? 'after' : 'during';
}

/** What everybody sees now who has no menu of their own: one of a season, or else the usual one. */
export function defaultNow(menus: RichMenu[]): RichMenu | undefined {
  const shown = menus.filter((menu) => menu.default && menu.published && phaseOf(menu) === 'during');
  return shown.find(({ from, to }) => from ?? to) ?? shown[0];
}

/** Something that LINE has, or is to have. */
export const isOnLine = ({ published, state }: RichMenu) =>
  published !== null || state === 'publishing' || state === 'waiting';

export type ActionType = MenuAction['type'] | 'call';
/** In the order in which most menus need them. */
export const actionTypes = [
  'uri',
  'call',
  'message',
  'postback',
  'datetimepicker',
  'richmenuswitch',
  'clipboard',
] as const;

/** What is written of an action in a list; nothing where it has no words yet. */
export function detailOf(action: MenuAction, nameOf: (menu: string) => string | undefined): string {
  switch (action.type) {
    case 'uri':
      return action.uri.replace(/^(?:https?:\/\/|tel:)/, '');
    case 'message':
      return action.text;
    case 'postback':
      return action.displayText || action.data;
    case 'datetimepicker':
      return action.data;
    case 'richmenuswitch':
      return nameOf(action.menu) ?? '';
    case 'clipboard':
      return action.clipboardText;
  }
}
