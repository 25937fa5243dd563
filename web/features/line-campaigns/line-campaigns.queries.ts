import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  lineCampaigns,
  type Broadcast,
  type BroadcastRecipient,
  type LineAudience,
  type BroadcastBase,
  type ListedBroadcast,
  type StepEnrolment,
  type StepScenario,
} from '../../../shared/contracts/line-campaigns.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call } from '../../lib/api.ts';

const keys = {
  broadcasts: (channel: string) => ['line-campaigns', channel, 'broadcasts'] as const,
  broadcast: (uuid: string) => ['line-campaigns', 'broadcast', uuid] as const,
  preview: (uuid: string) => ['line-campaigns', 'broadcast', uuid, 'preview'] as const,
  result: (uuid: string) => ['line-campaigns', 'broadcast', uuid, 'result'] as const,
  recipients: (uuid: string) => ['line-campaigns', 'broadcast', uuid, 'recipients'] as const,
  audience: (channel: string, audience: string) => ['line-campaigns', channel, 'audience', audience] as const,
  reach: (channel: string) => ['line-campaigns', channel, 'reach'] as const,
  received: (guest: string) => ['line-campaigns', 'received', guest] as const,
  friends: (channel: string, q: string) => ['line-campaigns', channel, 'friends', q] as const,
  scenarios: (channel: string) => ['line-campaigns', channel, 'scenarios'] as const,
  enrolments: (scenario: string) => ['line-campaigns', 'enrolments', scenario] as const,
  tester: (channel: string) => ['line-campaigns', channel, 'tester'] as const,
  scenario: (uuid: string) => ['line-campaigns', 'scenario', uuid] as const,
};

/** While something is on its way; otherwise somebody else may have changed it. */
const liveMs = 1_000;
const quietMs = 15_000;

const isMoving = ({ state, reason, dueAt }: BroadcastBase) =>
  reason !== 'off' && (state === 'sending' || (state === 'scheduled' && Date.parse(dueAt ?? '') < Date.now() + 60_000));

/** Each request counts some of them. */
const isUncounted = ({ startedAt, replies }: ListedBroadcast) => startedAt !== null && replies === null;

