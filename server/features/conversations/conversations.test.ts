import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { openai } from '../../../shared/contracts/openai.ts';
import { usage as ledger } from '../../../shared/contracts/usage.ts';
import { home } from '../../../shared/contracts/home.ts';
import { documents, knowledge } from '../../../shared/contracts/knowledge.ts';
import { services } from '../../../shared/contracts/services.ts';
import { askStreaming, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse, startModelServer, usage } from '../../testing/openai.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({
    OPENAI_COMPATIBLE_BASE_URL: upstream.url,
    OPENAI_COMPATIBLE_API_KEY: 'canary-key-1234567890',
  });
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

/** The sample shop, read and ready to answer. */
async function aShop(person: Person, locale: 'en' | 'ja' = 'en') {
  const { bot, knowledge: base } = (await person.call(home.sample, { body: { locale } })).body.data;
  await eventually(
    'the sample is read',
    async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
  );
  return bot;
}

async function aModelBot(person: Person) {
  const service = (await app.anyone.call(services.list)).body.find((each) => each.modelId === 'double-1')?.uuid ?? '';
  return (await person.call(bots.create, { body: { name: 'Model', service } })).body.data.uuid;
}

const ask = async (person: Person, bot: string, text: string, thread?: string) =>
  (await person.call(conversations.send, { body: { bot, message: { text }, ...(thread && { thread }) } })).body.data;

test('a model that writes what cannot be stored is kept without it, and so is everyone beside it', async () => {
  upstream.behave(async ({ body }, response) => {
    const isHostile = body.messages?.at(-1)?.content.includes('hostile');
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (let at = 0; at < 15; at++) {
      response.write(`data: ${delta(isHostile ? `a\u0000b\ud83d` : 'a')}\n\n`);
      if (isHostile) response.write(`data: ${delta('\ude00')}\n\n`);
      await new Promise((resolve) => setTimeout(resolve, 60));
    }
    response.end(`data: ${delta(isHostile ? '\ud83d' : '')}\n\ndata: ${finish()}\n\ndata: [DONE]\n\n`);
  });
  const people = await Promise.all([app.aPerson(), app.aPerson(), app.aPerson()]);
  const asked = await Promise.all(
    people.map(async (person, at) => ask(person, await aModelBot(person), at === 1 ? 'hostile' : 'hello')),
  );
  const kept = await Promise.all(
    people.map(async (person, at) => {
      const thread = asked[at]?.thread.uuid ?? '';
      const { data } = (await person.call(conversations.messages, { params: { thread } })).body;
      return data.find(({ role }) => role === 'assistant');
    }),
  );
  expect(kept.map((message) => [message?.status, message?.text])).toEqual([
    ['done', 'a'.repeat(15)],
    ['done', `${'ab😀'.repeat(15)}\ufffd`],
    ['done', 'a'.repeat(15)],
  ]);
  expect(app.logs.filter((line) => /could not be (written|recorded)/.test(line))).toEqual([]);
});

