import { readFile } from 'node:fs/promises';
import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage, ToolMessage, type AIMessageChunk } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai';
import fc from 'fast-check';
import OpenAI, { APIError } from 'openai';
import type { ResponseInput, ResponseStreamEvent } from 'openai/resources/responses/responses';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { home } from '../../../shared/contracts/home.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { knowledge } from '../../../shared/contracts/knowledge.ts';
import { services } from '../../../shared/contracts/services.ts';
import { eventually, startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse, startModelServer, usage } from '../../testing/openai.ts';

let app: TestApp;
let upstream: Awaited<ReturnType<typeof startModelServer>>;
let person: Person;
let bot: string;
let apiKey: string;
let baseURL: string;
let client: OpenAI;
beforeAll(async () => {
  upstream = await startModelServer();
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: upstream.url });
  person = await app.aPerson();
  bot = await aModelBot();
  const made = await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } });
  apiKey = made.body.data.key;
  baseURL = `${app.url}/v1`;
  client = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
});
afterAll(async () => {
  await app.stop();
  await upstream.stop();
});

async function aModelBot(): Promise<string> {
  const service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  return (await person.call(bots.create, { body: { name: 'Helper', service } })).body.data.uuid;
}

async function aShop(): Promise<string> {
  const sample = (await person.call(home.sample, { body: { locale: 'en' } })).body.data;
  await eventually(
    'the sample is read',
    async () => (await person.call(knowledge.get, { params: { uuid: sample.knowledge } })).body.data.busyCount === 0,
  );
  return sample.bot;
}

