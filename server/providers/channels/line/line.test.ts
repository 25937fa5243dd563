import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutbound, type Outbound } from '../../../infra/outbound.ts';
import type { FakeLine, LineOptions, LineUser } from '../../../testing/line/fake-line.ts';
import { startLine } from '../../../testing/line/start.ts';
import type { Outcome, Outgoing } from '../channel.ts';
import { lineChannel } from './line.ts';

const lines: FakeLine[] = [];
// LINE's specification is read at its first call.
beforeAll(async () => {
  const { attempt, user } = await aLine();
  await attempt([say('x')], { token: await tokenOf(user) });
  await attempt([say('x')]);
});
afterAll(() => Promise.all(lines.map((line) => line.close())));

const replyPath = '/v2/bot/message/reply';
const pushPath = '/v2/bot/message/push';
/** For tests in which LINE says nothing. */
const short = { timeoutMs: 600 };
/** Nobody listens there. */
const nowhere = 'http://127.0.0.1:1/webhook';

interface Tried {
  outcome: { state: Outcome['state'] };
  via?: 'reply' | 'push' | undefined;
  taken?: string[][] | undefined;
  /** What was kept at last, as the database gives it back. */
  notes: unknown;
}

interface AttemptOptions {
  notes?: unknown;
  /** Whoever wrote last has left one. */
  token?: string | undefined;
  signal?: AbortSignal;
  secret?: string;
  stop?: string;
  /** The process ends after so many notes were kept. */
  endsAfter?: number;
  request?: Outbound['request'];
}

async function aLine({ timeoutMs = 10_000, ...options }: LineOptions & { timeoutMs?: number } = {}) {
  const line = await startLine({ allowHttp: true, ...options });
  lines.push(line);
  line.webhook.endpoint = nowhere;
  const user = line.user();
  const kept: string[] = [];
  const attempt = async (
    messages: Outgoing[],
    {
      notes = null,
      token,
      signal,
      secret = line.channel.secret,
      endsAfter = Infinity,
      request,
      stop,
    }: AttemptOptions = {},
    to = user.id,
  ): Promise<Tried> => {
    let left = endsAfter;
    kept.length = 0;
    const outcome = await lineChannel(timeoutMs)
      .send?.({
        access: { channelId: line.channel.id, secret, address: line.url, ...(stop !== undefined && { stop }) },
        to,
        messages,
        notes,
        async keep(given) {
          kept.push(JSON.stringify(given));
          if (--left === 0) throw new Error('the process ended');
        },
        takeReply: async () => token,
        request: request ?? createOutbound([new URL(line.url).host]).request,
        signal: signal ?? new AbortController().signal,
      })
      .catch((error: unknown): Outcome => ({ state: 'again', reason: error instanceof Error ? error.name : '' }));
    const { via, taken, ...rest }: Outcome & { via?: Tried['via']; taken?: string[][] } = outcome ?? expect.fail();
    return { outcome: rest, via, taken, notes: JSON.parse(kept.at(-1) ?? 'null') };
  };
  /** What was called, without what tokens took. */
  const calls = () => line.calls.filter(({ path }) => path.startsWith('/v2/bot/message/'));
  const paths = () => calls().map(({ path }) => path.split('/').at(-1));
  const shown = (chat = user.id) => line.shown(chat).map(({ message }) => message.text ?? message.type);
  return { line, user, attempt, calls, paths, shown };
}

const say = (text: string, more: Partial<Outgoing> = {}): Outgoing => ({
  key: randomUUID(),
  role: 'assistant',
  text,
  citations: [],
  files: [],
  suggestions: [],
  offersPerson: false,
  locale: 'en',
  ...more,
});
const tokenOf = async (user: LineUser) => (await user.say('hi')).replyToken;
const sent = expect.objectContaining({ state: 'sent', quotes: expect.any(Object) });
const table = '| Day | Hours |\n|---|---|\n| Mon | 9–18 |';
const idsOf = (line: FakeLine, chat: string) => line.shown(chat).map(({ id }) => id);

test('an answer goes out as one reply, with all its objects and no key', async () => {
  const { line, user, attempt, calls, shown } = await aLine();
  const messages = [say('One'), say(`Two\n\n${table}`, { suggestions: ['More?'] })];
  const { outcome } = await attempt(messages, { token: await tokenOf(user) });
  const [one, two, three] = idsOf(line, user.id);
  expect(outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [[one], [two, three]] });
  expect(calls().map(({ path, headers }) => [path, headers['x-line-retry-key']])).toEqual([[replyPath, undefined]]);
  expect(shown()).toEqual(['One', 'Two', 'flex']);
  expect(line.quickReplies(user.id).map(({ text }) => text)).toEqual(['More?']);
  line.mustBeValid();
});

