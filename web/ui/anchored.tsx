import { useState } from 'react';
import { later } from './later.tsx';

/** An open popover over the element it stands in, which has to be positioned. Where a screen has many, the closed ones cost nothing. */
export const AnchoredPopover = later(async () => (await import('./floating.tsx')).AnchoredPopover);

/** For the button that opens one: what closes it from outside must not see the press that the button itself answers. */
export const keepsOpen = {
  onMouseDown: (event: { stopPropagation(): void }) => event.stopPropagation(),
  onTouchStart: (event: { stopPropagation(): void }) => event.stopPropagation(),
};

/** A button and what it opens beside itself. */
export function useOpener(opens: 'menu' | 'dialog') {
  const [isOpen, setIsOpen] = useState(false);
  return {
    isOpen,
    close: () => setIsOpen(false),
    button: {
      'aria-haspopup': opens,
      'aria-expanded': isOpen,
      onClick: () => setIsOpen(!isOpen),
      ...keepsOpen,
    } as const,
  };
}
