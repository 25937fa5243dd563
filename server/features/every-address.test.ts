import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { services } from '../../shared/contracts/services.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp(
    { RATE_LIMITS: 'true', LIMITS: 'calls=3/600,pages=3/600,incoming=3/600', TRUST_PROXY: '127.0.0.1' },
    { page: '<!doctype html><html lang="en"><head><title>x</title></head><body></body></html>' },
  );
});
afterAll(() => app.stop());

let addresses = 0;

test('whatever the router has is counted by the address that asks, before anything is done for it', async () => {
  const served = [...app.server.app.methodsOf].flatMap(([url, methods]) =>
    [...methods].map((method) => ({ method, url })),
  );
  expect(served.length).toBeGreaterThan(300);
  const uncounted: string[] = [];
  for (const { method, url } of [...served, { method: 'GET', url: '/nothing-here' }, { method: 'PUT', url: '/Bot' }]) {
    const headers = { 'x-forwarded-for': `198.51.${addresses >> 8}.${addresses++ & 255}` };
    const path = url.replace(/:[A-Za-z]+/g, 'x').replace('*', 'x');
    const statuses: number[] = [];
    for (let time = 0; time < 4; time++) {
      const answer = await app.anyone.fetch(path, { method, headers, redirect: 'manual' });
      await answer.body?.cancel();
      statuses.push(answer.status);
    }
    if (statuses.at(-1) !== 429) uncounted.push(`${method} ${url}: ${statuses.join()}`);
  }
  expect(uncounted).toEqual([]);
});

test('the large documents that everybody may ask for are made once, and sent only where they are new', async () => {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${open.url}${path}`, { headers: { 'accept-encoding': 'br', ...headers }, redirect: 'manual' });
  const open = await startTestApp();
  try {
    for (const path of ['/api/openapi.json', services.list.path]) {
      const swagger = vi.spyOn(open.server.app, 'swagger');
      const [first, second] = [await ask(path), await ask(path)];
      const etag = first.headers.get('etag') ?? '';
      expect([first.headers.get('content-encoding'), etag]).toEqual(['br', expect.stringMatching(/^"[\w-]{43}"$/)]);
      expect(await second.text()).toBe(await first.text());
      const known = await ask(path, { 'if-none-match': etag });
      expect([known.status, await known.text()]).toEqual([304, '']);
      const plain = await ask(path, { 'accept-encoding': 'br;q=0, identity' });
      expect([plain.headers.get('content-encoding'), await plain.json()]).toEqual(['identity', expect.anything()]);
      expect(swagger.mock.calls.length).toBeLessThanOrEqual(1);
      swagger.mockRestore();
    }
    for (const path of ['/docs/json', '/docs/yaml'])
      expect((await ask(path)).headers.get('location')).toBe('/api/openapi.json');
  } finally {
    await open.stop();
  }
});
