import { z } from 'zod';
import { byUuid, many, moment, moments, ok, one } from '../list.ts';
import { route } from '../route.ts';
import { optionalText, text, uuid } from '../text.ts';

const dollars = z.number().min(0).max(100_000);
const rates = {
  in: dollars,
  out: dollars,
  /** Of what came from the provider's cache. */
  cached: dollars,
  /** Of what was put into it; as any other token, where it is not told. */
  cacheWrite: dollars.optional(),
};
/** US dollars per million tokens. */
export const Price = z.object({
  ...rates,
  /** Of everything in a request whose prompt has more than `above` tokens. */
  long: z.object({ above: z.number().int().min(1), ...rates }).optional(),
});
export type Price = z.output<typeof Price>;

export const capabilities = ['vision', 'tools', 'json', 'embeddings', 'reasoning', 'mask'] as const;

export const groups = ['model', 'image-model', 'other'] as const;

export const Service = z.object({
  uuid,
  /** May end in " (tag)". */
  name: z.string(),
  /** What answers, what does something else, and what draws. */
  group: z.enum(groups),
  avatar: z.object({ url: z.string() }),
  provider: z.string(),
  /** As its vendor writes itself; null for what is built in and for servers of one's own. */
  vendor: z.string().nullable(),
  modelId: z.string(),
  capabilities: z.array(z.enum(capabilities)),
  /** 0 for pictures. */
  contextTokens: z.number().int(),
  /** Null where nobody has said: such a service answers with one's own key only. */
  price: Price.nullable(),
  /** Of one picture. */
  imagePrice: z.number().nullable(),
  /** When the price was read at the vendor's, or set by the operator. */
  pricedAt: z.iso.date().nullable(),
  /** Whose key answers: nobody's is needed, the operator's (paid with credits), or the workspace's own. */
  key: z.enum(['none', 'operator', 'workspace']).nullable(),
  availability: z.enum(['ready', 'needs-key', 'disabled']),
  /** Why it is not ready, as a code; its sentence is in the locale files. */
  reason: z
    .enum(['no-key', 'key-rejected', 'key-exhausted', 'unreachable', 'no-price', 'address-not-allowed'])
    .nullable(),
  /** Those of the price list, or of what the operator or the workspace has made of it. */
  ...moments,
});
export type Service = z.output<typeof Service>;

/** The keyless model is always there. */
export const builtInService = '4b6f7461-6500-8000-8000-000000000001';

export const services = {
  list: route('GET', '/api/service', {
    summary: 'Every model service, as a plain array; with an identity, as the workspace has them',
    access: 'anyone',
    reply: z.array(Service),
  }),
};

/** A kind of key, and the form that asks for one: JSON Schema of an object whose properties have `title` and, where so, `secret`. */
export const ModelProviderInfo = z.object({
  name: z.string(),
  title: z.string(),
  /** A vendor has one address; a server is anybody's own. */
  kind: z.enum(['vendor', 'server']),
  avatar: z.object({ url: z.string() }),
  /** Where a person gets a key. */
  keyUrl: z.string().nullable(),
  /** What an operator writes into the environment to open it: of a vendor the key follows, of a server it is an example. */
  line: z.string(),
  settings: z.record(z.string(), z.unknown()),
});
export type ModelProviderInfo = z.output<typeof ModelProviderInfo>;

export const ModelKey = z.object({
  uuid,
  provider: z.string(),
  name: z.string(),
  baseUrl: z.string().nullable(),
  /** The last four characters, to tell one from another; empty when it has no secret. */
  hint: z.string(),
  /** `exhausted`: its account has no credit left. It is tried again by itself after a while, as a rejected one is. */
  state: z.enum(['ready', 'rejected', 'exhausted', 'unreachable']),
  /** What the provider said when it was last asked. */
  message: z.string().nullable(),
  /** How many models it opens. */
  models: z.number().int(),
  /** Those that were named by hand, separated by commas. */
  named: z.string(),
  checkedAt: moment,
  lastUsedAt: moment.nullable(),
  createdAt: moment,
  updatedAt: moment,
});
export type ModelKey = z.output<typeof ModelKey>;

/** A key that can write down what is said. */
export const Transcriber = z.object({
  key: uuid,
  /** As its list has it: its own name, or its provider's. */
  name: z.string(),
  /** Its models for it, as far as its provider tells, the best first. */
  models: z.array(z.string()),
});
export type Transcriber = z.output<typeof Transcriber>;

/** Which key and model write down what is said. */
export const Transcription = z.strictObject({ key: uuid, model: text(200) });
export type Transcription = z.output<typeof Transcription>;

const keyFields = {
  name: optionalText(60).optional(),
  apiKey: text(500).optional(),
  baseUrl: text(500).optional(),
  /** Separated by commas or line ends, where a server has no list of its own. */
  models: optionalText(10_000).optional(),
};

