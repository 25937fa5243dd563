import { useQuery } from '@tanstack/react-query';
import { knowledge, type KnownLabel } from '../../shared/contracts/knowledge.ts';
import { call } from './api.ts';

export const keyOf = ({ name, value }: Pick<KnownLabel, 'name' | 'value'>): string => JSON.stringify([name, value]);

const none: KnownLabel[] = [];

/** Tags and fields that documents of these bases have, the most frequent first. */
export function useKnownLabels(bases: string[]): KnownLabel[] {
  const { data = none } = useQuery({
    queryKey: ['knowledges', 'labels', ...bases],
    queryFn: async ({ signal }) => {
      const found = await Promise.all(bases.map((uuid) => call(knowledge.labels, { params: { uuid }, signal })));
      // Several bases may have the same.
      return [...new Map(found.flatMap(({ data }) => data).map((label) => [keyOf(label), label])).values()];
    },
  });
  return data;
}
