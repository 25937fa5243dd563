import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import {
  channelAccessToken,
  HTTPFetchError,
  LineBotClient,
  validateSignature,
  type messagingApi,
  type webhook as Webhook,
} from '@line/bot-sdk';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FakeLine, LineOptions } from './fake-line.ts';
import { startLine } from './start.ts';

/*
 * The LINE that our tests talk to, held against LINE's own client and the specification's examples: what a test of ours relies on
 * is true here first.
 */

let server: Server;
/** Bodies that the bot's server got with a signature that LINE's own function takes, and what it answers. */
let got: Webhook.CallbackRequest[] = [];
let unsigned = 0;
let answer: () => number | Promise<number> = () => 200;
let endpoint = '';
const lines: FakeLine[] = [];

beforeAll(async () => {
  server = createServer(async (request, reply) => {
    const body = await buffer(request);
    const secret = lines.at(-1)?.channel.secret ?? '';
    if (validateSignature(body, secret, String(request.headers['x-line-signature'])))
      got.push(JSON.parse(body.toString('utf8')));
    else unsigned++;
    reply.writeHead(await answer()).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  endpoint = `http://127.0.0.1:${port}/webhook/line/key`;
});
afterAll(async () => {
  await Promise.all(lines.map((line) => line.close()));
  server.close();
});
beforeEach(() => {
  got = [];
  unsigned = 0;
  answer = () => 200;
});

/** A LINE whose bot has set its webhook, and the vendor's client with a token of its own. */
async function aLine(options: LineOptions = {}): Promise<{ line: FakeLine; client: LineBotClient; token: string }> {
  const line = await startLine({ allowHttp: true, ...options });
  lines.push(line);
  const token = await aToken(line);
  line.webhook.endpoint = endpoint;
  const client = LineBotClient.fromChannelAccessToken({
    channelAccessToken: token,
    apiBaseURL: line.url,
    dataApiBaseURL: line.url,
  });
  return { line, client, token };
}

async function aToken({ url, channel }: FakeLine, secret = channel.secret): Promise<string> {
  const tokens = new channelAccessToken.ChannelAccessTokenClient({ baseURL: url });
  const { access_token } = await tokens.issueStatelessChannelTokenByClientSecret(channel.id, secret);
  return access_token;
}

/** How a call failed: its status, the message and the details, as LINE wrote them. */
async function failure(
  call: Promise<unknown>,
): Promise<{ status: number; message: string; headers: Headers; body: string }> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof HTTPFetchError)) throw new Error(`It did not fail: ${String(error)}`);
  return { status: error.status, message: JSON.parse(error.body).message, headers: error.headers, body: error.body };
}

const text = (words: string): messagingApi.TextMessage => ({ type: 'text', text: words });
const png = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();
const blob = (bytes: Buffer, type = 'image/png') => new Blob([new Uint8Array(bytes)], { type });

const menu: messagingApi.RichMenuRequest = {
  size: { width: 2500, height: 1686 },
  selected: false,
  name: 'Nice rich menu',
  chatBarText: 'Tap to open',
  areas: [
    {
      bounds: { x: 0, y: 0, width: 1250, height: 1686 },
      action: { type: 'postback', label: 'Buy', data: 'action=buy&itemid=123' },
    },
    {
      bounds: { x: 1250, y: 0, width: 1250, height: 1686 },
      action: { type: 'richmenuswitch', richMenuAliasId: 'tab-b', data: 'to-b' },
    },
  ],
};

test('each has a secret of its own, so that a token of one that is gone is never tried at its port', async () => {
  const [{ line: one }, { line: two }] = await Promise.all([aLine(), aLine()]);
  expect(one.channel.secret).not.toBe(two.channel.secret);
});

test('a channel ID and secret give a token for fifteen minutes; a wrong secret gives none', async () => {
  const { line, client } = await aLine();
  await expect(client.getBotInfo()).resolves.toMatchObject({ userId: line.bot.userId, chatMode: 'chat' });
  expect(await failure(aToken(line, 'wrong'))).toMatchObject({ status: 400 });
  line.clock.advance(14 * 60_000);
  await client.getBotInfo();
  line.clock.advance(2 * 60_000);
  expect(await failure(client.getBotInfo())).toMatchObject({ status: 401 });
  expect(line.calls.at(-1)).toMatchObject({ method: 'GET', path: '/v2/bot/info', status: 401 });
  line.mustBeValid();
});

test('what people write reaches the endpoint, signed and in the official form', async () => {
  const { line, client } = await aLine();
  line.webhook.endpoint = undefined;
  expect(await failure(client.getWebhookEndpoint())).toMatchObject({ status: 404 });
  await client.setWebhookEndpoint({ endpoint });
  expect(await client.getWebhookEndpoint()).toMatchObject({ endpoint, active: true });
  expect(await client.testWebhookEndpoint({})).toMatchObject({ success: true, statusCode: 200, reason: 'OK' });
  const hanako = line.user({ name: '花子', language: 'ja' });
  const said = await hanako.say('こんにちは 🤨', { isEscaped: true });
  expect(said).toMatchObject({ status: 200, reason: 'OK' });
  expect(said.body.toString('latin1')).toContain('\\uD83E\\uDD28');
  expect(got[0]).toEqual({ destination: line.bot.userId, events: [] });
  expect(got[1]?.events[0]).toMatchObject({
    type: 'message',
    mode: 'active',
    source: { type: 'user', userId: hanako.id },
    message: { type: 'text', text: 'こんにちは 🤨', id: said.messageId },
    webhookEventId: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
  });
  await hanako.say('not from LINE', { signature: 'GhRKmvmHys4Pi8DxkF4+EayaH0OqtJtaZxgTD9fMDLs=' });
  await hanako.say('unsigned', { signature: null });
  expect(unsigned).toBe(2);
  line.mustBeValid();
});

test('the webhook test tells why it failed', async () => {
  const { line, client } = await aLine({ webhookTimeoutMs: 150 });
  answer = () => 503;
  expect(await client.testWebhookEndpoint({ endpoint })).toMatchObject({
    success: false,
    statusCode: 503,
    reason: 'ERROR_STATUS_CODE',
  });
  answer = () => new Promise((resolve) => setTimeout(resolve, 600, 200));
  expect(await client.testWebhookEndpoint({ endpoint })).toMatchObject({ statusCode: 0, reason: 'REQUEST_TIMEOUT' });
  expect(await client.testWebhookEndpoint({ endpoint: 'http://127.0.0.1:1/' })).toMatchObject({
    statusCode: 0,
    reason: 'COULD_NOT_CONNECT',
  });
  line.mustBeValid();
});

