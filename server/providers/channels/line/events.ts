import { createHash } from 'node:crypto';
import { z } from 'zod';
import { storable } from '../../../../shared/text.ts';
import { parseJson } from './wire.ts';

/** Something that happened on LINE. */
export interface LineEvent {
  /** The same when it is delivered again. */
  id: string;
  /** What LINE calls it. */
  type: string;
  /** Milliseconds since 1970. */
  at: number;
  /** In `standby` nothing may be sent. */
  mode: 'active' | 'standby';
  isRedelivery: boolean;
  source: LineSource | null;
  /** Good once, for about a minute. */
  replyToken?: string | undefined;
  /** As it came. */
  raw: Record<string, unknown>;
  what: What;
}

export interface LineSource {
  kind: 'user' | 'group' | 'room';
  /** What a push goes to. */
  chat: string;
  /** Who did it; some phones do not tell in groups. */
  user?: string | undefined;
}

export type What =
  | ({ type: 'message' } & ReceivedMessage)
  /** A member of a group has changed what they wrote: the one with the latest time counts. */
  | ({ type: 'edited' } & ReceivedMessage)
  | { type: 'unsent'; messageId: string }
  | { type: 'followed'; isUnblocked: boolean }
  | { type: 'unfollowed' }
  | { type: 'joined' }
  | { type: 'left' }
  | { type: 'membersJoined'; users: string[] }
  | { type: 'membersLeft'; users: string[] }
  | {
      type: 'postback';
      data: string;
      params: Record<string, string>;
      /** A tab of the rich menu was tapped: to which one, and whether that was possible. */
      menu?: { alias?: string | undefined; status: string } | undefined;
    }
  | { type: 'video-complete'; trackingId: string }
  | { type: 'beacon'; hwid: string; kind: string; message?: string | undefined }
  | { type: 'linked'; result: string; nonce: string }
  | { type: 'membership'; kind: string; membershipId?: number | undefined }
  /** What we do not know, or cannot read. */
  | { type: 'other' };

export interface ReceivedMessage {
  messageId: string;
  message: LineContent;
  quoteToken?: string | undefined;
  quotedMessageId?: string | undefined;
  markAsReadToken?: string | undefined;
}

export type LineContent =
  | {
      type: 'text';
      text: string;
      /** The same without the mention of us. */
      plain: string;
      /** The plain text without emoji of LINE, for which it has words in brackets. */
      words: string;
      isSelfMentioned: boolean;
      isAllMentioned: boolean;
      mentions: z.output<typeof Mentionee>[];
      emojis: z.output<typeof Emoji>[];
    }
  | {
      type: 'sticker';
      packageId: string;
      stickerId: string;
      keywords: string[];
      /** What its sender has written on it. */
      text?: string | undefined;
    }
  | {
      type: 'location';
      title?: string | undefined;
      address?: string | undefined;
      latitude: number;
      longitude: number;
    }
  | {
      type: 'image' | 'video' | 'audio' | 'file';
      content: { provider: 'line' } | { provider: 'external'; url: string; previewUrl?: string | undefined };
      durationMs?: number | undefined;
      fileName?: string | undefined;
      /** In bytes. */
      fileSize?: number | undefined;
      /** Pictures that were sent at once. */
      imageSet?: z.output<typeof ImageSet> | undefined;
    }
  | { type: 'other' };

/** LINE names no limit; a body with the longest texts that people can write has some hundred kilobytes. */
const maxBytes = 2_000_000;
const maxEvents = 1000;
const maxDepth = 32;

/**
 * A webhook's body: UTF-8 JSON of at most 2 MB and 1,000 events. Undefined where it is none. What is wrong or unknown within an event
 * makes that one `other`, since LINE adds kinds and properties without notice.
 * https://developers.line.biz/en/reference/messaging-api/#webhook-event-objects
 */
export function readBody(raw: Buffer): { destination: string; events: LineEvent[] } | undefined {
  if (raw.length > maxBytes) return undefined;
  const body = Body.safeParse(parseJson(raw)).data;
  return (
    body && {
      destination: body.destination,
      events: body.events.map((event, at) =>
        readEvent(event, () => createHash('sha256').update(raw).update(`${at}`).digest('hex')),
      ),
    }
  );
}

