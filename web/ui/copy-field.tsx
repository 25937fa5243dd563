import { Button, CopyButton, Group, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface Props {
  label: string;
  description?: string;
  value: string;
  copyLabel: string;
  copiedLabel: string;
}

/** Something long to take along: the whole is chosen at once, by hand or by the button. */
export function CopyField({ label, description, value, copyLabel, copiedLabel }: Props) {
  return (
    <Group gap="xs" align="flex-end" wrap="nowrap">
      <TextInput label={label} description={description} value={value} readOnly onFocus={(event) => event.currentTarget.select()} style={{ flex: 1, minWidth: 0 }} styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', textOverflow: 'ellipsis' } }} />
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button onClick={copy} variant={copied ? 'light' : 'filled'} leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />} style={{ flex: 'none' }} aria-live="polite">
            {copied ? copiedLabel : copyLabel}
          </Button>
        )}
      </CopyButton>
    </Group>
  );
}
