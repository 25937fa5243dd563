import { Button, Group, Text } from '@mantine/core';
import { notifications, type NotificationData } from '@mantine/notifications';

const undoMs = 8_000;
let actions = 0;

export const toast = {
  success: (message: string) => void notifications.show({ message, color: 'green' }),
  error: (message: string) => void notifications.show({ message, color: 'red', autoClose: 8_000 }),
  /** Stays until somebody closes it. */
  lasting: (message: string) => void notifications.show({ message, color: 'red', autoClose: false }),
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
