import { createServer } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createOutbound } from '../../infra/outbound.ts';
import { never, providers } from '../../testing/models/collect.ts';
import { json } from '../../testing/models/double.ts';

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
        contextTokens: 4096,
        asksWindow: true,
        capabilities: ['vision', 'tools', 'json', 'reasoning'],
      },
      { id: 'llama3.2:latest', name: 'llama3.2:latest', contextTokens: 16_384, capabilities: ['json'] },
    ]);
  });

  const ids = async (list: unknown) => (await listOf(list)).map(({ id }) => id);
  const many = Array.from({ length: 2000 }, (_, at) => ({ id: `model-${at}` }));
  test.each<[string, unknown, string[]]>([
    ['a bare array', [{ id: 'one' }, { id: 'two' }], ['one', 'two']],
    ['models instead of data', { models: [{ id: 'one' }] }, ['one']],
    ['null', { object: 'list', data: null }, []],
    [
      'one bad entry among good ones',
      { data: [{ id: 'one' }, { id: 7 }, null, 'x', {}, { id: 'two', context_length: 1, type: 3 }] },
      ['one', 'two'],
    ],
    ['one twice', { data: [{ id: 'one' }, { id: 'one' }] }, ['one']],
    ['2,000 entries', { data: many }, many.map(({ id }) => id)],
  ])('may be %s', async (_, list, expected) => {
    expect(await ids(list)).toEqual(expected);
  });

  test.each([{ hello: 'world' }, { data: 'none' }, 'x', 7])('is unreadable as %j', async (list) => {
    await expect(ids(list)).rejects.toMatchObject({ code: 'provider-answer-unreadable' });
  });

  test('may be missing, which is told as such', async () => {
    await expect(ids(undefined)).rejects.toMatchObject({ code: 'provider-no-list' });
  });

  test.each<['model' | 'other' | 'image-model', (string | object)[]]>([
    [
      'model',
      [
        'gpt-oss-120b',
        'llama-3.3-70b-instruct',
        'qwen3-vl-30b',
        'deepseek-v4',
        'gemma4:latest',
        'video-llava',
        { id: 'embedder-that-chats', type: 'chat' },
        { id: 'mistral-medium', capabilities: { completion_chat: true } },
      ],
    ],
    [
      'image-model',
      [
        'gpt-image-2.6-flare',
        'black-forest-labs/FLUX.2-pro',
        'qwen-image-edit',
        'gemini-3-pro-image-preview',
        'imagen-5',
        'z-image-turbo',
        'grok-3-image',
        'nano-banana-2',
        'seedream-5',
        'HunyuanImage-3.0',
        { id: 'my-painter', type: 'image' },
        { id: 'other', architecture: { input_modalities: ['text'], output_modalities: ['image'] } },
      ],
    ],
    [
      'other',
      [
        'text-embedding-3-large',
        'nomic-embed-text',
        'BAAI/bge-m3',
        'bge-reranker-v2',
        'rerank-v4',
        'tts-1-hd',
        'whisper-large-v3',
        'omni-moderation-latest',
        'meta-llama/Llama-Guard-4-12B',
        'sora-3',
        'veo-4',
        'wan2.2-t2v',
        { id: 'plain', type: 'embedding' },
        { id: 'plain', type: 'video' },
        { id: 'mistral-ocr', capabilities: { completion_chat: false } },
        { id: 'sings', architecture: { input_modalities: ['text'], output_modalities: ['audio'] } },
      ],
    ],
  ])('tells what is of the group %s', async (group, entries) => {
    for (const entry of entries) {
      const [model] = await listOf({ data: [typeof entry === 'string' ? { id: entry } : entry] });
      expect([model?.id, model?.group ?? 'model']).toEqual([model?.id, group]);
    }
  });

  test('is nothing, mostly: then everything is tried', async () => {
    expect(await listOf({ data: [{ id: 'some', max_model_len: 32_768 }] })).toEqual([
      { id: 'some', name: 'some', contextTokens: 32_768, capabilities: ['vision', 'tools', 'json'] },
    ]);
  });
});
