import { createServer } from 'node:http';
import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createOutbound } from '../../infra/outbound.ts';
import { translate } from '../../infra/translate.ts';
import { begin, goodKey, joined, json, startDouble, stream, type Double } from '../../testing/models/double.ts';
import { wire as chatCompletions } from '../../testing/models/openai-compatible.ts';
import { wires } from '../../testing/models/wires.ts';
import { describe as describeModel, priceOn, thinkingOf, thinkingRoom } from './catalogue.ts';
import type { ModelConnection, ModelEvent, ModelMessage, ModelProvider, ModelRequest, ToolCall } from './model.ts';
import { abilitiesOf } from './openai.ts';
import { createModelProviders, findProvider, modelProviders } from './registry.ts';

const providers = createModelProviders({ startMs: 20_000, idleMs: 20_000 });
const startMs = 2000;
const idleMs = 150;
/** Longer than silence may be within a text. */
const longMs = 1200;
/** What is tested of them is how long they wait, which on a busy machine may be too short for anything else. */
const hasty = createModelProviders({ startMs, idleMs });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const never = new AbortController().signal;

const weather = {
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
};
const ask = (text: string, more: Partial<ModelRequest> = {}): Partial<ModelRequest> => ({
  messages: [{ role: 'user', text }],
  ...more,
});

async function collect(connection: ModelConnection, request: ModelRequest, signal = never) {
  const events: ModelEvent[] = [];
  let error: unknown;
  try {
    for await (const event of connection.stream(request, signal)) events.push(event);
  } catch (thrown) {
    error = thrown;
  }
  return { events, error, ...told(events) };
}

function told(events: ModelEvent[]) {
  const joinedOf = (type: 'text' | 'reasoning') =>
    events.flatMap((event) => (event.type === type ? [event.text] : [])).join('');
  return {
    text: joinedOf('text'),
    reasoning: joinedOf('reasoning'),
    calls: events.flatMap((event) => (event.type === 'call' ? [event.call] : [])),
    replay: events.findLast((event) => event.type === 'replay')?.replay,
    usage: events.findLast((event) => event.type === 'usage'),
    finish: events.findLast((event) => event.type === 'finish')?.reason,
  };
}

/** Everything a log or a reply could take from an error. */
function allOf(error: unknown): string {
  let text = '';
  for (let each = error; each instanceof Error; each = each.cause)
    text += `${each.message}\n${each.stack}\n${JSON.stringify(each)}\n${JSON.stringify(each, Object.getOwnPropertyNames(each))}\n${each instanceof AppError ? JSON.stringify(each.details) : ''}`;
  return text;
}

test('the registry has every provider once, the keyless one first, and a double for each of the others', () => {
  const names = modelProviders.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names[0]).toBe('built-in');
  expect(findProvider('google')?.title).toBe('Google');
  expect(findProvider('nobody')).toBeUndefined();
  expect(wires.map(({ name }) => name)).toEqual(names.slice(1));
});

