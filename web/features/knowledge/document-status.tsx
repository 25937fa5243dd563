import { Badge, Progress, Stack, Text, Tooltip } from '@mantine/core';
import type { Document } from '../../../shared/contracts/knowledge.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { isBusy } from './knowledge.queries.ts';

const colors: Record<Document['status'], string> = {
  queued: 'gray',
  parsing: 'blue',
  chunking: 'blue',
  embedding: 'blue',
  indexed: 'green',
  'indexed-with-warnings': 'yellow',
  failed: 'red',
  canceled: 'gray',
};

/** Where a document stands: a bar while it is on its way, then a word, and what went wrong. */
export function DocumentStatus({ document }: { document: Document }) {
  const { t } = useTranslation('knowledge');
  if (isBusy(document)) {
    return (
      <Stack gap={4} miw={120}>
        <Text size="xs" c="dimmed">
          {t(`status.${document.status}`)}{' '}
          {document.status === 'queued' ? '' : `${Math.round(document.progress * 100)}%`}
        </Text>
        <Progress
          value={document.status === 'queued' ? 0 : Math.max(3, document.progress * 100)}
          size="sm"
          color="green.5"
          aria-label={t('status.label', { name: document.name })}
        />
      </Stack>
    );
  }
  const warning =
    document.pagesWithoutText.length > 0
      ? t('status.pagesWithoutText', { pages: document.pagesWithoutText.slice(0, 10).join(', ') })
      : undefined;
  const badge = (
    <Badge variant="light" color={colors[document.status]} tabIndex={document.error || warning ? 0 : undefined}>
      {document.enabled || document.status === 'failed' ? t(`status.${document.status}`) : t('status.disabled')}
    </Badge>
  );
  const hint = document.error?.message ?? warning;
  return hint ? (
    <Tooltip label={hint} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
      {badge}
    </Tooltip>
  ) : (
    badge
  );
}
