import { useQuery, useQueryClient } from '@tanstack/react-query';
import { accounts, security } from '../../../shared/contracts/accounts.ts';
import { call } from '../../lib/api.ts';

const accountKeys = {
  security: ['account', 'security'] as const,
  leaving: ['account', 'leaving'] as const,
  options: ['account', 'options'] as const,
};

export const useSecurity = (enabled = true) =>
  useQuery({
    queryKey: accountKeys.security,
    enabled,
    queryFn: async ({ signal }) => (await call(security.get, { signal, anywhere: true })).data,
  });

export function useRefreshSecurity() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: accountKeys.security });
}

export const useSignInOptions = () =>
  useQuery({
    queryKey: accountKeys.options,
    queryFn: async ({ signal }) => (await call(accounts.options, { signal, anywhere: true })).data,
  });

/** What would happen to the workspaces; asked anew each time, since it is about to be done. */
export const useLeaving = () =>
  useQuery({
    queryKey: accountKeys.leaving,
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }) => (await call(accounts.leaving, { signal, anywhere: true })).data.workspaces,
  });
