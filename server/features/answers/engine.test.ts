import { createServer, type ServerResponse } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { bots, emptyConfig } from '../../../shared/contracts/bots.ts';
import { conversations, type ChatEvent, type Message } from '../../../shared/contracts/conversations.ts';
import { sampleService } from '../../../shared/contracts/images.ts';
import { operatorServices, services } from '../../../shared/contracts/services.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import { askStreaming, during, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { claimThread, extendLeases, updateMessage, updateThread } from '../conversations/conversations.store.ts';
import { newId } from '../../infra/db.ts';
import { delta, finish, sse, startModelServer, usage as counted } from '../../testing/openai.ts';
import { storageKey } from '../files/files.ts';
import { maskMessage, maskPersonal } from './guardrails.ts';

let app: TestApp;
/** The first one, who runs the installation. */
let boss: Person;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let tool: { host: string; asked: { method: string; url: string; body: string }[]; close(): Promise<unknown> };
beforeAll(async () => {
  upstream = await startModelServer();
  tool = await startTool();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url, ALLOW_PRIVATE_HOSTS: tool.host });
  boss = await app.aPerson();
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
  await tool.close();
});
beforeEach(() =>
  upstream.behave((_request, response) =>
    sse(response, [delta(`Answer ${upstream.received.length}`), finish(), counted(10, 3), '[DONE]']),
  ),
);

