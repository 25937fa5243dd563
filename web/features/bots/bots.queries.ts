import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
} from '@tanstack/react-query';
import { botGroups, bots, type Bot, type botOrders } from '../../../shared/contracts/bots.ts';
import { connections, type Connection } from '../../../shared/contracts/connections.ts';
import { knowledge, type Knowledge } from '../../../shared/contracts/knowledge.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import { call, fetchBytes } from '../../lib/api.ts';
import { currentLocale } from '../../lib/i18n.ts';

export const botKeys = {
  all: ['bots'] as const,
  list: ['bots', 'list'] as const,
  one: (uuid: string) => ['bots', uuid] as const,
  versions: (uuid: string) => ['bots', uuid, 'versions'] as const,
};
const groupKey = ['botgroups'] as const;

export interface BotFilter {
  q: string;
  sort: (typeof botOrders)[number];
  botgroup: string | undefined;
}

export const useBots = ({ q, sort, botgroup }: BotFilter) =>
  useInfiniteQuery({
    queryKey: [...botKeys.list, q, sort, botgroup],
    queryFn: ({ signal, pageParam }) =>
      call(bots.list, { query: { q: q || undefined, sort, botgroup, limit: 100, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor, the others do
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  });

export const useBot = (uuid: string) =>
  useQuery({
    queryKey: botKeys.one(uuid),
    queryFn: async ({ signal }) => (await call(bots.get, { params: { uuid }, signal })).data,
  });

/** Every base there is to choose from. */
export const useBotKnowledges = () =>
  useQuery({
    queryKey: ['knowledges', 'options'],
    queryFn: async ({ signal }) => {
      const found: Knowledge[] = [];
      for (let cursor: string | undefined; ;) {
        const { data, meta } = await call(knowledge.list, { query: { limit: 100, cursor }, signal });
        found.push(...data);
        if (!meta.nextCursor) return found;
        cursor = meta.nextCursor;
      }
    },
  });

export const useTemplates = (isOn: boolean) =>
  useQuery({
    queryKey: ['bot-templates', currentLocale()],
    queryFn: async ({ signal }) => (await call(bots.templates, { signal })).data,
    enabled: isOn,
    staleTime: Infinity,
  });

function useRefresh() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: botKeys.all });
}

export function useCreateBot() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ files, ...body }: BodyIn<typeof bots.create> & { files: File[] }) =>
      (await import('../../lib/make-bot.ts')).makeBot(body, files),
    // Files became a base besides.
    onSuccess: () => client.invalidateQueries(),
  });
}

export function useUpdateBot(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: BodyIn<typeof bots.update>) => (await call(bots.update, { params: { uuid }, body })).data,
    onSuccess: (bot) => {
      client.setQueryData(botKeys.one(uuid), bot);
      void client.invalidateQueries({ queryKey: botKeys.list });
    },
  });
}

export function usePublishBot(uuid: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: (note: string) => call(bots.publish, { params: { uuid }, body: { note } }),
    onSuccess: refresh,
  });
}

export function useDuplicateBot() {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (uuid: string) => (await call(bots.duplicate, { params: { uuid } })).data,
    onSuccess: refresh,
  });
}

export function useRemoveBot() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (uuid: string) => call(bots.remove, { params: { uuid } }), onSuccess: refresh });
}

export function useRestoreBot() {
  const refresh = useRefresh();
  return useMutation({ mutationFn: (uuid: string) => call(bots.restore, { params: { uuid } }), onSuccess: refresh });
}

/** Restores what was published, or puts back the draft that it took the place of. */
export function useRestoreVersion(uuid: string) {
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async (version: string) => (await call(bots.restoreVersion, { params: { uuid, version } })).data,
    onSuccess: refresh,
  });
}

