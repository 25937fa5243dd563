import { Button, Group, Text } from '@mantine/core';
import { Modal } from './overlays.tsx';

interface Props {
  opened: boolean;
  title: string;
  text: string;
  confirm: string;
  cancel: string;
  loading?: boolean;
  /** It destroys nothing. */
  isHarmless?: boolean;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before what cannot be undone, or has to be known before it is done. */
export function ConfirmDialog({
  opened,
  title,
  text,
  confirm,
  cancel,
  loading = false,
  isHarmless = false,
  onConfirm,
  onClose,
}: Props) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} centered>
      <Text size="sm">{text}</Text>
      <Group justify="flex-end" mt="lg" gap="xs">
        <Button variant="default" onClick={onClose} data-autofocus>
          {cancel}
        </Button>
        <Button {...(!isHarmless && { color: 'red.8' })} onClick={onConfirm} loading={loading}>
          {confirm}
        </Button>
      </Group>
    </Modal>
  );
}
