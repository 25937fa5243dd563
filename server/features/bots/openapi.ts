import type { Locale } from '../../../shared/contracts/accounts.ts';
import { botLimits, Tool } from '../../../shared/contracts/bots.ts';
import { AppError } from '../../../shared/errors.ts';
import { parseJson } from '../../infra/json.ts';
import { translate } from '../../infra/translate.ts';
import { trimEnd } from '../../../shared/text.ts';

type Json = Record<string, unknown>;
type Parameter = Tool['parameters'][number];

const maxSkipped = 200;
const maxValues = 50_000;
const maxUrlLength = 2000;
/** Nested references and schemas that are composed of others. */
const maxHops = 10;
/** Look-ups in one document, since even a small one may refer to itself without end. */
const maxLookups = 20_000;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
const otherMethods = ['HEAD', 'OPTIONS', 'TRACE'];

/**
 * The operations of an OpenAPI 3.0 or 3.1 document in JSON as tools, none of them approved: as many as a bot may have, with path and query
 * parameters and the top fields of a JSON body. What cannot be a tool is named in `skipped` with the reason.
 * Throws `validation-failed` when the document is none, or names no server with a whole address.
 * https://spec.openapis.org/oas/v3.1.1
 */
export function readOpenApi(text: string, locale: Locale): { tools: Tool[]; skipped: string[] } {
  const document = parseDocument(text);
  const tools: Tool[] = [];
  const skipped: string[] = [];
  const names = new Set<string>();
  const looker = createLooker(document);
  let untold = 0;
  for (const { method, path, item, operation } of operationsOf(document)) {
    const found =
      tools.length < botLimits.tools ? toTool(looker, { document, method, path, item, operation, names }) : 'too-many';
    if (typeof found !== 'string') {
      tools.push(found);
      names.add(found.name);
    } else if (skipped.length < maxSkipped)
      skipped.push(
        translate(locale, `errors:openapi.${found}`, {
          call: `${method} ${path.slice(0, 200)}`,
          limit: botLimits.tools,
        }),
      );
    else untold++;
  }
  if (untold > 0) skipped.push(translate(locale, 'errors:openapi.untold', { calls: untold }));
  return { tools, skipped };
}

type Reason = 'too-many' | 'method' | 'no-server' | 'parameter' | 'body' | 'too-large' | 'too-complex';

class TooComplexError extends Error {}

function parseDocument(text: string): Json {
  const wrong = (code: string, cause?: unknown) =>
    new AppError('validation-failed', { fields: [{ path: 'document', code }] }, { cause });
  let document: unknown;
  try {
    document = parseJson(text, { maxValues });
  } catch (cause) {
    throw wrong('openapi-unreadable', cause);
  }
  if (
    !isObject(document) ||
    !/^3\.[01](\.|$)/.test(String(own(document, 'openapi'))) ||
    !isObject(own(document, 'paths'))
  )
    throw wrong('openapi-unreadable');
  if (serverOf(document) === undefined) throw wrong('openapi-no-server');
  return document;
}

function* operationsOf(document: Json): Generator<{ method: string; path: string; item: Json; operation: Json }> {
  const paths = own(document, 'paths');
  if (!isObject(paths)) return;
  for (const [path, given] of Object.entries(paths)) {
    const reference = isObject(given) ? own(given, '$ref') : undefined;
    const item = typeof reference === 'string' ? pointedAt(document, reference) : given;
    if (!path.startsWith('/') || !isObject(item)) continue;
    for (const method of [...methods, ...otherMethods]) {
      const operation = own(item, method.toLowerCase());
      if (isObject(operation)) yield { method, path, item, operation };
    }
  }
}

interface Operation {
  document: Json;
  method: string;
  path: string;
  item: Json;
  operation: Json;
  /** Names that are taken. */
  names: Set<string>;
}

