import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { bots, emptyConfig } from '../../../shared/contracts/bots.ts';
import { connections } from '../../../shared/contracts/connections.ts';
import { inbox } from '../../../shared/contracts/inbox.ts';
import { lineChannels, type LineChannel } from '../../../shared/contracts/line-channels.ts';
import { modelKeys } from '../../../shared/contracts/services.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import { eventually, type Person, type TestApp } from '../../testing/app.ts';
import { aPublishedBot } from '../../testing/channels.ts';
import { connectLine, conversationOf, startWithLine } from '../../testing/line-channel.ts';
import type { Delivered, FakeLine } from '../../testing/line/fake-line.ts';
import { goodKey, json, startDouble, type Behave, type Double } from '../../testing/models/double.ts';
import { wire } from '../../testing/models/openai-compatible.ts';

let app: TestApp;
let line: FakeLine;
let vendor: Double;
let staff: Person;
let bot: string;
let channel: LineChannel;
let key: string;
let names = 0;

const [model = ''] = wire.transcribers ?? [];
/** As phones record it, in its first bytes. */
const recording = Buffer.from('0000001c667479704d344120000000004d34412069736f6d69736f32', 'hex');

beforeAll(async () => {
  vendor = await startDouble(wire);
  ({ app, line } = await startWithLine(
    {},
    { ALLOW_PRIVATE_HOSTS: new URL(vendor.url).host, RATE_LIMITS: 'true', LIMITS: 'line-voices=3/3600' },
  ));
  staff = await app.aPerson();
  bot = await aPublishedBot(staff);
  channel = await connectLine(staff, line, bot);
  key = await aKey(staff);
  await choose({ key, model });
});
afterAll(async () => {
  line.mustBeValid();
  await app.stop();
  await Promise.all([line.close(), vendor.stop()]);
});
beforeEach(() => {
  vendor.received.length = 0;
  vendor.hear({ text: 'When does the shop open?', usage: { type: 'tokens', input_tokens: 42, output_tokens: 9 } });
});

const aKey = async (person: Person, apiKey = goodKey) =>
  (
    await person.call(modelKeys.create, {
      body: { provider: 'openai-compatible', name: 'Lab', baseUrl: vendor.url, apiKey },
    })
  ).body.data.uuid;
const choose = (transcription: { key: string; model: string } | null) =>
  staff.call(lineChannels.update, { params: { uuid: channel.uuid }, body: { transcription } });
const aFriend = () => line.user({ name: `Taro ${++names}`, language: 'en' });

/** What came of an event, once nothing more comes of it. */
const settled = ({ eventId }: Delivered) =>
  eventually('the event is done', async () => {
    const { db } = app.server.context;
    const row = await db.selectFrom('line_event').selectAll().where('line_id', '=', eventId).executeTakeFirst();
    return row && row.state !== 'pending' && row;
  });
/** What its list says of an event. */
const told = async (delivered: Delivered) => {
  const { uuid } = await settled(delivered);
  const { state, reason } = (await staff.call(lineChannels.event, { params: { event: uuid } })).body.data;
  return { state, reason };
};
const answered = (name: string) =>
  eventually(`${name} is answered`, async () => {
    const found = await conversationOf(staff, name);
    return found?.messages.some(({ role, status }) => role === 'assistant' && status === 'done') && found.messages;
  });
/** What was entered in the token history for what was said in somebody’s conversation, or in any. */
const entered = async (thread?: string) =>
  (await staff.call(usage.history, { query: { kind: 'transcription' } })).body.data.filter(
    ({ use }) => thread === undefined || use?.thread === thread,
  );
const cannotListen = expect.stringContaining('cannot listen');

/** Holds back what the vendor says until it is let go. */
function hold(): { isAsked(): Promise<unknown>; letGo(): void } {
  const asked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const behave: Behave = async ({ response }) => {
    asked.resolve();
    await release.promise;
    json(response, 200, { text: 'When does the shop open?' });
  };
  vendor.hear(behave);
  return { isAsked: () => asked.promise, letGo: release.resolve };
}

