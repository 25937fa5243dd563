import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { bots, type Tool } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';
import { callTool } from './tools.ts';

interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Somebody's server that the tools call, and another that no tool may reach. */
async function startDouble() {
  const received: Received[] = [];
  const state = {
    connections: 0,
    behave: (response: ServerResponse): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}'),
  };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request
      .on('data', (part: Buffer) => parts.push(part))
      .on('end', () => {
        received.push({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          body: Buffer.concat(parts).toString('utf8'),
        });
        state.behave(response);
      });
  }).on('connection', () => state.connections++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const host = `127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`;
  return {
    host,
    received,
    state,
    stop: () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  };
}

let app: TestApp;
let person: Person;
let uuid: string;
let double: Awaited<ReturnType<typeof startDouble>>;
let hidden: Awaited<ReturnType<typeof startDouble>>;
const usual = (response: ServerResponse) =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');

beforeAll(async () => {
  [double, hidden] = [await startDouble(), await startDouble()];
  app = await startTestApp({ ALLOW_PRIVATE_HOSTS: double.host });
});
beforeEach(async () => {
  person = await app.aPerson();
  uuid = (await person.call(bots.create, { body: { name: 'Bot' } })).body.data.uuid;
});
afterEach(() => {
  double.received.length = 0;
  double.state.behave = usual;
});
afterAll(() => Promise.all([app.stop(), double.stop(), hidden.stop()]));

const parameter = (
  name: string,
  place: 'path' | 'query' | 'body',
  type: Tool['parameters'][number]['type'] = 'string',
  required = false,
) => ({ name, in: place, type, description: '', required });
const aTool = (changes: Partial<Tool> = {}): Tool => ({
  name: 'find_order',
  description: '',
  method: 'GET',
  url: `http://${double.host}/orders`,
  headers: [],
  parameters: [],
  approved: false,
  ...changes,
});
const attempt = (tool: Tool, input: Record<string, unknown> = {}) =>
  person.call(bots.tryTool, { params: { uuid }, body: { tool, input } });

test('what a model gives goes where the tool says', async () => {
  const tool = aTool({
    method: 'POST',
    url: `http://${double.host}/shops/{shop}/orders?fixed=1`,
    parameters: [
      parameter('shop', 'path'),
      parameter('q', 'query'),
      parameter('tags', 'query', 'array'),
      parameter('left', 'query'),
      parameter('lines', 'body', 'array'),
      parameter('gift', 'body', 'boolean'),
    ],
  });
  const { body } = await attempt(tool, {
    shop: '渋谷 1',
    q: 'a&b=c',
    tags: ['x', 'y'],
    lines: [{ id: 1 }],
    gift: false,
  });
  expect(body.data).toEqual({ status: 200, body: '{"ok":true}', tookMs: expect.any(Number) });
  expect(double.received).toMatchObject([
    {
      method: 'POST',
      path: '/shops/%E6%B8%8B%E8%B0%B7%201/orders?fixed=1&q=a%26b%3Dc&tags=x&tags=y',
      body: '{"lines":[{"id":1}],"gift":false}',
      headers: { 'content-type': 'application/json' },
    },
  ]);
});

test('a call without a body has none', async () => {
  await attempt(aTool({ method: 'DELETE' }));
  expect(double.received).toMatchObject([{ method: 'DELETE', body: '' }]);
  expect(double.received[0]?.headers).not.toHaveProperty('content-type');
});

