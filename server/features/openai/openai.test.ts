import { Agent, request } from 'node:http';
import { readFile } from 'node:fs/promises';
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, streamText } from 'ai';
import fc from 'fast-check';
import OpenAI, { APIError } from 'openai';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bots, emptyConfig } from '../../../shared/contracts/bots.ts';
import { home } from '../../../shared/contracts/home.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import { services } from '../../../shared/contracts/services.ts';
import { usage } from '../../../shared/contracts/usage.ts';
import type { Scope } from '../../../shared/roles.ts';
import { askStreaming, eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse, startModelServer, usage as usageChunk } from '../../testing/openai.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url });
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

async function aModelBot(person: Person, more: object = {}): Promise<string> {
  const service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  return (await person.call(bots.create, { body: { name: 'Helper', service, ...more } })).body.data.uuid;
}

async function aShop(person: Person): Promise<string> {
  const { bot, knowledge: base } = (await person.call(home.sample, { body: { locale: 'en' } })).body.data;
  await eventually(
    'the sample is read',
    async () => (await person.call(knowledge.get, { params: { uuid: base } })).body.data.busyCount === 0,
  );
  return bot;
}

async function aClient(person: Person, more: { scopes?: Scope[]; bots?: string[] } = {}): Promise<OpenAI> {
  const { key } = (
    await person.call(keys.create, {
      body: { name: 'Program', scopes: more.scopes ?? ['chat'], ...(more.bots && { bots: more.bots }) },
    })
  ).body.data;
  return new OpenAI({ apiKey: key, baseURL: `${app.url}/v1`, maxRetries: 0 });
}

const question = (content: string) => [{ role: 'user' as const, content }];

