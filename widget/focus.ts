import { useEffect, type RefObject } from 'react';
import { useWidget } from './context.ts';

/** Whoever opens the chat writes at once: only where they have just done so, and where no keyboard comes over what they would read. */
export function useFocus(field: RefObject<HTMLElement | null>): void {
  const { host } = useWidget();
  useEffect(() => {
    const focus = () => {
      if (host.now().isOpen && document.hasFocus() && matchMedia('(pointer: fine)').matches) field.current?.focus();
    };
    focus();
    const leave = host.on((kind) => kind === 'shown' && setTimeout(focus));
    return () => leave();
  }, [host, field]);
}