test('without a token it is pushed, to a group as to a person, with a key that was kept before', async () => {
  const { line, user, attempt, calls, shown } = await aLine();
  const group = line.group({ members: [user] });
  const { outcome, notes } = await attempt([say('Late')], {}, group.id);
  expect(outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [idsOf(line, group.id)] });
  expect(shown(group.id)).toEqual(['Late']);
  expect(calls()[0]).toMatchObject({ path: pushPath, body: { to: group.id } });
  expect(calls()[0]?.headers['x-line-retry-key']).toMatch(/^[0-9a-f-]{36}$/);
  expect(JSON.stringify(notes)).toContain(`"key":"${String(calls()[0]?.headers['x-line-retry-key'])}"`);
  line.mustBeValid();
});

test('the first five are the reply, the rest is pushed in fives, and quick replies stand at the very end', async () => {
  const { line, user, attempt, paths, shown } = await aLine();
  const long = say('The shop 👩‍👩‍👧‍👦 opens at nine.\n'.repeat(1000), { suggestions: ['No one sees it'] });
  const { outcome } = await attempt([long, say('End', { suggestions: ['More?'] })], { token: await tokenOf(user) });
  expect(paths()).toEqual(['reply', 'push']);
  expect(shown()).toHaveLength(9);
  expect(outcome).toEqual({
    state: 'sent',
    quotes: expect.any(Object),
    ids: [idsOf(line, user.id).slice(0, 8), idsOf(line, user.id).slice(8)],
  });
  expect(line.quickReplies(user.id).map(({ text }) => text)).toEqual(['More?']);
  expect(line.shown(user.id).filter(({ message }) => message['quickReply'])).toHaveLength(1);
  line.mustBeValid();
});

test('a token that is too old is no loss: the same goes out as a push', async () => {
  const { line, user, attempt, paths, shown } = await aLine();
  const token = await tokenOf(user);
  line.clock.advance(61_000);
  expect((await attempt([say('Late')], { token })).outcome).toEqual(sent);
  expect(paths()).toEqual(['reply', 'push']);
  expect(shown()).toEqual(['Late']);
});

describe.each(['reply', 'push'] as const)('what LINE does not take as a drawing, by %s', (way) => {
  const refusal = { status: 400, body: { message: 'The request body has 1 error(s)', details: [] } };

  test('is said in words, once', async () => {
    const { line, user, attempt, paths, shown, calls } = await aLine();
    const token = way === 'reply' ? await tokenOf(user) : undefined;
    line.script(`/v2/bot/message/${way}`, refusal);
    const messages = [say('Hours'), say(table, { suggestions: ['More?'] })];
    const { outcome } = await attempt(messages, { token });
    const [one, two] = idsOf(line, user.id);
    expect(outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [[one], [two]] });
    expect(paths()).toEqual([way, way]);
    expect(shown()).toEqual(['Hours', 'Day: Mon\nHours: 9–18']);
    expect(line.quickReplies(user.id).map(({ text }) => text)).toEqual(['More?']);
    const [first, second] = calls().map(({ headers }) => headers['x-line-retry-key']);
    expect(first === second).toBe(way === 'reply');
    line.mustBeValid();
  });

  test('is given up when words are refused, too', async () => {
    const { line, user, attempt, paths } = await aLine();
    const token = way === 'reply' ? await tokenOf(user) : undefined;
    line.script(`/v2/bot/message/${way}`, refusal, refusal);
    expect((await attempt([say(table)], { token })).outcome).toEqual({ state: 'failed', reason: 'refused' });
    expect(paths()).toEqual([way, way]);
  });
});

test('words that need more than five objects go on as pushes', async () => {
  const { line, user, attempt, paths, shown } = await aLine();
  const token = await tokenOf(user);
  const cell = 'あ'.repeat(4000);
  line.script(replyPath, { status: 400, body: { message: 'no' } });
  const drawn = `| a | b |\n|-|-|\n| ${cell} | ${cell} |`;
  expect((await attempt([say([drawn, drawn, drawn].join('\n\n'))], { token })).outcome).toEqual(sent);
  expect(paths()).toEqual(['reply', 'reply', 'push']);
  expect(shown()).toHaveLength(6);
  line.mustBeValid();
});

