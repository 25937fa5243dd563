import { useQuery, useQueryClient } from '@tanstack/react-query';
import { notices, type Notices } from '../../../shared/contracts/notices.ts';
import { call } from '../../lib/api.ts';
import { readPushState } from './push.ts';

const key = ['notices'] as const;

export interface Standing {
  notices: Notices;
  push: Awaited<ReturnType<typeof readPushState>>;
}

const standing = async (read: Notices): Promise<Standing> => ({ notices: read, push: await readPushState(read) });

export const useNotices = () =>
  useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => standing((await call(notices.get, { signal, anywhere: true })).data),
  });

/** Keeps what the server says now, with what the browser says to it. */
export function useKeepNotices() {
  const client = useQueryClient();
  return async (read: Notices) => void client.setQueryData(key, await standing(read));
}

export const saveNotices = async (body: Partial<Pick<Notices, 'mail' | 'quiet'>>) =>
  (await call(notices.update, { body, anywhere: true })).data;