const frame = (fields: object) => JSON.stringify({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
const thought = (reasoning_content: string) => frame({ reasoning_content });
const answers = (...frames: string[]) => upstream.behave((_request, response) => sse(response, [...frames, '[DONE]']));
const sent = () => upstream.received.at(-1)?.body ?? expect.fail('nothing was asked');

/** A model that looks the weather up, and says what it was told. */
function looksUpWeather() {
  upstream.behave((request, response) => {
    const results = request.body.messages?.filter(({ role }) => role === 'tool') ?? [];
    if (results.length > 0)
      return sse(response, [
        delta(`It is ${results.map(({ content }) => content).join(' and ')}.`),
        finish(),
        '[DONE]',
      ]);
    const call = (index: number, city: string) => ({
      index,
      id: `call_${index}`,
      type: 'function',
      function: { name: 'weather', arguments: JSON.stringify({ city }) },
    });
    return sse(response, [
      thought('Look outside.'),
      frame({ tool_calls: [call(0, 'Kyoto'), call(1, 'Nara')] }),
      finish('tool_calls'),
      '[DONE]',
    ]);
  });
}
const parameters = { type: 'object' as const, properties: { city: { type: 'string' as const } } };
const weather = { type: 'function' as const, name: 'weather', description: 'The weather', parameters, strict: null };

describe('OpenAI’s client', () => {
  test('gets a whole answer with thoughts, usage and what it asked for', async () => {
    answers(thought('Hm.'), delta('Hello '), delta('there'), finish(), usage(7, 2));
    const response = await client.responses.create({
      model: bot,
      instructions: 'Be brief.',
      input: 'Hi',
      temperature: 0.2,
      max_output_tokens: 50,
      reasoning: { effort: 'high' },
    });
    expect(response).toMatchObject({
      object: 'response',
      status: 'completed',
      output_text: 'Hello there',
      instructions: 'Be brief.',
      store: false,
      output: [
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
        { type: 'message', role: 'assistant', status: 'completed' },
      ],
      usage: { input_tokens: 7, output_tokens: 2, total_tokens: 9 },
    });
    expect(sent()).toMatchObject({ temperature: 0.2, max_tokens: 50 });
    expect(sent().messages?.[0]?.content).toContain('Be brief.');
  });

  test('gets every event of an answer in OpenAI’s order', async () => {
    answers(thought('H'), thought('m.'), delta('Hello '), delta('there'), finish(), usage(7, 2));
    const stream = await client.responses.create({ model: bot, input: 'Hi', stream: true });
    const events: ResponseStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, at) => at));
    const types = events.map(({ type }) => type.replace('response.', ''));
    expect(types.filter((type, at) => type !== types[at - 1])).toEqual([
      'created',
      'in_progress',
      'output_item.added',
      'reasoning_summary_part.added',
      'reasoning_summary_text.delta',
      'reasoning_summary_text.done',
      'reasoning_summary_part.done',
      'output_item.done',
      'output_item.added',
      'content_part.added',
      'output_text.delta',
      'output_text.done',
      'content_part.done',
      'output_item.done',
      'completed',
    ]);
    const said = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []));
    expect(said.join('')).toBe('Hello there');
    expect(events.at(-1)).toMatchObject({ response: { usage: { total_tokens: 9 }, status: 'completed' } });
  });

  test('puts the streamed answer together as the whole one is', async () => {
    const shop = await aShop();
    const asked = { model: shop, input: 'How long is a gift card valid?' };
    const whole = await client.responses.create(asked);
    const streamed = await client.responses.stream(asked).finalResponse();
    for (const response of [whole, streamed]) {
      const parts = response.output.flatMap((item) => ('role' in item && item.type === 'message' ? item.content : []));
      const part = parts.find((each) => each.type === 'output_text') ?? expect.fail('no text');
      expect(part.text).toContain('one year from the day of purchase');
      const [place] = part.annotations;
      expect(place).toMatchObject({
        type: 'url_citation',
        title: 'Hinata Coffee FAQ.md',
        url: expect.stringMatching(/^http.*\/Knowledge\/.*\/documents\/.*\?chunk=/),
      });
      expect(place?.type === 'url_citation' && part.text.slice(place.start_index, place.end_index)).toBe('[1]');
      expect(response).toMatchObject({ citations: [{ number: 1, document: { name: 'Hinata Coffee FAQ.md' } }] });
    }
    expect(streamed.output_text).toBe(whole.output_text);
  });

  test('gives back all that came as its next input, with what its tools said', async () => {
    looksUpWeather();
    const input: ResponseInput = [{ role: 'user', content: 'How is the weather?' }];
    const first = await client.responses.create({ model: bot, input, tools: [weather] });
    expect(first.output).toMatchObject([
      { type: 'reasoning' },
      { type: 'function_call', call_id: 'call_0', name: 'weather', arguments: '{"city":"Kyoto"}' },
      { type: 'function_call', call_id: 'call_1', arguments: '{"city":"Nara"}' },
    ]);
    const results = ['sunny', 'wet'].map((output, at) => ({
      type: 'function_call_output' as const,
      call_id: `call_${at}`,
      output,
    }));
    // A border: what comes out may go in, says OpenAI, whose types do not agree.
    const gone = (...items: object[]) => [...input, ...items] as ResponseInput;
    const second = await client.responses.create({
      model: bot,
      input: gone(...first.output, ...results),
      tools: [weather],
    });
    expect(second.output_text).toBe('It is sunny and wet.');
    const third = await client.responses.create({
      model: bot,
      input: gone(...first.output, ...results, ...second.output, { role: 'user', content: 'And tomorrow?' }),
    });
    expect(third.status).toBe('completed');
    expect(sent().messages?.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
      'user',
    ]);
  });

  test('chooses among its tools, and asks for JSON', async () => {
    answers(delta('{"price":480}'), finish());
    const schema = { type: 'object', properties: { price: { type: 'number' } }, required: ['price'] };
    await client.responses.create({
      model: bot,
      input: 'What is the price?',
      tools: [weather, { ...weather, name: 'tides' }],
      tool_choice: { type: 'allowed_tools', mode: 'required', tools: [{ type: 'function', name: 'tides' }] },
      text: { format: { type: 'json_schema', name: 'price', schema, strict: true } },
    });
    expect(sent()).toMatchObject({
      tools: [{ function: { name: 'tides' } }],
      tool_choice: 'required',
      response_format: { type: 'json_schema', json_schema: { name: 'price', schema, strict: true } },
    });
    await client.responses.create({
      model: bot,
      input: 'And now?',
      tools: [weather],
      tool_choice: { type: 'function', name: 'weather' },
      text: { format: { type: 'json_object' } },
    });
    expect(sent()).toMatchObject({
      tool_choice: { function: { name: 'weather' } },
      response_format: { type: 'json_object' },
    });
  });

  test('brings a picture and a PDF', async () => {
    answers(delta('ok'), finish());
    const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: '#00b900' } })
      .png()
      .toBuffer();
    const file_data = `data:application/pdf;base64,${(await readFile('e2e/fixtures/guide-en.pdf')).toString('base64')}`;
    await client.responses.create({
      model: bot,
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'What is it?' },
            {
              type: 'input_image',
              image_url: `data:image/png;base64,${picture.toString('base64')}`,
              detail: 'auto',
            },
            { type: 'input_file', filename: 'guide.pdf', file_data },
          ],
        },
      ],
    });
    expect(JSON.stringify(sent())).toMatch(/What is it[^]*guide\.pdf[^]*480 yen[^]*data:image\/webp;base64/);
  });

  test.each([
    ['length', 'max_output_tokens'],
    ['content_filter', 'content_filter'],
  ])('is told that an answer is not whole (%s)', async (reason, told) => {
    answers(delta('Half'), finish(reason));
    const asked = { model: bot, input: 'Hi' };
    for (const response of [await client.responses.create(asked), await client.responses.stream(asked).finalResponse()])
      expect(response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: told },
        output_text: 'Half',
      });
  });

  test('is refused what would need something kept, in its language', async () => {
    const before = upstream.received.length;
    const refused = async (more: object, language = 'en') => {
      const error = await client.responses
        .create({ model: bot, input: 'Hi', ...more }, { headers: { 'accept-language': language } })
        .catch((failure: unknown) => failure);
      if (!(error instanceof APIError)) throw new Error('that should have been refused');
      return [error.status, error.param, error.message];
    };
    const kept = expect.stringContaining('Nothing is kept here');
    expect(await refused({ previous_response_id: 'resp_1' })).toEqual([400, 'previous_response_id', kept]);
    expect(await refused({ conversation: 'conv_1' })).toEqual([400, 'conversation', kept]);
    expect(await refused({ background: true })).toEqual([400, 'background', kept]);
    const input = [
      { type: 'item_reference', id: 'msg_1' },
      { role: 'user', content: 'Hi' },
    ];
    expect(await refused({ input })).toEqual([400, 'input.0.id', kept]);
    expect((await refused({ previous_response_id: 'resp_1' }, 'ja'))[2]).toContain('会話全体');
    expect(await refused({ prompt: { id: 'pmpt_1' } })).toEqual([400, 'prompt', expect.stringContaining('available')]);
    const picture = { type: 'input_image', image_url: 'data:image/png;base64,AAAA', detail: 'auto' };
    const seen = [
      { role: 'user', content: 'Hi' },
      { type: 'function_call_output', call_id: 'c', output: [picture] },
    ];
    expect(await refused({ input: seen })).toEqual([400, 'input.1.output', expect.stringContaining('available')]);
    expect(await refused({ input: [] })).toEqual([400, 'input', expect.any(String)]);
    expect(await refused({ tools: [{ type: 'web_search' }] })).toEqual([400, 'tools.0.type', expect.any(String)]);
    expect(upstream.received.length).toBe(before);
  });

  test('is told what is ignored', async () => {
    answers(delta('ok'), finish());
    const ignored = async (more: object) =>
      (await client.responses.create({ model: bot, input: 'Hi', ...more }).asResponse()).headers.get('x-kotae-ignored');
    expect(await ignored({})).toBeNull();
    expect(await ignored({ store: false, metadata: { a: 'b' }, previous_response_id: null })).toBeNull();
    expect(await ignored({ store: true, truncation: 'auto', stream: true })).toBe('truncation, store');
  });

  test('gets an error before the first word by its status, and after it as an event', async () => {
    upstream.behave((_request, response) => void response.writeHead(429, { 'retry-after': '3600' }).end('{}'));
    await expect(client.responses.create({ model: bot, input: 'Hi', stream: true })).rejects.toMatchObject({
      status: 429,
      code: 'provider-busy',
    });
    answers(delta('We open at'), JSON.stringify({ error: { code: 500, message: 'broken' } }));
    const stream = await client.responses.create({ model: bot, input: 'Hi', stream: true });
    let text = '';
    const failure = await (async () => {
      for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta;
    })().catch((error: unknown) => error);
    expect(text).toBe('We open at');
    expect(failure).toBeInstanceOf(APIError);
    expect(failure).toMatchObject({ code: expect.stringMatching(/^provider-/) });
  });
});

