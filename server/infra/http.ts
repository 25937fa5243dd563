import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http';
import { Socket } from 'node:net';
import { basename, join } from 'node:path';
import compress from '@fastify/compress';
import cookie from '@fastify/cookie';
import cors from '@fastify/cors';
import multipart from '@fastify/multipart';
import fastifyStatic from '@fastify/static';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastJson from 'fast-json-stringify';
import fastify, {
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
} from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import helmet, { type HelmetOptions } from 'helmet';
import { z } from 'zod';
import type { FastifyRouteSchemaDef } from 'fastify/types/schema.js';
import product from '../../package.json' with { type: 'json' };
import type { Locale } from '../../shared/contracts/accounts.ts';
import type { ChannelKind } from '../../shared/contracts/connections.ts';
import { AppError, errorReply, errors, type ErrorCode } from '../../shared/errors.ts';
import { may, type Access, type Role, type Scope } from '../../shared/roles.ts';
import type { Route } from '../../shared/route.ts';
import { addressKey, proxiesOf } from './address.ts';
import { bodyLimits, createBodies, type Bodies, type HeldBytes } from './bodies.ts';
import { megabyte, type Config } from './config.ts';
import { isDatabaseAway, isForeignKeyViolation } from './db.ts';
import { drain, readFiles, type FormFile, type ReadFiles } from './forms.ts';
import { createHostCheck } from './hosts.ts';
import { isAnsweredBefore, keyOf, tellingHeaders, type Claim, type Idempotency } from './idempotency.ts';
import { callLimits, type Limit, type Limits } from './limits.ts';
import type { Log } from './log.ts';
import { pack, sendPacked, type Packed } from './packed.ts';
import { isTextKey, localeOf, translate } from './translate.ts';

/** Who calls, in which workspace, from where. */
export interface Caller {
  user: string;
  username: string;
  /** The id of their picture. */
  avatar: string | null;
  /** Nothing for an API key. */
  session: string | null;
  key: { uuid: string; scopes: Scope[]; /** The bots it may use; null for all. */ bots: string[] | null } | null;
  workspace: string;
  workspaceName: string;
  role: Role;
  operator: boolean;
  locale: Locale;
  address: string;
}

/** Whether they may read what visitors wrote and who they are, where an answer that others read too has some of it. */
export const mayConverse = ({ role, key }: Pick<Caller, 'role' | 'key'>): boolean =>
  may(role, 'converse') && (key === null || key.scopes.includes('converse'));

/** Who came through a channel. */
export interface Visitor {
  kind: 'guest';
  guest: string;
  workspace: string;
  locale: Locale;
  /** What their channel says that they speak; null where it does not say. */
  language: Locale | null;
  name: string;
  /** The id of their picture. */
  avatar: string | null;
  channel: ChannelKind;
  channelId: string;
  /** By which of their identities they came. */
  identity: string;
  /** A maker who tries what visitors get: the draft answers, and nobody of the team hears of it. */
  isPreview: boolean;
}

/** Finds the visitor who calls. Throws `visitor-unknown`. */
export type Visit = (request: FastifyRequest) => Promise<Visitor>;

/** Finds who calls; throws when the route's access is not met. */
export type Authorize = (
  request: FastifyRequest,
  route: Pick<Route, 'access' | 'scope'>,
) => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It has a contract, and with it an access rule. */
    isDeclared?: true;
    /** How often one address may ask for it; without one, as often as for pages. */
    limit?: Limit;
  }
  interface FastifyRequest {
    /** Who was found before anything of the body was read. */
    caller: Caller | undefined;
    /** The same, where the route is for visitors. */
    visitor: Visitor | undefined;
    held: HeldBytes | undefined;
    /** What keeps the answer to a call with an `Idempotency-Key`. */
    claim: Claim | undefined;
    /** When its body was asked for, by `performance.now()`. */
    readAt: number;
  }
  interface FastifyInstance {
    bodies: Bodies;
    authorize: Authorize;
    visit: Visit;
    limits: Limits;
    idempotency: Idempotency;
    doors: Door[];
    notFoundCodes: Record<string, ErrorCode>;
    /** What is served: the methods of each address, by its pattern. */
    methodsOf: Map<string, Set<string>>;
    /** Whether the pages were built. */
    hasWeb: boolean;
    /** The page of the front end, whatever the path; with what programs are to know of what it shows. */
    sendPage(reply: FastifyReply, status: number, head?: PageHead): FastifyReply;
    /** Another one for each build of the front end. */
    pageName: string;
    /** The page of the widget's frame. */
    sendChat(reply: FastifyReply, chat: ChatPage): FastifyReply;
  }
}

export type Http = FastifyInstance;

/** Texts, and `head` as HTML. */
interface PageHead {
  locale: Locale;
  title: string;
  description: string;
  head: string;
}

