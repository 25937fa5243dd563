import type { RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuAction } from '../../../shared/line-menu.ts';
import type { KeyIn } from '../../../shared/texts.ts';
import type { StateKind } from '../../ui/page.tsx';

/** What a maker should know of a menu, in words. */
export function stateOf({ state, published }: RichMenu): { kind: StateKind; text: KeyIn<'line-menus'> } {
  if (state === 'failed') return { kind: 'failed', text: published ? 'state.failedLive' : 'state.failed' };
  if (state === 'publishing') return { kind: 'working', text: 'state.publishing' };
  if (state === 'waiting') return { kind: 'working', text: 'state.waiting' };
  if (state === 'draft' || !published) return { kind: 'draft', text: 'state.draft' };
  return published.changed ? { kind: 'warning', text: 'state.changed' } : { kind: 'live', text: 'state.live' };
}

/** Something that LINE has, or is to have. */
export const isOnLine = ({ published, state }: RichMenu) =>
  published !== null || state === 'publishing' || state === 'waiting';

export type ActionType = MenuAction['type'];
/** In the order in which most menus need them. */
export const actionTypes = ['uri', 'message', 'postback', 'datetimepicker', 'richmenuswitch', 'clipboard'] as const;

/** What is written of an action in a list; nothing where it has no words yet. */
export function detailOf(action: MenuAction, nameOf: (menu: string) => string | undefined): string {
  switch (action.type) {
    case 'uri':
      return action.uri.replace(/^https?:\/\//, '');
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
