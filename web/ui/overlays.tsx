import type { DrawerProps, ModalProps } from '@mantine/core';
import { useState } from 'react';
import { later } from './later.tsx';

const MantineModal = later(async () => (await import('./mantine-overlays.ts')).Modal);
const MantineDrawer = later(async () => (await import('./mantine-overlays.ts')).Drawer);

/** Mantine's, loaded when it is first opened: a conversation is shown without the eight kilobytes that its dialogs need. */
export function Modal(props: ModalProps) {
  return useHasOpened(props.opened) ? <MantineModal {...props} onFail={props.onClose} /> : null;
}

export function Drawer(props: DrawerProps) {
  const fail = () => {
    props.onClose();
    props.onExitTransitionEnd?.();
  };
  return useHasOpened(props.opened) ? <MantineDrawer {...props} onFail={fail} /> : null;
}

/** What was opened once stays, so that it can close as it should. */
function useHasOpened(opened: boolean): boolean {
  const [hasOpened, setHasOpened] = useState(opened);
  if (opened && !hasOpened) setHasOpened(true);
  return hasOpened || opened;
}