describe.each(['hangAfter', 'dropAfter', { status: 500, isDone: true }] as const)(
  'a reply that arrived, of which LINE did not tell (%j)',
  (end) => {
    test('is called once more, and is not pushed when its token is used', async () => {
      const { line, user, attempt, paths, shown } = await aLine(short);
      line.script(replyPath, end);
      const { outcome } = await attempt([say('Once')], { token: await tokenOf(user) });
      expect(outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [[]], isUncertain: true });
      expect(paths()).toEqual(['reply', 'reply']);
      expect(shown()).toEqual(['Once']);
    });
  },
);

describe.each(['hangBefore', 'dropBefore', { status: 500 }] as const)('a reply that did not arrive (%j)', (end) => {
  test('arrives at the second call', async () => {
    const { line, user, attempt, shown } = await aLine(short);
    line.script(replyPath, end);
    const { outcome } = await attempt([say('Once')], { token: await tokenOf(user) });
    expect(outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [idsOf(line, user.id)] });
    expect(shown()).toEqual(['Once']);
  });

  test('waits after the second call, and is then still the same reply', async () => {
    const { line, user, attempt, paths, shown } = await aLine(short);
    line.script(replyPath, end, end);
    const messages = [say('Once')];
    const { outcome, notes } = await attempt(messages, { token: await tokenOf(user) });
    expect(outcome.state).toBe('again');
    expect((await attempt(messages, { notes })).outcome).toEqual(sent);
    expect(paths()).toEqual(['reply', 'reply', 'reply']);
    expect(shown()).toEqual(['Once']);
  });
});

test('a reply in doubt whose token has had its time is not called sent', async () => {
  const { line, user, attempt, paths } = await aLine(short);
  line.script(replyPath, { status: 503 }, { status: 503 });
  const messages = [say('Once')];
  const { notes } = await attempt(messages, { token: await tokenOf(user) });
  const later = JSON.parse(JSON.stringify(notes), (name, value) =>
    name === 'doubtfulSince' ? Number(value) - 61_000 : value,
  );
  line.clock.advance(61_000);
  expect((await attempt(messages, { notes: later })).outcome).toMatchObject({
    state: 'failed',
    reason: 'unconfirmed',
  });
  expect(paths()).toEqual(['reply', 'reply', 'reply']);
});

test('a doubtful reply does not hold up what is pushed after it', async () => {
  const { line, user, attempt, paths, shown } = await aLine();
  line.script(replyPath, 'dropAfter');
  const messages = Array.from({ length: 5 }, (_, at) => say(`${at}a`, { files: [] }));
  messages[4] = say('x'.repeat(9000));
  const { outcome } = await attempt(messages, { token: await tokenOf(user) });
  expect(outcome).toMatchObject({
    state: 'sent',
    quotes: expect.any(Object),
    isUncertain: true,
    ids: [[], [], [], [], [expect.any(String)]],
  });
  expect(paths()).toEqual(['reply', 'reply', 'push']);
  expect(shown()).toHaveLength(6);
});

test('where there was no connection nothing is in doubt: the message is pushed when the token has gone', async () => {
  const { line, user, attempt, shown } = await aLine();
  const token = await tokenOf(user);
  const messages = [say('Once')];
  await attempt([say('First')]);
  const noNetwork = () => Promise.reject(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }));
  const { outcome, notes } = await attempt(messages, { token, request: noNetwork });
  expect(outcome.state).toBe('again');
  line.clock.advance(61_000);
  expect((await attempt(messages, { notes })).outcome).toEqual({
    state: 'sent',
    quotes: expect.any(Object),
    ids: [idsOf(line, user.id).slice(1)],
  });
  expect(shown()).toEqual(['First', 'Once']);
});

test('a push that LINE could not take is the same push at each attempt: its key, its bytes', async () => {
  const { line, user, attempt, calls, shown } = await aLine();
  line.script(pushPath, { status: 500 }, { status: 503 });
  const messages = [say('Once')];
  const first = await attempt(messages);
  expect(first.outcome).toEqual({ state: 'again', reason: 'busy' });
  const second = await attempt(messages, { notes: first.notes });
  expect(second.outcome).toEqual({ state: 'again', reason: 'busy' });
  const { outcome } = await attempt(messages, { notes: second.notes });
  expect(outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [idsOf(line, user.id)] });
  const [one, ...others] = calls();
  expect(others).toHaveLength(2);
  for (const call of others) {
    expect(call.bytes.equals(one?.bytes ?? Buffer.alloc(0))).toBe(true);
    expect(call.headers['x-line-retry-key']).toBe(one?.headers['x-line-retry-key']);
  }
  expect(shown()).toEqual(['Once']);
  line.mustBeValid();
});