test('a voice message is written down, answered like a written question, and found by its words', async () => {
  const taro = aFriend();
  const said = await taro.voice(recording);
  const [asked, answer] = await answered(taro.name);
  expect(asked).toMatchObject({
    text: 'When does the shop open?',
    heard: `${model} (Lab)`,
    files: [{ name: 'audio.m4a', mime: expect.stringMatching(/^audio\//) }],
  });
  expect(answer?.text).toContain('nine');
  expect(await told(said)).toEqual({ state: 'done', reason: null });
  const { file } = Object(vendor.heard()[0]?.body);
  expect(Buffer.from(await file.arrayBuffer())).toEqual(recording);
  await eventually('the answer is on the phone', async () => line.shown(taro.id).length > 0);

  const { data } = (await staff.call(inbox.threads, { query: { q: 'shop open' } })).body;
  const thread = data.find(({ guest }) => guest.name === taro.name);
  expect(thread?.last?.text).toContain('nine');
  expect(await entered(thread?.uuid)).toMatchObject([
    {
      amount: 0,
      use: { ownKey: true, serviceName: `${model} (Lab)`, channel: 'line', tokensIn: 42, tokensOut: 9 },
    },
  ]);
  const { data: history } = (await staff.call(usage.history)).body;
  expect(history.map(({ kind }) => kind)).toContain('transcription');
  expect(new Set(history.map(({ balance }) => balance)).size).toBe(1);
  // Its words are kept once.
  expect((await settled(said)).voice).toBeNull();
});

test('a keyword rule is tried on what was said', async () => {
  const rules = [
    { phrases: ['parking'], match: 'contains' as const, reply: 'Behind the house.', handOff: false, tag: '' },
  ];
  const params = { uuid: channel.connection };
  await staff.call(connections.update, { params, body: { rules } });
  vendor.hear({ text: 'Is there parking?' });
  const taro = aFriend();
  await settled(await taro.voice(recording));
  expect((await conversationOf(staff, taro.name))?.messages.map(({ text }) => text)).toEqual([
    'Is there parking?',
    'Behind the house.',
  ]);
  await staff.call(connections.update, { params, body: { rules: [] } });
});

test('the team reads what was said in a conversation that is theirs', async () => {
  const taro = aFriend();
  await taro.say('Hello');
  await answered(taro.name);
  const { thread } = (await conversationOf(staff, taro.name))!;
  await staff.call(inbox.take, { params: { thread: thread.uuid } });
  await settled(await taro.voice(recording));
  expect((await conversationOf(staff, taro.name))?.messages.at(-1)).toMatchObject({
    role: 'user',
    text: 'When does the shop open?',
    heard: `${model} (Lab)`,
  });
});

test('where nothing is chosen nobody is asked, and the bot says that it cannot listen', async () => {
  await choose(null);
  const taro = aFriend();
  expect(await told(await taro.voice(recording))).toEqual({ state: 'done', reason: 'voice-off' });
  expect((await conversationOf(staff, taro.name))?.messages).toMatchObject([
    { text: '', heard: null, files: [{ name: 'audio.m4a' }] },
    { role: 'assistant', text: cannotListen },
  ]);
  expect(vendor.heard()).toEqual([]);
  await choose({ key, model });
});

test.each([
  ['is longer than five minutes', 'voice-long', 0, {}],
  ['has no words', 'voice-silent', 1, { text: ' ' }],
  ['is one of a model that does not exist', 'provider-refused', 1, { status: 404 }],
  ['finds its provider out of credit', 'provider-exhausted', 1, { status: 402 }],
  ['finds its provider down twice', 'provider-failed', 2, { status: 500 }],
  ['is answered with a page', 'provider-answer-unreadable', 2, { page: true }],
] as const)('of one that %s the list of events says so, and the bot as before', async (_, reason, calls, does) => {
  vendor.hear(({ response }) => {
    if ('page' in does) response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
    else if ('status' in does) json(response, does.status, wire.error(does.status, 'No.'));
    else json(response, 200, does);
  });
  const taro = aFriend();
  const said = await taro.voice(recording, { durationMs: reason === 'voice-long' ? 300_001 : 300_000 });
  expect(await told(said)).toEqual({ state: 'done', reason });
  expect((await conversationOf(staff, taro.name))?.messages).toMatchObject([
    { text: '', heard: null, files: [{ name: 'audio.m4a' }] },
    { role: 'assistant', text: cannotListen },
  ]);
  expect(vendor.heard()).toHaveLength(calls);
  // What was paid for is entered, also where nothing came of it.
  const { thread } = (await conversationOf(staff, taro.name))!;
  expect(await entered(thread.uuid)).toHaveLength(reason === 'voice-silent' ? 1 : 0);
  await staff.call(modelKeys.check, { params: { uuid: key } });
});

test('a provider that is busy is asked once more', async () => {
  let calls = 0;
  vendor.hear(({ response }) =>
    calls++ === 0 ? json(response, 429, wire.error(429, 'Later.')) : json(response, 200, { text: 'Hello again' }),
  );
  const taro = aFriend();
  expect(await told(await taro.voice(recording))).toEqual({ state: 'done', reason: null });
  expect((await conversationOf(staff, taro.name))?.messages[0]?.text).toBe('Hello again');
  expect(calls).toBe(2);
});

test('nobody waits longer than a minute for it', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const hurry = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 60_000 ? 500 : ms));
  vendor.hear(() => {});
  const taro = aFriend();
  expect(await told(await taro.voice(recording))).toEqual({ state: 'done', reason: 'provider-timeout' });
  hurry.mockRestore();
  expect(vendor.heard()).toHaveLength(1);
});

