import type { Channel } from '../channel.ts';

/** The widget: its page is told over its own connection, and fetches what it missed. */
export const web: Channel = { kind: 'web', maxTogether: 1, send: null };