/** What a model can do and how much it reads, where somebody knows it better than a list. */
const abilities = {
  capabilities: z.array(z.enum(capabilities)).max(capabilities.length),
  contextTokens: z.number().int().min(256).max(100_000_000),
};
/** Null takes a change back. */
const saidAbilities = {
  capabilities: abilities.capabilities.nullable(),
  contextTokens: abilities.contextTokens.nullable(),
};

/** A model of a server that a key opens. */
export const KeyModel = Service.extend({ changed: z.boolean() });
export type KeyModel = z.output<typeof KeyModel>;

export const ServiceTrial = z.object({
  text: z.string(),
  service: Service,
  tokensIn: z.number().int(),
  tokensOut: z.number().int(),
  latencyMs: z.number().int(),
  firstTokenMs: z.number().int().nullable(),
});
export type ServiceTrial = z.output<typeof ServiceTrial>;

export const modelKeys = {
  providers: route('GET', '/api/user/model/providers', {
    summary: 'Which kinds of model keys there are, each with its form',
    access: 'manage',
    reply: one(z.array(ModelProviderInfo)),
  }),
  list: route('GET', '/api/user/model/model-api-key', {
    summary: 'The workspace’s own model keys',
    access: 'manage',
    reply: many(ModelKey),
  }),
  transcribers: route('GET', '/api/user/model/transcribers', {
    summary: 'The model keys that can write down what is said; their providers are asked for the models',
    access: 'manage',
    reply: one(z.array(Transcriber)),
  }),
  create: route('POST', '/api/user/model/model-api-key', {
    summary: 'Add a model key; the provider is asked at once, and the state says what it answered',
    access: 'manage',
    status: 201,
    body: z.strictObject({ provider: z.string().max(40), ...keyFields }),
    reply: one(ModelKey),
  }),
  update: route('PUT', '/api/user/model/model-api-key/:uuid', {
    summary: 'Change a model key; another address needs the key again',
    access: 'manage',
    params: byUuid,
    body: z.strictObject(keyFields),
    reply: one(ModelKey),
  }),
  check: route('POST', '/api/user/model/model-api-key/:uuid/check', {
    summary: 'Ask the provider again',
    access: 'manage',
    params: byUuid,
    reply: one(ModelKey),
  }),
  models: route('GET', '/api/user/model/model-api-key/:uuid/models', {
    summary: 'The models of a server that a key opens; none of a vendor’s, since they are known',
    access: 'manage',
    params: byUuid,
    reply: many(KeyModel),
  }),
  changeModel: route('PUT', '/api/user/model/model-api-key/:uuid/model/:service', {
    summary: 'Say what a model of one’s own server is for and can do; null takes a change back',
    access: 'manage',
    params: { ...byUuid, service: uuid },
    body: z.strictObject({ ...saidAbilities, group: z.enum(groups).nullable() }).partial(),
    reply: one(KeyModel),
  }),
  remove: route('DELETE', '/api/user/model/model-api-key/:uuid', {
    summary: 'Delete a model key',
    access: 'manage',
    params: byUuid,
    reply: ok,
  }),
};

/** A service as the operator sees it. */
export const OperatedService = Service.extend({ hidden: z.boolean(), added: z.boolean(), changed: z.boolean() });
export type OperatedService = z.output<typeof OperatedService>;

/** A service asked for one sentence. */
export const trials = {
  try: route('POST', '/api/user/model/try', {
    summary: 'Ask a service for one sentence, to see that it answers',
    access: 'edit',
    body: z.strictObject({ service: uuid }),
    reply: one(ServiceTrial),
  }),
};

export const operatorServices = {
  list: route('GET', '/api/operator/services', {
    summary: 'Every service of the operator’s keys, hidden ones too',
    access: 'operator',
    reply: many(OperatedService),
  }),
  add: route('POST', '/api/operator/service', {
    summary: 'Offer a model that the list does not have',
    access: 'operator',
    status: 201,
    body: z.strictObject({
      provider: z.string().max(40),
      modelId: text(200),
      name: text(80),
      ...abilities,
      price: Price.nullable(),
    }),
    reply: one(OperatedService),
  }),
  update: route('PUT', '/api/operator/service/:uuid', {
    summary:
      'Hide, rename or re-price a service, or say what it can do and how much it reads; null takes a change back',
    access: 'operator',
    params: byUuid,
    body: z
      .strictObject({
        hidden: z.boolean(),
        name: text(80).nullable(),
        price: Price.nullable(),
        ...saidAbilities,
      })
      .partial(),
    reply: one(OperatedService),
  }),
  remove: route('DELETE', '/api/operator/service/:uuid', {
    summary: 'Take a model back that was added',
    access: 'operator',
    params: byUuid,
    reply: ok,
  }),
};
