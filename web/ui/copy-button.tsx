import { ActionIcon, CopyButton as MantineCopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';

export function CopyButton({ value, label, copiedLabel }: { value: string; label: string; copiedLabel: string }) {
  return (
    <MantineCopyButton value={value}>
      {({ copied, copy }) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={copy}
          aria-label={copied ? copiedLabel : label}
          title={copied ? copiedLabel : label}
        >
          {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
        </ActionIcon>
      )}
    </MantineCopyButton>
  );
}