const words = z.string().transform(storable);
const name = words.pipe(z.string().min(1).max(1000));
const optional = words.optional().catch(undefined);
const number = z.number().optional().catch(undefined);
/** Those of a list that can be read. */
const each = <T extends z.ZodType>(schema: T) =>
  z
    .array(z.unknown())
    .catch([])
    .transform((list) =>
      list.slice(0, 100).flatMap((one) => {
        const parsed = schema.safeParse(one);
        return parsed.success ? [parsed.data] : [];
      }),
    );

const Body = z.object({ destination: name, events: z.array(z.unknown()).max(maxEvents) });
const Envelope = z.object({
  webhookEventId: name.optional().catch(undefined),
  type: z.string().max(100).catch(''),
  // What a date may be.
  timestamp: z.int().nonnegative().max(8_640_000_000_000_000).catch(0),
  mode: z.literal('active').or(z.literal('standby')).catch('standby'),
  deliveryContext: z.object({ isRedelivery: z.boolean() }).catch({ isRedelivery: false }),
  source: z
    .discriminatedUnion('type', [
      z.object({ type: z.literal('user'), userId: name }).transform((user) => source('user', user.userId, user)),
      z
        .object({ type: z.literal('group'), groupId: name, userId: name.optional().catch(undefined) })
        .transform((group) => source('group', group.groupId, group)),
      z
        .object({ type: z.literal('room'), roomId: name, userId: name.optional().catch(undefined) })
        .transform((room) => source('room', room.roomId, room)),
    ])
    .nullable()
    .catch(null),
  replyToken: name.optional().catch(undefined),
});
const source = (kind: LineSource['kind'], chat: string, { userId }: { userId?: string | undefined }): LineSource => ({
  kind,
  chat,
  ...(userId !== undefined && { user: userId }),
});

