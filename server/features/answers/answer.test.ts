import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { services } from '../../../shared/contracts/services.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import { newId } from '../../infra/db.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse, startModelServer, usage as counted } from '../../testing/openai.ts';
import { getSpeakingBot } from '../bots/bots.ts';
import type { Guest } from '../users/speaker.ts';
import { answer } from './answer.ts';
import type { AnswerEvent } from './answered.ts';
import { prepareTurn } from './prepare.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let owner: Person;
let guest: Guest;
let bot: string;
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url });
  owner = await app.aPerson();
  guest = {
    kind: 'guest',
    channel: 'web',
    channelId: newId(),
    identity: newId(),
    language: null,
    isPreview: false,
    workspace: owner.user.workspaces[0]?.uuid ?? '',
    locale: 'en',
    name: 'Guest',
    avatar: null,
    guest: newId(),
  };
  const service = (await owner.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  bot = (await owner.call(bots.create, { body: { name: 'Bot', service } })).body.data.uuid;
  await owner.call(bots.publish, { params: { uuid: bot }, body: {} });
});
beforeEach(() =>
  upstream.behave((_request, response) =>
    sse(response, [delta('At '), delta('nine.'), finish(), counted(10, 3), '[DONE]']),
  ),
);
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

async function askAsGuest(question: string, maxMs?: number, of = bot): Promise<AnswerEvent[]> {
  const { context } = app.server;
  const speaking = await getSpeakingBot(context, guest, of);
  const turn = { bot: speaking, question, history: [], files: [], attached: [], after: [], refusals: 0 };
  const request = { speaker: guest, channel: 'test', bot: speaking, message: newId() };
  const events: AnswerEvent[] = [];
  const signal = new AbortController().signal;
  for await (const event of answer(
    context,
    { ...request, ...(maxMs && { maxMs }), prepare: (trace) => prepareTurn(context, turn, trace) },
    signal,
  ))
    events.push(event);
  return events;
}

test('a guest hears nothing of a bot that was never published', async () => {
  const draft = (await owner.call(bots.create, { body: { name: 'Draft' } })).body.data.uuid;
  await expect(askAsGuest('When do you open?', undefined, draft)).rejects.toMatchObject({ code: 'bot-not-found' });
});

test('a guest gets the published version, and what it used is in the history under its channel and nobody’s name', async () => {
  await owner.call(bots.update, { params: { uuid: bot }, body: { instructions: 'Published.' } });
  await owner.call(bots.publish, { params: { uuid: bot }, body: {} });
  await owner.call(bots.update, { params: { uuid: bot }, body: { instructions: 'A draft.' } });
  const events = await askAsGuest('When do you open?');
  expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('At nine.');
  expect(events.at(-1)).toMatchObject({
    type: 'end',
    answered: { status: 'done', finish: 'stop', tokens: { tokensIn: 10, tokensOut: 3 } },
  });
  expect(JSON.stringify(upstream.received.at(-1))).toContain('Published.');
  const { data } = (await owner.call(usage.history)).body;
  expect(data[0]?.use).toMatchObject({ channel: 'test', tokensIn: 10, tokensOut: 3, bot: { uuid: bot } });
});

test('an answer that takes too long ends with what it has, and says so', async () => {
  upstream.behave((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${delta('Once upon')}\n\n`);
  });
  expect((await askAsGuest('Tell me everything.', 300)).at(-1)).toMatchObject({
    type: 'end',
    answered: { status: 'failed', failure: { code: 'provider-timeout' }, text: 'Once upon' },
  });
  await expect.poll(() => upstream.received.at(-1)?.closed, { timeout: 500 }).toBe(true);
});
