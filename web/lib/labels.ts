import { useQuery } from '@tanstack/react-query';
import { knowledge, type KnownLabel } from '../../shared/contracts/knowledge.ts';
import { call } from './api.ts';

const none: KnownLabel[] = [];

/** Tags and fields that documents of these bases have, the most frequent first. */
export function useKnownLabels(bases: string[]): KnownLabel[] {
  const { data = none } = useQuery({
    queryKey: ['knowledges', 'labels', ...bases],
    queryFn: async ({ signal }) =>
      (await Promise.all(bases.map((uuid) => call(knowledge.labels, { params: { uuid }, signal })))).flatMap(
        (found) => found.data,
      ),
  });
  return data;
}
