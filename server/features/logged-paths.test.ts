import { afterAll, beforeAll, expect, test } from 'vitest';
import { everyRoute } from '../features.ts';
import { startTestApp, type TestApp } from '../testing/app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ LOG_LEVEL: 'trace' });
});
afterAll(() => app.stop());

const canary = 'CanaryOfAPath0123456789abcdefghijklmnopqrst';

/** As a link in a mail, a share or an export would be opened. */
test('no line of the log has what stood in a path or a query', async () => {
  const query = `?code=${canary}&token=${canary}&state=${canary}&ticket=${canary}`;
  const paths: [method: string, path: string][] = [
    ...everyRoute.map(({ method, path }): [string, string] => [method, `${path.replace(/:\w+/g, canary)}${query}`]),
    ...['Shared', 'Invitation', 'Verify-Email', 'Reset-Password'].map((page): [string, string] => [
      'GET',
      `/${page}/${canary}${query}`,
    ]),
    ['GET', `/${canary}`],
    ['GET', `//${canary}/x`],
    ['GET', `/api/${canary}/${canary}`],
    ['GET', `/v1/${canary}`],
    ['GET', `/socket.io/?EIO=4&transport=polling&sid=${canary}`],
    ['GET', `/%zz${canary}`],
  ];
  for (const [method, path] of paths) {
    const response = await app.anyone.fetch(path, { method, redirect: 'manual' });
    await response.body?.cancel();
  }
  const lines = app.logs.filter((line) => line.includes('"request"'));
  expect(lines.length).toBeGreaterThan(everyRoute.length);
  expect(lines.some((line) => line.includes('"/api/shared/:token"'))).toBe(true);
  expect(app.logs.filter((line) => line.includes(canary))).toEqual([]);
});
