import { afterAll, beforeAll, expect, test } from 'vitest';
import { connections, type ConnectionSettings } from '../../../shared/contracts/connections.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { visitors } from '../../../shared/contracts/visitors.ts';
import { languageOf } from '../../../shared/text.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aChannel, aPublishedBot, aVisitor } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { FakeLine } from '../../testing/line/fake-line.ts';

let app: TestApp;
let line: FakeLine;
let staff: Person;
let bot: string;
let connection: string;
let names = 0;
beforeAll(async () => {
  ({ app, line } = await startWithLine());
  staff = await app.aPerson();
  bot = await aPublishedBot(staff);
  ({ connection } = await connectLine(staff, line, bot));
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await line.close();
});

type Friend = ReturnType<FakeLine['user']>;
const aFriend = (language?: string) => line.user({ name: `Mei ${++names}`, ...(language && { language }) });
const change = async (body: Partial<ConnectionSettings>) =>
  expect((await staff.call(connections.update, { params: { uuid: connection }, body })).status).toBe(200);

/** Writes, and waits for as many answers. */
async function chat(friend: Friend, ...texts: string[]) {
  for (const text of texts) {
    const before = line.shown(friend.id).length;
    await friend.say(text);
    await eventually(`“${text}” is answered`, async () => {
      const last = (await conversationOf(staff, friend.name))?.messages.at(-1);
      return last?.role === 'assistant' && last.delivery === 'sent' && line.shown(friend.id).length > before;
    });
  }
}

/** What they are told when they tap for a person: words of ours alone. */
async function told(friend: Friend): Promise<string> {
  const before = line.shown(friend.id).length;
  await friend.postback('kotae:person');
  return eventually('they are told', async () => {
    const texts = line
      .shown(friend.id)
      .slice(before)
      .map(({ message }) => ('text' in message ? String(message.text) : ''));
    return texts.find((text) => japanese.test(text) || english.test(text));
  });
}
const japanese = /担当者/;
const english = /A member of our team/;

test.each(['OK', '12345', '😀👍', 'https://shop.example/opening-hours', 'LINE', 'name@shop.example'])(
  '“%s” does not tell a language',
  (text) => expect(languageOf(text)).toBeUndefined(),
);

test('after “OK” and digits somebody whom LINE knows as Japanese is still told in Japanese', async () => {
  const mei = aFriend('ja');
  await chat(mei, 'OK', '123');
  expect(await told(mei)).toMatch(japanese);
});

test('what LINE says of somebody comes before what they write, and the answer follows the question', async () => {
  const mei = aFriend('en');
  await chat(mei, '営業時間を教えてください');
  expect((await conversationOf(staff, mei.name))?.messages.at(-1)?.text).toMatch(/[ぁ-ん]/);
  expect(await told(mei)).toMatch(english);
});

test('of whom LINE says nothing, each message with enough letters tells', async () => {
  const mei = aFriend();
  await chat(mei, 'When does the shop open?');
  await mei.say('OK');
  await chat(mei, '99');
  expect((await conversationOf(staff, mei.name))?.thread.language).toBe('en');
  await chat(mei, '営業時間を教えてください');
  await mei.say('OK');
  await mei.postback('opening hours of the shop');
  expect(await told(mei)).toMatch(japanese);
});

test('what the connection says comes first, also for what stands beside an answer', async () => {
  await change({ language: 'en' });
  const mei = aFriend('ja');
  await chat(mei, '営業時間を教えてください');
  expect(JSON.stringify(line.quickReplies(mei.id))).toContain('person');
  expect(await told(mei)).toMatch(english);
  await change({ language: 'visitor' });
});

test('on a website the language of the page comes before what is written there', async () => {
  const { uuid } = await aChannel(staff, bot);
  const visitor = await aVisitor(app, uuid, { locale: 'ja' });
  expect((await visitor.say('When does the shop open?')).text).not.toMatch(/[ぁ-ん]/);
  const page = (await visitor.call(visitors.person, { headers: { 'accept-language': 'ja' } })).body.data;
  expect(page.messages.at(-1)?.text).toMatch(japanese);
});

test('“OK” in a Japanese conversation of a member is answered in Japanese', async () => {
  const ask = async (text: string, thread?: string) =>
    (await staff.call(conversations.send, { body: { bot, message: { text }, ...(thread && { thread }) } })).body.data;
  const { thread } = await ask('配送料はいくらですか？');
  expect((await ask('OK', thread.uuid)).message.text).toMatch(/[ぁ-ん]/);
  expect((await ask('When does the shop open?', thread.uuid)).message.text).not.toMatch(/[ぁ-ん]/);
});
