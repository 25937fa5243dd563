import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './copy-text.module.css';

interface Props {
  value: string;
  copyLabel: string;
  copiedLabel: string;
  /** One of many on the screen, or not what the screen is for. */
  quiet?: true | undefined;
}

/** Takes a text along, and says so without becoming wider. */
export function CopyText({ value, copyLabel, copiedLabel, quiet }: Props) {
  return (
    <CopyButton value={value}>
      {({ copied, copy }) => (
        <Button
          onClick={copy}
          variant={copied ? 'light' : quiet ? 'default' : 'filled'}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          className={classes['copy'] ?? ''}
          data-other={copied ? copyLabel : copiedLabel}
          aria-live="polite"
        >
          {copied ? copiedLabel : copyLabel}
        </Button>
      )}
    </CopyButton>
  );
}