function toTool(looker: Looker, { document, method, path, item, operation, names }: Operation): Tool | Reason {
  const verb = methods.find((known) => known === method);
  if (!verb) return 'method';
  if (path.length > maxUrlLength) return 'too-large';
  // The innermost list of servers wins.
  const server = serverOf(
    [operation, item, document].find((node) => listOf(own(node, 'servers')).length > 0) ?? document,
  );
  if (server === undefined) return 'no-server';
  try {
    const parameters = parametersOf(looker, { path, item, operation });
    if (typeof parameters === 'string') return parameters;
    const description = [own(operation, 'summary'), own(operation, 'description')]
      .filter((part) => typeof part === 'string')
      .join('\n\n');
    const tool = Tool.safeParse({
      name: nameOf(operation, method, path, names),
      description: cut(description, 1000),
      method: verb,
      url: `${server}${path}`,
      headers: [],
      parameters,
      approved: false,
    });
    return tool.success ? tool.data : 'too-large';
  } catch (error) {
    if (error instanceof TooComplexError) return 'too-complex';
    throw error;
  }
}

/** Path, query and body in one list, since a model gives them in one object. A call with a required parameter that a model cannot give is no tool. */
function parametersOf(
  looker: Looker,
  { path, item, operation }: Pick<Operation, 'path' | 'item' | 'operation'>,
): Parameter[] | Reason {
  const declared = new Map<string, Json>();
  for (const given of [...listOf(own(item, 'parameters')), ...listOf(own(operation, 'parameters'))]) {
    const parameter = looker.resolve(given);
    // An operation's parameter replaces the path's of the same name and place.
    if (parameter) declared.set(`${String(own(parameter, 'in'))} ${String(own(parameter, 'name'))}`, parameter);
  }
  const places = new Set([...path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name));
  const candidates: {
    name: string;
    in: Parameter['in'];
    schema: Json | undefined;
    description: unknown;
    required: boolean;
  }[] = [];
  for (const parameter of declared.values()) {
    const [name, place] = [String(own(parameter, 'name')), own(parameter, 'in')];
    if (place === 'path' ? !places.has(name) : place !== 'query') continue;
    candidates.push({
      name,
      in: place === 'path' ? 'path' : 'query',
      schema: looker.resolve(own(parameter, 'schema')),
      description: own(parameter, 'description'),
      required: place === 'path' || own(parameter, 'required') === true,
    });
  }
  const body = bodyOf(looker, operation);
  if (body === 'body') return 'body';
  candidates.push(...body);

  const found = new Map<string, Parameter>();
  for (const { name, in: place, schema, description, required } of candidates) {
    const parameter = Tool.shape.parameters.element.safeParse({
      name,
      in: place,
      type: typeOf(schema),
      description: cut(description ?? (schema && own(schema, 'description')), 500),
      required,
    });
    if (parameter.success && !found.has(name)) found.set(name, parameter.data);
    else if (required) return 'parameter';
  }
  if ([...places].some((name) => found.get(name)?.in !== 'path')) return 'parameter';
  const needed = [...found.values()].filter(({ required }) => required);
  if (needed.length > botLimits.toolParameters) return 'too-large';
  const optional = [...found.values()].filter(({ required }) => !required);
  return [...needed, ...optional.slice(0, botLimits.toolParameters - needed.length)];
}

function bodyOf(
  looker: Looker,
  operation: Json,
): { name: string; in: 'body'; schema: Json | undefined; description: unknown; required: boolean }[] | 'body' {
  const body = looker.resolve(own(operation, 'requestBody'));
  if (!body) return [];
  const content = own(body, 'content');
  const media = isObject(content)
    ? Object.entries(content).find(([type]) => /^application\/json\s*(;|$)/i.test(type))?.[1]
    : undefined;
  const fields = isObject(media) ? looker.fieldsOf(own(media, 'schema')) : undefined;
  const isNeeded = own(body, 'required') === true;
  if (!fields || fields.properties.size === 0) return isNeeded ? 'body' : [];
  return [...fields.properties].flatMap(([name, given]) => {
    const schema = looker.resolve(given);
    if (schema && own(schema, 'readOnly') === true) return [];
    return [
      { name, in: 'body' as const, schema, description: undefined, required: isNeeded && fields.required.has(name) },
    ];
  });
}

interface Looker {
  /** The object, or what it refers to inside the document; undefined for anything else. */
  resolve(node: unknown): Json | undefined;
  /** The top fields of a schema, those of its `allOf` with them. */
  fieldsOf(schema: unknown): { properties: Map<string, unknown>; required: Set<string> };
}

