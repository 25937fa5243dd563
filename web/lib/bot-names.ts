import { queryOptions, useQuery } from '@tanstack/react-query';
import { bots } from '../../shared/contracts/bots.ts';
import { call } from './api.ts';

/** Every bot there is, with what a choice of them shows. */
export const botNames = queryOptions({
  queryKey: ['bots', 'dropdown'],
  queryFn: async ({ signal }) => (await call(bots.dropdown, { signal })).data,
});

export const useBotNames = () => useQuery(botNames);
