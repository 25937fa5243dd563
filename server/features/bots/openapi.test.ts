import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bots, type Tool } from '../../../shared/contracts/bots.ts';
import { startTestApp, type Person, type TestApp } from '../../testing/app.ts';

let app: TestApp;
let person: Person;
let uuid: string;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.aPerson();
  uuid = (await person.call(bots.create, { body: { name: 'Bot' } })).body.data.uuid;
});
afterAll(() => app.stop());

const servers = [{ url: 'https://api.example.com/v2/' }];
const read = (document: unknown, headers: Record<string, string> = {}) =>
  person.call(bots.readOpenApi, {
    params: { uuid },
    headers,
    body: { document: typeof document === 'string' ? document : JSON.stringify(document) },
  });
const readPaths = async (paths: unknown, rest: object = {}) =>
  (await read({ openapi: '3.1.0', servers, paths, ...rest })).body.data;
const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const jsonBody = (schema: unknown, required = true) => ({
  required,
  content: { 'application/json; charset=utf-8': { schema } },
});

test('an operation becomes a tool with what a model has to give, approved by nobody', async () => {
  const { tools, skipped } = await readPaths(
    {
      '/shops/{shop}/orders/{order}': {
        parameters: [
          { name: 'shop', in: 'path', required: true, schema: { type: 'string' }, description: 'Whose' },
          { name: 'lang', in: 'query', schema: { type: 'string' } },
        ],
        put: {
          operationId: 'orders.change!',
          summary: 'Change an order',
          description: 'Before it is sent.',
          parameters: [
            { $ref: '#/components/parameters/Order' },
            { name: 'lang', in: 'query', required: true, schema: { type: ['string', 'null'] } },
            { name: 'X-Trace', in: 'header', required: true, schema: { type: 'string' } },
            { name: 'session', in: 'cookie', schema: { type: 'string' } },
          ],
          requestBody: jsonBody(schemaRef('Change')),
        },
      },
    },
    {
      components: {
        parameters: { Order: { name: 'order', in: 'path', required: true, schema: { type: 'integer' } } },
        schemas: {
          Change: {
            allOf: [
              schemaRef('Named'),
              {
                required: ['lines'],
                properties: {
                  lines: { type: 'array', items: {} },
                  gift: { type: 'boolean', description: 'As a present' },
                  id: { type: 'string', readOnly: true },
                },
              },
            ],
          },
          Named: { type: 'object', properties: { address: schemaRef('Address'), weight: { type: 'number' } } },
          Address: { type: 'object', properties: { city: { type: 'string' } } },
        },
      },
    },
  );
  expect(skipped).toEqual([]);
  expect(tools).toEqual([
    {
      name: 'orders_change',
      description: 'Change an order\n\nBefore it is sent.',
      method: 'PUT',
      url: 'https://api.example.com/v2/shops/{shop}/orders/{order}',
      headers: [],
      approved: false,
      parameters: [
        { name: 'shop', in: 'path', type: 'string', description: 'Whose', required: true },
        { name: 'lang', in: 'query', type: 'string', description: '', required: true },
        { name: 'order', in: 'path', type: 'integer', description: '', required: true },
        { name: 'lines', in: 'body', type: 'array', description: '', required: true },
        { name: 'address', in: 'body', type: 'object', description: '', required: false },
        { name: 'weight', in: 'body', type: 'number', description: '', required: false },
        { name: 'gift', in: 'body', type: 'boolean', description: 'As a present', required: false },
      ],
    },
  ]);
});

test('what was read can be kept as the tools of a bot', async () => {
  const { tools } = await readPaths({
    '/a/{id}': {
      get: { parameters: [{ name: 'id', in: 'path', required: true }] },
      delete: { operationId: 'get_a_id', parameters: [{ name: 'id', in: 'path', required: true }] },
    },
    '/予約': { post: { operationId: '予約する' } },
  });
  expect(tools.map(({ name }) => name)).toEqual(['get_a_id', 'get_a_id_2', 'post']);
  const { status, body } = await person.call(bots.update, { params: { uuid }, body: { tools } });
  expect([status, body.data.draft.tools]).toEqual([200, tools]);
});

test('the nearest server counts, with its variables filled in', async () => {
  const { tools, skipped } = await readPaths({
    '/a': {
      servers: [{ url: 'https://{region}.example.com', variables: { region: { default: 'jp' } } }],
      get: { operationId: 'a' },
      post: { operationId: 'b', servers: [{ url: 'http://own.example.com' }] },
    },
    '/b': { get: { servers: [{ url: '/relative' }] } },
  });
  expect(tools.map(({ url }) => url)).toEqual(['https://jp.example.com/a', 'http://own.example.com/a']);
  expect(skipped).toEqual(['GET /b: its server has no complete address.']);
});

test('what cannot be a tool is named with the reason, in the language of whoever asks', async () => {
  const paths = {
    '/upload': {
      post: {
        requestBody: {
          required: true,
          content: { 'multipart/form-data': { schema: { type: 'object', properties: { file: {} } } } },
        },
      },
    },
    '/free': { post: { requestBody: jsonBody({ type: 'string' }) } },
    '/search': {
      get: {
        operationId: 'search',
        parameters: [
          { name: 'filter[name]', in: 'query' },
          { name: 'q', in: 'query' },
        ],
      },
      post: { parameters: [{ name: 'filter[name]', in: 'query', required: true }] },
      head: {},
    },
    '/undeclared/{id}': { get: {} },
  };
  const { tools, skipped } = await readPaths(paths);
  expect(tools.map(({ name, parameters }) => [name, parameters.map((parameter) => parameter.name)])).toEqual([
    ['search', ['q']],
  ]);
  expect(skipped.map((line) => line.split(':')[0])).toEqual([
    'POST /upload',
    'POST /free',
    'POST /search',
    'HEAD /search',
    'GET /undeclared/{id}',
  ]);
  const { body } = await read({ openapi: '3.0.3', servers, paths }, { 'accept-language': 'ja' });
  expect(body.data.skipped[0]).toBe('POST /upload：リクエスト本文が、項目名のあるJSONオブジェクトではありません。');
});

