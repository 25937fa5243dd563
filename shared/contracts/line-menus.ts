import { z } from 'zod';
import { LineMenuJson, Menu, MenuDraft, MenuShown } from '../line-menu.ts';
import { MenuDesign } from '../menu-design.ts';
import { menuLayoutNames } from '../menu-layout.ts';
import { byUuid, listQuery, many, moment, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

/** `publishing` until LINE has all of it; `waiting` while LINE takes no more calls for some minutes. */
export const menuStates = ['draft', 'publishing', 'waiting', 'live', 'failed'] as const;

/** Why it has failed; `gone`: it was deleted at LINE by somebody else, and has been published anew. */
export const menuReasons = ['refused', 'image', 'limit', 'switch', 'secret', 'unreachable', 'gone'] as const;

const period = { from: moment.nullable(), to: moment.nullable() };

export const RichMenu = z.object({
  uuid,
  channel: uuid,
  /** The draft; what is on LINE stays as it is until it is published again. */
  menu: MenuShown,
  problems: z.array(
    z.object({
      code: z.string(),
      area: z.number().int().optional(),
      field: z.string().optional(),
      level: z.enum(['error', 'warning']),
    }),
  ),
  image: z
    .object({
      /** Another picture has another. */
      version: uuid,
      mime: z.string(),
      bytes: z.number().int(),
      width: z.number().int(),
      height: z.number().int(),
    })
    .nullable(),
  /** Of two menus for one person the first is shown. */
  place: z.number().int(),
  /** It is for everybody who has no other. */
  default: z.boolean(),
  tags: z.array(z.string()),
  people: z.array(z.object({ uuid, name: z.string() })),
  ...period,
  state: z.enum(menuStates),
  reason: z.enum(menuReasons).nullable(),
  /** What LINE said of it. */
  detail: z.string(),
  /** What is on LINE; `changed` where the draft is no longer the same. */
  published: z.object({ lineId: z.string(), at: moment, changed: z.boolean() }).nullable(),
  /** By which tabs of other menus find it. */
  alias: z.string(),
  createdAt: moment,
  updatedAt: moment,
});
export type RichMenu = z.output<typeof RichMenu>;

/** A menu that is on LINE, or that should be. */
export const MenuOnLine = z.object({
  channel: uuid,
  lineId: z.string(),
  /** Ours. */
  menu: uuid.nullable(),
  name: z.string(),
  /** `changed`: its draft is another; `old`: a version of ours that is about to go; `unknown`: another program has made it. */
  state: z.enum(['live', 'changed', 'gone', 'old', 'unknown']),
  default: z.boolean(),
});
export type MenuOnLine = z.output<typeof MenuOnLine>;

const count = z.object({ count: z.number().int(), people: z.number().int() }).nullable();

export const MenuStatistics = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  /** `unready`: LINE counts a day later; `hidden`: fewer than twenty people have tapped. */
  state: z.enum(['ready', 'unready', 'hidden']),
  shown: count,
  /** Of the version that is on LINE, which the draft may differ from. */
  size: Menu.shape.size,
  areas: z.array(z.object({ letter: z.string(), bounds: Menu.shape.areas.element.shape.bounds, taps: count })),
  days: z.array(z.object({ date: z.iso.date(), shown: z.number().int(), taps: z.number().int() })),
});
export type MenuStatistics = z.output<typeof MenuStatistics>;

const group = '/api/user/line';
const line = `${group}/rich-menu-line`;
const several = z.strictObject({ menus: z.array(uuid).min(1).max(20) });
const list = z.object({ data: z.array(RichMenu) });
const paged = { limit: listQuery.limit, cursor: listQuery.cursor };
/** LINE is asked for each. */
export const maxChannelsAsked = 5;

