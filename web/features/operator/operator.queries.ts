import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { operator, type OperatedUser } from '../../../shared/contracts/operator.ts';
import type { BodyIn, QueryIn } from '../../../shared/route.ts';
import { hostsKey } from '../../lib/allow-address.ts';
import { call, fetchBytes } from '../../lib/api.ts';

const operatorKeys = {
  users: ['operator', 'users'] as const,
  settings: ['operator', 'settings'] as const,
  audit: ['operator', 'audit'] as const,
  mails: ['operator', 'mails'] as const,
  health: ['operator', 'health'] as const,
};
const healthEveryMs = 10_000;

export type UserState = 'all' | 'active' | 'suspended' | 'unverified' | 'operators';
export type AuditFilter = QueryIn<typeof operator.exportAudit>;

/** As it is now, and again every ten seconds while somebody looks. */
export const useHealth = () =>
  useQuery({
    queryKey: operatorKeys.health,
    queryFn: async ({ signal }) => (await call(operator.health, { signal })).data,
    refetchInterval: healthEveryMs,
  });

export const useUsers = (q: string, state: UserState) =>
  useInfiniteQuery({
    queryKey: [...operatorKeys.users, q, state],
    queryFn: ({ pageParam, signal }) =>
      call(operator.users, { query: { q: q || undefined, state, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
  });

/** What an operator does to an account that changes how it is shown. */
export type UserChange =
  { kind: 'suspend'; reason: string } | { kind: 'restore' | 'resetTwoFactor' | 'makeOperator' | 'unmakeOperator' };

export function useChangeUser() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uuid, change }: { uuid: string; change: UserChange }) => changeUser(uuid, change),
    onSettled: () => client.invalidateQueries({ queryKey: operatorKeys.users }),
  });
}

async function changeUser(uuid: string, change: UserChange): Promise<OperatedUser> {
  const params = { uuid };
  switch (change.kind) {
    case 'suspend':
      return (await call(operator.suspend, { params, body: { reason: change.reason } })).data;
    case 'restore':
      return (await call(operator.restore, { params })).data;
    case 'resetTwoFactor':
      return (await call(operator.resetTwoFactor, { params })).data;
    case 'makeOperator':
    case 'unmakeOperator':
      return (await call(operator.setOperator, { params, body: { operator: change.kind === 'makeOperator' } })).data;
  }
}

export const usePasswordLink = () =>
  useMutation({ mutationFn: async (uuid: string) => (await call(operator.resetPassword, { params: { uuid } })).data });

export const useWorkspacesOf = (uuid: string) =>
  useQuery({
    queryKey: [...operatorKeys.users, uuid, 'workspaces'],
    queryFn: async ({ signal }) => (await call(operator.workspaces, { params: { uuid }, signal })).data,
    gcTime: 0,
  });

export function useGiveCredits(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ key, ...body }: { key: string } & BodyIn<typeof operator.giveCredits>) =>
      (await call(operator.giveCredits, { params: { uuid }, idempotencyKey: key, body })).data,
    onSettled: () => client.invalidateQueries({ queryKey: operatorKeys.users }),
  });
}

export const useSettings = () =>
  useQuery({
    queryKey: operatorKeys.settings,
    queryFn: async ({ signal }) => (await call(operator.settings, { signal })).data,
  });

export function useChangeSettings() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof operator.changeSettings>) =>
      (await call(operator.changeSettings, { body })).data,
    onSuccess: (settings) => client.setQueryData(operatorKeys.settings, settings),
  });
}

export const useHosts = () =>
  useQuery({
    queryKey: hostsKey,
    queryFn: async ({ signal }) => (await call(operator.hosts, { signal })).data,
  });

export function useForbidHost() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(operator.forbidHost, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey: hostsKey }),
  });
}

export const useAudit = (filter: AuditFilter) =>
  useInfiniteQuery({
    queryKey: [...operatorKeys.audit, filter],
    queryFn: ({ pageParam, signal }) =>
      call(operator.audit, { query: { ...filter, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
  });

export const useExportAudit = () =>
  useMutation({ mutationFn: (filter: AuditFilter) => fetchBytes(operator.exportAudit, { query: filter }) });

export const useMails = () =>
  useInfiniteQuery({
    queryKey: operatorKeys.mails,
    queryFn: ({ pageParam, signal }) => call(operator.mails, { query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    // What is on its way arrives while one looks.
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ data }) => data.some((mail) => mail.state === 'queued')) ? 3000 : false,
  });

export function useRetryMail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(operator.retryMail, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey: operatorKeys.mails }),
  });
}

export function useTestMail() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(operator.testMail),
    onSuccess: () => client.invalidateQueries({ queryKey: operatorKeys.mails }),
  });
}