interface ChatPage {
  locale: Locale;
  /** Where it may be shown besides our own pages, as sources of a content security policy. */
  ancestors: string[];
  /** What it asks for first, so that it comes along with the code that asks. */
  asks: string | undefined;
}

/** Calls under a path of their own, for programs that expect errors in a form of their own. */
export interface Door {
  /** How its paths begin, with a slash at both ends. */
  prefix: string;
  toError(error: AppError, locale: Locale, requestId: string): { status: number; body: object };
}

/** Hosts of others, as sources of a content security policy. */
export interface PageSources {
  script?: string[];
  frame?: string[];
  connect?: string[];
}

interface HttpOptions {
  config: Config;
  log: Log;
  authorize: Authorize;
  visit: Visit;
  limits: Limits;
  idempotency: Idempotency;
  /** Where the built front end is, and beside it the widget's. */
  webFolder: string;
  isPage(path: string): boolean;
  doors: Door[];
  /** What our pages need of others. */
  pageSources: PageSources[];
  /** The error for an unknown id, by the word that stands before the parameter in the path. */
  notFoundCodes: Record<string, ErrorCode>;
}

/** The web server with everything that is the same for every route; features add theirs with `handle`. */
export async function createHttp(options: HttpOptions): Promise<Http> {
  const { config, log, authorize, visit, limits, idempotency, doors, notFoundCodes, pageSources } = options;
  const others = (kind: keyof PageSources) => pageSources.flatMap((sources) => sources[kind] ?? []);
  const app: Http = fastify({
    loggerInstance: log satisfies FastifyBaseLogger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // Our log lines name the request themselves; a child logger for each request would cost more than it is worth.
    childLoggerFactory: (logger) => logger,
    genReqId: () => randomUUID(),
    trustProxy: config.TRUST_PROXY.length > 0 ? proxiesOf(config.TRUST_PROXY) : false,
    bodyLimit: bodyLimits.json,
    // Bodies have a least rate instead, since a large one may take long on a slow line.
    requestTimeout: 0,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    http: { headersTimeout: 10_000, maxHeaderSize: 16 * 1024 },
    routerOptions: { caseSensitive: true, maxParamLength: 100 },
    exposeHeadRoutes: false,
    onProtoPoisoning: 'error',
    clientErrorHandler: answerBrokenRequest,
    // A path that cannot be decoded is an unknown path.
    frameworkErrors: (error, request, reply) => sendError(error, request, reply),
  });
  const bodies = createBodies();
  app.addHook('onClose', () => bodies.close());
  app.decorate('bodies', bodies);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('visitor', undefined);
  app.decorateRequest('held', undefined);
  app.decorateRequest('claim', undefined);
  app.decorateRequest('readAt', 0);
  app.decorate('authorize', authorize);
  app.decorate('visit', visit);
  app.decorate('limits', limits);
  app.decorate('idempotency', idempotency);
  app.addHook('onClose', () => idempotency.close());
  app.decorate('doors', doors);
  app.decorate('notFoundCodes', notFoundCodes);
  app.setValidatorCompiler(() => (value) => ({ value }));
  app.setSerializerCompiler(declaredReply);
  app.setErrorHandler(sendError);

  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', (request, raw: IncomingMessage, done) => {
    // Nothing is read for an address that does not exist.
    if (!request.routeOptions.config.isDeclared) return done(null, undefined);
    request.readAt = performance.now();
    bodies.readJson(
      raw,
      {
        limit: request.routeOptions.bodyLimit,
        hold: () => (request.held = bodies.hold(addressKey(request.ip))),
      },
      (error, value) => {
        if (error) request.held?.release();
        done(error, value);
      },
    );
  });

  const guards = guardHeaders({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...others('script')],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'blob:'],
        fontSrc: ["'self'", 'data:'],
        connectSrc: ["'self'", ...liveOrigin(config.BASE_URL), ...apiOrigins(config), ...others('connect')],
        workerSrc: ["'self'", 'blob:'],
        frameSrc: ["'self'", ...others('frame')],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'self'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: config.secure ? { maxAge: 15_552_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'same-origin' },
  });
  // A route without a contract would have no access rule.
  app.addHook('onRoute', ({ url, config }) => {
    if (isForPrograms(app, url) && url !== openApiPath && !config?.isDeclared)
      throw new Error(`${url} is served without a contract`);
  });
  // Most of these headers matter only for pages, and writing a dozen is a tenth of the work of a small answer.
  const alsoForData = [
    'strict-transport-security',
    'x-content-type-options',
    'x-frame-options',
    'cross-origin-resource-policy',
  ];
  const dataGuards = {
    ...Object.fromEntries(Object.entries(guards).filter(([name]) => alsoForData.includes(name))),
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    // Tokens, secrets and people's words are kept by no cache; what may be kept says so itself.
    'cache-control': 'no-store',
  };
  const isOurs = createHostCheck(config);
  app.addHook('onRequest', (request, reply, done) => {
    const { isDeclared, limit = isDeclared ? callLimits.byAddress : callLimits.pages } = request.routeOptions.config;
    reply.headers(isDeclared ? dataGuards : guards).header('x-request-id', request.id);
    if (hasTwoHosts(request.raw)) throw new AppError('bad-request');
    if (!isOurs(request.headers.host)) throw new AppError('host-unknown', { host: request.host.slice(0, 255) });
    // Whatever is asked for, before anything is done for it.
    const counting = limits.take(limit, addressKey(request.ip));
    if (counting) counting.then(() => done(), done);
    else done();
  });
  refuseOtherMethods(app, options);
  if (log.isLevelEnabled('info')) {
    app.addHook('onResponse', (request, reply, done) => {
      log.info(
        {
          requestId: request.id,
          method: request.method,
          path: loggedPath(request),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
        },
        'request',
      );
      done();
    });
  }

  // Without allowed origins no header is needed: browsers refuse by default.
  if (config.ALLOWED_ORIGINS.length > 0) {
    await app.register(cors, {
      origin: config.ALLOWED_ORIGINS,
      credentials: true,
      // Whatever headers a browser asks for: clients of OpenAI's send a dozen of their own, and more with each version.
      exposedHeaders: ['x-request-id', 'retry-after', 'x-kotae-ignored', 'idempotency-replayed'],
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
    });
  }
  await app.register(cookie, { hook: false });
  await app.register(compress, {
    globalDecompression: false,
    threshold: 2048,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { 1: 4 } },
  });
  await app.register(multipart, {
    limits: {
      fieldNameSize: 100,
      fieldSize: 10_000,
      fields: 20,
      parts: 40,
      files: 20,
      headerPairs: 50,
      fileSize: config.MAX_UPLOAD_MB * megabyte,
    },
    throwFileSizeLimit: false,
  });
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kotae',
        version: product.version,
        description: 'Bots, knowledge bases and answers.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
  let openApi: Promise<Packed> | undefined;
  app.get(openApiPath, { schema: { hide: true } }, async (request, reply) => {
    openApi ??= pack(JSON.stringify(app.swagger()));
    await sendPacked(request, reply, await openApi);
    return reply;
  });
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    indexPrefix: '',
    staticCSP: false,
    uiConfig: { url: openApiPath },
    uiHooks: {
      // The page reads the one document there is; these would make it anew each time.
      onRequest: (request, reply, done) =>
        /\/(?:json|yaml)$/.test(request.routeOptions.url ?? '') ? void reply.redirect(openApiPath, 308) : done(),
    },
  });

  // As they stand in the repository, so that a page can lead to one without the internet.
  app.get<{ Params: { guide: string } }>('/docs/guides/:guide', { schema: { hide: true } }, async (request, reply) => {
    const { guide } = request.params;
    const file = join(import.meta.dirname, '../../docs/guides', guide);
    if (!/^[a-z]+(?:\.ja)?\.md$/.test(guide) || !existsSync(file)) throw new AppError('not-found');
    return reply.type('text/plain; charset=utf-8').send(readFileSync(file, 'utf8'));
  });

  await serveWeb(app, options, guards);
  await serveWidget(app, options, guards);
  return app;
}

