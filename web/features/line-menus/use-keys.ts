import { useEffect, useEffectEvent, type RefObject } from 'react';

/** Keys for a surface that is drawn, which the page knows as no control of its own. */
export function useKeys(surface: RefObject<HTMLElement | null>, onKey: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKey);
  useEffect(() => {
    const element = surface.current;
    const listen = (event: KeyboardEvent) => press(event);
    element?.addEventListener('keydown', listen);
    return () => element?.removeEventListener('keydown', listen);
  }, [surface]);
}
