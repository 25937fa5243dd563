import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import classes from './answer-text.module.css';

export function CodeBlock({ language, text, children }: { language: string; text: string; children: ReactNode }) {
  const { t } = useTranslation('conversations');
  return (
    <figure className={classes['code']} aria-label={language ? t('code.of', { language }) : t('code.label')}>
      <figcaption className={classes['codeHead']}>
        <Text size="xs" c="dimmed" truncate>
          {language || t('code.label')}
        </Text>
        <CopyButton value={text} label={t('code.copy')} copiedLabel={t('common:copied')} />
      </figcaption>
      <pre className={classes['codeText']} tabIndex={0}>
        {children}
      </pre>
    </figure>
  );
}
