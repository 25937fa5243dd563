import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { sql } from 'kysely';
import type { Socket } from 'socket.io-client';
import { accounts } from '../../../shared/contracts/accounts.ts';
import { bots, emptyConfig } from '../../../shared/contracts/bots.ts';
import { connections, usualConnection } from '../../../shared/contracts/connections.ts';
import { messageSent } from '../../../shared/contracts/conversations.ts';
import {
  inbox,
  inboxMessage,
  threadChanged,
  typeInInbox,
  watchInbox,
  type InboxMessage,
} from '../../../shared/contracts/inbox.ts';
import type { EventData } from '../../../shared/event.ts';
import { seeAsVisitor, visitorMessage, visitors, visitorTyping } from '../../../shared/contracts/visitors.ts';
import { usualEmbed } from '../../../shared/contracts/web-channels.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor, connect } from '../../testing/channels.ts';

let app: TestApp;
let staff: Person;
let bot: string;
const open: Socket[] = [];
beforeAll(async () => {
  app = await startTestApp();
  staff = await app.aPerson();
  bot = await aPublishedBot(staff);
});
afterAll(() => app.stop());
afterEach(() => open.splice(0).forEach((socket) => socket.close()));

const live = async (token: string) => {
  const socket = await connect(app.url, token);
  open.push(socket);
  return socket;
};

const list = async (
  query: { view?: 'all' | 'waiting' | 'mine' | 'resolved' | 'bot'; q?: string; channel?: string } = {},
) => (await staff.call(inbox.threads, { query })).body.data;

const messagesOf = async (thread: string): Promise<InboxMessage[]> =>
  (await staff.call(inbox.messages, { params: { thread } })).body.data;

const sayAs = (person: Person, thread: string, text: string, key: string = randomUUID()) =>
  person.call(inbox.reply, { params: { thread }, body: { key, text } });

test('a visitor asks and the bot answers with its source, and the team finds it', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  const events = await visitor.write('When does the shop open?');
  // In the order in which the first of each comes.
  expect([...new Set(events.map(({ type }) => type))]).toEqual(['thread', 'message', 'delta', 'citation', 'done']);
  const done = events.at(-1);
  expect(done).toMatchObject({ type: 'done', message: { role: 'assistant', status: 'done' } });
  const answer = done?.type === 'done' ? done.message : undefined;
  expect(answer?.text).toContain('nine');
  expect(answer?.citations[0]).toMatchObject({ number: 1, document: 'Shop.md', headings: ['Opening hours'] });
  expect(JSON.stringify(events)).not.toMatch(/tokensIn|cost|reasoning/);
  const [thread] = await list({ channel });
  expect(thread).toMatchObject({
    status: 'bot',
    unread: 1,
    channel: 'web',
    channelName: 'shop.example',
    last: { role: 'assistant' },
    guest: { name: expect.stringMatching(/^guest-[0-9A-F]{4}$/) },
  });
  expect((await messagesOf(thread!.uuid)).map(({ role, seq }) => [seq, role])).toEqual([
    [1, 'user'],
    [2, 'assistant'],
  ]);
});

test('a message sent twice is there once', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  const key = randomUUID();
  await visitor.write('When does it open?', { key });
  await Promise.all([visitor.write('When does it open?', { key }), visitor.write('When does it open?', { key })]);
  expect((await visitor.page()).messages.filter(({ role }) => role === 'user')).toHaveLength(1);
});

test('many messages at once are all kept, in one conversation, without a gap', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await Promise.all(Array.from({ length: 8 }, (_, at) => visitor.write(`When does it open? ${at}`)));
  const [thread, ...others] = await list({ channel });
  expect(others).toEqual([]);
  const said = await eventually('the last is answered', async () => {
    const found = await messagesOf(thread!.uuid);
    return found.at(-1)?.role === 'assistant' && found.at(-1)?.status === 'done' && found;
  });
  expect(said.filter(({ role }) => role === 'user')).toHaveLength(8);
  expect(said.map(({ seq }) => seq)).toEqual(said.map((_, at) => at + 1));
});

test('who asks for a person waits for one, the bot is silent, and the team is told', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  const socket = await live(staff.jwt);
  const heard: string[] = [];
  let last: EventData<typeof threadChanged>['thread'] | undefined;
  socket.on(threadChanged.name, (data) => (last = threadChanged.data.parse(data).thread));
  // Whose a conversation is stands in what is told of it right before.
  socket.on(messageSent.name, (data) => {
    const { message, thread } = messageSent.data.parse(data);
    heard.push(`${last?.uuid === thread.uuid ? last.status : '?'}: ${message.message}`);
  });
  await visitor.write('When does the shop open?');
  const page = (await visitor.call(visitors.person)).body.data;
  expect(page.thread?.status).toBe('waiting');
  expect(page.messages.at(-1)).toMatchObject({ role: 'system', text: expect.stringContaining('answer you here') });
  const events = await visitor.write('Is anybody there?');
  expect(events.map(({ type }) => type)).toEqual(['thread', 'message']);
  await eventually('the team hears of both', async () => heard.length === 2);
  expect(heard).toEqual(['bot: When does the shop open?', 'waiting: Is anybody there?']);
  const [thread] = await list({ view: 'waiting', channel });
  expect(thread).toMatchObject({ reason: 'asked', status: 'waiting' });
});