test('twenty calls are taken, and the rest is named', async () => {
  const { tools, skipped } = await readPaths(
    Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`/p${at}`, { get: {} }])),
  );
  expect([tools.length, skipped]).toEqual([
    20,
    ['GET /p20', 'GET /p21', 'GET /p22'].map((call) => `${call}: only 20 calls can be imported at once.`),
  ]);
});

describe('what is no document', () => {
  test.each([
    ['YAML', 'openapi: 3.1.0\npaths: {}'],
    ['cut JSON', '{"openapi":"3.1.0","paths":{'],
    ['Swagger 2', { swagger: '2.0', host: 'example.com', paths: {} }],
    ['a list', '[]'],
    ['a __proto__', '{"openapi":"3.1.0","__proto__":{"paths":{}},"paths":{}}'],
    ['nothing but brackets', '['.repeat(500_000)],
    ['no paths', { openapi: '3.1.0', servers }],
    ['paths as a list', { openapi: '3.1.0', servers, paths: [] }],
  ])('%s gets a sentence', async (_, document) => {
    const { status, error } = await read(document);
    expect([status, error.code, error.details['fields']]).toEqual([
      400,
      'validation-failed',
      [
        {
          path: 'document',
          code: 'openapi-unreadable',
          message: 'This cannot be read as an OpenAPI 3.0 or 3.1 document.',
        },
      ],
    ]);
  });

  test.each([
    [[]],
    [[{ url: '/api' }]],
    [[{ url: 'ftp://example.com' }]],
    [[{ url: 'https://{nowhere}/' }]],
    [[{ url: 5 }]],
    [[null]],
    ['x'],
    [undefined],
  ])('servers %j are none', async (servers) => {
    const { status, error } = await read({ openapi: '3.1.0', servers, paths: {} });
    expect([status, error.details['fields']]).toEqual([400, [expect.objectContaining({ code: 'openapi-no-server' })]]);
  });
});

describe('a document that wants to take forever', () => {
  const chain = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`S${at}`, schemaRef(`S${at + 1}`)]));
  const wide = (width: number) => ({ allOf: Array.from({ length: width }, () => schemaRef('Wide')) });
  const post = (schema: unknown) => ({ '/a': { post: { requestBody: jsonBody(schema) } } });
  test.each<[string, unknown, object]>([
    ['a reference to itself', post(schemaRef('Self')), { components: { schemas: { Self: schemaRef('Self') } } }],
    [
      'references in a circle',
      post(schemaRef('A')),
      { components: { schemas: { A: { allOf: [schemaRef('B')] }, B: { allOf: [schemaRef('A')] } } } },
    ],
    ['a chain of a thousand references', post(schemaRef('S0')), { components: { schemas: chain(1000) } }],
    ['a schema of a thousand times itself', post(schemaRef('Wide')), { components: { schemas: { Wide: wide(1000) } } }],
    ['a path of braces', { [`/${'{'.repeat(900_000)}`]: { get: {} } }, {}],
    [
      'a name of a million characters',
      {
        '/a': {
          get: {
            operationId: '!'.repeat(900_000),
            parameters: [{ name: 'x'.repeat(50_000), in: 'query', required: true }],
          },
        },
      },
      {},
    ],
    ['references to what is no schema', post(schemaRef('constructor')), { components: { schemas: {} } }],
    ['a reference deep into nothing', post({ $ref: `#/${'a/'.repeat(100_000)}` }), {}],
    ['a reference elsewhere', post({ $ref: 'https://example.com/schema.json' }), {}],
    [
      'fields of every wrong type',
      {
        '/a': {
          get: { operationId: {}, summary: [], parameters: 'x', requestBody: 5, servers: {} },
          post: null,
          put: [],
        },
        '/b': 5,
        c: { get: {} },
      },
      {},
    ],
  ])('%s', async (_, paths, rest) => {
    const { status, body } = await read({ openapi: '3.1.0', servers, paths, ...rest });
    expect(status).toBe(200);
    expect(body.data.tools.length + body.data.skipped.length).toBe(1);
  });

  test('eight thousand paths, each with a thousand fields', async () => {
    const big = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`bad name ${at}`, { type: 'string' }])),
      required: ['bad name 1'],
    };
    const { tools, skipped } = await readPaths(
      Object.fromEntries(
        Array.from({ length: 8_000 }, (_, at) => [
          `/p${at}`,
          { post: { requestBody: { $ref: '#/components/requestBodies/Big' } } },
        ]),
      ),
      { components: { requestBodies: { Big: jsonBody(big) } } },
    );
    expect([tools, skipped.length, skipped.at(-1)]).toEqual([[], 201, 'And 7800 more.']);
  });

  test('keys that every object has are keys like others', async () => {
    const { tools } = await readPaths({
      '/{toString}': {
        get: {
          parameters: [
            { name: 'toString', in: 'path', required: true },
            { name: 'valueOf', in: 'query' },
          ],
        },
      },
    });
    expect(tools[0]?.parameters.map(({ name }: Tool['parameters'][number]) => name)).toEqual(['toString', 'valueOf']);
  });
});