test('a key that is refused is marked, and not tried with the next voice', async () => {
  const wrong = await aKey(staff, 'sk-wrong-4cb1e0f9wxyz');
  await app.server.context.db.updateTable('model_key').set({ state: 'ready' }).where('uuid', '=', wrong).execute();
  await choose({ key: wrong, model });
  vendor.received.length = 0;
  for (const calls of [1, 1]) {
    const taro = aFriend();
    expect(await told(await taro.voice(recording))).toEqual({ state: 'done', reason: 'provider-key-rejected' });
    expect(vendor.heard()).toHaveLength(calls);
  }
  const { data } = (await staff.call(modelKeys.list)).body;
  expect(data.find(({ uuid }) => uuid === wrong)?.state).toBe('rejected');

  await staff.call(modelKeys.remove, { params: { uuid: wrong } });
  expect(await told(await aFriend().voice(recording))).toEqual({ state: 'done', reason: 'key-not-found' });
  await choose({ key, model });
});

test('what is longer than the bot takes is read by the team', async () => {
  const config = { guardrails: { ...emptyConfig.guardrails, maxQuestion: 10 } };
  await staff.call(bots.update, { params: { uuid: bot }, body: config });
  await staff.call(bots.publish, { params: { uuid: bot }, body: { note: '' } });
  const taro = aFriend();
  expect(await told(await taro.voice(recording))).toEqual({ state: 'done', reason: 'question-too-long' });
  expect((await conversationOf(staff, taro.name))?.messages).toMatchObject([
    { text: 'When does the shop open?', heard: `${model} (Lab)` },
    { role: 'assistant', text: expect.stringContaining('up to 10 characters') },
  ]);
  await staff.call(bots.update, { params: { uuid: bot }, body: { guardrails: emptyConfig.guardrails } });
  await staff.call(bots.publish, { params: { uuid: bot }, body: { note: '' } });
});

test('in a group only what the bot answers is written down', async () => {
  const taro = aFriend();
  const group = line.group({ name: 'Voices', members: [taro] });
  await settled(await taro.voice(recording, { in: group }));
  expect(vendor.heard()).toEqual([]);
  const params = { uuid: channel.uuid };
  await staff.call(lineChannels.update, { params, body: { groups: 'all' } });
  await taro.voice(recording, { in: group });
  await answered('Voices');
  expect(vendor.heard()).toHaveLength(1);
  await staff.call(lineChannels.update, { params, body: { groups: 'mention' } });
});