async function startTool() {
  const asked: { method: string; url: string; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => (body += part));
    request.on('end', () => {
      asked.push({ method: request.method ?? '', url: request.url ?? '', body });
      const found = request.url?.startsWith('/owner')
        ? '{"owner":"hana@example.com","tel":"090-1234-5678"}'
        : '{"stock":7}';
      response.writeHead(200, { 'content-type': 'application/json' }).end(found);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    host: `127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`,
    asked,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

const modelService = async () =>
  (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
const aModelBot = async (person: Person, more: object = {}) =>
  (await person.call(bots.create, { body: { name: 'Model', service: await modelService(), ...more } })).body.data.uuid;
const ask = async (person: Person, bot: string, text: string, thread?: string) =>
  (await person.call(conversations.send, { body: { bot, message: { text }, ...(thread && { thread }) } })).body.data;
const messagesOf = async (person: Person, thread: string) =>
  (await person.call(conversations.messages, { params: { thread } })).body.data;
const texts = (messages: Message[]) => messages.map(({ text }) => text);
const at = ({ thread, message }: { thread: { uuid: string }; message: { uuid: string } }) => ({
  thread: thread.uuid,
  message: message.uuid,
});

test('a list of bots says what each was asked in 30 days, and the tokens of its answers', async () => {
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  await aModelBot(person, { name: 'Nobody asks it' });
  const { thread } = await ask(person, bot, 'One');
  await ask(person, bot, 'Two', thread.uuid);
  await ask(person, bot, 'Three');
  await app.server.context.db
    .updateTable('message')
    .set({ created_at: Date.now() - 31 * 86_400_000 })
    .where('thread', '=', thread.uuid)
    .where('seq', '<=', 2)
    .execute();
  const { data } = (await person.call(bots.list, { query: { sort: 'questions' } })).body;
  expect(data.map(({ name, usage }) => [name, usage])).toEqual([
    ['Model', { questions: 2, tokens: 26 }],
    ['Nobody asks it', { questions: 0, tokens: 0 }],
  ]);
});

test('thoughts that had no beginning leave the text as soon as they end, with what they cite', async () => {
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  upstream.behave(async (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const pieces = [delta('They ask for '), delta('a greeting.'), delta('</think>'), delta('Good '), delta('morning.')];
    for (const piece of [...pieces, finish(), counted(10, 3), '[DONE]']) {
      response.write(`data: ${piece}\n\n`);
      await setTimeout(40);
    }
    response.end();
  });
  const events = await askStreaming(person, { bot, message: { text: 'Hello' } });
  const texts: string[] = [];
  let text = '';
  for (const event of events) {
    if (event.type === 'message' && event.message.role === 'assistant') ({ text } = event.message);
    if (event.type === 'delta') text += event.text;
    texts.push(text);
  }
  expect(texts).toContain('They ask for ');
  expect(text).toBe('Good morning.');
  expect(events.at(-1)).toMatchObject({
    type: 'done',
    message: { text: 'Good morning.', reasoning: 'They ask for a greeting.', status: 'done' },
  });
});

interface Moment {
  bot: string;
  thread: string;
  asked: { thread: string; message: string };
  answered: { thread: string; message: string };
}

test('the leases of answers are extended also when the last of them ends at that moment', async () => {
  await app.server.context.db.transaction().execute((trx) => extendLeases(trx, [], 'nobody', Date.now()));
});

describe('branches', () => {
  test('an answer made again stands beside the first, and each can be gone back to', async () => {
    const person = await app.aPerson();
    const first = await ask(person, await aModelBot(person), 'Question');
    const second = (await person.call(conversations.regenerate, { params: at(first) })).body.data;
    expect(second.message.siblings).toEqual([first.message.uuid, second.message.uuid]);
    const shown = await messagesOf(person, first.thread.uuid);
    expect(texts(shown)).toEqual(['Question', second.message.text]);
    expect(shown[1]?.siblings).toEqual([first.message.uuid, second.message.uuid]);
    await person.call(conversations.show, { params: at(first) });
    expect(texts(await messagesOf(person, first.thread.uuid))).toEqual(['Question', first.message.text]);
    expect(shown.map(({ seq }) => seq)).toEqual([1, 3]);
  });

  test('a message that is told of while its answer is written names those beside it, as the list does', async () => {
    const person = await app.aPerson();
    const first = await ask(person, await aModelBot(person), 'Question');
    const { thread } = first;
    const events = async (path: string, body: object) =>
      (
        await (
          await person.fetch(path, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ ...body, stream: true }),
          })
        ).text()
      )
        .split('\n\n')
        .flatMap((part): ChatEvent[] => (part.startsWith('data: ') ? [JSON.parse(part.slice(6))] : []));
    const told = (all: ChatEvent[]) =>
      all.flatMap((event) => (event.type === 'message' || event.type === 'done' ? [event.message] : []));
    const again = `/api/chat/${thread.uuid}/message/${first.message.uuid}/regenerate`;
    for (let at = 0; at < 2; at++) {
      const messages = told(await events(again, {}));
      const listed = await messagesOf(person, thread.uuid);
      for (const { uuid, siblings } of messages)
        expect(siblings).toEqual(listed.find((each) => each.uuid === uuid)?.siblings);
      expect(messages.at(-1)?.siblings).toHaveLength(at + 2);
    }
    const [question] = await messagesOf(person, thread.uuid);
    const edited = told(
      await events(`/api/chat/${thread.uuid}/message/${question?.uuid}/edit`, { text: 'Other question' }),
    );
    const [other, answer] = await messagesOf(person, thread.uuid);
    expect(edited.map(({ siblings }) => siblings)).toEqual([
      [question?.uuid, other?.uuid],
      [answer?.uuid],
      [answer?.uuid],
    ]);
  });

  test('a branch is not gone back to while an answer begins in another', async () => {
    const person = await app.aPerson();
    const first = await ask(person, await aModelBot(person), 'Question');
    const second = (await person.call(conversations.regenerate, { params: at(first) })).body.data;
    const [reply] = await during(
      app,
      (trx) =>
        claimThread(trx, {
          ...first.thread,
          status: 'bot',
          answer: second.message.uuid,
          places: 1,
          now: Date.now(),
          head: null,
        }),
      [() => person.call(conversations.show, { params: at(first) })],
    );
    expect([reply?.status, reply?.error.code]).toEqual([409, 'thread-busy']);
    expect(texts(await messagesOf(person, first.thread.uuid))).toEqual(['Question', second.message.text]);
  });

  test('a question in other words begins a branch that knows nothing of what followed the first', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const first = await ask(person, bot, 'One');
    await ask(person, bot, 'Two', first.thread.uuid);
    const [asked] = await messagesOf(person, first.thread.uuid);
    const edited = (
      await person.call(conversations.edit, {
        params: { thread: first.thread.uuid, message: asked?.uuid ?? '' },
        body: { text: 'Other' },
      })
    ).body.data;
    expect(upstream.received.at(-1)?.body.messages?.slice(1)).toMatchObject([{ role: 'user', content: 'Other' }]);
    expect(texts(await messagesOf(person, first.thread.uuid))).toEqual(['Other', edited.message.text]);
    await person.call(conversations.show, { params: { thread: first.thread.uuid, message: asked?.uuid ?? '' } });
    expect(texts(await messagesOf(person, first.thread.uuid))).toHaveLength(4);
  });

  test('an answer that was cut goes on where it stopped, in the same message', async () => {
    upstream.behave((request, response) => {
      const wantsMore = request.body.messages?.at(-2)?.content === 'The first half';
      sse(
        response,
        wantsMore
          ? [delta(' and the second'), finish(), counted(20, 4), '[DONE]']
          : [delta('The first half'), finish('length'), counted(10, 3), '[DONE]'],
      );
    });
    const person = await app.aPerson();
    const cut = await ask(person, await aModelBot(person), 'Tell');
    expect(cut.message.finish).toBe('length');
    const { message } = (await person.call(conversations.continue, { params: at(cut) })).body.data;
    expect(message).toMatchObject({
      uuid: cut.message.uuid,
      text: 'The first half and the second',
      status: 'done',
      usage: { tokensIn: 30, tokensOut: 7 },
    });
    expect((await person.call(conversations.continue, { params: at(cut) })).error.code).toBe('conflict');
  });

  test('an answer that has just gone on to its end does not go on once more', async () => {
    upstream.behave((_request, response) => sse(response, [delta('Half'), finish('length'), counted(10, 3), '[DONE]']));
    const person = await app.aPerson();
    const cut = await ask(person, await aModelBot(person), 'Tell');
    const [reply] = await during(
      app,
      async (trx) => {
        await updateThread(trx, cut.thread.uuid, { head: cut.message.uuid });
        await updateMessage(trx, cut.message.uuid, { text: 'Half and half', finish: 'stop' });
      },
      [() => person.call(conversations.continue, { params: at(cut) })],
    );
    expect([reply?.status, reply?.error.code]).toEqual([409, 'conflict']);
    expect(texts(await messagesOf(person, cut.thread.uuid))).toEqual(['Tell', 'Half and half']);
  });

  test('a long thread comes page by page, each whole', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const { thread } = await ask(person, bot, 'Q0');
    for (let n = 1; n < 4; n++) await ask(person, bot, `Q${n}`, thread.uuid);
    const pages: Message[][] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { data, meta } = (
        await person.call(conversations.messages, {
          params: { thread: thread.uuid },
          query: { limit: 3, ...(cursor && { cursor }) },
        })
      ).body;
      pages.unshift(data);
      cursor = meta.nextCursor;
    }
    expect(pages.map((page) => page.length)).toEqual([2, 3, 3]);
    expect(
      pages
        .flat()
        .filter(({ role }) => role === 'user')
        .map(({ text }) => text),
    ).toEqual(['Q0', 'Q1', 'Q2', 'Q3']);
  });
});

