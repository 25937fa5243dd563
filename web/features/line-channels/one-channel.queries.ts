import { useQuery } from '@tanstack/react-query';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineCampaigns } from '../../../shared/contracts/line-campaigns.ts';
import { call } from '../../lib/api.ts';
import { useMay } from '../../lib/session.ts';

const lookAgainMs = 15_000;

/** Who has added the account: as LINE says, or as many as are known here. */
export const useFriendCount = (channel: string) =>
  useQuery({
    queryKey: ['line-channels', channel, 'friends'],
    queryFn: async ({ signal }) => {
      const { reached, known } = (await call(lineCampaigns.reach, { query: { channel }, signal })).data;
      return { count: reached ?? known, by: reached === null ? ('known' as const) : ('line' as const) };
    },
    staleTime: 60_000,
  });

/** How many of its conversations wait for a person, for those who may answer them. */
export function useWaiting(channel: string) {
  const enabled = useMay('converse');
  return useQuery({
    // Not below the key of the inbox's lists, which are kept in pages.
    queryKey: ['inbox', 'waiting', channel],
    queryFn: async ({ signal }) => {
      const { data, meta } = await call(inbox.threads, { query: { view: 'waiting', channel }, signal });
      return { count: data.length, isMore: meta.nextCursor !== null };
    },
    enabled,
    staleTime: 0,
    refetchInterval: lookAgainMs,
  });
}
