import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineChannels } from '../../../shared/contracts/line-channels.ts';
import { lineMenus, type RichMenu } from '../../../shared/contracts/line-menus.ts';
import type { MenuDesign } from '../../../shared/menu-design.ts';
import type { BodyIn } from '../../../shared/route.ts';
import { call, fetchBytes } from '../../lib/api.ts';

const keys = {
  list: (channel: string) => ['line-menus', channel] as const,
  picture: (menu: string, version: string) => ['line-menus', 'picture', menu, version] as const,
  design: (menu: string) => ['line-menus', 'design', menu] as const,
  onLine: (channel: string) => ['line-menus', 'on-line', channel] as const,
  statistics: (menu: string) => ['line-menus', 'statistics', menu] as const,
};

/** While LINE is being told, and while nothing goes on. */
const publishingMs = 1_500;
const lookAgainMs = 30_000;

const isOnItsWay = ({ state }: RichMenu) => state === 'publishing';

/** In the order in which they count. */
export const useMenus = (channel: string) =>
  useQuery({
    queryKey: keys.list(channel),
    queryFn: async ({ signal }) => (await call(lineMenus.list, { query: { channel, limit: 100 }, signal })).data,
    refetchInterval: ({ state: { data } }) => (data?.some(isOnItsWay) ? publishingMs : lookAgainMs),
  });

export const useChannel = (uuid: string) =>
  useQuery({
    queryKey: ['line-channels', uuid],
    queryFn: async ({ signal }) => (await call(lineChannels.get, { params: { uuid }, signal })).data,
  });

/** A version never changes. */
export const usePictureBytes = ({ uuid, image }: Pick<RichMenu, 'uuid' | 'image'>) =>
  useQuery({
    queryKey: keys.picture(uuid, image?.version ?? ''),
    queryFn: ({ signal }) => fetchBytes(lineMenus.image, { params: { uuid }, signal }),
    enabled: image !== null,
    staleTime: Infinity,
  });

export const useDesign = (uuid: string) =>
  useQuery({
    queryKey: keys.design(uuid),
    queryFn: async ({ signal }) => (await call(lineMenus.design, { params: { uuid }, signal })).data.design,
  });

export const useOnLine = (channel: string) =>
  useQuery({
    queryKey: keys.onLine(channel),
    queryFn: ({ signal }) => call(lineMenus.onLine, { query: { channel }, signal }),
    staleTime: 0,
    gcTime: 0,
  });

export const useStatistics = (uuid: string) =>
  useQuery({
    queryKey: keys.statistics(uuid),
    queryFn: async ({ signal }) => (await call(lineMenus.statistics, { params: { uuid }, signal })).data,
    retry: false,
  });

/** People by name, for choosing who sees a menu. */
export const usePeople = (q: string) =>
  useQuery({
    queryKey: ['line-menus', 'people', q],
    queryFn: async ({ signal }) => (await call(inbox.guests, { query: { q, limit: 20 }, signal })).data,
    placeholderData: (before) => before,
  });

/** Keeps what the server said of menus, and has the list read again. */
function useKeep(channel: string) {
  const client = useQueryClient();
  return (...menus: RichMenu[]) => {
    client.setQueryData<RichMenu[]>(keys.list(channel), (before) =>
      before?.map((each) => menus.find(({ uuid }) => uuid === each.uuid) ?? each),
    );
    return client.invalidateQueries({ queryKey: keys.list(channel) });
  };
}

interface Drawn {
  menu: RichMenu['menu'];
  design: MenuDesign;
  picture: Blob | undefined;
}

export type NewMenu =
  /** Whoever draws freely begins without areas. */
  | { kind: 'layout'; body: Omit<BodyIn<typeof lineMenus.create>, 'channel'>; isFree: boolean }
  /** Menus that are tabs of each other; `draw` says how one of them looks at first. */
  | {
      kind: 'tabs';
      body: Omit<BodyIn<typeof lineMenus.createTabs>, 'channel'>;
      draw(menu: RichMenu): Promise<Drawn>;
    }
  | { kind: 'json'; menu: BodyIn<typeof lineMenus.importJson>['menu'] }
  | { kind: 'line'; lineId: string }
  | { kind: 'copy'; uuid: string; name: string };