test('every kind of message and event is one that the specification knows', async () => {
  const { line } = await aLine();
  const [taro, jiro] = [line.user({ name: 'Taro' }), line.user({ name: 'Jiro' })];
  const group = line.group({ name: 'Team', members: [taro] });
  const room = line.room({ members: [taro] });
  const bytes = await png(40, 30);
  await taro.sticker({ keywords: ['hello'] });
  await taro.sticker({ packageId: '30563', stickerId: '651698630', resourceType: 'MESSAGE', text: 'Hi' });
  await taro.image(bytes);
  await taro.image(bytes, {
    external: { originalContentUrl: 'https://example.com/a.jpg', previewImageUrl: 'https://example.com/b.jpg' },
  });
  await taro.images([bytes, bytes, bytes], { order: [3, 1, 2] });
  await taro.video(bytes);
  await taro.voice(bytes, { durationMs: 1_200 });
  await taro.file('price.pdf', bytes);
  await taro.location({ latitude: 35.68, longitude: 139.76 });
  await taro.follow();
  await taro.block();
  await taro.follow();
  await taro.postback('a=1', { params: { datetime: '2026-12-25T01:00' } });
  await taro.linkAccount('0123456789abcdef');
  await taro.linkAccount('0123456789abcdef', { result: 'failed' });
  await taro.watch('track-1');
  const said = await taro.say('@Kotae hello', { in: group, mentions: [{ index: 0, length: 6, isSelf: true }] });
  await taro.edit(said.messageId, 'hello', { in: group });
  await taro.unsend(said.messageId, { in: group });
  await taro.say('all', { in: room, isNameless: true });
  await group.leave();
  await group.join();
  await group.add(jiro);
  await group.remove(jiro);
  const events = got.flatMap((body) => body.events);
  const kinds = events.map(({ type }) => type);
  expect(new Set(kinds)).toEqual(
    new Set([
      'message',
      'follow',
      'unfollow',
      'postback',
      'accountLink',
      'videoPlayComplete',
      'messageEdited',
      'unsend',
      'leave',
      'join',
      'memberJoined',
      'memberLeft',
    ]),
  );
  const without = events.filter((event) => !('replyToken' in event)).map(({ type }) => type);
  expect(new Set(without)).toEqual(new Set(['unfollow', 'accountLink', 'unsend', 'leave', 'memberLeft']));
  const sets = events.flatMap((event) =>
    event.type === 'message' && event.message.type === 'image' && event.message.imageSet
      ? [event.message.imageSet]
      : [],
  );
  expect(sets.map(({ index }) => index).toSorted()).toEqual([1, 2, 3]);
  expect(new Set(sets.map(({ id }) => id)).size).toBe(1);
  expect(events.findLast(({ type }) => type === 'follow')).toMatchObject({ follow: { isUnblocked: true } });
  expect(events.find((event) => event.source?.type === 'room')?.source).toEqual({ type: 'room', roomId: room.id });
  expect(line.chat(group.id)).toEqual([]);
});

test('several events share a body; an event can come again, in standby, or as bytes that are no event', async () => {
  const { line } = await aLine({ channel: { id: '2007654321', secret: '8c570fa6dd201bb328f1c1eac23a96d8' } });
  const [one, other] = [line.user(), line.user()];
  await line.together(() => {
    void one.say('first');
    void other.say('second');
  });
  expect(got.map(({ events }) => events.length)).toEqual([2]);
  const said = await one.say('third');
  const again = await line.again(said);
  expect(again.eventId).toBe(said.eventId);
  expect(got[2]?.events[0]).toMatchObject({ webhookEventId: said.eventId, deliveryContext: { isRedelivery: true } });
  await line.again(said, { isRedelivery: false });
  expect(got[3]?.events).toEqual(got[1]?.events);
  const standby = await one.say('fourth', { mode: 'standby' });
  expect(standby.replyToken).toBeUndefined();
  // The vector of the reference: https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/
  const signature = 'GhRKmvmHys4Pi8DxkF4+EayaH0OqtJtaZxgTD9fMDLs=';
  await line.post('{"destination":"U8e742f61d673b39c7fff3cecb7536ef0","events":[]}', { signature });
  expect(unsigned).toBe(0);
  expect(got.at(-1)?.events).toEqual([]);
});

test('an event that was not taken comes again when the console says so', async () => {
  const { line } = await aLine({ redelivery: { times: 3, afterMs: 5 } });
  const statuses = [500, 500, 200];
  answer = () => statuses.shift() ?? 200;
  const said = await line.user().say('please');
  expect(said.status).toBe(200);
  expect(got.map(({ events }) => events[0]?.deliveryContext.isRedelivery)).toEqual([false, true, true]);
  expect(new Set(got.map(({ events }) => events[0]?.webhookEventId)).size).toBe(1);
});

test('a reply token is good once and for a minute, and for another when the event is redelivered', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  const { replyToken = '' } = await taro.say('hi');
  const { sentMessages } = await client.replyMessage({ replyToken, messages: [text('one'), text('two')] });
  expect(sentMessages).toEqual([
    { id: expect.stringMatching(/^\d+$/), quoteToken: expect.any(String) },
    { id: expect.stringMatching(/^\d+$/), quoteToken: expect.any(String) },
  ]);
  const invalid = { status: 400, message: 'Invalid reply token' };
  expect(await failure(client.replyMessage({ replyToken, messages: [text('again')] }))).toMatchObject(invalid);
  const late = await taro.say('wait');
  const answerLate = () => client.replyMessage({ replyToken: late.replyToken ?? '', messages: [text('late')] });
  line.clock.advance(61_000);
  expect(await failure(answerLate())).toMatchObject(invalid);
  await line.again(late);
  await answerLate();
  const old = await taro.say('older');
  line.clock.advance(21 * 60_000);
  await line.again(old);
  const retried = { replyToken: old.replyToken ?? '', messages: [text('too late')] };
  const fresh = LineBotClient.fromChannelAccessToken({ channelAccessToken: await aToken(line), apiBaseURL: line.url });
  expect(await failure(fresh.replyMessage(retried))).toMatchObject(invalid);
  expect(line.shown(taro.id).map(({ message, via }) => [message.text, via])).toEqual([
    ['one', 'reply'],
    ['two', 'reply'],
    ['late', 'reply'],
  ]);
  expect(line.quota.used).toBe(0);
  line.mustBeValid();
});

