import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, expect, test } from 'vitest';
import { createOutbound } from '../../../infra/outbound.ts';
import type { FakeLine, LineOptions } from '../../../testing/line/fake-line.ts';
import { startLine } from '../../../testing/line/start.ts';
import { createLine, isWrongSecret, lineAddress, LineError } from './api.ts';
import type { LineMenu } from './answers.ts';
import type { LineCall } from './wire.ts';

const lines: FakeLine[] = [];
afterAll(() => Promise.all(lines.map((line) => line.close())));

async function aLine(options: LineOptions = {}) {
  const line = await startLine({ allowHttp: true, ...options });
  lines.push(line);
  const told: LineCall[] = [];
  const client = (more: { secret?: string; timeoutMs?: number; signal?: AbortSignal } = {}) =>
    createLine({
      request: createOutbound([new URL(line.url).host]).request,
      address: lineAddress(line.url),
      access: { channelId: line.channel.id, secret: more.secret ?? line.channel.secret },
      onCall: (call) => void told.push(call),
      timeoutMs: more.timeoutMs ?? 10_000,
      ...(more.signal && { signal: more.signal }),
    });
  const paths = () => line.calls.map(({ method, path }) => `${method} ${path}`);
  return { line, client, told, paths };
}

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => expect.fail('it did not fail'),
    (error: unknown) => error,
  );
const words = (text: string) => ({ type: 'text', text });
const token = 'POST /oauth2/v3/token';
/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:1/webhook';

test('LINE has a second host for what people send, unless another address plays both', () => {
  const official = { api: 'https://api.line.me', data: 'https://api-data.line.me' };
  expect(lineAddress()).toEqual(official);
  expect(lineAddress('https://api.line.me/')).toEqual(official);
  expect(lineAddress('http://127.0.0.1:4020/')).toEqual({
    api: 'http://127.0.0.1:4020',
    data: 'http://127.0.0.1:4020',
  });
});

test('twenty calls at once ask for one token, and one that ran out is asked for once more', async () => {
  const { line, client, paths } = await aLine();
  await Promise.all(Array.from({ length: 20 }, () => client().botInfo()));
  expect(paths().filter((path) => path === token)).toHaveLength(1);
  line.expireTokens();
  await Promise.all(Array.from({ length: 20 }, () => client().quota()));
  expect(paths().filter((path) => path === token)).toHaveLength(2);
  line.mustBeValid();
});

test('a token that is refused again is not asked for a third time', async () => {
  const { line, client, paths } = await aLine();
  line.script('/v2/bot/info', { status: 401, body: { message: 'no' } }, { status: 401, body: { message: 'no' } });
  const error = await failure(client().botInfo());
  expect(error).toMatchObject({ status: 401, message: 'no' });
  expect(isWrongSecret(error)).toBe(false);
  expect(paths()).toEqual([token, 'GET /v2/bot/info', token, 'GET /v2/bot/info']);
});

test('a wrong secret is told from everything else, and the right one works at once', async () => {
  const { line, client } = await aLine();
  const error = await failure(client({ secret: 'wrong' }).botInfo());
  expect(error).toMatchObject({ status: 400, message: "Invalid 'client_credentials'." });
  expect(isWrongSecret(error)).toBe(true);
  expect(isWrongSecret(new Error('x'))).toBe(false);
  line.script('/oauth2/v3/token', { status: 500 });
  const broken = await failure(client().botInfo());
  expect([broken instanceof LineError, isWrongSecret(broken)]).toEqual([true, false]);
  expect(await client().botInfo()).toMatchObject({ userId: line.bot.userId, chatMode: 'chat' });
});

test('what LINE refuses is told with its own words, its details and the id of the request', async () => {
  const { line, client, told } = await aLine();
  const error = await failure(client().push('U1', [words('')], randomUUID()));
  expect(error).toMatchObject({
    status: 400,
    message: 'The request body has 1 error(s)',
    details: [{ property: 'messages[0].text' }],
    requestId: expect.any(String),
  });
  expect(told.at(-1)).toMatchObject({ method: 'POST', path: '/v2/bot/message/push', status: 400 });
  for (const [status, body] of [
    [500, undefined],
    [503, '<html>'],
    [400, { message: 7, details: 'x' }],
    [200, '<html>'],
  ] as const) {
    line.script('/v2/bot/info', { status, body });
    expect(await failure(client().botInfo())).toBeInstanceOf(LineError);
  }
});