describe('what is filled into the path stays in its place', () => {
  const tool = () => aTool({ url: `http://${double.host}/orders/{id}/lines`, parameters: [parameter('id', 'path')] });
  test.each([
    ['../../admin', '/orders/..%2F..%2Fadmin/lines'],
    ['%2e%2e', '/orders/%252e%252e/lines'],
    ['1?all=1', '/orders/1%3Fall%3D1/lines'],
    ['1#top', '/orders/1%23top/lines'],
    ['a\\b', '/orders/a%5Cb/lines'],
    ['x@evil.example:80/', '/orders/x%40evil.example%3A80%2F/lines'],
    ['{id}', '/orders/%7Bid%7D/lines'],
  ])('%s', async (id, path) => {
    expect((await attempt(tool(), { id })).status).toBe(200);
    expect(double.received.map((request) => request.path)).toEqual([path]);
  });

  test.each(['..', '.', ''])('"%s" is refused', async (id) => {
    const { status, error } = await attempt(tool(), { id });
    expect([status, error.code, double.received]).toEqual([422, 'tool-input-invalid', []]);
  });
});

describe('input that the tool does not describe is not sent', () => {
  test.each<[string, Record<string, unknown>]>([
    ['of another type', { count: '1' }],
    ['half a number', { count: 1.5 }],
    ['of another name', { count: 1, admin: true }],
    ['left out', {}],
    ['null', { count: null }],
    ['a list for an object', { count: 1, filter: [] }],
  ])('%s', async (_, input) => {
    const { status, error } = await attempt(
      aTool({ parameters: [parameter('count', 'query', 'integer', true), parameter('filter', 'query', 'object')] }),
      input,
    );
    expect([status, error.code, double.received]).toEqual([422, 'tool-input-invalid', []]);
  });

  test('names that every object has are names like others', async () => {
    const tool = aTool({ parameters: [parameter('constructor', 'query'), parameter('toString', 'body')] });
    expect((await attempt(tool)).status).toBe(200);
    expect(
      (await attempt(aTool({ parameters: [parameter('valueOf', 'query', 'string', true)] }), { valueOf: 'x' })).status,
    ).toBe(200);
    expect(double.received.map(({ path, body }) => [path, body])).toEqual([
      ['/orders', ''],
      ['/orders?valueOf=x', ''],
    ]);
  });
});

test('a name of our own network is refused like one that nobody has', async () => {
  const answers = [];
  for (const host of ['localhost', 'nobody-has-this-name.invalid']) {
    const { status, error } = await attempt(aTool({ url: `http://${host}/` }));
    answers.push([status, error]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]).toMatchObject([400, { code: 'address-not-allowed' }]);
});

