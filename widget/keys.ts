import { useEffect } from 'react';

/** Keys wherever the focus is. What is opened listens on the document, and hears them before the page, which listens on the window. */
export function useKeys(hear: (event: KeyboardEvent) => void, place: Document | Window = document): void {
  useEffect(() => {
    // A border: the two have this event in common, and TypeScript no name for it.
    const listen = hear as EventListener;
    place.addEventListener('keydown', listen);
    return () => place.removeEventListener('keydown', listen);
  });
}