/** Where live connections go, for browsers to whom `'self'` is not the same host over `wss:`. */
const liveOrigin = (url: string | undefined): string[] => (url ? [new URL(url).origin.replace(/^http/, 'ws')] : []);

/** Where pages call the API, when it is not where they come from. */
const apiOrigins = ({ API_BASE_URL }: Config): string[] =>
  API_BASE_URL ? [new URL(API_BASE_URL).origin, ...liveOrigin(API_BASE_URL)] : [];

/** What a log says of an address: its pattern, since what stands in a path may open something. Without one, only how it begins. */
const loggedPath = ({ routeOptions, url }: FastifyRequest): string =>
  routeOptions.url ?? /^\/(?:[A-Za-z-]{1,40}(?=[/?]|$))?/.exec(url)?.[0] ?? '';

/** Answers 405 with `Allow` where an address is served, but not by this method; before any of a body is read. */
function refuseOtherMethods(app: Http, { isPage }: HttpOptions): void {
  const methodsOf: Http['methodsOf'] = new Map();
  app.decorate('methodsOf', methodsOf);
  const patterns: { path: RegExp; methods: Set<string> }[] = [];
  app.addHook('onRoute', ({ url, method }) => {
    let methods = methodsOf.get(url);
    if (!methods) {
      methodsOf.set(url, (methods = new Set()));
      const pattern = url
        .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
        .replace(/:\w+/g, '[^/]+')
        .replaceAll('*', '.*');
      patterns.push({ path: new RegExp(`^${pattern}$`), methods });
    }
    // Browsers ask by it whether another site may call, wherever that is.
    for (const each of [method].flat()) if (each !== 'OPTIONS') methods.add(each);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 || request.method === 'OPTIONS') return done();
    const path = request.url.split('?', 1)[0] ?? '/';
    const allowed = new Set(patterns.flatMap(({ path: pattern, methods }) => (pattern.test(path) ? [...methods] : [])));
    if (app.hasWeb && isPage(path)) allowed.add('GET').add('HEAD');
    if (allowed.size === 0 || allowed.has(request.method)) return done();
    reply.header('allow', [...allowed].toSorted().join(', '));
    done(new AppError('method-not-allowed'));
  });
}