describe('the built-in model', () => {
  test('answers from the documents in their own words, with a citation of the place', async () => {
    const person = await app.aPerson();
    const { message } = await ask(person, await aShop(person), 'How long is a gift card valid?');
    expect(message.text).toContain(
      '> Gift cards for 1,000, 3,000 and 5,000 yen can be bought at the counter and online. They are valid for one year from the day of purchase and cannot be exchanged for cash. A lost gift card cannot be replaced. [1]',
    );
    expect(message.citations[0]).toMatchObject({
      number: 1,
      document: { name: 'Hinata Coffee FAQ.md' },
      headings: ['Hinata Coffee: questions and answers', 'Gift cards'],
    });
    expect(message).toMatchObject({ status: 'done', role: 'assistant', error: null });
  });

  test('answers a Japanese question in Japanese', async () => {
    const person = await app.aPerson();
    const { message } = await ask(person, await aShop(person, 'ja'), 'ギフトカードの有効期限はいつまでですか？');
    expect(message.text).toMatch(/^当店のご案内によると/);
    expect(message.text).toContain('有効期限はご購入日から1年間です。');
    expect(message.citations).not.toEqual([]);
  });

  test('answers a question that is all hiragana', async () => {
    const person = await app.aPerson();
    const base = (await person.call(knowledge.create, { body: { name: 'かな' } })).body.data.uuid;
    await person.call(documents.add, {
      params: { knowledge: base },
      body: { source: 'text', name: 'かな.txt', text: 'あいうえお' },
    });
    await eventually(
      'it is read',
      async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.chunkCount === 1,
    );
    const bot = (await person.call(bots.create, { body: { name: 'かな', knowledges: [base] } })).body.data.uuid;
    expect((await ask(person, bot, 'あいうえお')).message.text).toContain('> あいうえお [1]');
  });

  test.each([
    ['en', 'What is the capital of Mongolia?', 'I could not find anything about this in the documents.'],
    ['ja', 'モンゴルの首都はどこですか？', '申し訳ございません。こちらではわかりかねます。'],
  ] as const)('says so when it finds nothing (%s)', async (locale, question, refusal) => {
    const person = await app.aPerson();
    const { message } = await ask(person, await aShop(person, locale), question);
    expect(message.text.split('\n\n')).toEqual([refusal, expect.any(String), expect.stringMatching(/^- /)]);
    expect(message.citations).toEqual([]);
  });

  test('says that it has nothing to answer from', async () => {
    const person = await app.aPerson();
    const bot = (await person.call(bots.create, { body: { name: 'Empty' } })).body.data.uuid;
    expect((await ask(person, bot, 'Hello?')).message.text).toBe('This bot has no documents to answer from yet.');
  });

  test("never quotes another bot's documents", async () => {
    await aShop(await app.aPerson());
    const person = await app.aPerson();
    const base = (await person.call(knowledge.create, { body: { name: 'empty' } })).body.data.uuid;
    const bot = (await person.call(bots.create, { body: { name: 'x', knowledges: [base] } })).body.data.uuid;
    expect((await ask(person, bot, 'How long is a gift card valid?')).message.citations).toEqual([]);
  });
});

describe('a stream', () => {
  test('tells the thread, the question, the answer as it grows, its citations, and the end', async () => {
    const person = await app.aPerson();
    const events = await askStreaming(person, { bot: await aShop(person), message: { text: 'Can I bring my dog?' } });
    expect(events.slice(0, 3).map((event) => event.type)).toEqual(['thread', 'message', 'message']);
    const text = events.flatMap((event) => (event.type === 'delta' ? [event.text] : [])).join('');
    const last = events.at(-1);
    expect(last).toMatchObject({ type: 'done', message: { text, status: 'done' } });
    expect(text).toContain('Dogs on a lead are welcome on the terrace');
    expect(events.filter((event) => event.type === 'citation')).not.toEqual([]);
  });

  test('from a model passes on its text, its usage and leaves brackets alone where there are no documents', async () => {
    const person = await app.aPerson();
    upstream.behave((_request, response) =>
      sse(response, [
        delta('One ['),
        delta('99] two'),
        delta(' [9'),
        delta('8]. [x] 三'),
        usage(12, 7),
        finish(),
        '[DONE]',
      ]),
    );
    const events = await askStreaming(person, { bot: await aModelBot(person), message: { text: 'Hi' } });
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      message: { text: 'One [99] two [98]. [x] 三', usage: { tokensIn: 12, tokensOut: 7 } },
    });
  });

  test('of characters cut in the middle, CRLF and comments arrives whole', async () => {
    const person = await app.aPerson();
    upstream.behave(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(
        `: hello\r\n\r\ndata: ${delta('日本語の答え')}\r\n\r\ndata: ${finish()}\r\n\r\ndata: [DONE]\r\n\r\n`,
      );
      for (const byte of bytes) {
        response.write(Uint8Array.of(byte));
        if (byte > 127) await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect((await ask(person, await aModelBot(person), 'Hi')).message.text).toBe('日本語の答え');
  });
});