test.each(['hangAfter', 'dropAfter', { status: 500, isDone: true }] as const)(
  'a push that arrived without a word (%j) is known by its key',
  async (end) => {
    const { line, user, attempt, shown, calls } = await aLine(short);
    line.script(pushPath, end);
    const messages = [say('Once')];
    const first = await attempt(messages);
    expect(first.outcome.state).toBe('again');
    const { outcome } = await attempt(messages, { notes: first.notes });
    expect(calls().at(-1)?.status).toBe(409);
    expect(outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [idsOf(line, user.id)] });
    expect(shown()).toEqual(['Once']);
    line.mustBeValid();
  },
);

test('a process that ends at any moment leaves nothing unsent and sends nothing twice', async () => {
  const text = 'The shop opens at nine.\n'.repeat(1300);
  for (const hasToken of [true, false])
    for (let endsAfter = 1; endsAfter <= 5; endsAfter++) {
      const { line, user, attempt, shown } = await aLine();
      const messages = [say(text), say('End')];
      const token = hasToken ? await tokenOf(user) : undefined;
      const first = await attempt(messages, { token, endsAfter });
      const isOver = first.outcome.state === 'sent';
      const { outcome } = isOver ? first : await attempt(messages, { notes: first.notes });
      expect(outcome).toEqual(sent);
      expect(shown()).toHaveLength(8);
      expect(shown().at(-1)).toBe('End');
      line.mustBeValid();
    }
});

test('a process that ends while it waits for an answer goes on as if it had not been told', async () => {
  for (const way of ['reply', 'push'] as const) {
    const { line, user, attempt, shown } = await aLine();
    const token = way === 'reply' ? await tokenOf(user) : undefined;
    line.script(`/v2/bot/message/${way}`, 'hangAfter');
    const ending = new AbortController();
    const messages = [say('Once')];
    const going = attempt(messages, { token, signal: ending.signal });
    await expect.poll(() => shown()).toEqual(['Once']);
    ending.abort(new Error('the process ends'));
    const { notes, outcome } = await going;
    expect(outcome.state).toBe('again');
    expect((await attempt(messages, { notes })).outcome).toMatchObject({
      state: 'sent',
      quotes: expect.any(Object),
      ...(way === 'reply' && { isUncertain: true }),
    });
    expect(shown()).toEqual(['Once']);
  }
});

test('a key that LINE has forgotten is not used again', async () => {
  const { line, attempt, paths } = await aLine();
  line.script(pushPath, { status: 500 });
  const messages = [say('Once')];
  const { notes } = await attempt(messages);
  const old = JSON.parse(JSON.stringify(notes).replace(/"pushedAt":\d+/, `"pushedAt":${Date.now() - 86_400_001}`));
  expect((await attempt(messages, { notes: old })).outcome).toEqual({ state: 'failed', reason: 'unreachable' });
  expect(paths()).toEqual(['push']);
});

test('a rate that is used up is waited for; a month that is used up is told, and replies still go out', async () => {
  const { line, user, attempt, shown } = await aLine({ quota: { type: 'limited', value: 0 } });
  const rate = { status: 429, body: { message: 'The API rate limit has been exceeded. Try again later.' } };
  line.script(pushPath, rate);
  line.script(replyPath, rate);
  const messages = [say('Pushed')];
  const { outcome, notes } = await attempt(messages);
  expect(outcome).toEqual({ state: 'again', reason: 'busy' });
  expect((await attempt(messages, { notes })).outcome).toEqual({ state: 'failed', reason: 'quota' });
  const replies = [say('Replied')];
  const held = await attempt(replies, { token: await tokenOf(user) });
  expect(held.outcome).toEqual({ state: 'again', reason: 'busy' });
  expect((await attempt(replies, { notes: held.notes })).outcome).toEqual({
    state: 'sent',
    quotes: expect.any(Object),
    ids: [idsOf(line, user.id)],
  });
  expect(shown()).toEqual(['Replied']);
});

test('a rate that held up a reply until its token had gone leaves no doubt: it is pushed', async () => {
  const { line, user, attempt, paths, shown } = await aLine();
  line.script(replyPath, { status: 429, body: { message: 'The API rate limit has been exceeded. Try again later.' } });
  const messages = [say('Once')];
  const { notes } = await attempt(messages, { token: await tokenOf(user) });
  line.clock.advance(61_000);
  expect((await attempt(messages, { notes })).outcome).toEqual({
    state: 'sent',
    quotes: expect.any(Object),
    ids: [idsOf(line, user.id)],
  });
  expect(paths()).toEqual(['reply', 'reply', 'push']);
  expect(shown()).toEqual(['Once']);
});