/** The headers that helmet would set, made once because they are the same for every answer. */
function guardHeaders(options: HelmetOptions): Record<string, string> {
  const headers = new Map<string, string>();
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  helmet(options)(response.req, response, () => {
    for (const name of response.getHeaderNames()) headers.set(name, String(response.getHeader(name)));
  });
  return Object.fromEntries(headers);
}

/** Only the fields of the contract are sent. Values are not checked here, since they are ours and the tests parse each answer by its contract. */
function declaredReply({ schema }: FastifyRouteSchemaDef<z.ZodType>): (value: unknown) => string {
  let write: ((value: unknown) => string) | undefined;
  // A border: the two libraries type the same JSON Schema differently. The format is left out, since a `date-time` would be written without escaping.
  return (value) =>
    (write ??= fastJson(
      z.toJSONSchema(schema, {
        target: 'openapi-3.0',
        override: ({ jsonSchema }) => delete jsonSchema.format,
      }) as fastJson.Schema,
    ))(value);
}

// What is not JSON appears in the API reference only, and passes no serializer.
const undeclared = {
  file: z.unknown().meta({ description: 'The bytes of the file' }),
  stream: z.unknown().meta({ description: 'Server-sent events, each a JSON object with a `type`' }),
};

const openApiPath = '/api/openapi.json';

const isForPrograms = (app: Http, path: string) =>
  ['/api/', '/socket.io/', ...app.doors.map(({ prefix }) => prefix)].some((prefix) => `${path}/`.startsWith(prefix));

type CallerFor<A extends Access> = A extends 'anyone' | 'open'
  ? Caller | undefined
  : A extends 'visitor'
    ? Visitor
    : Caller;

interface Call<P extends z.ZodRawShape, Q extends z.ZodRawShape, B extends z.ZodType, A extends Access> {
  params: z.output<z.ZodObject<P>>;
  query: z.output<z.ZodObject<Q>>;
  body: z.output<B>;
  caller: CallerFor<A>;
  locale: Locale;
  /** The files of a form. Throws `unsupported-media-type` for any other body. */
  files: ReadFiles;
  /** The call's `Idempotency-Key`, for those that keep it themselves. */
  key: string | undefined;
  request: FastifyRequest;
  reply: FastifyReply;
}

interface HandleOptions {
  /** The largest body of JSON, in bytes. */
  bodyLimit?: number;
  /** The largest form, in bytes; it is read part by part. */
  formLimit?: number;
  /** How much of a form is in memory at once, in bytes, where it does not go straight to a file. */
  formMemory?: number;
  /** How often one address may call it. */
  limit?: Limit;
  /** What it does is stored together with the call's `Idempotency-Key`, so that it holds over a crash, too. */
  keepsKey?: true;
}

/** Serves a declared route: identity, then access, then validation, then `answer`; what it returns is checked against the contract. */
export function handle<
  P extends z.ZodRawShape,
  Q extends z.ZodRawShape,
  B extends z.ZodType,
  R extends z.ZodType,
  A extends Access,
