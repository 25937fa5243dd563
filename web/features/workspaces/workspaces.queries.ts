import { keepPreviousData, useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { files } from '../../../shared/contracts/accounts.ts';
import { workspaces, type Invitation, type Member } from '../../../shared/contracts/workspaces.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';
import { chooseWorkspace, fetchUser, getUser } from '../../lib/session.ts';

const workspaceKeys = {
  all: ['workspaces'] as const,
  members: ['workspaces', 'members'] as const,
  invitations: ['workspaces', 'invitations'] as const,
};

export const useMembers = (q: string, enabled = true) =>
  useInfiniteQuery({
    queryKey: [...workspaceKeys.members, q],
    queryFn: ({ pageParam, signal }) =>
      call(workspaces.members, { query: { q: q || undefined, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    placeholderData: keepPreviousData,
    enabled,
  });

export const useInvitations = () =>
  useInfiniteQuery({
    queryKey: workspaceKeys.invitations,
    queryFn: ({ pageParam, signal }) =>
      call(workspaces.invitations, { query: { cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
  });

/** Invitations of who may no longer invite end with it. */
export function useChangeRole() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uuid, role }: { uuid: string; role: Invitation['role'] }) =>
      (await call(workspaces.changeRole, { params: { uuid }, body: { role } })).data,
    onSettled: () => client.invalidateQueries({ queryKey: workspaceKeys.all }),
  });
}

export function useRemoveMember() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(workspaces.removeMember, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey: workspaceKeys.all }),
  });
}

export type Invited = ReplyOf<typeof workspaces.invite>['data'];

export function useInvite() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof workspaces.invite>) => (await call(workspaces.invite, { body })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: workspaceKeys.invitations }),
  });
}

/** Only the hash of a link is kept, so another takes its place. Of two to one address the server itself ends the first. */
export function useRenewInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (uuid: string) => (await call(workspaces.renewInvitation, { params: { uuid } })).data,
    onSettled: () => client.invalidateQueries({ queryKey: workspaceKeys.invitations }),
  });
}

export function useRevokeInvitation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(workspaces.revokeInvitation, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey: workspaceKeys.invitations }),
  });
}

/** A picture that is on the server, to be given to a workspace by its id. */
export const useUploadPicture = () =>
  useMutation({
    mutationFn: async (file: File) => {
      const form = new FormData();
      form.append('file', file);
      return (await call(files.uploadImage, { form })).data;
    },
  });

export const useCreateWorkspace = () =>
  useMutation({
    mutationFn: async (body: BodyIn<typeof workspaces.create>) =>
      (await call(workspaces.create, { body, anywhere: true })).data,
    onSuccess: fetchUser,
  });

export const useUpdateWorkspace = () =>
  useMutation({
    mutationFn: (body: BodyIn<typeof workspaces.update>) => call(workspaces.update, { body }),
    onSuccess: fetchUser,
  });

/** `onDone` is called while the owner's part of the screen is still there: it goes with the role. */
export function useTransferWorkspace(onDone: (owner: Member) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ uuid }: Member) => call(workspaces.transfer, { body: { user: uuid } }),
    onSuccess: async (_reply, owner) => {
      onDone(owner);
      await Promise.all([fetchUser(), client.invalidateQueries({ queryKey: workspaceKeys.members })]);
    },
  });
}

/** `onGone` is called while the screen is still there: it is of the workspace, and goes with it. */
export const useRemoveWorkspace = (onGone: () => void) =>
  useMutation({
    mutationFn: (name: string) => call(workspaces.remove, { body: { name } }),
    onSuccess: () => goHome(onGone),
  });

export const useLeaveWorkspace = (onGone: () => void) =>
  useMutation({ mutationFn: () => call(workspaces.leave), onSuccess: () => goHome(onGone) });

/** To the workspace that everyone has. */
async function goHome(onGone: () => void): Promise<void> {
  onGone();
  chooseWorkspace(getUser()?.workspaces.find(({ personal }) => personal));
  await fetchUser();
}