test('answers over an API key are booked under the channel api, by whichever call they were asked for', async () => {
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  upstream.behave((_request, response) => sse(response, [delta('Hello'), finish(), usage(10, 3), '[DONE]']));
  const { key } = (await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } })).body.data;
  const headers = { 'x-api-key': key };
  await app.anyone.call(conversations.send, { headers, body: { bot, message: { text: 'Hi' } } });
  await app.anyone.call(openai.completions, {
    headers,
    body: { model: bot, messages: [{ role: 'user', content: 'Hi' }] },
  });
  await ask(person, bot, 'Hi');
  const { data } = (await person.call(ledger.history, { query: { kind: 'use' } })).body;
  expect(data.map(({ use }) => use?.channel)).toEqual(['app', 'api', 'api']);
});

describe('a model that fails', () => {
  test.each([
    ['rejects the key', 401, '{"error":{"message":"bad key canary-key-1234567890"}}', 502, 'provider-key-rejected'],
    ['is at its limit', 429, '{}', 503, 'provider-busy'],
    ['is broken', 500, 'oops', 502, 'provider-failed'],
    ['refuses', 400, '{"error":{"message":"too long"}}', 502, 'provider-refused'],
    ['is a web page', 200, '<html>Hello</html>', 502, 'provider-answer-unreadable'],
  ])('because it %s is told in words and leaves the thread free', async (_, status, body, wanted, code) => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    upstream.behave((_request, response) => void response.writeHead(status, { 'content-type': 'text/html' }).end(body));
    const reply = await person.call(conversations.send, { body: { bot, message: { text: 'Hi' } } });
    expect([reply.status, reply.error.code]).toEqual([wanted, code]);
    expect(reply.error.message).not.toContain('{{');
    if (code === 'provider-refused') expect(reply.error).toMatchObject({ details: { reason: 'too long' } });
    const thread = String(reply.error.details['thread']);
    const stored = await person.call(conversations.messages, { params: { thread } });
    expect(stored.body.data).toMatchObject([
      { role: 'user', text: 'Hi', status: 'done' },
      { role: 'assistant', status: 'failed', error: { code } },
    ]);
    upstream.behave((_request, response) => sse(response, [delta('Now'), finish(), '[DONE]']));
    expect((await ask(person, bot, 'Again', thread)).message.text).toBe('Now');
    expect(JSON.stringify(stored.body) + app.logs.join('')).not.toContain('canary-key-1234567890');
  });

  test.each([
    ['sends garbage', [delta('Half'), '{garbage']],
    ['ends without saying so', [delta('Half')]],
    ['reports an error', [delta('Half'), '{"error":{"message":"overloaded"}}']],
  ])('because it %s keeps what had come', async (_, parts) => {
    const person = await app.aPerson();
    upstream.behave((_request, response) => sse(response, parts));
    const events = await askStreaming(person, { bot: await aModelBot(person), message: { text: 'Hi' } });
    expect(events.at(-1)).toMatchObject({ type: 'error', message: { text: 'Half', status: 'failed' } });
  });
});

describe('an answer on its way', () => {
  const slowly = () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    upstream.behave(async (request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(`data: ${delta('First ')}\n\n`);
      await released;
      if (!request.closed) response.end(`data: ${delta('second')}\n\ndata: ${finish()}\n\ndata: [DONE]\n\n`);
    });
    return release;
  };
  const begin = async (person: Person, bot: string) => {
    const stream = askStreaming(person, { bot, message: { text: 'Tell me' } });
    const thread = await eventually(
      'the thread is there',
      async () => (await person.call(conversations.threads, { query: { bot } })).body.data[0],
    );
    await eventually(
      'the first words have come',
      async () =>
        (await person.call(conversations.messages, { params: { thread: thread.uuid } })).body.data[1]?.text ===
        'First ',
    );
    return { stream, thread: thread.uuid };
  };

  test('can be followed from a second place, which gets what has come and what follows', async () => {
    const person = await app.aPerson();
    const release = slowly();
    const { stream, thread } = await begin(person, await aModelBot(person));
    const second = await person.fetch(`/api/chat/${thread}/stream`);
    release();
    const text = await second.text();
    expect(text).toContain('"text":"First "');
    expect(text).toContain('"type":"delta","text":"second"');
    expect((await stream).at(-1)).toMatchObject({ type: 'done', message: { text: 'First second' } });
  });

  test('is the only one of its thread', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const release = slowly();
    const { stream, thread } = await begin(person, bot);
    const reply = await person.call(conversations.send, { body: { bot, thread, message: { text: 'And?' } } });
    expect([reply.status, reply.error.code]).toEqual([409, 'thread-busy']);
    release();
    await stream;
    const messages = (await person.call(conversations.messages, { params: { thread } })).body.data;
    expect(messages.map((message) => message.seq)).toEqual([1, 2]);
  });

  test('stops when told, closes the connection to the model, and keeps what it had; a second stop changes nothing', async () => {
    const person = await app.aPerson();
    slowly();
    const { stream, thread } = await begin(person, await aModelBot(person));
    const call = upstream.received.at(-1);
    expect((await person.call(conversations.stop, { params: { thread } })).body.data.running).toBeNull();
    expect((await stream).at(-1)).toMatchObject({ type: 'done', message: { text: 'First ', status: 'interrupted' } });
    await eventually('the connection is closed', async () => call?.closed);
    expect((await person.call(conversations.stop, { params: { thread } })).status).toBe(200);
  });
});

