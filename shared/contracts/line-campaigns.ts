import { z } from 'zod';
import { LineBubble, maxBubblesSaid } from '../line-content.ts';
import { byUuid, listQuery, many, moment, moments, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { isTimezone, text, uuid } from '../text.ts';

/** `stopped`: the month's messages are used up, and it can go on when there are more. */
export const broadcastStates = ['draft', 'scheduled', 'sending', 'done', 'cancelled', 'failed', 'stopped'] as const;

/** Why it has failed or stopped, or waits: with `off` until its channel is on again. `unsure`: LINE may have taken it, and says when it goes on; `lost`: nobody can tell any more. */
export const broadcastReasons = [
  'quota',
  'refused',
  'secret',
  'unreachable',
  'nobody',
  'content',
  'off',
  'unsure',
  'lost',
  'uncounted',
] as const;
/** Of what has failed, what somebody can mend: it goes on afterwards. */
export const mendableReasons: readonly (typeof broadcastReasons)[number][] = ['secret', 'unreachable'];

const Content = z.array(LineBubble).max(maxBubblesSaid);
const timezone = text(64).refine(isTimezone, 'timezone-invalid');
const tag = text(40);
const tags = z.array(tag).max(100);
const without = tags.default([]);

/** Who has done something, or has not. */
export const LineDeed = z.discriminatedUnion('what', [
  z.strictObject({ what: z.enum(['wrote', 'silent', 'followed']), since: z.iso.date() }),
  z.strictObject({ what: z.enum(['sent', 'tapped']), broadcast: uuid }),
]);

/** `everyone` is every friend that the account has at LINE; the others are of those whom the channel knows, and whom what is sent still reaches. */
export const LineAudience = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('everyone') }),
  z.strictObject({ kind: z.literal('all'), without }),
  z.strictObject({ kind: z.literal('tags'), tags: tags.min(1), without }),
  z.strictObject({ kind: z.literal('people'), people: z.array(uuid).max(500) }),
  z.strictObject({ kind: z.literal('did'), did: LineDeed, without }),
]);
export type LineAudience = z.output<typeof LineAudience>;

/** A moment as a clock on the wall shows it there. */
export const LineTime = z.strictObject({
  local: z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/, 'invalid'),
  timezone,
});
export type LineTime = z.output<typeof LineTime>;

/** Whether taps of links are counted: all of them together, or of each person, to whom it is then sent by itself. */
export const tapCounts = ['off', 'all', 'person'] as const;

const sending = {
  name: text(100),
  content: Content,
  audience: LineAudience,
  /** Null: as soon as it is sent. */
  time: LineTime.nullable(),
  taps: z.enum(tapCounts),
  /** Given to whoever taps a link, where taps of each person are counted. */
  tapTag: tag.nullable(),
};

const counted = z.number().int();

const BroadcastBase = z.object({
  uuid,
  channel: uuid,
  ...sending,
  /** Days are those of this zone where no time is named. */
  timezone: z.string(),
  state: z.enum(broadcastStates),
  reason: z.enum(broadcastReasons).nullable(),
  /** What LINE said of it. */
  detail: z.string(),
  /** When it begins; until then it can be taken back. */
  dueAt: moment.nullable(),
  startedAt: moment.nullable(),
  endedAt: moment.nullable(),
  /** Null until they are fixed, when it begins; with `everyone` while LINE has not told how many there are. */
  recipients: counted.nullable(),
  sent: counted,
  failed: counted,
  /** They could no longer be reached: blocked by them or here, or erased. */
  skipped: counted,
  tapped: counted,
  createdAt: moment,
  updatedAt: moment,
});

export type BroadcastBase = z.output<typeof BroadcastBase>;

/** One of a list, with what it shows and what became of it. */
export const ListedBroadcast = BroadcastBase.extend({
  /** The first rich message in it, as it is now. */
  rich: z
    .object({
      name: z.string(),
      /** The first picture in it. */
      image: uuid.nullable(),
      color: z.string().nullable(),
    })
    .nullable(),
  /** How many have opened it, as LINE has told last. */
  opened: counted.nullable(),
  /** How many of those who got it wrote on the channel within seven days after it began; null until that is counted. */
  replies: counted.nullable(),
});
export type ListedBroadcast = z.output<typeof ListedBroadcast>;

const named = z.object({ uuid, name: z.string() });

export const Broadcast = BroadcastBase.extend({
  /** What those are called whom its audience names, and the broadcast that it names. */
  named: z.array(named),
});
export type Broadcast = z.output<typeof Broadcast>;

