import { Button, Group, Text } from '@mantine/core';

interface Props {
  submit: string;
  cancel: string;
  isBusy: boolean;
  disabled?: boolean;
  /** It takes something away from others. */
  isGrave?: boolean;
  /** What went wrong and belongs to no field. */
  error?: string | undefined;
  onClose(): void;
}

/** The end of a form in a dialog. */
export function FormActions({ submit, cancel, isBusy, disabled = false, isGrave = false, error, onClose }: Props) {
  return (
    <>
      {error && (
        <Text size="sm" c="red" role="alert">
          {error}
        </Text>
      )}
      <Group justify="flex-end" gap="xs" data-form-end>
        <Button variant="default" onClick={onClose}>
          {cancel}
        </Button>
        <Button type="submit" loading={isBusy} disabled={disabled} {...(isGrave && { color: 'red' })}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
