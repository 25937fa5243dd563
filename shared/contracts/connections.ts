import { z } from 'zod';
import { byUuid, listQuery, many, moment, one } from '../list.ts';
import { route } from '../route.ts';
import { isTimezone, optionalText, text, uuid } from '../text.ts';
import { Image } from './accounts.ts';
import { Mark } from './bots.ts';

/** Where visitors come from. */
export const channelKinds = ['web', 'line'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** How a channel was used in the last seven days. */
export const channelWeek = {
  /** Conversations that visitors have begun there. */
  conversations: z.number().int(),
  /** The same for each of these days, the oldest first. */
  conversationsPerDay: z.array(z.number().int()),
  /** Those of them that the bot answered alone. */
  unaided: z.number().int(),
};

const timezone = text(64).refine(isTimezone, 'timezone-invalid');
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, 'time-invalid');

/** Days on which nobody is there: from one to another, or the same weekday of each month. */
export const ClosedDays = z.union([
  z
    .strictObject({ first: z.iso.date(), last: z.iso.date() })
    .refine(({ first, last }) => first <= last, { message: 'span-backwards', path: ['last'] }),
  z.strictObject({
    /** Sunday is 0. */
    weekday: z.int().min(0).max(6),
    /** The third of a month is 3, its last is -1. */
    nth: z.literal([1, 2, 3, 4, 5, -1]),
  }),
]);
export type ClosedDays = z.output<typeof ClosedDays>;

/** When people are there; a day may be closed, or have several spans. */
export const Hours = z.strictObject({
  /** An IANA name, such as Asia/Tokyo. */
  timezone,
  /** Sunday first. A span that does not end after it begins goes on into the next day, and belongs to the day on which it begins. */
  week: z
    .array(z.array(z.strictObject({ from: time.refine((from) => from !== '24:00', 'time-invalid'), to: time })).max(4))
    .length(7),
  /** Days on which nobody is there, as 2026-12-31. */
  holidays: z.array(z.iso.date()).max(100),
  closed: z.array(ClosedDays).max(50).default([]),
  /** Nobody is there on the public holidays of Japan. */
  japaneseHolidays: z.boolean().default(false),
});
export type Hours = z.output<typeof Hours>;

export const ruleMatches = ['contains', 'exact', 'any'] as const;
export const ruleTimes = ['always', 'open', 'closed', 'schedule'] as const;

/** Days and times of their own, whatever the hours say. */
export const RuleSchedule = z
  .strictObject({
    timezone,
    /** The first and the last day, as 2026-12-31; null where there is none. */
    first: z.iso.date().nullable(),
    last: z.iso.date().nullable(),
    /** Sunday is 0. */
    weekdays: z.array(z.int().min(0).max(6)).min(1).max(7),
    from: time,
    /** Of the next day where it is not after `from`. */
    to: time,
  })
  .refine(({ first, last }) => first === null || last === null || first <= last, {
    message: 'span-backwards',
    path: ['last'],
  });
export type RuleSchedule = z.output<typeof RuleSchedule>;

/** What happens to a message by its words and its time, before the bot is asked. The first that fits counts. */
export const KeywordRule = z
  .strictObject({
    /** None where any message fits. */
    phrases: z.array(text(100)).max(20),
    match: z.enum(ruleMatches),
    /** At any time; by the connection's hours, while people are there, or while they are not; or as `schedule` says. */
    when: z.enum(ruleTimes).default('always'),
    schedule: RuleSchedule.nullable().default(null),
    /** Said instead of the bot's answer; empty where the rule only hands over or tags. */
    reply: optionalText(2000),
    /** A rich message that is sent after it. */
    rich: uuid.nullable().default(null),
    handOff: z.boolean(),
    /** Given to the person; empty for none. */
    tag: optionalText(40),
  })
  .superRefine(({ phrases, match, when, schedule }, issues) => {
    const missing = (path: string) => issues.addIssue({ code: 'custom', message: 'required', path: [path] });
    if (match !== 'any' && phrases.length === 0) missing('phrases');
    if (when === 'schedule' && schedule === null) missing('schedule');
  });
export type KeywordRule = z.output<typeof KeywordRule>;

/** What asks nothing of a bot: stickers and emoji, thanks, photos with videos and files, places, and dates that were picked. */
export const messageKinds = ['stickers', 'thanks', 'media', 'places', 'dates'] as const;
export type MessageKind = (typeof messageKinds)[number];

/** What happens to such a message where no rule fits it: nothing, a reply, or people are called. */
export const KindHandling = z.strictObject({
  does: z.enum(['silent', 'reply', 'staff']),
  /** Said where it has a reply; empty for ours. */
  reply: optionalText(1000),
});
export type KindHandling = z.output<typeof KindHandling>;

