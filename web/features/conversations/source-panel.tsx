import { Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { useTranslation } from '../../lib/i18n.ts';
import { SidePanel } from '../../ui/side-panel.tsx';
import { messagesIn, useMessages } from './conversations.queries.ts';
import { useSource } from './use-source.ts';

const Source = lazy(() => import('./source.tsx'));

/** The document that an answer cites, opened at the passage beside the answer. */
export function SourcePanel({ thread }: { thread: string | undefined }) {
  const { t } = useTranslation('conversations');
  const { place, close } = useSource();
  const messages = useMessages(thread);
  const citation = messagesIn(messages.data?.pages ?? [])
    .flatMap(({ citations }) => citations)
    .findLast(({ embedding }) => embedding === place?.chunk);
  return (
    <SidePanel opened={place !== undefined} onClose={close} title={citation?.document.name ?? t('citation.source')}>
      {place && (
        <Suspense fallback={<Loader mx="auto" my="xl" />}>
          <Source key={place.chunk} place={place} citation={citation} />
        </Suspense>
      )}
    </SidePanel>
  );
}