describe('the official client', () => {
  test('lists the bots as models, and finds one', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const client = await aClient(person);
    expect((await client.models.list()).data).toMatchObject([{ id: bot, object: 'model', name: 'Helper' }]);
    expect(await client.models.retrieve(bot)).toMatchObject({ id: bot });
  });

  test('gets a whole answer from the documents, with its citation', async () => {
    const person = await app.aPerson();
    const bot = await aShop(person);
    const completion = await (
      await aClient(person)
    ).chat.completions.create({ model: bot, messages: question('How long is a gift card valid?') });
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { role: 'assistant' } });
    expect(completion.choices[0]?.message.content).toContain('one year from the day of purchase');
    expect(completion).toMatchObject({ citations: [{ number: 1, document: { name: 'Hinata Coffee FAQ.md' } }] });
  });

  test('gets a streamed answer, with the usage when it asks for it', async () => {
    upstream.behave((_request, response) =>
      sse(response, [delta('Hello '), delta('there'), finish(), usageChunk(7, 2), '[DONE]']),
    );
    const person = await app.aPerson();
    const stream = await (
      await aClient(person)
    ).chat.completions.create({
      model: await aModelBot(person),
      messages: question('Hi'),
      stream: true,
      stream_options: { include_usage: true },
    });
    let text = '';
    let finished: string | null = null;
    let counted;
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? '';
      finished = chunk.choices[0]?.finish_reason ?? finished;
      counted = chunk.usage ?? counted;
    }
    expect([text, finished]).toEqual(['Hello there', 'stop']);
    expect(counted).toMatchObject({ prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 });
  });

  test('passes on what it wants otherwise, and what it says as the system', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const bot = await aModelBot(person, { instructions: 'You are a florist.' });
    await (
      await aClient(person)
    ).chat.completions.create({
      model: bot,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'First' },
        { role: 'assistant', content: 'Yes?' },
        { role: 'user', content: 'Second' },
      ],
      temperature: 0.2,
      max_tokens: 50,
      stop: ['END'],
    });
    const sent = upstream.received.at(-1)?.body;
    expect(sent).toMatchObject({ temperature: 0.2, max_tokens: 50, stop: ['END'] });
    expect(sent?.messages?.[0]?.content).toMatch(/You are a florist\.[\s\S]*Be brief\./);
    expect(sent?.messages?.slice(1)).toMatchObject([
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'Yes?' },
      { role: 'user', content: 'Second' },
    ]);
  });

  test('gets its own tool called, and an answer from what the tool gave', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Kyoto"}' } };
    upstream.behave((request, response) => {
      const last = request.body.messages?.at(-1);
      if (last?.role === 'tool') return sse(response, [delta(`It is ${last.content}.`), finish(), '[DONE]']);
      return sse(response, [
        JSON.stringify({
          choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }],
        }),
        finish('tool_calls'),
        '[DONE]',
      ]);
    });
    const person = await app.aPerson();
    const client = await aClient(person);
    const model = await aModelBot(person);
    const tools = [
      {
        type: 'function' as const,
        function: {
          name: 'weather',
          description: 'The weather',
          parameters: { type: 'object', properties: { city: { type: 'string' } } },
        },
      },
    ];
    const first = await client.chat.completions.create({ model, messages: question('How is the weather?'), tools });
    expect(first.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: null, tool_calls: [call] },
    });
    const second = await client.chat.completions.create({
      model,
      messages: [
        ...question('How is the weather?'),
        { role: 'assistant', tool_calls: [{ ...call, type: 'function' }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'sunny' },
      ],
      tools,
    });
    expect(second.choices[0]?.message.content).toBe('It is sunny.');
  });

  test('hears which calls there are where it makes another', async () => {
    const client = await aClient(await app.aPerson());
    const failed = await client.completions.create({ model: 'x', prompt: 'Hi' }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ status: 404, code: 'call-not-found' });
    expect(String(failed)).toContain(
      'GET /v1/models, GET /v1/models/:model, POST /v1/chat/completions, POST /v1/responses',
    );
  });

  test('gets errors as it knows them', async () => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const failing = async (client: OpenAI, body: object) => {
      try {
        await client.chat.completions.create({ model: bot, messages: question('Hi'), ...body });
      } catch (error) {
        if (error instanceof APIError) return [error.status, error.type, error.code];
      }
      return undefined;
    };
    const client = await aClient(person);
    expect(await failing(new OpenAI({ apiKey: 'kt_wrong', baseURL: `${app.url}/v1`, maxRetries: 0 }), {})).toEqual([
      401,
      'authentication_error',
      'invalid_api_key',
    ]);
    expect(await failing(await aClient(person, { scopes: ['read'] }), {})).toEqual([
      403,
      'permission_error',
      'scope-missing',
    ]);
    expect(await failing(client, { model: 'gpt-4' })).toEqual([404, 'invalid_request_error', 'bot-not-found']);
    expect(await failing(client, { messages: [] })).toEqual([400, 'invalid_request_error', 'validation-failed']);
    expect(
      await failing(client, {
        messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://127.0.0.1:1/x.png' } }] }],
      }),
    ).toEqual([400, 'invalid_request_error', 'address-not-allowed']);
    upstream.behave(
      (_request, response) =>
        void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":{"message":"no"}}'),
    );
    expect(await failing(client, {})).toEqual([403, 'permission_error', 'provider-key-rejected']);
  });

  test.each([
    ['refuses for good', 422, {}, '{"error":{"message":"too long"}}', [400, 'provider-refused', undefined]],
    ['is busy for an hour', 429, { 'retry-after': '3600' }, '{}', [429, 'provider-busy', '3600']],
    ['is busy', 503, {}, '{}', [429, 'provider-busy', undefined]],
    ['is broken', 500, {}, '{}', [502, 'provider-failed', undefined]],
  ])('hears once, in OpenAI’s statuses, that the provider %s', async (_, status, headers, body, wanted) => {
    const person = await app.aPerson();
    upstream.behave((_request, response) => void response.writeHead(status, headers).end(body));
    const before = upstream.received.length;
    const error = await (
      await aClient(person)
    ).chat.completions
      .create({ model: await aModelBot(person), messages: question('Hi') })
      .then(
        () => undefined,
        (failure: unknown) => failure,
      );
    if (!(error instanceof APIError)) throw new Error('that should have failed');
    expect([error.status, error.code, error.headers?.get('retry-after') ?? undefined]).toEqual(wanted);
    expect(upstream.received.length - before).toBe(1);
  });

  test('gets passed on what its provider has, and is told what it ignores', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const client = await aClient(person);
    const wishes = {
      messages: question('Hi'),
      seed: 7,
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
      max_tokens: 1_000_000,
      parallel_tool_calls: false,
      tools: [{ type: 'function' as const, function: { name: 'look', strict: true, parameters: { type: 'object' } } }],
      logit_bias: { 5: 1 },
      user: 'visitor-1',
    };
    const ask = async (model: string, stream: boolean) =>
      (await client.chat.completions.create({ model, ...wishes, stream }).asResponse()).headers.get('x-kotae-ignored');
    const bot = await aModelBot(person);
    expect([await ask(bot, false), await ask(bot, true)]).toEqual(['logit_bias', 'logit_bias']);
    expect(upstream.received.at(-1)?.body).toMatchObject({
      seed: 7,
      presence_penalty: 0.5,
      frequency_penalty: -0.5,
      parallel_tool_calls: false,
      tools: [{ function: { name: 'look', strict: true } }],
    });
    expect(upstream.received.at(-1)?.body.max_tokens).toBeLessThanOrEqual(8192);
    expect((await ask(await aShop(person), false))?.split(', ')).toEqual(
      expect.arrayContaining(['logit_bias', 'seed', 'presence_penalty', 'frequency_penalty', 'strict']),
    );
  });

  test.each([{ n: 2 }, { logprobs: true }])('is refused what no bot can give: %j', async (wish) => {
    const person = await app.aPerson();
    await expect(
      (await aClient(person)).chat.completions.create({
        model: await aModelBot(person),
        messages: question('Hi'),
        ...wish,
      }),
    ).rejects.toMatchObject({
      status: 400,
      param: Object.keys(wish)[0],
      message: expect.stringMatching(/not available here/),
    });
  });

  test('may ask at length, whatever people may write to the bot, and what is masked leaves by no message', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const bot = await aModelBot(person, {
      instructions: 'We are at shop@example.com.',
      guardrails: { ...emptyConfig.guardrails, maxQuestion: 10, maskPersonal: true },
    });
    const client = await aClient(person);
    await client.chat.completions.create({ model: bot, messages: question('tea '.repeat(99_000)) });
    await expect(
      client.chat.completions.create({ model: bot, messages: question('x'.repeat(400_001)) }),
    ).rejects.toMatchObject({ status: 422, code: 'question-too-long' });
    const mail = 'hana@example.com';
    const call = {
      id: 'c1',
      type: 'function' as const,
      function: { name: 'look', arguments: JSON.stringify({ mail }) },
    };
    await client.chat.completions.create({
      model: bot,
      messages: [
        { role: 'system', content: `Speak to ${mail}.` },
        { role: 'user', content: 'Hello' },
        // A border: some clients fill in what there is none of, which OpenAI's types do not know.
        ...([{ role: 'assistant', content: 'Hm.', tool_calls: null }] as never[]),
        { role: 'assistant', content: `Hello ${mail}`, tool_calls: [call] },
        { role: 'tool', tool_call_id: 'c1', content: mail },
        { role: 'user', content: 'And?' },
        { role: 'assistant', content: null, tool_calls: [{ ...call, id: 'c2' }] },
        { role: 'tool', tool_call_id: 'c2', content: mail },
      ],
    });
    const sent = JSON.stringify(upstream.received.at(-1)?.body.messages);
    expect(sent).not.toContain(mail);
    expect(sent).toContain('shop@example.com');
    expect(sent.match(/\[email\]/g)).toHaveLength(6);
  });

  test('asks about a PDF that it brings along, and gets citations as annotations', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const client = await aClient(person);
    const file_data = `data:application/pdf;base64,${(await readFile('e2e/fixtures/guide-en.pdf')).toString('base64')}`;
    await client.chat.completions.create({
      model: await aModelBot(person),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'file', file: { filename: 'guide.pdf', file_data } },
            { type: 'text', text: 'What is it?' },
          ],
        },
      ],
    });
    expect(upstream.received.at(-1)?.body.messages?.at(-1)?.content).toMatch(
      /What is it\?[^]*guide\.pdf[^]*Delivery within Japan costs 480 yen/,
    );
    const cited = await client.chat.completions.create({
      model: await aShop(person),
      messages: question('How long is a gift card valid?'),
    });
    const { content, annotations } = cited.choices[0]?.message ?? {};
    const [place] = annotations ?? [];
    expect(place).toMatchObject({
      type: 'url_citation',
      url_citation: {
        title: 'Hinata Coffee FAQ.md',
        url: expect.stringMatching(/^http.*\/Knowledge\/.*\/documents\/.*\?chunk=/),
      },
    });
    expect(content?.slice(place?.url_citation.start_index, place?.url_citation.end_index)).toBe('[1]');
  });

  test('gets annotations for what is cited, and for no other number in brackets', async () => {
    const said = 'Take `rows[1]` and [1](https://example.com): a gift card is valid for six months [1]. So it is.[1]';
    upstream.behave((_request, response) => sse(response, [...said].map(delta).concat(finish(), '[DONE]')));
    const person = await app.aPerson();
    const model = await aShop(person);
    const service =
      (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
    await person.call(bots.update, { params: { uuid: model }, body: { service } });
    const reply = await (
      await aClient(person)
    ).chat.completions.create({ model, messages: question('How long is a gift card valid?') });
    const { content, annotations } = reply.choices[0]?.message ?? {};
    expect(content).toBe(said);
    expect(annotations?.map(({ url_citation: { start_index } }) => start_index)).toEqual([
      said.indexOf('[1].'),
      said.length - 3,
    ]);
  });

  test('brings pictures, which are checked and made smaller', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const client = await aClient(person);
    const model = await aModelBot(person);
    const ask = (content: OpenAI.ChatCompletionContentPart[]) =>
      client.chat.completions.create({ model, messages: [{ role: 'user', content }] }).then(
        () => 'ok',
        (error: unknown) => error instanceof APIError && error.code,
      );
    const picture = (bytes: Buffer) => ({
      type: 'image_url' as const,
      image_url: { url: `data:image/png;base64,${bytes.toString('base64')}` },
    });
    const large = await sharp({ create: { width: 3000, height: 20, channels: 3, background: '#00b900' } })
      .png()
      .toBuffer();
    expect(await ask([picture(large)])).toBe('ok');
    const sent = /data:image\/webp;base64,([^"]+)/.exec(JSON.stringify(upstream.received.at(-1)?.body))?.[1] ?? '';
    expect((await sharp(Buffer.from(sent, 'base64')).metadata()).width).toBe(2000);
    const before = upstream.received.length;
    expect(await ask([picture(Buffer.from('no picture'))])).toBe('image-invalid');
    expect(await ask([picture(large.subarray(0, 60))])).toBe('image-invalid');
    expect(upstream.received).toHaveLength(before);
  });

  test('brings documents whole or not at all, and is told which one is too long', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const model = await aModelBot(person);
    const { key } = (await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } })).body.data;
    const ask = async (lengths: number[], language = 'en') => {
      const content = lengths.map((length, at) => {
        const bytes = Buffer.from(`${'word '.repeat(length / 5 - 1)}last${at}`);
        const file_data = `data:text/plain;base64,${bytes.toString('base64')}`;
        return { type: 'file', file: { filename: `${at}.txt`, file_data } };
      });
      const reply = await app.anyone.fetch('/v1/chat/completions', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'accept-language': language,
        },
        body: JSON.stringify({
          model,
          messages: [{ role: 'user', content: [{ type: 'text', text: 'So?' }, ...content] }],
        }),
      });
      return [reply.status, JSON.parse(await reply.text()).error] as const;
    };
    expect(await ask([20_000, 10_000])).toEqual([200, undefined]);
    expect(upstream.received.at(-1)?.body.messages?.at(-1)?.content).toMatch(/last0[^]*last1/);
    const before = upstream.received.length;
    for (const [lengths, name] of [
      [[30_005], '0.txt'],
      [[200_000], '0.txt'],
      [[20_000, 10_005], '1.txt'],
      [[30_000, 5], '1.txt'],
    ] as const) {
      const [status, error] = await ask([...lengths]);
      expect([status, error]).toMatchObject([400, { type: 'invalid_request_error', code: 'document-too-long' }]);
      expect(error.message).toContain(name);
      expect(error.message).toContain('30,000');
    }
    expect((await ask([30_005], 'ja'))[1].message).toMatch(/0\.txt.*30,000文字/);
    expect(upstream.received).toHaveLength(before);
  });

  test('is told of pictures and documents that came with an earlier message, which no model gets', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const file = { type: 'file' as const, file: { filename: 'a.txt', file_data: 'SGVsbG8=' } };
    const url = `data:image/png;base64,${'A'.repeat(8)}`;
    const client = await aClient(person);
    const model = await aModelBot(person);
    const ignored = async (first: OpenAI.ChatCompletionContentPart[], last: OpenAI.ChatCompletionContentPart[]) =>
      (
        await client.chat.completions
          .create({
            model,
            messages: [
              { role: 'user', content: first },
              { role: 'assistant', content: 'Yes?' },
              { role: 'user', content: [{ type: 'text', text: 'And now?' }, ...last] },
            ],
          })
          .withResponse()
      ).response.headers.get('x-kotae-ignored');
    expect(await ignored([file, { type: 'image_url', image_url: { url } }, file], [])).toBe('file, image_url');
    expect(await ignored([{ type: 'text', text: 'Hello' }], [file])).toBeNull();
  });

  test('is told of no more than twenty fields that are ignored, each once and by name', async () => {
    upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
    const person = await app.aPerson();
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`field_${at}`, 1]));
    const asked = { model: await aModelBot(person), messages: question('Hi'), 日: 1, 'a!': 1, a: 1, ...fields };
    const reply = await (await aClient(person)).chat.completions.create(asked).asResponse();
    const names = reply.headers.get('x-kotae-ignored')?.split(', ');
    expect(names).toEqual(['a', ...Array.from({ length: 19 }, (_, at) => `field_${at}`)]);
  });

  test('reaches only the bots that its key is for, and nobody else’s', async () => {
    const [person, stranger] = [await app.aPerson(), await app.aPerson()];
    const [one, other] = [await aModelBot(person), await aModelBot(person)];
    const client = await aClient(person, { bots: [one] });
    expect((await client.models.list()).data.map(({ id }) => id)).toEqual([one]);
    await expect(client.chat.completions.create({ model: other, messages: question('Hi') })).rejects.toMatchObject({
      status: 404,
    });
    await expect(
      (await aClient(stranger)).chat.completions.create({ model: one, messages: question('Hi') }),
    ).rejects.toMatchObject({ status: 404 });
  });

  test('that goes away in the middle closes the upstream', async () => {
    let closed = false;
    upstream.behave((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const timer = setInterval(() => response.write(`data: ${delta('word ')}\n\n`), 10);
      response.on('close', () => {
        clearInterval(timer);
        closed = true;
      });
    });
    const person = await app.aPerson();
    const stream = await (
      await aClient(person)
    ).chat.completions.create({ model: await aModelBot(person), messages: question('Tell'), stream: true });
    for await (const _ of stream) break;
    stream.controller.abort();
    await eventually('the upstream is closed', async () => closed);
    await eventually('what was delivered is in the history', async () =>
      (await person.call(usage.history)).body.data.some(
        ({ kind, use }) => kind === 'use' && use?.channel === 'api' && use.tokensOut > 0,
      ),
    );
  });
});

