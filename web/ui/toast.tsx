import { Button, Group, Text } from '@mantine/core';
import { notifications, type NotificationData } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';

const undoMs = 8_000;
let actions = 0;

export const toast = {
  success: (message: string) => void notifications.show({ message, color: 'green' }),
  error: (message: string) => void notifications.show({ message, color: 'red', autoClose: 8_000 }),
  /** Says what was done and offers to take it back, for a while. Its name, by which it is hidden. */
  undo: (message: string, label: string, onUndo: () => void): string => toast.action(message, label, onUndo, undoMs),
  action(message: string, label: string, onAction: () => void, autoClose: number | false): string {
    const id = `action-${++actions}`;
    const shown: NotificationData & { id: string } = {
      id,
      autoClose,
      message: (
        <Group justify="space-between" wrap="nowrap">
          <Text size="sm">{message}</Text>
          <Button
            size="compact-sm"
            variant="light"
            style={{ flex: 'none' }}
            onClick={() => {
              notifications.hide(id);
              onAction();
            }}
          >
            {label}
          </Button>
        </Group>
      ),
      // The library waits for a pointer, but not for the focus.
      onFocusCapture: () => notifications.update({ ...shown, autoClose: false }),
      onBlurCapture: ({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) notifications.update(shown);
      },
    };
    notifications.show(shown);
    return id;
  },
};

export interface Undo {
  /** With `untilChanged` until the next change, which it would take back as well. */
  offer(message: string, back: () => void, how?: { untilChanged: boolean }): void;
  /** Something was changed. */
  changed(): void;
  withdraw(): void;
}

/** As `toast.undo`, for what can be taken back only where it was done: it is one at a time, and goes with its form. */
export function useUndo(): Undo {
  const { t } = useTranslation('common');
  const offered = useRef<{ id: string; untilChanged: boolean }>(undefined);
  const withdraw = () => {
    if (offered.current) notifications.hide(offered.current.id);
    offered.current = undefined;
  };
  useEffect(() => withdraw, []);
  return {
    withdraw,
    changed() {
      if (offered.current?.untilChanged) withdraw();
    },
    offer(message, back, { untilChanged } = { untilChanged: false }) {
      withdraw();
      offered.current = { id: toast.undo(message, t('undo'), back), untilChanged };
    },
  };
}
