import { Menu, Popover, type MenuProps, type PopoverProps } from '@mantine/core';
import { useEffect, useState } from 'react';

const place = <span style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }} aria-hidden />;

/** Whoever closes it is where they were; who has gone elsewhere stays there. */
export function useReturnedFocus(): void {
  const [former] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (document.activeElement === document.body && former instanceof HTMLElement)
        former.focus({ preventScroll: true });
    },
    [former],
  );
}

interface AnchoredPopoverProps extends PopoverProps {
  label: string;
}

export function AnchoredPopover({ label, children, ...rest }: AnchoredPopoverProps) {
  useReturnedFocus();
  return (
    <Popover opened shadow="md" withinPortal withRoles={false} {...rest}>
      <Popover.Target>{place}</Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

interface AnchoredMenuProps extends MenuProps {
  label: string;
  onClose(): void;
}

/** An open menu over the element it stands in, which has to be positioned. */
export function AnchoredMenu({ label, children, onClose, ...rest }: AnchoredMenuProps) {
  useReturnedFocus();
  return (
    <Menu opened shadow="md" withinPortal onChange={(opened) => opened || onClose()} {...rest}>
      <Menu.Target>{place}</Menu.Target>
      <Menu.Dropdown aria-label={label} mah="min(600px, 100dvh - 88px)" style={{ overflowY: 'auto' }}>
        {children}
      </Menu.Dropdown>
    </Menu>
  );
}