>(
  app: Http,
  route: Route<P, Q, B, R, A>,
  answer: (call: Call<P, Q, B, A>) => Promise<z.output<R> | void>,
  options: HandleOptions = {},
): void {
  const schema: FastifySchema = {
    summary: route.summary,
    tags: [route.path.split('/')[3] ?? route.path.split('/')[2] ?? 'api'],
    params: route.params,
    querystring: route.query,
    ...(route.method === 'POST' && route.access !== 'anyone' && !options.keepsKey && { headers: keyHeader }),
    ...(route.body.def.type !== 'undefined' && { body: route.body }),
    response: Object.fromEntries(
      [route.status, route.otherStatus].flatMap((status) =>
        status
          ? [
              [
                status,
                route.reply.def.type === 'undefined'
                  ? undeclared[route.kind === 'file' ? 'file' : 'stream']
                  : route.reply,
              ],
            ]
          : [],
      ),
    ),
    ...(route.access !== 'anyone' && { security: [{ bearer: [] }] }),
  };
  const [readParams, readQuery, readBody] = [
    reader(route.params, (name) => notFoundCode(app, route.path, name)),
    reader(route.query),
    reader(route.body),
  ];
  const identify = async (request: FastifyRequest) => {
    if (route.access === 'visitor') request.visitor = await app.visit(request);
    else request.caller = await app.authorize(request, route);
  };
  const bodyLimit = options.bodyLimit ?? (route.access === 'anyone' ? bodyLimits.anyone : bodyLimits.json);
  const formLimit = options.formLimit ?? bodyLimit;
  app.route({
    method: route.method,
    url: route.path,
    bodyLimit,
    config: { isDeclared: true },
    schema,
    // Before any of the body is read.
    onRequest: async (request) => {
      const { headers } = request;
      if (Number(headers['content-length'] ?? 0) > (isForm(headers['content-type']) ? formLimit : bodyLimit))
        throw new AppError('body-too-large');
      if (options.limit) await app.limits.take(options.limit, addressKey(request.ip));
      await identify(request);
      const who = request.caller?.key?.uuid ?? request.caller?.user ?? request.visitor?.guest;
      if (who) await app.limits.take(callLimits.byAccount, who);
    },
    ...(route.method === 'POST' && { onSend: keepAnswer }),
    handler: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const isForm = request.isMultipart();
      let form: AsyncGenerator<FormFile, void> | undefined;
      const recheck = async () => {
        if (request.caller ?? request.visitor) await identify(request);
      };
      try {
        if (isForm && route.kind !== 'multipart') throw new AppError('unsupported-media-type');
        if (isForm) {
          app.bodies.expect(request.raw);
          request.held = app.bodies.hold(addressKey(request.ip));
          request.held.add(Math.min(options.formMemory ?? 0, Number(request.headers['content-length'] ?? Infinity)));
        }
        // Whoever lost their access while a slow body was coming has lost it.
        if (request.readAt > 0 && performance.now() - request.readAt > slowBodyMs) await recheck();
        // Other methods do the same when they are called twice, and whoever is nobody has no keys.
        const key = route.method === 'POST' && (request.caller ?? request.visitor) ? keyOf(request) : undefined;
        if (key !== undefined && !options.keepsKey && (await isAnsweredBefore(key, request, reply))) return;
        const params = readParams(request.params);
        const query = readQuery(request.query);
        // The handler reads a form part by part; routes that take forms declare their JSON body as optional.
        const body = isForm ? (undefined as z.output<B>) : readBody(request.body ?? undefined);
        reply.status(route.status);
        const result = await answer({
          params,
          query,
          body,
          // `authorize` has thrown unless there is a caller, or the route is open to who is none.
          caller: (request.caller ?? request.visitor) as CallerFor<A>,
          locale: localeOf(request.headers['accept-language']),
          files(limits) {
            if (!isForm) throw new AppError('unsupported-media-type');
            return (form = readFiles(request, recheck, limits, request.claim?.digest));
          },
          key,
          request,
          reply,
        });
        // What nobody asked for of a form counts, too, when it is compared; an error says that there is more than may be sent.
        if (form && request.claim) await drain(form).catch(() => {});
        if (result !== undefined) await reply.send(result);
      } finally {
        request.held?.release();
      }
    },
  });
}

const keyHeader = z.object({
  'Idempotency-Key': z.string().min(1).max(255).optional().meta({
    description:
      'The same call with the same key is carried out once in 24 hours: again it is answered with the same answer and the header `Idempotency-Replayed: true`. Anything else with the same key is refused (422).',
  }),
});

/** A stream is not sent by Fastify, and keeps what it sends itself. */
function keepAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: Error | null, payload: unknown) => void,
): void {
  const { claim } = request;
  if (!claim) return done(null, payload);
  request.claim = undefined;
  const body = typeof payload === 'string' ? payload : payload === null || payload === undefined ? '' : undefined;
  void claim.finish({ status: reply.statusCode, headers: tellingHeaders(reply), body }).then(() => done(null, payload));
}

const isForm = (type: string | undefined) => type !== undefined && /^multipart\//i.test(type);

const slowBodyMs = 1000;

export interface FieldIssue {
  path: string;
  code: string;
  [detail: string]: unknown;
}

/** Parses by a schema, and skips it where both schema and value are empty, as most of the three are in every call. */
function reader<T extends z.ZodType>(
  schema: T,
  notFound?: (parameter: string) => ErrorCode,
): (value: unknown) => z.output<T> {
  const isNothing =
    schema instanceof z.ZodUndefined
      ? // Many programs send an empty object where there is nothing to send.
        (value: unknown) => value === undefined || isEmpty(value)
      : schema instanceof z.ZodObject && Object.keys(schema.shape).length === 0
        ? isEmpty
        : () => false;
  // A border: an empty schema gives an empty value.
  return (value) => (isNothing(value) ? (value as z.output<T>) : parse(schema, value, notFound));
}