test('who writes that they want a person gets one, in either language, where that is offered and no rule says otherwise', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const params = { uuid: connection };
  const does = async (text: string, changes = {}) =>
    (await staff.call(connections.test, { params, body: { text, ...changes } })).body.data;
  for (const [locale, text, told] of [
    ['en', 'Can I talk to a person?', 'answer you here'],
    ['ja', '担当者と話したいです', '担当者'],
  ] as const) {
    expect(await does(text)).toMatchObject({ does: 'handOff', rule: null });
    const visitor = await aVisitor(app, channel, { locale });
    await visitor.write(text);
    const { thread, messages } = await visitor.page();
    expect(thread?.status).toBe('waiting');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'system']);
    expect(messages.at(-1)?.text).toContain(told);
    expect((await list({ view: 'waiting', channel })).at(-1)).toMatchObject({ reason: 'asked' });
  }
  expect(await does('When are you open?')).toMatchObject({ does: 'bot' });
  const rule = { phrases: ['person'], match: 'contains', reply: 'Call us.', handOff: false, tag: '' } as const;
  expect(await does('Can I talk to a person?', { rules: [rule] })).toMatchObject({ does: 'reply', rule: 0 });
  const handoff = { ...usualConnection.handoff, offered: false };
  expect(await does('Can I talk to a person?', { handoff })).toMatchObject({ does: 'bot' });
  await staff.call(connections.update, { params, body: { handoff } });
  const other = await aVisitor(app, channel);
  await other.write('Can I talk to a person?');
  expect((await other.page()).thread?.status).toBe('bot');
});

test('whoever wants a person gets the bot’s own words for it, by the button and by what they write', async () => {
  const own = await aPublishedBot(staff);
  const handoff = { enabled: true, phrases: ['about my order'], afterRefusals: null, reply: 'Call us: 03-1234-5678.' };
  const guardrails = { ...emptyConfig.guardrails, blockedTopics: ['the law'], blockedReply: 'Not here.' };
  await staff.call(bots.update, { params: { uuid: own }, body: { handoff, guardrails } });
  await staff.call(bots.publish, { params: { uuid: own }, body: { note: '' } });
  const { uuid: channel, connection } = await aChannel(staff, own);
  const rules = [{ phrases: ['person'], match: 'contains' as const, reply: '', handOff: false, tag: 'people' }];
  await staff.call(connections.update, { params: { uuid: connection }, body: { rules } });
  const said = async (text: string) => {
    const visitor = await aVisitor(app, channel);
    await visitor.write(text);
    const { thread, messages } = await visitor.page();
    return [thread?.status, messages[1]?.role, messages[1]?.text];
  };
  expect(await said('Can I talk to someone about my order?')).toEqual(['waiting', 'system', 'Call us: 03-1234-5678.']);
  expect(await said('Can I talk to someone about the law?')).toEqual(['bot', 'assistant', 'Not here.']);
  expect(await said('Can I talk to a person?')).toEqual(['waiting', 'system', 'Call us: 03-1234-5678.']);
  const visitor = await aVisitor(app, channel);
  await visitor.call(visitors.person);
  expect((await visitor.page()).messages[0]).toMatchObject({ role: 'system', text: 'Call us: 03-1234-5678.' });
});

test('of those that wait, who has waited the longest stands first, page by page', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const threads: string[] = [];
  const writers: Awaited<ReturnType<typeof aVisitor>>[] = [];
  for (const text of ['First', 'Second', 'Third']) {
    const visitor = await aVisitor(app, channel);
    await visitor.write(text);
    const { thread } = (await visitor.call(visitors.person)).body.data;
    threads.push(thread?.uuid ?? '');
    writers.push(visitor);
  }
  // Who goes on writing keeps their place.
  await writers[0]?.write('Is anybody there?');
  const read = async (cursor?: string) =>
    (await staff.call(inbox.threads, { query: { view: 'waiting', channel, limit: 2, ...(cursor && { cursor }) } }))
      .body;
  const first = await read();
  const rest = await read(first.meta.nextCursor ?? '');
  expect([...first.data, ...rest.data].map(({ uuid }) => uuid)).toEqual(threads);
  expect(rest.meta.nextCursor).toBeNull();
});

test('outside of hours the visitor is told that nobody is there', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  await staff.call(connections.update, {
    params: { uuid: connection },
    body: {
      hours: { timezone: 'Asia/Tokyo', week: [[], [], [], [], [], [], []], holidays: [] },
      awayText: 'We are back on Monday.',
    },
  });
  const visitor = await aVisitor(app, channel);
  const { messages } = (await visitor.call(visitors.person)).body.data;
  expect(messages.at(-1)?.text).toBe('We are back on Monday.');
});

const never = { timezone: 'Asia/Tokyo', week: Array.from({ length: 7 }, () => []), holidays: [] };

test('on a holiday the visitor is told so in words of its own', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const everyDay = { first: '2026-01-01', last: '2099-12-31' };
  const told = async (body: object) => {
    await staff.call(connections.update, { params: { uuid: connection }, body });
    const visitor = await aVisitor(app, channel);
    return (await visitor.call(visitors.person)).body.data.messages.at(-1)?.text;
  };
  const texts = { awayText: 'We are back tomorrow.', holidayText: 'Happy holidays!' };
  expect(await told({ hours: { ...never, closed: [everyDay] }, ...texts })).toBe('Happy holidays!');
  expect(await told({ holidayText: '' })).toBe('We are back tomorrow.');
  expect(await told({ hours: never, ...texts })).toBe('We are back tomorrow.');
});

