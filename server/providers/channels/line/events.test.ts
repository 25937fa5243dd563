import { afterAll, beforeAll, expect, test } from 'vitest';
import { mustStayLinear } from '../../../../shared/testing/growth.ts';
import type { Delivered, FakeLine } from '../../../testing/line/fake-line.ts';
import { startLine } from '../../../testing/line/start.ts';
import { readBody, type LineEvent } from './events.ts';
import { isSigned, sign } from './signature.ts';

let line: FakeLine;
beforeAll(async () => void (line = await startLine()));
afterAll(() => line.close());

/** What came of what somebody did: LINE's own bytes, read. */
async function read(delivered: Promise<Delivered>): Promise<LineEvent> {
  const { events } = readBody((await delivered).body) ?? {};
  return events?.[0] ?? expect.fail('no event');
}
const what = async (delivered: Promise<Delivered>) => (await read(delivered)).what;

const body = (...events: unknown[]) => Buffer.from(JSON.stringify({ destination: line.bot.userId, events }));
const one = (event: object) =>
  readBody(
    body({
      webhookEventId: '01FZ74A0TDDPYRVKNK77XKC3ZR',
      timestamp: 1_692_251_666_727,
      mode: 'active',
      deliveryContext: { isRedelivery: false },
      source: { type: 'user', userId: 'U4af4980629' },
      ...event,
    }),
  )?.events[0];

test('a webhook is believed when LINE has signed its very bytes, and nothing else makes it fail', () => {
  const secret = '8c570fa6dd201bb328f1c1eac23a96d8';
  const bytes = Buffer.from('{"destination":"U8e742f61d673b39c7fff3cecb7536ef0","events":[]}');
  const right = 'GhRKmvmHys4Pi8DxkF4+EayaH0OqtJtaZxgTD9fMDLs=';
  expect(sign(secret, bytes)).toBe(right);
  expect(isSigned(secret, bytes, right)).toBe(true);
  const changed = Buffer.from(bytes);
  changed[10] = 0;
  expect(isSigned(secret, changed, right)).toBe(false);
  expect(isSigned('another', bytes, right)).toBe(false);
  for (const wrong of [undefined, '', 'x', right.slice(1), `${right} `, 'あ', '\u0000', right.repeat(1000)])
    expect(isSigned(secret, bytes, wrong)).toBe(false);
  const escaped = Buffer.from(String.raw`{"destination":"U8","events":[{"text":"\uD83E\uDD28"}]}`);
  expect(isSigned(secret, escaped, sign(secret, escaped))).toBe(true);
});

test('what a person writes says who, where, when and how it is answered', async () => {
  const taro = line.user({ name: 'Taro' });
  const delivered = await taro.say('Hello 🤨', { isEscaped: true });
  const event = await read(Promise.resolve(delivered));
  expect(event).toMatchObject({
    id: delivered.eventId,
    type: 'message',
    at: delivered.events[0]?.timestamp,
    mode: 'active',
    isRedelivery: false,
    source: { kind: 'user', chat: taro.id, user: taro.id },
    replyToken: delivered.replyToken,
    what: {
      type: 'message',
      messageId: delivered.messageId,
      quoteToken: expect.any(String),
      markAsReadToken: expect.any(String),
      message: { type: 'text', text: 'Hello 🤨', plain: 'Hello 🤨', isSelfMentioned: false, isAllMentioned: false },
    },
  });
  expect(event.raw).toEqual(delivered.events[0]);
  expect(readBody(delivered.body)?.destination).toBe(line.bot.userId);
  expect(await read(line.again(delivered))).toMatchObject({ id: delivered.eventId, isRedelivery: true });
  expect(await read(taro.say('x', { mode: 'standby' }))).toMatchObject({ mode: 'standby' });
  expect(await what(taro.say('again', { quotes: delivered.messageId }))).toMatchObject({
    quotedMessageId: delivered.messageId,
  });
});

test('the mention of us is left out of what is asked, wherever it stands', async () => {
  const taro = line.user();
  const group = line.group({ members: [taro] });
  const said = async (
    text: string,
    mentions: { index: number; length: number; isSelf?: boolean; isAll?: boolean }[],
  ) => {
    const event = await read(taro.say(text, { in: group, mentions }));
    expect(event.source).toEqual({ kind: 'group', chat: group.id, user: taro.id });
    return event.what.type === 'message' && event.what.message.type === 'text' ? event.what.message : undefined;
  };
  const self = { length: 6, isSelf: true };
  expect(await said('@Kotae when do you open?', [{ index: 0, ...self }])).toMatchObject({
    plain: 'when do you open?',
    isSelfMentioned: true,
    text: '@Kotae when do you open?',
  });
  expect(await said('👩‍👧 hey @Kotae open?', [{ index: 10, ...self }])).toMatchObject({ plain: '👩‍👧 hey open?' });
  expect(await said('教えて@Kotae', [{ index: 3, ...self }])).toMatchObject({ plain: '教えて' });
  expect(await said('@Kotae', [{ index: 0, ...self }])).toMatchObject({ plain: '' });
  expect(await said('@All look', [{ index: 0, length: 4, isAll: true }])).toMatchObject({
    plain: '@All look',
    isAllMentioned: true,
    isSelfMentioned: false,
  });
  const nameless = await read(taro.say('hi', { in: group, isNameless: true }));
  expect(nameless.source).toEqual({ kind: 'group', chat: group.id });
});