describe('a letter that a model cuts in two', () => {
  const laugh = '\ud83d\ude00';
  const [high = '', low = ''] = laugh.split('');
  const thought = (reasoning: string) =>
    JSON.stringify({ choices: [{ index: 0, delta: { reasoning_content: reasoning }, finish_reason: null }] });
  type Piece = readonly ['text' | 'thought', string];
  /** Each piece is in a read of its own, longer after the one before than anybody waits to pass it on. */
  const speak = (pieces: readonly Piece[]) =>
    upstream.behave(async (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const [kind, piece] of pieces) {
        response.write(`data: ${kind === 'text' ? delta(piece) : thought(piece)}\n\n`);
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
      response.end(`data: ${finish()}\n\ndata: [DONE]\n\n`);
    });
  const doors = {
    async '/v1'(person: Person, bot: string): Promise<Piece[]> {
      const client = await aClient(person);
      const stream = await client.chat.completions.create({ model: bot, messages: question('Hi'), stream: true });
      const pieces: Piece[] = [];
      for await (const { choices } of stream) {
        const said: { content?: string | null; reasoning_content?: string } = choices[0]?.delta ?? {};
        if (said.content) pieces.push(['text', said.content]);
        if (said.reasoning_content) pieces.push(['thought', said.reasoning_content]);
      }
      return pieces;
    },
    async 'the chat'(person: Person, bot: string): Promise<Piece[]> {
      return (await askStreaming(person, { bot, message: { text: 'Hi' } })).flatMap((event): Piece[] => {
        if (event.type === 'delta') return [['text', event.text]];
        return event.type === 'reasoning' ? [['thought', event.text]] : [];
      });
    },
  };
  const joined = (pieces: readonly Piece[], kind: Piece[0]) =>
    pieces.flatMap(([of, piece]) => (of === kind ? [piece] : [])).join('');

  test.each(['/v1', 'the chat'] as const)('is whole in every piece that %s passes on', async (door) => {
    const person = await app.aPerson();
    const bot = await aModelBot(person);
    const cases: Piece[][] = [
      [
        ['text', `So ${high}`],
        ['text', low],
      ],
      [
        ['text', high],
        ['text', `${low}${high}`],
        ['text', `${low}${high}`],
        ['text', `${low}!`],
      ],
      [
        ['thought', `Hm ${high}`],
        ['thought', `${low} yes`],
        ['text', 'Ok'],
      ],
      // What comes between the halves of one letter is another text.
      [
        ['thought', high],
        ['text', high],
        ['thought', low],
        ['text', low],
      ],
      // Halves that stay alone, at the end, in the middle and at the beginning.
      [['text', `So ${high}`]],
      [
        ['text', `So ${high}`],
        ['text', 'what'],
      ],
      [
        ['text', `${low} so ${high}${laugh}`],
        ['text', `${low}.`],
      ],
    ];
    for (const pieces of cases) {
      speak(pieces);
      const passed = await doors[door](person, bot);
      expect(passed.filter(([, piece]) => !piece.isWellFormed())).toEqual([]);
      for (const kind of ['text', 'thought'] as const)
        expect(joined(passed, kind)).toBe(joined(pieces, kind).toWellFormed());
    }
  });

  test('and never ends is no half in a whole answer either', async () => {
    const person = await app.aPerson();
    const client = await aClient(person);
    speak([
      ['text', `So ${high}`],
      ['text', 'what'],
      ['text', high],
    ]);
    const { choices } = await client.chat.completions.create({
      model: await aModelBot(person),
      messages: question('Hi'),
    });
    expect(choices[0]?.message.content).toBe('So \ufffdwhat\ufffd');
  });
});