export const BroadcastPreview = z.object({
  /** Null where LINE has not told how many friends the account has. */
  recipients: counted.nullable(),
  /** Messages of the month; null while LINE has not told. */
  quota: z.object({ limit: counted.nullable(), used: counted, left: counted.nullable() }).nullable(),
  problems: z.array(
    z.object({
      code: z.enum([
        'empty',
        'nobody',
        'quota',
        'quota-everyone',
        'link-http',
        'text-long',
        'gone',
        'past',
        'off',
        'name-everyone',
        'taps-everyone',
        'uncounted',
        'blank-left',
      ]),
      level: z.enum(['error', 'warning']),
      bubble: counted.nullable(),
      /** With `quota` and `quota-everyone` how many messages the month has too few, with `text-long` how many characters there are too many. */
      count: counted.nullable(),
    }),
  ),
  /** What LINE would get, for somebody with this name. */
  messages: z.array(z.looseObject({ type: z.string() })),
  /** Each gets it by itself, since their name or their links are in it. */
  personal: z.boolean(),
  /** To whom the caller last sent a test. */
  tester: named.nullable(),
});
export type BroadcastPreview = z.output<typeof BroadcastPreview>;

export const LineLink = z.object({
  uuid,
  url: z.string(),
  target: z.string(),
  taps: counted,
  /** Who tapped, where each person is counted. */
  people: counted.nullable(),
  days: z.array(z.object({ date: z.iso.date(), taps: counted })),
  ...moments,
});
export type LineLink = z.output<typeof LineLink>;

export const BroadcastResult = z.object({
  links: z.array(LineLink),
  /** LINE's own figures. `unavailable`: LINE does not count for this account; `unready`: it counts a day later, and nothing below twenty people. */
  insight: z.object({
    state: z.enum(['ready', 'unready', 'unavailable']),
    opened: counted.nullable(),
    clicked: counted.nullable(),
  }),
  /** How many of those who got it wrote on the channel within seven days after it began. */
  replies: counted,
});
export type BroadcastResult = z.output<typeof BroadcastResult>;

export const recipientStates = ['sent', 'waiting', 'skipped', 'failed'] as const;

/** Somebody to whom a broadcast goes, or went. */
export const BroadcastRecipient = z.object({
  guest: named,
  /** Their latest conversation on the channel. */
  thread: uuid.nullable(),
  state: z.enum(recipientStates),
  /** When they first wrote, within seven days after it began. */
  repliedAt: moment.nullable(),
});
export type BroadcastRecipient = z.output<typeof BroadcastRecipient>;

export const takeOverStates = ['running', 'done', 'failed'] as const;
/** `unverified`: LINE lists the friends of verified accounts only. `full`: there are more than can be known. */
export const takeOverReasons = ['unverified', 'secret', 'refused', 'unreachable', 'full'] as const;

/** How many friends an account has at LINE, how many of them are known, and how far it is to know them all. */
export const LineReach = z.object({
  known: counted,
  /** Who has added the account and not blocked it; null while LINE has not told. */
  reached: counted.nullable(),
  /** Of which day that is, in Japan. */
  day: z.iso.date().nullable(),
  takeOver: z
    .object({
      state: z.enum(takeOverStates),
      reason: z.enum(takeOverReasons).nullable(),
      /** Friends that LINE has listed. */
      found: counted,
      /** Those of them who were not known. */
      added: counted,
      startedAt: moment,
      endedAt: moment.nullable(),
    })
    .nullable(),
});
export type LineReach = z.output<typeof LineReach>;

/** What somebody was sent without having asked. */
export const LineReceived = z.object({
  kind: z.enum(['broadcast', 'step']),
  /** The broadcast, or the step messages. */
  uuid,
  channel: uuid,
  name: z.string(),
  /** How it begins. */
  text: z.string(),
  at: moment,
  ...moments,
});
export type LineReceived = z.output<typeof LineReceived>;

/** When a step comes: after so many minutes, or so many days later at a time of day. */
export const StepTime = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('minutes'), minutes: z.number().int().min(0).max(43_200) }),
  z.strictObject({
    kind: z.literal('days'),
    days: z.number().int().min(0).max(365),
    at: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'invalid'),
  }),
]);
export type StepTime = z.output<typeof StepTime>;

const step = {
  /** Of a step that is there already; without, it is a new one. */
  uuid,
  time: StepTime,
  content: Content,
  taps: z.boolean(),
  tapTag: tag.nullable(),
};

export const StepTrigger = z.discriminatedUnion('on', [
  z.strictObject({ on: z.literal('follow') }),
  z.strictObject({ on: z.literal('tag'), tag }),
  /** Whom the team adds by hand. */
  z.strictObject({ on: z.literal('hand') }),
]);
export type StepTrigger = z.output<typeof StepTrigger>;