test('what is taken back while it is written down comes to nobody, and its recording is gone', async () => {
  const begun = Date.now();
  const { isAsked, letGo } = hold();
  const taro = aFriend();
  const before = await entered();
  const said = await taro.voice(recording);
  await isAsked();
  const taken = await taro.unsend(said.messageId);
  letGo();
  expect(await told(said)).toEqual({ state: 'ignored', reason: 'unsent' });
  expect(await told(taken)).toEqual({ state: 'done', reason: null });
  expect((await conversationOf(staff, taro.name))?.messages ?? []).toEqual([]);
  const files = await app.server.context.db
    .selectFrom('file')
    .select('uuid')
    .where('guest', 'is not', null)
    .where('created_at', '>=', begun)
    .execute();
  const named = await app.server.context.db.selectFrom('message').select('files').execute();
  for (const { uuid } of files) expect(named.some((message) => message.files.includes(uuid))).toBe(true);
  // It was paid for all the same.
  expect(await entered()).toHaveLength(before.length + 1);
});

test('what is taken back later leaves nothing of what was said', async () => {
  vendor.hear({ text: 'My number is 0120-000' });
  const taro = aFriend();
  const said = await taro.voice(recording);
  await answered(taro.name);
  await settled(said);
  await settled(await taro.unsend(said.messageId));
  const { messages } = (await conversationOf(staff, taro.name))!;
  expect(messages[0]).toMatchObject({ text: '', heard: null, files: [], happening: { kind: 'unsent' } });
  expect((await staff.call(inbox.threads, { query: { q: '0120-000' } })).body.data).toEqual([]);
});

test('sent again by LINE, before and after, it is paid for once', async () => {
  const { isAsked, letGo } = hold();
  const taro = aFriend();
  const said = await taro.voice(recording);
  await isAsked();
  await eventually('the phone shows that an answer is on its way', async () =>
    line.calls.some(({ path, bytes }) => path.endsWith('/loading/start') && bytes.toString().includes(taro.id)),
  );
  await Promise.all([1, 2, 3].map(() => line.again(said, { isRedelivery: true })));
  letGo();
  await settled(said);
  await line.again(said, { isRedelivery: true });
  await answered(taro.name);
  const { thread, messages } = (await conversationOf(staff, taro.name))!;
  expect(messages.filter(({ role }) => role === 'user')).toHaveLength(1);
  expect(vendor.heard()).toHaveLength(1);
  expect(await entered(thread.uuid)).toHaveLength(1);
});

test('of one person so many are written down in an hour', async () => {
  const taro = aFriend();
  const sent = [];
  for (let count = 0; count < 4; count++) sent.push(await taro.voice(recording));
  const came = await Promise.all(sent.map(told));
  expect(came.filter(({ reason }) => reason === null)).toHaveLength(3);
  expect(came.at(-1)).toEqual({ state: 'done', reason: 'too-many-requests' });
  expect(vendor.heard()).toHaveLength(3);
});

test('a maker chooses among the keys that can, of the own workspace only', async () => {
  const { data } = (await staff.call(modelKeys.transcribers)).body;
  expect(data).toEqual([{ key, name: 'Lab', models: [model] }]);
  const stranger = await app.aPerson();
  const theirs = await aKey(stranger);
  expect((await choose({ key: theirs, model })).error.code).toBe('key-not-found');
  expect((await choose({ key: crypto.randomUUID(), model })).error.code).toBe('key-not-found');
  expect((await choose({ key, model: ' ' })).error.code).toBe('validation-failed');
  const { settings } = (await staff.call(lineChannels.get, { params: { uuid: channel.uuid } })).body.data;
  expect(settings.transcription).toEqual({ key, model });
});

// The last one, since the address that LINE knows is another afterwards.
test('a server that ends in the middle goes on where it was, and begins no third time', async () => {
  const { isAsked } = hold();
  const taro = aFriend();
  const said = await taro.voice(recording);
  await isAsked();
  const again = hold();
  await app.restart();
  await again.isAsked();
  vendor.hear({ text: 'Too late' });
  await app.restart();
  expect(await told(said)).toEqual({ state: 'done', reason: 'voice-cut' });
  expect(vendor.heard()).toHaveLength(2);
  expect((await conversationOf(staff, taro.name))?.messages).toMatchObject([
    { text: '', heard: null },
    { role: 'assistant', text: cannotListen },
  ]);
  // It has another port, which LINE has to be told.
  await staff.call(lineChannels.sync, { params: { uuid: channel.uuid } });
});