test('a mention that lies about its place breaks nothing', () => {
  const mentioned = (mentionees: unknown) => {
    const what = one({
      type: 'message',
      message: { id: '1', type: 'text', text: 'short', mention: { mentionees } },
    })?.what;
    return what?.type === 'message' && what.message.type === 'text' ? what.message.plain : undefined;
  };
  expect(mentioned([{ type: 'user', index: 99, length: 5, isSelf: true }])).toBe('short');
  expect(mentioned([{ type: 'user', index: 3, length: 99, isSelf: true }])).toBe('sho');
  expect(mentioned([{ type: 'user', index: -1, length: 5, isSelf: true }])).toBe('short');
  expect(mentioned('no list')).toBe('short');
  expect(
    mentioned([
      { type: 'user', index: 0, length: 3, isSelf: true },
      { type: 'user', index: 1, length: 3, isSelf: true },
    ]),
  ).toBe('rt');
});

test('stickers, places, pictures, videos, voices and files say what they are', async () => {
  const taro = line.user();
  const bytes = Buffer.from('x');
  expect(
    await what(taro.sticker({ packageId: '1', stickerId: '2', keywords: ['Love', 'Hi'], text: 'Yo' })),
  ).toMatchObject({
    message: { type: 'sticker', packageId: '1', stickerId: '2', keywords: ['Love', 'Hi'], text: 'Yo' },
  });
  expect(await what(taro.location({ latitude: 35.66, longitude: 139.7 }))).toMatchObject({
    message: { type: 'location', latitude: 35.66, longitude: 139.7 },
  });
  const pictures = await taro.images([bytes, bytes], { order: [2, 1] });
  expect(await what(Promise.resolve(pictures[0] ?? expect.fail()))).toMatchObject({
    message: {
      type: 'image',
      content: { provider: 'line' },
      imageSet: { id: expect.any(String), index: 2, total: 2 },
    },
  });
  const external = { originalContentUrl: 'https://example.com/a.png', previewImageUrl: 'https://example.com/b.png' };
  expect(await what(taro.image(bytes, { external }))).toMatchObject({
    message: {
      content: { provider: 'external', url: external.originalContentUrl, previewUrl: external.previewImageUrl },
    },
  });
  expect(await what(taro.video(bytes, { durationMs: 4000 }))).toMatchObject({
    message: { type: 'video', durationMs: 4000 },
  });
  expect(await what(taro.voice(bytes, { durationMs: 900 }))).toMatchObject({
    message: { type: 'audio', durationMs: 900 },
  });
  expect(await what(taro.file('報告.pdf', bytes))).toMatchObject({
    message: { type: 'file', content: { provider: 'line' }, fileName: '報告.pdf', fileSize: 1 },
  });
});

test('what happens to messages, friendships, groups and menus is told', async () => {
  const taro = line.user();
  const hanako = line.user();
  const group = line.group({ members: [taro] });
  const said = await taro.say('one', { in: group });
  expect(await what(taro.edit(said.messageId, 'two', { in: group }))).toMatchObject({
    type: 'edited',
    messageId: said.messageId,
    message: { type: 'text', text: 'two' },
  });
  expect(await what(taro.unsend(said.messageId, { in: group }))).toEqual({ type: 'unsent', messageId: said.messageId });
  expect(await what(taro.follow({ isUnblocked: true }))).toEqual({ type: 'followed', isUnblocked: true });
  expect(await what(taro.block())).toEqual({ type: 'unfollowed' });
  expect(await what(group.join())).toEqual({ type: 'joined' });
  expect(await what(group.add(hanako))).toEqual({ type: 'membersJoined', users: [hanako.id] });
  expect(await what(group.remove(hanako))).toEqual({ type: 'membersLeft', users: [hanako.id] });
  expect(await what(group.leave())).toEqual({ type: 'left' });
  expect(await what(hanako.postback('buy=1', { params: { date: '2026-12-24' } }))).toEqual({
    type: 'postback',
    data: 'buy=1',
    params: { date: '2026-12-24' },
  });
  expect(await what(hanako.linkAccount('a-nonce', { result: 'failed' }))).toEqual({
    type: 'linked',
    result: 'failed',
    nonce: 'a-nonce',
  });
  expect(await what(hanako.watch('spring'))).toEqual({ type: 'video-complete', trackingId: 'spring' });
  const params = { newRichMenuAliasId: 'tab-b', status: 'SUCCESS' };
  expect(one({ type: 'postback', replyToken: 't', postback: { data: 'to-b', params } })?.what).toMatchObject({
    menu: { alias: 'tab-b', status: 'SUCCESS' },
  });
  expect(one({ type: 'beacon', beacon: { hwid: 'd41d8cd98f', type: 'enter', dm: '12ab' } })?.what).toEqual({
    type: 'beacon',
    hwid: 'd41d8cd98f',
    kind: 'enter',
    message: '12ab',
  });
  expect(one({ type: 'membership', membership: { type: 'joined', membershipId: 3189 } })?.what).toEqual({
    type: 'membership',
    kind: 'joined',
    membershipId: 3189,
  });
});

