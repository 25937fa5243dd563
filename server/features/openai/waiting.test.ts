import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { bots } from '../../../shared/contracts/bots.ts';
import { keys } from '../../../shared/contracts/keys.ts';
import { services } from '../../../shared/contracts/services.ts';
import { startTestApp, type TestApp } from '../../testing/app.ts';
import { delta, finish, sse, startModelServer } from '../../testing/openai.ts';

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

test('a program hears that a silent model is waited for, and then its answer or why there is none', async () => {
  const person = await app.aPerson();
  const service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  const bot = (await person.call(bots.create, { body: { name: 'Slow', service } })).body.data.uuid;
  const { key } = (await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } })).body.data;
  const { promise: isTime, resolve: goOn } = Promise.withResolvers<void>();
  upstream.behave(async (request, response) => {
    await isTime;
    if (JSON.stringify(request.body).includes('Fail')) response.writeHead(500).end('{}');
    else sse(response, [delta('At last.'), finish(), '[DONE]']);
  });
  const ask = async (content: string) => {
    const reply = await app.anyone.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: bot, stream: true, messages: [{ role: 'user', content }] }),
    });
    return [reply.status, await reply.text()] as const;
  };
  const before = upstream.received.length;
  // What goes on by itself waits for the clock of this test; what is answered comes by the network.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const asked = Promise.all([ask('Hello'), ask('Fail')]);
  await vi
    .waitFor(() => expect(upstream.received.length).toBe(before + 2))
    .finally(() => {
      vi.advanceTimersByTime(15_000);
      vi.useRealTimers();
      goOn();
    });
  const [[whole, said], [failed, told]] = await asked;
  expect([whole, failed]).toEqual([200, 200]);
  expect(said).toMatch(/^: still here\n\ndata: .*At last\..*data: \[DONE\]\n\n$/s);
  expect(told).toMatch(/^: still here\n\ndata: \{"error":\{.*"code":"provider-failed".*\}\}\n\n$/);
});

test('large questions that wait for their answers leave room for others from the same address', async () => {
  const person = await app.aPerson();
  const service = (await app.anyone.call(services.list)).body.find(({ modelId }) => modelId === 'double-1')?.uuid ?? '';
  const bot = (await person.call(bots.create, { body: { name: 'Slow', service } })).body.data.uuid;
  const { key } = (await person.call(keys.create, { body: { name: 'Program', scopes: ['chat'] } })).body.data;
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  upstream.behave(async (_request, response) => {
    await answered;
    sse(response, [delta('At last.'), finish(), '[DONE]']);
  });
  const before = upstream.received.length;
  const ask = (stream: boolean) =>
    app.anyone.fetch('/v1/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: bot,
        stream,
        messages: [{ role: 'user', content: 'Hello' }],
        metadata: { note: 'x'.repeat(18 * 1024 * 1024) },
      }),
    });
  const waiting: Promise<Response>[] = [];
  for (const stream of [true, false, true, false]) {
    waiting.push(ask(stream));
    await expect.poll(() => upstream.received.length, { timeout: 10_000 }).toBe(before + waiting.length);
  }
  answer();
  for (const response of await Promise.all(waiting)) expect(response.status).toBe(200);
});
