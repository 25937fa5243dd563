import { useQuery } from '@tanstack/react-query';
import { bots } from '../../shared/contracts/bots.ts';
import { call } from './api.ts';

/** Every bot there is, with what a choice of them shows. */
export const useBotNames = () =>
  useQuery({
    queryKey: ['bots', 'dropdown'],
    queryFn: async ({ signal }) => (await call(bots.dropdown, { signal })).data,
  });
