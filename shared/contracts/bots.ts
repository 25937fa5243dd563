import { z } from 'zod';
import { listQuery, many, moment, ok, one, byUuid } from '../list.ts';
import { route } from '../route.ts';
import { optionalText, text, uuid } from '../text.ts';
import { Image } from './accounts.ts';

/** What a bot is made of; a version is a copy of it that no longer changes. */
export const BotConfig = z.object({
  instructions: z.string(),
  service: z.string(),
  knowledges: z.array(uuid),
  greeting: z.string(),
  starters: z.array(z.string()),
  refusal: z.string(),
});
export type BotConfig = z.output<typeof BotConfig>;

export const Bot = z.object({
  uuid,
  name: z.string(),
  description: z.string(),
  avatar: Image.nullable(),
  draft: BotConfig,
  published: z.object({ uuid, number: z.number().int(), note: z.string(), publishedAt: moment }).nullable(),
  /** The draft differs from what visitors get. */
  changed: z.boolean(),
  visibility: z.enum(['private', 'workspace', 'public']),
  createdAt: moment,
  updatedAt: moment,
});
export type Bot = z.output<typeof Bot>;

const fields = {
  name: text(80),
  description: optionalText(500),
  avatar: uuid.nullable(),
  instructions: optionalText(20_000),
  service: uuid,
  knowledges: z.array(uuid).max(20),
  greeting: optionalText(1000),
  starters: z.array(text(120)).max(8),
  refusal: optionalText(1000),
};

export const bots = {
  list: route('GET', '/api/user/bots', { summary: 'Bots of the workspace, last changed first', access: 'read', query: { ...listQuery, sort: z.enum(['updated', 'name']).default('updated') }, reply: many(Bot) }),
  dropdown: route('GET', '/api/user/bots/dropdown', {
    summary: 'Every bot with only id, name and avatar',
    access: 'read',
    reply: z.object({ data: z.array(z.object({ uuid, name: z.string(), avatar: Image.nullable() })) }),
  }),
  create: route('POST', '/api/user/bot', { summary: 'Create a bot', access: 'edit', status: 201, body: z.strictObject({ ...fields, name: fields.name }).partial().required({ name: true }), reply: one(Bot) }),
  get: route('GET', '/api/user/bot/:uuid', { summary: 'One bot', access: 'read', params: byUuid, reply: one(Bot) }),
  update: route('PUT', '/api/user/bot/:uuid', { summary: 'Change the draft of a bot', access: 'edit', params: byUuid, body: z.strictObject(fields).partial(), reply: one(Bot) }),
  remove: route('DELETE', '/api/user/bot/:uuid', { summary: 'Move a bot to the trash; it can be restored for 30 days', access: 'edit', params: byUuid, reply: ok }),
  restore: route('POST', '/api/user/bot/:uuid/restore', { summary: 'Take a bot out of the trash', access: 'edit', params: byUuid, reply: one(Bot) }),
  duplicate: route('POST', '/api/user/bot/:uuid/duplicate', { summary: 'Copy the draft of a bot', access: 'edit', status: 201, params: byUuid, reply: one(Bot) }),
  publish: route('POST', '/api/user/bot/:uuid/publish', { summary: 'Make the draft what visitors get', access: 'edit', params: byUuid, body: z.strictObject({ note: optionalText(500).optional() }).optional(), reply: one(Bot) }),
  show: route('GET', '/api/bot/:uuid', {
    summary: 'What a chat page needs to show a bot',
    access: 'user',
    scope: 'chat',
    params: byUuid,
    reply: one(z.object({ uuid, name: z.string(), description: z.string(), avatar: Image.nullable(), greeting: z.string(), starters: z.array(z.string()), canEdit: z.boolean() })),
  }),
};
export type ShownBot = z.output<typeof bots.show.reply>['data'];
