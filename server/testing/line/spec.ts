import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/* The official specifications as functions: which operation a request is, and what is wrong with it. */

export interface Operation {
  id: string;
  /** What the path's names stand for. */
  params: Record<string, string>;
  /** Problems of the query, the headers and the body, in LINE's form. */
  check(request: Asked): Problem[];
  /** What is wrong with an answer of ours. */
  checkReply(status: number, body: unknown): string[];
}

export interface Problem {
  message: string;
  property: string;
}

interface Asked {
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  contentType: string;
  bytes: Buffer;
  body: unknown;
}

interface Schema {
  $ref?: string;
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  allOf?: Schema[];
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  [keyword: string]: unknown;
}
interface Declared {
  operationId: string;
  parameters?: { name: string; in: string; required?: boolean; schema: Schema }[];
  requestBody?: { required?: boolean; content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
type PathItem = Partial<Record<'get' | 'post' | 'put' | 'delete', Declared>> & Pick<Declared, 'parameters'>;
interface Document {
  paths: Record<string, PathItem>;
  components: { schemas: Record<string, Schema> };
}
interface Endpoint {
  method: string;
  pattern: RegExp;
  names: string[];
  declared: Declared;
  checker: Checker;
}

const formats = {
  // Percent-encoded, as the reference demands: https://developers.line.biz/en/reference/messaging-api/#url-encoding
  uri: /^[a-z][a-z0-9+.-]*:[\x21-\x7e]+$/i,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/,
  int32: true,
  int64: true,
  double: true,
  binary: true,
} as const;

/** The schemas of one file, made so that a property that the file does not know is a mistake, not ignored. */
class Checker {
  #ajv = new Ajv({ strict: false, allErrors: true, formats });
  #schemas: Record<string, Schema>;
  #isOpen: boolean;
  #compiled = new Map<string, ValidateFunction>();

  constructor(schemas: Record<string, Schema>, isOpen: boolean) {
    this.#schemas = schemas;
    this.#isOpen = isOpen;
    const definitions = Object.fromEntries(
      Object.entries(schemas).flatMap(([name, schema]) => [
        [`${name}.own`, this.#closed(schema)],
        [name, schema.discriminator ? this.#byType(name, schema.discriminator) : { $ref: `#/definitions/${name}.own` }],
      ]),
    );
    this.#ajv.addSchema({ $id: 'line', definitions });
  }

  problems(name: string, schema: Schema, value: unknown): Problem[] {
    let validate = this.#compiled.get(name);
    if (!validate) {
      validate = this.#ajv.compile(this.#rewritten(schema, 'line'));
      this.#compiled.set(name, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? [])
      .filter(({ keyword }) => keyword !== 'if')
      .map(({ instancePath, message = '', params }) => ({
        message: 'additionalProperty' in params ? `${message}: ${params['additionalProperty']}` : message,
        property: instancePath
          .slice(1)
          .replaceAll(/\/(\d+)/g, '[$1]')
          .replaceAll('/', '.')
          .replace(/^(\d+)/, '[$1]'),
      }));
  }

  /** The kind says which schema holds: `allOf` of a base and an own part becomes one object that knows all its properties. */
  #byType(name: string, { propertyName, mapping }: NonNullable<Schema['discriminator']>): Schema {
    const kinds = Object.keys(mapping);
    return {
      type: 'object',
      required: [propertyName],
      // What is open may have kinds that are newer than the file.
      ...(!this.#isOpen && { properties: { [propertyName]: { enum: kinds } } }),
      allOf: kinds.map((kind) => ({
        if: { required: [propertyName], properties: { [propertyName]: { const: kind } } },
        // oxlint-disable-next-line unicorn/no-thenable -- a word of JSON Schema
        then: { $ref: `#/definitions/${nameOf(mapping[kind] ?? name)}.own` },
      })),
    };
  }

  #closed(schema: Schema): Schema {
    const { properties, required, rest } = this.#merged(schema);
    if (Object.keys(properties).length === 0) return this.#rewritten(rest);
    return this.#rewritten({
      ...rest,
      type: 'object',
      properties,
      ...(required.length > 0 && { required: [...new Set(required)] }),
      additionalProperties: rest.additionalProperties ?? this.#isOpen,
    });
  }

  #merged(schema: Schema): { properties: Record<string, Schema>; required: string[]; rest: Schema } {
    const { allOf = [], properties = {}, required = [], discriminator: _, ...rest } = schema;
    const parts = allOf.map((part) => this.#merged(part.$ref ? (this.#schemas[nameOf(part.$ref)] ?? {}) : part));
    return {
      properties: Object.assign({}, ...parts.map((part) => part.properties), properties),
      required: [...parts.flatMap((part) => part.required), ...required],
      rest,
    };
  }

  #rewritten(schema: Schema, base = ''): Schema {
    const text = JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${base}#/definitions/`);
    return JSON.parse(text, (key, value: unknown) => (key === 'discriminator' ? undefined : value));
  }
}

const nameOf = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

function read(file: string): Document {
  const document: Document = parse(readFileSync(join(import.meta.dirname, 'openapi', file), 'utf8'));
  // The reference counts graphemes here, which a schema cannot: limits.ts does.
  for (const name of ['RichMenuRequest', 'RichMenuResponse'])
    for (const property of Object.values(document.components.schemas[name]?.properties ?? {}))
      delete property['maxLength'];
  return document;
}

let known: Endpoint[] | undefined;
function endpoints(): Endpoint[] {
  known ??= ['messaging-api.yml', 'channel-access-token.yml', 'insight.yml'].flatMap((file) => {
    const { paths, components } = read(file);
    const checker = new Checker(components.schemas, false);
    return Object.entries(paths).flatMap(([path, { parameters = [], ...methods }]) =>
      Object.entries(methods).map(([method, declared]) => ({
        method: method.toUpperCase(),
        pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`),
        names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        declared: { ...declared, parameters: [...parameters, ...(declared.parameters ?? [])] },
        checker,
      })),
    );
  });
  return known;
}

/** Which operation of LINE's this is; nothing where LINE has none. A path without names goes before one with. */
export function findOperation(method: string, path: string): Operation | undefined {
  const endpoint = endpoints()
    .filter((each) => each.method === method && each.pattern.test(path))
    .toSorted((one, other) => one.names.length - other.names.length)[0];
  if (!endpoint) return undefined;
  const { declared, checker, pattern, names } = endpoint;
  const values = pattern.exec(path)?.slice(1) ?? [];
  return {
    id: declared.operationId,
    params: Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(values[at] ?? '')])),
    check: (request) => [...wrongParameters(declared, checker, request), ...wrongBody(declared, checker, request)],
    checkReply(status, body) {
      const schema = declared.responses[status]?.content?.['application/json']?.schema;
      if (!schema) return [];
      return checker
        .problems(`${declared.operationId} ${status}`, schema, body)
        .map(({ property, message }) => `${property}: ${message}`);
    },
  };
}

function wrongParameters({ operationId, parameters = [] }: Declared, checker: Checker, request: Asked): Problem[] {
  const declared = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
  const unknown = [...request.query.keys()].filter((name) => !declared.includes(name));
  const wrong = parameters.flatMap(({ name, in: place, required, schema }): Problem[] => {
    if (place === 'path') return [];
    const header = request.headers[name.toLowerCase()];
    const given = place === 'query' ? request.query.get(name) : Array.isArray(header) ? header.join() : header;
    if (given === null || given === undefined)
      return required ? [{ property: name, message: 'must be specified' }] : [];
    const value = schema.type === 'integer' ? Number(given) : given;
    return checker
      .problems(`${operationId} ${name}`, schema, value)
      .map(({ message }) => ({ property: name, message }));
  });
  return [...unknown.map((name) => ({ property: name, message: 'is not a parameter of this endpoint' })), ...wrong];
}

function wrongBody({ operationId, requestBody }: Declared, checker: Checker, request: Asked): Problem[] {
  if (!requestBody) return request.bytes.length > 0 ? [{ property: '', message: 'this endpoint takes no body' }] : [];
  if (request.bytes.length === 0) return requestBody.required ? [{ property: '', message: 'body is missing' }] : [];
  const content = requestBody.content['*/*'] ? undefined : requestBody.content[request.contentType];
  if (requestBody.content['*/*']) return [];
  if (!content) return [{ property: '', message: `The content type, ${request.contentType}, is not supported` }];
  if (request.body === undefined) return [{ property: '', message: 'The request body could not be parsed as JSON' }];
  return checker.problems(operationId, content.schema, request.body);
}

let webhook: { checker: Checker; schema: Schema } | undefined;

/** What is wrong with a webhook's body, by the specification of events and the edit event that it does not have yet. */
export function wrongEvents(body: unknown): string[] {
  if (!webhook) {
    const { components } = read('webhook.yml');
    const schemas = components.schemas;
    // https://developers.line.biz/en/reference/messaging-api/#edit-event
    schemas['MessageEditedEvent'] = {
      allOf: [
        { $ref: '#/components/schemas/Event' },
        {
          type: 'object',
          required: ['replyToken', 'message'],
          properties: { replyToken: { type: 'string' }, message: { $ref: '#/components/schemas/MessageContent' } },
        },
      ],
    };
    const mapping = schemas['Event']?.discriminator?.mapping;
    if (mapping) mapping['messageEdited'] = '#/components/schemas/MessageEditedEvent';
    webhook = { checker: new Checker(schemas, true), schema: { $ref: '#/components/schemas/CallbackRequest' } };
  }
  return webhook.checker
    .problems('webhook', webhook.schema, body)
    .map(({ property, message }) => `${property}: ${message}`);
}
