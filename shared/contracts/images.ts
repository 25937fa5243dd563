import { z } from 'zod';
import { event } from '../event.ts';
import { byUuid, listQuery, many, moment, ok, one } from '../list.ts';
import type texts from '../locales/en/images.json';
import { route } from '../route.ts';
import { text, uuid } from '../text.ts';

declare module '../texts.ts' {
  interface Texts {
    images: typeof texts;
  }
}

/** What draws without a key is always there, as `builtInService` is. */
export const sampleService = '4b6f7461-6500-8000-8000-000000000002';

/** What somebody put into the gallery, as if it were a model. */
export const uploadService = '4b6f7461-6500-8000-8000-000000000003';

/** Pixels, as every model of today takes them. */
export const imageSizes = ['1024x1024', '1536x1024', '1024x1536'] as const;
export type ImageSize = (typeof imageSizes)[number];

export const maxImages = 8;
export const maxPrompt = 4_000;
export const maxSeed = 2 ** 31 - 1;
export const maxReferences = 4;
/** Most small pictures in one call. */
export const maxThumbs = 24;

/** Megabytes of one file that is uploaded. */
export const maxUploadMb = 20;
export const maxStrokes = 50;
/** Of all strokes together: each costs time to draw over a large picture. */
export const maxPoints = 1000;

const share = z.number().min(0).max(1);
/** What may change of the first reference: strokes of a round brush, in shares of its width and height; `size` is a share of the shorter side. */
const Mask = z.strictObject({
  strokes: z
    .array(
      z.strictObject({
        size: z.number().min(0.01).max(0.5),
        points: z
          .array(z.tuple([share, share]))
          .min(1)
          .max(maxPoints),
      }),
    )
    .min(1)
    .max(maxStrokes)
    .refine((strokes) => strokes.reduce((sum, { points }) => sum + points.length, 0) <= maxPoints, 'too-long'),
});
export type Mask = z.output<typeof Mask>;

export const imageStates = ['queued', 'drawing', 'done', 'failed', 'canceled'] as const;

const Image = z.object({
  uuid,
  /** Those that were asked for together. */
  batch: uuid,
  prompt: z.string(),
  service: z.object({ uuid, name: z.string() }),
  width: z.number().int(),
  height: z.number().int(),
  seed: z.number().int(),
  /** Pictures of the gallery that it began with. */
  references: z.array(uuid),
  /** Only a part of the first of them was to change. */
  masked: z.boolean(),
  status: z.enum(imageStates),
  /** Micro-credits: what it cost; while it is not done, what is set aside. */
  cost: z.number().int(),
  ownKey: z.boolean(),
  /** Why it failed, in the reader's language. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  /** Who asked for it; null where they are gone. */
  by: z.string().nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type Image = z.output<typeof Image>;

/** A picture has changed; `partial` is what there is of it so far, as WebP in base64. */
export const imageChanged = event('image', z.object({ image: Image, partial: z.string().optional() }));

const { q, limit, cursor } = listQuery;

const thumbsFormat =
  'in the order of `uuids`, which have commas between them, each as its length in four bytes (big-endian) and its bytes as WebP; a length of 0 where there is none';
const thumbsQuery = {
  uuids: z
    .string()
    .max(37 * maxThumbs)
    .transform((text) => text.split(','))
    .pipe(z.array(uuid).max(maxThumbs)),
};

export const images = {
  list: route('GET', '/api/user/images', {
    summary: 'The workspace’s pictures, newest first; the number of them and what they cost in `meta`',
    access: 'read',
    query: { q, limit, cursor },
    reply: many(Image).extend({
      meta: z.object({ nextCursor: z.string().nullable(), total: z.number().int(), cost: z.number().int() }),
    }),
  }),
  create: route('POST', '/api/user/images', {
    summary: 'Draw pictures; once for each `Idempotency-Key`. They are drawn afterwards',
    access: 'edit',
    status: 202,
    body: z.strictObject({
      prompt: text(maxPrompt),
      service: uuid,
      size: z.enum(imageSizes).default('1024x1024'),
      count: z.number().int().min(1).max(maxImages).default(1),
      seed: z.number().int().min(0).max(maxSeed).optional(),
      references: z.array(uuid).max(maxReferences).default([]),
      mask: Mask.optional(),
    }),
    reply: one(z.array(Image)),
  }),
  upload: route('POST', '/api/user/images/upload', {
    summary: 'Put a picture into the gallery, to draw from; it is encoded again as PNG',
    access: 'edit',
    kind: 'multipart',
    status: 201,
    reply: one(Image),
  }),
  get: route('GET', '/api/user/image/:uuid', {
    summary: 'One picture',
    access: 'read',
    params: byUuid,
    reply: one(Image),
  }),
  file: route('GET', '/api/user/image/:uuid/file', {
    summary: 'A picture as PNG (with its prompt in it, for a download), or a small one as WebP',
    access: 'read',
    kind: 'file',
    params: byUuid,
    query: { size: z.enum(['full', 'thumb']).default('full') },
  }),
  thumbs: route('GET', '/api/user/images/thumbs', {
    summary: `Small pictures, at most ${maxThumbs}: ${thumbsFormat}`,
    access: 'read',
    kind: 'file',
    query: thumbsQuery,
  }),
  trashThumbs: route('GET', '/api/user/images/trash/thumbs', {
    summary: `Small pictures that are in the trash, at most ${maxThumbs}: ${thumbsFormat}`,
    access: 'edit',
    kind: 'file',
    query: thumbsQuery,
  }),
  cancel: route('POST', '/api/user/image/:uuid/cancel', {
    summary: 'Draw it no further; one that is done stays',
    access: 'edit',
    params: byUuid,
    reply: one(Image),
  }),
  remove: route('DELETE', '/api/user/image/:uuid', {
    summary: 'Delete a picture; it can be restored for 30 days',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  restore: route('POST', '/api/user/image/:uuid/restore', {
    summary: 'Take a deleted picture back',
    access: 'edit',
    params: byUuid,
    reply: one(Image),
  }),
};