describe('tools', () => {
  const stock = (approved: boolean) => ({
    name: 'stock',
    description: 'How many there are',
    method: 'GET' as const,
    url: `http://${tool.host}/stock/{item}`,
    headers: [],
    parameters: [{ name: 'item', in: 'path' as const, type: 'string' as const, description: '', required: true }],
    approved,
  });
  const calling = (input: string) =>
    upstream.behave((request, response) => {
      const last = request.body.messages?.at(-1);
      if (last?.role === 'tool') return sse(response, [delta(`I found: ${last.content}`), finish(), '[DONE]']);
      return sse(response, [
        JSON.stringify({
          choices: [
            {
              index: 0,
              delta: {
                tool_calls: [{ index: 0, id: 'c1', type: 'function', function: { name: 'stock', arguments: input } }],
              },
              finish_reason: null,
            },
          ],
        }),
        finish('tool_calls'),
        '[DONE]',
      ]);
    });

  test('that the maker approved are called, and the answer is made of what they gave', async () => {
    calling('{"item":"../tea leaf"}');
    const person = await app.aPerson();
    const events = await askStreaming(person, {
      bot: await aModelBot(person, { tools: [stock(true)] }),
      message: { text: 'How much tea?' },
    });
    expect(events.flatMap((event) => (event.type === 'tool' ? [event.tool.state] : []))).toEqual(['running', 'done']);
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      message: { text: 'I found: {"stock":7}', tools: [{ name: 'stock', state: 'done', output: '{"stock":7}' }] },
    });
    expect(tool.asked.at(-1)).toMatchObject({ method: 'GET', url: '/stock/..%2Ftea%20leaf' });
  });

  test('are shown as far as anybody reads, in whole letters', async () => {
    calling(`{"item":"${'x'.repeat(3990)}😀${'y'.repeat(100)}"}`);
    const person = await app.aPerson();
    const { message } = await ask(person, await aModelBot(person, { tools: [stock(true)] }), 'How much tea?');
    expect(message.tools[0]?.input).toBe(`{"item":"${'x'.repeat(3990)}\ufffd`);
  });

  test('are called no more often in one round than anybody needs, and the model is told', async () => {
    const many = 8000;
    const calls = Array.from({ length: many }, (_, index) => ({
      index,
      id: `c${index}`,
      type: 'function',
      function: { name: 'stock', arguments: '{"item":"tea"}' },
    }));
    upstream.behave((request, response) =>
      request.body.messages?.at(-1)?.role === 'tool'
        ? sse(response, [delta('Enough.'), finish(), '[DONE]'])
        : sse(response, [
            JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] }),
            finish('tool_calls'),
            '[DONE]',
          ]),
    );
    const person = await app.aPerson();
    const before = tool.asked.length;
    const { message } = await ask(person, await aModelBot(person, { tools: [stock(true)] }), 'How much tea?');
    expect(message.text).toBe('Enough.');
    expect([tool.asked.length - before, message.tools.length]).toEqual([20, 20]);
    // Each call that goes back has its result.
    const sent = upstream.received.at(-1)?.body.messages ?? [];
    expect(sent.filter(({ role }) => role === 'tool')).toHaveLength(20);
    expect(JSON.stringify(sent.at(-1))).toContain('7980 more calls');
  });

  const drawing = (input: string, then = 'Here it is.') =>
    upstream.behave((request, response) => {
      const last = request.body.messages?.at(-1);
      if (last?.role === 'tool') return sse(response, [...(then ? [delta(then)] : []), finish(), '[DONE]']);
      const call = { index: 0, id: 'd1', type: 'function', function: { name: 'draw_picture', arguments: input } };
      return sse(response, [
        JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }),
        finish('tool_calls'),
        '[DONE]',
      ]);
    });

  test('draw a picture where the maker allows it, which only those may open whom it is for', async () => {
    drawing('{"prompt":"Hills at sunrise","shape":"landscape"}');
    const person = await app.aPerson();
    const bot = await aModelBot(person, { drawing: sampleService });
    const { message, thread } = await ask(person, bot, 'Draw hills');
    expect(message).toMatchObject({
      text: 'Here it is.',
      tools: [{ name: 'draw_picture', state: 'done' }],
      files: [{ name: 'picture.webp', mime: 'image/webp' }],
    });
    const [stored] = (await messagesOf(person, thread.uuid)).slice(-1);
    expect(stored?.files).toEqual(message.files);
    const path = `/api/chat/file/${message.files[0]?.uuid}`;
    const reply = await person.fetch(path);
    const { width, height } = await sharp(Buffer.from(await reply.arrayBuffer())).metadata();
    expect([reply.status, width, height]).toEqual([200, 1536, 1024]);
    expect((await (await app.aPerson()).fetch(path)).status).toBe(404);
    const { data } = (await person.call(usage.history)).body;
    expect(data.filter(({ kind }) => kind === 'image')).toEqual([]);
  });

  test('draw two pictures for one answer at most, however many are asked for at once', async () => {
    const calls = Array.from({ length: 5 }, (_, index) => ({
      index,
      id: `d${index}`,
      type: 'function',
      function: { name: 'draw_picture', arguments: '{"prompt":"Hills"}' },
    }));
    upstream.behave((request, response) =>
      request.body.messages?.at(-1)?.role === 'tool'
        ? sse(response, [delta('Here they are.'), finish(), '[DONE]'])
        : sse(response, [
            JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: calls }, finish_reason: null }] }),
            finish('tool_calls'),
            '[DONE]',
          ]),
    );
    const person = await app.aPerson();
    const { message } = await ask(person, await aModelBot(person, { drawing: sampleService }), 'Draw five hills');
    expect([message.files.length, message.tools.filter(({ state }) => state === 'failed').length]).toEqual([2, 3]);
  });

  test('of the name that drawing has are the bot’s own', async () => {
    const person = await app.aPerson();
    const own = { ...stock(true), name: 'draw_picture' };
    await ask(person, await aModelBot(person, { drawing: sampleService, tools: [own] }), 'Draw');
    expect(JSON.stringify(upstream.received.at(-1)?.body).match(/"name":"draw_picture"/g)).toHaveLength(1);
  });

  test('draw for a model that says nothing of it', async () => {
    drawing('{"prompt":"Hills"}', '');
    const person = await app.aPerson();
    const { message } = await ask(person, await aModelBot(person, { drawing: sampleService }), 'Draw hills');
    expect([message.status, message.text, message.files.length]).toEqual(['done', '', 1]);
  });

  test.each([
    ['nobody allowed it', {}, '{"prompt":"Hills"}', /no tool named draw_picture/],
    ['it does not say what', { drawing: sampleService }, '{"prompt":""}', /prompt has to be/],
    ['a prompt is endless', { drawing: sampleService }, `{"prompt":"${'x'.repeat(5000)}"}`, /prompt has to be/],
  ])('do not draw when %s, and the model is told', async (_, config, input, told) => {
    drawing(input);
    const person = await app.aPerson();
    const { message } = await ask(person, await aModelBot(person, config), 'Draw');
    expect([message.files, message.tools[0]?.state]).toEqual([[], 'failed']);
    expect(JSON.stringify(upstream.received.at(-1)?.body.messages?.at(-1))).toMatch(told);
  });

  test.each([
    ['that nobody approved', false, '{"item":"tea"}', /no tool named stock/],
    ['with input that does not fit', true, '{"item":5}', /item is not valid/],
    ['with input that is no JSON', true, '{"item":', /not JSON/],
  ])('%s are not called, and the model is told why', async (_, approved, input, told) => {
    calling(input);
    const before = tool.asked.length;
    const person = await app.aPerson();
    const { message } = await ask(person, await aModelBot(person, { tools: [stock(approved)] }), 'How much tea?');
    expect(message.text).toMatch(told);
    expect(tool.asked).toHaveLength(before);
  });
});