test('each has a picture that brings nothing along and asks for nothing', () => {
  for (const { picture } of modelProviders) {
    expect(picture).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 32 32">.+<\/svg>$/);
    expect(picture).not.toMatch(/<script|<style|\bon\w+=|href|url\(/i);
  }
});

test('each says where its key is made and what the operator sets, in one sentence for each variable', () => {
  for (const { kind, keyUrl, operator, catalogue } of modelProviders) {
    expect(keyUrl?.startsWith('https://') ?? false).toBe(kind === 'vendor');
    expect(catalogue.length > 0).toBe(kind === 'vendor');
    for (const [name, schema] of Object.entries(operator.settings)) {
      expect(name).toMatch(/^[A-Z][A-Z0-9_]+$/);
      expect(schema.meta()?.['description']).toMatch(/^[A-Z].+\.$/);
    }
    expect(operator.read({}) === undefined).toBe(kind === 'vendor');
  }
});

test('each form says which field is a secret, and wants what the provider needs', () => {
  for (const { kind, settings } of modelProviders) {
    if (!settings) continue;
    expect(settings.shape['apiKey']?.meta()).toEqual({ title: 'API key', secret: true });
    expect(settings.safeParse({ apiKey: 'k' }).success).toBe(kind === 'vendor');
    expect(settings.safeParse({}).success).toBe(false);
  }
  const { settings } = findProvider('openai-compatible')!;
  expect(settings?.safeParse({ baseUrl: 'http://ollama:11434/v1' }).success).toBe(true);
  expect(settings?.safeParse({ baseUrl: 'file:///etc/passwd' }).success).toBe(false);
});

test('each catalogue has every model once, dated and with its source', () => {
  for (const { catalogue } of modelProviders) {
    expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length);
    for (const { source, asOf, price, later = [] } of catalogue) {
      expect(later.map(({ from }) => from)).toEqual(later.map(({ from }) => from).toSorted());
      for (const { from } of later) expect(new Date(from).toISOString().slice(0, 10)).toBe(from);
      expect(source).toMatch(/^https:\/\//);
      expect(new Date(asOf).toISOString().slice(0, 10)).toBe(asOf);
      if (price) expect(price.cached).toBeLessThanOrEqual(price.in);
    }
  }
});

test('a price counts from its day', () => {
  const argon = findProvider('google')!.catalogue.find(({ id }) => id === 'gemini-4-argon')!;
  expect(priceOn(argon, '2026-11-22')).toMatchObject({ price: { in: 2, out: 10 }, pricedAt: argon.asOf });
  expect(priceOn(argon, '2026-11-30').price).toMatchObject({ in: 2 });
  for (const day of ['2026-12-01', '2027-06-01'])
    expect(priceOn(argon, day)).toMatchObject({ price: { in: 4, out: 20, cached: 0.2 }, pricedAt: '2026-12-01' });
  const sol = findProvider('openai')!.catalogue.find(({ id }) => id === 'gpt-6.2-sol')!;
  expect(priceOn(sol, '2026-11-22').price).toMatchObject({
    in: 2,
    out: 10,
    cacheWrite: 2.5,
    long: { above: 272_000, in: 4, out: 15 },
  });
});

test('a dated model is told from the one without a date', () => {
  const listed = { contextTokens: 1, capabilities: [] };
  const { catalogue } = findProvider('anthropic')!;
  expect(describeModel(catalogue, { id: 'claude-haiku-4-5', ...listed })).toMatchObject({
    name: 'Claude Haiku 4.5',
    contextTokens: 200_000,
  });
  expect(describeModel(catalogue, { id: 'claude-haiku-4-5-20251001', ...listed })).toMatchObject({
    id: 'claude-haiku-4-5-20251001',
    name: 'Claude Haiku 4.5 (2025-10-01)',
    contextTokens: 200_000,
  });
  expect(describeModel([], { id: 'claude-haiku-4-5', ...listed })).toEqual({
    id: 'claude-haiku-4-5',
    name: 'claude-haiku-4-5',
    ...listed,
  });
});

test('the built-in model needs no key, quotes what it was given and stops when told', async () => {
  const connection = findProvider('built-in')!.connect({
    apiKey: undefined,
    baseUrl: undefined,
    outbound: createOutbound([]),
  });
  expect((await connection.listModels(never)).map(({ id }) => id)).toEqual(['extractive', 'sample']);
  const request: ModelRequest = {
    model: 'extractive',
    messages: [{ role: 'user', text: 'When do you open?' }],
    passages: [{ number: 1, title: 'Hours', headings: [], page: null, text: 'We open at nine.' }],
    refusal: 'No.',
    maxTokens: 100,
  };
  const { text, finish } = await collect(connection, request);
  expect(text).toContain('We open at nine. [1]');
  expect(finish).toBe('stop');
  const stopped = connection.stream(request, AbortSignal.abort(new Error('stopped')));
  await expect(stopped[Symbol.asyncIterator]().next()).rejects.toThrow('stopped');
});

test.each([
  ['sentences', 'The pool is warm. プールは温水です。'],
  ['one sentence', 'pool プール '],
  ['rows', '| pool | 8 |\n'],
  ['records', 'pool: 8\nsauna: 9\n\n'],
  ['items', '- pool プール\n'],
  ['questions', 'Is there a pool?\n'],
  ['blanks', '|  \n   '],
])('what the built-in model does grows no faster than a passage of %s', async (_, part) => {
  const connection = findProvider('built-in')!.connect({
    apiKey: undefined,
    baseUrl: undefined,
    outbound: createOutbound([]),
  });
  const msFor = async (count: number) => {
    const passages = [{ number: 1, title: 'Hotel', headings: [], page: null, text: part.repeat(count) }];
    const messages = [{ role: 'user' as const, text: 'When does the pool open? プールは何時からですか' }];
    const started = process.cpuUsage();
    await collect(connection, { model: 'extractive', messages, passages, refusal: 'No.', maxTokens: 100 });
    // Of the processor's time: what else runs at the same time takes none of it.
    return process.cpuUsage(started).user / 1000;
  };
  await msFor(200);
  const small = await msFor(200);
  expect(await msFor(16 * 200)).toBeLessThan(16 * 6 * Math.max(small, 2));
});

describe.each(wires)('$name', (wire) => {
  let double: Double;

  beforeAll(async () => void (double = await startDouble(wire)));
  afterAll(() => double.stop());
  afterEach(() => void (double.received.length = 0));

  function connect({
    apiKey = goodKey,
    baseUrl = double.url,
    from = providers,
  }: { apiKey?: string; baseUrl?: string; from?: ModelProvider[] } = {}): ModelConnection {
    return from
      .find(({ name }) => name === wire.name)!
      .connect({ apiKey, baseUrl, outbound: createOutbound([new URL(baseUrl).host]) });
  }
  const answer = (more: Partial<ModelRequest> = {}, signal = never, connection = connect()) =>
    collect(
      connection,
      {
        model: wire.model,
        messages: [{ role: 'user', text: 'Hi' }],
        passages: [],
        refusal: '',
        maxTokens: 4000,
        ...more,
      },
      signal,
    );
  const seen = () => wire.seen(double.last().body);

  test('tells a text as it comes, then what it used, then that it is over', async () => {
    double.say({ text: ['Hel', 'lo ', 'there'], tokens: { in: 120, out: 7, cached: 100 } });
    const { events, text } = await answer();
    expect(text).toBe('Hello there');
    expect(events.slice(-2)).toEqual([
      { type: 'usage', tokensIn: 120, tokensOut: 7, tokensCached: 100 },
      { type: 'finish', reason: 'stop' },
    ]);
    // One read of the network, one event.
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(1);
    expect(seen().maxTokens).toBe(4000);
  });

  test('tells a text before its end is there', async () => {
    let end = () => {};
    const frames = wire.frames({ text: ['first', 'second'] });
    const second = frames.findIndex((frame) => frame.includes('second'));
    double.behave(({ response }) => {
      begin(response).write(joined(frames.slice(0, second)));
      end = () => void response.end(joined(frames.slice(second)));
    });
    const texts: string[] = [];
    for await (const event of connect().stream(
      { model: wire.model, messages: [{ role: 'user', text: 'Hi' }], passages: [], refusal: '', maxTokens: 100 },
      never,
    )) {
      if (event.type !== 'text') continue;
      texts.push(event.text);
      end();
    }
    expect(texts).toEqual(['first', 'second']);
  });

  test('puts rules, history and the question in their places', async () => {
    double.say({ text: ['ok'] });
    const messages: ModelMessage[] = [
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'One?' },
      { role: 'assistant', text: 'Two.' },
      { role: 'user', text: 'Three?' },
    ];
    const { error } = await answer({ messages });
    expect(error).toBeUndefined();
    const { system, messages: sent } = seen();
    expect(system).toBe('Be kind.');
    expect(sent.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'One?'],
      ['assistant', 'Two.'],
      ['user', 'Three?'],
    ]);
  });

  test('takes a history that begins with a greeting', async () => {
    double.say({ text: ['ok'] });
    const { text } = await answer({
      messages: [
        { role: 'assistant', text: 'Welcome!' },
        { role: 'user', text: 'Hi' },
      ],
    });
    expect(text).toBe('ok');
    expect(seen().messages.some((message) => message.text === 'Welcome!')).toBe(true);
  });

  test('tells what the model thinks apart from what it says', async () => {
    double.say({ reasoning: ['Let me ', 'think.'], text: ['42'] });
    const { reasoning, text, error } = await answer({ reasoning: 'medium', thinkingTokens: 2000 });
    expect(error).toBeUndefined();
    expect(reasoning).toBe('Let me think.');
    expect(text).toBe('42');
    // The limit that vendors have is of both together.
    expect(seen().maxTokens).toBe(6000);
    if (wire.hasBudget) expect(seen().budget).toBe(2000);
  });

  test('asks each model only for what it documents of thinking', async () => {
    double.say({ text: ['42'] });
    for (const model of wire.thinkers)
      for (const reasoning of ['none', 'low', 'medium', 'high', undefined] as const) {
        const { error } = await answer({ model, reasoning, thinkingTokens: reasoning === 'none' ? 0 : 2000 });
        expect([model, reasoning, error instanceof AppError && error.details]).toEqual([model, reasoning, false]);
      }
  });

  test('asks a model not to think', async () => {
    double.say({ text: ['42'] });
    expect((await answer({ reasoning: 'none' })).text).toBe('42');
  });

  test('calls a tool, and goes on with what it gave, thoughts included', async () => {
    double.say({
      reasoning: ['I need the weather.'],
      text: ['One moment.'],
      calls: [{ id: 'call_1', name: 'get_weather', pieces: ['{"ci', 'ty":"Tō', 'kyō"}'] }],
    });
    const first = await answer(
      ask('Weather in Tokyo?', { tools: [weather], reasoning: 'medium', thinkingTokens: 2000 }),
    );
    expect(first.finish).toBe('tools');
    expect(first.calls).toHaveLength(1);
    const call = first.calls[0]!;
    expect(JSON.parse(call.input)).toEqual({ city: 'Tōkyō' });
    expect(seen().tools).toEqual(['get_weather']);

    double.say({ text: ['Sunny.'] });
    const messagesWith = (calls: ToolCall[], replay?: unknown): ModelMessage[] => [
      { role: 'user', text: 'Weather in Tokyo?' },
      { role: 'assistant', text: first.text, calls, ...(replay !== undefined && { replay }) },
      { role: 'tool', id: call.id, name: call.name, text: 'sunny, 24°' },
    ];
    // They may have been stored, or sent to another process.
    const messages = messagesWith(
      JSON.parse(JSON.stringify(first.calls)),
      first.replay && JSON.parse(JSON.stringify(first.replay)),
    );
    const second = await answer({ messages, tools: [weather], reasoning: 'medium', thinkingTokens: 2000 });
    expect(second.error).toBeUndefined();
    expect(second.text).toBe('Sunny.');
    const sent = seen().messages;
    expect(sent.flatMap(({ calls = [] }) => calls)).toEqual([{ name: 'get_weather', input: { city: 'Tōkyō' } }]);
    expect(sent.at(-1)).toMatchObject({ role: 'tool', text: 'sunny, 24°' });
    expect(sent.flatMap(({ role, text }) => (role === 'assistant' && text ? [text] : []))).toEqual(['One moment.']);
    if (wire.thinksOn) expect(sent.flatMap(({ thoughts = [] }) => thoughts)).toEqual(wire.thinksOn);
    if (wire.signature) expect(JSON.stringify(double.last().body)).toContain(wire.signature);

    // What was masked since goes out masked.
    const masked = messagesWith([{ ...call, input: '{"city":"[city]"}' }], first.replay).map((message) =>
      message.role === 'assistant' ? { ...message, text: 'One [time].' } : message,
    );
    expect((await answer({ messages: masked, tools: [weather], reasoning: 'medium', thinkingTokens: 2000 })).text).toBe(
      'Sunny.',
    );
    const hidden = seen().messages.filter(({ role }) => role === 'assistant');
    expect(hidden.map(({ text }) => text).join('')).toBe('One [time].');
    expect(hidden.flatMap(({ calls = [] }) => calls)).toEqual([{ name: 'get_weather', input: { city: '[city]' } }]);

    // The same from a client, who was never told what was behind the call, and by another model, whose thoughts they are not.
    const told: Partial<ModelRequest> = {
      messages: messagesWith(first.calls),
      tools: [weather],
      reasoning: 'medium',
      thinkingTokens: 2000,
    };
    expect((await answer(told)).text).toBe('Sunny.');
    const other = await answer({ ...told, messages, model: wire.lists.find((id) => id !== wire.model) ?? 'another' });
    expect([other.text, other.error]).toEqual(['Sunny.', undefined]);
    expect(seen().messages.flatMap(({ thoughts = [] }) => thoughts)).toEqual([]);
  });

  test('calls two tools at once, and takes both results', async () => {
    double.say({
      reasoning: ['Two of them.'],
      calls: [
        { id: 'a', name: 'get_weather', pieces: ['{"city":', '"Ōsaka"}'] },
        { id: 'b', name: 'get_weather', pieces: ['{"city":', '"Nara"}'] },
      ],
    });
    const thinking: Partial<ModelRequest> = { tools: [weather], reasoning: 'medium', thinkingTokens: 2000 };
    const first = await answer(ask('Ōsaka and Nara?', thinking));
    expect(first.calls.map(({ input }) => JSON.parse(input))).toEqual([{ city: 'Ōsaka' }, { city: 'Nara' }]);
    expect(new Set(first.calls.map(({ id }) => id)).size).toBe(2);
    double.say({ text: ['Both dry.'] });
    const results = first.calls.map((call): ModelMessage => ({
      role: 'tool',
      id: call.id,
      name: call.name,
      text: 'dry',
    }));
    const second = await answer({
      messages: [
        { role: 'user', text: 'Ōsaka and Nara?' },
        { role: 'assistant', text: '', calls: first.calls, replay: first.replay },
        ...results,
      ],
      ...thinking,
    });
    expect(second.text).toBe('Both dry.');
    if (wire.thinksOn?.includes('I need the weather.'))
      expect(seen().messages.flatMap(({ thoughts = [] }) => thoughts)).toContain('Two of them.');
    if (wire.hasBudget) expect(seen().budget).toBe(2000);
    expect(seen().messages.filter(({ role }) => role === 'tool')).toHaveLength(2);
  });

  test('goes on after a call whose input was no JSON', async () => {
    double.say({ text: ['Sorry.'] });
    const call: ToolCall = { id: 'x', name: 'get_weather', input: wire === chatCompletions ? '{}' : '{"city":' };
    const { text, error } = await answer({
      messages: [
        { role: 'user', text: 'Hi' },
        { role: 'assistant', text: '', calls: [call] },
        { role: 'tool', id: 'x', name: 'get_weather', text: 'bad input' },
      ],
      tools: [weather],
    });
    expect(error).toBeUndefined();
    expect(text).toBe('Sorry.');
  });

  test('shows a picture', async () => {
    double.say({ text: ['A dot.'] });
    const bytes = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg==',
      'base64',
    );
    const { text, error } = await answer({
      messages: [{ role: 'user', text: 'What is it?', files: [{ name: 'dot.png', mime: 'image/png', bytes }] }],
    });
    expect(error).toBeUndefined();
    expect(text).toBe('A dot.');
    expect(seen().messages).toMatchObject([
      { role: 'user', text: 'What is it?', images: [`data:image/png;base64,${bytes.toString('base64')}`] },
    ]);
  });

  test.each(['stop', 'length', 'filter'] as const)('says why it ended: %s', async (finish) => {
    if (wire.hasNoFilter && finish === 'filter') return;
    double.say({ text: ['Well'], finish });
    expect((await answer()).finish).toBe(finish);
  });

  test('says it, and in the vendor’s words, when it ended without an answer', async () => {
    for (const [ends, meaning] of Object.entries(wire.endings)) {
      double.say({ ends });
      const { finish, error, usage } = await answer();
      expect([ends, finish ?? (error instanceof AppError && error.code)]).toEqual([ends, meaning]);
      if (meaning === 'provider-refused') expect(error).toMatchObject({ details: { reason: ends } });
      expect(usage).toMatchObject({ tokensIn: 10, tokensOut: 5 });
    }
  });

  test('ends where it was told to', async () => {
    // Vendors end by themselves, and are told so; what cannot be told is cut here.
    double.say(wire.hasNoStops ? { text: ['One', '. E', 'ND two', ' three'] } : { text: ['One', '. '] });
    const { text, finish, usage } = await answer({ stop: ['never', 'END'] });
    expect(text).toBe('One. ');
    expect(finish).toBe('stop');
    expect(usage).toMatchObject({ tokensOut: 5 });
    if (!wire.hasNoStops) expect(JSON.stringify(double.last().body)).toContain('["never","END"]');
  });

  test('a wish that is beyond what the vendor takes is brought within it', async () => {
    double.say({ text: ['ok'] });
    for (const [temperature, topP] of [
      [2, 1],
      [0, 0],
    ] as const) {
      const { error } = await answer({ temperature, topP, stop: ['\n\n', ' '] });
      expect(error instanceof AppError && error.details).toBe(false);
    }
  });

  test('a stop closes the connection at once', async () => {
    const frames = wire.frames({ text: ['Once', 'upon'] });
    double.behave(
      ({ response }) =>
        void begin(response).write(
          joined(
            frames.slice(
              0,
              frames.findIndex((frame) => frame.includes('upon')),
            ),
          ),
        ),
    );
    const stop = new AbortController();
    let at = 0;
    const events = connect().stream(
      { model: wire.model, messages: [{ role: 'user', text: 'Tell' }], passages: [], refusal: '', maxTokens: 100 },
      stop.signal,
    );
    const reading = (async () => {
      for await (const event of events) {
        if (event.type !== 'text') continue;
        at = Date.now();
        stop.abort(new Error('stopped'));
      }
    })();
    await expect(reading).rejects.toThrow('stopped');
    await expect.poll(() => double.last().closedAt, { interval: 5, timeout: 1000 }).toBeGreaterThan(0);
    expect(double.last().closedAt - at).toBeLessThan(500);
  });

  test('a stop before the first byte closes it too', async () => {
    const stop = new AbortController();
    double.behave(() => stop.abort(new Error('stopped')));
    expect((await answer({}, stop.signal)).error).toMatchObject({ message: 'stopped' });
    await expect.poll(() => double.last().closedAt, { interval: 5, timeout: 500 }).toBeGreaterThan(0);
  });

  test('a reader that walks away closes the connection too', async () => {
    const frames = wire.frames({ text: ['Once', 'upon'] });
    double.behave(
      ({ response }) =>
        void begin(response).write(
          joined(
            frames.slice(
              0,
              frames.findIndex((frame) => frame.includes('upon')),
            ),
          ),
        ),
    );
    for await (const event of connect().stream(
      { model: wire.model, messages: [{ role: 'user', text: 'Tell' }], passages: [], refusal: '', maxTokens: 100 },
      never,
    ))
      if (event.type === 'text') break;
    await expect.poll(() => double.last().closedAt, { interval: 5, timeout: 500 }).toBeGreaterThan(0);
  });

  test('a connection serves one answer after the other', async () => {
    double.say({ text: ['ok'] });
    const connection = connect();
    for (let turn = 0; turn < 3; turn++) {
      expect((await answer({}, never, connection)).text).toBe('ok');
      // The end of the body may come after the end of the answer.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    expect(new Set(double.received.map((asked) => asked.connection)).size).toBe(1);
  });

  test('a key that the vendor does not know is named as such, and told to nobody', async () => {
    const apiKey = 'sk-canary-77f0a1';
    const connection = connect({ apiKey });
    for (const error of [
      (await answer({}, never, connection)).error,
      await connection.listModels(never).catch((thrown: unknown) => thrown),
    ]) {
      expect(error).toMatchObject({ name: 'AppError', code: 'provider-key-rejected' });
      expect(allOf(error)).not.toContain(apiKey);
    }
    expect(await answer({}, never, connect({ apiKey: 'キー' }))).toMatchObject({
      error: { code: 'provider-key-rejected' },
    });
  });

  test.each([
    [429, 'provider-busy', { retryAfterMs: 7000 }, { 'retry-after': '7' }],
    [429, 'provider-busy', { retryAfterMs: 86_400_000 }, { 'retry-after': '999999' }],
    [503, 'provider-busy', {}, {}],
    [529, 'provider-busy', {}, {}],
    [500, 'provider-unreachable', {}, {}],
    [404, 'provider-refused', {}, {}],
    [403, 'provider-refused', {}, {}],
    [402, 'provider-exhausted', {}, {}],
  ])('answers of %d are %s, with the vendor’s sentence and without the key', async (status, code, details, headers) => {
    const message = `Not like this, ${goodKey}! ${'x'.repeat(400)}`;
    double.behave(({ response }) => json(response, status, wire.error(status, message), headers));
    const { error } = await answer();
    expect(error).toMatchObject({
      code,
      details: { reason: expect.stringContaining('Not like this, …!'), ...details },
    });
    expect(error instanceof AppError && String(error.details['reason']).length).toBeLessThanOrEqual(300);
    expect(allOf(error)).not.toContain(goodKey);
    expect(double.received).toHaveLength(1);
  });

  test('a refusal is told from a bad key and from an account without credit', async () => {
    for (const { status, body, code } of wire.refusals) {
      double.behave(({ response }) => json(response, status, body));
      expect([JSON.stringify(body), (await answer()).error]).toEqual([
        JSON.stringify(body),
        expect.objectContaining({ code, details: expect.objectContaining({ reason: expect.stringMatching(/^\w/) }) }),
      ]);
    }
  });

  test('an error that is not in the vendor’s form is still one', async () => {
    double.behave(
      ({ response }) =>
        void response.writeHead(502, { 'content-type': 'text/html' }).end(`<html>Bad gateway for ${goodKey}</html>`),
    );
    const { error } = await answer();
    expect(error).toMatchObject({ code: 'provider-unreachable' });
    expect(allOf(error)).not.toContain(goodKey);
  });

  test('a page instead of a stream is unreadable', async () => {
    double.behave(
      ({ response }) =>
        void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<html>Sign in to the hotel’s network</html>'),
    );
    expect((await answer()).error).toMatchObject({ code: 'provider-answer-unreadable' });
  });

  test('garbage in a stream ends it, and what came before stands', async () => {
    const frames = wire.frames({ text: ['Half', 'whole'] });
    const at = frames.findIndex((frame) => frame.includes('whole'));
    double.behave(
      ({ response }) =>
        void begin(response).end(
          `${joined(frames.slice(0, at))}data: {"garbage ${goodKey}\n\n${joined(frames.slice(at))}`,
        ),
    );
    const { text, error, finish } = await answer();
    expect(text).toBe('Half');
    expect(finish).toBeUndefined();
    expect(error).toMatchObject({ code: 'provider-answer-unreadable' });
    expect(allOf(error)).not.toContain(goodKey);
  });

  test('letters that are cut in two by the network are whole again', async () => {
    const text = '答え🙂は、ここ';
    const bytes = Buffer.from(joined(wire.frames({ text: [text] })));
    double.behave(async ({ response }) => {
      begin(response);
      const at = bytes.indexOf(Buffer.from('🙂')) + 2;
      for (const part of [bytes.subarray(0, at), bytes.subarray(at, at + 5), bytes.subarray(at + 5)]) {
        response.write(part);
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      response.end();
    });
    expect((await answer()).text).toBe(text);
  });

  test('a text in many pieces is whole, whatever they are and wherever the network cuts them', async () => {
    const pieces = Array.from(
      { length: 300 },
      (_, at) =>
        [
          'word ',
          'word ',
          '"',
          'said "',
          '\\',
          '\n\n',
          '答え',
          ' ',
          '\t',
          'data: ',
          '[DONE]',
          `${at}`,
          '🙂',
          '"}}]}\n\ndata: {',
        ][(at * 7 + Math.floor(at / 13)) % 14] ?? '',
    );
    const bytes = Buffer.from(joined(wire.frames({ text: pieces })));
    for (const size of [bytes.length, 4096, 777]) {
      double.behave(async ({ response }) => {
        begin(response);
        for (let at = 0; at < bytes.length; at += size) {
          response.write(bytes.subarray(at, at + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      });
      expect(await answer()).toMatchObject({ text: pieces.join(''), finish: 'stop' });
    }
  });

  test('lines may end as Windows ends them', async () => {
    double.behave(
      ({ response }) => void begin(response).end(joined(wire.frames({ text: ['Hello'] })).replaceAll('\n', '\r\n')),
    );
    expect(await answer()).toMatchObject({ text: 'Hello', finish: 'stop' });
  });

  test('lines may end as old Macs ended them', async () => {
    const bytes = Buffer.from(joined(wire.frames({ text: ['Hello', ' there'] })).replaceAll('\n', '\r'));
    double.behave(async ({ response }) => {
      begin(response);
      for (let at = 0; at < bytes.length; at += 100) {
        response.write(bytes.subarray(at, at + 100));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    });
    expect(await answer()).toMatchObject({ text: 'Hello there', finish: 'stop' });
  });

  test.each([
    ['gzip', createGzip],
    ['deflate', createDeflate],
    ['br', createBrotliCompress],
  ])('an answer that a proxy packed with %s comes as it is written', async (encoding, create) => {
    const frames = wire.frames({ text: ['first', 'second'] });
    const second = frames.findIndex((frame) => frame.includes('second'));
    let end = () => {};
    double.behave(({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding });
      const packed = create();
      packed.pipe(response);
      packed.write(joined(frames.slice(0, second)));
      packed.flush();
      end = () => void packed.end(joined(frames.slice(second)));
    });
    const texts: string[] = [];
    for await (const event of connect().stream(
      { model: wire.model, messages: [{ role: 'user', text: 'Hi' }], passages: [], refusal: '', maxTokens: 100 },
      never,
    )) {
      if (event.type !== 'text') continue;
      texts.push(event.text);
      end();
    }
    expect(texts).toEqual(['first', 'second']);
    double.behave(({ response }) => {
      response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': encoding });
      const packed = create();
      packed.pipe(response);
      packed.end(JSON.stringify(wire.error(400, 'No such model')));
    });
    expect((await answer()).error).toMatchObject({ details: { reason: 'No such model' } });
  });

  test('tells what the vendor put into its cache', async () => {
    if (!wire.writesCache) return;
    double.say({ text: ['ok'], tokens: { in: 5000, out: 5, cached: 1000, written: 3000 } });
    expect((await answer()).usage).toEqual({
      type: 'usage',
      tokensIn: 5000,
      tokensOut: 5,
      tokensCached: 1000,
      tokensCacheWritten: 3000,
    });
  });

  test('counts thoughts that it does not show among what it wrote', async () => {
    double.say({ finish: 'length', tokens: { in: 100, out: 5000, cached: 0, thought: 4999 } });
    const { usage, text, reasoning, finish } = await answer({ maxTokens: 1, thinkingTokens: 4999 });
    expect([text, reasoning, finish]).toEqual(['', '', 'length']);
    expect(usage).toEqual({
      type: 'usage',
      tokensIn: 100,
      tokensOut: 5000,
      tokensCached: 0,
      ...(!wire.hidesThoughts && { tokensThought: 4999 }),
    });
  });

  test('a line of two megabytes is not taken', async () => {
    const frames = wire.frames({ text: ['Hello'] });
    double.behave(
      ({ response }) => void begin(response).end(`${joined(frames.slice(0, -1))}data: ${'x'.repeat(2_000_000)}\n\n`),
    );
    const { error, finish } = await answer();
    expect(error).toMatchObject({ code: 'provider-answer-unreadable' });
    expect(finish).toBeUndefined();
  });

  test('a connection that breaks keeps what came, and says so', async () => {
    const frames = wire.frames({ text: ['Half', 'whole'] });
    double.behave(async ({ response, socket }) => {
      begin(response).write(
        joined(
          frames.slice(
            0,
            frames.findIndex((frame) => frame.includes('whole')),
          ),
        ),
      );
      await new Promise((resolve) => setTimeout(resolve, 30));
      socket.resetAndDestroy();
    });
    const { text, error, finish } = await answer();
    expect(text).toBe('Half');
    expect(finish).toBeUndefined();
    expect(error).toMatchObject({ code: 'provider-unreachable' });
    expect(allOf(error)).not.toContain(goodKey);
  });

  test('a stream that ends without an end is not passed off as whole', async () => {
    const frames = wire.frames({ text: ['Half', 'whole'] });
    double.behave(({ response }) =>
      stream(
        response,
        frames.slice(
          0,
          frames.findIndex((frame) => frame.includes('whole')),
        ),
      ),
    );
    const { text, error, finish } = await answer();
    expect(text).toBe('Half');
    expect(finish).toBeUndefined();
    expect(error).toMatchObject({ code: 'provider-unreachable', details: { reason: 'ended-early' } });
  });

  test('a model that loads, and then thinks without a word, is waited for', async () => {
    const frames = wire.frames({ reasoning: ['Hm.'], text: ['Ready'] });
    const spoken = frames.findIndex((frame) => frame.includes('Ready'));
    double.behave(async ({ response }) => {
      await pause(longMs);
      begin(response).write(joined(frames.slice(0, spoken)));
      await pause(longMs);
      response.end(joined(frames.slice(spoken)));
    });
    expect(await answer({}, never, connect({ from: hasty }))).toMatchObject({
      text: 'Ready',
      finish: 'stop',
      error: undefined,
    });
    expect(double.received).toHaveLength(1);
  });

  test('a vendor that says nothing is given up', async () => {
    double.behave(() => {});
    const since = Date.now();
    expect((await answer({}, never, connect({ from: hasty }))).error).toMatchObject({ code: 'provider-timeout' });
    // Silence is measured in half seconds.
    expect(Date.now() - since).toBeLessThan(startMs + 1500);
    await expect.poll(() => double.last().closedAt, { interval: 5, timeout: 500 }).toBeGreaterThan(0);
  });

  test('a vendor that falls silent in the middle is given up, and what came stands', async () => {
    const frames = wire.frames({ text: ['Half', 'whole'] });
    double.behave(
      ({ response }) =>
        void begin(response).write(
          joined(
            frames.slice(
              0,
              frames.findIndex((frame) => frame.includes('whole')),
            ),
          ),
        ),
    );
    const since = Date.now();
    const { text, error } = await answer({}, never, connect({ from: hasty }));
    expect(text).toBe('Half');
    expect(error).toMatchObject({ code: 'provider-timeout' });
    expect(Date.now() - since).toBeLessThan(startMs);
    await expect.poll(() => double.last().closedAt, { interval: 5, timeout: 500 }).toBeGreaterThan(0);
  });

  test('an error inside of a stream is an error, without the key', async () => {
    const frames = wire.frames({ text: ['Half', 'whole'] });
    double.behave(({ response }) =>
      stream(response, [
        ...frames.slice(
          0,
          frames.findIndex((frame) => frame.includes('whole')),
        ),
        wire.errorFrame(`Out of order: ${goodKey}`),
      ]),
    );
    const { text, error, finish } = await answer();
    expect(text).toBe('Half');
    expect(finish).toBeUndefined();
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: expect.stringMatching(/^provider-(unreachable|busy|refused)$/) });
    expect(allOf(error)).not.toContain(goodKey);
  });

  test('a redirect is not followed', async () => {
    const other = await startDouble(wire);
    other.say({ text: ['elsewhere'] });
    double.behave(
      ({ asked, response }) =>
        void response.writeHead(307, { location: other.url.replace(wire.prefix, asked.path) }).end(),
    );
    const { error, text } = await answer();
    expect(text).toBe('');
    expect(error).toMatchObject({ code: 'provider-refused' });
    expect(other.received).toHaveLength(0);
    await other.stop();
  });

  test('a private address is not asked', async () => {
    const connection = providers
      .find(({ name }) => name === wire.name)!
      .connect({ apiKey: goodKey, baseUrl: double.url, outbound: createOutbound([]) });
    expect((await answer({}, never, connection)).error).toMatchObject({ code: 'address-not-allowed' });
    expect(double.received).toHaveLength(0);
  });

  test('nobody at home is unreachable', async () => {
    const gone = await startDouble(wire);
    await gone.stop();
    const connection = connect({ baseUrl: gone.url });
    expect((await answer({}, never, connection)).error).toMatchObject({ code: 'provider-unreachable' });
    await expect(connection.listModels(never)).rejects.toMatchObject({ code: 'provider-unreachable' });
  });

  test('lists the models that can chat or write down what is said, of all pages, and nothing else', async () => {
    const models = await connect().listModels(never);
    const [others = [], chatting = []] = [true, false].map((isOther) =>
      models.filter(({ group }) => (group === 'other') === isOther),
    );
    expect(chatting.map(({ id }) => id)).toEqual(wire.lists);
    expect(others.map(({ id }) => id).toSorted()).toEqual((wire.transcribers ?? []).toSorted());
    for (const { contextTokens, name } of chatting) {
      expect(contextTokens).toBeGreaterThan(1000);
      expect(name).not.toBe('');
    }
    expect(JSON.stringify(double.received.map(({ path, query }) => [path, [...query]]))).not.toContain(goodKey);
  });

  test('a list that is no list is unreadable', async () => {
    const other = await startDouble({ ...wire, models: () => ({ hello: 'world', models: 1, data: 1 }) });
    await expect(connect({ baseUrl: other.url }).listModels(never)).rejects.toMatchObject({
      code: 'provider-answer-unreadable',
    });
    await other.stop();
  });
});

test('how a model thinks is known, as far as its vendor says it', () => {
  const known = (name: string, model: string) => thinkingOf(findProvider(name)!, model, []);
  for (const [provider, model, least, usual] of [
    ['openai', 'gpt-6.2-sol', 'low', 'medium'],
    ['openai', 'gpt-6-luna', 'none', 'medium'],
    ['openai', 'gpt-5.2', 'none', 'none'],
    ['openai', 'gpt-5-2025-08-07', 'low', 'medium'],
    ['openai', 'o3', 'low', 'medium'],
    ['anthropic', 'claude-opus-5-5', 'low', 'medium'],
    ['anthropic', 'claude-sonnet-5-5', 'low', 'high'],
    ['anthropic', 'claude-haiku-4-5-20251001', 'none', 'none'],
    ['google', 'gemini-4-argon', 'low', 'medium'],
    ['google', 'gemini-2.5-flash', 'none', 'medium'],
    ['google', 'gemini-2.5-flash-lite', 'none', 'none'],
    ['cohere', 'command-a-reasoning-08-2025', 'none', 'medium'],
    ['openai-compatible', 'deepseek-r1:8b', 'none', 'medium'],
  ] as const)
    expect([model, known(provider, model)]).toEqual([model, { least, usual }]);
  for (const [provider, model] of [
    ['openai', 'gpt-4o'],
    ['openai', 'gpt-5-chat-latest'],
    ['anthropic', 'claude-3-haiku-20240307'],
    ['google', 'gemini-2.0-flash'],
    ['cohere', 'command-r-08-2024'],
    ['openai-compatible', 'llama3.2'],
  ] as const)
    expect([model, known(provider, model)]).toEqual([model, undefined]);
  expect(thinkingOf(findProvider('openai-compatible')!, 'some/model', ['reasoning'])).toBeDefined();
});

test('thoughts have room by their level, and never less than a model needs that always thinks', () => {
  const always = { least: 'low', usual: 'high' } as const;
  const rooms = ([undefined, 'none', 'low', 'medium', 'high'] as const).map((level) => thinkingRoom(always, level));
  expect(rooms[1]).toBe(rooms[2]);
  expect(rooms[0]).toBe(rooms[4]);
  expect(rooms.slice(1)).toEqual(rooms.slice(1).toSorted((one, other) => one - other));
  expect(thinkingRoom({ least: 'none', usual: 'high' }, 'none')).toBe(0);
  expect(thinkingRoom(undefined, 'high')).toBe(0);
});

test('Claude keeps the rules that are sent again, and does not pay to keep passages that are not', async () => {
  const anthropic = wires.find(({ name }) => name === 'anthropic')!;
  const double = await startDouble(anthropic);
  double.say({ text: ['ok'] });
  const passages = [{ number: 1, title: 'Hours', headings: [], page: null, text: 'We open at nine.' }];
  const connection = providers
    .find(({ name }) => name === 'anthropic')!
    .connect({ apiKey: goodKey, baseUrl: double.url, outbound: createOutbound([new URL(double.url).host]) });
  const kept = async (more: Partial<ModelRequest>) => {
    const messages: ModelMessage[] = [
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Hi' },
    ];
    const request = { model: 'claude-sonnet-5', messages, passages: [], refusal: '', maxTokens: 100, ...more };
    expect((await collect(connection, request)).error).toBeUndefined();
    return JSON.stringify(Object(double.last().body).system).includes('"cache_control":{"type":"ephemeral"}');
  };
  expect([await kept({}), await kept({ passages }), await kept({ passages, tools: [weather] })]).toEqual([
    true,
    false,
    true,
  ]);
  await double.stop();
});

describe.each(wires.filter(({ transcribers }) => transcribers))('$name, of what is said,', (wire) => {
  const [model = ''] = wire.transcribers ?? [];
  const recording = { name: 'audio.m4a', mime: 'audio/x-m4a', bytes: new Uint8Array([1, 2, 3]) };
  let double: Double;
  beforeAll(async () => {
    double = await startDouble(wire);
  });
  afterAll(() => double.stop());

  const connect = ({ apiKey = goodKey, ...access } = {}, of = providers) =>
    of
      .find(({ name }) => name === wire.name)!
      .connect({ apiKey, baseUrl: double.url, outbound: createOutbound([new URL(double.url).host]), ...access })
      .transcription!;
  const transcribe = (more: { model?: string } = {}, signal = never, connection = connect()) =>
    connection.transcribe({ model, recording, ...more }, signal);

  test('gives the words alone, and what it counted', async () => {
    double.hear({ text: '  Are you open on Sunday?\n', usage: { type: 'tokens', input_tokens: 42, output_tokens: 9 } });
    expect(await transcribe()).toEqual({
      text: 'Are you open on Sunday?',
      tokens: { tokensIn: 42, tokensOut: 9, tokensCached: 0 },
    });
    const { file, ...fields } = Object(double.last().body);
    expect(fields).toEqual({ model, response_format: 'json' });
    expect([file.name, file.type, new Uint8Array(await file.arrayBuffer())]).toEqual([
      recording.name,
      recording.mime,
      recording.bytes,
    ]);
  });

  test.each([[{}], [{ usage: { type: 'duration', seconds: 3 } }], [{ usage: null }]])(
    'takes %o as no tokens',
    async (more) => {
      double.hear({ text: 'Hello', ...more });
      expect((await transcribe()).tokens).toEqual({ tokensIn: 0, tokensOut: 0, tokensCached: 0 });
    },
  );

  test.each(['', ' \n', 'ご視聴ありがとうございました。', 'Thank you for watching!'])(
    'hears nothing in “%s”',
    async (text) => {
      double.hear({ text });
      expect((await transcribe()).text).toBe('');
    },
  );

  test('keeps what is said around such words, and nothing that cannot be stored', async () => {
    for (const [said, text] of [
      ['Thank you for watching my dog', 'Thank you for watching my dog'],
      ['a\u0000b\ud800', 'ab\ufffd'],
    ] as const) {
      double.hear({ text: said });
      expect((await transcribe()).text).toBe(text);
    }
  });

  test('names the models that can, the best first', async () => {
    expect(await connect().listModels(never)).toEqual(wire.transcribers);
  });

  test('fails as an answer does, and without the key in it', async () => {
    const fails = (error: unknown) =>
      error instanceof AppError && !allOf(error).includes(goodKey) ? error.code : error;
    expect(await transcribe({ model: 'gpt-unknown' }).catch(fails)).toBe('provider-refused');
    expect(await transcribe({}, never, connect({ apiKey: 'sk-wrong' })).catch(fails)).toBe('provider-key-rejected');
    for (const { status, body, code } of wire.refusals) {
      double.hear(({ response }) => json(response, status, body));
      expect(await transcribe().catch(fails)).toBe(code);
    }
    for (const [status, body, code] of [
      [200, { nothing: true }, 'provider-answer-unreadable'],
      [200, { text: 'x'.repeat(5 * 1024 * 1024) }, 'provider-answer-unreadable'],
      [503, {}, 'provider-busy'],
      [500, { error: { message: `The key ${goodKey} is fine.` } }, 'provider-unreachable'],
    ] as const) {
      double.hear(({ response }) => json(response, status, body));
      expect(await transcribe().catch(fails)).toBe(code);
    }
  });

  test('goes nowhere else', async () => {
    const before = double.received.length;
    double.hear(({ response }) => void response.writeHead(307, { location: `${double.url}/elsewhere` }).end());
    await expect(transcribe()).rejects.toMatchObject({ code: 'provider-refused' });
    expect(double.received).toHaveLength(before + 1);
  });

  test('is not waited for longer than is wanted, and the connection is closed', async () => {
    double.hear(() => {});
    const leaving = new AbortController();
    const asked = transcribe({}, leaving.signal);
    await vi.waitFor(() => expect(double.heard().at(-1)?.closedAt).toBe(0));
    leaving.abort(new Error('left'));
    await expect(asked).rejects.toThrow('left');
    await vi.waitFor(() => expect(double.last().closedAt).toBeGreaterThan(0));
    const silent = transcribe({}, never, connect({}, hasty));
    await expect(silent).rejects.toMatchObject({ code: 'provider-timeout' });
  });
});

describe('what a server says of its models', () => {
  const listOf = async (models: unknown, native?: (path: string, body: unknown) => unknown) => {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => (body += part));
      request.on('end', () => {
        const found = request.url === '/v1/models' ? models : native?.(request.url ?? '', body && JSON.parse(body));
        json(response, found ? 200 : 404, found ?? {});
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const host = `127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
    const connection = providers
      .at(-1)!
      .connect({ apiKey: undefined, baseUrl: `http://${host}/v1`, outbound: createOutbound([host]) });
    return connection.listModels(never).finally(() => server.close());
  };

  // https://openrouter.ai/docs/models
  test('is taken from OpenRouter', async () => {
    const model = {
      id: 'google/gemini-2.5-pro-preview',
      canonical_slug: 'google/gemini-2.5-pro-preview-06-05',
      name: 'Google: Gemini 2.5 Pro Preview',
      created: 1_749_137_257,
      description: '',
      context_length: 1_048_576,
      architecture: { input_modalities: ['text', 'image', 'file'], output_modalities: ['text'], tokenizer: 'Gemini' },
      pricing: {
        prompt: '0.00000125',
        completion: '0.00001',
        request: '0',
        image: '0.00516',
        input_cache_read: '0.00000031',
        input_cache_write: '0.000001625',
      },
      top_provider: { context_length: 1_048_576, max_completion_tokens: 65_536, is_moderated: false },
      supported_parameters: ['max_tokens', 'temperature', 'tools', 'reasoning', 'response_format'],
    };
    const plain = { ...model, id: 'meta/llama', supported_parameters: ['max_tokens', 'response_format'] };
    const data = [
      model,
      { ...plain, architecture: { input_modalities: ['text'], output_modalities: ['text'] } },
      { ...model, id: 'google/draws', architecture: { input_modalities: ['text'], output_modalities: ['image'] } },
    ];
    expect(await listOf({ data })).toEqual([
      {
        id: 'google/gemini-2.5-pro-preview',
        name: 'Google: Gemini 2.5 Pro Preview',
        contextTokens: 1_048_576,
        maxOutputTokens: 65_536,
        capabilities: ['vision', 'tools', 'json', 'reasoning'],
        price: { in: 1.25, out: 10, cached: 0.31, cacheWrite: 1.625 },
      },
      expect.objectContaining({ id: 'meta/llama', capabilities: ['json'] }),
      expect.objectContaining({ id: 'google/draws', group: 'image-model' }),
    ]);
  });

  // https://github.com/ollama/ollama, docs/openapi.yaml
  test('is asked of Ollama in its own words', async () => {
    const entry = (id: string) => ({ id, object: 'model', created: 1_755_000_000, owned_by: 'library' });
    const shown: unknown[] = [];
    const models = await listOf(
      { object: 'list', data: [entry('gemma4:latest'), entry('llama3.2:latest'), entry('nomic-embed-text:latest')] },
      (path, body) => {
        if (path === '/api/tags')
          return {
            models: [
              {
                name: 'gemma4:latest',
                model: 'gemma4:latest',
                size: 1,
                details: {},
                capabilities: ['completion', 'vision', 'tools', 'thinking'],
              },
              { name: 'llama3.2:latest', model: 'llama3.2:latest', size: 1, details: {} },
              { name: 'nomic-embed-text:latest', model: 'nomic-embed-text:latest', size: 1, details: {} },
            ],
          };
        shown.push(body);
        const { model } = Object(body);
        return {
          parameters: model.startsWith('llama') ? 'num_ctx                        16384\nstop "x"' : '',
          capabilities: model.startsWith('nomic')
            ? ['embedding']
            : model.startsWith('gemma')
              ? ['completion', 'vision', 'tools', 'thinking']
              : ['completion'],
          model_info: { 'general.architecture': 'x', 'x.context_length': 131_072 },
        };
      },
    );
    expect(models).toEqual([
      {
        id: 'gemma4:latest',
        name: 'gemma4:latest',
        contextTokens: 131_072,
        capabilities: ['vision', 'tools', 'json', 'reasoning'],
      },
      { id: 'llama3.2:latest', name: 'llama3.2:latest', contextTokens: 16_384, capabilities: ['json'] },
    ]);
  });

  test('is nothing, mostly: then everything is tried', async () => {
    expect(await listOf({ data: [{ id: 'some', max_model_len: 32_768 }] })).toEqual([
      { id: 'some', name: 'some', contextTokens: 32_768, capabilities: ['vision', 'tools', 'json'] },
    ]);
  });
});

test('OpenAI’s list has only names, and these are known to see', () => {
  for (const id of ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1-nano', 'gpt-5', 'gpt-5.2-2025-12-11', 'o3', 'o4-mini', 'gpt-7'])
    expect([id, abilitiesOf(id)]).toEqual([id, expect.arrayContaining(['vision', 'tools'])]);
  for (const id of ['gpt-3.5-turbo', 'gpt-4', 'o3-mini', 'o1-mini'])
    expect([id, abilitiesOf(id).includes('vision')]).toEqual([id, false]);
});

describe('what servers that speak OpenAI’s wire do their own way', () => {
  let double: Double;
  beforeAll(
    async () =>
      void (double = await startDouble({
        ...chatCompletions,
        check: () => undefined,
        isChat: (path) => path.endsWith('/chat/completions'),
      })),
  );
  afterAll(() => double.stop());
  const answer = (more: Partial<ModelRequest> = {}, baseUrl = double.url, allowed = new URL(double.url).host) =>
    collect(providers.at(-1)!.connect({ apiKey: undefined, baseUrl, outbound: createOutbound([allowed]) }), {
      model: 'm',
      messages: [{ role: 'user', text: 'Hi' }],
      passages: [],
      refusal: '',
      maxTokens: 100,
      ...more,
    });
  const chunk = (delta: object, finish_reason: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}`;

  test('needs no key', async () => {
    double.say({ text: ['ok'] });
    expect((await answer()).text).toBe('ok');
    expect(double.last().headers.authorization).toBeUndefined();
    expect(double.last().body).toEqual({
      model: 'm',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 100,
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test('passes on what was asked for, and only that', async () => {
    double.say({ text: ['{}'] });
    await answer({
      temperature: 0,
      topP: 0.5,
      stop: ['END'],
      reasoning: 'low',
      json: { name: 'reply', schema: { type: 'object' } },
      tools: [weather],
      toolChoice: { name: 'get_weather' },
    });
    expect(double.last().body).toMatchObject({
      temperature: 0,
      top_p: 0.5,
      stop: ['END'],
      reasoning_effort: 'low',
      response_format: { type: 'json_schema', json_schema: { name: 'reply', schema: { type: 'object' } } },
      tool_choice: { type: 'function', function: { name: 'get_weather' } },
    });
    await answer({ json: true });
    expect(double.last().body).toMatchObject({ response_format: { type: 'json_object' } });
  });

  test('a whole answer in place of a stream is read as one', async () => {
    const message = {
      role: 'assistant',
      reasoning_content: 'Hm.',
      content: 'Whole.',
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get_weather', arguments: '{"city":"Nara"}' } }],
    };
    double.behave(({ response }) =>
      json(response, 200, {
        id: 'c',
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: 'tool_calls' }],
        usage: { prompt_tokens: 3, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 1 } },
      }),
    );
    expect(await answer()).toMatchObject({
      reasoning: 'Hm.',
      text: 'Whole.',
      calls: [{ id: 'a', name: 'get_weather', input: '{"city":"Nara"}' }],
      usage: { tokensIn: 3, tokensOut: 2, tokensCached: 1 },
      finish: 'tools',
      error: undefined,
    });
  });

  test('a whole answer that breaks off is unreachable', async () => {
    double.behave(({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices":[{"mess');
      setTimeout(() => response.destroy(), 20);
    });
    expect((await answer()).error).toMatchObject({ code: 'provider-unreachable' });
  });

  test('calls without an index, or all with the same, are told apart', async () => {
    const call = (id: string, city: string, index?: number) => ({
      id,
      ...(index !== undefined && { index }),
      type: 'function',
      function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
    });
    double.behave(({ response }) =>
      stream(response, [
        chunk({ tool_calls: [call('a', 'Nara'), call('b', 'Kobe')] }),
        chunk({}, 'stop'),
        'data: [DONE]',
      ]),
    );
    const apart = await answer();
    expect(apart.calls.map(({ id, input }) => [id, input])).toEqual([
      ['a', '{"city":"Nara"}'],
      ['b', '{"city":"Kobe"}'],
    ]);
    // Some say "stop" after calls.
    expect(apart.finish).toBe('tools');
    double.behave(({ response }) =>
      stream(response, [
        chunk({ tool_calls: [call('a', 'Nara', 0)] }),
        chunk({ tool_calls: [call('b', 'Kobe', 0)] }),
        chunk({}, 'tool_calls'),
      ]),
    );
    expect((await answer()).calls.map(({ id, input }) => [id, input])).toEqual([
      ['a', '{"city":"Nara"}'],
      ['b', '{"city":"Kobe"}'],
    ]);
  });

  const called = (more: object, name: string, input?: unknown) => ({
    ...more,
    function: { name, ...(input !== undefined && { arguments: input }) },
  });
  const inCity = (city: string) => JSON.stringify({ city });
  test.each<[string, object[], [string, string][]]>([
    [
      'what a call gives as an object is what it says',
      [{ tool_calls: [called({ id: 'a' }, 'get_weather', { city: 'Nara' })] }],
      [['get_weather', inCity('Nara')]],
    ],
    [
      'calls without ids and indexes, each in a chunk of its own, are apart',
      [
        { tool_calls: [called({}, 'get_weather', inCity('Nara'))] },
        { tool_calls: [called({}, 'get_weather', inCity('Kobe'))] },
        { tool_calls: [called({}, 'get_time')] },
      ],
      [
        ['get_weather', inCity('Nara')],
        ['get_weather', inCity('Kobe')],
        ['get_time', '{}'],
      ],
    ],
    [
      'those of one index without ids are apart, and the pieces of each together',
      [
        { tool_calls: [called({ index: 0 }, 'get_weather', '{"city":')] },
        { tool_calls: [{ index: 0, function: { arguments: '"Nara"}' } }] },
        { tool_calls: [called({ index: 0 }, 'get_weather', '{"city":')] },
        { tool_calls: [called({ index: 0 }, 'get_weather', '"Kobe"}')] },
      ],
      [
        ['get_weather', inCity('Nara')],
        ['get_weather', inCity('Kobe')],
      ],
    ],
  ])('%s', async (_, deltas, expected) => {
    double.behave(({ response }) =>
      stream(response, [...deltas.map((delta) => chunk(delta)), chunk({}, 'tool_calls'), 'data: [DONE]']),
    );
    expect((await answer()).calls.map(({ name, input }) => [name, input])).toEqual(expected);
  });

  test.each([
    ['a comment as data', 'data: : keepalive'],
    ['a word', 'data: ping'],
    ['an event that is no chunk', 'data: {"type":"ping"}'],
    ['no choices', 'data: {"id":"c","choices":null}'],
    ['a list', 'data: []'],
    ['an event of a name', 'event: heartbeat\ndata: {}'],
  ])('between chunks %s is skipped, and alone it is no answer', async (_, frame) => {
    double.behave(({ response }) =>
      stream(response, [
        frame,
        chunk({ content: 'Half, ' }),
        frame,
        chunk({ content: 'whole' }),
        chunk({}, 'stop'),
        frame,
      ]),
    );
    expect(await answer()).toMatchObject({ text: 'Half, whole', finish: 'stop', error: undefined });
    double.behave(({ response }) => stream(response, [frame, frame, 'data: [DONE]']));
    expect((await answer()).error).toMatchObject({ code: 'provider-answer-unreadable' });
  });

  test.each([undefined, 'text/plain', 'application/octet-stream', 'application/json; charset=utf-8'])(
    'a stream that says it is %s is read',
    async (type) => {
      double.behave(
        ({ response }) =>
          void response
            .writeHead(200, type === undefined ? {} : { 'content-type': type })
            .end(`${[chunk({ content: 'Hello' }), chunk({}, 'stop'), 'data: [DONE]'].join('\n\n')}\n\n`),
      );
      expect(await answer()).toMatchObject({ text: 'Hello', finish: 'stop', error: undefined });
    },
  );

  test('comments, thoughts of OpenRouter and a missing [DONE] are taken', async () => {
    double.behave(({ response }) =>
      stream(response, [
        ': OPENROUTER PROCESSING',
        chunk({ reasoning: 'Hm.' }),
        chunk({ content: 'Ok' }),
        chunk({ content: null }, 'length'),
      ]),
    );
    expect(await answer()).toMatchObject({ reasoning: 'Hm.', text: 'Ok', finish: 'length', error: undefined });
  });

  test('every piece of text arrives as it was sent, whatever it looks like and whatever stands around it', async () => {
    const pieces = [
      'plain',
      ' text',
      'a "quote"',
      '\\',
      'n',
      '\n',
      '答え',
      '👋',
      '"}}]}',
      '","finish_reason":"length',
      '{"content":"no"}',
      'plain',
      '\u0007',
      '[DONE]',
      'end',
    ];
    const all = pieces.map((content) => chunk({ content }));
    all.splice(
      3,
      0,
      chunk({ role: 'assistant', content: 'with a role' }),
      chunk({ content: 'and', reasoning: 'Hm.' }),
      `data:  ${JSON.stringify({ id: 'other', choices: [{ delta: { content: ' elsewhere' } }] })}  `,
      'data: {"choices":[{"delta":{"content": "loosely", "role":null} }]}',
      'data: {"choices":[{"delta":{"content": "written", "role":null} }]}',
      'data: {"choices":[{"delta":{"content":"esc\\u0061ped"}}],"note":{"content":"none"}}',
    );
    double.behave(({ response }) => stream(response, [...all, chunk({ content: '.' }, 'length'), 'data: [DONE]']));
    expect(await answer()).toMatchObject({
      text: [
        ...pieces.slice(0, 3),
        'with a role',
        'and',
        ' elsewhere',
        'loosely',
        'written',
        'escaped',
        ...pieces.slice(3),
        '.',
      ].join(''),
      reasoning: 'Hm.',
      finish: 'length',
      error: undefined,
    });
  });

  test.each([
    ['OpenAI does, among what was written', 400, 500, { reasoning_tokens: 300 }, 400],
    // https://docs.x.ai/docs/key-information/consumption-and-rate-limits
    ['xAI does, apart', 100, 500, { reasoning_tokens: 300 }, 400],
    ['Gemini does, in the sum alone', 100, 500, undefined, 400],
    ['a proxy of Gemini does, where nothing was written', 0, 400, { reasoning_tokens: 300 }, 300],
    ['nobody does, with a sum that is none', 100, 7, { reasoning_tokens: 300 }, 100],
  ])('thoughts are counted once where %s', async (_, completion_tokens, total_tokens, details, tokensOut) => {
    const usage = { prompt_tokens: 100, completion_tokens, total_tokens, completion_tokens_details: details };
    double.behave(({ response }) =>
      stream(response, [
        chunk({ content: 'Yes' }, 'stop'),
        `data: ${JSON.stringify({ choices: [], usage })}`,
        'data: [DONE]',
      ]),
    );
    expect((await answer()).usage).toMatchObject({ tokensIn: 100, tokensOut });
  });

  test('Mistral’s content in parts is text and thought', async () => {
    // https://docs.mistral.ai/capabilities/reasoning
    double.behave(({ response }) =>
      stream(response, [
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'Let me ' }] }] }),
        chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'see.' }] }] }),
        chunk({ content: [{ type: 'text', text: 'It is ' }] }),
        chunk({ content: 'nine.' }),
        chunk({ content: '' }, 'stop'),
        'data: [DONE]',
      ]),
    );
    expect(await answer()).toMatchObject({ reasoning: 'Let me see.', text: 'It is nine.', error: undefined });
  });

  test('OpenAI’s refusal is said, and told as one', async () => {
    double.behave(({ response }) =>
      stream(response, [
        chunk({ role: 'assistant', content: '', refusal: null }),
        chunk({ refusal: 'I cannot ' }),
        chunk({ refusal: 'help with that.' }),
        chunk({}, 'stop'),
        'data: [DONE]',
      ]),
    );
    expect(await answer()).toMatchObject({ text: 'I cannot help with that.', finish: 'filter', error: undefined });
  });

  const thought = '<think>\nIs a < b? </thin\nYes.\n</think>\n\n';
  test.each([
    ['is thought', `${thought}So it is.`, 'Is a < b? </thin\nYes.\n', 'So it is.'],
    ['begins after a line', `\n${thought}So it is.`, 'Is a < b? </thin\nYes.\n', 'So it is.'],
    ['is never closed', '<think>I am not done', 'I am not done', ''],
    ['is empty', '<think>\n\n</think>\n\nHi', '', 'Hi'],
    ['comes later', 'The tag <think> opens </think>.', '', 'The tag <think> opens </think>.'],
    ['is another', '<thinker>Rodin</thinker>', '', '<thinker>Rodin</thinker>'],
    ['only begins', '<thi', '', '<thi'],
    ['is not there', ' Plain', '', ' Plain'],
    ['is called otherwise', '<thinking>Hm.</thinking>\nSo it is.', 'Hm.', 'So it is.'],
    ['is a thought', '<thought>Hm. </think> is no end.</thought>So it is.', 'Hm. </think> is no end.', 'So it is.'],
    ['is Mistral’s', '[THINK]Hm.[/THINK]So it is.', 'Hm.', 'So it is.'],
    ['comes again', '<think>Hm.</think>\n<think> Yes.</think>So it is.', 'Hm. Yes.', 'So it is.'],
    ['is a link', '[THIS](https://example.com) is it.', '', '[THIS](https://example.com) is it.'],
    [
      'is a channel',
      '<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>So it is.',
      'Hm.',
      'So it is.',
    ],
    ['is no channel but the last', '<|channel|>final<|message|>So it is.', '', 'So it is.'],
  ])('what stands in a <think> that %s, wherever the pieces are cut', async (_, said, reasoning, text) => {
    for (const size of [1, 2, 3, 7, 1000]) {
      const pieces = said.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
      double.behave(({ response }) =>
        stream(response, [...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), 'data: [DONE]']),
      );
      const heard = await answer();
      expect([size, heard.reasoning.trim(), heard.text, heard.error]).toEqual([
        size,
        reasoning.trim(),
        text,
        undefined,
      ]);
    }
  });

  test.each(['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'a certificate that is not trusted is named: %s',
    async (code) => {
      const connection = providers.at(-1)!.connect({
        apiKey: goodKey,
        baseUrl: 'https://models.internal',
        outbound: {
          allows: () => true,
          request: () => Promise.reject(Object.assign(new Error('certificate'), { code })),
        },
      });
      const request = { messages: [{ role: 'user' as const, text: 'Hi' }], passages: [], refusal: '', maxTokens: 9 };
      const { error } = await collect(connection, { model: 'm', ...request });
      expect(error).toMatchObject({ code: 'provider-certificate', details: { reason: code } });
      expect(translate('en', 'errors:provider-certificate', { reason: code })).toContain('NODE_EXTRA_CA_CERTS');
    },
  );

  test.each([['example.openai.azure.com'], ['example.services.ai.azure.com'], ['example.cognitiveservices.azure.com']])(
    '%s is Azure’s',
    async (host) => {
      const asked: Record<string, string>[] = [];
      const connection = providers.at(-1)!.connect({
        apiKey: 'azure-key',
        baseUrl: `https://${host}/openai/v1`,
        outbound: {
          allows: () => true,
          request(_url, options = {}) {
            asked.push(options.headers ?? {});
            return createOutbound([new URL(double.url).host]).request(`${double.url}/chat/completions`, options);
          },
        },
      });
      double.say({ text: ['ok'] });
      const request = { messages: [{ role: 'user' as const, text: 'Hi' }], passages: [], refusal: '', maxTokens: 9 };
      expect((await collect(connection, { model: 'm', ...request })).text).toBe('ok');
      expect(asked).toEqual([expect.objectContaining({ 'api-key': 'azure-key' })]);
    },
  );

  test.each<[string, string, Partial<ModelRequest>, (body: Record<string, unknown>) => boolean, object]>([
    [
      'the name of the limit',
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      {},
      (body) => 'max_tokens' in body,
      { max_completion_tokens: 100 },
    ],
    [
      'a temperature',
      "Unsupported value: 'temperature' does not support 0.2 with this model. Only the default (1) value is supported.",
      { temperature: 0.2 },
      (body) => 'temperature' in body,
      { max_tokens: 100 },
    ],
    [
      'options of the stream',
      'body.stream_options: Extra inputs are not permitted',
      {},
      (body) => 'stream_options' in body,
      { stream: true },
    ],
    [
      'tools',
      'registry.ollama.ai/library/gemma:2b does not support tools',
      { tools: [weather] },
      (body) => 'tools' in body,
      { messages: [{ role: 'user', content: 'Hi' }] },
    ],
    [
      'pictures',
      'No endpoints found that support image input',
      {
        messages: [
          { role: 'user', text: 'Hi', files: [{ name: 'dot.png', mime: 'image/png', bytes: Buffer.from('x') }] },
        ],
      },
      (body) => JSON.stringify(body).includes('image_url'),
      {
        messages: [{ role: 'user', content: 'Hi\n\n(A picture named “dot.png” is attached, which you cannot see.)' }],
      },
    ],
    [
      'levels of thinking',
      '"llama3.2" does not support thinking',
      { reasoning: 'low' },
      (body) => 'reasoning_effort' in body,
      { max_tokens: 100 },
    ],
  ])('a model that refuses %s is asked without, and never with it again', async (_, message, wish, refuses, sent) => {
    const bodies: Record<string, unknown>[] = [];
    double.behave(({ asked, response }) => {
      const body = Object(asked.body);
      bodies.push(body);
      if (refuses(body)) json(response, 400, { error: { message } });
      else stream(response, chatCompletions.frames({ text: ['ok'] }));
    });
    const connection = providers
      .at(-1)!
      .connect({ apiKey: undefined, baseUrl: double.url, outbound: createOutbound([new URL(double.url).host]) });
    const request: ModelRequest = {
      model: 'm',
      messages: [{ role: 'user', text: 'Hi' }],
      passages: [],
      refusal: '',
      maxTokens: 100,
      ...wish,
    };
    for (let turn = 0; turn < 2; turn++)
      expect(await collect(connection, request)).toMatchObject({ text: 'ok', error: undefined });
    expect(bodies.map(refuses)).toEqual([true, false, false]);
    expect(bodies.at(-1)).toMatchObject(sent);
    // Another model has not refused anything.
    await collect(connection, { ...request, model: 'other' });
    expect(bodies.map(refuses)).toEqual([true, false, false, true, false]);
  });

  const everything: Partial<ModelRequest> = {
    messages: [{ role: 'user', text: 'Hi', files: [{ name: 'dot.png', mime: 'image/png', bytes: Buffer.from('x') }] }],
    tools: [weather],
    temperature: 0.2,
    topP: 0.9,
    stop: ['END'],
    seed: 1,
    presencePenalty: 1,
    frequencyPenalty: 1,
    parallelCalls: false,
    reasoning: 'high',
  };

  /** What a model is asked without, once its server has said this. */
  const leftOutAfter = async (message: string) => {
    let asked = 0;
    double.behave(({ response }) => {
      if (asked++ === 0) json(response, 400, { error: { message } });
      else stream(response, chatCompletions.frames({ text: ['ok'] }));
    });
    const { error, events } = await answer(everything);
    return error ? 'an error' : events.flatMap((event) => (event.type === 'without' ? event.refused : []));
  };

  test.each([
    'This model does not support prompts of more than 8192 tokens',
    "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].",
    'This model does not support images larger than 20 MB',
    'Could not process image',
    'Animated images are not supported by this model.',
    `Invalid JSON payload received. Unknown name "additionalProperties" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
    `Invalid JSON payload received. Unknown name "stop" at 'tools[0].function_declarations[0].parameters': Cannot find field.`,
    "Invalid schema for function 'weather': In context=('properties', 'temperature'), 'temperature' is not permitted.",
    'tools.0.custom.input_schema.temperature: Extra inputs are not permitted',
    'This model does not support tools of type web_search',
    'temperature: values above 1 are not supported',
    'stop: more than 4 sequences are not supported',
    "Unsupported value: 'temperature' does not support 3 with this model. It must be at most 2.",
    'max_tokens or max_completion_tokens is too large: at most 8192 are allowed',
  ])('is not asked with less because of one bad request: %s', async (message) => {
    expect(await leftOutAfter(message)).toBe('an error');
  });

  test.each<[string, string]>([
    ['temperature', "Unsupported parameter: 'temperature' is not supported with this model."],
    ['temperature', '`temperature` is deprecated for this model.'],
    ['temperature', 'temperature: Extra inputs are not permitted'],
    ['topP', '`top_p` is deprecated for this model.'],
    ['seed', 'Unrecognized request argument supplied: seed'],
    ['seed', "property 'seed' is unsupported"],
    ['stop', "Unsupported parameter: 'stop' is not supported with this model."],
    ['presencePenalty', `Unknown name "presencePenalty" at 'generation_config': Cannot find field.`],
    ['frequencyPenalty', 'body.frequency_penalty: Extra inputs are not permitted'],
    ['parallelCalls', "Unsupported parameter: 'parallel_tool_calls' is not supported with this model."],
    ['tools', 'No endpoints found that support tool use. Try disabling "weather".'],
    ['tools', 'Function calling is not enabled for this model'],
    ['tools', 'deepseek-r1 does not support Function Calling'],
    ['images', 'Invalid content type. image_url is only supported by certain models.'],
    ['images', 'messages[0]: unknown variant `image_url`, expected `text`'],
    ['images', 'At most 0 image(s) may be provided in one prompt.'],
    ['images', 'llama is not a multimodal model'],
    ['images', 'Image input modality is not enabled for this model'],
    ['images', 'Failed to process inputs: missing data required for image input'],
    ['reasoning', "Unsupported value: 'reasoning_effort' does not support 'high' with this model."],
    ['reasoning', 'Thinking level HIGH is not supported for this model.'],
    ['reasoning', 'adaptive thinking is not supported on this model'],
    ['reasoning', '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'],
  ])('is asked without %s, and tells so, once its server says: %s', async (part, message) => {
    expect(await leftOutAfter(message)).toEqual([part]);
  });

  test('what a model refused is tried again after an hour', async () => {
    let refused = 0;
    double.behave(({ asked, response }) => {
      const isRefused = 'temperature' in Object(asked.body);
      if (isRefused) refused++;
      if (isRefused) json(response, 400, { error: { message: '`temperature` is deprecated for this model.' } });
      else stream(response, chatCompletions.frames({ text: ['ok'] }));
    });
    const connection = providers
      .at(-1)!
      .connect({ apiKey: undefined, baseUrl: double.url, outbound: createOutbound([new URL(double.url).host]) });
    const messages = [{ role: 'user' as const, text: 'Hi' }];
    const ask = () =>
      collect(connection, { model: 'm', messages, passages: [], refusal: '', maxTokens: 9, temperature: 0.2 });
    await ask();
    await ask();
    expect(refused).toBe(1);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61 * 60_000 });
    try {
      expect((await ask()).text).toBe('ok');
    } finally {
      vi.useRealTimers();
    }
    expect(refused).toBe(2);
  });

  test('Ollama’s errors, which are bare sentences, are read', async () => {
    double.behave(({ response }) => json(response, 404, { error: 'model "m" not found, try pulling it first' }));
    expect((await answer()).error).toMatchObject({
      code: 'provider-refused',
      details: { reason: 'model "m" not found, try pulling it first' },
    });
  });

  test('Azure gets its own header, its version and the name of the limit that its models know', async () => {
    double.say({ text: ['ok'] });
    const asked: { url: string; headers: unknown; body: string }[] = [];
    const outbound = createOutbound([new URL(double.url).host]);
    const connection = providers.at(-1)!.connect({
      apiKey: 'azure-key',
      baseUrl: 'https://example.openai.azure.com/openai/v1?api-version=preview',
      outbound: {
        allows: () => true,
        request(url, options = {}) {
          asked.push({ url, headers: options.headers, body: String(options.body ?? '') });
          return outbound.request(`${double.url}/chat/completions`, options);
        },
      },
    });
    expect(
      (
        await collect(connection, {
          model: 'gpt-5',
          messages: [{ role: 'user', text: 'Hi' }],
          passages: [],
          refusal: '',
          maxTokens: 100,
        })
      ).text,
    ).toBe('ok');
    expect(asked[0]).toMatchObject({
      url: 'https://example.openai.azure.com/openai/v1/chat/completions?api-version=preview',
      headers: { 'api-key': 'azure-key' },
    });
    expect(asked[0]?.headers).not.toHaveProperty('authorization');
    expect(JSON.parse(asked[0]?.body ?? '')).toMatchObject({ max_completion_tokens: 100 });
  });
});