test('a push with a key arrives once; the second answer names the first', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  const key = randomUUID();
  const first = await client.pushMessageWithHttpInfo({ to: taro.id, messages: [text('once')] }, key);
  const second = await failure(client.pushMessage({ to: taro.id, messages: [text('once')] }, key));
  expect(second).toMatchObject({ status: 409, message: 'The retry key is already accepted' });
  expect(JSON.parse(second.body).sentMessages).toEqual(first.body.sentMessages);
  expect(second.headers.get('x-line-accepted-request-id')).toBe(first.httpResponse.headers.get('x-line-request-id'));
  expect(line.shown(taro.id)).toHaveLength(1);
  expect(line.quota.used).toBe(1);
  line.mustBeValid();
  await failure(client.pushMessage({ to: taro.id, messages: [text('something else')] }, key));
  expect(() => line.mustBeValid()).toThrow('the same retry key with another body');
  line.clock.advance(25 * 60 * 60_000);
  const fresh = LineBotClient.fromChannelAccessToken({ channelAccessToken: await aToken(line), apiBaseURL: line.url });
  await fresh.pushMessage({ to: taro.id, messages: [text('once')] }, key);
  expect(line.shown(taro.id)).toHaveLength(2);
});

test('a reply takes no retry key', async () => {
  const { line, token } = await aLine();
  const { replyToken } = await line.user().say('hi');
  const reply = await fetch(`${line.url}/v2/bot/message/reply`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, 'x-line-retry-key': randomUUID() },
    body: JSON.stringify({ replyToken, messages: [text('hello')] }),
  });
  expect(reply.status).toBe(400);
  expect(() => line.mustBeValid()).toThrow('X-Line-Retry-Key');
});

test('recipients are counted, not messages, and the month ends when they are used up', async () => {
  const { line, client } = await aLine({ quota: { type: 'limited', value: 9 } });
  const [taro, hanako, blocker] = [line.user(), line.user(), line.user()];
  const stranger = line.user({ isFriend: false });
  const group = line.group({ members: [taro, hanako, stranger] });
  blocker.blockSilently();
  expect(await client.getMessageQuota()).toMatchObject({ type: 'limited', value: 9 });
  await client.pushMessage({ to: taro.id, messages: [text('1'), text('2')] });
  await client.pushMessage({ to: blocker.id, messages: [text('nobody sees it')] });
  await client.pushMessage({ to: stranger.id, messages: [text('nor this')] });
  await client.pushMessage({ to: group.id, messages: [text('all three')] });
  await client.multicast({ to: [taro.id, hanako.id, blocker.id], messages: [text('both')] });
  await client.broadcast({ messages: [text('friends')] });
  expect(await client.getMessageQuotaConsumption()).toMatchObject({ totalUsage: 8 });
  expect(line.shown(blocker.id)).toEqual([]);
  expect(line.shown(stranger.id)).toEqual([]);
  expect(line.shown(group.id)).toHaveLength(1);
  expect(line.shown(hanako.id).map(({ via }) => via)).toEqual(['multicast', 'broadcast']);
  const limit = { status: 429, message: 'You have reached your monthly limit.' };
  expect(await failure(client.broadcast({ messages: [text('too many')] }))).toMatchObject(limit);
  await stranger.say('I write first');
  await client.pushMessage({ to: stranger.id, messages: [text('so you hear of me')] });
  expect(await failure(client.pushMessage({ to: taro.id, messages: [text('no')] }))).toMatchObject(limit);
  const { replyToken = '' } = await taro.say('still there?');
  await client.replyMessage({ replyToken, messages: [text('replies are free')] });
  expect(line.shown(stranger.id)).toHaveLength(1);
  expect(await failure(client.pushMessage({ to: `U${'0'.repeat(32)}`, messages: [text('who')] }))).toMatchObject({
    status: 400,
    message: 'Failed to send messages',
  });
  expect(await failure(client.multicast({ to: [taro.id, group.id], messages: [text('group')] }))).toMatchObject({
    status: 400,
    message: 'The property, to[1], in the request body is invalid (line: -, column: -)',
  });
  line.mustBeValid();
});

const emoji = '👨‍👩‍👧‍👦';
const bubble = (filler: number): messagingApi.FlexBubble => ({
  type: 'bubble',
  body: { type: 'box', layout: 'vertical', contents: [{ type: 'text', text: 'x'.repeat(filler) }] },
});
const box = (...contents: messagingApi.FlexComponent[]): messagingApi.FlexBubble => ({
  type: 'bubble',
  body: { type: 'box', layout: 'vertical', contents },
});
const uri: messagingApi.Action = { type: 'uri', label: 'Open', uri: 'https://example.com/' };
const action = (label: string): messagingApi.Action => ({ type: 'message', label, text: 'x' });
const buttons = (template: Partial<messagingApi.ButtonsTemplate>): messagingApi.Message => ({
  type: 'template',
  altText: 'x',
  template: { type: 'buttons', text: 'x', actions: [uri], ...template },
});
const carousel = (...columns: messagingApi.CarouselColumn[]): messagingApi.Message => ({
  type: 'template',
  altText: 'x',
  template: { type: 'carousel', columns },
});
const column = (more: Partial<messagingApi.CarouselColumn> = {}): messagingApi.CarouselColumn => ({
  text: 'x',
  actions: [uri],
  ...more,
});
const quick = (...actions: messagingApi.Action[]): messagingApi.Message => ({
  ...text('x'),
  quickReply: { items: actions.map((each) => ({ type: 'action', action: each })) },
});
const map = (more: Partial<messagingApi.ImagemapMessage>): messagingApi.Message => ({
  type: 'imagemap',
  baseUrl: 'https://example.com/map',
  altText: 'x',
  baseSize: { width: 1040, height: 520 },
  actions: [],
  ...more,
});
const flex = (contents: messagingApi.FlexContainer, altText = 'x'): messagingApi.Message => ({
  type: 'flex',
  altText,
  contents,
});
const postback = (more: Partial<messagingApi.PostbackAction>): messagingApi.Message =>
  quick({ type: 'postback', label: 'x', data: 'x', ...more });