test('outside of hours the bot goes on answering after a hand-over, where that is chosen, until somebody is there', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const change = (body: object) => staff.call(connections.update, { params: { uuid: connection }, body });
  const handoff = { offered: true, returnMinutes: 720, whileAway: 'answer' };
  await change({ hours: never, handoff });
  const visitor = await aVisitor(app, channel);
  const rolesAfter = async (text: string) => {
    await visitor.write(text);
    return (await visitor.page()).messages.map(({ role }) => role);
  };
  expect(await rolesAfter('Can I talk to a person?')).toEqual(['user', 'system']);
  expect((await visitor.page()).messages.at(-1)?.text).toContain('go on answering');
  const [thread] = await list({ view: 'waiting', channel });
  expect(thread).toMatchObject({ status: 'waiting', reason: 'asked' });
  expect(await rolesAfter('When does the shop open?')).toEqual(['user', 'system', 'user', 'assistant']);
  expect((await visitor.page()).messages.at(-1)?.text).toContain('nine');
  // A rule answers as it does elsewhere.
  await change({
    rules: [{ phrases: ['catalogue'], match: 'contains', reply: 'Here it is.', handOff: false, tag: '' }],
  });
  expect(await rolesAfter('The catalogue?')).toEqual(['user', 'system', 'user', 'assistant', 'user', 'assistant']);
  expect((await visitor.page()).messages.at(-1)?.text).toBe('Here it is.');
  // Asked for again, it is said no more, and the conversation still waits.
  await visitor.call(visitors.person);
  expect((await list({ view: 'waiting', channel }))[0]).toMatchObject({ uuid: thread?.uuid, reason: 'asked' });
  await change({ hours: null });
  expect((await rolesAfter('When does it close?')).at(-1)).toBe('user');
  await change({ hours: never });
  await sayAs(staff, thread?.uuid ?? '', 'I am here all the same.');
  expect((await rolesAfter('When does it close?')).slice(-2)).toEqual(['staff', 'user']);
});

test('what is tried says what is really sent, at any time and in either language', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const rules = [
    { phrases: ['refund'], match: 'contains' as const, reply: 'We are sorry.', handOff: true, tag: '' },
    { phrases: ['catalogue'], match: 'contains' as const, reply: 'Here it is.', handOff: false, tag: '' },
  ];
  const year = { first: '2026-01-01', last: '2099-12-31' };
  const answering = { handoff: { offered: true, returnMinutes: null, whileAway: 'answer' as const } };
  for (const settings of [
    { hours: null },
    { hours: never },
    { hours: never, awayText: 'Back on Monday.', holidayText: 'Happy holidays!' },
    { hours: { ...never, closed: [year] }, awayText: 'Back on Monday.', holidayText: 'Happy holidays!' },
    { hours: never, awayText: '', ...answering },
    { hours: never, language: 'ja' as const },
    { hours: never, bot: null, rules },
  ]) {
    const body = { rules, ...settings };
    const saved = await staff.call(connections.update, { params: { uuid: connection }, body });
    expect(saved.status).toBe(200);
    for (const text of [
      'I want a refund',
      'The catalogue, please',
      'Can I talk to a person?',
      '担当者と話したいです',
    ]) {
      const { data } = (await staff.call(connections.test, { params: { uuid: connection }, body: { text } })).body;
      const visitor = await aVisitor(app, channel);
      await visitor.write(text);
      const { messages } = await visitor.page();
      expect([data.reply, data.notice].filter(Boolean)).toEqual(messages.slice(1).map((message) => message.text));
    }
  }
  // Before it is saved, and at another time.
  const hours = { ...never, closed: [{ first: '2027-01-01', last: '2027-01-03' }] };
  const at = async (moment: string) =>
    (
      await staff.call(connections.test, {
        params: { uuid: connection },
        body: { text: 'I want a refund', bot, hours, awayText: 'Away.', holidayText: 'New Year!', at: moment },
      })
    ).body.data.notice;
  expect([await at('2027-01-02T03:00:00.000Z'), await at('2027-01-04T03:00:00.000Z')]).toEqual(['New Year!', 'Away.']);
});

test('settings from before these were added are read as they were meant', async () => {
  const { connection } = await aChannel(staff, bot);
  const { db } = app.server.context;
  const old = {
    hours: { ...never, holidays: ['2026-12-31'] },
    awayText: 'Away.',
    rules: [],
    handoff: { offered: true, returnMinutes: 60 },
    language: 'visitor',
  };
  await db
    .updateTable('connection')
    .set({ settings: JSON.stringify(old) })
    .where('uuid', '=', connection)
    .execute();
  const read = (await staff.call(connections.get, { params: { uuid: connection } })).body.data.settings;
  expect(read).toEqual({
    ...old,
    hours: { ...old.hours, closed: [], japaneseHolidays: false },
    holidayText: '',
    handoff: { ...old.handoff, whileAway: 'wait' },
    kinds: usualConnection.kinds,
  });
  const kept = await staff.call(connections.update, { params: { uuid: connection }, body: { holidayText: 'Closed.' } });
  expect(kept.body.data.settings).toEqual({ ...read, holidayText: 'Closed.' });
  const refused = await staff.call(connections.update, {
    params: { uuid: connection },
    body: { hours: { ...never, closed: [{ first: '2027-01-03', last: '2026-12-29' }] } },
  });
  expect(refused.status).toBe(400);
});

const upload = async (
  by: { fetch: Person['fetch'] },
  path: string,
  name: string,
  bytes: string | Uint8Array<ArrayBuffer>,
) => {
  const form = new FormData();
  form.append('files', new Blob([bytes]), name);
  const answer = await by.fetch(path, { method: 'POST', body: form });
  const body = (await answer.json()) as { data: { uuid: string }[] }; // what the route replies
  return { status: answer.status, uuid: body.data?.[0]?.uuid ?? '' };
};