export const useBroadcasts = (channel: string, q: string) =>
  useInfiniteQuery({
    queryKey: [...keys.broadcasts(channel), q],
    queryFn: ({ pageParam, signal }) =>
      call(lineCampaigns.broadcasts, {
        query: { channel, q: q || undefined, cursor: pageParam || undefined },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    refetchInterval: ({ state }) =>
      state.data?.pages.some((page) => page.data.some((each) => isMoving(each) || isUncounted(each)))
        ? liveMs
        : quietMs,
    placeholderData: (before) => before,
  });

export const useBroadcast = (uuid: string) =>
  useQuery({
    queryKey: keys.broadcast(uuid),
    queryFn: async ({ signal }) => (await call(lineCampaigns.broadcast, { params: { uuid }, signal })).data,
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? liveMs : quietMs),
  });

export const usePreview = ({ uuid, updatedAt }: Broadcast, isShown = true) =>
  useQuery({
    queryKey: [...keys.preview(uuid), updatedAt],
    queryFn: async ({ signal }) => (await call(lineCampaigns.previewBroadcast, { params: { uuid }, signal })).data,
    enabled: isShown,
    placeholderData: (before) => before,
  });

/** Reads it as it is now, for what is about to be confirmed. */
export function useReadPreview() {
  const client = useQueryClient();
  return ({ uuid, updatedAt }: Broadcast) =>
    client.fetchQuery({
      queryKey: [...keys.preview(uuid), updatedAt],
      queryFn: async ({ signal }) => (await call(lineCampaigns.previewBroadcast, { params: { uuid }, signal })).data,
      staleTime: 0,
    });
}

export const useResult = ({ uuid, startedAt, sent, audience, state }: Broadcast) =>
  useQuery({
    queryKey: keys.result(uuid),
    queryFn: async ({ signal }) => (await call(lineCampaigns.broadcastResult, { params: { uuid }, signal })).data,
    // Of one that went to everyone it may not be known to how many.
    enabled: startedAt !== null && (sent > 0 || (audience.kind === 'everyone' && state === 'done')),
    refetchInterval: 30_000,
  });

export const useRecipients = ({ uuid }: Broadcast, state: BroadcastRecipient['state'] | undefined) =>
  useInfiniteQuery({
    queryKey: [...keys.recipients(uuid), state],
    queryFn: ({ pageParam, signal }) =>
      call(lineCampaigns.recipients, {
        params: { uuid },
        query: { state, limit: 20, cursor: pageParam || undefined },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    // Whoever reads further back is not read to again.
    refetchInterval: ({ state: { data } }) => (data?.pages.length === 1 ? quietMs : false),
    placeholderData: (before) => before,
  });

export const useAudience = (channel: string, audience: LineAudience | undefined) =>
  useQuery({
    queryKey: keys.audience(channel, JSON.stringify(audience)),
    queryFn: async ({ signal }) =>
      audience ? (await call(lineCampaigns.countAudience, { body: { channel, audience }, signal })).data.recipients : 0,
    enabled: audience !== undefined,
    placeholderData: (before) => before,
    retry: false,
  });

export const useFriends = (channel: string, q: string) =>
  useQuery({
    queryKey: keys.friends(channel, q),
    queryFn: async ({ signal }) =>
      (await call(lineCampaigns.friends, { query: { channel, q: q || undefined, limit: 20 }, signal })).data,
    placeholderData: (before) => before,
  });

export const useReach = (channel: string) =>
  useQuery({
    queryKey: keys.reach(channel),
    queryFn: async ({ signal }) => (await call(lineCampaigns.reach, { query: { channel }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.takeOver?.state === 'running' ? liveMs : false),
  });

export function useTakeOver(channel: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => (await call(lineCampaigns.takeOver, { body: { channel } })).data,
    onSuccess: (reach) => client.setQueryData(keys.reach(channel), reach),
    // Somebody else may have begun it.
    onError: () => void client.invalidateQueries({ queryKey: keys.reach(channel) }),
  });
}

export const useReceived = (guest: string) =>
  useQuery({
    queryKey: keys.received(guest),
    queryFn: async ({ signal }) => (await call(lineCampaigns.received, { query: { guest }, signal })).data,
  });

function useKeepBroadcast() {
  const client = useQueryClient();
  return (broadcast: Broadcast) => {
    client.setQueryData(keys.broadcast(broadcast.uuid), broadcast);
    void client.invalidateQueries({ queryKey: keys.broadcasts(broadcast.channel) });
  };
}

export const useCreateBroadcast = () =>
  useMutation({
    mutationFn: async (body: BodyIn<typeof lineCampaigns.createBroadcast>) =>
      (await call(lineCampaigns.createBroadcast, { body })).data,
    onSuccess: useKeepBroadcast(),
  });

export const useCopyBroadcast = () =>
  useMutation({
    mutationFn: async ({ uuid, name }: { uuid: string; name: string }) =>
      (await call(lineCampaigns.copyBroadcast, { params: { uuid }, body: { name } })).data,
    onSuccess: useKeepBroadcast(),
  });

export function useSaveBroadcast(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof lineCampaigns.changeBroadcast>) =>
      (await call(lineCampaigns.changeBroadcast, { params: { uuid }, body })).data,
    onSuccess: useKeepBroadcast(),
    // Somebody else may have changed it.
    onError: () => void client.invalidateQueries({ queryKey: keys.broadcast(uuid) }),
  });
}

export function useSteerBroadcast(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    /** Sent is what was seen when it was confirmed, or nothing. */
    mutationFn: async (to: 'cancel' | 'resume' | { send: Broadcast }) => {
      const params = { uuid };
      if (typeof to === 'object')
        return (await call(lineCampaigns.sendBroadcast, { params, body: { seen: to.send.updatedAt } })).data;
      return (await call(to === 'cancel' ? lineCampaigns.cancelBroadcast : lineCampaigns.resumeBroadcast, { params }))
        .data;
    },
    onSuccess: useKeepBroadcast(),
    onError: () => void client.invalidateQueries({ queryKey: keys.broadcast(uuid) }),
  });
}