describe('what a model is sent of a conversation', () => {
  const sent = () => upstream.received.at(-1)?.body.messages?.map(({ content }) => content.slice(0, 4)) ?? [];

  test('is all of it, when its window has room', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const { thread } = await ask(person, bot, 'Q-00');
    for (let n = 1; n < 24; n++) await ask(person, bot, `Q-${String(n).padStart(2, '0')}`, thread.uuid);
    expect(sent().filter((text) => text.startsWith('Q-'))).toHaveLength(24);
  });

  test('is whole turns, the newest, when it has not, and the trace says so', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const long = (name: string) => name + ' word'.repeat(1500);
    const { thread } = await ask(person, bot, long('Q-00'));
    let last = '';
    for (let n = 1; n < 5; n++) last = (await ask(person, bot, long(`Q-0${n}`), thread.uuid)).message.uuid;
    expect(sent().slice(1)).toEqual(['Q-03', expect.stringMatching(/^Answ/), 'Q-04']);
    const { data } = (await person.call(conversations.trace, { params: { thread: thread.uuid, message: last } })).body;
    expect(data.omitted).toBe(6);
    expect(data.prompt?.map(({ text }) => text.slice(0, 4)).slice(1)).toEqual(sent().slice(1));
  });
});

describe('what a model is sent, as much as its window holds,', () => {
  const aModel = async (contextTokens: number) => {
    const modelId = `window-${newId()}`;
    const body = { provider: 'openai-compatible', modelId, name: modelId, contextTokens, price: null };
    const added = await boss.call(operatorServices.add, { body: { ...body, capabilities: ['tools' as const] } });
    return { uuid: added.body.data.uuid, modelId };
  };
  const word = (n: number) => 'word '.repeat(n);
  const askedOf = (modelId: string) => upstream.received.findLast(({ body }) => body.model === modelId)?.body;

  test('is told by its own window and not by that of a smaller fallback', async () => {
    const [large, small] = [await aModel(200_000), await aModel(4_000)];
    const person = await app.aPerson();
    const bot = await aModelBot(person, { service: large.uuid, fallback: small.uuid, tools: [] });
    const { thread } = await ask(person, bot, `First ${word(1500)}`);
    await ask(person, bot, 'Second', thread.uuid);
    expect(JSON.stringify(askedOf(large.modelId))).toContain('First');
    upstream.behave((request, response) =>
      request.body.model === large.modelId
        ? void response.writeHead(400).end('{"error":{"message":"No."}}')
        : sse(response, [delta('Small'), finish(), '[DONE]']),
    );
    const { message } = await ask(person, bot, 'Third', thread.uuid);
    expect(message.text).toBe('Small');
    expect(JSON.stringify(askedOf(large.modelId))).toContain('First');
    expect(JSON.stringify(askedOf(small.modelId))).not.toContain('First');
    const { data } = (
      await person.call(conversations.trace, { params: { thread: thread.uuid, message: message.uuid } })
    ).body;
    expect(data.omitted).toBe(2);
    expect(JSON.stringify(data.prompt)).not.toContain('First');
  });

  test('has room for the conversation, however long an answer may be', async () => {
    const { uuid, modelId } = await aModel(8192);
    const person = await app.aPerson();
    const parameters = { ...emptyConfig.parameters, maxTokens: 8000 };
    const bot = await aModelBot(person, { service: uuid, tools: [], parameters });
    const { thread } = await ask(person, bot, 'First');
    await ask(person, bot, 'Second', thread.uuid);
    expect(JSON.stringify(askedOf(modelId))).toContain('First');
    expect(askedOf(modelId)?.max_tokens).toBeGreaterThan(4096);
    expect(askedOf(modelId)?.max_tokens).toBeLessThan(8192);
  });

  test('counts what tools gave', async () => {
    const { uuid, modelId } = await aModel(8192);
    const person = await app.aPerson();
    const bot = await aModelBot(person, { service: uuid, tools: [] });
    const { thread } = await ask(person, bot, `First ${word(500)}`);
    const input = JSON.stringify({ item: word(5000) });
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'stock', arguments: input } };
    upstream.behave((request, response) =>
      sse(
        response,
        request.body.messages?.at(-1)?.role === 'tool'
          ? [delta('Done'), finish(), '[DONE]']
          : [
              JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: null }] }),
              finish('tool_calls'),
              '[DONE]',
            ],
      ),
    );
    await ask(person, bot, 'Second', thread.uuid);
    const [before, after] = upstream.received.filter(({ body }) => body.model === modelId).slice(-2);
    const isThere = (each = before) => each?.body.messages?.some(({ content }) => content?.startsWith('First'));
    expect([isThere(before), isThere(after)]).toEqual([true, false]);
  });
});

