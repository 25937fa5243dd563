import { Popover, type PopoverProps } from '@mantine/core';

/** An open popover over the element it stands in, which has to be positioned. Where a screen has many, the closed ones cost nothing. */
export function AnchoredPopover({ label, children, ...rest }: PopoverProps & { label: string }) {
  return (
    <Popover opened shadow="md" withinPortal withRoles={false} {...rest}>
      <Popover.Target>
        <span style={{ position: 'absolute', inset: 0, pointerEvents: 'none' }} aria-hidden />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={label}>
        {children}
      </Popover.Dropdown>
    </Popover>
  );
}

/** For the button that opens one: what closes it from outside must not see the press that the button itself answers. */
export const keepsOpen = { onMouseDown: (event: { stopPropagation(): void }) => event.stopPropagation(), onTouchStart: (event: { stopPropagation(): void }) => event.stopPropagation() };
