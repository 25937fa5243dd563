import { z } from 'zod';
import { byUuid, listQuery, many, moment, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { optionalText, text, uuid } from '../text.ts';
import { Image } from './accounts.ts';
import { Mark } from './bots.ts';
import { channelWeek } from './connections.ts';

const color = z.string().regex(/^#[0-9a-f]{6}$/, 'color-invalid');

/** Where a site is: a host, perhaps with a port, or `*.` before it for everything below; nothing else of an address. */
const domain = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(
    /^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(:\d{1,5})?$/,
    'domain-invalid',
  );

/** The texts of the widget that a maker may say otherwise, by their keys in `locales/<language>/widget.json`. */
const words = z.strictObject({
  title: optionalText(80),
  subtitle: optionalText(120),
  welcome: optionalText(1000),
  placeholder: optionalText(120),
  starters: z.array(text(120)).max(8),
  consent: optionalText(1000),
  limit: optionalText(500),
  /** Every other text, by its key. */
  others: z
    .record(z.string().max(60), optionalText(500))
    .refine((given) => Object.keys(given).length <= 100, 'too-long'),
});
export type WidgetWords = z.output<typeof words>;

export const launchers = ['bubble', 'lines', 'question', 'person'] as const;
export const formFields = ['name', 'email', 'phone'] as const;

const settings = {
  look: z.strictObject({
    position: z.enum(['right', 'left']),
    offsetX: z.number().int().min(0).max(400),
    offsetY: z.number().int().min(0).max(400),
    width: z.number().int().min(300).max(640),
    height: z.number().int().min(400).max(900),
    color,
    colorDark: color,
    scheme: z.enum(['auto', 'light', 'dark']),
    launcher: z.enum(launchers),
    /** An uploaded picture; null for the bot's. */
    avatar: uuid.nullable(),
    /** Of the frame alone; the page around it is another document. */
    css: optionalText(20_000),
  }),
  /** Empty for ours. */
  texts: z.strictObject({ en: words, ja: words }),
  shown: z.strictObject({
    citations: z.boolean(),
    /** Whether the page of a cited PDF may be seen: whoever sees it has loaded the whole file. */
    pages: z.boolean().default(false),
    upload: z.boolean(),
    feedback: z.boolean(),
    sound: z.boolean(),
    poweredBy: z.boolean(),
  }),
  /** Opens by itself after so many seconds, once for each visitor. */
  autoOpenSeconds: z.number().int().min(1).max(600).nullable(),
  /** Asked before the first message. */
  form: z.strictObject({
    enabled: z.boolean(),
    fields: z.array(z.strictObject({ field: z.enum(formFields), required: z.boolean() })).max(formFields.length),
    /** Whether the consent text has to be ticked. */
    consent: z.boolean(),
  }),
  history: z.strictObject({
    /** Whether who comes back sees the last conversation. */
    policy: z.enum(['last', 'new']),
    /** Conversations are erased so many days after their last message; null to keep them. */
    retentionDays: z.number().int().min(1).max(3650).nullable(),
  }),
  /** Where the widget may be shown; none: nowhere but on our own pages. */
  domains: z.array(domain).max(50),
  limits: z.strictObject({
    /** Messages. */
    visitorPerMinute: z.number().int().min(1).max(60),
    visitorPerDay: z.number().int().min(1).max(10_000),
    addressPerDay: z.number().int().min(1).max(100_000),
    /** Credits that the channel's answers may cost in a day; null for no limit of its own. */
    creditsPerDay: z.number().int().min(0).max(1_000_000).nullable(),
  }),
};
export const EmbedSettings = z.strictObject(settings);
export type EmbedSettings = z.output<typeof EmbedSettings>;

const noWords: WidgetWords = {
  title: '',
  subtitle: '',
  welcome: '',
  placeholder: '',
  starters: [],
  consent: '',
  limit: '',
  others: {},
};

export const usualEmbed: EmbedSettings = {
  look: {
    position: 'right',
    offsetX: 20,
    offsetY: 20,
    width: 380,
    height: 620,
    color: '#007a0a',
    colorDark: '#0b7f17',
    scheme: 'auto',
    launcher: 'bubble',
    avatar: null,
    css: '',
  },
  texts: { en: noWords, ja: noWords },
  shown: { citations: true, pages: false, upload: false, feedback: true, sound: false, poweredBy: true },
  autoOpenSeconds: null,
  form: {
    enabled: false,
    fields: [
      { field: 'name', required: false },
      { field: 'email', required: true },
    ],
    consent: false,
  },
  history: { policy: 'last', retentionDays: null },
  domains: [],
  limits: { visitorPerMinute: 10, visitorPerDay: 200, addressPerDay: 2000, creditsPerDay: null },
};

/** What strangers say on the public page of a bot is erased so many days after their last message. */
export const pageRetentionDays = 90;

/** A website on which visitors talk with a bot or with people. Which bot, hours and hand-over are its connection's. */
export const WebChannel = z.object({
  uuid,
  name: z.string(),
  connection: uuid,
  /** What answers, as its connection says. */
  bot: z.object({ uuid, name: z.string(), avatar: Image.nullable(), mark: Mark, published: z.boolean() }).nullable(),
  active: z.boolean(),
  settings: EmbedSettings,
  /** Its site can prove who somebody is. */
  hasSecret: z.boolean(),
  /** The picture of the settings, where one was uploaded. */
  avatar: Image.nullable(),
  /** When a page last showed the widget, and which. */
  seenAt: moment.nullable(),
  seenOn: z.string().nullable(),
  ...channelWeek,
  createdAt: moment,
  updatedAt: moment,
});
export type WebChannel = z.output<typeof WebChannel>;

/** One thing that "check my site" looked at. */
export const SiteCheck = z.object({
  what: z.enum(['reached', 'snippet', 'channel', 'domain', 'policy', 'frame']),
  state: z.enum(['good', 'bad', 'unknown']),
  /** What was found, or what to do. */
  text: z.string(),
});
export type SiteCheck = z.output<typeof SiteCheck>;

export const webChannels = {
  list: route('GET', '/api/user/web-channel', {
    summary: 'Website channels of the workspace, last changed first',
    access: 'read',
    query: listQuery,
    reply: many(WebChannel),
  }),
  create: route('POST', '/api/user/web-channel', {
    summary: 'Create a website channel with its connection',
    access: 'edit',
    body: z.strictObject({
      name: text(80),
      bot: uuid.nullable().optional(),
      domains: settings.domains.optional(),
    }),
    status: 201,
    reply: one(WebChannel),
  }),
  get: route('GET', '/api/user/web-channel/:uuid', {
    summary: 'One website channel',
    access: 'read',
    params: byUuid,
    reply: one(WebChannel),
  }),
  update: route('PUT', '/api/user/web-channel/:uuid', {
    summary: 'Change its name or parts of its settings',
    access: 'edit',
    params: byUuid,
    body: z
      .strictObject({
        name: text(80),
        ...settings,
        /** `updatedAt` as it was last read: where the channel was changed since, this is refused with `conflict`. */
        seen: moment,
      })
      .partial(),
    reply: one(WebChannel),
  }),
  remove: route('DELETE', '/api/user/web-channel/:uuid', {
    summary: 'Delete it. The widget disappears at once; its conversations stay in the inbox as long as it kept them',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  secret: route('POST', '/api/user/web-channel/:uuid/secret', {
    summary: 'A new secret with which a site proves who its visitor is; an earlier one no longer works',
    access: 'manage',
    params: byUuid,
    reply: one(z.object({ secret: z.string() })),
  }),
  check: route('POST', '/api/user/web-channel/:uuid/check', {
    summary: 'Fetch a page of the site and say what the widget is missing there',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ url: text(2000) }),
    reply: one(z.object({ checks: z.array(SiteCheck) })),
  }),
};