describe('a model that is busy', () => {
  const failing = (times: number, status = 429) => {
    let left = times;
    upstream.behave((_request, response) =>
      left-- > 0
        ? void response.writeHead(status, { 'retry-after': '0' }).end('{}')
        : sse(response, [delta('At last'), finish(), '[DONE]']),
    );
  };

  test('is asked again twice before its first word', async () => {
    failing(2);
    const person = await app.aPerson();
    const before = upstream.received.length;
    expect((await ask(person, await aModelBot(person), 'Hi')).message.text).toBe('At last');
    expect(upstream.received.length - before).toBe(3);
  });

  test('and stays so is told after three tries', async () => {
    failing(9);
    const person = await app.aPerson();
    const before = upstream.received.length;
    const reply = await person.call(conversations.send, {
      body: { bot: await aModelBot(person), message: { text: 'Hi' } },
    });
    expect(reply.error.code).toBe('provider-busy');
    expect(upstream.received.length - before).toBe(3);
  });

  test.each([
    ['breaks down', (response: ServerResponse) => void response.writeHead(500).end('{}')],
    ['hangs up', (response: ServerResponse) => void response.destroy()],
  ])('that %s may have begun, and is not asked again', async (_, behave) => {
    upstream.behave((_request, response) => behave(response));
    const person = await app.aPerson();
    const before = upstream.received.length;
    const reply = await person.call(conversations.send, {
      body: { bot: await aModelBot(person), message: { text: 'Hi' } },
    });
    expect(reply.error.code).toBe('provider-failed');
    expect(upstream.received.length - before).toBe(1);
  });

  test('gives way to the fallback at once', async () => {
    failing(9, 500);
    const person = await app.aPerson();
    const bot = await aModelBot(person, { fallback: emptyConfig.service });
    const answer = await ask(person, bot, 'Hi');
    expect(answer.message).toMatchObject({ status: 'done', usage: { serviceName: 'Kotae (Built-in)' } });
    expect((await person.call(conversations.trace, { params: at(answer) })).body.data.failed).toMatchObject([
      { code: 'provider-failed' },
    ]);
  });
});

describe('guardrails', () => {
  test('a blocked topic is not answered by the model, and is said in the bot’s words', async () => {
    const person = await app.aPerson();
    const before = upstream.received.length;
    const bot = await aModelBot(person, {
      guardrails: { ...emptyConfig.guardrails, blockedTopics: ['Politics'], blockedReply: 'Not with {{shop}}.' },
      variables: [{ name: 'shop', value: 'Hinata' }],
    });
    expect((await ask(person, bot, 'What about ｐｏｌｉｔｉｃｓ?')).message.text).toBe('Not with Hinata.');
    expect(upstream.received).toHaveLength(before);
  });

  test('a question that is too long is refused and not stored', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person, { guardrails: { ...emptyConfig.guardrails, maxQuestion: 10 } });
    const reply = await person.call(conversations.send, { body: { bot, message: { text: 'x'.repeat(11) } } });
    expect([reply.status, reply.error.code]).toEqual([422, 'question-too-long']);
    expect((await person.call(conversations.threads, { query: { bot } })).body.data).toEqual([]);
    expect((await person.call(conversations.send, { body: { bot, message: { text: '👨‍👩‍👧'.repeat(10) } } })).status).toBe(
      200,
    );
  });

  test('what says who somebody is does not leave for the model', async () => {
    const person = await app.aPerson();
    await ask(
      person,
      await aModelBot(person, { guardrails: { ...emptyConfig.guardrails, maskPersonal: true } }),
      'I am hana@example.com, 090-1234-5678, card 4242 4242 4242 4242',
    );
    expect(upstream.received.at(-1)?.body.messages?.at(-1)?.content).toBe('I am [email], [phone], card [card]');
  });

  test.each([
    ['０９０－１２３４－５６７８ へ', '[phone] へ'],
    ['〒150-0001 です', '[postcode] です'],
    ['Order 2026-11-21 and 12,345 yen', 'Order 2026-11-21 and 12,345 yen'],
    ['1234 5678 9012 3456', '1234 5678 9012 3456'],
    ['call +81 90-1234-5678', 'call [phone]'],
    ['090 1234 5678', '[phone]'],
    ['+81 90 1234 5678', '[phone]'],
    ['03(1234)5678', '[phone]'],
    ['090\u22121234\u22125678 と 090ー1234ー5678', '[phone] と [phone]'],
    ['hana\u200b@example.com', '[email]'],
    ['There are 120 of 450 left, 2026 in all', 'There are 120 of 450 left, 2026 in all'],
    ['4111 1111 1111 1111.', '[card].'],
    ['It is 4111-1111-1111-1111, ok', 'It is [card], ok'],
    ['card,4111111111111111', 'card,[card]'],
    ['4111 1111 1111 1111 12/26', '[card] 12/26'],
    ['4111 1111 1111 1111 4242 4242 4242 4242', '[card] [card]'],
    ['2 of 3782 822463 10005 123', '2 of [card] 123'],
    ['3.4111111111111111 and 4,111,111,111,111,111', '3.4111111111111111 and 4,111,111,111,111,111'],
    ['4111111111111111.25', '4111111111111111.25'],
  ])('%s is masked as %s', (text, masked) => expect(maskPersonal(text)).toBe(masked));

  test.each([
    ['{"hana@example.com": {"card": 4111111111111111}}', '{"[email]": {"card": "[card]"}}'],
    [
      '{"to":"hana\\u0040example.com","id":12345678901234567890,"rate":1.10}',
      '{"to":"[email]","id":12345678901234567890,"rate":1.10}',
    ],
    [
      '{"note":"say \\"090-1234-5678\\"","n":[-1.5e+30,true,null]}',
      '{"note":"say \\"[phone]\\"","n":[-1.5e+30,true,null]}',
    ],
    ['{"cut": "hana@example.com', '{"cut": "[email]'],
  ])('of what a call says, %s, only that is changed', (input, masked) => {
    const message = { role: 'assistant' as const, text: '', calls: [{ id: 'c1', name: 'find', input }] };
    expect(maskMessage(message)).toEqual({ ...message, calls: [{ id: 'c1', name: 'find', input: masked }] });
  });

  test('nor do the results of tools, and what the model asks of them', async () => {
    upstream.behave((request, response) => {
      if (request.body.messages?.at(-1)?.role === 'tool') return sse(response, [delta('ok'), finish(), '[DONE]']);
      const called = { name: 'stock', arguments: '{"item":"hana@example.com","note":"090-1234-5678"}' };
      const calls = { tool_calls: [{ index: 0, id: 'c1', type: 'function', function: called }] };
      sse(response, [
        JSON.stringify({ choices: [{ index: 0, delta: calls, finish_reason: null }] }),
        finish('tool_calls'),
        '[DONE]',
      ]);
    });
    const person = await app.aPerson();
    const bot = await aModelBot(person, {
      guardrails: { ...emptyConfig.guardrails, maskPersonal: true },
      instructions: 'Our number is 03-1234-5678.',
      tools: [
        {
          name: 'stock',
          description: '',
          method: 'GET',
          url: `http://${tool.host}/owner/{item}`,
          headers: [],
          parameters: [{ name: 'item', in: 'path', type: 'string', description: '', required: true }],
          approved: true,
        },
      ],
    });
    const { message } = await ask(person, bot, 'Who is it?');
    const sent = JSON.stringify(upstream.received.at(-1)?.body.messages);
    expect(sent).not.toMatch(/hana@|090-1234/);
    expect(sent).toContain('Our number is 03-1234-5678.');
    expect(message.tools[0]?.input).toContain('hana@example.com');
  });

  test('who wants a person is told how to reach one, and the bot is silent there until it is asked back', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person, {
      contact: 'お電話 {{phone}}',
      variables: [{ name: 'phone', value: '03-1234-5678' }],
      handoff: { enabled: true, phrases: ['担当者'], afterRefusals: null, reply: '' },
    });
    const { thread, message } = await ask(person, bot, '担当者と話したいです');
    expect(message.text).toBe(
      'こちらの件は、担当者がご案内いたします。次の連絡先までお問い合わせください。\n\nお問い合わせ：お電話 03-1234-5678',
    );
    const { uuid } = thread;
    const status = async () => (await person.call(conversations.get, { params: { thread: uuid } })).body.data.status;
    expect(await status()).toBe('waiting');
    const before = upstream.received.length;
    const again = async (text: string) =>
      (await person.call(conversations.send, { body: { bot, thread: uuid, message: { text } } })).body.data.message
        .text;
    expect(await again('まだですか')).toBe(
      'この会話は担当者の対応待ちのため、ボットからはお答えしていません。\n\nお問い合わせ：お電話 03-1234-5678',
    );
    expect([await status(), upstream.received.length - before]).toEqual(['waiting', 0]);
    await person.call(conversations.update, { params: { thread: uuid }, body: { status: 'bot' } });
    expect([await again('営業時間は？'), await status()]).toEqual([expect.stringContaining('Answer'), 'bot']);
  });

  const aPersonsBot = (person: Person) =>
    aModelBot(person, { handoff: { enabled: true, phrases: ['a person'], afterRefusals: null, reply: '' } });

  test.each<[string, (person: Person, at: Moment) => Promise<unknown>]>([
    [
      'a question',
      (person, { bot, thread }) =>
        person.call(conversations.send, { body: { bot, thread, message: { text: 'Again' } } }),
    ],
    [
      'a question in other words',
      (person, { asked }) => person.call(conversations.edit, { params: asked, body: { text: 'Other' } }),
    ],
    ['an answer made again', (person, { answered }) => person.call(conversations.regenerate, { params: answered })],
    ['an answer that goes on', (person, { answered }) => person.call(conversations.continue, { params: answered })],
  ])('no model answers %s that meets the moment of the handover', async (_, callAt) => {
    const person = await app.aPerson();
    const bot = await aPersonsBot(person);
    upstream.behave((_request, response) => sse(response, [delta('Early'), finish('length'), '[DONE]']));
    const first = await ask(person, bot, 'Question');
    upstream.behave((_request, response) => sse(response, [delta('Late'), finish(), '[DONE]']));
    const { uuid: thread } = first.thread;
    const [asked] = await messagesOf(person, thread);
    const moment = { bot, thread, asked: { thread, message: asked?.uuid ?? '' }, answered: at(first) };
    await during(app, (trx) => updateThread(trx, thread, { status: 'waiting' }), [() => callAt(person, moment)]);
    expect(texts(await messagesOf(person, thread)).join()).not.toContain('Late');
  });

  test('who asks the bot back while it says that it is silent has it back', async () => {
    const person = await app.aPerson();
    const bot = await aPersonsBot(person);
    const { uuid: thread } = (await ask(person, bot, 'I want a person')).thread;
    const change = (status: 'bot') => person.call(conversations.update, { params: { thread }, body: { status } });
    for (let round = 0; round < 20; round++) {
      await app.server.context.db.transaction().execute((trx) => updateThread(trx, thread, { status: 'waiting' }));
      const again = ask(person, bot, 'Anybody?', thread);
      await change('bot');
      await again;
      expect((await person.call(conversations.get, { params: { thread } })).body.data.status).toBe('bot');
    }
  });

  test('without a contact nothing is promised that nobody keeps', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person, {
      handoff: { enabled: true, phrases: ['a person'], afterRefusals: null, reply: '' },
    });
    expect((await ask(person, bot, 'I want a person')).message.text).toMatch(/I cannot connect you from here/);
  });
});

