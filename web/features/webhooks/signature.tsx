import { Code, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Trans } from 'react-i18next';
import type { KeyIn } from '../../../shared/texts.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { snippets, type Language } from './snippets.ts';

/** How a program knows that a request is ours: what stands here runs as it is. */
export function Signature() {
  const { t } = useTranslation('webhooks');
  const [language, setLanguage] = useState<Language>('node');
  return (
    <Stack gap="xs" pt="sm">
      <Text size="sm">
        <Trans
          ns="webhooks"
          i18nKey={'detail.signatureText' satisfies KeyIn<'webhooks'>}
          components={{ code: <Code /> }}
        />
      </Text>
      <Group justify="space-between">
        <Segments
          label={t('detail.signature')}
          value={language}
          options={[
            { value: 'node', label: 'Node.js' },
            { value: 'python', label: 'Python' },
          ]}
          onChange={setLanguage}
        />
        <CopyButton value={snippets[language]} label={t('common:copy')} copiedLabel={t('common:copied')} />
      </Group>
      <Code
        block
        tabIndex={0}
        role="region"
        aria-label={language === 'node' ? 'Node.js' : 'Python'}
        style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
      >
        {snippets[language]}
      </Code>
      <Text size="xs" c="dimmed">
        <Trans ns="webhooks" i18nKey={'detail.retries' satisfies KeyIn<'webhooks'>} components={{ code: <Code /> }} />
      </Text>
    </Stack>
  );
}
