import { z } from 'zod';
import { byUuid, listQuery, moment, ok, one } from '../list.ts';
import { richKinds } from '../rich-line.ts';
import { Picture, RichDraft } from '../rich-message.ts';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

export const RichMessage = z.object({
  uuid,
  name: z.string(),
  kind: z.enum(richKinds),
  // A border: it was checked when it was stored, and the writer of replies knows no unions of this depth.
  draft: z.unknown() as unknown as z.ZodType<RichDraft>,
  createdAt: moment,
  updatedAt: moment,
});
export type RichMessage = z.output<typeof RichMessage>;

/** With how many channels, broadcasts and steps send it. */
const ListedRich = RichMessage.extend({ uses: z.number().int() });
export type ListedRich = z.output<typeof ListedRich>;

/** What sends it: the rules of a connection, or the greeting, a broadcast or the steps of a LINE channel. */
const RichUse = z.object({
  kind: z.enum(['rules', 'greeting', 'broadcast', 'steps']),
  uuid,
  name: z.string(),
  /** Of the LINE channel; null for the rules of a connection. */
  channel: uuid.nullable(),
  state: z.enum(['draft', 'scheduled', 'on', 'off']).nullable(),
});
export type RichUse = z.output<typeof RichUse>;

const group = '/api/user/line';
const name = text(80);

export const richMessages = {
  list: route('GET', `${group}/rich-messages`, {
    summary: 'Rich messages of the workspace, last changed first; the kinds that there are in `meta`',
    access: 'read',
    query: { ...listQuery, kind: z.enum(richKinds).optional() },
    reply: z.object({
      data: z.array(ListedRich),
      meta: z.object({ nextCursor: z.string().nullable(), kinds: z.array(z.enum(richKinds)) }),
    }),
  }),
  create: route('POST', `${group}/rich-message`, {
    summary: 'Add a rich message: a picture with areas, cards, or a flex message',
    access: 'edit',
    body: z.strictObject({ name, draft: RichDraft }),
    status: 201,
    reply: one(RichMessage),
  }),
  get: route('GET', `${group}/rich-message/:uuid`, {
    summary: 'One rich message',
    access: 'read',
    params: byUuid,
    reply: one(RichMessage),
  }),
  update: route('PUT', `${group}/rich-message/:uuid`, {
    summary: 'Change it; what was sent stays as it was',
    access: 'edit',
    params: byUuid,
    body: z
      .strictObject({
        name,
        draft: RichDraft,
        /** `updatedAt` as it was last read: where it was changed since, this is refused with `conflict`. */
        seen: moment,
      })
      .partial(),
    reply: one(RichMessage),
  }),
  uses: route('GET', `${group}/rich-message/:uuid/uses`, {
    summary: 'What sends it: channels, broadcasts and steps, the first 20; and in how many broadcasts it was sent',
    access: 'read',
    params: byUuid,
    reply: one(z.object({ users: z.array(RichUse), count: z.number().int(), sent: z.number().int() })),
  }),
  copy: route('POST', `${group}/rich-message/:uuid/copy`, {
    summary: 'Another with the same contents',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ name }),
    status: 201,
    reply: one(RichMessage),
  }),
  remove: route('DELETE', `${group}/rich-message/:uuid`, {
    summary: 'Delete it, unless something sends it; what was sent stays as it was',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  exportJson: route('GET', `${group}/rich-message/:uuid/json`, {
    summary: 'The message object as LINE gets it',
    access: 'read',
    params: byUuid,
    reply: one(z.looseObject({ type: z.string() })),
  }),
  uploadImage: route('POST', `${group}/rich-image`, {
    summary: 'Add a picture for rich messages; it is kept 1,040 pixels wide, and in the widths that LINE asks for',
    access: 'edit',
    kind: 'multipart',
    status: 201,
    reply: one(Picture),
  }),
  /** Without an extension and without a key, as LINE's servers and apps ask for it. */
  image: route('GET', '/line/image/:image/:width', {
    summary: 'A picture of a rich message, for LINE',
    access: 'anyone',
    scope: null,
    kind: 'file',
    params: { image: uuid, width: z.string().max(10) },
  }),
};
