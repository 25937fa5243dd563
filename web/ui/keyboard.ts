import type { KeyboardEvent as ReactKeyboardEvent } from 'react';

/** True while an input method is composing: its Enter chooses characters and must not send. Safari tells it only by 229. */
export const isComposingNow = (event: KeyboardEvent) => event.isComposing || event.keyCode === 229;

export const isComposing = ({ nativeEvent }: ReactKeyboardEvent) => isComposingNow(nativeEvent);
