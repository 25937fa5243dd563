import type { WebChannel } from '../../../shared/contracts/web-channels.ts';
import type { StateKind } from '../../ui/page.tsx';

export type ChannelState = 'off' | 'unpublished' | 'unseen' | 'live';

/** What a maker should know first. */
export function stateOf({ active, bot, seenAt }: WebChannel): ChannelState {
  if (!active) return 'off';
  if (bot && !bot.published) return 'unpublished';
  return seenAt ? 'live' : 'unseen';
}

export const stateKinds: Record<ChannelState, StateKind> = {
  off: 'off',
  unpublished: 'warning',
  unseen: 'warning',
  live: 'live',
};

/** Where the widget stands by itself: also what the preview shows. */
export const frameOf = ({ uuid, bot }: Pick<WebChannel, 'uuid' | 'bot'>): string =>
  `/Bot/${bot?.uuid ?? '-'}/chat_embed?channel=${uuid}`;