test('an answer whose process died is marked interrupted with what it had, and the thread is free', async () => {
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  upstream.behave((_request, response) => sse(response, [delta('Kept'), finish(), '[DONE]']));
  const { thread, message } = await ask(person, bot, 'Hi');
  // What a killed process leaves behind: an answer being written, under a lease that nobody renews.
  const { db } = app.server.context;
  await db
    .updateTable('message')
    .set({ status: 'streaming', lease_owner: 'gone', lease_until: Date.now() - 1 })
    .where('uuid', '=', message.uuid)
    .execute();
  await db.updateTable('thread').set({ running: message.uuid }).where('uuid', '=', thread.uuid).execute();
  await app.restart();
  const found = await eventually('it is noticed', async () =>
    (await person.call(conversations.messages, { params: { thread: thread.uuid } })).body.data.find(
      (each) => each.status === 'interrupted',
    ),
  );
  expect(found.text).toBe('Kept');
  expect((await ask(person, bot, 'Again', thread.uuid)).message.status).toBe('done');
});

test("a thread remembers, can be renamed, found and deleted, and is nobody else's", async () => {
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  upstream.behave((_request, response) => sse(response, [delta('Yes.'), finish(), '[DONE]']));
  const { thread } = await ask(person, bot, 'Do you know 東京?');
  await ask(person, bot, 'And 大阪?', thread.uuid);
  expect(
    upstream.received
      .at(-1)
      ?.body.messages?.map((message) => message.content)
      .slice(1),
  ).toEqual(['Do you know 東京?', 'Yes.', 'And 大阪?']);
  await person.call(conversations.update, { params: { thread: thread.uuid }, body: { title: 'Cities' } });
  expect((await person.call(conversations.threads, { query: { bot, q: 'cit' } })).body.data).toMatchObject([
    { uuid: thread.uuid, title: 'Cities' },
  ]);
  const stranger = await app.aPerson();
  for (const route of [
    conversations.get,
    conversations.messages,
    conversations.resume,
    conversations.stop,
    conversations.remove,
  ] as const) {
    expect((await stranger.call(route, { params: { thread: thread.uuid } })).error.code, route.path).toBe(
      'thread-not-found',
    );
  }
  expect(
    (await stranger.call(conversations.send, { body: { bot, thread: thread.uuid, message: { text: 'x' } } })).status,
  ).toBe(404);
  await person.call(conversations.remove, { params: { thread: thread.uuid } });
  expect((await person.call(conversations.get, { params: { thread: thread.uuid } })).status).toBe(404);
});

test.each(['', '   ', 'x'.repeat(8001), 5, null, ['x']])(
  'a message of %j is refused and nothing is stored',
  async (text) => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const response = await person.fetch('/api/chat', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ bot, message: { text } }),
    });
    expect(response.status).toBe(400);
    expect((await person.call(conversations.threads, { query: { bot } })).body.data).toEqual([]);
  },
);