const isEmpty = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;

/** A malformed id in a path is answered like an unknown one; other errors name each field. */
function parse<T extends z.ZodType>(
  schema: T,
  value: unknown,
  notFound?: (parameter: string) => ErrorCode,
): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  if (notFound) throw new AppError(notFound(String(parsed.error.issues[0]?.path[0])));
  const fields = parsed.error.issues.slice(0, 20).map((issue): FieldIssue => {
    const at = issue.path.join('.');
    const isNumber = 'origin' in issue && (issue.origin === 'number' || issue.origin === 'int');
    if (issue.code === 'too_big' && isNumber)
      return { path: at, code: 'number-too-large', maximum: Number(issue.maximum) };
    if (issue.code === 'too_small' && isNumber)
      return { path: at, code: 'number-too-small', minimum: Number(issue.minimum) };
    if (issue.code === 'too_big') return { path: at, code: 'too-long', maximum: Number(issue.maximum) };
    if (issue.code === 'too_small' && issue.origin === 'string' && issue.minimum === 1)
      return { path: at, code: 'empty' };
    if (issue.code === 'too_small')
      return {
        path: at,
        code: issue.message === 'password-short' ? 'password-short' : 'too-short',
        minimum: Number(issue.minimum),
      };
    if (issue.code === 'unrecognized_keys')
      return { path: at, code: 'unknown-field', keys: issue.keys.map((key) => key.slice(0, 100)).join(', ') };
    if (issue.code === 'invalid_type') {
      const given = valueAt(value, issue.path);
      if (issue.expected === 'undefined') return refuseBody(given);
      return { path: at, code: given === undefined ? 'required' : 'wrong-type', expected: issue.expected };
    }
    if (issue.code === 'invalid_format' && issue.format === 'email') return { path: at, code: 'email-form' };
    if (issue.code === 'custom') return { path: at, code: issue.message };
    return { path: at, code: 'invalid' };
  });
  throw new AppError('validation-failed', { fields });
}

/** What was sent at a path of an issue. */
const valueAt = (value: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((inner, key) => (Object.hasOwn(Object(inner), key) ? Object(inner)[key] : undefined), value);

/** Where nothing is expected, each field is one too many. */
function refuseBody(given: unknown): FieldIssue {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return { path: '', code: 'invalid' };
  const keys = Object.keys(given).slice(0, 20);
  return { path: '', code: 'unknown-field', keys: keys.map((key) => key.slice(0, 100)).join(', ') };
}

/** `/api/user/bot/:uuid` with a broken uuid is an unknown bot: the word before the parameter says what it is. */
function notFoundCode(app: Http, path: string, parameter: string): ErrorCode {
  const parts = path.split('/');
  return app.notFoundCodes[parts[parts.indexOf(`:${parameter}`) - 1] ?? ''] ?? 'not-found';
}

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body-too-large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported-media-type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad-request',
  FST_ERR_BAD_URL: 'not-found',
  FST_ERR_ASYNC_CONSTRAINT: 'not-found',
  FST_ERR_MAX_PARAM_LENGTH: 'not-found',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported-media-type',
  FST_PARTS_LIMIT: 'malformed-form',
  FST_FILES_LIMIT: 'malformed-form',
  FST_FIELDS_LIMIT: 'malformed-form',
  FST_PROTO_VIOLATION: 'malformed-form',
  FST_REQ_FILE_TOO_LARGE: 'file-too-large',
  ENOSPC: 'storage-full',
};

function asAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  // What it belongs to was deleted at the same moment.
  if (isForeignKeyViolation(error)) return new AppError('conflict', {}, { cause: error });
  if (isDatabaseAway(error)) return new AppError('unavailable', {}, { cause: error, retryAfterSeconds: 2 });
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const known = fastifyCodes[code];
  if (known) return new AppError(known, {}, { cause: error });
  // The form parser's errors have no code.
  if (
    error instanceof Error &&
    /Unexpected end of (form|multipart)|Malformed part header|Boundary not found|Premature close|needle/i.test(
      error.message,
    )
  )
    return new AppError('malformed-form', {}, { cause: error });
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  if (status >= 400 && status < 500) return new AppError('bad-request', {}, { cause: error });
  return new AppError('internal-error', {}, { cause: error });
}

const maxDropped = 256 * 1024;