async function sendPicture({ uuid }: RichMenu, { menu, design, picture }: Drawn): Promise<void> {
  const params = { uuid };
  await call(lineMenus.update, { params, body: { menu, design } });
  if (!picture) return;
  const form = new FormData();
  form.append('file', picture, 'menu');
  await call(lineMenus.uploadImage, { params, form });
}

export function useMakeMenu(channel: string) {
  const keep = useKeep(channel);
  return useMutation({
    mutationFn: async (made: NewMenu): Promise<RichMenu> => {
      switch (made.kind) {
        case 'layout': {
          const { data } = await call(lineMenus.create, { body: { channel, ...made.body } });
          if (!made.isFree) return data;
          const menu = { ...data.menu, areas: [] };
          return (await call(lineMenus.update, { params: { uuid: data.uuid }, body: { menu } })).data;
        }
        case 'tabs': {
          const { data } = await call(lineMenus.createTabs, { body: { channel, ...made.body } });
          // They are there: one whose picture does not come has it among what is left to do.
          await Promise.allSettled(data.map(async (menu) => sendPicture(menu, await made.draw(menu))));
          const [first] = data;
          if (!first) throw new Error('No menu was made.');
          return first;
        }
        case 'json':
          return (await call(lineMenus.importJson, { body: { channel, menu: made.menu } })).data;
        case 'line':
          return (await call(lineMenus.fromLine, { body: { channel, lineId: made.lineId } })).data;
        case 'copy':
          return (await call(lineMenus.copy, { params: { uuid: made.uuid }, body: { name: made.name } })).data;
      }
    },
    onSuccess: () => keep(),
  });
}

export interface MenuChanges {
  body: BodyIn<typeof lineMenus.update>;
  /** A new picture, which goes along with the draft. */
  picture?: Blob | undefined;
  isDefault?: boolean | undefined;
}

export function useSaveMenu({ uuid, channel }: Pick<RichMenu, 'uuid' | 'channel'>) {
  const client = useQueryClient();
  const keep = useKeep(channel);
  return useMutation({
    mutationFn: async ({ body, picture, isDefault }: MenuChanges) => {
      const params = { uuid };
      let { data } = await call(lineMenus.update, { params, body });
      if (picture) {
        const form = new FormData();
        form.append('file', picture, 'menu');
        ({ data } = await call(lineMenus.uploadImage, { params, form }));
      }
      if (isDefault !== undefined)
        ({ data } = await call(lineMenus.setDefault, { params, body: { default: isDefault } }));
      return data;
    },
    onSuccess: async (menu, { body }) => {
      if (body.design !== undefined) client.setQueryData(keys.design(uuid), body.design);
      await keep(menu);
    },
    // Somebody else may have changed it.
    onError: () => client.invalidateQueries({ queryKey: keys.list(channel) }),
  });
}

/** Puts a menu of the list where it now stands. */
export function useMovedMenus(channel: string) {
  const keep = useKeep(channel);
  return useMutation({
    mutationFn: (menus: RichMenu[]) =>
      Promise.all(
        menus.flatMap(({ uuid, place }, at) =>
          place === at ? [] : [call(lineMenus.update, { params: { uuid }, body: { place: at } })],
        ),
      ),
    onSettled: () => keep(),
  });
}

export function usePublish(channel: string) {
  const client = useQueryClient();
  const keep = useKeep(channel);
  return useMutation({
    mutationFn: async ({ menus, isOff = false }: { menus: string[]; isOff?: boolean }) =>
      (await call(isOff ? lineMenus.takeOff : lineMenus.publish, { body: { menus } })).data,
    onSuccess: (menus) => {
      void client.invalidateQueries({ queryKey: keys.onLine(channel) });
      return keep(...menus);
    },
  });
}

export function useRemoveMenu(channel: string) {
  const keep = useKeep(channel);
  return useMutation({
    mutationFn: (uuid: string) => call(lineMenus.remove, { params: { uuid } }),
    onSuccess: () => keep(),
  });
}

export const useExportMenu = () =>
  useMutation({ mutationFn: (uuid: string) => fetchBytes(lineMenus.exportJson, { params: { uuid } }) });

export function useRestore(channel: string) {
  const client = useQueryClient();
  const keep = useKeep(channel);
  return useMutation({
    mutationFn: () => call(lineMenus.restore, { body: { channel } }),
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: keys.onLine(channel) });
      return keep();
    },
  });
}