test('a call that hangs ends in time, one that is broken off or aborted at once, and no token is lost by it', async () => {
  const { line, client, told, paths } = await aLine();
  const quick = client({ timeoutMs: 150 });
  await quick.authorize();
  line.script('/v2/bot/info', 'hangBefore', 'dropBefore');
  expect(await failure(quick.botInfo())).toMatchObject({ name: 'TimeoutError' });
  expect(told.at(-1)).toMatchObject({ path: '/v2/bot/info', status: null, requestId: null });
  expect(await failure(quick.botInfo())).not.toBeInstanceOf(LineError);
  line.script('/v2/bot/info', 'hangBefore');
  const going = new AbortController();
  const aborted = failure(client({ signal: going.signal }).botInfo());
  await expect.poll(() => line.calls.at(-1)?.status === undefined && line.calls.length).toBe(4);
  going.abort(new Error('stop'));
  expect(await aborted).toMatchObject({ message: 'stop' });
  await quick.botInfo();
  expect(paths().filter((path) => path === token)).toHaveLength(1);
  expect(await failure(client({ signal: AbortSignal.abort(new Error('over')) }).botInfo())).toMatchObject({
    message: 'over',
  });
});

test('messages are sent as they are, answered with their ids, and one key sends once', async () => {
  const { line, client, told } = await aLine();
  const bot = client();
  const taro = line.user();
  const group = line.group({ members: [taro] });
  line.webhook.endpoint = nowhere;
  const { replyToken = '' } = await taro.say('hi');
  const replied = await bot.reply(replyToken, [words('a'), words('b')]);
  expect(replied.sent).toEqual(line.shown(taro.id).map(({ id, quoteToken }) => ({ id, quoteToken })));
  expect(replied.requestId).toBe(told.at(-1)?.requestId);
  const key = randomUUID();
  const first = await bot.push(group.id, [words('c')], key);
  expect(await failure(bot.push(group.id, [words('c')], key))).toMatchObject({
    status: 409,
    sent: first.sent,
    acceptedRequestId: first.requestId,
  });
  expect(line.shown(group.id)).toHaveLength(1);
  const sent = await bot.multicast([taro.id], [words('d')], randomUUID(), 'spring');
  expect(sent.requestId).not.toBe('');
  await bot.broadcast([words('e')], randomUUID());
  expect(line.shown(taro.id).map(({ message }) => message.text)).toEqual(['a', 'b', 'd', 'e']);
  await bot.validate('reply', [words('x')]);
  expect(await failure(bot.validate('push', [words('x'.repeat(5001))]))).toMatchObject({ status: 400 });
  line.mustBeValid();
});

test('what a bot and its friends are is told as LINE has it', async () => {
  const { line, client } = await aLine({ isVerified: true, quota: { type: 'limited', value: 200 } });
  const bot = client();
  const taro = line.user({ name: 'Taro', language: 'ja', picture: 'https://example.com/taro.png' });
  const group = line.group({ name: 'Team', members: [taro] });
  const room = line.room({ members: [taro] });
  expect(await failure(bot.getWebhook())).toMatchObject({ status: 404 });
  await bot.setWebhook(nowhere);
  expect(await bot.getWebhook()).toEqual({ endpoint: nowhere, active: true });
  expect(await bot.testWebhook(nowhere)).toMatchObject({ success: false, reason: 'COULD_NOT_CONNECT' });
  expect(await bot.quota()).toEqual({ type: 'limited', value: 200 });
  expect(await bot.consumption()).toBe(0);
  expect(await bot.profile(taro.id)).toMatchObject({ displayName: 'Taro', language: 'ja' });
  expect(await bot.groupSummary(group.id)).toMatchObject({ groupName: 'Team' });
  expect(await bot.memberProfile({ group: group.id }, taro.id)).toMatchObject({ displayName: 'Taro' });
  expect(await bot.memberProfile({ room: room.id }, taro.id)).toMatchObject({ displayName: 'Taro' });
  line.friends(1000);
  const { userIds, next } = await bot.followers();
  expect([userIds.length, (await bot.followers(next)).userIds.length]).toEqual([1000, 1]);
  await bot.loading(taro.id, 20);
  expect(line.loadingUntil(taro.id)).toBeDefined();
  const said = await taro.say('hi');
  await bot.markAsRead(String(said.events[0]?.message?.['markAsReadToken']));
  expect(line.isRead(said.messageId)).toBe(true);
  expect(await bot.linkToken(taro.id)).toEqual(expect.any(String));
  await group.leave();
  expect(await failure(bot.groupSummary(group.id))).toMatchObject({ status: 404 });
  taro.blockSilently();
  expect(await failure(bot.profile(taro.id))).toMatchObject({ status: 404 });
  line.mustBeValid();
});

