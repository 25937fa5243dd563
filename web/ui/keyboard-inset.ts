import { useSyncExternalStore } from 'react';

const subscribe = (listen: () => void) => {
  const viewport = window.visualViewport;
  viewport?.addEventListener('resize', listen);
  viewport?.addEventListener('scroll', listen);
  return () => {
    viewport?.removeEventListener('resize', listen);
    viewport?.removeEventListener('scroll', listen);
  };
};

/** Less than this is the browser's own bar, or a pinch. */
const minKeyboard = 120;

function covered(): number {
  const viewport = window.visualViewport;
  if (!viewport || viewport.scale !== 1) return 0;
  const height = Math.round(window.innerHeight - viewport.height - viewport.offsetTop);
  return height < minKeyboard ? 0 : height;
}

/** How many pixels an on-screen keyboard covers, where the browser draws it over the page (Safari on iOS) instead of making the page smaller. */
export const useKeyboardInset = (): number => useSyncExternalStore(subscribe, covered);
