import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { accounts } from '../../shared/contracts/accounts.ts';
import type { Route } from '../../shared/route.ts';
import { startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { everyRoute } from '../features.ts';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.aPerson();
});
afterAll(() => app.stop());

const strings = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud83d',
  'x'.repeat(900_000),
  '\u202eevil',
  '👩‍👩‍👧‍👦'.repeat(2000),
  "'; drop table bot; --",
  '%',
  '../../etc/passwd',
  '{{constructor}}',
  '<script>alert(1)</script>',
  '=HYPERLINK("x")',
];
const values: unknown[] = [
  ...strings,
  null,
  true,
  -1,
  1e21,
  0.1,
  [],
  [[]],
  {},
  { $ne: 1 },
  ['\u0000'],
  { toString: 1 },
];
const ids = [
  'nonsense',
  '00000000-0000-7000-8000-000000000000',
  '%00',
  '..%2F..%2Fetc',
  "'%20or%201=1",
  'x'.repeat(99),
  '__proto__',
  '-1',
  'NaN',
];

const types = [
  'text/plain',
  'application/xml',
  'application/json; charset=utf-16',
  'multipart/mixed; boundary=b',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=""',
  'multipart/form-data; boundary="',
  'multipart/form-data; boundary=a; boundary=b',
  "multipart/form-data; boundary*=utf-8''%E3%81%82",
  `multipart/form-data; ${'a=b;'.repeat(500)} boundary=b`,
  ...[70, 255, 256, 257, 5000].map((length) => `multipart/form-data; boundary=${'b'.repeat(length)}`),
];
const file = (headers: string, content = 'x') => `--b\n${headers}\n\n${content}\n--b--\n`;
const forms = [
  '',
  '--b',
  '--b--\n',
  '--b\n\n\n--b--\n',
  file(''),
  file('Content-Disposition: form-data'),
  file('Content-Disposition: form-data; name="file"'),
  file('Content-Disposition: form-data; name="file"; filename=""'),
  file('Content-Disposition: form-data; name="file"; filename="a\u0000b.txt"'),
  file('Content-Disposition: form-data; name="file"; filename="../../a.txt"'),
  file(`Content-Disposition: form-data; name="file"; filename="${'a'.repeat(70_000)}.txt"`),
  file('Content-Disposition: form-data; name="file"; filename*=utf-99\'\'%ff%fe.txt'),
  file('Content-Disposition: form-data; name="__proto__"; filename="a.txt"'),
  file(`Content-Disposition: form-data; name="${'a'.repeat(500)}"; filename="a.txt"`),
  file(
    'Content-Disposition: form-data; name="file"; filename="a.txt"\nContent-Type: nonsense\nContent-Transfer-Encoding: base64',
  ),
  file('Content-Disposition: form-data; name="file"; filename="a.png"\nContent-Type: image/png', '\u0089PNG\n'),
  file('Content-Disposition: form-data; name="file"; filename="a.txt"', 'a\u0000b'),
  file(`X: ${'a'.repeat(20_000)}`),
  file('X: a\n'.repeat(3000)),
  `${'--b\nContent-Disposition: form-data; name="file"; filename="a.txt"\n\nx\n'.repeat(100)}--b--\n`,
  `${'--b\nContent-Disposition: form-data; name="a"\n\nx\n'.repeat(100)}--b--\n`,
  '--b\nContent-Disposition: form-data; name="file"; filename="a.txt"\n\nno end',
];

/** Bodies of the right shape in which one field after another is hostile, and some of the wrong shape. */
function bodiesOf(schema: z.ZodType): string[] {
  const fields = fieldsOf(schema);
  const wrong = [
    'null',
    '[]',
    '5',
    '"text"',
    '{',
    '',
    `${'['.repeat(100_000)}`,
    '{"__proto__":{"a":1}}',
    '{"a":1,"a":2}',
    '{"unknown":1}',
  ];
  return [...wrong, ...fields.flatMap((field) => values.map((value) => JSON.stringify({ [field]: value })))];
}

function fieldsOf(schema: z.ZodType): string[] {
  if ('unwrap' in schema && typeof schema.unwrap === 'function') return fieldsOf(schema.unwrap());
  return 'shape' in schema && typeof schema.shape === 'object' && schema.shape !== null
    ? Object.keys(schema.shape)
    : [];
}

async function mustBeRefusedOrDone(route: Route, path: string, init: RequestInit): Promise<void> {
  const response = await person.fetch(path, { method: route.method, ...init });
  const text = await response.text();
  const what = `${route.method} ${path.slice(0, 120)} ${String(init.body).slice(0, 80)}`;
  expect(response.status, `${what}: ${text.slice(0, 200)}`).toBeLessThan(500);
  const form = path.startsWith('/v1/') ? { type: expect.any(String) } : { status: response.status };
  if (response.status >= 400)
    expect(JSON.parse(text), what).toMatchObject({
      error: { ...form, code: expect.any(String), message: expect.stringMatching(/\S/) },
    });
}

describe.each(everyRoute.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_, route) => {
  const withIds = (id: string) => route.path.replace(/:(\w+)/g, id);
  const json = { 'content-type': 'application/json' };

  test('takes no hostile id, body, query or type for anything but bad input', async () => {
    // One of these calls deletes the account, and some end its sessions.
    if ((await person.call(accounts.me)).status !== 200) person = await app.aPerson();
    if (route.path.includes(':')) for (const id of ids) await mustBeRefusedOrDone(route, withIds(id), {});
    const path = withIds('00000000-0000-7000-8000-000000000000');
    if (route.method !== 'GET') {
      for (const body of bodiesOf(route.body)) await mustBeRefusedOrDone(route, path, { headers: json, body });
      for (const type of types)
        await mustBeRefusedOrDone(route, path, { headers: { 'content-type': type }, body: 'x' });
      if (route.kind === 'multipart')
        for (const form of forms)
          await mustBeRefusedOrDone(route, path, {
            headers: { 'content-type': 'multipart/form-data; boundary=b' },
            body: form.replaceAll('\n', '\r\n'),
          });
    }
    for (const field of Object.keys(route.query.shape))
      for (const value of [
        '',
        '%00',
        '-1',
        '1e309',
        'NaN',
        '__proto__',
        'x'.repeat(3000),
        '%',
        "'",
        '9'.repeat(30),
        'WyJhIiwiYiJd',
      ])
        await mustBeRefusedOrDone(
          route,
          `${path}?${field}=${encodeURIComponent(value)}`,
          route.method === 'GET' ? {} : { headers: json, body: '{}' },
        );
  });

  test('tells who is not signed in nothing but that', async () => {
    if (route.access === 'anyone') return;
    const response = await app.anyone.fetch(withIds('00000000-0000-7000-8000-000000000000'), {
      method: route.method,
      ...(route.method !== 'GET' && { headers: json, body: '{}' }),
    });
    expect(response.status).toBe(401);
  });
});

test('after all of it the server is well', async () => {
  expect((await app.anyone.fetch('/readyz')).status).toBe(200);
  expect(app.logs.filter((line) => line.includes('"level":50'))).toEqual([]);
});