describe('a secret is sent only where it was stored for', () => {
  const mark = { name: 'X-Key', value: 'Key {{secret.API_KEY}}' };
  const store = (origins: string[], value = 'canary-4712') =>
    person.call(bots.setSecret, { params: { uuid }, body: { name: 'API_KEY', value, origins } });
  /** Everything that was received by anybody. */
  const isOut = () => JSON.stringify([double.received, hidden.received]).includes('canary');

  test('never to where a tool that is only tried leads, whatever the header and the path', async () => {
    const port = double.host.split(':')[1] ?? '';
    const others = [
      'https://api.example.com',
      `https://${double.host}`,
      `http://localhost:${port}`,
      `http://${hidden.host}`,
    ];
    expect((await store(others)).status).toBe(200);
    const urls = [
      `http://${double.host}/orders`,
      `http://${double.host}/https://api.example.com`,
      `http://${double.host}/?https://api.example.com`,
      `HTTP://${double.host}/#api.example.com`,
      `http://127.1:${port}/`,
      `http://2130706433:${port}/`,
    ];
    for (const url of urls) {
      const { status, error } = await attempt(aTool({ url, headers: [{ name: 'X-Other', value: 'x' }, mark] }));
      expect([url, status, error.code]).toEqual([url, 422, 'secret-elsewhere']);
    }
    expect([isOut(), double.received, hidden.received]).toEqual([false, [], []]);
  });

  test('nor when the tool is saved, approved and called for a model', async () => {
    await store(['https://api.example.com']);
    const tool = aTool({ approved: true, headers: [mark] });
    expect((await person.call(bots.update, { params: { uuid }, body: { tools: [tool] } })).status).toBe(200);
    await expect(callTool(app.server.context, uuid, tool, {}, new AbortController().signal)).rejects.toMatchObject({
      code: 'secret-elsewhere',
    });
    expect(double.received).toEqual([]);
  });

  test('and to another place only with the secret itself', async () => {
    await store(['https://api.example.com']);
    const response = await person.fetch(`/api/user/bot/${uuid}/secret`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'API_KEY', origins: [`http://${double.host}`] }),
    });
    expect(response.status).toBe(400);
    expect((await attempt(aTool({ headers: [mark] }))).error.code).toBe('secret-elsewhere');
    expect((await store([`http://${double.host}/any/path?q`])).body.data.secrets).toEqual([
      { name: 'API_KEY', origins: [`http://${double.host}`] },
    ]);
    expect((await attempt(aTool({ headers: [mark] }))).status).toBe(200);
    expect(double.received).toMatchObject([{ headers: { 'x-key': 'Key canary-4712' } }]);
  });

  test('a tool without it goes anywhere that is allowed', async () => {
    await store(['https://api.example.com']);
    expect((await attempt(aTool())).status).toBe(200);
  });

  test.each([
    [[]],
    [['']],
    [['ftp://example.com']],
    [['https://user:x@example.com']],
    [['a b']],
    [['javascript:alert(1)']],
  ])('an address that is none is refused: %j', async (origins) => {
    const { status, error } = await store(origins);
    expect([status, error.code]).toEqual([400, 'validation-failed']);
    expect((await person.call(bots.get, { params: { uuid } })).body.data.secrets).toEqual([]);
  });

  test.each([
    ['api.example.com', 'https://api.example.com'],
    ['API.Example.com:8443/v1', 'https://api.example.com:8443'],
    ['http://api.example.com:80', 'http://api.example.com'],
  ])('%s is %s', async (given, origin) => {
    expect((await store([given, given])).body.data.secrets).toEqual([{ name: 'API_KEY', origins: [origin] }]);
  });
});

