import { z } from 'zod';
import { byUuid, listQuery, moment, moments, ok } from '../list.ts';
import { route } from '../route.ts';
import { uuid } from '../text.ts';

export const trashKinds = ['bot', 'knowledge', 'document', 'image'] as const;
export type TrashKind = (typeof trashKinds)[number];

export const TrashItem = z.object({
  kind: z.enum(trashKinds),
  uuid,
  name: z.string(),
  /** Where a document is, and whether that is in the trash too. */
  knowledge: z.object({ uuid, name: z.string(), isDeleted: z.boolean() }).nullable(),
  /** Null where it is not known: it was long ago, or the person is gone. */
  deletedBy: z.object({ uuid, name: z.string() }).nullable(),
  deletedAt: moment,
  /** When it is erased. */
  erasedAt: moment,
  ...moments,
});
export type TrashItem = z.output<typeof TrashItem>;

/** Restoring is each thing's own: `bots.restore`, `knowledge.restore`, `documents.restore`, `images.restore`. */
export const trash = {
  list: route('GET', '/api/user/trash', {
    summary: 'What was deleted in the last 30 days: the last first',
    access: 'edit',
    query: { ...listQuery, kind: z.enum(trashKinds).optional() },
    reply: z.object({
      data: z.array(TrashItem),
      meta: z.object({ nextCursor: z.string().nullable(), total: z.number().int() }),
    }),
  }),
  empty: route('DELETE', '/api/user/trash', {
    summary: 'Delete for good everything that is in the trash',
    access: 'edit',
    scope: null,
    reply: z.object({ ok: z.literal(true), erased: z.number().int() }),
  }),
  eraseBot: route('DELETE', '/api/user/trash/bot/:uuid', {
    summary: 'Delete for good a bot that is in the trash',
    access: 'edit',
    scope: null,
    params: byUuid,
    reply: ok,
  }),
  eraseKnowledge: route('DELETE', '/api/user/trash/knowledge/:uuid', {
    summary: 'Delete for good a knowledge base that is in the trash',
    access: 'edit',
    scope: null,
    params: byUuid,
    reply: ok,
  }),
  eraseDocument: route('DELETE', '/api/user/trash/document/:uuid', {
    summary: 'Delete for good a document that is in the trash',
    access: 'edit',
    scope: null,
    params: byUuid,
    reply: ok,
  }),
  eraseImage: route('DELETE', '/api/user/trash/image/:uuid', {
    summary: 'Delete for good a picture that is in the trash',
    access: 'edit',
    scope: null,
    params: byUuid,
    reply: ok,
  }),
};
