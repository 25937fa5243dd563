import {
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
} from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { imageChanged, images, type Image } from '../../../shared/contracts/images.ts';
import type { BodyIn, ReplyOf } from '../../../shared/route.ts';
import { ApiError, call, fetchBytes } from '../../lib/api.ts';
import { readAgain } from '../../lib/query-client.ts';
import { on, onConnect } from '../../lib/socket.ts';

const root = ['images'] as const;
const lists = [...root, 'list'] as const;
const singles = [...root, 'one'] as const;
const oneOf = (uuid: string) => [...singles, uuid] as const;

type List = InfiniteData<ReplyOf<typeof images.list>>;

const atOnce = 60;

export const useImages = (q: string) =>
  useInfiniteQuery({
    queryKey: [...lists, q],
    queryFn: ({ pageParam, signal }) =>
      call(images.list, { query: { q: q || undefined, limit: atOnce, cursor: pageParam || undefined }, signal }),
    initialPageParam: '',
    getNextPageParam: (last) => last.meta.nextCursor ?? undefined,
  });

/** One that need not be in a list, for a link to it. */
export const useImage = (uuid: string | undefined) =>
  useQuery({
    queryKey: oneOf(uuid ?? ''),
    enabled: uuid !== undefined,
    queryFn: async ({ signal }) => (await call(images.get, { params: { uuid: uuid ?? '' }, signal })).data,
  });

/** A stored picture never changes. */
export const usePixels = (uuid: string, enabled = true) =>
  useQuery({
    queryKey: [...root, 'file', uuid],
    enabled,
    staleTime: Infinity,
    // Large ones are paged through, and take memory for as long.
    gcTime: 60_000,
    queryFn: ({ signal }) => fetchBytes(images.file, { params: { uuid }, query: { size: 'full' }, signal }),
  });

export const fetchPicture = (uuid: string) => fetchBytes(images.file, { params: { uuid } });

/** Puts what the server tells of pictures into every list, and gives what there is so far of those that are being drawn. */
export function useLiveImages(): Map<string, string> {
  const client = useQueryClient();
  const [partials, setPartials] = useState(new Map<string, string>());
  useEffect(() => {
    const stops = [
      onConnect((isNew) => {
        if (isNew) for (const key of [lists, singles]) void readAgain(client, key);
      }),
      on(imageChanged, ({ image, partial }) => {
        if (partial) setPartials((before) => new Map(before).set(image.uuid, `data:image/webp;base64,${partial}`));
        // Its sentence comes in the reader's language when it is asked for, and the sums above change.
        if (image.status === 'queued' || image.status === 'drawing') patch(client, image);
        else void client.invalidateQueries({ queryKey: lists });
        void client.invalidateQueries({ queryKey: oneOf(image.uuid) });
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [client]);
  return partials;
}

function patch(client: QueryClient, image: Image): void {
  let isKnown = false;
  client.setQueriesData<List>(
    { queryKey: lists },
    (list) =>
      list && {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          data: page.data.map((each) => {
            if (each.uuid !== image.uuid) return each;
            isKnown = true;
            return image;
          }),
        })),
      },
  );
  if (!isKnown) void client.invalidateQueries({ queryKey: lists });
}

export function useDraw() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ key, ...body }: BodyIn<typeof images.create> & { key: string }) =>
      call(images.create, { body, idempotencyKey: key }),
    onSuccess: () => client.invalidateQueries({ queryKey: lists }),
  });
}

export function useUploadImage() {
  const client = useQueryClient();
  return useMutation({
    async mutationFn(file: File) {
      const form = new FormData();
      form.append('file', file);
      return (await call(images.upload, { form })).data;
    },
    onSuccess: () => client.invalidateQueries({ queryKey: lists }),
  });
}

export function useCancelImage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (uuid: string) => call(images.cancel, { params: { uuid } }),
    onSettled: () => client.invalidateQueries({ queryKey: root }),
  });
}

/** What is gone already is as good as thrown away. */
export const useRemoveImages = () =>
  useEach((uuid) =>
    call(images.remove, { params: { uuid } }).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'image-not-found')) throw error;
    }),
  );

export const useRestoreImages = () => useEach((uuid) => call(images.restore, { params: { uuid } }));

/** Does it to one after another, whatever becomes of the others, and gives those that it was done to and what went wrong. */
function useEach(act: (uuid: string) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    async mutationFn(uuids: string[]) {
      const done: string[] = [];
      const errors: unknown[] = [];
      for (const uuid of uuids)
        try {
          await act(uuid);
          done.push(uuid);
        } catch (error) {
          errors.push(error);
        }
      return { done, errors };
    },
    onSettled: () => client.invalidateQueries({ queryKey: lists }),
  });
}
