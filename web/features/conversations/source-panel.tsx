import { Loader } from '@mantine/core';
import { lazy, Suspense } from 'react';
import type { Citation } from '../../../shared/contracts/conversations.ts';
import { Drawer } from '../../ui/overlays.tsx';

const Source = lazy(() => import('./source.tsx'));

/** The document that an answer cites, opened at the passage. */
export function SourcePanel({ citation, onClose }: { citation: Citation | undefined; onClose(): void }) {
  return (
    <Drawer
      opened={citation !== undefined}
      onClose={onClose}
      position="right"
      size="xl"
      title={citation?.document.name}
      styles={{ title: { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } }}
    >
      <Suspense fallback={<Loader mx="auto" my="xl" />}>
        {citation && <Source key={citation.embedding} citation={citation} />}
      </Suspense>
    </Drawer>
  );
}