/** Follows references within limits: they may lead in a circle, or grow with each step. Throws `TooComplexError` beyond them. */
function createLooker(document: Json): Looker {
  let looks = 0;
  const resolve = (node: unknown): Json | undefined => {
    let at = node;
    for (let hops = 0; hops <= maxHops; hops++) {
      if (++looks > maxLookups) throw new TooComplexError();
      if (!isObject(at)) return undefined;
      const reference = own(at, '$ref');
      if (typeof reference !== 'string') return at;
      at = pointedAt(document, reference);
    }
    throw new TooComplexError();
  };
  const collect = (given: unknown, hops: number, found: ReturnType<Looker['fieldsOf']>): void => {
    if (hops > maxHops) throw new TooComplexError();
    const schema = resolve(given);
    if (!schema) return;
    const properties = own(schema, 'properties');
    if (isObject(properties))
      for (const [name, property] of Object.entries(properties)) found.properties.set(name, property);
    for (const name of listOf(own(schema, 'required'))) if (typeof name === 'string') found.required.add(name);
    looks += found.properties.size + found.required.size;
    for (const part of listOf(own(schema, 'allOf'))) collect(part, hops + 1, found);
  };
  return {
    resolve,
    fieldsOf(schema) {
      const found = { properties: new Map<string, unknown>(), required: new Set<string>() };
      collect(schema, 0, found);
      return found;
    },
  };
}

/** JSON Pointer in a fragment: https://www.rfc-editor.org/rfc/rfc6901#section-6. Other documents are not fetched. */
function pointedAt(document: Json, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  let at: unknown = document;
  for (const part of reference.slice(2, 1000).split('/')) {
    if (at === undefined) return undefined;
    const key = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(key)] : isObject(at) ? own(at, key) : undefined;
  }
  return at;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The first server's address with its variables filled in, without a slash at its end; undefined unless it is a whole one. */
function serverOf(node: Json): string | undefined {
  const [server] = listOf(own(node, 'servers'));
  const address = isObject(server) ? own(server, 'url') : undefined;
  if (!isObject(server) || typeof address !== 'string' || address.length > maxUrlLength) return undefined;
  const variables = own(server, 'variables');
  const filled = address.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = isObject(variables) ? own(variables, name) : undefined;
    const value = isObject(variable) ? own(variable, 'default') : undefined;
    return typeof value === 'string' ? value.slice(0, maxUrlLength) : whole;
  });
  if (filled.length > maxUrlLength) return undefined;
  if (!/^https?:\/\/[^{}\s\\?#]+$/i.test(filled) || !URL.canParse(filled)) return undefined;
  return trimEnd(filled, '/');
}

function nameOf(operation: Json, method: string, path: string, names: Set<string>): string {
  const given = own(operation, 'operationId');
  const fitting =
    [given, `${method.toLowerCase()}${path}`]
      .map((text) =>
        typeof text === 'string'
          ? trimEnd(
              text
                .slice(0, 500)
                .replace(/[^A-Za-z0-9_-]+/g, '_')
                .replace(/^[^A-Za-z]+/, ''),
              '_',
            ).slice(0, 64)
          : '',
      )
      .find(Boolean) ?? method.toLowerCase();
  let name = fitting;
  for (let number = 2; names.has(name); number++) name = `${fitting.slice(0, 60)}_${number}`;
  return name;
}

function typeOf(schema: Json | undefined): Parameter['type'] {
  const type = schema && own(schema, 'type');
  // In 3.1 a type may be a list, such as ["string", "null"].
  const known = (['string', 'number', 'integer', 'boolean', 'array', 'object'] as const).find(
    (one) => listOf(type).includes(one) || type === one,
  );
  return known ?? (schema && isObject(own(schema, 'properties')) ? 'object' : 'string');
}

const cut = (text: unknown, most: number): string =>
  typeof text === 'string' ? text.slice(0, most).toWellFormed().trim() : '';
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const own = (node: Json, key: string): unknown => (Object.hasOwn(node, key) ? node[key] : undefined);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
