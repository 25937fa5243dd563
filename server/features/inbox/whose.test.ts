import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Socket } from 'socket.io-client';
import { bots } from '../../../shared/contracts/bots.ts';
import { connections, usualConnection, type KeywordRule } from '../../../shared/contracts/connections.ts';
import {
  inbox,
  inboxMessage,
  presence,
  threadChanged,
  typeInInbox,
  watchInbox,
} from '../../../shared/contracts/inbox.ts';
import { visitorMessage, visitors, visitorTyping, writeAsVisitor } from '../../../shared/contracts/visitors.ts';
import { services } from '../../../shared/contracts/services.ts';
import { workspaces } from '../../../shared/contracts/workspaces.ts';
import { webChannels } from '../../../shared/contracts/web-channels.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor, connect, type TestVisitor } from '../../testing/channels.ts';
import { delta, finish, sse, startModelServer } from '../../testing/openai.ts';
import { newId } from '../../infra/db.ts';
import { goOnLate, releaseTyped, returnQuiet, wakeSnoozed } from '../connections/rounds.ts';
import { changeGuestThread } from '../conversations/guest-threads.ts';
import { nobody } from '../usage/accounts.ts';
import { eraseOldThreads, sweepVisitors } from '../web-channels/retention.ts';

/* Whose a conversation is, and what becomes of a message in each state. */

let app: TestApp;
let staff: Person;
let bot: string;
let model: Awaited<ReturnType<typeof startModelServer>>;
const open: Socket[] = [];
beforeAll(async () => {
  model = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: model.url });
  staff = await app.aPerson();
  bot = await aPublishedBot(staff);
});
afterAll(async () => {
  await app.stop();
  await model.stop();
});
afterEach(() => open.splice(0).forEach((socket) => socket.close()));

const { signal } = new AbortController();
const minuteMs = 60_000;

const live = async (token: string) => {
  const socket = await connect(app.url, token);
  open.push(socket);
  return socket;
};

const threadOf = async (channel: string) =>
  (await staff.call(inbox.threads, { query: { channel } })).body.data[0] ?? expect.fail('no conversation');
const messagesOf = async (thread: string) => (await staff.call(inbox.messages, { params: { thread } })).body.data;
const sayAs = (person: Person, thread: string, text: string, key: string = randomUUID()) =>
  person.call(inbox.reply, { params: { thread }, body: { key, text } });
const change = (connection: string, body: object) =>
  staff.call(connections.update, { params: { uuid: connection }, body });

const rule = (given: Partial<KeywordRule>): KeywordRule => ({
  phrases: ['refund'],
  match: 'contains',
  when: 'always',
  schedule: null,
  reply: '',
  rich: null,
  handOff: false,
  tag: '',
  ...given,
});

interface Case {
  has: boolean;
  state: 'new' | 'bot' | 'waiting' | 'staff' | 'snoozed' | 'snoozed by its member' | 'resolved';
  says: string;
  becomes: string;
  told: RegExp | null;
}

const answered = /nine/;
const passedOn = /passed this on/;
const byRule = /refund page/;

describe('what a message does', () => {
  const plain = 'When does the shop open?';
  const cases: Case[] = [
    { has: true, state: 'new', says: plain, becomes: 'bot', told: answered },
    { has: true, state: 'bot', says: plain, becomes: 'bot', told: answered },
    { has: true, state: 'resolved', says: plain, becomes: 'bot', told: answered },
    { has: true, state: 'waiting', says: plain, becomes: 'waiting', told: null },
    { has: true, state: 'staff', says: plain, becomes: 'staff', told: null },
    { has: true, state: 'snoozed', says: plain, becomes: 'waiting', told: null },
    { has: true, state: 'snoozed by its member', says: plain, becomes: 'staff', told: null },
    { has: false, state: 'new', says: plain, becomes: 'waiting', told: passedOn },
    { has: false, state: 'bot', says: plain, becomes: 'waiting', told: passedOn },
    { has: false, state: 'resolved', says: plain, becomes: 'waiting', told: passedOn },
    { has: false, state: 'waiting', says: plain, becomes: 'waiting', told: null },
    { has: false, state: 'staff', says: plain, becomes: 'staff', told: null },
    ...(['new', 'bot', 'resolved'] as const).flatMap((state): Case[] => [
      { has: true, state, says: 'refund', becomes: 'bot', told: byRule },
      { has: true, state, says: 'human', becomes: 'waiting', told: passedOn },
      { has: false, state, says: 'refund', becomes: 'waiting', told: byRule },
      { has: false, state, says: 'human', becomes: 'waiting', told: passedOn },
    ]),
    { has: true, state: 'waiting', says: 'refund', becomes: 'waiting', told: null },
    { has: true, state: 'staff', says: 'human', becomes: 'staff', told: null },
  ];
  test.concurrent.each(cases)(
    'in a conversation that is $state, a bot there: $has, “$says” → $becomes',
    async ({ has, state, says, becomes, told }) => {
      const { uuid: channel, connection } = await aChannel(staff, bot);
      await change(connection, {
        rules: [rule({ reply: 'See our refund page.' }), rule({ phrases: ['human'], handOff: true })],
      });
      const visitor = await aVisitor(app, channel);
      if (state !== 'new') {
        await visitor.write('Hello there');
        const { uuid: thread } = await threadOf(channel);
        if (state === 'waiting') await visitor.call(visitors.person);
        if (state === 'staff' || state === 'snoozed by its member')
          await staff.call(inbox.take, { params: { thread } });
        if (state === 'resolved') await staff.call(inbox.resolve, { params: { thread } });
        if (state.startsWith('snoozed')) {
          const until = new Date(Date.now() + 60 * minuteMs).toISOString();
          await staff.call(inbox.snooze, { params: { thread }, body: { until } });
        }
      }
      if (!has) await change(connection, { bot: null });
      const before = (await visitor.page()).messages.length;
      await visitor.write(says);
      const { thread, messages } = await visitor.page();
      expect(thread?.status).toBe(becomes);
      const fresh = messages.slice(before);
      expect(fresh[0]).toMatchObject({ role: 'user', text: says });
      expect(fresh.slice(1).map(({ text }) => text)).toEqual(told ? [expect.stringMatching(told)] : []);
    },
  );
});

