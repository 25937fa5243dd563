import { createContext, useContext, useSyncExternalStore } from 'react';
import type { EmbedSetting } from '../shared/contracts/visitors.ts';
import type { Conversation, State } from './conversation.ts';
import type { Host } from './host.ts';
import type { Language } from './language.ts';
import type { Say } from './texts.ts';

export interface Widget {
  conversation: Conversation;
  host: Host;
  setting: EmbedSetting;
  language: Language;
  say: Say;
  /** Stands in a bubble beside the page, and can be closed. */
  isBubble: boolean;
}

// A border: everything that asks is drawn inside of a provider.
export const WidgetContext = createContext<Widget>(undefined as unknown as Widget);
export const useWidget = (): Widget => useContext(WidgetContext);

export function useConversation(): State {
  const { conversation } = useWidget();
  return useSyncExternalStore(conversation.subscribe, conversation.state);
}
