import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { conversations } from '../../../shared/contracts/conversations.ts';
import { services } from '../../../shared/contracts/services.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse } from '../../testing/openai.ts';

/** Ollama, which has loaded one of its two models; of what is too long for a window it forgets the beginning without a word. */
const models = ['loaded:8b', 'cold:8b'];
const answers: Record<string, unknown> = {
  '/v1/models': { object: 'list', data: models.map((id) => ({ id, object: 'model', owned_by: 'library' })) },
  '/api/tags': { models: models.map((model) => ({ model, name: model, capabilities: ['completion'] })) },
  '/api/show': { capabilities: ['completion'], parameters: '', model_info: { 'x.context_length': 131_072 } },
  '/api/ps': { models: [{ model: 'loaded:8b', name: 'loaded:8b', context_length: 32_768 }] },
};
const ollama = createServer((request, response) => {
  const found = answers[request.url ?? ''];
  request.resume();
  if (found) response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  else sse(response, [delta('It is.'), finish(), '[DONE]']);
});
let app: TestApp;
beforeAll(async () => {
  await new Promise<void>((resolve) => ollama.listen(0, '127.0.0.1', resolve));
  const address = ollama.address();
  const port = address && typeof address === 'object' ? address.port : 0;
  app = await startTestApp({ OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1` });
});
afterAll(async () => {
  await app.stop();
  ollama.close().closeAllConnections();
});

test('what does not fit the window that Ollama gives a model now is told, and not sent without its beginning', async () => {
  const person = await app.aPerson();
  const { body } = await app.anyone.call(services.list);
  expect(body.filter(({ provider }) => provider === 'openai-compatible')).toMatchObject([
    { modelId: 'loaded:8b', contextTokens: 4096 },
    { modelId: 'cold:8b', contextTokens: 4096 },
  ]);
  const ask = async (model: string, text: string) => {
    const service = body.find(({ modelId }) => modelId === model)?.uuid ?? '';
    const bot = (await person.call(bots.create, { body: { name: model, service } })).body.data.uuid;
    const reply = await person.call(conversations.send, { body: { bot, message: { text } } });
    return reply.status === 200 || reply.status === 201 ? reply.body.data.message.text : reply.error.code;
  };
  // A question of a person is at most 4,000 characters; in Japanese these are about as many tokens.
  const long = '予約の変更について教えてください。'.repeat(230);
  expect(await ask('cold:8b', 'Is it?')).toBe('It is.');
  expect(await ask('cold:8b', long)).toBe('context-exceeded');
  expect(await ask('loaded:8b', long)).toBe('It is.');
});