describe('the AI SDK', () => {
  const model = () => createOpenAI({ apiKey, baseURL })(bot);
  const tools = {
    weather: tool({
      description: 'The weather',
      inputSchema: jsonSchema<{ city: string }>(parameters),
      execute: async ({ city }) => `sunny in ${city}`,
    }),
  };

  test('gets a whole answer and its sources', async () => {
    const { text, sources } = await generateText({
      model: createOpenAI({ apiKey, baseURL })(await aShop()),
      prompt: 'How long is a gift card valid?',
    });
    expect(text).toContain('one year from the day of purchase');
    expect(sources).toMatchObject([{ sourceType: 'url', title: 'Hinata Coffee FAQ.md' }]);
  });

  test('streams thoughts and words', async () => {
    answers(thought('Hm.'), delta('Hello '), delta('there'), finish(), usage(7, 2));
    const result = streamText({ model: model(), prompt: 'Hi' });
    const pieces: string[] = [];
    for await (const part of result.fullStream)
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') pieces.push(part.text);
    expect(pieces.join('')).toBe('Hm.Hello there');
    expect(await result.usage).toMatchObject({ inputTokens: 7, outputTokens: 2 });
    expect(await result.finishReason).toBe('stop');
  });

  test('calls its tools by itself until it has the answer', async () => {
    looksUpWeather();
    const asked = { model: model(), prompt: 'How is the weather?', tools, stopWhen: isStepCount(3) };
    const words = 'It is sunny in Kyoto and sunny in Nara.';
    expect((await generateText(asked)).text).toBe(words);
    const streamed = streamText(asked);
    await streamed.consumeStream();
    expect((await streamed.steps).at(-1)?.text).toBe(words);
  });

  test('gets an object of its schema', async () => {
    answers(delta('{"price":480}'), finish());
    const schema = jsonSchema<{ price: number }>({
      type: 'object',
      properties: { price: { type: 'number' } },
      required: ['price'],
      additionalProperties: false,
    });
    const { output } = await generateText({ model: model(), prompt: 'Price?', output: Output.object({ schema }) });
    expect(output).toEqual({ price: 480 });
  });

  test('goes on with a conversation that it keeps itself', async () => {
    answers(delta('At nine.'), finish());
    const messages = [{ role: 'user' as const, content: 'When do you open?' }];
    const first = await generateText({ model: model(), messages });
    const next = [...messages, ...first.response.messages, { role: 'user' as const, content: 'And on Sunday?' }];
    await generateText({ model: model(), messages: next, providerOptions: { openai: { store: false } } });
    expect(
      sent()
        .messages?.slice(1)
        .map(({ content }) => content),
    ).toEqual(['When do you open?', 'At nine.', 'And on Sunday?']);
    await expect(generateText({ model: model(), messages: next, maxRetries: 0 })).rejects.toThrow('store: false');
  });
});