describe('why an answer is what it is', () => {
  test('shows an editor the question, the prompt, the service and the usage, and nobody else', async () => {
    const [person, stranger] = [await app.aPerson(), await app.aPerson()];
    const answer = await ask(person, await aModelBot(person, { instructions: 'Be kind.' }), 'Hello');
    const { data } = (await person.call(conversations.trace, { params: at(answer) })).body;
    expect(data).toMatchObject({
      service: 'double-1',
      usage: { tokensIn: 10, tokensOut: 3 },
      prompt: [{ role: 'system' }, { role: 'user', text: 'Hello' }],
    });
    expect(data.prompt?.[0]?.text).toContain('Be kind.');
    expect((await stranger.call(conversations.trace, { params: at(answer) })).status).toBe(404);
  });

  test('names what the model does not take and was not sent, each time and not only the first', async () => {
    const modelId = `choosy-${newId()}`;
    const added = await boss.call(operatorServices.add, {
      body: {
        provider: 'openai-compatible',
        modelId,
        name: 'Choosy',
        contextTokens: 8192,
        capabilities: ['tools', 'json'],
        price: null,
      },
    });
    const service = added.body.data.uuid;
    const refused: string[] = [];
    upstream.behave(({ body }, response) => {
      const unknown = ['temperature', 'top_p'].find((name) => name in body);
      if (!unknown) return sse(response, [delta('Yes.'), finish(), counted(10, 3), '[DONE]']);
      refused.push(unknown);
      response.writeHead(400, { 'content-type': 'application/json' }).end(
        JSON.stringify({
          error: { message: `Unsupported parameter: '${unknown}' is not supported with this model.` },
        }),
      );
    });
    const person = await app.aPerson();
    const parameters = { ...emptyConfig.parameters, temperature: 0.2, topP: 0.5 };
    const bot = await aModelBot(person, { service, parameters });
    for (let turn = 0; turn < 2; turn++) {
      const { data } = (await person.call(conversations.trace, { params: at(await ask(person, bot, 'Hello')) })).body;
      expect(data.without).toEqual([{ service, parts: ['temperature', 'topP'] }]);
    }
    expect(refused).toEqual(['temperature', 'top_p']);
    const plain = await aModelBot(person, { service });
    const { data } = (await person.call(conversations.trace, { params: at(await ask(person, plain, 'Hello')) })).body;
    expect(data.without).toEqual([]);
  });

  test('feedback is kept, changed and taken back', async () => {
    const person = await app.aPerson();
    const answer = await ask(person, await aModelBot(person), 'Hello');
    expect(
      (
        await person.call(conversations.rate, {
          params: at(answer),
          body: { rating: 'down', reasons: ['wrong'], text: 'No.' },
        })
      ).body.data.feedback,
    ).toEqual({ rating: 'down', reasons: ['wrong'], text: 'No.' });
    await person.call(conversations.rate, { params: at(answer), body: { rating: 'up' } });
    expect((await messagesOf(person, answer.thread.uuid))[1]?.feedback).toEqual({
      rating: 'up',
      reasons: [],
      text: '',
    });
    await person.call(conversations.rate, { params: at(answer), body: { rating: null } });
    expect((await messagesOf(person, answer.thread.uuid))[1]?.feedback).toBeNull();
  });
});

