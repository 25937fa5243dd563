import { useQueries } from '@tanstack/react-query';
import { knowledge, type KnownLabel } from '../../shared/contracts/knowledge.ts';
import { call } from './api.ts';

/** Tags and fields that documents of these bases have, the most frequent first. */
export const useKnownLabels = (bases: string[]): KnownLabel[] =>
  useQueries({
    queries: bases.map((uuid) => ({
      queryKey: ['knowledges', uuid, 'labels'],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await call(knowledge.labels, { params: { uuid }, signal })).data,
    })),
    combine: (found) => found.flatMap(({ data }) => data ?? []),
  });