test('who has blocked the bot is sent to; who is unknown, and whose secret is wrong, is told', async () => {
  const { line, user, attempt, shown, paths } = await aLine();
  await user.block();
  expect((await attempt([say('x')])).outcome).toEqual(sent);
  expect(shown()).toEqual([]);
  for (const status of [400, 403, 404, 413]) {
    line.script(pushPath, { status, body: { message: 'Failed to send messages' } });
    expect((await attempt([say('x')])).outcome).toEqual({ state: 'failed', reason: 'refused' });
  }
  expect(paths()).toHaveLength(5);
  expect((await attempt([say('x')], { secret: 'wrong' })).outcome).toEqual({ state: 'failed', reason: 'refused' });
  line.script('/oauth2/v3/token', { status: 503 });
  expect((await attempt([say('x')], { secret: 'other' })).outcome).toEqual({ state: 'again', reason: 'busy' });
  expect(paths()).toHaveLength(5);
});

test('a server of tokens that is away leaves a reply as it was: certain', async () => {
  const { line, user, attempt, paths } = await aLine();
  line.script('/oauth2/v3/token', { status: 503 }, 'dropBefore');
  const token = await tokenOf(user);
  const messages = [say('Once')];
  expect((await attempt(messages, { token })).outcome).toEqual({ state: 'again', reason: 'busy' });
  expect((await attempt(messages, { token })).outcome.state).toBe('again');
  line.clock.advance(61_000);
  expect((await attempt(messages, { token })).outcome).toEqual({
    state: 'sent',
    quotes: expect.any(Object),
    ids: [idsOf(line, user.id)],
  });
  expect(paths()).toEqual(['reply', 'push']);
});

test('twenty conversations at once ask for one token', async () => {
  const { line, attempt } = await aLine();
  const users = line.friends(20);
  await Promise.all(users.map(({ id }) => attempt([say('x')], {}, id)));
  expect(line.calls.filter(({ path }) => path === '/oauth2/v3/token')).toHaveLength(1);
  line.expireTokens();
  expect((await attempt([say('x')])).outcome).toEqual(sent);
  line.mustBeValid();
});

test('files need an address that LINE can open, and a message with nothing to show is sent', async () => {
  const { attempt, paths, shown } = await aLine();
  const file = (url: string) => ({ uuid: 'f', name: 'a.png', mime: 'image/png', bytes: 10, url });
  const closed = say('x', { files: [file('http://kotae.example/file')] });
  expect((await attempt([closed])).outcome).toEqual({ state: 'failed', reason: 'address' });
  expect((await attempt([say(' ')])).outcome).toEqual({ state: 'sent', quotes: expect.any(Object), ids: [[]] });
  expect(paths()).toEqual([]);
  expect((await attempt([say('', { files: [file('https://kotae.example/file?key=k')] })])).outcome).toEqual(sent);
  expect(shown()).toEqual(['image']);
});

test('an answer with a table, code, a link and braces arrives as it was meant', async () => {
  const { line, user, attempt, shown } = await aLine();
  const text = `**Hours** {x}\n\n${table}\n\n\`\`\`\nnpm {start}\n\`\`\`\n[Shop](https://shop.example/)`;
  await attempt([say(text)], { token: await tokenOf(user) });
  expect(shown()).toEqual(['Hours {x}', 'flex', '  npm {start}\nShop (https://shop.example/)']);
  line.mustBeValid();
});

test('it says how it went out, and what of it did before the rest could not', async () => {
  const { attempt, user, paths, line } = await aLine();
  const token = await tokenOf(user);
  expect((await attempt([say('Free')], { token })).via).toBe('reply');
  expect((await attempt([say('Costs')])).via).toBe('push');
  line.calls.length = 0;
  const stopped = await attempt([say('Nothing that costs')], { stop: 'quota' });
  expect(stopped).toMatchObject({ outcome: { state: 'failed', reason: 'quota' }, taken: [] });
  expect(paths()).toEqual([]);
  const next = await tokenOf(user);
  const five = Array.from({ length: 4 }, (_, at) => say(`Part ${at}`));
  const long = say('A sentence of some length. '.repeat(400));
  const held = await attempt([...five, long], { token: next, stop: 'quota' });
  expect(held.outcome).toEqual({ state: 'failed', reason: 'quota' });
  expect(held.taken).toHaveLength(4);
});
