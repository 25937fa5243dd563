import { Button, CopyButton } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import classes from './code-box.module.css';

interface Props {
  label: string;
  code: string;
  copyLabel: string;
  copiedLabel: string;
}

/** Lines of a program to take along. */
export function CodeBox({ label, code, copyLabel, copiedLabel }: Props) {
  const { t } = useTranslation('common');
  return (
    <div className={classes['code']}>
      <pre tabIndex={0} role="region" aria-label={label}>
        {code}
      </pre>
      <CopyButton value={code}>
        {({ copied, copy }) => (
          <Button
            size="xs"
            variant="default"
            leftSection={copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            aria-label={copied ? copiedLabel : copyLabel}
            onClick={copy}
          >
            {copied ? copiedLabel : t('copy')}
          </Button>
        )}
      </CopyButton>
    </div>
  );
}
