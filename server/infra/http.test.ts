import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { startTestApp, type Person, type TestApp } from '../testing/app.ts';
import { everyRoute } from '../features.ts';

let app: TestApp;
let person: Person;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.aPerson();
});
afterAll(() => app.stop());

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
) => person.fetch('/api/user/bot', { method: 'POST', headers, body });
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;

describe('a body', () => {
  test.each([
    ['is cut off', '{"name":"x"', 'malformed-json'],
    ['is nested a hundred thousand deep', `{"name":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'malformed-json'],
    ['has a key twice', '{"name":"a","name":"b"}', 'malformed-json'],
    ['has a key twice, once in disguise', '{"name":"a","n\\u0061me":"b"}', 'malformed-json'],
    ['has __proto__', '{"name":"x","__proto__":{"role":"owner"}}', 'malformed-json'],
    ['has constructor.prototype', '{"name":"x","constructor":{"prototype":{"role":"owner"}}}', 'malformed-json'],
    ['has a NUL', '{"name":"a\\u0000b"}', 'text-not-storable'],
    ['has half a surrogate pair', '{"name":"a\\ud83d"}', 'text-not-storable'],
    ['has a number without end', '{"name":"x","starters":1e400}', 'validation-failed'],
    ['is null', 'null', 'validation-failed'],
    ['is empty', '', 'validation-failed'],
    ['is an array', '[]', 'validation-failed'],
  ])('that %s is refused', async (_, body, code) => {
    const response = await post(body);
    expect([response.status, await codeOf(response)]).toEqual([400, code]);
  });

  test('of another type than JSON is refused', async () => {
    for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded']) {
      const response = await post('{"name":"x"}', { 'content-type': type });
      expect([response.status, await codeOf(response)]).toEqual([415, 'unsupported-media-type']);
    }
  });

  test('beyond a megabyte is refused', async () => {
    const response = await post(JSON.stringify({ name: 'x', instructions: 'x'.repeat(1_100_000) }));
    expect([response.status, await codeOf(response)]).toEqual([413, 'body-too-large']);
  });

  test('of bytes that are no UTF-8 is refused or read as replacement characters, never an error of ours', async () => {
    const response = await post(Uint8Array.from([0x7b, 0x22, 0x6e, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]));
    expect(response.status).toBe(400);
  });
});

describe('a method that an address does not have', () => {
  const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
  const ask = async (method: string, path: string, init: RequestInit = {}) => {
    const response = await app.anyone.fetch(path, { ...init, method, redirect: 'manual' });
    const { error } = JSON.parse((await response.text()) || '{}') as { error?: { code: string } };
    return { status: response.status, allow: response.headers.get('allow')?.split(', ') ?? [], error };
  };
  const byPath = Map.groupBy(everyRoute, ({ path }) => path);

  test.each([...byPath])('is refused at %s, with those that it has', async (pattern, routes) => {
    const path = pattern.replace(/:\w+/g, 'x');
    const { allow } = await ask('PATCH', path);
    expect(allow).toEqual(expect.arrayContaining(routes.map(({ method }) => method)));
    for (const method of methods.filter((each) => !allow.includes(each))) {
      const refused = await ask(method, path, { ...(method !== 'GET' && { body: 'x' }) });
      expect(refused).toMatchObject({ status: 405, allow });
      expect(refused.error?.code ?? refused).toBe('method-not-allowed');
    }
    for (const method of allow.filter((each) => each !== 'HEAD'))
      expect((await ask(method, path)).status).not.toBe(405);
  });

  test('is refused outside of contracts, too, and what is nowhere stays unknown', async () => {
    for (const [method, path, allow] of [
      ['POST', '/api/openapi.json', ['GET']],
      ['GET', '/webhook/line/x', ['POST']],
      ['DELETE', '/docs', ['GET']],
    ] as const)
      expect(await ask(method, path)).toMatchObject({ status: 405, allow });
    for (const method of methods) expect((await ask(method, '/api/nowhere')).status).toBe(404);
    expect((await ask('POST', '/Nowhere')).status).toBe(404);
    expect((await ask('OPTIONS', '/api/service')).status).toBe(404);
  });

  test('is refused for a page', async () => {
    const withPages = await startTestApp({}, { page: '<html lang="en"><head></head><body></body></html>' });
    onTestFinished(() => withPages.stop());
    const post = await withPages.anyone.fetch('/Bot', { method: 'POST', body: 'x' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    for (const method of ['GET', 'HEAD']) expect((await withPages.anyone.fetch('/Bot', { method })).status).toBe(200);
    expect((await withPages.anyone.fetch('/Nowhere', { method: 'POST' })).status).toBe(404);
  });
});

describe('a route that takes no body', () => {
  const calls = everyRoute.filter(({ method, body }) => method !== 'GET' && body.def.type === 'undefined');
  const send = async ({ method, path }: { method: string; path: string }, body: string | undefined) => {
    const response = await person.fetch(path.replaceAll(/:\w+/g, '00000000-0000-7000-8000-000000000000'), {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    return [response.status, text.startsWith('{') ? JSON.parse(text).error?.code : undefined, text] as const;
  };
  const isHarmless = ({ path }: { path: string }) => path.includes('/:');

  test.each(calls.filter(isHarmless).map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s takes an empty object for none',
    async (_, route) => {
      expect((await send(route, '{}')).slice(0, 2)).toEqual((await send(route, undefined)).slice(0, 2));
    },
  );

  test('says which fields are too many, and never that anything is required', async () => {
    for (const route of calls) {
      const [status, , text] = await send(route, '{"a":1}');
      if (status === 400)
        expect([route.path, JSON.parse(text).error.details.fields]).toEqual([
          route.path,
          [expect.objectContaining({ path: '', code: 'unknown-field', keys: 'a' })],
        ]);
      else expect([route.path, [401, 403, 404].includes(status)]).toEqual([route.path, true]);
    }
  });
});

test('a field of another type is told from one that is missing', async () => {
  const fieldsOf = async (body: string) => JSON.parse(await (await post(body)).text()).error.details.fields;
  expect(await fieldsOf('{"name":5}')).toEqual([expect.objectContaining({ path: 'name', code: 'wrong-type' })]);
  expect(await fieldsOf('{}')).toEqual([expect.objectContaining({ path: 'name', code: 'required' })]);
  expect(await fieldsOf('{"name":"x","starters":[1]}')).toEqual([
    expect.objectContaining({ path: 'starters.0', code: 'wrong-type' }),
  ]);
});

test('every answer names its request and carries the safety headers', async () => {
  const response = await app.anyone.fetch('/api/service');
  expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  // Files bring a policy of their own, which says nothing about frames.
  expect(response.headers.get('x-frame-options')).toBe('SAMEORIGIN');

  const page = await app.anyone.fetch('/docs');
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(page.headers.get('x-content-type-options')).toBe('nosniff');
  expect(page.headers.get('x-frame-options')).toBe('SAMEORIGIN');
});

test('the guides to which pages lead are served as they stand', async () => {
  for (const [guide, title] of [
    ['line.md', '# A bot on LINE'],
    ['line.ja.md', '# LINEでボットを使う'],
  ] as const) {
    const reply = await app.anyone.fetch(`/docs/guides/${guide}`);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(await reply.text()).toContain(title);
  }
  for (const guide of ['none.md', '..%2f..%2fpackage.json', 'line'])
    expect((await app.anyone.fetch(`/docs/guides/${guide}`)).status).toBe(404);
});

test.each([
  [{}, "connect-src 'self'"],
  [{ BASE_URL: 'https://kotae.example.com/' }, "connect-src 'self' wss://kotae.example.com"],
])('a page connects to its own server only: %j', async (settings, expected) => {
  const own = await startTestApp(settings);
  try {
    const policy = await fetch(`http://127.0.0.1:${portOf(own)}/docs`).then(({ headers }) =>
      headers.get('content-security-policy'),
    );
    expect(policy?.split(';').find((part) => part.startsWith('connect-src'))).toBe(expected);
  } finally {
    await own.stop();
  }
});

const portOf = ({ server }: TestApp) => {
  const bound = server.app.server.address();
  return bound && typeof bound === 'object' ? bound.port : 0;
};

test('an unknown call is a 404 in the one form of errors', async () => {
  const response = await person.fetch('/api/nothing/here');
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    data: null,
    error: {
      status: 404,
      name: 'NotFoundError',
      code: 'not-found',
      message: 'There is nothing at this address.',
      details: { path: '/api/nothing/here' },
    },
  });
});

