import { useQuery } from '@tanstack/react-query';
import { documents } from '../../../shared/contracts/knowledge.ts';
import { call } from '../../lib/api.ts';

/** The whole passage around a quote, as long as its document still has it. */
export const usePassage = (document: string, embedding: string, quote: string) =>
  useQuery({
    queryKey: ['passage', embedding],
    queryFn: async ({ signal }) => {
      const { data } = await call(documents.embeddings, {
        params: { uuid: document },
        query: { q: quote.split('\n')[0]?.slice(0, 120), limit: 20 },
        signal,
      });
      return data.find((chunk) => chunk.uuid === embedding)?.text ?? null;
    },
    staleTime: Infinity,
  });