describe('a secret of the bot', () => {
  const withSecret = (value = 'Bearer {{ secret.API_KEY }}') => aTool({ headers: [{ name: 'Authorization', value }] });
  const secret = (value: string) =>
    person.call(bots.setSecret, {
      params: { uuid },
      body: { name: 'API_KEY', value, origins: [`http://${double.host}`] },
    });

  test('reaches the server in a header, and nobody else', async () => {
    const { body } = await secret('canary-4711');
    expect(body.data.secrets).toEqual([{ name: 'API_KEY', origins: [`http://${double.host}`] }]);
    double.state.behave = (response) => void response.writeHead(200).end('fine');
    const reply = await attempt(withSecret());
    expect(double.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer canary-4711']);
    const others = await Promise.all([
      person.fetch('/api/user/bots'),
      person.fetch(`/api/user/bot/${uuid}`),
      person.fetch(`/api/bot/${uuid}`),
    ]);
    expect(
      [
        JSON.stringify(reply.body),
        JSON.stringify(body),
        ...(await Promise.all(others.map((response) => response.text()))),
        app.logs.join(''),
      ].filter((said) => said.includes('canary-4711')),
    ).toEqual([]);
    const stored = await app.server.context.db
      .selectFrom('bot_secret')
      .select('sealed')
      .where('bot', '=', uuid)
      .execute();
    expect(stored).toEqual([{ sealed: expect.not.stringContaining('canary-4711') }]);
  });

  test('is replaced, and forgotten', async () => {
    await secret('first');
    await secret('second');
    await attempt(withSecret());
    expect((await person.call(bots.removeSecret, { params: { uuid, name: 'API_KEY' } })).body.data.secrets).toEqual([]);
    await attempt(withSecret());
    expect(double.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer second', 'Bearer']);
  });

  test('of another bot is none', async () => {
    await secret('mine');
    const other = (await person.call(bots.create, { body: { name: 'Other' } })).body.data.uuid;
    await person.call(bots.tryTool, { params: { uuid: other }, body: { tool: withSecret(), input: {} } });
    expect(double.received.map(({ headers }) => headers.authorization)).toEqual(['Bearer']);
  });

  test('is not put into an address', async () => {
    const { status, error } = await attempt(aTool({ url: `http://${double.host}/{{secret.API_KEY}}` }));
    expect([status, error.code]).toEqual([400, 'validation-failed']);
  });

  test.each([
    ['a name that is none', { name: '1 KEY', value: 'x' }],
    ['an empty value', { name: 'KEY', value: ' ' }],
    ['no value', { name: 'KEY' }],
  ])('is not %s', async (_, body) => {
    const response = await person.fetch(`/api/user/bot/${uuid}/secret`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([response.status, (await person.call(bots.get, { params: { uuid } })).body.data.secrets]).toEqual([400, []]);
  });

  test('is one of at most fifty', async () => {
    for (let at = 0; at < 50; at++)
      await person.call(bots.setSecret, {
        params: { uuid },
        body: { name: `K${at}`, value: 'x', origins: ['example.com'] },
      });
    expect((await secret('x')).error.code).toBe('too-many');
    expect(
      (
        await person.call(bots.setSecret, {
          params: { uuid },
          body: { name: 'K7', value: 'other', origins: ['example.com'] },
        })
      ).status,
    ).toBe(200);
  });
});

describe('a header', () => {
  test.each([
    ['with a second one in it', [{ name: 'X-A', value: 'a\r\nX-Admin: 1' }]],
    ['with a second one in its name', [{ name: 'X-A: 1\r\nX-Admin', value: '1' }]],
    ['of the connection', [{ name: 'Transfer-Encoding', value: 'chunked' }]],
    ['that names another host', [{ name: 'host', value: 'admin.example' }]],
    ['of letters that no header has', [{ name: 'X-A', value: '予約' }]],
  ])('%s is refused', async (_, headers) => {
    const { status, error } = await attempt(aTool({ headers }));
    expect([status, error.code, double.received]).toEqual([422, 'tool-input-invalid', []]);
  });

  test('with a second one in a secret is refused, and the secret is not told', async () => {
    await person.call(bots.setSecret, {
      params: { uuid },
      body: { name: 'KEY', value: 'canary\r\nX-Admin: 1', origins: [`http://${double.host}`] },
    });
    const { status, error } = await attempt(aTool({ headers: [{ name: 'X-Key', value: '{{secret.KEY}}' }] }));
    expect([status, JSON.stringify(error).includes('canary'), double.received]).toEqual([422, false, []]);
  });
});

describe('an address', () => {
  test.each([
    'http://127.0.0.1:80/',
    'http://localhost:8080/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://user:pass@example.com/',
  ])('%s is not called', async (url) => {
    const { status, error } = await attempt(aTool({ url }));
    expect([status, error.code]).toEqual([400, 'address-not-allowed']);
  });

  test('of a private server gets no connection at all', async () => {
    const { status, error } = await attempt(aTool({ url: `http://${hidden.host}/` }));
    expect([status, error.code, hidden.state.connections]).toEqual([400, 'address-not-allowed', 0]);
  });

  test('that a server redirects to is not called', async () => {
    double.state.behave = (response) =>
      void response.writeHead(302, { location: `http://${hidden.host}/` }).end('moved');
    const { body } = await attempt(aTool());
    expect([body.data.status, body.data.body, hidden.state.connections]).toEqual([302, 'moved', 0]);
  });
});

describe('an answer', () => {
  test('of two megabytes is cut', async () => {
    double.state.behave = (response) => void response.writeHead(200).end('あ'.repeat(700_000));
    const { status, body } = await attempt(aTool());
    expect([status, body.data.body]).toEqual([200, 'あ'.repeat(20_000)]);
  });

  test('of bytes that are no text does no harm', async () => {
    double.state.behave = (response) => void response.writeHead(200).end(Buffer.from([0, 0xff, 0xd8, 0x41]));
    expect((await attempt(aTool())).body.data.body).toBe('\ufffd\ufffdA');
  });

  test('that says no is told as it is', async () => {
    double.state.behave = (response) => void response.writeHead(503).end('busy');
    expect((await attempt(aTool())).body.data).toMatchObject({ status: 503, body: 'busy' });
  });

  test.each([
    ['never begins', () => {}],
    ['drips without end', (response: ServerResponse) => void setInterval(() => response.write('.'), 20).unref()],
  ])('that %s ends the call at its limit', async (_, behave) => {
    double.state.behave = behave;
    const started = performance.now();
    const failure = await callTool(app.server.context, uuid, aTool(), {}, new AbortController().signal, 300).catch(
      (error: unknown) => error,
    );
    expect(failure).toBeInstanceOf(AppError);
    expect(failure).toMatchObject({ code: 'tool-failed' });
    expect(performance.now() - started).toBeLessThan(2000);
  });

  test('that breaks off is a failure with a sentence', async () => {
    double.state.behave = (response) => {
      response.writeHead(200, { 'content-length': 100 }).write('half');
      setTimeout(() => response.destroy(), 20);
    };
    const { status, error } = await attempt(aTool());
    expect([status, error.code, error.message]).toEqual([502, 'tool-failed', expect.stringContaining('find_order')]);
  });
});

describe('a tool that contradicts itself', () => {
  const save = (tools: Tool[]) => person.call(bots.update, { params: { uuid }, body: { tools } });
  test.each<[string, Partial<Tool>, [string, string]]>([
    ['has a place without a parameter', { url: 'https://example.com/{id}' }, ['url', 'parameter-missing']],
    [
      'has a parameter without a place',
      { parameters: [parameter('id', 'path')] },
      ['parameters.0.name', 'parameter-unused'],
    ],
    [
      'has a place for a query parameter',
      { url: 'https://example.com/{id}', parameters: [parameter('id', 'query')] },
      ['url', 'parameter-missing'],
    ],
    [
      'has a parameter twice',
      { parameters: [parameter('a', 'query'), parameter('a', 'body')] },
      ['parameters.1.name', 'duplicate'],
    ],
    [
      'lets the model choose the host',
      { url: 'https://{id}/x', parameters: [parameter('id', 'path')] },
      ['url', 'tool-address'],
    ],
    [
      'lets the model choose the port',
      { url: 'https://example.com:{id}/x', parameters: [parameter('id', 'path')] },
      ['url', 'tool-address'],
    ],
    ['has no whole address', { url: '/orders' }, ['url', 'tool-address']],
    ['has an address of a file', { url: 'file:///etc/passwd' }, ['url', 'tool-address']],
  ])('%s is not kept, and not tried', async (_, changes, [path, code]) => {
    const saved = await save([aTool(changes)]);
    expect([saved.status, saved.error.details['fields']]).toEqual([
      400,
      [expect.objectContaining({ path: `tools.0.${path}`, code, message: expect.stringMatching(/^[A-Z].*\.$/) })],
    ]);
    const tried = await attempt(aTool(changes));
    expect([tried.status, tried.error.details['fields'], double.received]).toEqual([
      400,
      [expect.objectContaining({ path: `tool.${path}`, code })],
      [],
    ]);
    expect((await person.call(bots.get, { params: { uuid } })).body.data.draft.tools).toEqual([]);
  });

  test('is not kept beside another of its name', async () => {
    const { status, error } = await save([aTool(), aTool({ url: 'https://example.com' })]);
    expect([status, error.details['fields']]).toEqual([
      400,
      [expect.objectContaining({ path: 'tools.1.name', code: 'duplicate' })],
    ]);
  });
});
