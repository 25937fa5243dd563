import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOutbound } from '../../infra/outbound.ts';
import { translate } from '../../infra/translate.ts';
import { askServer, collect, providers, weather } from '../../testing/models/collect.ts';
import { goodKey, json, startDouble, stream, type Double } from '../../testing/models/double.ts';
import { wire as chatCompletions } from '../../testing/models/openai-compatible.ts';
import type { ModelConnection, ModelRequest } from './model.ts';

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
  const answer = (more: Partial<ModelRequest> = {}) => askServer(double.url, more);
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
    expect((await answer()).error).toMatchObject({ code: 'provider-failed' });
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

  test('what OpenRouter and Gemini tell beside a call goes back with its result, to the same model alone', async () => {
    const extra_content = { google: { thought_signature: 'c2lnbmVk' } };
    double.behave(({ response }) =>
      stream(response, [
        chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'I need ', signature: null }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'the weather.', format: 'x' }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.text', index: 0, signature: 'abc' }] }),
        chunk({ reasoning_details: [{ type: 'reasoning.encrypted', index: 1, id: 'r', data: 'AA' }, null] }),
        chunk({ tool_calls: [{ index: 0, id: 'a', ...called({}, 'get_weather', inCity('Nara')), extra_content }] }),
        chunk({ tool_calls: [{ index: 1, id: 'b', ...called({}, 'get_weather', inCity('Kobe')) }] }),
        chunk({}, 'tool_calls'),
        'data: [DONE]',
      ]),
    );
    const { calls, replay } = await answer({ tools: [weather] });
    const goesBack = async (model: string) => {
      double.say({ text: ['ok'] });
      const result = { role: 'tool' as const, name: 'get_weather', text: 'Rain' };
      await answer({
        model,
        tools: [weather],
        messages: [
          { role: 'user', text: 'Hi' },
          { role: 'assistant', text: '', calls, replay },
          { ...result, id: 'a' },
          { ...result, id: 'b' },
        ],
      });
      return Object(double.last().body).messages[1];
    };
    expect(await goesBack('m')).toMatchObject({
      reasoning_details: [
        { type: 'reasoning.text', index: 0, text: 'I need the weather.', format: 'x', signature: 'abc' },
        { type: 'reasoning.encrypted', index: 1, id: 'r', data: 'AA' },
      ],
      tool_calls: [{ id: 'a', extra_content }, { id: 'b' }],
    });
    const elsewhere = JSON.stringify(await goesBack('other'));
    expect(elsewhere).not.toMatch(/reasoning|signature|signed/);
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
    ['only ends', 'Is it?\nYes.\n</think>\n\nSo it is.', 'Is it?\nYes.\n', 'So it is.'],
    ['only ends, at once', 'Hm.</think>So it is.', 'Hm.', 'So it is.'],
    ['only ends, as Mistral’s does', 'Hm.[/THINK]So it is.', 'Hm.', 'So it is.'],
    ['only ends, before another', 'Hm.</think><think>Yes.</think>So it is. </think>', 'Hm.Yes.', 'So it is. </think>'],
    ['is told of', 'Write `</think>` at the end.', '', 'Write `</think>` at the end.'],
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

  const said = (...pieces: string[]) =>
    double.behave(({ response }) =>
      stream(response, [...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), 'data: [DONE]']),
    );
  const connection = () =>
    providers
      .at(-1)!
      .connect({ apiKey: undefined, baseUrl: double.url, outbound: createOutbound([new URL(double.url).host]) });
  const heard = async (from: ModelConnection, model: string) => {
    const request = { messages: [{ role: 'user' as const, text: 'Hi' }], passages: [], refusal: '', maxTokens: 9 };
    const { events, text, reasoning } = await collect(from, { model, ...request });
    return { text, reasoning, retracts: events.some(({ type }) => type === 'retract') };
  };

  test('whose thoughts had no beginning is thought to begin with them, until it does not', async () => {
    const from = connection();
    said('Hm.', '</think>', 'So it is.');
    expect(await heard(from, 'm')).toEqual({ text: 'So it is.', reasoning: 'Hm.', retracts: true });
    expect(await heard(from, 'm')).toEqual({ text: 'So it is.', reasoning: 'Hm.', retracts: false });
    expect(await heard(from, 'other')).toEqual({ text: 'So it is.', reasoning: 'Hm.', retracts: true });
    said('<think>Hm.</think>', 'So it is.');
    expect(await heard(from, 'm')).toEqual({ text: 'So it is.', reasoning: 'Hm.', retracts: false });
    said('It is', ' nine.');
    expect(await heard(from, 'm')).toMatchObject({ text: 'It is nine.' });
    expect(await heard(from, 'm')).toEqual({ text: 'It is nine.', reasoning: '', retracts: false });
  });

  test('what one answer has taught is forgotten by one that ends at its limit without thoughts', async () => {
    const from = connection();
    said('Write', '</think>', 'here.');
    await heard(from, 'm');
    double.behave(({ response }) => stream(response, [chunk({ content: 'It is' }), chunk({}, 'length')]));
    await heard(from, 'm');
    expect(await heard(from, 'm')).toEqual({ text: 'It is', reasoning: '', retracts: false });
  });

  test('a model known for it shows no thought as text, not even once', async () => {
    const from = connection();
    said('Hm.', '</think>', 'So it is.');
    for (const model of ['deepseek-r1:8b', 'qwq', 'qwen3-30b-a3b-thinking-2507'])
      expect(await heard(from, model)).toEqual({ text: 'So it is.', reasoning: 'Hm.', retracts: false });
    double.behave(({ response }) =>
      stream(response, [chunk({ reasoning: 'Hm.' }), chunk({ content: 'So it is.' }), chunk({}, 'stop')]),
    );
    expect(await heard(from, 'deepseek-r1:8b')).toEqual({ text: 'So it is.', reasoning: 'Hm.', retracts: false });
    double.behave(({ response }) => stream(response, [chunk({ content: 'Hm. I am not' }), chunk({}, 'length')]));
    expect(await heard(from, 'qwq')).toMatchObject({ text: '', reasoning: 'Hm. I am not' });
  });

  test.each(['SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'])(
    'a certificate that is not trusted is named: %s',
    async (code) => {
      const connection = providers.at(-1)!.connect({
        apiKey: goodKey,
        baseUrl: 'https://models.internal',
        outbound: {
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