describe('LangChain', () => {
  const model = () => new ChatOpenAI({ model: bot, apiKey, configuration: { baseURL }, useResponsesApi: true });

  test('gets a whole answer, its tools called, and a stream', async () => {
    answers(delta('Hello '), delta('there'), finish(), usage(7, 2));
    const whole = await model().invoke('Hi');
    expect(whole).toMatchObject({ text: 'Hello there', usage_metadata: { total_tokens: 9 } });
    let streamed: AIMessageChunk | undefined;
    for await (const chunk of await model().stream('Hi')) streamed = streamed?.concat(chunk) ?? chunk;
    expect(streamed?.text).toBe('Hello there');

    looksUpWeather();
    const withTools = model().bindTools([
      { type: 'function', function: { name: 'weather', description: 'The weather', parameters } },
    ]);
    const question = new HumanMessage('How is the weather?');
    const called = await withTools.invoke([question]);
    expect(called.tool_calls?.map(({ args }) => args)).toEqual([{ city: 'Kyoto' }, { city: 'Nara' }]);
    const results = (called.tool_calls ?? []).map(
      ({ id, args }) => new ToolMessage({ tool_call_id: id ?? '', content: `mild in ${args['city']}` }),
    );
    const said = await withTools.invoke([question, called, ...results]);
    expect(said.text).toBe('It is mild in Kyoto and mild in Nara.');
    expect((await model().invoke([question, called, ...results, said, new HumanMessage('Thanks')])).text).toContain(
      'mild',
    );
  });
});

test('any body gets an answer in OpenAI’s form, and never a 500', async () => {
  answers(delta('ok'), finish());
  const part = fc.record(
    {
      type: fc.constantFrom('input_text', 'output_text', 'refusal', 'input_image', 'input_file', 'x'),
      text: fc.oneof(fc.string(), fc.jsonValue()),
      refusal: fc.string(),
      image_url: fc.constantFrom('data:image/png;base64,xx', 'data:text/html,x', 'file:///etc/passwd', 'x'),
      file_data: fc.string(),
    },
    { requiredKeys: ['type'] },
  );
  const content = fc.oneof(fc.string(), fc.array(part, { maxLength: 3 }));
  const item = fc.record(
    {
      type: fc.constantFrom('message', 'function_call', 'function_call_output', 'reasoning', 'item_reference', 'x'),
      role: fc.constantFrom('user', 'system', 'assistant', 'x'),
      id: fc.constantFrom('rs_1', 'msg_1'),
      content,
      output: content,
      call_id: fc.string(),
      name: fc.string(),
      arguments: fc.string(),
    },
    { requiredKeys: ['role'] },
  );
  const body = fc.record(
    {
      model: fc.constantFrom(bot, 'x', ''),
      input: fc.oneof(fc.array(item, { maxLength: 4 }), fc.jsonValue()),
      stream: fc.oneof(fc.boolean(), fc.jsonValue()),
      tools: fc.jsonValue(),
      tool_choice: fc.jsonValue(),
      text: fc.jsonValue(),
      reasoning: fc.jsonValue(),
    },
    { requiredKeys: ['model'] },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.jsonValue(), body), async (value) => {
      const response = await fetch(`${baseURL}/responses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(value),
      });
      expect(response.status).toBeLessThan(500);
      const text = await response.text();
      if (response.status >= 400) expect(JSON.parse(text).error.message).not.toBe('');
    }),
    { numRuns: 60 },
  );
});