test('staff send files of any kind, which are loaded and never shown by the browser', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid: thread } = { uuid: '' }] = await list({ channel });
  for (const name of [
    'catalogue.zip',
    'prices.xlsx',
    'slides.pptx',
    'old.doc',
    'tour.mp4',
    'voice.m4a',
    'photo.heic',
    'page.xyz',
    'noname',
  ]) {
    // What has a format that is read begins as it does.
    const bytes = `${name.endsWith('x') ? 'PK\u0003\u0004' : ''}<script>alert(1)</script>`;
    const { status, uuid } = await upload(staff, '/api/inbox/file', name, bytes);
    expect([name, status]).toEqual([name, 201]);
    const sent = await staff.call(inbox.reply, {
      params: { thread },
      body: { key: randomUUID(), text: '', files: [uuid] },
    });
    expect(sent.body.data.files).toMatchObject([{ name, bytes: bytes.length }]);
    const loaded = await visitor.fetch(`/api/visitor/file/${uuid}`);
    expect(loaded.headers.get('content-type')).toBe('application/octet-stream');
    expect(loaded.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(loaded.headers.get('content-security-policy')).toContain('sandbox');
    expect(await loaded.text()).toBe(bytes);
  }
  for (const [name, bytes] of [
    ['picture.png', '<html><script>alert(1)</script></html>'],
    ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['paper.pdf', 'no PDF at all'],
    ['empty.zip', ''],
  ] as const)
    expect([name, (await upload(staff, '/api/inbox/file', name, bytes)).status >= 400]).toEqual([name, true]);
});

test('a file that the bot cannot read is handed over, with whatever was written to it', async () => {
  const { uuid: channel } = await aChannel(staff, bot, { shown: { ...usualEmbed.shown, upload: true } });
  for (const [name, text, reason] of [
    ['orders.zip', '', 'content'],
    ['clip.mp4', 'When does the shop open?', 'unread'],
  ] as const) {
    const visitor = await aVisitor(app, channel);
    const { status, uuid } = await upload(visitor, '/api/visitor/file', name, 'PK some bytes');
    expect(status).toBe(201);
    await visitor.write(text, { files: [uuid] });
    const { thread, messages } = await visitor.page();
    expect(thread?.status).toBe('waiting');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'system']);
    const [found] = (await list({ view: 'waiting', channel })).toReversed();
    expect(found).toMatchObject({ reason });
    const [first] = await messagesOf(found?.uuid ?? '');
    expect(first?.files).toMatchObject([{ name }]);
    const opened = await staff.fetch(`/api/inbox/thread/${found?.uuid}/file/${uuid}`);
    expect(opened.headers.get('content-disposition')).toMatch(/^attachment;/);
  }
  // What it can read is the bot's.
  const reader = await aVisitor(app, channel);
  const { uuid: menu } = await upload(reader, '/api/visitor/file', 'menu.txt', 'Coffee costs 400 yen.');
  await reader.write('When does the shop open?', { files: [menu] });
  expect((await reader.page()).thread?.status).toBe('bot');
});

test('staff take over, write notes that no visitor sees, and give the conversation back', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid } = { uuid: '' }] = await list({ channel });
  const visitorSocket = await live(visitor.token);
  const told: string[] = [];
  visitorSocket.on(visitorMessage.name, (data) => told.push(visitorMessage.data.parse(data).message.text));
  expect(
    (await staff.call(inbox.note, { params: { thread: uuid }, body: { key: randomUUID(), text: 'Secret note' } }))
      .status,
  ).toBe(201);
  const reply = await sayAs(staff, uuid, 'Hello, this is Hanako.');
  expect(reply.body.data).toMatchObject({ role: 'staff', delivery: 'sent', author: { uuid: staff.user.uuid } });
  await eventually('the visitor hears it', async () => told.length > 0);
  expect(told).toEqual(['Hello, this is Hanako.']);
  const page = await visitor.page();
  expect(JSON.stringify(page)).not.toContain('Secret note');
  expect(page.thread).toMatchObject({ status: 'staff', staff: { name: 'Staff' } });
  expect((await visitor.write('Thank you')).map(({ type }) => type)).toEqual(['thread', 'message']);
  expect((await staff.call(inbox.giveBack, { params: { thread: uuid } })).body.data).toMatchObject({
    status: 'bot',
    assignee: null,
  });
  await eventually('the bot answers what stands at the end', async () => {
    const { thread, messages } = await visitor.page();
    return thread?.running === false && messages.at(-1)?.role === 'assistant';
  });
  expect((await visitor.say('When does the shop open?')).role).toBe('assistant');
  const all = await messagesOf(uuid);
  expect(all.map(({ happening, role }) => happening?.kind ?? role)).toEqual([
    'user',
    'assistant',
    'staff',
    'taken',
    'staff',
    'user',
    'returned',
    'assistant',
    'user',
    'assistant',
  ]);
  expect(all.map(({ seq }) => seq)).toEqual(all.map((_, at) => at + 1));
});

test('the first letter that staff write makes the bot silent, and the visitor sees that somebody writes', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid } = { uuid: '' }] = await list({ channel });
  const [socket, visitorSocket] = [await live(staff.jwt), await live(visitor.token)];
  const typing: boolean[] = [];
  visitorSocket.on(visitorTyping.name, (data) => typing.push(visitorTyping.data.parse(data).isTyping));
  const watched = await socket.timeout(5_000).emitWithAck(watchInbox.name, { thread: uuid, since: 1 });
  expect(watchInbox.reply.parse(watched.data).messages.map(({ seq }) => seq)).toEqual([2]);
  await socket.timeout(5_000).emitWithAck(typeInInbox.name, { thread: uuid, isTyping: true });
  expect((await visitor.page()).thread?.status).toBe('staff');
  await eventually('the visitor is told', async () => typing.length > 0);
  expect((await visitor.write('Hello?')).map(({ type }) => type)).toEqual(['thread', 'message']);
});