describe('a thread', () => {
  test('that is pinned is before newer ones, and one that is temporary is not in the list', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const first = await ask(person, bot, 'First');
    const second = await ask(person, bot, 'Second');
    const hidden = (
      await person.call(conversations.send, { body: { bot, message: { text: 'Third' }, temporary: true } })
    ).body.data;
    await person.call(conversations.update, { params: { thread: first.thread.uuid }, body: { pinned: true } });
    const listed = async () =>
      (await person.call(conversations.threads, { query: { bot } })).body.data.map(({ title }) => title);
    expect(await listed()).toEqual(['First', 'Second']);
    await person.call(conversations.update, { params: { thread: hidden.thread.uuid }, body: { temporary: false } });
    expect(await listed()).toEqual(['First', 'Third', 'Second']);
    expect(second.thread.uuid).not.toBe(first.thread.uuid);
  });

  test('is found by what was said in it', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    await ask(person, bot, 'Where is the 図書館?');
    await ask(person, bot, 'Other');
    expect((await person.call(conversations.threads, { query: { bot, q: '図書館' } })).body.data).toHaveLength(1);
  });

  test('that is shared can be read by anyone with the link, until it is ended', async () => {
    const person = await app.aPerson();
    const answer = await ask(person, await aModelBot(person), 'Hello');
    const { url } = (await person.call(conversations.share, { params: { thread: answer.thread.uuid } })).body.data;
    const token = url.split('/').at(-1) ?? '';
    const shown = await app.anyone.call(conversations.shared, { params: { token } });
    expect(shown.body.data).toMatchObject({
      title: 'Hello',
      bot: { name: 'Model' },
      messages: [{ role: 'user', text: 'Hello' }, { role: 'assistant' }],
    });
    expect(JSON.stringify(shown.body)).not.toContain(person.user.username);
    await person.call(conversations.unshare, { params: { thread: answer.thread.uuid } });
    expect((await app.anyone.call(conversations.shared, { params: { token } })).status).toBe(404);
  });
});

test('of two hundred questions at once in one thread one at a time is answered, and no place is lost or doubled', async () => {
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  const { thread } = await ask(person, bot, 'First');
  const before = upstream.received.length;
  const replies = await Promise.all(
    Array.from({ length: 200 }, (_, n) =>
      person.call(conversations.send, { body: { bot, thread: thread.uuid, message: { text: `Q${n}` } } }),
    ),
  );
  const answered = replies.filter(({ status }) => status === 200).length;
  expect(answered).toBeGreaterThan(0);
  expect(new Set(replies.filter(({ status }) => status !== 200).map(({ error }) => error.code))).toEqual(
    new Set(['thread-busy']),
  );
  const { db } = app.server.context;
  const seqs = (
    await db.selectFrom('message').select('seq').where('thread', '=', thread.uuid).orderBy('seq').execute()
  ).map(({ seq }) => seq);
  expect(seqs).toEqual(Array.from({ length: 2 + 2 * answered }, (_, n) => n + 1));
  // The model is asked while the question is stored, but not by everybody.
  expect(upstream.received.length - before).toBeLessThan(replies.length / 2);
});

