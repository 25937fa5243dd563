import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { figures } from '../../../shared/contracts/figures.ts';
import type { QueryIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

export const useFigures = (query: QueryIn<typeof figures.get>) =>
  useQuery({
    queryKey: ['figures', query],
    queryFn: async ({ signal }) => (await call(figures.get, { query, signal })).data,
    placeholderData: keepPreviousData,
  });