test('what was taken over by a letter is what it was when the letter is deleted, unless more has happened', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid } = { uuid: '' }] = await list({ channel });
  const get = async () => (await staff.call(inbox.thread, { params: { thread: uuid } })).body.data;
  const kinds = async () => (await messagesOf(uuid)).flatMap(({ happening }) => happening?.kind ?? []);
  const socket = await live(staff.jwt);
  const type = (body: { isTyping: boolean; nothing?: boolean }, from = socket) =>
    from.timeout(5_000).emitWithAck(typeInInbox.name, { thread: uuid, ...body });
  await type({ isTyping: true });
  await type({ isTyping: true });
  expect((await get()).status).toBe('staff');
  await type({ isTyping: false, nothing: true });
  await type({ isTyping: false, nothing: true });
  expect(await get()).toMatchObject({ status: 'bot', assignee: null });
  expect(await kinds()).toEqual(['taken', 'released']);
  expect((await visitor.say('When does the shop open?')).role).toBe('assistant');

  await visitor.call(visitors.person);
  const { waitingSince } = await get();
  expect(waitingSince).not.toBeNull();
  await type({ isTyping: true });
  await type({ isTyping: false, nothing: true });
  expect(await get()).toMatchObject({ status: 'waiting', assignee: null, waitingSince });

  // Something is written, or somebody has written meanwhile: it stays with whoever has it.
  await type({ isTyping: true });
  await type({ isTyping: false });
  expect((await get()).status).toBe('staff');
  await visitor.write('Hello?');
  await type({ isTyping: false, nothing: true });
  expect(await get()).toMatchObject({ status: 'staff', assignee: { uuid: staff.user.uuid } });

  // What was taken on purpose is not undone by a letter.
  await staff.call(inbox.giveBack, { params: { thread: uuid } });
  await staff.call(inbox.take, { params: { thread: uuid } });
  await type({ isTyping: true });
  await type({ isTyping: false, nothing: true });
  expect((await get()).status).toBe('staff');
});

test('what the visitor has seen is delivered', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid } = { uuid: '' }] = await list({ channel });
  const { seq } = (await sayAs(staff, uuid, 'At nine.')).body.data;
  const [socket, visitorSocket] = [await live(staff.jwt), await live(visitor.token)];
  await socket.timeout(5_000).emitWithAck(watchInbox.name, { thread: uuid, since: seq });
  const states: (string | null)[] = [];
  socket.on(inboxMessage.name, (data) => states.push(inboxMessage.data.parse(data).message.delivery));
  await visitorSocket.timeout(5_000).emitWithAck(seeAsVisitor.name, { seq });
  await eventually('staff see it', async () => states.includes('delivered'));
});

test('a rule answers, tags and hands over before the bot is asked', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  const rules = [
    {
      phrases: ['返品', 'refund'],
      match: 'contains' as const,
      reply: 'See our refund page.',
      handOff: false,
      tag: 'refund',
    },
    { phrases: ['complaint'], match: 'contains' as const, reply: '', handOff: true, tag: '' },
  ];
  await staff.call(connections.update, { params: { uuid: connection }, body: { rules } });
  const visitor = await aVisitor(app, channel);
  await visitor.write('How does a REFUND work?');
  expect((await visitor.page()).messages.map(({ text }) => text)).toEqual([
    'How does a REFUND work?',
    'See our refund page.',
  ]);
  await eventually('the tag is there', async () => (await list({ channel }))[0]?.tags.includes('refund'));
  await visitor.write('I have a complaint.');
  expect((await visitor.page()).thread?.status).toBe('waiting');
  const tried = await staff.call(connections.test, { params: { uuid: connection }, body: { text: 'refund?' } });
  expect(tried.body.data).toMatchObject({ does: 'reply', rule: 0, reply: 'See our refund page.', rich: null });
});

test('where only people answer, a conversation waits for them from the first message', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel, { locale: 'ja' });
  await visitor.write('こんにちは');
  const page = await visitor.page();
  expect(page.thread?.status).toBe('waiting');
  expect(page.messages.at(-1)?.text).toContain('担当者');
  const [thread] = await list({ view: 'waiting', channel });
  expect(thread?.bot).toBeNull();
  await staff.call(inbox.resolve, { params: { thread: thread!.uuid } });
  await visitor.write('もう一つ質問があります');
  expect((await list({ view: 'waiting', channel }))[0]?.status).toBe('waiting');
});

test('a conversation is assigned, snoozed until the visitor writes, resolved and opened again', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid: thread } = { uuid: '' }] = await list({ channel });
  const params = { thread };
  expect((await staff.call(inbox.assign, { params, body: { user: staff.user.uuid } })).body.data.assignee?.uuid).toBe(
    staff.user.uuid,
  );
  expect((await list({ view: 'mine', channel })).map(({ uuid }) => uuid)).toEqual([thread]);
  expect((await staff.call(inbox.assign, { params, body: { user: randomUUID() } })).error.code).toBe(
    'member-not-found',
  );
  const until = new Date(Date.now() + 3_600_000).toISOString();
  expect((await staff.call(inbox.snooze, { params, body: { until } })).body.data).toMatchObject({
    status: 'snoozed',
    snoozedUntil: until,
  });
  expect((await staff.call(inbox.snooze, { params, body: { until: '2020-01-01T00:00:00Z' } })).status).toBe(400);
  await visitor.write('Hello again');
  expect((await staff.call(inbox.thread, { params })).body.data.status).toBe('staff');
  await staff.call(inbox.resolve, { params });
  expect((await list({ view: 'resolved', channel })).map(({ uuid }) => uuid)).toEqual([thread]);
  await visitor.write('When does the shop open?');
  expect((await visitor.page()).messages.at(-1)).toMatchObject({ role: 'assistant', status: 'done' });
});