test('a rule for any message counts at its days and times, after the rules before it', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  const reply = async (text: string) => {
    await visitor.write(text);
    return (await visitor.page()).messages.at(-1)?.text;
  };
  const holidays = { timezone: 'Asia/Tokyo', weekdays: [0, 1, 2, 3, 4, 5, 6], from: '00:00', to: '24:00' };
  const rules = (first: string | null, last: string | null) => [
    rule({ reply: 'See our refund page.' }),
    rule({
      phrases: [],
      match: 'any',
      when: 'schedule',
      schedule: { ...holidays, first, last },
      reply: 'We are on holiday.',
    }),
  ];
  expect((await change(connection, { rules: rules(null, null) })).error).toBeUndefined();
  expect(await reply('When does the shop open?')).toBe('We are on holiday.');
  expect(await reply('refund')).toBe('See our refund page.');
  await change(connection, { rules: rules(null, '2020-01-03') });
  expect(await reply('When does the shop open?')).toMatch(answered);
  for (const [wrong, path] of [
    [rule({ phrases: [] }), 'rules.0.phrases'],
    [rule({ match: 'any', when: 'schedule' }), 'rules.0.schedule'],
    [
      rule({ when: 'schedule', schedule: { ...holidays, first: '2026-12-31', last: '2026-12-30' } }),
      'rules.0.schedule.last',
    ],
  ] as const)
    expect((await change(connection, { rules: [wrong] })).error).toMatchObject({
      code: 'validation-failed',
      details: { fields: [expect.objectContaining({ path })] },
    });
});

test('what is tried in the settings is what a message does, with a bot and without', async () => {
  for (const given of [bot, null]) {
    const { connection } = await aChannel(staff, given);
    await change(connection, { rules: [rule({ reply: 'See it.' }), rule({ phrases: ['human'], handOff: true })] });
    const tried = async (text: string) =>
      (await staff.call(connections.test, { params: { uuid: connection }, body: { text } })).body.data.does;
    expect([await tried('A refund'), await tried('a human'), await tried('Hello')]).toEqual([
      'reply',
      'handOff',
      given ? 'bot' : 'people',
    ]);
  }
});

test('what is not saved yet can be tried, at any time, and nothing of it is stored', async () => {
  const { connection } = await aChannel(staff, null);
  const [saved] = (await staff.call(connections.get, { params: { uuid: connection } })).body.data.settings.rules;
  const tryIt = async (body: object) =>
    (await staff.call(connections.test, { params: { uuid: connection }, body: { text: 'A refund', ...body } })).body;
  const schedule = {
    timezone: 'Asia/Tokyo',
    first: '2026-12-29',
    last: '2027-01-03',
    weekdays: [0, 1, 2, 3, 4, 5, 6],
    from: '00:00',
    to: '24:00',
  };
  const rules = [rule({ when: 'schedule', schedule, reply: 'We are closed.' })];
  expect((await tryIt({ rules, at: '2027-01-01T03:00:00.000Z' })).data).toMatchObject({ does: 'reply', rule: 0 });
  expect((await tryIt({ rules, at: '2027-03-01T03:00:00.000Z' })).data).toMatchObject({ does: 'people', rule: null });
  expect((await tryIt({ bot })).data).toMatchObject({ does: 'bot', bot: expect.any(String) });
  expect((await tryIt({ active: false })).data.does).toBe('nothing');
  expect(await tryIt({ bot: randomUUID() })).toMatchObject({ error: { code: 'bot-not-found' } });
  const after = (await staff.call(connections.get, { params: { uuid: connection } })).body.data;
  expect([after.settings.rules[0], after.bot]).toEqual([saved, null]);
});

test('another bot of the connection answers in the conversations that are open', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const other = await aPublishedBot(staff, 'The shop opens at noon and closes at midnight.');
  await change(connection, { bot: other });
  expect((await visitor.say('When does the shop open?')).text).toContain('noon');
  expect((await threadOf(channel)).bot?.uuid).toBe(other);
});

test('a conversation begun without a bot is answered by the one that came since, also when staff give it back', async () => {
  const { uuid: channel, connection } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const { uuid: thread } = await threadOf(channel);
  expect((await staff.call(inbox.giveBack, { params: { thread } })).error.code).toBe('bot-not-found');
  await change(connection, { bot });
  await visitor.write('When does the shop open?');
  expect((await staff.call(inbox.giveBack, { params: { thread } })).body.data.status).toBe('bot');
  await eventually('the question that nobody answered is', async () =>
    (await visitor.page()).messages.some(({ role, text }) => role === 'assistant' && text.includes('nine')),
  );
});

test('what a visitor wrote to people is not lost when they are silent for long', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  await change(connection, { handoff: { ...usualConnection.handoff, returnMinutes: 5 } });
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const { uuid: thread } = await threadOf(channel);
  await sayAs(staff, thread, 'How can I help?');
  await visitor.write('My order 77 has not come');
  await returnQuiet(app.server.context, signal, Date.now() + 6 * minuteMs);
  expect((await threadOf(channel)).status).toBe('staff');
  await sayAs(staff, thread, 'It comes today.');
  await returnQuiet(app.server.context, signal, Date.now() + 6 * minuteMs);
  expect((await threadOf(channel)).status).toBe('bot');
});