test('a question that cannot be stored is answered by nobody, costs nothing, and the model is not listened to', async () => {
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  const { db, engine } = app.server.context;
  const refuse =
    engine === 'sqlite'
      ? `create trigger refuse before insert on message when new.text = 'Unstorable' begin select raise(abort, 'no'); end`
      : `create function refuse() returns trigger as 'begin raise exception ''no''; end' language plpgsql`;
  await sql.raw(refuse).execute(db);
  if (engine === 'postgres')
    await sql`create trigger refuse before insert on message for each row when (new.text = 'Unstorable') execute function refuse()`.execute(
      db,
    );
  upstream.behave(
    (_request, response) =>
      void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${delta('Too early')}\n\n`),
  );
  const { status, error } = await person.call(conversations.send, {
    body: { bot, message: { text: 'Unstorable' }, stream: true },
  });
  await (engine === 'sqlite' ? sql`drop trigger refuse` : sql`drop function refuse cascade`).execute(db);
  expect([status, error.code]).toEqual([500, 'internal-error']);
  await eventually('the model is let go', async () =>
    upstream.received
      .filter(({ body }) => body.messages?.at(-1)?.content === 'Unstorable')
      .every(({ closed }) => closed),
  );
  expect((await person.call(conversations.threads, { query: { bot } })).body.data).toEqual([]);
  expect(
    await db
      .selectFrom('credit_hold')
      .innerJoin('bot', 'bot.workspace', 'credit_hold.workspace')
      .selectAll()
      .where('bot.uuid', '=', bot)
      .execute(),
  ).toEqual([]);
});

describe('what comes with a question', () => {
  const attach = async (person: Person, name: string, bytes: Buffer | string) => {
    const form = new FormData();
    form.append('file', new Blob([typeof bytes === 'string' ? bytes : new Uint8Array(bytes)]), name);
    const response = await person.fetch('/api/chat/file', { method: 'POST', body: form });
    const body: { data: { uuid: string; mime: string }[]; error?: { code: string } } = JSON.parse(
      await response.text(),
    );
    return { status: response.status, file: body.data?.[0], code: body.error?.code };
  };

  test('a document is read and goes to the model as text, once', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const { file } = await attach(person, 'menu.md', '# Menu\n\nMatcha latte costs 620 yen.');
    await person.call(conversations.send, {
      body: { bot, message: { text: 'What is it?', files: [file?.uuid ?? ''] } },
    });
    expect(upstream.received.at(-1)?.body.messages?.at(-1)?.content).toMatch(
      /What is it\?[\s\S]*menu\.md[\s\S]*Matcha latte costs 620 yen\./,
    );
  });

  test('a picture is kept smaller and without what else its file had, and a model that sees none is told of it', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const { file } = await attach(
      person,
      'photo.png',
      await sharp({ create: { width: 3000, height: 20, channels: 3, background: '#00b900' } })
        .withExif({ IFD0: { Copyright: 'secret place' } })
        .png()
        .toBuffer(),
    );
    expect(file?.mime).toBe('image/webp');
    const bytes = Buffer.from(await (await person.fetch(`/api/chat/file/${file?.uuid}`)).arrayBuffer());
    expect((await sharp(bytes).metadata()).width).toBe(2000);
    expect(bytes.includes('secret place')).toBe(false);
    await person.call(conversations.send, { body: { bot, message: { text: 'See?', files: [file?.uuid ?? ''] } } });
    const contentOf = (at: number) => upstream.received.at(-1)?.body.messages?.at(at)?.content;
    const picture = { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/webp;base64,/) } };
    expect(contentOf(-1)).toEqual([{ type: 'text', text: 'See?' }, picture]);

    // It is still there for the next question.
    const { thread } = await ask(person, bot, 'Hi');
    await person.call(conversations.send, {
      body: { bot, thread: thread.uuid, message: { text: 'And now?', files: [file?.uuid ?? ''] } },
    });
    await ask(person, bot, 'What was it?', thread.uuid);
    expect([contentOf(-1), contentOf(-3)]).toEqual(['What was it?', [{ type: 'text', text: 'And now?' }, picture]]);

    // A model that is known not to see hears of it.
    const blindService = await boss.call(operatorServices.add, {
      body: {
        provider: 'openai-compatible',
        modelId: 'blind',
        name: 'Blind',
        contextTokens: 8000,
        capabilities: ['json'],
        price: null,
      },
    });
    const blind = await aModelBot(person, { service: blindService.body.data.uuid, tools: [] });
    const { storage } = app.server.context;
    const reads = vi.spyOn(storage, 'get');
    const unseen = await person.call(conversations.send, {
      body: { bot: blind, message: { text: 'See?', files: [file?.uuid ?? ''] } },
    });
    expect(contentOf(-1)).toContain('photo.png');
    reads.mockClear();
    await ask(person, blind, 'And now?', unseen.body.data.thread.uuid);
    expect(reads).not.toHaveBeenCalledWith(storageKey('attachment', file?.uuid ?? ''));
    reads.mockRestore();

    // One that is gone keeps nobody from asking.
    await storage.remove(storageKey('attachment', file?.uuid ?? ''));
    expect((await ask(person, bot, 'And without it?', thread.uuid)).message.status).toBe('done');
    expect(contentOf(-5)).toBe('And now?');
  });

  test.each([
    ['a page that says it is a picture', 'x.png', '<html></html>', 422, 'image-invalid'],
    ['a picture of a kind that is not read', 'x.HEIC', '\0\0\0\u0018ftypheic', 422, 'image-invalid'],
    ['a program', 'x.exe', 'MZ\u0090', 415, 'file-type-not-supported'],
    ['nothing', 'x.txt', '', 422, 'file-empty'],
    [
      'a picture that is cut',
      'x.png',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 1, 2]),
      422,
      'image-invalid',
    ],
    ['a document that lies about its kind', 'x.pdf', 'hello', 415, 'file-not-as-named'],
  ] as const)('%s is refused', async (_, name, bytes, status, code) => {
    const reply = await attach(await app.aPerson(), name, bytes);
    expect([reply.status, reply.code]).toEqual([status, code]);
  });

  test('somebody else’s file cannot be asked about, or fetched', async () => {
    const [person, stranger] = [await app.aPerson(), await app.aPerson()];
    const { file } = await attach(person, 'own.txt', 'mine');
    const reply = await stranger.call(conversations.send, {
      body: { bot: await aModelBot(stranger), message: { text: 'x', files: [file?.uuid ?? ''] } },
    });
    expect(reply.error.code).toBe('file-not-found');
    expect((await stranger.fetch(`/api/chat/file/${file?.uuid}`)).status).toBe(404);
  });
});

test('every answer is in the token history, and what is the operator’s own costs nothing', async () => {
  const person = await app.aPerson();
  await ask(person, await aModelBot(person), 'Hello');
  const { data, meta } = (await person.call(usage.history)).body;
  expect(data.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['use', 0],
    ['grant', 100_000_000],
  ]);
  expect(data[0]?.use).toMatchObject({
    serviceName: 'double-1',
    tokensIn: 10,
    tokensOut: 3,
    bot: { name: 'Model' },
    ownKey: false,
  });
  expect(meta).toMatchObject({ balance: 100_000_000, reserved: 0 });
});

test('an editor compares another service with the draft’s', async () => {
  const person = await app.aPerson();
  const bot = (await person.call(bots.create, { body: { name: 'Plain' } })).body.data.uuid;
  const reply = (
    await person.call(conversations.send, {
      body: { bot, message: { text: 'Hi' }, temporary: true, preview: { service: await modelService() } },
    })
  ).body.data;
  expect(reply.message.usage?.serviceName).toBe('double-1');
  await eventually(
    'nothing of it is listed',
    async () => (await person.call(conversations.threads, { query: { bot } })).body.data.length === 0,
  );
});