export const lineMenus = {
  list: route('GET', `${group}/rich-menus`, {
    summary: 'Rich menus of a LINE channel, or of all, in the order in which they count',
    access: 'read',
    query: { ...paged, channel: uuid.optional() },
    reply: many(RichMenu),
  }),
  create: route('POST', `${group}/rich-menu`, {
    summary: 'Begin a rich menu with a layout',
    access: 'edit',
    body: z.strictObject({
      channel: uuid,
      name: text(300),
      layout: z.enum(menuLayoutNames),
      size: Menu.shape.size.optional(),
      /** It is for everybody who has no other, unless another menu is that. */
      default: z.boolean().optional(),
    }),
    status: 201,
    reply: one(RichMenu),
  }),
  createTabs: route('POST', `${group}/rich-menu/tabs`, {
    summary: 'Begin two or three rich menus at once that are tabs of each other, with the row of tabs above a layout',
    access: 'edit',
    body: z.strictObject({
      channel: uuid,
      /** What stands on the tabs, and how the menus are called. */
      names: z.array(text(20)).min(2).max(3),
      layout: z.enum(menuLayoutNames),
      size: Menu.shape.size.optional(),
      /** The first is for everybody who has no other, unless another menu is that. */
      default: z.boolean().optional(),
    }),
    status: 201,
    reply: list,
  }),
  importJson: route('POST', `${group}/rich-menu/import`, {
    summary: 'Make a rich menu of LINE’s own JSON',
    access: 'edit',
    body: z.strictObject({ channel: uuid, menu: LineMenuJson }),
    status: 201,
    reply: one(RichMenu),
  }),
  get: route('GET', `${group}/rich-menu/:uuid`, {
    summary: 'One rich menu',
    access: 'read',
    params: byUuid,
    reply: one(RichMenu),
  }),
  update: route('PUT', `${group}/rich-menu/:uuid`, {
    summary: 'Change the draft, or at once who sees it and when',
    access: 'edit',
    params: byUuid,
    body: z
      .strictObject({
        /** It need not be finished: only publishing asks for that. */
        menu: MenuDraft,
        /** How its picture is drawn; null for one that was uploaded. */
        design: MenuDesign.nullable(),
        place: z.number().int().min(0).max(1000),
        tags: z.array(text(40)).max(20),
        /** Guests of the channel. */
        people: z.array(uuid).max(500),
        ...period,
        /** `updatedAt` as it was last read: where the menu was changed since, this is refused with `conflict`. */
        seen: moment,
      })
      .partial(),
    reply: one(RichMenu),
  }),
  copy: route('POST', `${group}/rich-menu/:uuid/copy`, {
    summary: 'A new draft with the same areas and picture',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ name: text(300) }),
    status: 201,
    reply: one(RichMenu),
  }),
  remove: route('DELETE', `${group}/rich-menu/:uuid`, {
    summary: 'Take it from LINE, and delete it',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  uploadImage: route('POST', `${group}/rich-menu/:uuid/image`, {
    summary: 'Its picture, which is cut to the menu’s size and made small enough for LINE',
    access: 'edit',
    kind: 'multipart',
    params: byUuid,
    reply: one(RichMenu),
  }),
  design: route('GET', `${group}/rich-menu/:uuid/design`, {
    summary: 'How its picture was drawn here, so that it can be changed',
    access: 'read',
    params: byUuid,
    reply: one(z.object({ design: MenuDesign.nullable() })),
  }),
  image: route('GET', `${group}/rich-menu/:uuid/image`, {
    summary: 'Its picture, as PNG or JPEG',
    access: 'read',
    kind: 'file',
    params: byUuid,
  }),
  exportJson: route('GET', `${group}/rich-menu/:uuid/export`, {
    summary: 'The draft as LINE’s own JSON',
    access: 'read',
    params: byUuid,
    reply: one(LineMenuJson),
  }),
  onLine: route('GET', line, {
    summary:
      'Which menus LINE has on a channel, or on all, beside ours; those that the account manager has made are not told',
    access: 'edit',
    query: {
      channel: uuid.optional(),
      /** How many channels a page asks LINE for, without a channel. */
      limit: z.coerce.number().int().min(1).max(maxChannelsAsked).default(maxChannelsAsked),
      cursor: listQuery.cursor,
    },
    reply: z.object({
      data: z.array(MenuOnLine),
      meta: z.object({
        /** The channels that LINE was asked for, and who has set what everybody sees there; null where LINE has not answered. */
        channels: z.array(
          z.object({ channel: uuid, default: z.enum(['ours', 'unknown', 'elsewhere', 'none']).nullable() }),
        ),
        limit: z.number().int(),
        nextCursor: z.string().nullable(),
      }),
    }),
  }),
  publish: route('POST', `${line}/publish`, {
    summary: 'Put menus on LINE; those that are tabs of each other at once',
    access: 'edit',
    body: several,
    reply: list,
  }),
  takeOff: route('POST', `${line}/remove`, {
    summary: 'Take menus from LINE; the drafts stay',
    access: 'edit',
    body: several,
    reply: list,
  }),
  restore: route('POST', `${line}/restore`, {
    summary: 'Publish anew what somebody else has deleted at LINE',
    access: 'edit',
    body: z.strictObject({ channel: uuid }),
    reply: list,
  }),
  fromLine: route('POST', `${line}/import`, {
    summary: 'Make a draft of a menu that LINE has, with its picture',
    access: 'edit',
    body: z.strictObject({ channel: uuid, lineId: z.string().regex(/^richmenu-[0-9A-Za-z]{1,64}$/) }),
    status: 201,
    reply: one(RichMenu),
  }),
  setDefault: route('PUT', `${line}/:uuid/default`, {
    summary: 'Whether everybody sees it who has no menu of their own',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ default: z.boolean() }),
    reply: one(RichMenu),
  }),
  statistics: route('GET', `${line}/:uuid/statistics`, {
    summary:
      'How often its published version was shown, and each area tapped: the last 30 days, or at most 99 of Japan’s',
    access: 'read',
    params: byUuid,
    query: { from: z.iso.date().optional(), to: z.iso.date().optional() },
    reply: one(MenuStatistics),
  }),
};