test('several people in one body are several events, and none is a body too', async () => {
  const [taro, hanako] = [line.user(), line.user()];
  const delivered = await line.together(() => {
    void taro.say('1');
    void hanako.say('2');
  });
  expect(readBody(delivered.body)?.events.map(({ source }) => source?.chat)).toEqual([taro.id, hanako.id]);
  expect(readBody(body())).toEqual({ destination: line.bot.userId, events: [] });
});

test('what LINE adds one day is kept, and an event that cannot be read is another one', () => {
  expect(one({ type: 'message', message: { id: '1', type: 'hologram', depth: 3 }, brandNew: { a: 1 } })).toMatchObject({
    what: { type: 'message', messageId: '1', message: { type: 'other' } },
    raw: { brandNew: { a: 1 }, message: { depth: 3 } },
  });
  expect(one({ type: 'teleported', to: 'x' })).toMatchObject({
    type: 'teleported',
    what: { type: 'other' },
    raw: { to: 'x' },
  });
  expect(one({ type: 'message', message: { id: '1', type: 'text' } })).toMatchObject({
    what: { message: { type: 'other' } },
  });
  for (const wrong of [
    { type: 'message' },
    { type: 'message', message: 'x' },
    { type: 'unsend', unsend: null },
    { type: 'postback', postback: { data: 3 } },
    { type: 'constructor' },
    { type: 'toString' },
    { type: 7 },
    { type: null },
  ])
    expect(one(wrong)).toMatchObject({ what: { type: 'other' } });
  expect(one({ type: 'follow', source: { type: 'planet' } })).toMatchObject({
    source: null,
    what: { type: 'followed', isUnblocked: false },
  });
  expect(one({ type: 'follow', mode: 'paused' })).toMatchObject({ mode: 'standby' });
  const { events = [] } = readBody(body(null, 7, 'x', [], { type: 'follow' })) ?? {};
  expect(events.map(({ what }) => what.type)).toEqual(['other', 'other', 'other', 'other', 'followed']);
  expect(new Set(events.map(({ id }) => id)).size).toBe(5);
  const text = 'a\u0000b\ud800';
  expect(one({ type: 'message', message: { id: '1', type: 'text', text } })).toMatchObject({
    what: { message: { text: 'ab\ufffd' } },
  });
});

test('a body that is none is not read', () => {
  for (const wrong of ['', 'x', '[]', '{}', 'null', '{"destination":"U1"}', '{"destination":1,"events":[]}'])
    expect(readBody(Buffer.from(wrong))).toBeUndefined();
  expect(readBody(Buffer.from(`{"destination":"U1","events":[${'1,'.repeat(1000)}1]}`))).toBeUndefined();
  expect(readBody(body({ type: 'follow', filler: 'x'.repeat(2_000_000) }))).toBeUndefined();
  const deep = Buffer.from(
    `{"destination":"U1","events":[{"type":"follow","x":${'['.repeat(9e5)}${']'.repeat(9e5)}}]}`,
  );
  expect(readBody(deep)?.events[0]).toMatchObject({ type: '', what: { type: 'other' }, raw: {} });
});

test('reading takes no more than its share', { timeout: 240_000 }, () =>
  mustStayLinear((text) => {
    readBody(Buffer.from(text));
    readBody(body({ type: 'message', message: { id: '1', type: 'text', text }, [text]: text }));
    const mentionees = Array.from({ length: text.length / 10 }, (_, at) => ({
      type: 'user',
      index: at * 10,
      length: 1,
      isSelf: true,
    }));
    readBody(body({ type: 'message', message: { id: '1', type: 'text', text, mention: { mentionees } } }));
  }),
);
