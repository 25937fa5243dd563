import { ActionIcon, Group, Loader } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { Citation, Message } from '../../../shared/contracts/conversations.ts';
import { useTranslation } from '../../lib/i18n.ts';
import { SidePanel } from '../../ui/side-panel.tsx';
import { messagesIn, useMessages } from './conversations.queries.ts';
import { useSource } from './use-source.ts';

const Source = lazy(() => import('./source.tsx'));

/** For a conversation with a bot. */
export function SourcePanel({ thread }: { thread: string | undefined }) {
  const messages = useMessages(thread);
  return <CitedPanel messages={messagesIn(messages.data?.pages ?? [])} />;
}

/** The documents that an answer cites, opened at a passage beside the answer, with the way to its other passages. */
export function CitedPanel({ messages }: { messages: Pick<Message, 'citations'>[] }) {
  const { t } = useTranslation('conversations');
  const { place, open, close } = useSource();
  const citing = (isIt: (citation: Citation) => boolean) =>
    messages.findLast((message) => message.citations.some(isIt));
  // Of several answers that cite a passage it is the one with the words that were pressed.
  const answer =
    citing(({ embedding, quote }) => embedding === place?.chunk && quote === place.quote) ??
    citing(({ embedding }) => embedding === place?.chunk);
  const citations = answer?.citations ?? [];
  const at = citations.findIndex(({ embedding }) => embedding === place?.chunk);
  const step = (by: 1 | -1) => {
    const citation = citations[at + by];
    return (
      <ActionIcon
        variant="transparent"
        color="gray"
        aria-label={t(by < 0 ? 'citation.previous' : 'citation.next')}
        disabled={!citation}
        onClick={() => citation && open(citation)}
      >
        {by < 0 ? <IconChevronLeft size={16} /> : <IconChevronRight size={16} />}
      </ActionIcon>
    );
  };
  return (
    <SidePanel
      opened={place !== undefined}
      onClose={close}
      title={t('citation.sources')}
      count={citations.length}
      end={
        citations.length > 1 && (
          <Group gap={2} wrap="nowrap" fz={13} c="var(--ink-3)" style={{ fontVariantNumeric: 'tabular-nums' }}>
            {step(-1)}
            <span aria-live="polite">{t('branch.of', { number: at + 1, count: citations.length })}</span>
            {step(1)}
          </Group>
        )
      }
    >
      {place && (
        <Suspense fallback={<Loader mx="auto" my="xl" />}>
          <Source place={place} citations={citations} citation={citations[at]} onOpen={open} />
        </Suspense>
      )}
    </SidePanel>
  );
}