test('what is searched is found in messages of both languages, and in names', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('抹茶ラテはありますか');
  await visitor.write('Do you have flat whites?');
  const [thread] = await list({ channel });
  const guest = thread!.guest.uuid;
  await staff.call(inbox.updateGuest, { params: { uuid: guest }, body: { name: 'Sora Kimura', tags: ['regular'] } });
  for (const q of ['抹茶', 'FLAT white', 'kimura'])
    expect((await list({ q, channel })).map(({ uuid }) => uuid)).toEqual([thread!.uuid]);
  expect(await list({ q: 'espresso', channel })).toEqual([]);
});

test('a search folds width, kana, spaces and case, and finds parts of words and codes', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  const said = async (text: string, searches: string[]) => {
    await visitor.write(text);
    const found = await Promise.all(searches.map(async (q) => (await list({ q, channel }))[0]?.found ?? null));
    expect(Object.fromEntries(searches.map((q, at) => [q, found[at]]))).toEqual(
      Object.fromEntries(searches.map((q) => [q, text])),
    );
  };
  // What is said of the hand-over is said before what is searched.
  await visitor.write('Hello');
  await said('サクラの会について', ['サクラ', 'ｻｸﾗ', 'さくら', 'さく', 'ラ', 'さくら の会']);
  await said('プレゼントはｶﾞﾗｽのボールです', ['ガラス', 'がらす', 'ｶﾞﾗｽ', 'ぷれぜんと', 'レゼン']);
  await said('山田 太郎です。ＡＢＣ１２３を買いました', ['山田太郎', '山田　太郎', '太郎です。abc', 'abc123', 'AB']);
  await said('See https://shop.example/item?id=B-0020&from=mail', [
    'B-0020',
    'Ｂ－００２０',
    '0020',
    'ITEM',
    'mail shop',
  ]);
  await said('The deliveries to Greenfield were late', ['delivery', 'field', 'GREEN FIELD', 'e']);
  await said('100% sure_thing', ['%', '_', '0% s', 'sure_']);
  const nothing = ['B-0021', '-0020B', 'さくらんぼ', '100_', '%%', 'zzz', '\\', '﷽'];
  for (const q of nothing) expect([q, await list({ q, channel })]).toEqual([q, []]);
});

test('a code whose parts stand apart in a message is not found in it', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('I have B-0010 and A-0020');
  expect(await list({ q: 'B-0020', channel })).toEqual([]);
  expect(await list({ q: 'A-0020 B-0010', channel })).toHaveLength(1);
});

test('a very long message is found by its last word, and hostile ones hold nothing up', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const [{ uuid: thread } = { uuid: '' }] = await list({ channel });
  const { db } = app.server.context;
  const longest = 100_000;
  const texts = ['x', 'ab ', '\u0315\u0300', '%_', '﷽', 'ｶﾞ', '抹茶', 'a\u3099'].map((part) =>
    part.repeat(longest / part.length).slice(0, longest - 9),
  );
  for (const text of texts) {
    await db
      .updateTable('message')
      .set({ text: `${text} KZ-90417`, indexed: 0 })
      .where('thread', '=', thread)
      .where('role', '=', 'user')
      .execute();
    await sql`delete from message_index where thread = ${thread}`.execute(db);
    expect([text.slice(0, 3), (await list({ channel, q: 'kz-90417' })).length]).toEqual([text.slice(0, 3), 1]);
  }
  for (const q of ['a', '%', 'x'.repeat(200), 'a b '.repeat(50), '\u0315\u0300'.repeat(100), '抹茶'.repeat(100)])
    expect((await list({ channel, q })).length).toBeLessThanOrEqual(1);
});

test('people are found by their tags, notes, numbers and own fields, as they are now', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const [{ guest: { uuid } = { uuid: '' } } = {}] = await list({ channel });
  const save = (body: Partial<z.input<typeof inbox.updateGuest.body>>) =>
    staff.call(inbox.updateGuest, { params: { uuid }, body });
  const finds = async (q: string) => {
    const people = (await staff.call(inbox.guests, { query: { q } })).body.data.map((guest) => guest.uuid === uuid);
    const threads = await list({ q, channel });
    expect(threads.length > 0).toBe(people.includes(true));
    return threads.length > 0;
  };
  await save({
    name: '山田 サクラ',
    phone: '０９０-1111',
    note: 'ｱﾚﾙｷﾞｰ: 100% ナッツ',
    tags: ['VIP客', 'ﾘﾋﾟｰﾀｰ'],
    fields: [{ name: '会員番号', value: 'KZ-0042' }],
  });
  const known = [
    '山田さくら',
    'ｻｸﾗ',
    '090-1',
    'あれるぎー',
    '100%',
    'vip',
    'りぴーたー',
    '会員番号',
    'ｋｚ-0042',
    '042',
    '山田 vip',
  ];
  for (const q of known) expect([q, await finds(q)]).toEqual([q, true]);
  for (const q of ['KZ-0043', '100_', 'さくら0', 'vipり']) expect([q, await finds(q)]).toEqual([q, false]);
  await save({ tags: ['other'], note: '' });
  expect([await finds('vip'), await finds('アレルギー'), await finds('OTHER')]).toEqual([false, false, true]);
  await save({ tags: [] });
  expect([await finds('other'), await finds('KZ')]).toEqual([false, true]);
});