test('any body gets an answer in OpenAI’s form, and never a 500', async () => {
  upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  const { key } = (await person.call(keys.create, { body: { name: 'Fuzz', scopes: ['chat'] } })).body.data;
  const part = fc.oneof(
    fc.jsonValue(),
    fc.record({
      type: fc.constantFrom('text', 'image_url', 'file'),
      text: fc.string(),
      image_url: fc.record({
        url: fc.constantFrom('data:image/png;base64,xx', 'data:text/html,x', 'file:///etc/passwd', 'x'),
      }),
    }),
  );
  const message = fc.record(
    {
      role: fc.constantFrom('user', 'system', 'assistant', 'tool', 'x'),
      content: fc.oneof(fc.string(), fc.array(part, { maxLength: 3 })),
      tool_call_id: fc.string(),
    },
    { requiredKeys: ['role'] },
  );
  const body = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        model: fc.constantFrom(bot, 'x', ''),
        messages: fc.oneof(fc.array(message, { maxLength: 4 }), fc.jsonValue()),
        stream: fc.oneof(fc.boolean(), fc.jsonValue()),
        temperature: fc.oneof(fc.double(), fc.jsonValue()),
        tools: fc.jsonValue(),
        tool_choice: fc.jsonValue(),
        stop: fc.jsonValue(),
      },
      { requiredKeys: ['model'] },
    ),
  );
  await fc.assert(
    fc.asyncProperty(body, async (value) => {
      const response = await fetch(`${app.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify(value),
      });
      const text = await response.text();
      expect([response.status, text]).not.toEqual([500, expect.anything()]);
      if (response.status >= 400)
        expect(JSON.parse(text)).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } });
    }),
    { numRuns: 150 },
  );
});

test('the AI SDK streams and answers through it, too', async () => {
  upstream.behave((_request, response) => sse(response, [delta('Good '), delta('day'), finish(), '[DONE]']));
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  const { key } = (await person.call(keys.create, { body: { name: 'SDK', scopes: ['chat'] } })).body.data;
  const model = createOpenAICompatible({ name: 'kotae', baseURL: `${app.url}/v1`, apiKey: key })(bot);
  expect((await generateText({ model, prompt: 'Hi', maxRetries: 0 })).text).toBe('Good day');
  let text = '';
  for await (const part of streamText({ model, prompt: 'Hi', maxRetries: 0 }).textStream) text += part;
  expect(text).toBe('Good day');
});

test('LangChain answers, streams and calls tools through it', async () => {
  const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Kyoto"}' } };
  upstream.behave((request, response) => {
    const last = request.body.messages?.at(-1);
    if (last?.role === 'tool') return sse(response, [delta(`It is ${last.content}.`), finish(), '[DONE]']);
    if (last?.content !== 'How is the weather?')
      return sse(response, [delta('Good '), delta('day'), finish(), usageChunk(7, 2), '[DONE]']);
    return sse(response, [
      JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...call }] }, finish_reason: null }] }),
      finish('tool_calls'),
      '[DONE]',
    ]);
  });
  const person = await app.aPerson();
  const bot = await aModelBot(person);
  const { key } = (await person.call(keys.create, { body: { name: 'Chain', scopes: ['chat'] } })).body.data;
  const model = new ChatOpenAI({ model: bot, apiKey: key, configuration: { baseURL: `${app.url}/v1` }, maxRetries: 0 });
  const answered = await model.invoke('Hi');
  expect([answered.text, answered.usage_metadata]).toMatchObject(['Good day', { input_tokens: 7, output_tokens: 2 }]);
  let text = '';
  for await (const chunk of await model.stream([new SystemMessage('Be brief.'), new HumanMessage('Hi')]))
    text += chunk.text;
  expect(text).toBe('Good day');
  const able = model.bindTools([
    {
      type: 'function',
      function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
    },
  ]);
  const asking = await able.invoke('How is the weather?');
  expect(asking.tool_calls).toMatchObject([{ name: 'weather', args: { city: 'Kyoto' } }]);
  const told = new ToolMessage({ tool_call_id: 'call_1', content: 'sunny' });
  expect((await able.invoke([new HumanMessage('How is the weather?'), asking, told])).text).toBe('It is sunny.');
});

test('a connection that asks many times holds nothing of the answers it had', async () => {
  upstream.behave((_request, response) => sse(response, [delta('ok'), finish(), '[DONE]']));
  const person = await app.aPerson();
  const body = JSON.stringify({ model: await aModelBot(person), messages: question('Hi') });
  const { apiKey } = await aClient(person);
  const heard = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const headers = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const ports = new Set<number | undefined>();
  for (let turn = 0; turn < 15; turn++)
    await new Promise<void>((resolve) =>
      request(`${app.url}/v1/chat/completions`, { method: 'POST', agent, headers }, (response) => {
        ports.add(response.socket.localPort);
        response.resume().once('end', resolve);
      }).end(body),
    );
  agent.destroy();
  const warnings = heard.mock.calls.map(([warning]) => String(warning));
  heard.mockRestore();
  expect([ports.size, warnings]).toEqual([1, []]);
});

test('an answer of nothing but white space is read in time with its length', async () => {
  const person = await app.aPerson();
  const client = await aClient(person);
  const bot = await aModelBot(person);
  const cost = async (chunks: number, head: string) => {
    upstream.behave((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        [head, ...Array<string>(chunks).fill('\t'), 'x'].map((text) => `data: ${delta(text)}\n\n`).join('') +
          `data: ${finish()}\n\ndata: [DONE]\n\n`,
      );
    });
    const begun = process.threadCpuUsage();
    await client.chat.completions.create({ model: bot, messages: question('Hi') });
    const { user, system } = process.threadCpuUsage(begun);
    return (user + system) / 1000;
  };
  for (const head of ['\n', '<think>Hm.</think>']) {
    await cost(500, head);
    const small = await cost(1500, head);
    expect(await cost(24_000, head)).toBeLessThan(40 * Math.max(small, 25));
  }
});