test('what people send comes when it is ready, never more of it than is wanted', async () => {
  const { line, client } = await aLine();
  const bot = client();
  const taro = line.user();
  const bytes = Buffer.alloc(300_000, 'x');
  const { messageId } = await taro.file('a.bin', bytes, { type: 'application/octet-stream' });
  const content = await bot.content(messageId);
  if (content.state !== 'ready') expect.fail(content.state);
  expect(content.mime).toBe('application/octet-stream');
  expect(await buffer(content.body)).toEqual(bytes);
  const cut = await bot.content(messageId, 1000);
  if (cut.state !== 'ready') expect.fail(cut.state);
  expect(await failure(buffer(cut.body))).toMatchObject({ code: 'body-too-large' });
  const video = await taro.video(bytes, { content: { preparing: 2 } });
  expect(await bot.content(video.messageId)).toEqual({ state: 'preparing' });
  expect(await bot.transcoding(video.messageId)).toBe('processing');
  expect(await bot.transcoding(video.messageId)).toBe('succeeded');
  for (const state of ['missing', 'gone'] as const) {
    line.setContent(messageId, state);
    expect(await bot.content(messageId)).toEqual({ state: 'gone' });
  }
  line.script(/content$/, { status: 500 });
  expect(await failure(bot.content(messageId))).toMatchObject({ status: 500 });
  line.mustBeValid();
});

const menu: LineMenu = {
  size: { width: 800, height: 400 },
  selected: true,
  name: 'Menu',
  chatBarText: 'Open',
  areas: [{ bounds: { x: 0, y: 0, width: 800, height: 400 }, action: { type: 'uri', uri: 'https://example.com/' } }],
};

test('a rich menu is made, drawn, given to people and taken away', async () => {
  const { line, client, told } = await aLine();
  const bot = client();
  const [taro, hanako] = [line.user(), line.user()];
  const image = await sharp({ create: { width: 800, height: 400, channels: 3, background: '#0a6b3d' } })
    .png()
    .toBuffer();
  await bot.validateMenu(menu);
  const make = async () => {
    const id = await bot.createMenu(menu);
    await bot.uploadMenuImage(id, image, 'image/png');
    return id;
  };
  const [first, second] = [await make(), await make()];
  expect(await bot.downloadMenuImage(first)).toEqual({ image, mime: 'image/png' });
  expect(await bot.getMenu(first)).toEqual({ richMenuId: first, ...menu });
  expect((await bot.listMenus()).map(({ richMenuId }) => richMenuId)).toEqual([first, second]);
  expect(await failure(bot.getDefaultMenu())).toMatchObject({ status: 404 });
  await bot.setDefaultMenu(first);
  expect(await bot.getDefaultMenu()).toBe(first);
  await bot.bulkLinkMenu([taro.id, hanako.id], second);
  expect(line.menuOf(taro.id)?.richMenuId).toBe(second);
  const { requestId } = await bot.menuBatch([{ type: 'link', from: second, to: first }], 'key-1');
  expect(requestId).toBe(told.at(-1)?.requestId);
  expect(await bot.menuBatchProgress(requestId)).toMatchObject({ phase: 'succeeded' });
  await bot.bulkUnlinkMenu([hanako.id]);
  await bot.createAlias('tab-a', first);
  await bot.updateAlias('tab-a', second);
  expect(await bot.listAliases()).toEqual([{ richMenuAliasId: 'tab-a', richMenuId: second }]);
  await bot.deleteAlias('tab-a');
  await bot.clearDefaultMenu();
  await bot.deleteMenu(first);
  expect(await failure(bot.getMenu(first))).toMatchObject({ status: 404 });
  expect(await failure(bot.downloadMenuImage(first))).toMatchObject({ status: 404 });
  line.mustBeValid();
});

test('figures are read where LINE has them, and are nothing where it keeps them to itself', async () => {
  const { line, client } = await aLine();
  const bot = client();
  expect(await bot.followersInsight('20261122')).toMatchObject({ status: 'unready', followers: null });
  line.insight.messageEvent.set('r1', {
    overview: { requestId: 'r1', timestamp: 1, delivered: 320, uniqueImpression: 82, uniqueClick: null },
    messages: [{ seq: 1, impression: 136 }],
    clicks: [{ seq: 1, url: 'https://example.com/', click: 41, uniqueClick: 30, uniqueClickOfRequest: 30 }],
  });
  expect(await bot.messageEvent('r1')).toMatchObject({
    overview: { delivered: 320, uniqueImpression: 82, uniqueClick: null },
    messages: [{ seq: 1, impression: 136, mediaPlayed: null }],
    clicks: [{ click: 41 }],
  });
  line.insight.aggregation.set('spring', { overview: { uniqueImpression: 40 }, messages: [], clicks: [] });
  expect(await bot.unitStatistics('spring', '20261101', '20261122')).toMatchObject({
    overview: { uniqueImpression: 40, uniqueClick: null },
  });
  const id = await bot.createMenu(menu);
  expect(await bot.menuSummary(id, '20261101', '20261122')).toEqual({ richMenuId: id });
  expect(await bot.menuDaily(id, '20261101', '20261122')).toEqual({ richMenuId: id });
  line.mustBeValid();
});
