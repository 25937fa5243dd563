import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createOutbound } from '../../infra/outbound.ts';
import { askServer, collect, providers, weather } from '../../testing/models/collect.ts';
import { json, startDouble, stream, type Double } from '../../testing/models/double.ts';
import { wire as chatCompletions } from '../../testing/models/openai-compatible.ts';
import type { ModelRequest } from './model.ts';

describe('what a model refuses', () => {
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
    messages: [
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Hi', files: [{ name: 'dot.png', mime: 'image/png', bytes: Buffer.from('x') }] },
    ],
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
  const leftOutAfter = async (message: string, status = 400) => {
    let asked = 0;
    double.behave(({ response }) => {
      if (asked++ === 0) json(response, status, { error: { message } });
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
    ['images', 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj'],
    ['tools', '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
    ['tools', 'tools param requires --jinja flag'],
    ['system', 'System role not supported'],
    ['system', 'Conversation roles must alternate user/assistant/user/assistant/...'],
    ['system', 'Developer instruction is not enabled for models/gemma-4-it'],
    ['reasoning', "Unsupported value: 'reasoning_effort' does not support 'high' with this model."],
    ['reasoning', 'Thinking level HIGH is not supported for this model.'],
    ['reasoning', 'adaptive thinking is not supported on this model'],
    ['reasoning', '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive".'],
  ])('is asked without %s, and tells so, once its server says: %s', async (part, message) => {
    expect(await leftOutAfter(message)).toEqual([part]);
  });

  test.each([400, 404, 422, 500, 501, 503])('learns from the sentence, whatever the status: %i', async (status) => {
    expect(await leftOutAfter('image input is not supported', status)).toEqual(['images']);
    expect(await leftOutAfter('The model crashed', status)).toBe('an error');
  });

  test('rules that a model knows no place for stand before what was said first', async () => {
    const asked: unknown[] = [];
    double.behave(({ asked: { body }, response }) => {
      asked.push(Object(body).messages);
      if (asked.length === 1) json(response, 500, { error: { message: 'System role not supported' } });
      else stream(response, chatCompletions.frames({ text: ['ok'] }));
    });
    const messages = [
      { role: 'system' as const, text: 'Be kind.' },
      { role: 'user' as const, text: 'Hi' },
      { role: 'assistant' as const, text: 'Hello' },
      { role: 'user' as const, text: 'Bye' },
    ];
    expect(await answer({ messages })).toMatchObject({ text: 'ok', error: undefined });
    expect(asked[1]).toEqual([
      { role: 'user', content: 'Be kind.\n\nHi' },
      { role: 'assistant', content: 'Hello' },
      { role: 'user', content: 'Bye' },
    ]);
  });

  test('the other name of the limit is taken, whichever a server does not know', async () => {
    const asked: string[][] = [];
    double.behave(({ asked: { body }, response }) => {
      asked.push(Object.keys(Object(body)).filter((name) => name.startsWith('max_')));
      if (asked.length === 1)
        json(response, 400, { error: { message: 'Unrecognized request argument supplied: max_tokens' } });
      else stream(response, chatCompletions.frames({ text: ['ok'] }));
    });
    expect((await answer()).text).toBe('ok');
    expect(asked).toEqual([['max_tokens'], ['max_completion_tokens']]);
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
});
