import { z } from 'zod';
import { listQuery, many, moment, moments, ok, one, byUuid } from '../list.ts';
import { marks } from '../marks.ts';
import { Labels, noLabels } from '../labels.ts';
import { Retrieval, usualRetrieval } from '../retrieval.ts';
import { route } from '../route.ts';
import { optionalText, text, uuid } from '../text.ts';
import { Image } from './accounts.ts';
import { builtInService } from './services.ts';

/** How much of each a bot may have. */
export const botLimits = { knowledges: 20, tools: 20, toolHeaders: 20, toolParameters: 40 };

const name = z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'name-invalid');

/** A call over HTTP that a model may ask for. `{parameter}` in the address is filled in; other parameters become query or JSON body. */
export const Tool = z.strictObject({
  name,
  description: optionalText(1000),
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']),
  url: text(2000),
  /** A value may name a secret of the bot: `{{secret.NAME}}`. */
  headers: z.array(z.strictObject({ name: text(100), value: text(2000) })).max(botLimits.toolHeaders),
  parameters: z
    .array(
      z.strictObject({
        name,
        in: z.enum(['path', 'query', 'body']),
        type: z.enum(['string', 'number', 'integer', 'boolean', 'array', 'object']),
        description: optionalText(500),
        required: z.boolean(),
      }),
    )
    .max(botLimits.toolParameters),
  /** Only what the maker has approved is offered to a model. */
  approved: z.boolean(),
});
export type Tool = z.output<typeof Tool>;

export const languages = ['question', 'en', 'ja'] as const;

/** What a bot is made of; a version is a copy of it that no longer changes. Every field has the value an empty bot has. */
const config = {
  instructions: optionalText(20_000),
  /** `{{name}}` in instructions and texts becomes the value. */
  variables: z.array(z.strictObject({ name, value: optionalText(2000) })).max(30),
  service: uuid,
  /** Answers when the first cannot. */
  fallback: uuid.nullable(),
  parameters: z.strictObject({
    temperature: z.number().min(0).max(2).nullable(),
    topP: z.number().min(0).max(1).nullable(),
    maxTokens: z.number().int().min(16).max(32_000).nullable(),
    reasoning: z.enum(['none', 'low', 'medium', 'high']).nullable(),
  }),
  knowledges: z.array(uuid).max(botLimits.knowledges),
  retrieval: Retrieval,
  /** Documents that it answers from have all of these. */
  filter: Labels,
  greeting: optionalText(1000),
  starters: z.array(text(120)).max(8),
  /** Offered after an answer. */
  followUps: z.array(text(120)).max(8),
  /** What is said when the documents have no answer; empty for ours. */
  refusal: optionalText(1000),
  /** What the built-in model says before what it quotes; empty for ours. */
  quoteLead: optionalText(300),
  language: z.enum(languages),
  guardrails: z.strictObject({
    /** Characters of a question. */
    maxQuestion: z.number().int().min(1).max(8000),
    /** A question that has one of these words is not answered. */
    blockedTopics: z.array(text(100)).max(50),
    /** Empty for ours. */
    blockedReply: optionalText(1000),
    /** Addresses, telephone and card numbers do not leave for a model. */
    maskPersonal: z.boolean(),
  }),
  tools: z.array(Tool).max(botLimits.tools),
  /** The service with which it may draw pictures for whoever asks; null where it may not. */
  drawing: uuid.nullable(),
  /** How to reach a person: telephone, mail, hours. */
  contact: optionalText(1000),
  handoff: z.strictObject({
    enabled: z.boolean(),
    /** A visitor who writes one of these wants a person. */
    phrases: z.array(text(100)).max(30),
    /** After so many questions in a row that the documents did not answer; null for never. */
    afterRefusals: z.number().int().min(1).max(10).nullable(),
    /** Empty for ours. */
    reply: optionalText(1000),
  }),
  appearance: z.strictObject({
    /** Of the launcher and the visitor's words. */
    color: z.string().regex(/^#[0-9a-f]{6}$/, 'color-invalid'),
    showCitations: z.boolean(),
    placeholder: optionalText(120),
  }),
};
export const BotConfig = z.strictObject(config);
export type BotConfig = z.output<typeof BotConfig>;

export const emptyConfig: BotConfig = {
  instructions: '',
  variables: [],
  service: builtInService,
  fallback: null,
  parameters: { temperature: null, topP: null, maxTokens: null, reasoning: null },
  knowledges: [],
  retrieval: usualRetrieval,
  filter: noLabels,
  greeting: '',
  starters: [],
  followUps: [],
  refusal: '',
  quoteLead: '',
  language: 'question',
  guardrails: { maxQuestion: 8000, blockedTopics: [], blockedReply: '', maskPersonal: false },
  tools: [],
  drawing: null,
  contact: '',
  handoff: { enabled: false, phrases: [], afterRefusals: null, reply: '' },
  appearance: { color: '#077d0b', showCitations: true, placeholder: '' },
};

/** What a bot without a picture is drawn as: frame + 12 × (dye + 10 × reversed). No two bots of a workspace have the same, up to 240. */
export const Mark = z
  .number()
  .int()
  .min(0)
  .max(marks - 1);

/** Who may talk with a bot: its editors, every member, who has its address, everybody. */
export const visibilities = ['private', 'workspace', 'link', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

export const Bot = z.object({
  uuid,
  name: z.string(),
  description: z.string(),
  avatar: Image.nullable(),
  mark: Mark,
  /** The group it is in. */
  botgroup: uuid.nullable(),
  draft: BotConfig,
  /** The secrets that its tools may use, and where they may be sent; what they are is told to nobody. */
  secrets: z.array(z.object({ name: z.string(), origins: z.array(z.string()) })),
  published: z.object({ uuid, number: z.number().int(), note: z.string(), publishedAt: moment }).nullable(),
  /** The draft differs from what visitors get. */
  changed: z.boolean(),
  visibility: z.enum(visibilities),
  createdAt: moment,
  updatedAt: moment,
});
export type Bot = z.output<typeof Bot>;

/** A bot with what it was asked in the last 30 days. */
export const ListedBot = Bot.extend({
  usage: z.object({
    /** Answers that were given. */ questions: z.number().int(),
    /** Of models, in and out. */ tokens: z.number().int(),
  }),
});
export type ListedBot = z.output<typeof ListedBot>;

export const BotVersion = z.object({
  uuid,
  number: z.number().int(),
  note: z.string(),
  publisher: z.string().nullable(),
  publishedAt: moment,
  createdAt: moment,
  /** It never changes. */
  updatedAt: moment,
  current: z.boolean(),
});
export type BotVersion = z.output<typeof BotVersion>;

/** What a new bot may begin with, in the language of whoever asks. */
export const BotTemplate = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  config: BotConfig.partial(),
});
export type BotTemplate = z.output<typeof BotTemplate>;

