import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './code-box.module.css';

interface Props {
  label: string;
  code: string;
  copyLabel: string;
  copiedLabel: string;
  /** Copying it is what the place is for. */
  isMain?: boolean;
  /** What else can be done with it. */
  children?: ReactNode;
}

/** Lines of a program to take along. */
export function CodeBox({ label, code, copyLabel, copiedLabel, isMain = false, children }: Props) {
  const { t } = useTranslation('common');
  return (
    <div className={classes['code']}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <div>
        <CopyButton value={code}>
          {({ copied, copy }) => (
            <Button
              size="xs"
              variant={isMain ? 'filled' : 'default'}
              leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
              aria-label={copied ? copiedLabel : copyLabel}
              onClick={copy}
            >
              {copied ? copiedLabel : t('copy')}
            </Button>
          )}
        </CopyButton>
        {children}
      </div>
    </div>
  );
}