test('a stranger, a viewer and a visitor of another channel see nothing', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid: thread } = { uuid: '' }] = await list({ channel });
  const stranger = await app.aPerson();
  expect((await stranger.call(inbox.thread, { params: { thread } })).error.code).toBe('thread-not-found');
  expect((await sayAs(stranger, thread, 'Hello')).error.code).toBe('thread-not-found');
  const other = await aVisitor(app, (await aChannel(staff, bot)).uuid);
  expect(await other.page()).toEqual({ thread: null, messages: [], hasMore: false });
  const crossed = await app.anyone.call(visitors.begin, {
    body: { channel: (await aChannel(staff, bot)).uuid, token: visitor.token },
  });
  expect(crossed.body.data.token).not.toBe(visitor.token);
  expect(crossed.body.data.thread).toBeNull();
  for (const headers of [{}, { authorization: `Bearer ${staff.jwt}` }, { authorization: 'Bearer kv_x' }])
    expect((await app.anyone.call(visitors.messages, { headers })).error.code).toBe('visitor-unknown');
  expect((await visitor.call(inbox.thread, { params: { thread } })).status).toBe(401);
});

test('two people become one with their conversations, and two again', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const [one, two] = [await aVisitor(app, channel), await aVisitor(app, channel)];
  await one.write('I am one');
  await two.write('I am two');
  const [second, first] = await list({ channel });
  const [kept, other] = [first!.guest.uuid, second!.guest.uuid];
  const merged = await staff.call(inbox.merge, { params: { uuid: kept }, body: { other } });
  expect(merged.body.data.identities).toHaveLength(2);
  expect(merged.body.data.threads).toHaveLength(2);
  expect((await two.page()).messages[0]?.text).toBeDefined();
  expect((await staff.call(inbox.guest, { params: { uuid: other } })).error.code).toBe('guest-not-found');
  const identity = merged.body.data.identities[1]?.uuid ?? '';
  const split = await staff.call(inbox.split, { params: { uuid: kept }, body: { identity } });
  expect(split.body.data.threads).toHaveLength(1);
  expect(
    (await staff.call(inbox.split, { params: { uuid: kept }, body: { identity: split.body.data.identities[0]!.uuid } }))
      .error.code,
  ).toBe('conflict');
});

test('who is erased while they write is gone, with what they were writing', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  for (let turn = 0; turn < 5; turn++) {
    const visitor = await aVisitor(app, channel);
    await visitor.write('Forget me');
    const [thread] = await list({ channel });
    const params = { uuid: thread!.guest.uuid };
    const writing = visitor.write('When does the shop open?').then(
      () => undefined,
      () => undefined,
    );
    const erased = await staff.call(inbox.eraseGuest, { params });
    expect(erased.body).toEqual({ ok: true });
    await writing;
    await expect(visitor.write('Still here?')).rejects.toThrow('visitor-unknown');
    expect(await list({ channel })).toEqual([]);
    const { db } = app.server.context;
    const left = db.selectFrom('message').select('uuid').where('thread', '=', thread!.uuid);
    expect(await left.execute()).toEqual([]);
  }
});

test('who is erased takes along what an export had of them', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Forget me');
  const [thread] = await list({ channel });
  const exported = await staff.fetch(`/api/inbox/guest/${thread!.guest.uuid}/export`);
  expect(await exported.text()).toContain('Forget me');
  expect((await staff.call(inbox.eraseGuest, { params: { uuid: thread!.guest.uuid } })).body).toEqual({ ok: true });
  await expect(visitor.write('Still here?')).rejects.toThrow('visitor-unknown');
  expect(await list({ channel })).toEqual([]);
});

test('who is blocked cannot write', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const [thread] = await list({ channel });
  await staff.call(inbox.updateGuest, { params: { uuid: thread!.guest.uuid }, body: { blocked: true } });
  await expect(visitor.write('Hello')).rejects.toThrow('visitor-blocked');
});

test('the bot answers again where people have been silent for long, and a snoozed conversation comes back', async () => {
  const { uuid: channel, connection } = await aChannel(staff, bot);
  await staff.call(connections.update, {
    params: { uuid: connection },
    body: { handoff: { ...usualConnection.handoff, returnMinutes: 5 } },
  });
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does the shop open?');
  const [{ uuid: thread } = { uuid: '' }] = await list({ channel });
  await sayAs(staff, thread, 'Hello');
  const { returnQuiet, wakeSnoozed } = await import('../connections/rounds.ts');
  const { signal } = new AbortController();
  await returnQuiet(app.server.context, signal);
  expect((await visitor.page()).thread?.status).toBe('staff');
  await returnQuiet(app.server.context, signal, Date.now() + 6 * 60_000);
  expect((await visitor.page()).thread?.status).toBe('bot');
  await staff.call(inbox.snooze, { params: { thread }, body: { until: new Date(Date.now() + 60_000).toISOString() } });
  await wakeSnoozed(app.server.context, signal, Date.now() + 61_000);
  expect((await staff.call(inbox.thread, { params: { thread } })).body.data.status).toBe('waiting');
});

