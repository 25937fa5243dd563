import { createBrotliCompress, createDeflate, createGzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../shared/errors.ts';
import { createOutbound } from '../../infra/outbound.ts';
import { allOf, collect, hasty, longMs, never, providers, startMs, weather } from '../../testing/models/collect.ts';
import { begin, goodKey, joined, json, startDouble, stream, type Double } from '../../testing/models/double.ts';
import { wire as chatCompletions } from '../../testing/models/openai-compatible.ts';
import { wires } from '../../testing/models/wires.ts';
import { describe as describeModel, priceOn, thinkingOf, thinkingRoom } from './catalogue.ts';
import type { ModelConnection, ModelMessage, ModelProvider, ModelRequest, ToolCall } from './model.ts';
import { abilitiesOf } from './openai.ts';
import { findProvider, modelProviders } from './registry.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const ask = (text: string, more: Partial<ModelRequest> = {}): Partial<ModelRequest> => ({
  messages: [{ role: 'user', text }],
  ...more,
});

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
    [500, 'provider-failed', {}, {}],
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
    expect(error).toMatchObject({ code: 'provider-failed' });
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
    expect(error).toMatchObject({ code: 'provider-failed' });
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
    expect(error).toMatchObject({ code: 'provider-failed', details: { reason: expect.stringContaining('broke off') } });
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
    expect(error).toMatchObject({ code: expect.stringMatching(/^provider-(failed|unreachable|busy|refused)$/) });
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

test('OpenAI’s list has only names, and these are known to see', () => {
  for (const id of ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1-nano', 'gpt-5', 'gpt-5.2-2025-12-11', 'o3', 'o4-mini', 'gpt-7'])
    expect([id, abilitiesOf(id)]).toEqual([id, expect.arrayContaining(['vision', 'tools'])]);
  for (const id of ['gpt-3.5-turbo', 'gpt-4', 'o3-mini', 'o1-mini'])
    expect([id, abilitiesOf(id).includes('vision')]).toEqual([id, false]);
});
