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
