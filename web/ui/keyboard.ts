import type { KeyboardEvent } from 'react';

/** True while an input method is composing: its Enter chooses characters and must not send. Safari tells it only by 229. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.nativeEvent.isComposing || event.nativeEvent.keyCode === 229;
}