/** Each limit, once kept and once broken by one. */
const limits: [string, messagingApi.Message, messagingApi.Message][] = [
  [
    'flex: words for sizes',
    flex(box({ type: 'text', text: 'x', size: 'xxl', margin: '8px' })),
    flex(box({ type: 'text', text: 'x', size: 'huge' })),
  ],
  [
    'flex: units of margins',
    flex(box({ type: 'separator', margin: 'md' })),
    flex(box({ type: 'separator', margin: '8' })),
  ],
  [
    'flex: ratios',
    flex(box({ type: 'image', url: 'https://example.com/a.png', aspectRatio: '1:3' })),
    flex(box({ type: 'image', url: 'https://example.com/a.png', aspectRatio: '1:4' })),
  ],
  ['flex: what a box holds', flex(box({ type: 'separator' })), flex(box({ type: 'span', text: 'x' }))],
  [
    'flex: colours',
    flex(box({ type: 'text', text: 'x', color: '#00FF00' })),
    flex(box({ type: 'text', text: 'x', color: 'green' })),
  ],
  ['flex: text is not empty', flex(box({ type: 'text', text: ' ' })), flex(box({ type: 'text', text: '' }))],
  ['text of 5000 units', text('あ'.repeat(5000)), text('あ'.repeat(5001))],
  ['text counted in UTF-16', text('😀'.repeat(2500)), text(`${'😀'.repeat(2500)}x`)],
  ['half an emoji', text('😀'), text('😀'.slice(0, 1))],
  ['empty text', text(' '), text('')],
  ['substitutions of a textV2', { type: 'textV2', text: 'a {{b}}' }, { type: 'textV2', text: 'a {b}' }],
  ['altText of 1500', flex(bubble(1), 'x'.repeat(1500)), flex(bubble(1), 'x'.repeat(1501))],
  ['a bubble of 30 KB', flex(bubble(30_500)), flex(bubble(30_800))],
  [
    'a carousel of 50 KB',
    flex({ type: 'carousel', contents: [bubble(25_000), bubble(25_000)] }),
    flex({ type: 'carousel', contents: [bubble(26_000), bubble(26_000)] }),
  ],
  [
    'twelve bubbles',
    flex({ type: 'carousel', contents: Array.from({ length: 12 }, () => bubble(1)) }),
    flex({ type: 'carousel', contents: Array.from({ length: 13 }, () => bubble(1)) }),
  ],
  [
    'thirteen quick replies',
    quick(...Array.from({ length: 13 }, () => action('x'))),
    quick(...Array.from({ length: 14 }, () => action('x'))),
  ],
  ['labels of 20 graphemes', quick(action(emoji.repeat(20))), quick(action(emoji.repeat(21)))],
  ['quick replies have labels', quick(action('x')), quick({ type: 'message', text: 'x' })],
  [
    'no menu switch in a message',
    quick(action('x')),
    quick({ type: 'richmenuswitch', label: 'x', richMenuAliasId: 'a', data: 'x' }),
  ],
  [
    'the camera is for quick replies',
    quick({ type: 'camera', label: 'x' }),
    buttons({ actions: [{ type: 'camera', label: 'x' }] }),
  ],
  ['postback data of 300', postback({ data: 'x'.repeat(300) }), postback({ data: 'x'.repeat(301) })],
  ['displayText of 300', postback({ displayText: 'x'.repeat(300) }), postback({ displayText: 'x'.repeat(301) })],
  [
    'fillInText with the keyboard',
    postback({ inputOption: 'openKeyboard', fillInText: 'x' }),
    postback({ fillInText: 'x' }),
  ],
  ['links of four schemes', quick({ ...uri, uri: 'tel:+81312345678' }), quick({ ...uri, uri: 'javascript:alert(1)' })],
  [
    'links are encoded',
    quick({ ...uri, uri: 'https://example.com/%E3%81%82' }),
    quick({ ...uri, uri: 'https://example.com/あ' }),
  ],
  ['buttons: title of 40', buttons({ title: emoji.repeat(40) }), buttons({ title: emoji.repeat(41) })],
  ['buttons: text of 160', buttons({ text: 'x'.repeat(160) }), buttons({ text: 'x'.repeat(161) })],
  [
    'buttons: 60 with a title',
    buttons({ title: 'x', text: 'x'.repeat(60) }),
    buttons({ title: 'x', text: 'x'.repeat(61) }),
  ],
  [
    'buttons: four actions',
    buttons({ actions: [uri, uri, uri, uri] }),
    buttons({ actions: [uri, uri, uri, uri, uri] }),
  ],
  [
    'confirm: two actions',
    { type: 'template', altText: 'x', template: { type: 'confirm', text: 'x', actions: [uri, uri] } },
    { type: 'template', altText: 'x', template: { type: 'confirm', text: 'x', actions: [uri] } },
  ],
  [
    'carousel: ten columns',
    carousel(...Array.from({ length: 10 }, () => column())),
    carousel(...Array.from({ length: 11 }, () => column())),
  ],
  [
    'carousel: the same number of actions',
    carousel(column(), column()),
    carousel(column(), column({ actions: [uri, uri] })),
  ],
  [
    'carousel: titles in all or none',
    carousel(column({ title: 'a' }), column({ title: 'b' })),
    carousel(column({ title: 'a' }), column()),
  ],
  [
    'image carousel: label of 12',
    {
      type: 'template',
      altText: 'x',
      template: {
        type: 'image_carousel',
        columns: [{ imageUrl: 'https://example.com/a.png', action: action('x'.repeat(12)) }],
      },
    },
    {
      type: 'template',
      altText: 'x',
      template: {
        type: 'image_carousel',
        columns: [{ imageUrl: 'https://example.com/a.png', action: action('x'.repeat(13)) }],
      },
    },
  ],
  ['imagemap of 1040', map({}), map({ baseSize: { width: 1000, height: 500 } })],
  [
    'imagemap: areas inside',
    map({
      actions: [{ type: 'uri', linkUri: 'https://example.com/', area: { x: 0, y: 0, width: 1040, height: 520 } }],
    }),
    map({
      actions: [{ type: 'uri', linkUri: 'https://example.com/', area: { x: 1, y: 0, width: 1040, height: 520 } }],
    }),
  ],
  [
    'imagemap: message of 400',
    map({ actions: [{ type: 'message', text: 'x'.repeat(400), area: { x: 0, y: 0, width: 1, height: 1 } }] }),
    map({ actions: [{ type: 'message', text: 'x'.repeat(401), area: { x: 0, y: 0, width: 1, height: 1 } }] }),
  ],
  [
    'https for what is fetched',
    { type: 'image', originalContentUrl: 'https://example.com/a.png', previewImageUrl: 'https://example.com/b.png' },
    { type: 'image', originalContentUrl: 'http://example.com/a.png', previewImageUrl: 'https://example.com/b.png' },
  ],
  [
    'a sender is not called LINE',
    { ...text('x'), sender: { name: 'Kotae' } },
    { ...text('x'), sender: { name: 'LINE' } },
  ],
  [
    'a place has a name of 100',
    { type: 'location', title: 'x'.repeat(100), address: 'x', latitude: 35, longitude: 139 },
    { type: 'location', title: 'x'.repeat(101), address: 'x', latitude: 35, longitude: 139 },
  ],
];