test.each(['/api/%', '/api/%00', '/%c0%ae', `/api/user/bot/${'x'.repeat(5000)}`])(
  '%s is an unknown address, too',
  async (path) => {
    expect([400, 404]).toContain((await person.fetch(path)).status);
  },
);

test('whoever opens an address that fails gets the page with its status, and a program data', async () => {
  const own = await startTestApp({}, { page: '<!doctype html><head><title>Kotae</title></head>' });
  const ask = async (path: string, headers: Record<string, string>) => {
    // `fetch` writes a `Sec-Fetch-Mode` of its own.
    const reply = await new Promise<IncomingMessage>((done, fail) =>
      get(`${own.url}${path}`, { headers }, done).on('error', fail),
    );
    return { status: reply.statusCode, type: reply.headers['content-type'], text: await text(reply) };
  };
  const addresses = {
    '/api/nothing': [404, 'not-found'],
    '/api/user/bot/a%': [404, 'not-found'],
    '/api/export/none': [400, 'code-invalid'],
    '/api/user/bots': [401, 'not-signed-in'],
    '/v1/models': [401, 'not-signed-in'],
    '/api/auth/google?next=%00': [404, 'google-not-configured'],
  } as const;
  try {
    for (const [path, [status, code]] of Object.entries(addresses)) {
      const readers = [{ accept: 'text/html,*/*;q=0.8' }, { accept: '*/*', 'sec-fetch-mode': 'navigate' }];
      for (const headers of readers) {
        const page = await ask(path, headers);
        expect([path, page.status, page.type]).toEqual([path, status, 'text/html; charset=utf-8']);
        expect(page.text).toContain(`&quot;code&quot;:&quot;${code}&quot;`);
      }
      for (const headers of [{ accept: '*/*' }, { accept: 'application/json', 'sec-fetch-mode': 'cors' }]) {
        const data = await ask(path, headers);
        expect([path, data.status, data.type]).toEqual([path, status, 'application/json; charset=utf-8']);
      }
    }
  } finally {
    await own.stop();
  }
});