const fields = {
  name: text(80),
  description: optionalText(500),
  avatar: uuid.nullable(),
  botgroup: uuid.nullable(),
  ...config,
};
const byVersion = { uuid, version: uuid };
const secretName = z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,39}$/, 'name-invalid');

export const botOrders = ['updated', 'name', 'questions'] as const;

export const bots = {
  list: route('GET', '/api/user/bots', {
    summary:
      'Bots of the workspace with their use in 30 days, last changed, first in the alphabet or most asked first; of one group, or with `none` of none',
    access: 'read',
    query: {
      ...listQuery,
      sort: z.enum(botOrders).default('updated'),
      botgroup: z.union([uuid, z.literal('none')]).optional(),
    },
    reply: many(ListedBot),
  }),
  dropdown: route('GET', '/api/user/bots/dropdown', {
    summary: 'Every bot with only id, name, look, whether it is published and which models it uses',
    access: 'read',
    reply: z.object({
      data: z.array(
        z.object({
          uuid,
          name: z.string(),
          avatar: Image.nullable(),
          mark: Mark,
          published: z.boolean(),
          /** Its model first, then the one that steps in and the one that draws; as published, or as drafted where it is not. */
          services: z.array(uuid),
          ...moments,
        }),
      ),
    }),
  }),
  templates: route('GET', '/api/user/bots/templates', {
    summary: 'What a new bot may begin with',
    access: 'read',
    reply: one(z.array(BotTemplate)),
  }),
  create: route('POST', '/api/user/bot', {
    summary: 'Create a bot',
    access: 'edit',
    status: 201,
    body: z
      .strictObject({ ...fields, name: fields.name })
      .partial()
      .required({ name: true }),
    reply: one(Bot),
  }),
  import: route('POST', '/api/user/bots/import', {
    summary: 'Make a bot of a file that was exported, with its knowledge and its look',
    access: 'edit',
    status: 201,
    kind: 'multipart',
    reply: one(Bot),
  }),
  get: route('GET', '/api/user/bot/:uuid', { summary: 'One bot', access: 'read', params: byUuid, reply: one(Bot) }),
  update: route('PUT', '/api/user/bot/:uuid', {
    summary: 'Change the draft of a bot, or who in the workspace may use it',
    access: 'edit',
    params: byUuid,
    body: z
      .strictObject({
        ...fields,
        /** `link` and `public` come with its listing, which this takes away. */
        visibility: z.enum(['private', 'workspace']),
        /** `updatedAt` as it was last read: where the bot was changed since, this is refused with `conflict`. */
        seen: moment,
      })
      .partial(),
    reply: one(Bot),
  }),
  remove: route('DELETE', '/api/user/bot/:uuid', {
    summary: 'Move a bot to the trash; it can be restored for 30 days',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  restore: route('POST', '/api/user/bot/:uuid/restore', {
    summary: 'Take a bot out of the trash',
    access: 'edit',
    params: byUuid,
    reply: one(Bot),
  }),
  duplicate: route('POST', '/api/user/bot/:uuid/duplicate', {
    summary: 'Copy the draft of a bot',
    access: 'edit',
    status: 201,
    params: byUuid,
    reply: one(Bot),
  }),
  publish: route('POST', '/api/user/bot/:uuid/publish', {
    summary: 'Make the draft what visitors get',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ note: optionalText(500).optional() }).optional(),
    reply: one(Bot),
  }),
  versions: route('GET', '/api/user/bot/:uuid/versions', {
    summary: 'What was published, newest first',
    access: 'read',
    params: byUuid,
    query: { limit: listQuery.limit, cursor: listQuery.cursor },
    reply: many(BotVersion),
  }),
  version: route('GET', '/api/user/bot/:uuid/version/:version', {
    summary: 'One version with everything it is made of',
    access: 'read',
    params: byVersion,
    reply: one(BotVersion.extend({ config: BotConfig })),
  }),
  restoreVersion: route('POST', '/api/user/bot/:uuid/version/:version/restore', {
    summary: 'Make a version the draft again',
    access: 'edit',
    params: byVersion,
    reply: one(Bot),
  }),
  export: route('GET', '/api/user/bot/:uuid/export', {
    summary: 'The bot as one file, with its knowledge and its look, without secrets',
    access: 'edit',
    kind: 'file',
    params: byUuid,
  }),
  setSecret: route('PUT', '/api/user/bot/:uuid/secret', {
    summary: 'Keep a secret for the tools of a bot and the servers that it is for, or another in its place',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ name: secretName, value: text(2000), origins: z.array(text(300)).min(1).max(10) }),
    reply: one(Bot),
  }),
  removeSecret: route('DELETE', '/api/user/bot/:uuid/secret/:name', {
    summary: 'Forget a secret',
    access: 'edit',
    params: { uuid, name: secretName },
    reply: one(Bot),
  }),
  readOpenApi: route('POST', '/api/user/bot/:uuid/openapi', {
    summary: 'The calls of an OpenAPI document, in JSON, as tools, none approved yet',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ document: text(1_000_000) }),
    reply: one(z.object({ tools: z.array(Tool), skipped: z.array(z.string()) })),
  }),
  tryTool: route('POST', '/api/user/bot/:uuid/tool/try', {
    summary: 'Make one call of a tool, as the model would',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ tool: Tool, input: z.record(z.string(), z.unknown()) }),
    reply: one(z.object({ status: z.number().int(), body: z.string(), tookMs: z.number().int() })),
  }),
  place: route('GET', '/api/bot/:uuid/workspace', {
    summary: 'In which of your own workspaces a bot is',
    access: 'user',
    scope: null,
    params: byUuid,
    reply: one(z.object({ uuid, name: z.string() })),
  }),
  show: route('GET', '/api/bot/:uuid', {
    summary:
      'What a chat page needs to show a bot; for everybody where it is published for everybody, or for who has its link',
    access: 'open',
    scope: 'chat',
    params: byUuid,
    reply: one(
      z.object({
        uuid,
        name: z.string(),
        description: z.string(),
        avatar: Image.nullable(),
        mark: Mark,
        greeting: z.string(),
        starters: z.array(z.string()),
        followUps: z.array(z.string()),
        appearance: BotConfig.shape.appearance,
        takesImages: z.boolean(),
        /** Of the workspace that is asked in; otherwise what everybody gets, whose chat is on its public page. */
        own: z.boolean(),
        canEdit: z.boolean(),
        /** For who may edit, whom the draft answers: what everyone else gets. */
        published: z.object({ uuid, number: z.number().int() }).nullable(),
        /** The draft is no longer what was published. */
        changed: z.boolean(),
        ...moments,
      }),
    ),
  }),
};
export type ShownBot = z.output<typeof bots.show.reply>['data'];