/** Somebody opened an address: the page tells them what is wrong. */
const isForReader = ({ server, method, headers }: FastifyRequest): boolean =>
  server.hasWeb &&
  method === 'GET' &&
  (headers['sec-fetch-mode'] === 'navigate' || (headers.accept ?? '').includes('text/html'));

/** What the page says of an address that is none of its own, in the language that was chosen there. */
const failedHead = (status: number, { code, details }: AppError, requestId: string): PageHead => ({
  locale: 'en',
  title: `${status} · Kotae`,
  description: '',
  head: `<meta name="kotae-failed" content="${escapeHtml(JSON.stringify({ status, code, details, requestId }))}">`,
});

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = asAppError(error);
  const { status } = errors[known.code];
  // What is left of a small body is read and dropped, so that the connection can be used again; a large one is not.
  const { raw } = request;
  if (!raw.complete && (raw.headers['transfer-encoding'] ?? Number(raw.headers['content-length'] ?? 0) > maxDropped))
    reply.header('connection', 'close');
  // It may stay away for ever, though nobody reads it.
  request.server.bodies.expect(raw);
  if (status >= 500)
    request.log.error({ requestId: request.id, err: known.cause ?? known, path: loggedPath(request) }, known.code);
  const { retryAfterMs } = known.details;
  const retryAfter =
    known.retryAfterSeconds ?? (typeof retryAfterMs === 'number' ? Math.ceil(retryAfterMs / 1000) : undefined);
  if (retryAfter !== undefined) reply.header('retry-after', retryAfter);
  const locale = localeOf(request.headers['accept-language']);
  // The page's files would be refused like the page.
  if (isForReader(request) && known.code === 'host-unknown')
    return void reply
      .status(status)
      .type('text/plain; charset=utf-8')
      .serializer(String)
      .send(translate(locale, `errors:${known.code}`, known.details));
  if (isForReader(request)) {
    // Of the answer that was begun, a browser would make a file.
    reply.removeHeader('content-disposition');
    return void request.server.sendPage(reply, status, failedHead(status, known, request.id));
  }
  const door = request.server.doors.find(({ prefix }) => request.url.startsWith(prefix));
  const told = door?.toError(known, locale, request.id) ?? { status, body: localizedError(known, locale, request.id) };
  reply
    .status(told.status)
    .serializer(JSON.stringify)
    .header('content-type', 'application/json; charset=utf-8')
    .send(told.body);
}

/** Every error has this form, in the reader's language. */
export function localizedError(error: AppError, locale: Locale, requestId: string) {
  const details = { ...error.details };
  if (Array.isArray(details['fields'])) {
    details['fields'] = details['fields'].map((field: FieldIssue) => {
      const key = `errors:field.${field.code}`;
      return { ...field, message: translate(locale, isTextKey(key) ? key : 'errors:field.invalid', field) };
    });
  }
  return errorReply(error.code, translate(locale, `errors:${error.code}`, { ...details, requestId }), details);
}

/** What is not valid HTTP never reaches a route, so its error is written here, in the same form. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  refuse(socket, error.code === 'HPE_HEADER_OVERFLOW' ? 'headers-too-large' : 'bad-request');
}

/** Writes an error straight to a connection, and ends it. */
function refuse(socket: Socket, code: ErrorCode): void {
  const { status } = errors[code];
  const body = JSON.stringify(errorReply(code, translate('en', `errors:${code}`)));
  if (socket.writable)
    socket.end(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      () => socket.destroy(),
    );
}

/** Who is in between may have taken the other one: https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
const hasTwoHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((each, at) => at % 2 === 0 && each.length === 4 && each.toLowerCase() === 'host').length > 1;

/** Ends connections whose body stays away, those of live pages that have no socket too. */
export function watchBodies(app: Http): void {
  app.server.on('request', (raw, response) => {
    if (raw.url?.startsWith('/socket.io/')) app.bodies.expect(raw);
    // Nobody reads what came with a call that needs no body.
    else response.once('finish', () => app.bodies.expect(raw));
  });
  app.bodies.watch(({ socket }) => refuse(socket, 'body-too-slow'));
}

/** What is sent in place of a file has no address of its own: two thirds of the routes, and a tenth of a start. */
const packed = ['**/*.br', '**/*.gz'];

