import type { DrawerProps, ModalProps } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';

const MantineModal = lazy(async () => ({ default: (await import('./mantine-overlays.ts')).Modal }));
const MantineDrawer = lazy(async () => ({ default: (await import('./mantine-overlays.ts')).Drawer }));

/** Mantine's, loaded when it is first opened: a conversation is shown without the eight kilobytes that its dialogs need. */
export function Modal(props: ModalProps) {
  return useHasOpened(props.opened) ? <Suspense><MantineModal {...props} /></Suspense> : null;
}

export function Drawer(props: DrawerProps) {
  return useHasOpened(props.opened) ? <Suspense><MantineDrawer {...props} /></Suspense> : null;
}

/** What was opened once stays, so that it can close as it should. */
function useHasOpened(opened: boolean): boolean {
  const [hasOpened, setHasOpened] = useState(opened);
  if (opened && !hasOpened) setHasOpened(true);
  return hasOpened || opened;
}