/** The number that its next row would have is taken. Answers what gives it back. */
async function getStuck(thread: string): Promise<() => Promise<unknown>> {
  const { db } = app.server.context;
  const last = await db
    .selectFrom('message')
    .selectAll()
    .where('thread', '=', thread)
    .orderBy('seq', 'desc')
    .executeTakeFirstOrThrow();
  const uuid = newId();
  await db
    .insertInto('message')
    .values({ ...last, uuid, seq: last.seq + 1, channel_key: null })
    .execute();
  return () => db.deleteFrom('message').where('uuid', '=', uuid).execute();
}

const rounds = [
  ['given back', returnQuiet, 'staff', 'bot'],
  ['woken', wakeSnoozed, 'snoozed', 'staff'],
] as const;

/** Two conversations of a channel that are to be given back or woken in an hour, and of which the first is stuck. */
async function aStuckRound(before: 'staff' | 'snoozed') {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  await change(connection, { handoff: { ...usualConnection.handoff, returnMinutes: 5 } });
  const { db } = app.server.context;
  const threads: string[] = [];
  for (const [at, words] of ['First', 'Second'].entries()) {
    const visitor = await aVisitor(app, channel);
    await visitor.write(words);
    const { uuid } = await threadOf(channel);
    await sayAs(staff, uuid, 'How can I help?');
    const until = new Date(Date.now() + (30 + at) * minuteMs).toISOString();
    if (before === 'snoozed') await staff.call(inbox.snooze, { params: { thread: uuid }, body: { until } });
    threads.push(uuid);
  }
  const [stuck = '', other = ''] = threads;
  await db
    .updateTable('thread')
    .set({ last_at: Date.now() - minuteMs })
    .where('uuid', '=', stuck)
    .execute();
  const statusOf = async (uuid: string) =>
    (await db.selectFrom('thread').select('status').where('uuid', '=', uuid).executeTakeFirstOrThrow()).status;
  return { stuck, other, statusOf, release: await getStuck(stuck) };
}

test.each(rounds)('a conversation that cannot be %s holds up no other', async (_, round, before, after) => {
  const { stuck, other, statusOf, release } = await aStuckRound(before);
  try {
    await round(app.server.context, signal, Date.now() + 60 * minuteMs);
    expect([await statusOf(stuck), await statusOf(other)]).toEqual([before, after]);
    // With nothing else to do, the round tells that it has failed.
    await expect(round(app.server.context, signal, Date.now() + 60 * minuteMs)).rejects.toThrow(stuck);
  } finally {
    await release();
  }
  await round(app.server.context, signal, Date.now() + 60 * minuteMs);
  expect(await statusOf(stuck)).toBe(after);
});

test.each(rounds)(
  'more of those that cannot be %s than are looked at together hold up no other, and are told of',
  async (_, round, before, after) => {
    const { stuck, other, statusOf, release } = await aStuckRound(before);
    const { db } = app.server.context;
    const row = await db.selectFrom('thread').selectAll().where('uuid', '=', stuck).executeTakeFirstOrThrow();
    const taken = await db
      .selectFrom('message')
      .selectAll()
      .where('thread', '=', stuck)
      .where('seq', '>', row.last_seq)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 200 }, () => ({ ...row, uuid: newId() }));
    await db.insertInto('thread').values(copies).execute();
    await db
      .insertInto('message')
      .values(copies.map(({ uuid: thread }) => ({ ...taken, uuid: newId(), thread })))
      .execute();
    try {
      await expect(round(app.server.context, signal, Date.now() + 60 * minuteMs)).rejects.toThrow('no conversation');
      expect([await statusOf(stuck), await statusOf(other)]).toEqual([before, after]);
    } finally {
      const uuids = copies.map(({ uuid }) => uuid);
      await db.deleteFrom('message').where('thread', 'in', uuids).execute();
      await db.deleteFrom('thread').where('uuid', 'in', uuids).execute();
      await release();
    }
  },
);

test.each(['the button', 'a reply'])(
  'a conversation that was quiet for a day and is taken over by %s stays with its member as long as any other',
  async (by) => {
    const { uuid: channel, connection } = await aChannel(staff, bot);
    await change(connection, { handoff: { ...usualConnection.handoff, returnMinutes: 5 } });
    const visitor = await aVisitor(app, channel);
    await visitor.write('When does the shop open?');
    await visitor.call(visitors.person);
    const { uuid: thread } = await threadOf(channel);
    const { db } = app.server.context;
    const dayAgo = Date.now() - 1_440 * minuteMs;
    await db.updateTable('message').set({ created_at: dayAgo }).where('thread', '=', thread).execute();
    await db.updateTable('thread').set({ last_at: dayAgo }).where('uuid', '=', thread).execute();
    if (by === 'the button') await staff.call(inbox.take, { params: { thread } });
    if (by === 'a reply') await sayAs(staff, thread, 'How can I help?');
    expect((await threadOf(channel)).status).toBe('staff');
    await returnQuiet(app.server.context, signal, Date.now() + 4 * minuteMs);
    expect((await threadOf(channel)).status).toBe('staff');
    await returnQuiet(app.server.context, signal, Date.now() + 6 * minuteMs);
    expect((await threadOf(channel)).status).toBe('bot');
  },
);

