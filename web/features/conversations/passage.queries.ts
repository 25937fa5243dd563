import { useQuery } from '@tanstack/react-query';
import { documents } from '../../../shared/contracts/knowledge.ts';
import { call } from '../../lib/api.ts';

/** A passage and what it is of, as long as its document still has it. */
export const usePassage = (document: string, embedding: string) =>
  useQuery({
    queryKey: ['passage', embedding],
    queryFn: async ({ signal }) =>
      (await call(documents.embedding, { params: { uuid: document, embedding }, signal })).data,
    staleTime: Infinity,
  });