const settings = {
  /** Null: at any time. */
  hours: Hours.nullable(),
  /** Said when a person is asked for and nobody is there; empty for ours. */
  awayText: optionalText(1000),
  /** Said instead on a holiday; empty for what is said whenever nobody is there. */
  holidayText: optionalText(1000),
  rules: z.array(KeywordRule).max(50),
  handoff: z.strictObject({
    /** Visitors may ask for a person. */
    offered: z.boolean(),
    /** After so many minutes without a message the bot answers again; null for never. */
    returnMinutes: z.number().int().min(5).max(10_080).nullable(),
    /** What the bot does after a hand-over until somebody is there again: it waits too, or goes on answering. */
    whileAway: z.enum(['wait', 'answer']).default('wait'),
  }),
  kinds: z.strictObject({
    /** Also emoji alone. */
    stickers: KindHandling,
    thanks: KindHandling,
    /** Photos, videos and files without words. */
    media: KindHandling,
    places: KindHandling,
    /** A day or a time that somebody picked in a menu or a rich message. */
    dates: KindHandling.default({ does: 'staff', reply: '' }),
  }),
  /** What fixed texts are said in; `visitor`: in the visitor's. */
  language: z.enum(['visitor', 'en', 'ja']),
};
export const ConnectionSettings = z.strictObject(settings);
export type ConnectionSettings = z.output<typeof ConnectionSettings>;

export const usualConnection: ConnectionSettings = {
  hours: null,
  awayText: '',
  holidayText: '',
  rules: [],
  handoff: { offered: true, returnMinutes: 720, whileAway: 'wait' },
  kinds: {
    stickers: { does: 'silent', reply: '' },
    thanks: { does: 'silent', reply: '' },
    media: { does: 'staff', reply: '' },
    places: { does: 'staff', reply: '' },
    dates: { does: 'staff', reply: '' },
  },
  language: 'visitor',
};

const face = z.object({ uuid, name: z.string(), avatar: Image.nullable(), mark: Mark });

/** Which bot answers on a channel, and what happens when it should not. Every channel has one. */
export const Connection = z.object({
  uuid,
  /** That of its channel. */
  name: z.string(),
  channel: z.enum(channelKinds),
  channelId: uuid,
  /** Null: people only. `published`: visitors get an answer from it. */
  bot: face.extend({ published: z.boolean() }).nullable(),
  /** Whether anything is answered at all. */
  active: z.boolean(),
  settings: ConnectionSettings,
  /** Whether somebody is there now, by the hours. */
  open: z.boolean(),
  /** The public holidays of Japan that come next. */
  japaneseHolidays: z.array(z.iso.date()),
  createdAt: moment,
  updatedAt: moment,
});
export type Connection = z.output<typeof Connection>;

const changes = { bot: uuid.nullable(), active: z.boolean(), ...settings };

export const connections = {
  list: route('GET', '/api/user/connections', {
    summary: 'Connections of the workspace, last changed first',
    access: 'read',
    query: listQuery,
    reply: many(Connection),
  }),
  get: route('GET', '/api/user/connection/:uuid', {
    summary: 'One connection',
    access: 'read',
    params: byUuid,
    reply: one(Connection),
  }),
  update: route('PUT', '/api/user/connection/:uuid', {
    summary: 'Change which bot answers, when people are there, and what words do',
    access: 'edit',
    params: byUuid,
    body: z
      .strictObject({
        ...changes,
        /** `updatedAt` as it was last read: where the connection was changed since, this is refused with `conflict`. */
        seen: moment,
      })
      .partial(),
    reply: one(Connection),
  }),
  test: route('POST', '/api/user/connection/:uuid/test', {
    summary: 'What a message would do here: a rule, the bot, a person or nothing. Nothing is stored',
    access: 'edit',
    params: byUuid,
    /** What is not given is as it is saved. */
    body: z.strictObject({
      text: text(2000),
      /** What comes instead of words, of which `text` is then only a name. */
      kind: z.enum(messageKinds).optional(),
      ...z.strictObject(changes).partial().shape,
      /** When it would come; now where it is not given. */
      at: moment.optional(),
    }),
    reply: one(
      z.object({
        does: z.enum(['reply', 'handOff', 'bot', 'people', 'silent', 'nothing']),
        /** Which rule, counted from 0. */
        rule: z.number().int().nullable(),
        /** What it is, where it asks nothing and no rule fits it. */
        kind: z.enum(messageKinds).nullable(),
        reply: z.string(),
        /** What is said of a hand-over; empty where nothing is. */
        notice: z.string(),
        /** Whether the bot goes on answering after the hand-over. */
        answersOn: z.boolean(),
        /** The rich message that is sent after it. */
        rich: uuid.nullable(),
        /** The name of whoever answers where no rule does. */
        bot: z.string().nullable(),
      }),
    ),
  }),
};
