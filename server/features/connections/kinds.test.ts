import { afterAll, beforeAll, expect, test } from 'vitest';
import sharp from 'sharp';
import { connections, usualConnection, type ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { unanswered } from '../../../shared/contracts/unanswered.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor, type TestVisitor } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let website: { uuid: string; connection: string };
let connection: string;
let names = 0;
beforeAll(async () => {
  ({ app, line } = await startWithLine());
  staff = await app.aPerson();
  const bot = await aPublishedBot(staff);
  connection = (await connectLine(staff, line, bot)).connection;
  website = await aChannel(staff, bot, { shown: { ...usualShown, upload: true } });
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
});

const usualShown = {
  citations: true,
  pages: false,
  upload: false,
  feedback: true,
  sound: false,
  poweredBy: true,
};
const aFriend = (language = 'en') => line.user({ name: `Taro ${++names}`, language });
const emoji = (index: number) => ({
  index,
  length: 1,
  productId: '5ac1bfd5040ab15980c9b435',
  emojiId: `00${index + 1}`,
});
const png = () =>
  sharp({ create: { width: 8, height: 8, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();

const change = async (uuid: string, body: Partial<ConnectionSettings>) => {
  const changed = await staff.call(connections.update, { params: { uuid }, body });
  expect(changed.status).toBe(200);
};
const kinds = (changes: Partial<ConnectionSettings['kinds']>) => ({ kinds: { ...usualConnection.kinds, ...changes } });

/** A friend who has had one answer, and what they are told after what they do next. */
async function after(doing: (friend: ReturnType<typeof aFriend>) => Promise<{ eventId: string }>, language = 'en') {
  const friend = aFriend(language);
  await friend.say('When does the shop open?');
  await eventually('it is answered', async () => line.shown(friend.id).length > 0);
  const before = line.shown(friend.id).length;
  await settled(await doing(friend));
  const found = await eventually('all of it is sent', async () => {
    const conversation = await conversationOf(staff, friend.name);
    return conversation?.messages.every(({ delivery }) => delivery !== 'queued') && conversation;
  });
  return {
    ...found,
    told: line
      .shown(friend.id)
      .slice(before)
      .map(({ message }) => ('text' in message ? message.text : message.type)),
  };
}

const settled = (delivered: { eventId: string }) =>
  eventually('the event is done', async () => {
    const row = await app.server.context.db
      .selectFrom('line_event')
      .selectAll()
      .where('line_id', '=', delivered.eventId)
      .executeTakeFirst();
    return row?.state === 'done';
  });

async function upload(visitor: TestVisitor): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([await png()], { type: 'image/png' }), 'photo.png');
  const reply = await visitor.fetch('/api/visitor/file', { method: 'POST', body: form });
  const { data } = visitors.attach.reply.parse(await reply.json());
  return data[0]?.uuid ?? '';
}

const openQuestions = async () => (await staff.call(unanswered.list)).body.data.map(({ question }) => question);

test.each([
  'Thank you!',
  'Ok great, thanks a lot 🙏',
  'THX',
  'Thank you so much for your quick reply.',
  'No, thank you',
  'ありがとうございます😊',
  'わかりました。教えていただきありがとうございました！',
  'どうも〜',
  '助かりました、ありがとう',
  'ご丁寧にありがとうございます。よろしくお願いします。',
  '🙏',
  '👍🏽👍🏽',
  '❤️',
  '1️⃣🇯🇵 👨‍👩‍👧',
])('“%s” asks nothing, so nothing is said', async (text) => {
  const visitor = await aVisitor(app, website.uuid);
  await visitor.say('When does the shop open?');
  const told = await visitor.write(text);
  expect(told.map(({ type }) => type)).toEqual(['thread', 'message']);
  const { messages, thread } = await visitor.page();
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  expect(thread?.status).toBe('bot');
  expect(await openQuestions()).not.toContain(text);
});

test.each([
  'Thanks! When does the shop open?',
  'Thank you, but when do you close',
  'Do you sell thank you cards?',
  'thanks for what',
  'Thank you for telling me when the shop opens, and where is it',
  'ありがとうございます。営業時間は？',
  'ありがとうカードはありますか',
  'いつ開きますか ありがとうございます',
  '何時までですか？',
  '🚗?',
  '5',
])('“%s” is a question', async (text) => {
  const visitor = await aVisitor(app, website.uuid);
  const told = await visitor.write(text);
  expect(told.at(-1)).toMatchObject({ type: 'done', message: { role: 'assistant' } });
});

test.each(['OK', 'わかりました。', '了解です', 'はい', 'I see, understood', 'よろしくお願いします'])(
  '“%s” confirms what was told, so nothing is said',
  async (text) => {
    const visitor = await aVisitor(app, website.uuid);
    await visitor.say('When does the shop open?');
    const told = await visitor.write(text);
    expect(told.map(({ type }) => type)).toEqual(['thread', 'message']);
    expect(await openQuestions()).not.toContain(text);
  },
);

test('what would confirm is answered where it answers a question, greets or begins a conversation', async () => {
  const rule = { match: 'contains', when: 'always', schedule: null, rich: null, handOff: false, tag: '' } as const;
  await change(website.connection, { rules: [{ ...rule, phrases: ['book'], reply: '予約をお取りしますか。' }] });
  const visitor = await aVisitor(app, website.uuid);
  expect((await visitor.write('OK')).at(-1)).toMatchObject({ type: 'done' });
  await visitor.write('book');
  expect((await visitor.write('はい')).at(-1)).toMatchObject({ type: 'done' });
  expect((await visitor.write('Hello')).at(-1)).toMatchObject({ type: 'done' });
  await change(website.connection, { rules: [] });
});

test('a sticker is silent, whatever words stand on it, and repeats nothing', async () => {
  const { told, thread } = await after((friend) => friend.sticker({ keywords: ['thanks', 'open', 'shop'] }));
  expect(told).toEqual([]);
  expect(thread.status).toBe('bot');
  const said = await after((friend) => friend.say('$$', { emojis: [emoji(0), emoji(1)] }));
  expect(said.told).toEqual([]);
});

test('a photo, a video, a file and a place call people, who are told of them', async () => {
  for (const send of [
    async (friend: ReturnType<typeof aFriend>) => friend.image(await png()),
    async (friend: ReturnType<typeof aFriend>) => friend.video(Buffer.from('film')),
    async (friend: ReturnType<typeof aFriend>) => friend.file('menu.txt', Buffer.from('Coffee')),
    async (friend: ReturnType<typeof aFriend>) => friend.location({ latitude: 35.6, longitude: 139.7 }),
  ]) {
    const { told, thread, notes } = await after(send);
    expect(told).toEqual(['I have passed this on. A member of our team will answer you here.']);
    expect(thread.status).toBe('waiting');
    expect(thread.unread).toBeGreaterThan(0);
    expect(notes.at(-1)?.happening).toMatchObject({ kind: 'handed-off', reason: 'content' });
  }
});

test.each([
  [{ date: '2026-12-24' }, 'en', 'Thursday, December 24, 2026'],
  [{ time: '18:30' }, 'en', '18:30'],
  [{ datetime: '2026-12-24T10:00' }, 'ja', '2026年12月24日木曜日'],
] as const)('%j that was picked reaches the team, and is confirmed as a wish', async (params, language, said) => {
  const { told, thread, messages } = await after((friend) => friend.postback('Reservation', { params }), language);
  expect(told[0]).toContain(said);
  expect(told[1]).toMatch(/A member of our team|担当者/);
  expect(thread).toMatchObject({ status: 'waiting', reason: 'content' });
  const asked = messages.findLast(({ role }) => role === 'user');
  expect(asked?.text).toContain(Object.values(params)[0]?.replace('T', ' '));
});

test('a rule may have what was picked', async () => {
  const rule = {
    phrases: ['Reservation'],
    match: 'contains' as const,
    when: 'always' as const,
    schedule: null,
    reply: 'By phone only.',
    rich: null,
    handOff: false,
    tag: '',
  };
  await change(connection, { rules: [rule] });
  const { told, thread } = await after((friend) => friend.postback('Reservation', { params: { date: '2026-12-24' } }));
  expect([told, thread.status]).toEqual([['By phone only.'], 'bot']);
  await change(connection, { rules: [] });
});

test('each kind may be silent, have a reply of its own or ours, or call people', async () => {
  await change(
    connection,
    kinds({
      stickers: { does: 'staff', reply: '' },
      thanks: { does: 'reply', reply: '' },
      media: { does: 'reply', reply: 'Nice photo!' },
      places: { does: 'silent', reply: 'unused' },
    }),
  );
  expect((await after((friend) => friend.sticker({ keywords: ['hi'] }))).thread.status).toBe('waiting');
  expect((await after((friend) => friend.say('ありがとう！'), 'ja')).told).toEqual(['どういたしまして。']);
  const photo = await after(async (friend) => friend.image(await png()));
  expect(photo).toMatchObject({ told: ['Nice photo!'], thread: { status: 'bot' } });
  expect((await after((friend) => friend.location({ latitude: 1, longitude: 2 }))).told).toEqual([]);
  await change(connection, kinds({}));
});

test('a rule that fits comes first', async () => {
  const rule = { match: 'contains', when: 'always', schedule: null, rich: null, handOff: false, tag: '' } as const;
  await change(connection, { rules: [{ ...rule, phrases: ['thank'], reply: 'Any time.' }] });
  expect((await after((friend) => friend.say('Thank you'))).told).toEqual(['Any time.']);
  await change(connection, { rules: [] });
});

test('a photo beside a question is part of the question, and alone it follows the setting', async () => {
  const visitor = await aVisitor(app, website.uuid);
  const asked = await visitor.write('When does the shop open?', { files: [await upload(visitor)] });
  expect(asked.at(-1)).toMatchObject({ type: 'done', message: { text: expect.stringContaining('nine') } });
  await visitor.write('', { files: [await upload(visitor)] });
  const { messages, thread } = await visitor.page();
  expect(thread?.status).toBe('waiting');
  expect(messages.at(-1)).toMatchObject({ role: 'system', text: expect.stringContaining('passed this on') });
});

test('thanks leave alone what was put away', async () => {
  const visitor = await aVisitor(app, website.uuid);
  await visitor.say('When does the shop open?');
  const thread = (await visitor.page()).thread?.uuid ?? '';
  await staff.call(inbox.resolve, { params: { thread } });
  await visitor.write('Thank you!');
  expect((await visitor.page()).thread?.status).toBe('resolved');
  expect(await visitor.say('When does the shop open?')).toMatchObject({ role: 'assistant' });
  await staff.call(inbox.snooze, {
    params: { thread },
    body: { until: new Date(Date.now() + 86_400_000).toISOString() },
  });
  await visitor.write('Thank you!');
  expect((await staff.call(inbox.thread, { params: { thread } })).body.data.status).toBe('snoozed');
});

test.each(['silent', 'reply'] as const)(
  'what a visitor writes at once, thanks behind it, has one answer for each question (%s)',
  async (does) => {
    await change(website.connection, kinds({ thanks: { does, reply: 'You are welcome.' } }));
    const visitors = await Promise.all(Array.from({ length: 5 }, () => aVisitor(app, website.uuid)));
    const answersTo = async (visitor: (typeof visitors)[number]) =>
      (await visitor.page()).messages.filter(
        ({ role, status, text }) => role === 'assistant' && status === 'done' && text !== 'You are welcome.',
      );
    for (const visitor of visitors) {
      await Promise.all(
        ['When does the shop open?', 'When does it close?', 'Thanks'].map((text) => visitor.write(text)),
      );
      await eventually('both are answered', async () => (await answersTo(visitor)).length >= 2);
    }
    for (const visitor of visitors) expect(await answersTo(visitor)).toHaveLength(2);
    await change(website.connection, kinds({}));
  },
);

test('a trial says what would really be sent', async () => {
  const trial = async (body: object) =>
    (await staff.call(connections.test, { params: { uuid: connection }, body: { text: 'Thank you!', ...body } })).body
      .data;
  expect(await trial({})).toMatchObject({ does: 'silent', kind: 'thanks', reply: '', notice: '' });
  expect(await trial(kinds({ thanks: { does: 'reply', reply: '' } }))).toMatchObject({
    does: 'reply',
    reply: 'You’re welcome.',
  });
  expect(await trial({ text: '写真', kind: 'media', language: 'ja' })).toMatchObject({
    does: 'handOff',
    kind: 'media',
    notice: '担当者に引き継ぎました。こちらでお返事しますので、少々お待ちください。',
  });
  expect(await trial({ text: 'When do you open?' })).toMatchObject({ does: 'bot', kind: null });
});

test('what was stored before there were kinds has the usual ones', async () => {
  const { db } = app.server.context;
  const { kinds: _, ...earlier } = usualConnection;
  await db
    .updateTable('connection')
    .set({ settings: JSON.stringify(earlier) })
    .where('uuid', '=', connection)
    .execute();
  const { settings } = (await staff.call(connections.get, { params: { uuid: connection } })).body.data;
  expect(settings.kinds).toEqual({
    stickers: { does: 'silent', reply: '' },
    thanks: { does: 'silent', reply: '' },
    media: { does: 'staff', reply: '' },
    places: { does: 'staff', reply: '' },
    dates: { does: 'staff', reply: '' },
  });
});