/** An event as it came, or as it was stored of it. @param otherId What one without an id is known by. */
export function readEvent(given: unknown, otherId: () => string): LineEvent {
  const raw = isObject(given) && !isDeeper(given, maxDepth) ? given : {};
  const { webhookEventId, type, timestamp, mode, deliveryContext, source: from, replyToken } = Envelope.parse(raw);
  return {
    id: webhookEventId ?? otherId(),
    type,
    at: timestamp,
    mode,
    isRedelivery: deliveryContext.isRedelivery,
    source: from,
    ...(replyToken !== undefined && { replyToken }),
    raw,
    what: (Object.hasOwn(kinds, type) ? kinds[type]?.safeParse(raw).data : undefined) ?? { type: 'other' },
  };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

const Mentionee = z.object({
  type: z.string(),
  index: z.int().nonnegative(),
  length: z.int().positive(),
  userId: optional,
  isSelf: z.boolean().catch(false),
});
const Emoji = z.object({
  index: z.int().nonnegative(),
  length: z.int().positive(),
  productId: z.string(),
  emojiId: z.string(),
});
const ImageSet = z.object({ id: name, index: number, total: number });

const TextContent = z
  .object({
    type: z.literal('text'),
    text: z.string(),
    mention: z.object({ mentionees: each(Mentionee) }).catch({ mentionees: [] }),
    emojis: each(Emoji),
  })
  .transform(({ type, text, mention: { mentionees: mentions }, emojis }) => ({
    type,
    text: storable(text),
    plain: storable(withoutParts(text, ownOf(mentions))),
    words: storable(withoutParts(text, [...ownOf(mentions), ...emojis])),
    isSelfMentioned: mentions.some(({ isSelf }) => isSelf),
    isAllMentioned: mentions.some((mention) => mention.type === 'all'),
    mentions,
    emojis,
  }));

const ownOf = (mentions: z.output<typeof Mentionee>[]) => mentions.filter(({ isSelf }) => isSelf);

/** Places are counted in UTF-16 units of the text as it came. */
function withoutParts(text: string, parts: { index: number; length: number }[]): string {
  let rest = '';
  let from = 0;
  for (const { index, length } of parts.toSorted((one, other) => one.index - other.index)) {
    if (index < from) continue;
    const before = rest + text.slice(from, index);
    from = Math.min(text.length, index + length);
    // Of the two spaces around it one is left.
    if (/^\s/.test(text.slice(from, from + 1)) && (before === '' || /\s$/.test(before.slice(-1)))) from++;
    rest = before;
  }
  return (rest + text.slice(from)).trim();
}

const StickerContent = z.object({
  type: z.literal('sticker'),
  packageId: name,
  stickerId: name,
  keywords: each(words),
  text: optional,
});
const LocationContent = z.object({
  type: z.literal('location'),
  title: optional,
  address: optional,
  latitude: z.number(),
  longitude: z.number(),
});
const Provider = z.union([
  z
    .object({ type: z.literal('external'), originalContentUrl: z.string().max(2000), previewImageUrl: optional })
    .transform(({ originalContentUrl, previewImageUrl }) => ({
      provider: 'external' as const,
      url: originalContentUrl,
      ...(previewImageUrl !== undefined && { previewUrl: previewImageUrl }),
    })),
  z.object({ type: z.literal('line') }).transform(() => ({ provider: 'line' as const })),
]);
const MediaContent = z
  .object({
    type: z.enum(['image', 'video', 'audio', 'file']),
    // Files are always with LINE, and do not say so.
    contentProvider: Provider.default({ provider: 'line' }),
    duration: number,
    fileName: optional,
    fileSize: number,
    imageSet: ImageSet.optional().catch(undefined),
  })
  .transform(({ type, contentProvider: content, duration, fileName, fileSize, imageSet }) => ({
    type,
    content,
    ...(duration !== undefined && { durationMs: duration }),
    ...(fileName !== undefined && { fileName }),
    ...(fileSize !== undefined && { fileSize }),
    ...(imageSet !== undefined && { imageSet }),
  }));

const Received = z.object({
  message: z
    .looseObject({ id: name, quoteToken: optional, quotedMessageId: optional, markAsReadToken: optional })
    .transform((given): ReceivedMessage => {
      const { id, quoteToken, quotedMessageId, markAsReadToken } = given;
      const content = z
        .discriminatedUnion('type', [TextContent, StickerContent, LocationContent, MediaContent])
        .safeParse(given).data;
      return {
        messageId: id,
        message: content ?? { type: 'other' },
        ...(quoteToken !== undefined && { quoteToken }),
        ...(quotedMessageId !== undefined && { quotedMessageId }),
        ...(markAsReadToken !== undefined && { markAsReadToken }),
      };
    }),
});
const Members = z
  .object({ members: each(z.object({ userId: name })) })
  .transform(({ members }) => members.map(({ userId }) => userId));

/** What we know, by what LINE calls it. */
const kinds: Record<string, z.ZodType<What>> = {
  message: Received.transform(({ message }) => ({ type: 'message', ...message })),
  messageEdited: Received.transform(({ message }) => ({ type: 'edited', ...message })),
  unsend: z
    .object({ unsend: z.object({ messageId: name }) })
    .transform(({ unsend }) => ({ type: 'unsent', messageId: unsend.messageId })),
  follow: z
    .object({ follow: z.object({ isUnblocked: z.boolean() }).catch({ isUnblocked: false }) })
    .transform(({ follow }) => ({ type: 'followed', isUnblocked: follow.isUnblocked })),
  unfollow: z.object({}).transform(() => ({ type: 'unfollowed' })),
  join: z.object({}).transform(() => ({ type: 'joined' })),
  leave: z.object({}).transform(() => ({ type: 'left' })),
  memberJoined: z.object({ joined: Members }).transform(({ joined }) => ({ type: 'membersJoined', users: joined })),
  memberLeft: z.object({ left: Members }).transform(({ left }) => ({ type: 'membersLeft', users: left })),
  postback: z
    .object({
      postback: z.object({
        data: words,
        params: z.record(z.string().max(100), words).catch({}),
      }),
    })
    .transform(({ postback: { data, params } }) => ({
      type: 'postback',
      data,
      params,
      ...(params['status'] !== undefined && {
        menu: { alias: params['newRichMenuAliasId'], status: params['status'] },
      }),
    })),
  videoPlayComplete: z
    .object({ videoPlayComplete: z.object({ trackingId: name }) })
    .transform(({ videoPlayComplete }) => ({ type: 'video-complete', trackingId: videoPlayComplete.trackingId })),
  beacon: z
    .object({ beacon: z.object({ hwid: name, type: z.string(), dm: optional }) })
    .transform(({ beacon: { hwid, type: kind, dm } }) => ({
      type: 'beacon',
      hwid,
      kind,
      ...(dm !== undefined && { message: dm }),
    })),
  accountLink: z
    .object({ link: z.object({ result: z.string(), nonce: words }) })
    .transform(({ link }) => ({ type: 'linked', ...link })),
  membership: z
    .object({ membership: z.object({ type: z.string(), membershipId: number }) })
    .transform(({ membership: { type: kind, membershipId } }) => ({
      type: 'membership',
      kind,
      ...(membershipId !== undefined && { membershipId }),
    })),
};