test('a visitor sees who answers by the name that these gave for customers, and never by their login name', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does it open?');
  const [{ uuid } = { uuid: '' }] = await list({ channel });
  const [socket, visitorSocket] = [await live(staff.jwt), await live(visitor.token)];
  const typing: string[] = [];
  visitorSocket.on(visitorTyping.name, (data) => typing.push(visitorTyping.data.parse(data).name));
  const type = () => socket.timeout(5_000).emitWithAck(typeInInbox.name, { thread: uuid, isTyping: true });
  const named = async () => {
    const { thread, messages } = await visitor.page();
    return [thread?.staff?.name, messages.find(({ role }) => role === 'staff')?.author?.name];
  };
  await type();
  await sayAs(staff, uuid, 'Hello.');
  await eventually('the visitor is told who writes', async () => typing.length > 0);
  expect([...typing, ...(await named())]).toEqual(['Staff', 'Staff', 'Staff']);
  expect(JSON.stringify(await visitor.page())).not.toContain(staff.user.username);
  const asked = () => staff.call(accounts.me).then(({ body }) => body.displayName);
  expect(await asked()).toBeNull();
  await staff.call(accounts.update, { body: { displayName: 'Hana' } });
  await type();
  await eventually('the visitor is told who writes', async () => typing.length > 1);
  expect([typing.at(-1), ...(await named())]).toEqual(['Hana', 'Hana', 'Hana']);
  // Whoever wants no name there is not asked again.
  await staff.call(accounts.update, { body: { displayName: '' } });
  expect([await asked(), ...(await named())]).toEqual(['', 'Staff', 'Staff']);
});

test('what shows for a guest is told from a name that they have', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.write('When does it open?');
  const shown = async () => (await list({ channel }))[0]?.guest;
  const { uuid: guest = '' } = (await shown()) ?? {};
  expect(await shown()).toMatchObject({ named: false });
  await staff.call(inbox.updateGuest, { params: { uuid: guest }, body: { email: 'sora@example.com' } });
  expect(await shown()).toMatchObject({ name: 'sora@example.com', named: false });
  await staff.call(inbox.updateGuest, { params: { uuid: guest }, body: { name: 'Sora' } });
  expect(await shown()).toMatchObject({ name: 'Sora', named: true });
});

test('canned replies have shortcuts of their own', async () => {
  const body = { shortcut: 'hello', title: 'Hello', text: 'Hello {{name}}' };
  const made = await staff.call(inbox.createCanned, { body });
  expect(made.status).toBe(201);
  expect((await staff.call(inbox.createCanned, { body })).error.details['fields']).toMatchObject([
    { path: 'shortcut', code: 'duplicate' },
  ]);
  const params = { canned: made.body.data.uuid };
  await staff.call(inbox.updateCanned, { params, body: { text: 'Good day' } });
  expect((await staff.call(inbox.canned)).body.data).toMatchObject([{ shortcut: 'hello', text: 'Good day' }]);
  await staff.call(inbox.removeCanned, { params });
  expect((await staff.call(inbox.canned)).body.data).toEqual([]);
});

test('who has no name goes by their address for the team, and for nobody else', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const visitor = await aVisitor(app, channel);
  await visitor.write('Hello');
  const [thread] = await list({ channel });
  const email = 'sora.yamada@example.com';
  const update = (body: { email?: string; name?: string }) =>
    staff.call(inbox.updateGuest, { params: { uuid: thread!.guest.uuid }, body });
  await update({ email });
  expect((await list({ channel }))[0]?.guest.name).toBe(email);
  expect(JSON.stringify(await visitor.page())).not.toContain(email);
  await update({ name: 'Sora' });
  expect((await list({ channel }))[0]?.guest.name).toBe('Sora');
});

test('a search shows in each conversation the newest message that has it', async () => {
  const { uuid: channel } = await aChannel(staff, null);
  const [one, two] = [await aVisitor(app, channel), await aVisitor(app, channel)];
  for (const text of ['My parcel is late', `${'word '.repeat(40)}the parcel 抹茶ラテ is broken`, 'Hello?'])
    await one.write(text);
  await two.write('A parcel for me?');
  const found = async (q: string) => (await list({ channel, q })).map((each) => each.found);
  expect(await found('parcel')).toEqual(['A parcel for me?', expect.stringMatching(/^….*the parcel .* is broken$/)]);
  expect(await found('抹茶ラテ')).toEqual([expect.stringContaining('抹茶ラテ is broken')]);
  expect((await list({ channel })).map((each) => each.found)).toEqual([null, null]);
});

test('a draft answers what is open, and not what was said to be polite', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.call(visitors.person);
  const [{ uuid: thread } = { uuid: '' }] = await list({ channel });
  const draft = async () => (await staff.call(inbox.draft, { params: { thread } })).body.data;
  for (const text of ['When does the shop open?', 'Hello? Anybody there?', 'Thank you!']) await visitor.write(text);
  expect(await draft()).toMatchObject({ refused: false, text: expect.stringContaining('nine') });
  await sayAs(staff, thread, 'One moment, please.');
  await visitor.write('ありがとうございます');
  expect(await draft()).toMatchObject({ refused: false, text: expect.stringContaining('nine') });
  await visitor.write('Who won the chess tournament on Mars?');
  expect(await draft()).toMatchObject({ refused: true });
});

test('what the bot would answer is drafted with its sources, and nobody is told', async () => {
  const { uuid: channel } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, channel);
  await visitor.call(visitors.person);
  await visitor.write('When does the shop open?');
  const [{ uuid: thread } = { uuid: '' }] = await list({ channel });
  const draft = await staff.call(inbox.draft, { params: { thread } });
  expect(draft.body.data).toMatchObject({
    refused: false,
    text: expect.stringContaining('nine'),
    citations: [{ number: 1 }],
  });
  expect((await visitor.page()).messages.some(({ role }) => role === 'assistant')).toBe(false);
  expect((await staff.call(inbox.summarize, { params: { thread } })).error.code).toBe('model-needed');
});