/** What ends it for somebody; who leaves gets nothing more in any case. */
export const StepStop = z.strictObject({ tag: tag.nullable(), writes: z.boolean(), staff: z.boolean() });
export type StepStop = z.output<typeof StepStop>;

const scenario = {
  name: text(100),
  active: z.boolean(),
  trigger: StepTrigger,
  stop: StepStop,
  /** Whoever has been through it can begin it again. */
  again: z.boolean(),
  timezone,
};

export const StepScenario = z.object({
  uuid,
  channel: uuid,
  ...scenario,
  steps: z.array(
    z.object({
      ...step,
      sent: counted,
      /** For whom it ended before this one. */
      stopped: counted,
      /** For whom it is the next. */
      waiting: counted,
      tapped: counted,
    }),
  ),
  people: z.object({ active: counted, done: counted, stopped: counted }),
  /** When the next step of anybody is due; null where nobody waits for one, or nothing goes out. */
  nextAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type StepScenario = z.output<typeof StepScenario>;

export const enrolmentStates = ['active', 'done', 'stopped'] as const;
export const enrolmentReasons = ['tag', 'wrote', 'staff', 'left', 'hand'] as const;

/** Somebody who is on their way through a scenario. */
export const StepEnrolment = z.object({
  uuid,
  scenario: named,
  guest: named,
  /** Their latest conversation on the channel. */
  thread: uuid.nullable(),
  state: z.enum(enrolmentStates),
  reason: z.enum(enrolmentReasons).nullable(),
  sent: counted,
  /** What comes next, or would have. */
  step: uuid.nullable(),
  /** When the next step is due. */
  nextAt: moment.nullable(),
  startedAt: moment,
  ...moments,
});
export type StepEnrolment = z.output<typeof StepEnrolment>;

const group = '/api/user/line';
const broadcast = `${group}/broadcast`;
const scenarioPath = `${group}/step-scenario`;
const ofChannel = { channel: uuid };
/** `updatedAt` as it was last read: where it was changed since, this is refused with `conflict`. */
const seen = moment;

export const lineCampaigns = {
  broadcasts: route('GET', `${group}/broadcasts`, {
    summary: 'Broadcasts of a LINE channel, the newest first',
    access: 'read',
    query: { ...listQuery, ...ofChannel },
    reply: many(ListedBroadcast),
  }),
  createBroadcast: route('POST', broadcast, {
    summary: 'Begin a broadcast as a draft',
    access: 'edit',
    body: z.strictObject({
      channel: uuid,
      name: sending.name,
      ...z.object(sending).omit({ name: true }).partial().shape,
    }),
    status: 201,
    reply: one(Broadcast),
  }),
  broadcast: route('GET', `${broadcast}/:uuid`, {
    summary: 'One broadcast, and how far it is',
    access: 'read',
    params: byUuid,
    reply: one(Broadcast),
  }),
  changeBroadcast: route('PUT', `${broadcast}/:uuid`, {
    summary: 'Change a draft, or one whose time has not come; afterwards only its name',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ ...sending, seen }).partial(),
    reply: one(Broadcast),
  }),
  copyBroadcast: route('POST', `${broadcast}/:uuid/copy`, {
    summary: 'A new draft that says the same to the same people',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ name: sending.name }),
    status: 201,
    reply: one(Broadcast),
  }),
  removeBroadcast: route('DELETE', `${broadcast}/:uuid`, {
    summary: 'Delete a broadcast that is not on its way; its links stay open',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  friends: route('GET', `${group}/friends`, {
    summary: 'Whom what is sent on a LINE channel reaches, the newest first',
    access: 'converse',
    query: { ...listQuery, ...ofChannel },
    reply: many(named),
  }),
  countAudience: route('POST', `${group}/broadcast-audience`, {
    summary: 'How many people an audience is now',
    access: 'edit',
    body: z.strictObject({ channel: uuid, audience: LineAudience }),
    reply: one(z.object({ recipients: counted.nullable() })),
  }),
  reach: route('GET', `${group}/reach`, {
    summary: 'How many friends an account has at LINE, how many of them are known, and how far it is to know them all',
    access: 'read',
    query: ofChannel,
    reply: one(LineReach),
  }),
  takeOver: route('POST', `${group}/take-over`, {
    summary: 'Make every friend whom LINE lists a known one, which it does for verified accounts',
    access: 'edit',
    body: z.strictObject(ofChannel),
    status: 202,
    reply: one(LineReach),
  }),
  received: route('GET', '/api/user/line-received', {
    summary: 'The newest broadcasts and steps that were sent to somebody',
    access: 'converse',
    query: { guest: uuid },
    reply: z.object({ data: z.array(LineReceived) }),
  }),
  previewBroadcast: route('GET', `${broadcast}/:uuid/preview`, {
    summary: 'Who would get it now, what that costs, what is wrong with it, and how it looks',
    access: 'edit',
    params: byUuid,
    reply: one(BroadcastPreview),
  }),
  testBroadcast: route('POST', `${broadcast}/:uuid/test`, {
    summary: 'Send it to one friend of the channel, who is remembered for the caller; its links are not counted',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ guest: uuid }),
    reply: ok,
  }),
  sendBroadcast: route('POST', `${broadcast}/:uuid/send`, {
    summary: 'Send it at its time, or in ten seconds; until then it can be taken back',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ seen: seen.optional() }),
    reply: one(Broadcast),
  }),
  cancelBroadcast: route('POST', `${broadcast}/:uuid/cancel`, {
    summary: 'Take it back before it begins, which makes it a draft again; afterwards what has not gone stays here',
    access: 'edit',
    params: byUuid,
    reply: one(Broadcast),
  }),
  resumeBroadcast: route('POST', `${broadcast}/:uuid/resume`, {
    summary: 'Go on with one that has stopped, or has failed for what has been mended since',
    access: 'edit',
    params: byUuid,
    reply: one(Broadcast),
  }),
  broadcastResult: route('GET', `${broadcast}/:uuid/result`, {
    summary: 'Taps of its links, and what LINE counted',
    access: 'read',
    params: byUuid,
    reply: one(BroadcastResult),
  }),
  recipients: route('GET', `${broadcast}/:uuid/recipients`, {
    summary: 'Whom a broadcast goes to, or went to, of those who are known',
    access: 'converse',
    params: byUuid,
    query: { limit: listQuery.limit, cursor: listQuery.cursor, state: z.enum(recipientStates).optional() },
    reply: many(BroadcastRecipient),
  }),
  scenarios: route('GET', `${group}/step-scenarios`, {
    summary: 'Step messages of a LINE channel, the newest first',
    access: 'read',
    query: { ...listQuery, ...ofChannel },
    reply: many(StepScenario),
  }),
  createScenario: route('POST', scenarioPath, {
    summary: 'Begin step messages; they are off until they are made active',
    access: 'edit',
    body: z.strictObject({ channel: uuid, name: scenario.name }),
    status: 201,
    reply: one(StepScenario),
  }),
  scenario: route('GET', `${scenarioPath}/:uuid`, {
    summary: 'Step messages with their figures',
    access: 'read',
    params: byUuid,
    reply: one(StepScenario),
  }),
  changeScenario: route('PUT', `${scenarioPath}/:uuid`, {
    summary: 'Change what is still to come, for those on their way too',
    access: 'edit',
    params: byUuid,
    body: z
      .strictObject({
        ...scenario,
        steps: z.array(z.strictObject({ ...step, uuid: uuid.optional() })).max(30),
        seen,
      })
      .partial(),
    reply: one(StepScenario),
  }),
  tester: route('GET', `${group}/tester`, {
    summary: 'To whom the caller last sent a test on a LINE channel',
    access: 'edit',
    query: ofChannel,
    reply: one(z.object({ tester: named.nullable() })),
  }),
  testScenario: route('POST', `${scenarioPath}/:uuid/test`, {
    summary: 'Send one step, or all of them at once, to one friend of the channel; links are not counted',
    access: 'edit',
    params: byUuid,
    body: z.strictObject({ guest: uuid, step: uuid.optional() }),
    reply: ok,
  }),
  removeScenario: route('DELETE', `${scenarioPath}/:uuid`, {
    summary: 'Delete step messages; nobody gets what was still to come',
    access: 'edit',
    params: byUuid,
    reply: ok,
  }),
  enrol: route('POST', `${scenarioPath}/:uuid/enrolment`, {
    summary: 'Begin it for somebody',
    access: 'converse',
    params: byUuid,
    body: z.strictObject({ guest: uuid }),
    status: 201,
    reply: one(StepEnrolment),
  }),
  enrolments: route('GET', `${group}/step-enrolments`, {
    summary: 'Who is, or was, on their way: through one scenario, or one person through all',
    access: 'converse',
    query: {
      ...listQuery,
      ...ofChannel,
      scenario: uuid.optional(),
      guest: uuid.optional(),
      state: z.enum(enrolmentStates).optional(),
    },
    reply: many(StepEnrolment),
  }),
  stopEnrolment: route('DELETE', `${group}/step-enrolment/:uuid`, {
    summary: 'End it for somebody',
    access: 'converse',
    params: byUuid,
    reply: one(StepEnrolment),
  }),
  links: route('GET', `${group}/links`, {
    summary: 'Counted links of a LINE channel, the newest first',
    access: 'read',
    query: { ...listQuery, ...ofChannel },
    reply: many(LineLink),
  }),
};