async function serveWeb(
  app: Http,
  { webFolder: folder, isPage, config }: HttpOptions,
  guards: Record<string, string>,
): Promise<void> {
  const index = join(folder, 'index.html');
  const hasWeb = existsSync(index);
  if (hasWeb) {
    await app.register(fastifyStatic, {
      root: folder,
      index: false,
      wildcard: false,
      preCompressed: true,
      globIgnore: packed,
      setHeaders: (response, path) => {
        response.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
        if (isPdfWorker(path)) response.header('content-security-policy', ofPdfWorker(guards));
        if (path.startsWith(join(folder, 'original'))) response.headers(ofOriginal);
      },
    });
  }
  const html = hasWeb ? withApi(readFileSync(index, 'utf8'), config) : '';
  app.decorate('hasWeb', hasWeb);
  app.decorate('pageName', createHash('sha256').update(html).digest('base64url').slice(0, 12));
  app.decorate('sendPage', (reply: FastifyReply, status: number, head?: PageHead) => {
    if (!hasWeb) throw new AppError('not-found');
    return reply
      .status(status)
      .headers(guards)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(head ? withHead(html, head) : html);
  });
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? '/';
    if (isForPrograms(app, path) || !['GET', 'HEAD'].includes(request.method) || !hasWeb)
      throw new AppError('not-found', { path: path.slice(0, 500) });
    return app.sendPage(reply, isPage(path) ? 200 : 404);
  });
}

/** Tells the page where the API is, unless that is where it comes from. */
const withApi = (html: string, { API_BASE_URL }: Config): string =>
  API_BASE_URL
    ? html.replace('</head>', () => `<meta name="kotae-api-base" content="${escapeHtml(API_BASE_URL)}" /></head>`)
    : html;

/** Functions, since in a text `$&` would stand for what it replaces. */
const withHead = (html: string, { locale, title, description, head }: PageHead): string =>
  html
    .replace(/<html lang="[^"]*"/, () => `<html lang="${locale}"`)
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace(
      /<meta name="description" content="[^"<]*"[^<>]*>/,
      () => `<meta name="description" content="${escapeHtml(description)}" />`,
    )
    .replace('</head>', () => `${head}</head>`);

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** A text as it stands in HTML, also within quotes. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (each) => entities[each] ?? '');

const isPdfWorker = (path: string) => basename(path).startsWith('pdf.worker');

/** A worker has the policy of its own file, so only what decodes pictures of PDFs may compile WebAssembly. */
const ofPdfWorker = (guards: Record<string, string>) =>
  guards['content-security-policy']?.replace("script-src 'self'", "$& 'wasm-unsafe-eval'");

/**
 * For the frame in which strangers' files are drawn, and what it loads: it has no origin, calls nobody, and nothing but our own files
 * runs in it, wherever it is opened. Having no origin, it asks for these files as any other site would.
 */
const ofOriginal = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'unsafe-inline'",
    'img-src data: blob:',
    'font-src data: blob:',
    'worker-src blob:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; '),
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** `/embed.js` for every site, and the page of its frame with its assets for ours. */
async function serveWidget(
  app: Http,
  { webFolder, config }: HttpOptions,
  guards: Record<string, string>,
): Promise<void> {
  const folder = join(webFolder, '../widget');
  const page = join(folder, 'chat.html');
  if (!existsSync(page)) {
    app.decorate('sendChat', () => {
      throw new AppError('not-found');
    });
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    prefix: '/widget/',
    decorateReply: false,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['embed.js', 'chat.html', ...packed],
    setHeaders: (response, path) => {
      response.header('cache-control', 'public, max-age=31536000, immutable');
      if (isPdfWorker(path)) response.header('content-security-policy', ofPdfWorker(guards));
    },
  });
  await app.register(fastifyStatic, {
    root: folder,
    decorateReply: false,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['assets/**', 'chat.html', ...packed],
    setHeaders(response) {
      response.header('cache-control', 'no-cache');
      response.header('cross-origin-resource-policy', 'cross-origin');
      response.header('access-control-allow-origin', '*');
    },
  });
  const html = readFileSync(page, 'utf8');
  const texts: Record<string, string> = JSON.parse(readFileSync(join(folder, '.vite/texts.json'), 'utf8'));
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    // The page of a public bot adds its typeface to this frame, which loads none itself.
    "font-src 'self'",
    `connect-src ${["'self'", ...liveOrigin(config.BASE_URL)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const { 'x-frame-options': _, ...rest } = guards;
  app.decorate('sendChat', (reply: FastifyReply, { locale, ancestors, asks }: ChatPage) =>
    reply
      .removeHeader('x-frame-options')
      .headers({
        ...rest,
        'content-security-policy': `${policy}; frame-ancestors 'self' ${ancestors.join(' ')}`.trim(),
        'cross-origin-resource-policy': 'cross-origin',
        'x-robots-tag': 'noindex',
        'cache-control': 'no-cache',
      })
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(
        html
          .replace('%LANGUAGE%', locale)
          .replace('%TITLE%', 'Kotae')
          .replace(
            '<!-- %PRELOAD% -->',
            (texts[locale] ? `<link rel="modulepreload" crossorigin href="/widget/${texts[locale]}" />` : '') +
              (asks ? `<link rel="preload" as="fetch" crossorigin href="${asks}" />` : ''),
          ),
      ),
  );
}