describe('what was taken over by typing, and left', () => {
  const later = (minutes: number) => releaseTyped(app.server.context, signal, Date.now() + minutes * minuteMs);
  const type = async (thread: string, by = staff) => {
    const socket = await live(by.jwt);
    await socket.emitWithAck(typeInInbox.name, { thread, isTyping: true });
    return socket;
  };

  async function aThread(given: string | null) {
    const { uuid: channel, connection } = await aChannel(staff, given);
    const visitor = await aVisitor(app, channel);
    await visitor.write('When does the shop open?');
    const before = await threadOf(channel);
    return { visitor, connection, before, thread: before.uuid, now: () => threadOf(channel) };
  }

  async function aTypedOne() {
    const one = await aThread(null);
    await type(one.thread);
    expect(await one.now()).toMatchObject({ status: 'staff', waitingSince: null, typed: true });
    return one;
  }

  async function aMember() {
    const { url } = (await staff.call(workspaces.invite, { body: { role: 'staff' } })).body.data;
    const member = await app.aPerson();
    const code = new URL(url).searchParams.get('code') ?? '';
    const joined = (await member.call(workspaces.acceptInvitation, { body: { code } })).body.data;
    return { ...member, headers: { 'x-workspace': joined.uuid } };
  }

  /** An answer of which the visitor has seen the first words. */
  async function aHalfAnswer() {
    const { uuid: channel } = await aChannel(staff, await aModelBot());
    const visitor = await aVisitor(app, channel);
    model.behave((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${delta('Half of it')}\n\n`);
    });
    const written = visitor.write('May I park a lorry?');
    await eventually('it is being answered', async () =>
      (await visitor.page()).messages.some(({ text }) => text.includes('Half')),
    );
    return { visitor, written, thread: (await threadOf(channel)).uuid, now: () => threadOf(channel) };
  }

  test('waits as long as before once nobody has typed for five minutes', async () => {
    const { visitor, before, thread, now } = await aTypedOne();
    await visitor.write('Hello?');
    await later(4);
    expect((await now()).status).toBe('staff');
    await later(7);
    expect(await now()).toMatchObject({ status: 'waiting', assignee: null, waitingSince: before.waitingSince });
    expect((await messagesOf(thread)).at(-1)?.happening).toMatchObject({ kind: 'released', by: null });
    const { lastSeq } = await now();
    await later(60);
    expect((await now()).lastSeq).toBe(lastSeq);
  });

  test('stays with whoever goes on typing, whoever began', async () => {
    const { thread, now } = await aTypedOne();
    await app.server.context.db
      .updateTable('thread')
      .set({ typed_until: Date.now() + minuteMs })
      .where('uuid', '=', thread)
      .execute();
    await type(thread, await aMember());
    await later(4);
    expect((await now()).status).toBe('staff');
  });

  test.each(['answered', 'assigned', 'taken over', 'blocked'])('is theirs once they have %s', async (how) => {
    const { before, thread, now } = await aTypedOne();
    const params = { thread };
    if (how === 'answered') await sayAs(staff, thread, 'At nine.');
    if (how === 'assigned') {
      await staff.call(inbox.assign, { params, body: { user: null } });
      await staff.call(inbox.assign, { params, body: { user: staff.user.uuid } });
    }
    if (how === 'taken over') await staff.call(inbox.take, { params });
    if (how === 'blocked')
      await staff.call(inbox.updateGuest, { params: { uuid: before.guest.uuid }, body: { blocked: true } });
    await later(60);
    expect(await now()).toMatchObject({ status: 'staff', assignee: { uuid: staff.user.uuid } });
  });

  test('is theirs who answers, not theirs who only typed', async () => {
    const { thread, now } = await aTypedOne();
    const other = await aMember();
    const said = await other.call(inbox.reply, {
      headers: other.headers,
      params: { thread },
      body: { key: randomUUID(), text: 'At nine.' },
    });
    expect(said.status).toBe(201);
    await later(60);
    expect(await now()).toMatchObject({ status: 'staff', assignee: { uuid: other.user.uuid } });
  });

  test('is not given back by whoever began while another writes', async () => {
    const { thread, now } = await aTypedOne();
    const [mine, theirs] = [await live(staff.jwt), await live((await aMember()).jwt)];
    await theirs.emitWithAck(watchInbox.name, { thread, since: 0 });
    await theirs.emitWithAck(typeInInbox.name, { thread, isTyping: true });
    await mine.emitWithAck(typeInInbox.name, { thread, isTyping: false, nothing: true });
    expect((await now()).status).toBe('staff');
  });

  test('waits for people where its visitor pressed the button for one meanwhile', async () => {
    const { visitor, thread, now } = await aThread(bot);
    await type(thread);
    await visitor.call(visitors.person);
    await later(7);
    expect(await now()).toMatchObject({ status: 'waiting', waitingSince: expect.any(String) });
  });

  test('is nobody’s when whom it was assigned to is gone', async () => {
    const { thread, now } = await aThread(null);
    await staff.call(inbox.assign, { params: { thread }, body: { user: (await aMember()).user.uuid } });
    await type(thread);
    // As the database does when their account is deleted.
    await app.server.context.db.updateTable('thread').set({ assignee: null }).where('uuid', '=', thread).execute();
    await later(7);
    expect(await now()).toMatchObject({ status: 'waiting', assignee: null });
  });

  test('is not theirs by a note, whoever writes it', async () => {
    const { thread, now } = await aTypedOne();
    const { headers, ...other } = await aMember();
    const body = { key: randomUUID(), text: 'Are you on it?' };
    expect((await other.call(inbox.note, { headers, params: { thread }, body })).status).toBe(201);
    await later(7);
    expect((await now()).status).toBe('waiting');
  });

  test.each(['bot', 'resolved', 'snoozed'] as const)('is %s again where nobody has written since', async (status) => {
    const { thread, now } = await aThread(status === 'bot' ? bot : null);
    const until = new Date(Date.now() + 60 * minuteMs).toISOString();
    if (status === 'resolved') await staff.call(inbox.resolve, { params: { thread } });
    if (status === 'snoozed') await staff.call(inbox.snooze, { params: { thread }, body: { until } });
    await type(thread);
    await later(7);
    expect(await now()).toMatchObject({ status, ...(status === 'snoozed' && { snoozedUntil: until }) });
    expect((await messagesOf(thread)).at(-1)?.happening?.kind).toBe('released');
  });

  test.each(['bot', 'resolved', 'snoozed'] as const)(
    'waits for people where it was %s and its visitor has written since',
    async (status) => {
      const { visitor, thread, now } = await aThread(bot);
      const until = new Date(Date.now() + 60 * minuteMs).toISOString();
      if (status === 'resolved') await staff.call(inbox.resolve, { params: { thread } });
      if (status === 'snoozed') await staff.call(inbox.snooze, { params: { thread }, body: { until } });
      await type(thread);
      const from = Date.now();
      await visitor.write('I would like to talk to somebody.');
      const to = Date.now();
      await visitor.write('Hello?');
      // What others of a group say to each other hides nothing.
      await changeGuestThread(app.server.context, thread, () => ({
        rows: [{ role: 'user', text: 'Lunch?', isAside: true }],
      }));
      await later(7);
      const { waitingSince, ...left } = await now();
      expect(left).toMatchObject({ status: 'waiting', snoozedUntil: null });
      expect(Date.parse(waitingSince!)).toBeGreaterThanOrEqual(from);
      expect(Date.parse(waitingSince!)).toBeLessThanOrEqual(to);
      expect((await messagesOf(thread)).slice(-2).map(({ happening }) => happening?.kind)).toEqual([
        'released',
        'handed-off',
      ]);
    },
  );

  test.each(['is left', 'is deleted'])(
    'waits for people where it cut off an answer, and the letter %s',
    async (how) => {
      const { written, thread, now } = await aHalfAnswer();
      const socket = await type(thread);
      await written;
      if (how === 'is left') await later(7);
      else await socket.emitWithAck(typeInInbox.name, { thread, isTyping: false, nothing: true });
      expect(await now()).toMatchObject({ status: 'waiting', waitingSince: expect.any(String) });
    },
  );

  test('is the bot’s again where the visitor has stopped an answer before', async () => {
    const { visitor, written, thread, now } = await aHalfAnswer();
    await visitor.call(visitors.stop);
    await written;
    await type(thread);
    await later(7);
    expect((await now()).status).toBe('bot');
  });

  test('is not given to the bot as what was quiet for long, in whichever order they are looked at', async () => {
    const { visitor, connection, thread, now } = await aThread(bot);
    await change(connection, { handoff: { ...usualConnection.handoff, returnMinutes: 5 } });
    await visitor.call(visitors.person);
    const { waitingSince } = await now();
    await type(thread);
    await returnQuiet(app.server.context, signal, Date.now() + 30 * minuteMs);
    expect((await now()).status).toBe('staff');
    await later(7);
    await returnQuiet(app.server.context, signal, Date.now() + 60 * minuteMs);
    expect(await now()).toMatchObject({ status: 'waiting', waitingSince });
  });

  test('is left alone where an older process has done more and does not know of typing', async () => {
    const { thread, now } = await aTypedOne();
    await sayAs(staff, thread, 'At nine.');
    const { db } = app.server.context;
    await db.updateTable('thread').set({ typed_until: 1 }).where('uuid', '=', thread).execute();
    const { lastSeq } = await now();
    await later(7);
    expect(await now()).toMatchObject({ status: 'staff', lastSeq });
  });
});

test('conversations that stay as they are are not told to anybody, round after round', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const { uuid: thread } = await threadOf(channel);
  await sayAs(staff, thread, 'Yes?');
  const before = (await threadOf(channel)).lastSeq;
  // What is on its way already is no news of a round.
  const socket = await live(staff.jwt);
  const settled: string[] = [];
  socket.on(threadChanged.name, (told: { thread: { guest: { name: string } } }) =>
    settled.push(told.thread.guest.name),
  );
  const { guest } = await threadOf(channel);
  await staff.call(inbox.updateGuest, { params: { uuid: guest.uuid }, body: { name: 'Mark' } });
  await eventually('it is told', async () => settled.includes('Mark'));
  const heard: string[] = [];
  socket.onAny((name: string, { thread: changed }: { thread?: { uuid?: string } }) => {
    if (changed?.uuid === thread) heard.push(name);
  });
  await returnQuiet(app.server.context, signal, Date.now() + 20_160 * minuteMs);
  await returnQuiet(app.server.context, signal, Date.now() + 20_160 * minuteMs);
  await visitor.write('The last word');
  await eventually('the message is told', async () => heard.includes('message'));
  expect(heard).toEqual(['inbox.thread', 'message']);
  expect((await threadOf(channel)).lastSeq).toBe(before + 1);
});

/** An answer whose process is gone, as it stands in the database. */
async function loseAnswer(visitor: TestVisitor, words: string): Promise<void> {
  const { db } = app.server.context;
  const { thread, messages } = await visitor.page();
  const answer = messages.findLast(({ role }) => role === 'assistant')!;
  await db
    .updateTable('message')
    .set({ text: words, status: 'streaming', lease_owner: 'gone', lease_until: 1 })
    .where('uuid', '=', answer.uuid)
    .execute();
  await db
    .updateTable('thread')
    .set({ running: answer.uuid, last_role: 'user', last_text: 'When does the shop open?' })
    .where('uuid', '=', thread!.uuid)
    .execute();
}

test(
  'a question whose answer was lost in the middle is answered itself, not the half answer',
  { timeout: 60_000 },
  async () => {
    const { uuid: channel } = await aChannel(staff, bot);
    const visitor = await aVisitor(app, channel);
    await visitor.write('When does the shop open?');
    const socket = await live(visitor.token);
    const heard: string[] = [];
    socket.on(visitorMessage.name, ({ message }: { message: { status: string } }) => heard.push(message.status));
    await loseAnswer(visitor, 'The sh');
    await eventually(
      'it is taken for lost, and the visitor hears of it',
      async () => (await visitor.page()).thread?.running === false && heard.includes('interrupted'),
      30_000,
    );
    await goOnLate(app.server.context, signal, Date.now() + 2 * 60 * minuteMs);
    await eventually('it is answered', async () => (await visitor.page()).messages.at(-1)?.text.includes('nine'));
    const { messages } = await visitor.page();
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  },
);

test('a hand-over of which nobody was told, since the process was gone, is told', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const { uuid: thread } = await threadOf(channel);
  await app.server.context.db
    .updateTable('thread')
    .set({ status: 'waiting', reason: 'refused', waiting_since: null })
    .where('uuid', '=', thread)
    .execute();
  for (let round = 0; round < 2; round++)
    await goOnLate(app.server.context, signal, Date.now() + (round + 1) * minuteMs);
  const told = (await messagesOf(thread)).flatMap(({ happening }) => happening ?? []);
  expect(told).toMatchObject([{ kind: 'handed-off', reason: 'refused' }]);
  expect((await threadOf(channel)).waitingSince).not.toBeNull();
});

test('a bot that may spend no more leaves the conversation to people, who can write as before', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  await staff.call(webChannels.update, {
    params: { uuid: channel },
    body: { limits: { visitorPerMinute: 10, visitorPerDay: 100, addressPerDay: 1000, creditsPerDay: 1 } },
  });
  const visitor = await aVisitor(app, channel);
  expect((await visitor.say('When does the shop open?')).text).toContain('nine');
  const { db } = app.server.context;
  await db
    .insertInto('token_entry')
    .values({
      ...nobody,
      uuid: randomUUID(),
      created_at: Date.now(),
      workspace: staff.user.workspaces[0]!.uuid,
      kind: 'use',
      amount: -1_000_000,
      balance: 0,
      channel_id: channel,
    })
    .execute();
  await visitor.write('And when does it close?');
  expect((await visitor.page()).thread?.status).toBe('waiting');
  const { uuid: thread, reason } = await threadOf(channel);
  expect(reason).toBe('spent');
  await sayAs(staff, thread, 'At six.');
  await visitor.write('Thank you');
  expect((await visitor.page()).messages.at(-1)?.text).toBe('Thank you');
  await staff.call(inbox.resolve, { params: { thread } });
  await db.deleteFrom('token_entry').where('channel_id', '=', channel).execute();
  expect((await visitor.say('When does the shop open?')).text).toContain('nine');
});

test('what staff write where nobody can read it says so: a channel that is off or gone, a conversation that was left', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const { uuid: thread } = await threadOf(channel);
  const sent = async () => {
    const { delivery, deliveryError } = (await sayAs(staff, thread, 'Hello')).body.data;
    return [delivery, deliveryError];
  };
  expect(await sent()).toEqual(['sent', null]);
  await change(connection, { active: false });
  const heard: unknown[] = [];
  const socket = await live(staff.jwt);
  await socket.emitWithAck(watchInbox.name, { thread, since: 0 });
  socket.on(inboxMessage.name, (told: unknown) => heard.push(told));
  const { body } = await sayAs(staff, thread, 'Are you there?');
  expect(body.data).toMatchObject({ delivery: 'failed', deliveryError: 'channel-off' });
  await eventually('the team hears of it all the same', async () => heard.length > 0);
  await change(connection, { active: true });
  const again = await staff.call(inbox.retry, { params: { thread, message: body.data.uuid } });
  expect(again.body.data.delivery).toBe('sent');
  await visitor.call(visitors.restart);
  expect(await sent()).toEqual(['failed', 'left']);
  await staff.call(webChannels.remove, { params: { uuid: channel } });
  expect(await sent()).toEqual(['failed', 'channel-gone']);
});

test('a page hears of its own conversation only: not of one that was left, nor of another channel', async () => {
  const [here, there] = [await aChannel(staff, bot), await aChannel(staff, bot)];
  const [visitor, elsewhere] = [await aVisitor(app, here.uuid), await aVisitor(app, there.uuid)];
  await visitor.write('When does the shop open?');
  await elsewhere.write('When does the shop close?');
  const [one, other] = [await threadOf(here.uuid), await threadOf(there.uuid)];
  await staff.call(inbox.merge, { params: { uuid: one.guest.uuid }, body: { other: other.guest.uuid } });
  const socket = await live(visitor.token);
  const heard: string[] = [];
  socket.on(visitorMessage.name, ({ message }: { message: { text: string } }) => heard.push(message.text));
  await sayAs(staff, other.uuid, 'For the other channel');
  await visitor.call(visitors.restart);
  await sayAs(staff, one.uuid, 'For the conversation that was left');
  await visitor.write('A new question');
  const mine = (await visitor.page()).thread?.uuid ?? '';
  await sayAs(staff, mine, 'For this one');
  await eventually('it is told', async () => heard.includes('For this one'));
  expect(heard.filter((text) => text.startsWith('For'))).toEqual(['For this one']);
});

test('pages of people who are made one, or two, or are erased come back as who they are then', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const [first, second] = [await aVisitor(app, channel), await aVisitor(app, channel)];
  await first.write('One');
  await second.write('Two');
  const [a, b] = [(await first.page()).thread!.uuid, (await second.page()).thread!.uuid];
  const guestOf = async (thread: string) =>
    (await staff.call(inbox.thread, { params: { thread } })).body.data.guest.uuid;
  const [kept, gone] = [await guestOf(a), await guestOf(b)];
  const leaves = async (visitor: TestVisitor, act: () => Promise<unknown>) => {
    const socket = await live(visitor.token);
    const left = new Promise((resolve) => socket.once('disconnect', resolve));
    await act();
    await left;
  };
  await leaves(second, () => staff.call(inbox.merge, { params: { uuid: kept }, body: { other: gone } }));
  const { identities } = (await staff.call(inbox.guest, { params: { uuid: kept } })).body.data;
  await leaves(first, () =>
    staff.call(inbox.split, { params: { uuid: kept }, body: { identity: identities.at(-1)!.uuid } }),
  );
  await leaves(first, async () => staff.call(inbox.eraseGuest, { params: { uuid: await guestOf(a) } }));
});

test('people who are made one keep their conversations for as long as anybody who has written', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const [silent, writer] = [await aVisitor(app, channel), await aVisitor(app, channel)];
  await writer.write('Remember me');
  const { uuid: thread, guest } = await threadOf(channel);
  const context = app.server.context;
  const day = 86_400_000;
  await staff.call(inbox.merge, { params: { uuid: silent.guest.uuid }, body: { other: guest.uuid } });
  await sweepVisitors(context, signal, Date.now() + 31 * day);
  expect((await messagesOf(thread)).length).toBeGreaterThan(0);
  expect((await writer.page()).messages.length).toBeGreaterThan(0);
});

test('a message that is sent twice at once is told once', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const { uuid: thread } = await threadOf(channel);
  const socket = await live(visitor.token);
  const heard: string[] = [];
  socket.on(visitorMessage.name, ({ message }: { message: { text: string } }) => heard.push(message.text));
  const key = randomUUID();
  await Promise.all([1, 2, 3].map(() => sayAs(staff, thread, 'Once', key)));
  await sayAs(staff, thread, 'The end');
  await eventually('all is told', async () => heard.includes('The end'));
  expect(heard.filter((text) => text === 'Once' || text === 'The end')).toEqual(['Once', 'The end']);
});

test('who writes is told by whoever looks, and the visitor’s writing is not forgotten when somebody else comes', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const { uuid: thread } = await threadOf(channel);
  const [page, team] = [await live(visitor.token), await live(staff.jwt)];
  const seen: { visitor: { isTyping: boolean }; members: { isTyping: boolean }[] }[] = [];
  team.on(presence.name, (told: (typeof seen)[number]) => seen.push(told));
  await team.emitWithAck(watchInbox.name, { thread, since: 0 });
  const typing: unknown[] = [];
  page.on(visitorTyping.name, (told: unknown) => typing.push(told));
  await page.emitWithAck(writeAsVisitor.name, { isTyping: true });
  await eventually('it is told', async () => seen.at(-1)?.visitor.isTyping);
  await team.emitWithAck(typeInInbox.name, { thread, isTyping: true });
  await eventually('both write', async () => seen.at(-1)?.visitor.isTyping && seen.at(-1)?.members[0]?.isTyping);
  await eventually('the visitor hears of it', async () => typing.length > 0);
  await team.emitWithAck(typeInInbox.name, { thread, isTyping: false });
  await eventually('one has stopped', async () => seen.at(-1)?.members[0]?.isTyping === false);
  expect(seen.at(-1)?.visitor.isTyping).toBe(true);
});

test('a visitor’s connection learns nothing of presence', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const page = await live(visitor.token);
  const { thread } = await visitor.page();
  expect(await page.emitWithAck('inbox.unwatch', { thread: thread!.uuid })).toMatchObject({
    error: { code: 'thread-not-found' },
  });
});

test('a bot that goes leaves its conversations to whoever answers then', async () => {
  const own = await aPublishedBot(staff);
  const { uuid: channel, connection } = await aChannel(staff, own);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  await staff.call(bots.remove, { params: { uuid: own } });
  await visitor.write('Is anybody there?');
  expect((await visitor.page()).thread?.status).toBe('waiting');
  await change(connection, { bot });
  const { uuid: thread } = await threadOf(channel);
  await staff.call(inbox.resolve, { params: { thread } });
  expect((await visitor.say('When does the shop open?')).text).toContain('nine');
});

/** A published bot whose model is the double. */
async function aModelBot(): Promise<string> {
  const service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid;
  const { uuid } = (await staff.call(bots.create, { body: { name: 'Model', service: service ?? '' } })).body.data;
  await staff.call(bots.publish, { params: { uuid }, body: { note: '' } });
  return uuid;
}

const asked = () =>
  model.received
    .filter(({ path }) => path.endsWith('/chat/completions'))
    .map(({ body }) => body.messages?.at(-1)?.content ?? '');

describe('an answer that ends without a word', () => {
  test('because its model fails is not begun again by itself, and the next question is asked as it was written', async () => {
    const { uuid: channel } = await aChannel(staff, await aModelBot());
    const visitor = await aVisitor(app, channel);
    model.behave((_request, response) => void response.writeHead(401).end('{}'));
    const before = asked().length;
    await visitor.write('Is there parking?');
    const passedOn = await eventually('people are asked', async () => {
      const now = await threadOf(channel);
      return now.status === 'waiting' && now.waitingSince !== null && now;
    });
    const calls = asked().length;
    const { context } = app.server;
    for (let round = 0; round < 3; round++) await goOnLate(context, signal, Date.now() + 5 * minuteMs);
    // Whatever began by itself would have had its place in the conversation.
    expect((await threadOf(channel)).lastSeq).toBe(passedOn.lastSeq);
    expect(asked().length).toBe(calls);
    expect(calls).toBeGreaterThan(before);
    await staff.call(inbox.resolve, { params: { thread: passedOn.uuid } });
    model.behave((_request, response) => sse(response, [delta('Yes, behind the house.'), finish(), '[DONE]']));
    expect((await visitor.say('And for bicycles?')).text).toContain('behind');
    expect(asked().at(-1)).toContain('bicycles');
  });

  test('because the visitor stopped it, or began another conversation, is not begun again', async () => {
    const { uuid: channel } = await aChannel(staff, await aModelBot());
    for (const ends of [visitors.stop, visitors.restart]) {
      const visitor = await aVisitor(app, channel);
      const from = asked().length;
      model.behave(() => {});
      const written = visitor.write('Is there parking?');
      await eventually('the model is asked', async () => asked().length > from);
      // The model is asked while the question is being written down.
      await eventually('the question stands', async () => (await visitor.page()).messages.length > 0);
      await visitor.call(ends);
      await written;
      await goOnLate(app.server.context, signal, Date.now() + 5 * minuteMs);
      expect(asked().length).toBe(from + 1);
    }
  });

  test('because one of the team began to write, is answered as it was asked when they give it back', async () => {
    const { uuid: channel } = await aChannel(staff, await aModelBot());
    const visitor = await aVisitor(app, channel);
    const from = asked().length;
    model.behave(() => {});
    const written = visitor.write('May I park a lorry?');
    await eventually('the model is asked', async () =>
      asked()
        .slice(from)
        .some((text) => text.includes('May I park a lorry?')),
    );
    // The model is asked while the question is being written down.
    await eventually('the question stands', async () => (await visitor.page()).messages.length > 0);
    const { uuid: thread } = await threadOf(channel);
    await staff.call(inbox.take, { params: { thread } });
    await written;
    model.behave((_request, response) => sse(response, [delta('Yes, behind the house.'), finish(), '[DONE]']));
    await staff.call(inbox.giveBack, { params: { thread } });
    await eventually('it is answered', async () =>
      (await visitor.page()).messages.some(({ text }) => text.includes('behind')),
    );
    expect(asked().at(-1)).toContain('May I park a lorry?');
  });
});

test('what was told when it was handed over is not the question that a bot answers afterwards', async () => {
  const { uuid: channel, connection } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const { uuid: thread } = await threadOf(channel);
  await change(connection, { bot });
  await staff.call(inbox.giveBack, { params: { thread } });
  await eventually('the question is answered', async () =>
    (await visitor.page()).messages.some(({ role, text }) => role === 'assistant' && text.includes('nine')),
  );
});

test('a reply that is sent once more after the conversation has changed leaves it whole', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const { uuid: thread } = await threadOf(channel);
  const key = randomUUID();
  await sayAs(staff, thread, 'At ten today.', key);
  await staff.call(inbox.resolve, { params: { thread } });
  const { lastSeq } = await threadOf(channel);
  expect((await sayAs(staff, thread, 'At ten today.', key)).status).toBe(201);
  expect(await threadOf(channel)).toMatchObject({ lastSeq, status: 'resolved' });
  expect((await visitor.say('When does the shop close?')).text).toContain('six');
  const seqs = (await messagesOf(thread)).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, at) => at + 1));
});

test('a message that is sent once more after its conversation was left is there once', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  const key = randomUUID();
  await visitor.write('When does the shop open?', { key });
  await visitor.call(visitors.restart);
  await visitor.write('When does the shop open?', { key });
  expect((await staff.call(inbox.threads, { query: { channel } })).body.data).toHaveLength(1);
});

test('what one of two people who were one for a while writes while they are parted stays with whoever wrote it', async () => {
  for (let round = 0; round < 8; round++) {
    const { uuid: channel } = await aChannel(staff, null);
    const [ann, ben] = [await aVisitor(app, channel), await aVisitor(app, channel)];
    const guests = { kept: ann.guest.uuid, other: ben.guest.uuid };
    const merged = await staff.call(inbox.merge, { params: { uuid: guests.kept }, body: { other: guests.other } });
    const { identities } = merged.body.data;
    await Promise.all([
      ben.write(`secret ${round}`).catch(() => []),
      ...identities
        .slice(1)
        .map(({ uuid: identity }) => staff.call(inbox.split, { params: { uuid: guests.kept }, body: { identity } })),
    ]);
    await ben.write(`secret ${round}`).catch(() => []);
    expect((await ann.page()).messages.map(({ text }) => text)).not.toContain(`secret ${round}`);
  }
});

test('a conversation in which somebody writes again is not erased because it was old', async () => {
  const { uuid: channel } = await aChannel(staff, null, { history: { policy: 'last', retentionDays: 30 } });
  const { db } = app.server.context;
  const visitors = await Promise.all(Array.from({ length: 20 }, () => aVisitor(app, channel)));
  await Promise.all(visitors.map((visitor) => visitor.write('Hello')));
  const old = Date.now() - 40 * 24 * 60 * minuteMs;
  await db.updateTable('thread').set({ last_at: old }).where('channel_id', '=', channel).execute();
  const [, ...wrote] = await Promise.all([
    eraseOldThreads(app.server.context, signal),
    ...visitors.map((visitor) =>
      visitor.write('Hello again').then(
        () => visitor,
        () => undefined,
      ),
    ),
  ]);
  for (const visitor of wrote)
    if (visitor) expect((await visitor.page()).messages.map(({ text }) => text)).toContain('Hello again');
});

test('asking for a person is counted as a message is', async () => {
  const own = await startTestApp({ RATE_LIMITS: 'true' });
  try {
    const person = await own.aPerson();
    const { uuid: channel } = await aChannel(person, null);
    const { limits } = (await person.call(webChannels.get, { params: { uuid: channel } })).body.data.settings;
    await person.call(webChannels.update, {
      params: { uuid: channel },
      body: { limits: { ...limits, visitorPerDay: 3, addressPerDay: 4 } },
    });
    const statuses: number[] = [];
    for (let each = 0; each < 2; each++) {
      const visitor = await aVisitor(own, channel);
      for (let time = 0; time < 4; time++) {
        statuses.push((await visitor.call(visitors.person)).status);
        await visitor.call(visitors.restart);
      }
    }
    expect(statuses).toEqual([200, 200, 200, 429, 200, 429, 429, 429]);
  } finally {
    await own.stop();
  }
});