export const groupColors = ['gray', 'red', 'orange', 'yellow', 'green', 'teal', 'blue', 'violet', 'pink'] as const;
export const BotGroup = z.object({
  uuid,
  name: z.string(),
  color: z.enum(groupColors),
  position: z.number().int(),
  bots: z.number().int(),
  ...moments,
});
export type BotGroup = z.output<typeof BotGroup>;

const groupFields = { name: text(40), color: z.enum(groupColors) };

export const botGroups = {
  list: route('GET', '/api/user/botgroups', {
    summary: 'The groups of bots, in their order',
    access: 'read',
    reply: many(BotGroup),
  }),
  create: route('POST', '/api/user/botgroup', {
    summary: 'Make a group',
    access: 'edit',
    status: 201,
    body: z.strictObject(groupFields).partial({ color: true }),
    reply: one(BotGroup),
  }),
  get: route('GET', '/api/user/botgroup/:uuid', {
    summary: 'One group',
    access: 'read',
    params: byUuid,
    reply: one(BotGroup),
  }),
  update: route('PUT', '/api/user/botgroup/:uuid', {
    summary: 'Change a group, or move it to a place among the others',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ ...groupFields, position: z.number().int().min(0).max(1000) }).partial(),
    reply: one(BotGroup),
  }),
  remove: route('DELETE', '/api/user/botgroup/:uuid', {
    summary: 'Delete a group; its bots stay',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
};
