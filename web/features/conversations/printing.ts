import type { ComponentType } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { createStore } from '../../lib/store.ts';

/** What a conversation has on paper beside what it has on the screen; set while it is printed. */
export const printing = createStore<
  | {
      Head: ComponentType<{ bot: string; title: string; createdAt: string }>;
      Quotes: ComponentType<{ citations: Citation[] }>;
    }
  | undefined
>(undefined);