test.each(limits)('%s: kept it is shown, broken it is refused and remembered', async (_, kept, broken) => {
  const { line, client } = await aLine();
  const taro = line.user();
  await client.validatePush({ messages: [kept] });
  await client.pushMessage({ to: taro.id, messages: [kept] });
  expect(line.shown(taro.id)).toHaveLength(1);
  line.mustBeValid();
  expect(await failure(client.validatePush({ messages: [broken] }))).toMatchObject({ status: 400 });
  line.mustBeValid(); // asking whether it is good is no mistake
  const { status, message } = await failure(client.pushMessage({ to: taro.id, messages: [broken] }));
  expect([status, message]).toEqual([400, expect.stringMatching(/^The request body has \d+ error\(s\)$/)]);
  expect(line.shown(taro.id)).toHaveLength(1);
  expect(line.violations).toHaveLength(1);
});

test('a request that is not in the specification is refused and remembered, whatever is wrong with it', async () => {
  const { line, token } = await aLine();
  const taro = line.user();
  const ask = (path: string, body: unknown, { method = 'POST', type = 'application/json' } = {}) =>
    fetch(`${line.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  const good = { to: taro.id, messages: [text('x')] };
  const wrong: [number, Promise<Response>][] = [
    [404, ask('/v2/bot/message/pusch', good)],
    [404, ask('/v2/bot/message/push', undefined, { method: 'GET' })],
    [400, ask('/v2/bot/message/push', { ...good, silent: true })],
    [400, ask('/v2/bot/message/push', { to: taro.id })],
    [400, ask('/v2/bot/message/push', { ...good, messages: [] })],
    [400, ask('/v2/bot/message/push', { ...good, messages: Array.from({ length: 6 }, () => text('x')) })],
    [400, ask('/v2/bot/message/push', { ...good, messages: [{ type: 'file', fileName: 'a.pdf' }] })],
    [400, ask('/v2/bot/message/push', { ...good, messages: [{ type: 'text', text: 'x', quotetoken: 'y' }] })],
    [400, ask('/v2/bot/message/push', '{"to":')],
    [400, ask('/v2/bot/message/push', JSON.stringify(good), { type: 'text/plain' })],
    [400, ask('/v2/bot/followers/ids?limit=1001', undefined, { method: 'GET' })],
    [400, ask('/v2/bot/info?fields=name', undefined, { method: 'GET' })],
    [413, ask('/v2/bot/message/push', { ...good, messages: [text('x'.repeat(2 * 1024 * 1024))] })],
  ];
  for (const [status, reply] of wrong) {
    const answered = await reply;
    expect([status, answered.status]).toEqual([status, status]);
    expect(await answered.json()).toMatchObject({ message: expect.any(String) });
    expect(answered.headers.get('x-line-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
  expect(line.violations).toHaveLength(wrong.length);
  expect(line.shown(taro.id)).toEqual([]);
});

test('a script drops, delays, refuses or hangs, before the message has arrived or after', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  const push = (words: string) => client.pushMessage({ to: taro.id, messages: [text(words)] });
  line.script('POST /v2/bot/message/push', 'dropBefore', 'dropAfter', { status: 500, body: { message: 'x' } });
  line.script(/message\/push$/, { status: 500, body: {}, isDone: true }, { delayMs: 30 }, 'pass');
  await expect(push('lost')).rejects.toThrow('fetch failed');
  await expect(push('arrived, and nobody knows')).rejects.toThrow('fetch failed');
  expect(await failure(push('refused'))).toMatchObject({ status: 500, message: 'x' });
  expect(await failure(push('also arrived').catch((error) => Promise.reject(error)))).toMatchObject({ status: 500 });
  await push('late');
  await push('as usual');
  expect(line.shown(taro.id).map(({ message }) => message.text)).toEqual([
    'arrived, and nobody knows',
    'also arrived',
    'late',
    'as usual',
  ]);
  expect(line.calls.filter(({ path }) => path.endsWith('/push')).map(({ status }) => status)).toEqual([
    undefined,
    undefined,
    500,
    500,
    200,
    200,
  ]);
  line.script('/v2/bot/message/push', 'hangAfter');
  const hanging = fetch(`${line.url}/v2/bot/message/push`, {
    method: 'POST',
    headers: { authorization: String(line.calls.at(-1)?.headers.authorization), 'content-type': 'application/json' },
    body: JSON.stringify({ to: taro.id, messages: [text('hung')] }),
    signal: AbortSignal.timeout(150),
  });
  await expect(hanging).rejects.toThrow('timeout');
  expect(line.shown(taro.id)).toHaveLength(5);
});

test('rates are counted for each endpoint, by the clock of this LINE', async () => {
  const { line, client } = await aLine({ rates: 0.02 });
  for (let made = 0; made < 2; made++) await client.createRichMenu(menu);
  expect(await failure(client.createRichMenu(menu))).toMatchObject({
    status: 429,
    message: 'The API rate limit has been exceeded. Try again later.',
  });
  await client.getRichMenuAliasList();
  line.clock.advance(31 * 60_000);
  const fresh = LineBotClient.fromChannelAccessToken({ channelAccessToken: await aToken(line), apiBaseURL: line.url });
  await fresh.createRichMenu(menu);
});

test('a menu needs its picture before anybody can have it, and stays as it was made', async () => {
  const { line, client } = await aLine();
  const [taro, hanako] = [line.user(), line.user()];
  await client.validateRichMenuObject(menu);
  const { richMenuId } = await client.createRichMenu(menu);
  const noImage = { status: 400, message: 'must upload richmenu image before applying it to user' };
  expect(await failure(client.setDefaultRichMenu(richMenuId))).toMatchObject(noImage);
  expect(await failure(client.linkRichMenuIdToUser(taro.id, richMenuId))).toMatchObject(noImage);
  expect(await failure(client.createRichMenuAlias({ richMenuAliasId: 'tab-a', richMenuId }))).toMatchObject({
    status: 400,
    message: 'richmenu not found',
  });
  expect(await failure(client.getRichMenuImage(richMenuId))).toMatchObject({ status: 404 });
  line.mustBeValid();
  const picture = await png(2500, 1686);
  for (const wrong of [
    blob(await png(2500, 843)),
    blob(Buffer.from('no picture')),
    blob(Buffer.concat([picture, Buffer.alloc(1024 * 1024)])),
  ])
    expect(await failure(client.setRichMenuImage(richMenuId, wrong))).toMatchObject({
      status: 400,
      message: 'The image size is not allowed for richmenu',
    });
  expect(await failure(client.setRichMenuImage(richMenuId, blob(picture, 'image/webp')))).toMatchObject({
    status: 415,
  });
  expect(line.violations.splice(0)).toHaveLength(4);
  await client.setRichMenuImage(richMenuId, blob(picture));
  expect(await failure(client.setRichMenuImage(richMenuId, blob(picture)))).toMatchObject({
    status: 400,
    message: 'An image has already been uploaded to the richmenu',
  });
  line.violations.splice(0);
  expect(await buffer(await client.getRichMenuImage(richMenuId))).toEqual(picture);
  expect(await failure(client.getDefaultRichMenuId())).toMatchObject({ status: 404, message: 'no default richmenu' });
  line.hasManagerMenu = true;
  expect(await failure(client.getDefaultRichMenuId())).toMatchObject({ status: 403 });
  await client.setDefaultRichMenu(richMenuId);
  expect(await client.getDefaultRichMenuId()).toMatchObject({ richMenuId });
  const second = await client.createRichMenu(menu);
  await client.setRichMenuImage(second.richMenuId, blob(picture));
  await client.linkRichMenuIdToUser(hanako.id, second.richMenuId);
  expect([line.menuOf(taro.id)?.richMenuId, line.menuOf(hanako.id)?.richMenuId]).toEqual([
    richMenuId,
    second.richMenuId,
  ]);
  expect(await client.getRichMenuIdOfUser(hanako.id)).toMatchObject({ richMenuId: second.richMenuId });
  expect((await client.getRichMenuList()).richmenus.map((each) => each.richMenuId)).toEqual([
    richMenuId,
    second.richMenuId,
  ]);
  expect(await client.getRichMenu(richMenuId)).toMatchObject(menu);
  await client.deleteRichMenu(second.richMenuId);
  expect(line.menuOf(hanako.id)?.richMenuId).toBe(richMenuId);
  expect(await failure(client.getRichMenuIdOfUser(hanako.id))).toMatchObject({ status: 404 });
  expect(await failure(client.deleteRichMenu(second.richMenuId))).toMatchObject({ status: 404 });
  await client.cancelDefaultRichMenu();
  expect(line.menuOf(taro.id)).toBeUndefined();
  line.mustBeValid();
});

test.each<[string, messagingApi.RichMenuRequest]>([
  ['a bar of 15 graphemes', { ...menu, chatBarText: emoji.repeat(15) }],
  ['a name of 301', { ...menu, name: 'x'.repeat(301) }],
  ['21 areas', { ...menu, areas: Array.from({ length: 21 }, () => menu.areas?.[0] ?? {}) }],
  ['a ratio below 1.45', { ...menu, size: { width: 2500, height: 1730 } }],
  ['a width of 799', { ...menu, size: { width: 799, height: 250 }, areas: [] }],
  ['a height of 249', { ...menu, size: { width: 800, height: 249 }, areas: [] }],
  [
    'an area that leaves the picture',
    { ...menu, areas: [{ bounds: { x: 1, y: 0, width: 2500, height: 10 }, action: uri }] },
  ],
  ['no areas', { size: { width: 2500, height: 1686 }, selected: false, name: 'x', chatBarText: 'x' }],
  [
    'a label of 21',
    { ...menu, areas: [{ bounds: { x: 0, y: 0, width: 1, height: 1 }, action: action('x'.repeat(21)) }] },
  ],
])('a menu with %s is refused', async (_, wrong) => {
  const { line, client } = await aLine();
  await client.createRichMenu({ ...menu, chatBarText: emoji.repeat(14) });
  line.mustBeValid();
  expect(await failure(client.validateRichMenuObject(wrong))).toMatchObject({ status: 400 });
  line.mustBeValid();
  expect(await failure(client.createRichMenu(wrong))).toMatchObject({ status: 400 });
  expect(line.violations).toHaveLength(1);
});

test('aliases switch tabs, and batches move people from one menu to another', async () => {
  const { line, client } = await aLine();
  const [taro, hanako] = [line.user(), line.user()];
  const picture = await png(2500, 1686);
  const [a = '', b = ''] = await Promise.all(
    ['a', 'b'].map(async () => {
      const { richMenuId } = await client.createRichMenu(menu);
      await client.setRichMenuImage(richMenuId, blob(picture));
      return richMenuId;
    }),
  );
  await client.setDefaultRichMenu(a);
  expect(await taro.tap(1)).toMatchObject({ status: 200 });
  expect(got.at(-1)?.events[0]).toMatchObject({
    postback: { data: 'to-b', params: { status: 'RICHMENU_ALIAS_ID_NOTFOUND' } },
  });
  await client.createRichMenuAlias({ richMenuAliasId: 'tab-b', richMenuId: b });
  expect(await failure(client.createRichMenuAlias({ richMenuAliasId: 'tab-b', richMenuId: a }))).toMatchObject({
    status: 400,
    message: 'conflict richmenu alias id',
  });
  await taro.tap(1);
  expect(got.at(-1)?.events[0]).toMatchObject({
    postback: { data: 'to-b', params: { newRichMenuAliasId: 'tab-b', status: 'SUCCESS' } },
  });
  expect(line.menuOf(taro.id)?.richMenuId).toBe(b);
  await taro.tap('Buy');
  expect(got.at(-1)?.events[0]).toMatchObject({ postback: { data: 'action=buy&itemid=123' } });
  await client.linkRichMenuIdToUsers({ richMenuId: b, userIds: [hanako.id] });
  const moved = await client.richMenuBatchWithHttpInfo({ operations: [{ type: 'link', from: b, to: a }] });
  const requestId = moved.httpResponse.headers.get('x-line-request-id') ?? '';
  expect(await client.getRichMenuBatchProgress(requestId)).toMatchObject({ phase: 'succeeded' });
  expect([line.menuOf(taro.id)?.richMenuId, line.menuOf(hanako.id)?.richMenuId]).toEqual([a, a]);
  await client.updateRichMenuAlias('tab-b', { richMenuId: a });
  expect(await client.getRichMenuAlias('tab-b')).toMatchObject({ richMenuId: a });
  expect((await client.getRichMenuAliasList()).aliases).toHaveLength(1);
  await client.deleteRichMenuAlias('tab-b');
  expect(await failure(client.getRichMenuAlias('tab-b'))).toMatchObject({
    status: 404,
    message: 'richmenu alias not found',
  });
  await client.unlinkRichMenuIdFromUsers({ userIds: [hanako.id] });
  expect(await failure(client.getRichMenuIdOfUser(hanako.id))).toMatchObject({ status: 404 });
  line.mustBeValid();
});

test('what people sent can be fetched when it is ready, and not when it is gone', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  const bytes = await png(600, 400);
  const picture = await taro.image(bytes);
  expect(await buffer(await client.getMessageContent(picture.messageId))).toEqual(bytes);
  const preview = await sharp(await buffer(await client.getMessageContentPreview(picture.messageId))).metadata();
  expect(preview.width).toBe(240);
  expect(await failure(client.getMessageContentTranscodingByMessageId(picture.messageId))).toMatchObject({
    status: 400,
  });
  const video = await taro.video(bytes, { content: { preparing: 2 } });
  expect((await client.getMessageContentWithHttpInfo(video.messageId)).httpResponse.status).toBe(202);
  expect(await client.getMessageContentTranscodingByMessageId(video.messageId)).toMatchObject({ status: 'processing' });
  expect(await client.getMessageContentTranscodingByMessageId(video.messageId)).toMatchObject({ status: 'succeeded' });
  expect((await client.getMessageContentWithHttpInfo(video.messageId)).httpResponse.status).toBe(200);
  const broken = await taro.voice(bytes, { content: { preparing: 1, ends: 'failed' } });
  await client.getMessageContentTranscodingByMessageId(broken.messageId);
  expect(await client.getMessageContentTranscodingByMessageId(broken.messageId)).toMatchObject({ status: 'failed' });
  await taro.unsend(picture.messageId);
  expect(await failure(client.getMessageContent(picture.messageId))).toMatchObject({
    status: 410,
    message: 'The content is gone',
  });
  line.setContent(video.messageId, 'missing');
  expect(await failure(client.getMessageContent(video.messageId))).toMatchObject({ status: 404, message: 'not found' });
  line.mustBeValid();
});

test('profiles are those of friends, of people who wrote and of members, never of who has blocked the bot', async () => {
  const { line, client } = await aLine({ isVerified: true });
  const taro = line.user({ name: 'Taro', language: 'ja', picture: 'https://example.com/taro.png', status: 'Hello' });
  const stranger = line.user({ name: 'Stranger', isFriend: false });
  const group = line.group({ name: 'Team', members: [taro, stranger] });
  expect(await client.getProfile(taro.id)).toMatchObject({
    displayName: 'Taro',
    language: 'ja',
    statusMessage: 'Hello',
  });
  expect(await failure(client.getProfile(stranger.id))).toMatchObject({ status: 404, message: 'Not found' });
  expect(await client.getGroupMemberProfile(group.id, stranger.id)).toMatchObject({ displayName: 'Stranger' });
  expect(await client.getGroupSummary(group.id)).toMatchObject({ groupName: 'Team' });
  expect(await client.getGroupMemberCount(group.id)).toMatchObject({ count: 2 });
  await stranger.say('hi');
  expect(await client.getProfile(stranger.id)).toMatchObject({ displayName: 'Stranger' });
  await taro.block();
  expect(await failure(client.getProfile(taro.id))).toMatchObject({ status: 404 });
  line.friends(5);
  const first = await client.getFollowers(undefined, 3);
  const second = await client.getFollowers(first.next, 3);
  expect([first.userIds.length, second.userIds.length, second.next]).toEqual([3, 2, undefined]);
  await client.leaveGroup(group.id);
  expect(await failure(client.getGroupSummary(group.id))).toMatchObject({ status: 404 });
  expect(await failure(client.pushMessage({ to: group.id, messages: [text('x')] }))).toMatchObject({ status: 400 });
  await expect.poll(() => got.at(-1)?.events[0]?.type).toBe('leave');
  line.mustBeValid();
});

test('an answer that is being written is shown to one person, until a message comes or the time is up', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  const group = line.group({ members: [taro] });
  await client.showLoadingAnimation({ chatId: taro.id, loadingSeconds: 10 });
  expect(line.loadingUntil(taro.id)).toBeGreaterThan(line.clock.now() + 9_000);
  line.clock.advance(11_000);
  expect(line.loadingUntil(taro.id)).toBeUndefined();
  await client.showLoadingAnimation({ chatId: taro.id });
  await client.pushMessage({ to: taro.id, messages: [text('done')] });
  expect(line.loadingUntil(taro.id)).toBeUndefined();
  line.mustBeValid();
  for (const wrong of [
    { chatId: group.id },
    { chatId: taro.id, loadingSeconds: 7 },
    { chatId: taro.id, loadingSeconds: 65 },
  ])
    expect(await failure(client.showLoadingAnimation(wrong))).toMatchObject({ status: 400 });
  expect(line.violations).toHaveLength(3);
});

test('a message is read with its token, and with it all that came before', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  const [first, second, third] = [await taro.say('1'), await taro.say('2'), await taro.say('3')];
  await client.markMessagesAsReadByToken({ markAsReadToken: String(second.events[0]?.message?.['markAsReadToken']) });
  expect([first, second, third].map(({ messageId }) => line.isRead(messageId))).toEqual([true, true, false]);
  expect(await failure(client.markMessagesAsReadByToken({ markAsReadToken: 'x' }))).toMatchObject({ status: 400 });
});

test('quick replies belong to the last message and go with the next; what is tapped is said or posted back', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  await client.pushMessage({ to: taro.id, messages: [quick(action('Hours')), text('more')] });
  expect(line.quickReplies(taro.id)).toEqual([]);
  await expect(taro.tap('Nothing')).rejects.toThrow('Nothing on the phone says "Nothing".');
  await client.pushMessage({
    to: taro.id,
    messages: [quick(action('Hours'), { type: 'postback', label: 'Buy', data: 'buy', displayText: 'I buy' })],
  });
  expect(line.quickReplies(taro.id).map(({ label }) => label)).toEqual(['Hours', 'Buy']);
  await taro.tap('Buy');
  expect(got.at(-1)?.events[0]).toMatchObject({ type: 'postback', postback: { data: 'buy' } });
  expect(line.chat(taro.id).at(-1)?.message).toEqual({ type: 'text', text: 'I buy' });
  expect(line.quickReplies(taro.id)).toEqual([]);
  await taro.tap({ type: 'datetimepicker', data: 'when', mode: 'date' }, { params: { date: '2026-12-24' } });
  expect(got.at(-1)?.events[0]).toMatchObject({ postback: { data: 'when', params: { date: '2026-12-24' } } });
  expect(await taro.tap({ type: 'uri', uri: 'https://example.com/' })).toBeUndefined();
});

test('a quote is of the same chat', async () => {
  const { line, client } = await aLine();
  const [taro, hanako] = [line.user(), line.user()];
  const said = await taro.say('quote me');
  const quoteToken = String(said.events[0]?.message?.['quoteToken']);
  await client.pushMessage({ to: taro.id, messages: [{ ...text('as you said'), quoteToken }] });
  expect(
    await failure(client.pushMessage({ to: hanako.id, messages: [{ ...text('as he said'), quoteToken }] })),
  ).toMatchObject({
    status: 400,
  });
});

test('a narrowcast is on its way for a while, and needs enough people where it chooses them', async () => {
  const { line, client } = await aLine();
  line.friends(60);
  const send = async (request: messagingApi.NarrowcastRequest) =>
    (await client.narrowcastWithHttpInfo(request)).httpResponse.headers.get('x-line-request-id') ?? '';
  const all = await send({ messages: [text('all')] });
  expect(await client.getNarrowcastProgress(all)).toMatchObject({ phase: 'waiting' });
  line.clock.advance(3_000);
  expect(await client.getNarrowcastProgress(all)).toMatchObject({ phase: 'succeeded', successCount: 60 });
  expect(line.quota.used).toBe(60);
  const demographic: messagingApi.DemographicFilter = { type: 'gender', oneOf: ['male'] };
  expect(await failure(send({ messages: [text('men')], filter: { demographic } }))).toMatchObject({ status: 403 });
  line.friends(40);
  const few = await send({ messages: [text('few')], filter: { demographic }, limit: { max: 49 } });
  line.clock.advance(3_000);
  expect(await client.getNarrowcastProgress(few)).toMatchObject({ phase: 'failed', errorCode: 2 });
  line.mustBeValid();
});

test('figures are those that were given, and not ready otherwise', async () => {
  const { line, client } = await aLine();
  expect(await client.getNumberOfFollowers('20261122')).toMatchObject({ status: 'unready' });
  line.insight.followers.set('20261122', { status: 'ready', followers: 7620, targetedReaches: 5848, blocks: 237 });
  expect(await client.getNumberOfFollowers('20261122')).toMatchObject({ status: 'ready', followers: 7620 });
  line.insight.delivery.set('20261122', { status: 'ready', broadcast: 5385, targeting: 522 });
  expect(await client.getNumberOfMessageDeliveries('20261122')).toMatchObject({ broadcast: 5385 });
  const { richMenuId } = await client.createRichMenu(menu);
  expect(await client.getRichMenuInsightSummary(richMenuId, '20261101', '20261122')).toEqual({ richMenuId });
  line.insight.richMenuSummary.set(richMenuId, {
    richMenuId,
    metricsFrom: '20261101',
    metricsTo: '20261122',
    impression: { metrics: { count: 567, uniqueUsers: 300 } },
    clicks: [{ bounds: { x: 0, y: 0, width: 400, height: 250 }, metrics: { count: 123, uniqueUsers: 45 } }],
  });
  expect(await client.getRichMenuInsightSummary(richMenuId, '20261101', '20261122')).toMatchObject({
    impression: { metrics: { count: 567 } },
  });
  expect(await failure(client.getRichMenuInsightDaily(richMenuId, '20260101', '20261122'))).toMatchObject({
    status: 400,
    message: 'Date range exceeds. Max range is 99 days.',
  });
  line.mustBeValid();
});

test('tokens can be taken away, and a long-lived one is known by its channel', async () => {
  const { line, client } = await aLine();
  line.expireTokens();
  expect(await failure(client.getBotInfo())).toMatchObject({ status: 401 });
  const tokens = new channelAccessToken.ChannelAccessTokenClient({ baseURL: line.url });
  const { longLivedToken, id } = line.channel;
  expect(await tokens.verifyChannelToken(longLivedToken)).toMatchObject({ client_id: id });
  const error = await tokens.verifyChannelToken('x').catch((reason: unknown) => reason);
  expect(error).toMatchObject({ status: 400, body: expect.stringContaining('access_token invalid') });
  const lasting = LineBotClient.fromChannelAccessToken({ channelAccessToken: longLivedToken, apiBaseURL: line.url });
  await lasting.getBotInfo();
  line.mustBeValid();
});

test('an account that is not verified lists nobody; units are counted by name; a link token is of a person', async () => {
  const { line, client } = await aLine();
  const taro = line.user();
  const group = line.group({ members: [taro] });
  for (const call of [client.getFollowers(), client.getGroupMembersIds(group.id)])
    expect(await failure(call)).toMatchObject({ status: 403 });
  await client.pushMessage({ to: taro.id, messages: [text('x')], customAggregationUnits: ['spring'] });
  await client.multicast({ to: [taro.id], messages: [text('x')], customAggregationUnits: ['autumn'] });
  expect(await client.getAggregationUnitUsage()).toMatchObject({ numOfCustomAggregationUnits: 2 });
  expect((await client.getAggregationUnitNameList()).customAggregationUnits).toEqual(['spring', 'autumn']);
  expect(await client.issueLinkToken(taro.id)).toMatchObject({ linkToken: expect.any(String) });
  expect(await failure(client.issueLinkToken('U1'))).toMatchObject({ status: 400 });
  line.mustBeValid();
});