export function useTestBroadcast(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (guest: string) => call(lineCampaigns.testBroadcast, { params: { uuid }, body: { guest } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.preview(uuid) }),
  });
}

export function useRemoveBroadcast(channel: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(lineCampaigns.removeBroadcast, { params: { uuid } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.broadcasts(channel) }),
  });
}

export type EnrolmentState = StepEnrolment['state'];

export const useEnrolments = (
  channel: string,
  scenario: string,
  { state, q }: { state: EnrolmentState | undefined; q: string },
) =>
  useInfiniteQuery({
    queryKey: [...keys.enrolments(scenario), state, q],
    queryFn: ({ pageParam, signal }) =>
      call(lineCampaigns.enrolments, {
        query: { channel, scenario, state, q: q || undefined, cursor: pageParam || undefined },
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    refetchInterval: quietMs,
    placeholderData: (before) => before,
  });

/** Who is on the way has changed, and with it the figures of the scenario. */
function useEnrolled(scenario: string) {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: keys.enrolments(scenario) });
    void client.invalidateQueries({ queryKey: keys.scenario(scenario) });
  };
}

export const useEnrol = (scenario: string) =>
  useMutation({
    mutationFn: (guest: string) => call(lineCampaigns.enrol, { params: { uuid: scenario }, body: { guest } }),
    onSuccess: useEnrolled(scenario),
  });

export const useStopEnrolment = (scenario: string) =>
  useMutation({
    mutationFn: (uuid: string) => call(lineCampaigns.stopEnrolment, { params: { uuid } }),
    onSuccess: useEnrolled(scenario),
  });

export const useScenarios = (channel: string) =>
  useInfiniteQuery({
    queryKey: keys.scenarios(channel),
    queryFn: ({ pageParam, signal }) =>
      call(lineCampaigns.scenarios, { query: { channel, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
    select: ({ pages }) => pages.flatMap((page) => page.data),
    refetchInterval: quietMs,
  });

export const useScenario = (uuid: string) =>
  useQuery({
    queryKey: keys.scenario(uuid),
    queryFn: async ({ signal }) => (await call(lineCampaigns.scenario, { params: { uuid }, signal })).data,
    refetchInterval: quietMs,
  });

function useKeepScenario() {
  const client = useQueryClient();
  return (scenario: StepScenario) => {
    client.setQueryData(keys.scenario(scenario.uuid), scenario);
    void client.invalidateQueries({ queryKey: keys.scenarios(scenario.channel) });
  };
}

export const useCreateScenario = () =>
  useMutation({
    mutationFn: async (body: BodyIn<typeof lineCampaigns.createScenario>) =>
      (await call(lineCampaigns.createScenario, { body })).data,
    onSuccess: useKeepScenario(),
  });

/** One with what a template says in it. */
export const useBeginScenario = (channel: string) =>
  useMutation({
    mutationFn: async ({ name, ...rest }: BodyIn<typeof lineCampaigns.changeScenario> & { name: string }) => {
      const { uuid } = (await call(lineCampaigns.createScenario, { body: { channel, name } })).data;
      return (await call(lineCampaigns.changeScenario, { params: { uuid }, body: rest })).data;
    },
    onSuccess: useKeepScenario(),
  });

/** To whom the last test went. */
export const useTester = (channel: string) =>
  useQuery({
    queryKey: keys.tester(channel),
    queryFn: async ({ signal }) => (await call(lineCampaigns.tester, { query: { channel }, signal })).data.tester,
  });

export function useTestScenario(uuid: string, channel: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: BodyIn<typeof lineCampaigns.testScenario>) =>
      call(lineCampaigns.testScenario, { params: { uuid }, body }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.tester(channel) }),
  });
}

export function useSaveScenario(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof lineCampaigns.changeScenario>) =>
      (await call(lineCampaigns.changeScenario, { params: { uuid }, body })).data,
    onSuccess: useKeepScenario(),
    onError: () => void client.invalidateQueries({ queryKey: keys.scenario(uuid) }),
  });
}

export function useRemoveScenario(channel: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(lineCampaigns.removeScenario, { params: { uuid } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.scenarios(channel) }),
  });
}