test('healthz and readyz answer', async () => {
  expect((await app.anyone.fetch('/healthz')).status).toBe(200);
  expect(await (await app.anyone.fetch('/readyz')).json()).toEqual({ status: 'ready', database: true, storage: true });
});

describe('the OpenAPI document', () => {
  const read = async () =>
    (await (await app.anyone.fetch('/api/openapi.json')).json()) as { paths: Record<string, Record<string, unknown>> };

  test('is valid', async () => {
    const { valid, errors } = await new Validator().validate(await read());
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });

  test('has every call that the contracts declare, and no other', async () => {
    const declared = everyRoute.map((route) => `${route.method} ${route.path.replace(/:(\w+)/g, '{$1}')}`);
    const documented = Object.entries((await read()).paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(documented.toSorted()).toEqual(declared.toSorted());
  });
});

test('a form that announces ten gigabytes is refused before it is read', async () => {
  const { hostname, port } = new URL(app.url);
  const answer = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST /api/user/image HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${person.jwt}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 10000000000\r\n\r\n--b\r\n`,
      ),
    );
    socket.setEncoding('utf8').once('data', (part) => {
      socket.destroy();
      resolve(String(part));
    });
  });
  expect(answer).toMatch(/^HTTP\/1\.1 413/);
});

test('who is refused before the body has come is waited for no longer than who is let in', async () => {
  const expected = vi.spyOn(app.server.app.bodies, 'expect');
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  try {
    socket.write('POST /api/user/bot HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{');
    expect(String(await new Promise((resolve) => socket.once('data', resolve)))).toMatch(/^HTTP\/1\.1 401/);
    // What an earlier test has left open may be waited for as well.
    expect(expected.mock.calls.map(([{ url, complete }]) => [url, complete])).toContainEqual(['/api/user/bot', false]);
  } finally {
    expected.mockRestore();
    socket.destroy();
  }
});

describe('what is hardly HTTP', () => {
  const raw = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(app.url);
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(text));
      socket
        .setEncoding('utf8')
        .on('data', (part) => (answer += part))
        .on('close', () => resolve(answer))
        .on('error', reject);
      setTimeout(() => socket.end(), 500);
    });

  test.each([
    [
      'length and chunks at once',
      'POST /api/user/bot HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      /^HTTP\/1\.1 400/,
    ],
    [
      'a header of 64 KB',
      `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(65_536)}\r\n\r\n`,
      /^HTTP\/1\.1 431/,
    ],
    ['nonsense', 'nonsense\r\n\r\n', /^HTTP\/1\.1 400/],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 (400|404|405)/],
  ])('%s is told so, and the server lives', async (_, text, wanted) => {
    expect(await raw(text)).toMatch(wanted);
    expect((await app.anyone.fetch('/healthz')).status).toBe(200);
  });
});