export const useVersions = (uuid: string) =>
  useInfiniteQuery({
    queryKey: botKeys.versions(uuid),
    queryFn: ({ signal, pageParam }) =>
      call(bots.versions, { params: { uuid }, query: { limit: 50, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined, // the first page has no cursor, the others do
    getNextPageParam: ({ meta }) => meta.nextCursor ?? undefined,
  });

/** A version never changes. */
export const useVersion = (uuid: string, version: string | undefined) =>
  useQuery({
    queryKey: [...botKeys.one(uuid), 'version', version],
    queryFn: async ({ signal }) =>
      (await call(bots.version, { params: { uuid, version: version ?? '' }, signal })).data,
    enabled: version !== undefined,
    staleTime: Infinity,
  });

export function useSecrets(uuid: string) {
  const client = useQueryClient();
  const keep = { onSuccess: (bot: Bot) => client.setQueryData(botKeys.one(uuid), bot) };
  return {
    set: useMutation({
      mutationFn: async (body: BodyIn<typeof bots.setSecret>) =>
        (await call(bots.setSecret, { params: { uuid }, body })).data,
      ...keep,
    }),
    remove: useMutation({
      mutationFn: async (name: string) => (await call(bots.removeSecret, { params: { uuid, name } })).data,
      ...keep,
    }),
  };
}

/** The server reads JSON. YAML becomes it here, where only this page waits for a long one. */
async function toJson(document: string): Promise<string> {
  if (/^\s*\{/.test(document)) return document;
  const { parse } = await import('yaml');
  try {
    return JSON.stringify(parse(document)) ?? document;
  } catch {
    return document; // the server says what is wrong with it
  }
}

export const useReadOpenApi = (uuid: string) =>
  useMutation({
    mutationFn: async (document: string) =>
      (await call(bots.readOpenApi, { params: { uuid }, body: { document: await toJson(document) } })).data,
  });

export const useTryTool = (uuid: string) =>
  useMutation({
    mutationFn: async (body: BodyIn<typeof bots.tryTool>) =>
      (await call(bots.tryTool, { params: { uuid }, body })).data,
  });

export function useImportBot() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ file, onProgress }: { file: File; onProgress(share: number): void }) => {
      const form = new FormData();
      form.append('file', file);
      return (await call(bots.import, { form, onProgress })).data;
    },
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: botKeys.all }),
        client.invalidateQueries({ queryKey: ['knowledges'] }),
      ]),
  });
}

/** Hands the bot to the browser as a file to save. */
export const useExportBot = () =>
  useMutation({
    mutationFn: async ({ uuid, name }: Pick<Bot, 'uuid' | 'name'>) => {
      const address = URL.createObjectURL(
        new Blob([await fetchBytes(bots.export, { params: { uuid } })], { type: 'application/zip' }),
      );
      const link = Object.assign(document.createElement('a'), {
        href: address,
        download: `${name.replace(/[\\/:*?"<>|\p{Cc}]+/gu, ' ').trim() || 'bot'}.kotae-bot.zip`,
      });
      link.click();
      // The browser reads it after the click has ended.
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    },
  });

export const useGroups = () =>
  useQuery({ queryKey: groupKey, queryFn: async ({ signal }) => (await call(botGroups.list, { signal })).data });

type BotPages = InfiniteData<ReplyOf<typeof bots.list>>;

/** Shown in its new group at once, and back in the old one when the server refuses. */
export function useMoveBot() {
  const client = useQueryClient();
  const show = (uuid: string, botgroup: string | null) =>
    client.setQueriesData<BotPages>(
      { queryKey: botKeys.list },
      (shown) =>
        shown && {
          ...shown,
          pages: shown.pages.map((page) => ({
            ...page,
            data: page.data.map((bot) => (bot.uuid === uuid ? { ...bot, botgroup } : bot)),
          })),
        },
    );
  return useMutation({
    mutationFn: ({ uuid, botgroup }: { uuid: string; botgroup: string | null }) =>
      call(bots.update, { params: { uuid }, body: { botgroup } }),
    onMutate: async ({ uuid, botgroup }) => {
      await client.cancelQueries({ queryKey: botKeys.list });
      show(uuid, botgroup);
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: botKeys.all }),
        client.invalidateQueries({ queryKey: groupKey }),
      ]),
  });
}

export function useSaveGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ uuid, ...body }: BodyIn<typeof botGroups.update> & { uuid?: string | undefined }) =>
      (uuid === undefined
        ? await call(botGroups.create, { body: { name: body.name ?? '', color: body.color } })
        : await call(botGroups.update, { params: { uuid }, body })
      ).data,
    onSuccess: () => client.invalidateQueries({ queryKey: groupKey }),
  });
}

export function useRemoveGroup() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(botGroups.remove, { params: { uuid } }),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: groupKey }),
        client.invalidateQueries({ queryKey: botKeys.list }),
      ]),
  });
}

/** Every channel of the workspace, with the bot that answers there. */
export const useChannels = () =>
  useQuery({
    queryKey: ['connections', 'list', 'whole'],
    queryFn: async ({ signal }) => {
      const all: Connection[] = [];
      let cursor: string | undefined;
      do {
        const { data, meta } = await call(connections.list, { query: { limit: 100, cursor }, signal });
        all.push(...data);
        cursor = meta.nextCursor ?? undefined;
      } while (cursor);
      return all;
    },
  });
