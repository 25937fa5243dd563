import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sampleService } from '../../../shared/contracts/images.ts';
import {
  builtInService,
  groups,
  type KeyModel,
  type OperatedService,
  type Price,
  type Service,
  type Transcriber,
  type Transcription,
} from '../../../shared/contracts/services.ts';
import { AppError, type ErrorCode } from '../../../shared/errors.ts';
import type { Config } from '../../infra/config.ts';
import type { Db } from '../../infra/db.ts';
import type { ModelKeyTable } from './models.tables.ts';
import type { Log } from '../../infra/log.ts';
import type { Outbound } from '../../infra/outbound.ts';
import type { Sealer } from '../../infra/sealed.ts';
import { momentsOf } from '../../infra/moments.ts';
import { priceOn, thinkingOf } from '../../providers/models/catalogue.ts';
import {
  type ModelConnection,
  type ModelFile,
  type ModelInfo,
  type ModelProvider,
  type Thinking,
  type Transcript,
  untold,
} from '../../providers/models/model.ts';
import { sample } from '../../providers/models/built-in/sample.ts';
import { findProvider, modelProviders } from '../../providers/models/registry.ts';
import {
  changeModelKey,
  listOpened,
  listServiceSettings,
  listUsableKeys,
  sealedPlace,
  saidOf,
  touchModelKey,
  type Abilities,
  type AddedService,
  type KeyProblem,
  type ServiceChange,
  type UsableKey,
} from './models.store.ts';

/** What is used with one key, and what a token of it costs the workspace. */
export interface UsedModel {
  service: Pick<Service, 'uuid' | 'name' | 'provider'>;
  model: string;
  /** The workspace's own key, as it was read; what it does is recorded and not charged. */
  ownKey: Pick<ModelKeyTable, 'uuid' | 'updated_at' | 'state'> | null;
  /** Null: nothing is charged. */
  price: Price | null;
}

/** A service as it can be asked: a connection with one key. */
export interface ModelTarget extends UsedModel {
  service: Service;
  connection: ModelConnection;
  maxOutputTokens: number | null;
  /** Its window as it is loaded now is told by `connection.window`. */
  asksWindow: boolean;
  /** Undefined for a model that does not think. */
  thinking: Thinking | undefined;
}

export interface OpenTranscriber {
  used: UsedModel;
  transcribe(recording: ModelFile, signal: AbortSignal): Promise<Transcript>;
}

export interface Models {
  /** Every service, as the workspace has them, or as anyone sees them. Hidden ones are left out. */
  list(workspace: string | undefined): Promise<Service[]>;
  /** The service, whether it is ready or not. Hidden ones are found: a bot that has one goes on. */
  find(workspace: string | undefined, service: string): Promise<Service | undefined>;
  /** The targets of a service, the workspace's own keys first. Throws `service-not-found` or `service-not-ready`. */
  reach(workspace: string, service: string): Promise<ModelTarget[]>;
  /** What the operator's keys open, hidden ones too. */
  operated(): Promise<OperatedService[]>;
  /** What a key of the workspace's opens, where it is of a server; a vendor's models are everybody's. */
  opened(workspace: string, key: string): Promise<KeyModel[]>;
  /** The workspace's keys that can write down what is said, with their models for it as their providers tell them now. */
  transcribers(workspace: string): Promise<Transcriber[]>;
  /** The one that is chosen, which fails as its provider does, also while a key that was refused is not used. Throws `key-not-found`, also for a key that cannot. */
  transcriber(workspace: string, chosen: Transcription): Promise<OpenTranscriber>;
  /** A connection with a key that is not stored yet, to ask its provider. */
  connect(provider: string, access: { apiKey: string | undefined; baseUrl: string | undefined }): ModelConnection;
  /** Writes down whether a provider took the workspace's key, unless the key was changed meanwhile. A refused one is not used for a while. */
  judge(used: Pick<UsedModel, 'ownKey'>, refusal: AppError | undefined): Promise<void>;
  /** Forgets what was read of keys and settings, since it has changed. */
  forget(): void;
}

/** A model that somebody's key opens, and where its facts are from. */
interface ListedModel extends AddedService {
  uuid: string;
  /** When whoever lists it did so first, and last. */
  createdAt: number;
  updatedAt: number;
  added: boolean;
  /** Its server charges for it, as for others of its list, and does not say how much. */
  isUnpriced?: boolean;
  asksWindow?: true | undefined;
  /** What the workspace says of a model of its own. */
  said?: Abilities | undefined;
}

interface OperatorSource {
  provider: string;
  connection: ModelConnection;
  /** A server of the operator's own costs its workspaces nothing until the operator gives it a price. */
  isOwnServer: boolean;
  /** What it says it has; the models of a vendor are listed in its file. */
  listed(): Promise<ListedModel[]>;
  /** Until it has said so for the first time. */
  unsaid(): Promise<unknown> | undefined;
}

interface Asked extends Pick<OperatorSource, 'connection' | 'provider'> {
  toListed(model: ModelInfo): ListedModel;
  isGuess: boolean;
}

/** What refusals say about a key. */
export const refusedStates: Partial<Record<ErrorCode, 'rejected' | 'exhausted'>> = {
  'provider-key-rejected': 'rejected',
  'provider-exhausted': 'exhausted',
};

/** An account is topped up, or a key allowed again, without anybody telling us. */
const retryMs = 10 * 60_000;
const isRefused = ({ state }: Pick<ModelKeyTable, 'state'>) => state === 'rejected' || state === 'exhausted';
const isUsable = (key: UsableKey) => !isRefused(key) || Date.now() - key.checked_at >= retryMs;

/** Keys whose lists are kept. */
const maxOpened = 1_000;
/** Workspaces whose services are kept as they are shown. */
const maxLists = 100;
const none: ListedModel[] = [];

const freshMs = 60_000;
const askMs = 5_000;
/** How long a list waits for a server that has not said anything yet. */
const firstMs = 3_000;

interface Needs {
  db: Db;
  config: Config;
  log: Log;
  sealer: Sealer;
  outbound: Outbound;
}

/** The model services of this installation: built in, behind the operator's keys, and behind each workspace's own. */
export function createModels({ db, config, log, sealer, outbound }: Needs): Models {
  const connections = new Map<string, ModelConnection>();
  const opened = new Map<string, { updatedAt: number; models: Map<string, ListedModel> }>();
  /** What workspaces were shown last: 20 keys with 1,000 models each take 0.6 s to list. */
  const lists = new Map<string | undefined, { listed: object; mark: string; services: Service[] }>();

  const connect: Models['connect'] = (name, access) => {
    const provider = findProvider(name);
    if (!provider) throw new AppError('validation-failed', { fields: [{ path: 'provider', code: 'invalid' }] });
    return provider.connect({ ...access, outbound });
  };

  const sources = modelProviders.flatMap(({ name: provider, kind, operator, connect: connectTo }): OperatorSource[] => {
    const opening = operator.read(config.declared);
    if (!opening) return [];
    const { apiKey, baseUrl, models, tag, isGuess = false } = opening;
    // An address that the operator configured may be private.
    const connection = connectTo({ apiKey, baseUrl, outbound: baseUrl ? outbound.with(baseUrl) : outbound });
    if (kind === 'vendor')
      return [{ provider, connection, isOwnServer: false, listed: async () => none, unsaid: () => undefined }];
    const toListed = (model: ModelInfo) =>
      listedOf(provider, tag ? { ...model, name: `${model.name} (${tag})` } : model);
    const named = models?.map((id) => toListed(namedModel(id)));
    const says = named
      ? { listed: async () => named, unsaid: () => undefined }
      : asked({ connection, provider, toListed, isGuess });
    return [{ provider, connection, isOwnServer: true, ...says }];
  });

  /** What a server says it has, asked again after a minute, behind the answer that is known; what it had stays listed while it is away. */
  function asked({ connection, provider, toListed, isGuess }: Asked): Pick<OperatorSource, 'listed' | 'unsaid'> {
    let last: ListedModel[] = [];
    let askedAt = -Infinity;
    let hasSaid = false;
    let asking: Promise<void> | undefined;
    const refresh = () => {
      askedAt = Date.now();
      asking = connection
        .listModels(AbortSignal.timeout(askMs))
        .then(
          (models) => void (last = models.map(toListed)),
          (err: unknown) => {
            if (!isGuess) log.warn({ err, provider }, 'the models of a provider cannot be listed');
          },
        )
        .finally(() => {
          asking = undefined;
          hasSaid = true;
        });
    };
    return {
      async listed() {
        if (!asking && Date.now() - askedAt >= freshMs) refresh();
        if (!hasSaid) await Promise.race([asking, sleep(firstMs, undefined, { ref: false })]);
        return last;
      },
      unsaid: () => (hasSaid ? undefined : asking),
    };
  }

  /** A stored key, connected once until it changes. */
  function connectionOf(key: UsableKey): ModelConnection {
    const id = `${key.uuid} ${key.updated_at}`;
    const known =
      connections.get(id) ??
      connect(key.provider, {
        apiKey: key.sealed === null ? undefined : sealer.open(key.sealed, sealedPlace(key.uuid)),
        baseUrl: key.base_url ?? undefined,
      });
    if (connections.size > 1000) connections.clear();
    connections.set(id, known);
    return known;
  }

  const addedModels = (changes: Map<string, ServiceChange>): ListedModel[] =>
    [...changes.values()].flatMap(({ service, added, createdAt, updatedAt }): ListedModel[] =>
      added ? [{ ...added, uuid: service, added: true, createdAt, updatedAt }] : [],
    );

  /** What stored keys open, read once until one changes: some servers have hundreds of models. */
  async function withOpened(keys: UsableKey[]): Promise<OwnKey[]> {
    const known = new Map<string, Map<string, ListedModel>>();
    const unread = new Map<string, UsableKey>();
    for (const row of keys) {
      const kept = opened.get(row.uuid);
      if (kept?.updatedAt === row.updated_at) known.set(row.uuid, kept.models);
      else unread.set(row.uuid, row);
    }
    if (opened.size + unread.size > maxOpened) opened.clear();
    const lists = unread.size > 0 ? await listOpened(db, [...unread.keys()]) : [];
    for (const list of lists) {
      const row = unread.get(list.uuid);
      if (!row) continue;
      const models = listedBy(row, list);
      known.set(row.uuid, models);
      // One that was changed meanwhile may have another name by now.
      if (list.updated_at === row.updated_at) opened.set(row.uuid, { updatedAt: row.updated_at, models });
    }
    return Promise.all(
      keys.map(async (row) => ({
        row,
        opens: known.get(row.uuid) ?? new Map<string, ListedModel>(),
        isOfServer: isServer(row.provider),
        isCallable: row.base_url === null || !(await outbound.refusal(row.base_url)),
      })),
    );
  }

  function listedBy(
    key: Pick<ModelKeyTable, 'uuid' | 'provider' | 'name' | 'created_at' | 'updated_at'>,
    lists: Pick<ModelKeyTable, 'models' | 'abilities'>,
  ): Map<string, ListedModel> {
    const models: ModelInfo[] = JSON.parse(lists.models);
    const said = saidOf(lists);
    const isOfServer = isServer(key.provider);
    return new Map(
      models.map((info): [string, ListedModel] => {
        const listed = listedOf(key.provider, info);
        const model = { ...listed, createdAt: key.created_at, updatedAt: key.updated_at };
        if (!isOfServer) return [model.uuid, model];
        const uuid = serviceId(`${key.provider}/${key.uuid}`, info.id);
        const name = key.name ? `${model.name} (${key.name})` : model.name;
        return [uuid, { ...model, uuid, name, said: said.get(info.id) }];
      }),
    );
  }

  /** The workspace's keys that open a model: of its vendor, or the server whose model it is. */
  const keysFor = (keys: OwnKey[], model: ListedModel): OwnKey[] =>
    keys.filter(({ row, opens, isOfServer }) => (isOfServer ? opens.has(model.uuid) : row.provider === model.provider));

  /** What is the same for every workspace. */
  interface Shared {
    listed: Map<string, ListedModel>;
    changes: Map<string, ServiceChange>;
    /** Which of the operator's sources opens a model. */
    sourceOf: Map<string, OperatorSource>;
  }
  interface OwnKey {
    row: UsableKey;
    opens: Map<string, ListedModel>;
    isOfServer: boolean;
    /** Its address may be called, whatever its name resolves to. */
    isCallable: boolean;
  }
  interface Everything extends Shared {
    keys: OwnKey[];
  }

  let read: { mark: string; opened: ListedModel[][]; value: Shared } | undefined;

  /** The same object as before where nothing has changed. */
  async function readShared(): Promise<Shared> {
    const [settings, ...opened] = await Promise.all([
      listServiceSettings(db),
      ...sources.map((source) => source.listed()),
    ]);
    const mark = JSON.stringify([today(), settings]);
    if (read?.mark === mark && opened.every((list, at) => list === read?.opened[at])) return read.value;
    const changes = new Map(settings.map((change) => [change.service, change]));
    const listed = new Map(
      [...opened.flat(), ...catalogModels(today()), ...addedModels(changes)].map((model) => [model.uuid, model]),
    );
    const byProvider = new Map(sources.map((source) => [source.provider, source]));
    const sourceOf = new Map<string, OperatorSource>();
    for (const model of listed.values()) {
      const source = byProvider.get(model.provider);
      if (source) sourceOf.set(model.uuid, source);
    }
    const value = { listed, changes, sourceOf };
    read = { mark, opened, value };
    return value;
  }

  // Asked for with every answer; what an operator changes on another node shows within five seconds.
  let shared: { at: number; value: Promise<Shared> } | undefined;
  const sharedMs = 5_000;

  async function everything(workspace: string | undefined): Promise<Everything> {
    if (!shared || Date.now() - shared.at > sharedMs) shared = { at: Date.now(), value: readShared() };
    const known = shared.value;
    known.catch(() => (shared = undefined));
    const [common, keys] = await Promise.all([known, workspace ? listUsableKeys(db, workspace) : []]);
    return { ...common, keys: await withOpened(keys) };
  }

  const listedIn = ({ listed, keys }: Everything): ListedModel[] => [
    ...listed.values(),
    ...new Map(keys.flatMap(({ opens }) => [...opens].filter(([uuid]) => !listed.has(uuid)))).values(),
  ];

  /** One that a server is only about to name is waited for. */
  async function locate(
    workspace: string | undefined,
    uuid: string,
  ): Promise<{ all: Everything; model?: ListedModel }> {
    const all = await everything(workspace);
    const found = all.listed.get(uuid) ?? all.keys.map(({ opens }) => opens.get(uuid)).find(Boolean);
    if (found) return { all, model: found };
    const unsaid = sources.flatMap((source) => source.unsaid() ?? []);
    if (unsaid.length === 0) return { all };
    await Promise.all(unsaid);
    shared = undefined;
    return locate(workspace, uuid);
  }

  function toService(model: ListedModel, { changes, keys, sourceOf }: Everything): Service {
    const change = changes.get(model.uuid);
    const source = sourceOf.get(model.uuid);
    const own = keysFor(keys, model);
    const price = change?.price ?? model.price;
    const isOpen = source && isOpenFor(source, model, price);
    const callable = own.filter(({ isCallable }) => isCallable);
    const key = callable.some(({ row }) => isUsable(row))
      ? 'workspace'
      : isOpen
        ? source.provider === 'built-in'
          ? 'none'
          : 'operator'
        : null;
    const refused = own.some(({ row }) => row.state === 'exhausted') ? 'key-exhausted' : 'key-rejected';
    const reason = key
      ? null
      : own.length > 0
        ? callable.length > 0
          ? refused
          : 'address-not-allowed'
        : source
          ? 'no-price'
          : 'no-key';
    return {
      uuid: model.uuid,
      name: change?.name ?? model.name,
      group: model.said?.group ?? model.group,
      avatar: { url: avatarOf(model.provider) },
      provider: model.provider,
      vendor: vendorOf(model.provider),
      modelId: model.modelId,
      capabilities: change?.capabilities ?? model.said?.capabilities ?? abilitiesOf(model),
      contextTokens: change?.contextTokens ?? model.said?.contextTokens ?? contextOf(model),
      price,
      imagePrice: model.imagePrice,
      pricedAt: change?.pricedAt ? new Date(change.pricedAt).toISOString().slice(0, 10) : model.pricedAt,
      key,
      availability: key ? 'ready' : reason === 'no-price' ? 'disabled' : 'needs-key',
      reason,
      ...momentsOf({ created_at: model.createdAt, updated_at: Math.max(model.updatedAt, change?.updatedAt ?? 0) }),
    };
  }

  return {
    connect,
    forget() {
      shared = undefined;
    },
    async judge({ ownKey }, refusal) {
      const state = refusal ? refusedStates[refusal.code] : 'ready';
      if (!ownKey || !state || (!refusal && !isRefused(ownKey))) return;
      const problem: KeyProblem | undefined = refusal && {
        code: refusal.code,
        reason: String(refusal.details['reason'] ?? ''),
      };
      const message = problem ? JSON.stringify(problem) : null;
      await changeModelKey(db, ownKey, { state, message, checked_at: Date.now() });
    },
    async list(workspace) {
      const all = await everything(workspace);
      const mark = all.keys
        .map(({ row, isCallable }) =>
          [row.uuid, row.updated_at, row.base_url, row.state, isUsable(row), isCallable].join(),
        )
        .join();
      const kept = lists.get(workspace);
      if (kept?.listed === all.listed && kept.mark === mark) return kept.services;
      const services = listedIn(all)
        .filter(({ uuid }) => !all.changes.get(uuid)?.hidden)
        .map((model) => toService(model, all));
      lists.delete(workspace);
      lists.set(workspace, { listed: all.listed, mark, services });
      if (lists.size > maxLists) lists.delete(lists.keys().next().value);
      return services;
    },
    async find(workspace, uuid) {
      const { all, model } = await locate(workspace, uuid);
      return model && toService(model, all);
    },
    async reach(workspace, uuid) {
      const { all, model } = await locate(workspace, uuid);
      if (!model) throw new AppError('service-not-found');
      const service = toService(model, all);
      const provider = findProvider(model.provider);
      const common = {
        service,
        model: model.modelId,
        maxOutputTokens: model.maxOutputTokens,
        asksWindow: model.asksWindow === true && !model.said?.contextTokens,
        thinking:
          provider && thinkingIn(provider, service, all.changes.get(uuid)?.capabilities ?? model.said?.capabilities),
      };
      const own = keysFor(all.keys, model)
        .map(({ row }) => row)
        .filter(isUsable)
        .toSorted((one, other) => Number(isRefused(one)) - Number(isRefused(other)))
        .map((key): ModelTarget => ({ ...common, connection: connectionOf(key), ownKey: key, price: null }));
      const source = all.sourceOf.get(uuid);
      const shared: ModelTarget[] =
        source && isOpenFor(source, model, service.price)
          ? [{ ...common, connection: source.connection, ownKey: null, price: service.price }]
          : [];
      const targets = [...own, ...shared];
      if (targets.length === 0) throw new AppError('service-not-ready', { service: service.name });
      for (const { ownKey } of own.slice(0, 1))
        if (ownKey) void touchModelKey(db, ownKey.uuid, Date.now()).catch(() => {});
      return targets;
    },
    async transcribers(workspace) {
      const keys = await listUsableKeys(db, workspace);
      const found = await Promise.all(
        keys.map(async (key): Promise<Transcriber[]> => {
          const { transcription } = connectionOf(key);
          if (!transcription) return [];
          const models = isUsable(key)
            ? await transcription.listModels(AbortSignal.timeout(askMs)).catch(() => [])
            : [];
          return [{ key: key.uuid, name: key.name || titleOf(key.provider), models }];
        }),
      );
      return found.flat();
    },
    async transcriber(workspace, { key: uuid, model }) {
      const key = (await listUsableKeys(db, workspace)).find((each) => each.uuid === uuid);
      const transcription = key && connectionOf(key).transcription;
      if (!transcription) throw new AppError('key-not-found');
      const { provider, name, state, updated_at } = key;
      const isOfServer = isServer(provider);
      return {
        used: {
          service: {
            uuid: serviceId(isOfServer ? `${provider}/${uuid}` : provider, model),
            name: isOfServer && name ? `${model} (${name})` : model,
            provider,
          },
          model,
          ownKey: { uuid, state, updated_at },
          price: null,
        },
        async transcribe(recording, signal) {
          if (!isUsable(key))
            throw new AppError(state === 'exhausted' ? 'provider-exhausted' : 'provider-key-rejected');
          void touchModelKey(db, uuid, Date.now()).catch(() => {});
          return transcription.transcribe({ model, recording }, signal);
        },
      };
    },
    async operated() {
      const all = await everything(undefined);
      return [...all.listed.values()].map((model) => {
        const change = all.changes.get(model.uuid);
        return {
          ...toService(model, all),
          hidden: change?.hidden ?? false,
          added: model.added,
          changed: Boolean(change?.name || change?.price || change?.capabilities || change?.contextTokens),
        };
      });
    },
    async opened(workspace, uuid) {
      const all = await everything(workspace);
      const key = all.keys.find(({ row, isOfServer }) => isOfServer && row.uuid === uuid);
      const rank = ({ group }: ListedModel) => groups.indexOf(group);
      const models = [...(key?.opens.values() ?? [])].toSorted((one, other) => rank(one) - rank(other));
      return models.map((model) => ({
        ...toService(model, all),
        changed: model.said !== undefined,
      }));
    },
  };
}

/** How a model thinks: of a server's, who says by hand what it can do knows better than its name. */
const thinkingIn = (
  provider: ModelProvider,
  { modelId, capabilities }: Service,
  said: Service['capabilities'] | undefined,
): Thinking | undefined =>
  provider.kind === 'server' && said && !said.includes('reasoning')
    ? undefined
    : thinkingOf(provider, modelId, capabilities);

/** Whether the operator's key may answer for everybody. */
const isOpenFor = (
  { isOwnServer }: OperatorSource,
  { isUnpriced, group, imagePrice }: ListedModel,
  price: Price | null,
) => (group === 'image-model' ? imagePrice : price) !== null || (isOwnServer && !isUnpriced);

const vendorOf = (name: string): string | null => {
  const provider = findProvider(name);
  return provider?.kind === 'vendor' ? provider.title : null;
};

/** Ours; the server draws it, as the provider's file has it. */
export const avatarOf = (provider: string) => `/services/${provider}.svg`;

const titleOf = (provider: string) => findProvider(provider)?.title ?? provider;
const isServer = (provider: string) => findProvider(provider)?.kind === 'server';

/** What the lists of all vendors have, at the prices of a day. */
const catalogModels = (day: string) =>
  modelProviders.flatMap(({ name: provider, catalogue }) =>
    catalogue.map(
      ({ id, name, group, contextTokens, maxOutputTokens, capabilities, imagePrice, ...dated }): ListedModel => ({
        name,
        group,
        contextTokens,
        maxOutputTokens,
        capabilities,
        imagePrice,
        ...priceOn(dated, day),
        uuid: serviceId(provider, id),
        provider,
        modelId: id,
        added: false,
        createdAt: Date.parse(dated.asOf),
        updatedAt: Date.parse(priceOn(dated, day).pricedAt),
      }),
    ),
  );

function listedOf(
  provider: string,
  { id, name, group = 'model', contextTokens, maxOutputTokens, capabilities, price, asksWindow }: ModelInfo,
): ListedModel {
  const free = provider === 'built-in' ? { in: 0, out: 0, cached: 0 } : null;
  return {
    uuid: serviceId(provider, id),
    provider,
    modelId: id,
    name,
    group,
    contextTokens,
    maxOutputTokens: maxOutputTokens ?? null,
    capabilities: isServer(provider) && group === 'model' ? told(provider, id, capabilities) : capabilities,
    price: free ?? price ?? null,
    imagePrice: provider === 'built-in' && group === 'image-model' ? 0 : null,
    pricedAt: price ? today() : null,
    added: false,
    createdAt: listsAsOf,
    updatedAt: listsAsOf,
    isUnpriced: price === null,
    asksWindow,
  };
}

/** What was taken for something else has none of its own. */
const contextOf = ({ said, contextTokens }: ListedModel) =>
  said?.group === 'model' ? contextTokens || usualContext : contextTokens;
const usualContext = 8192;

/** A model of which nothing is known but its name. */
export const namedModel = (id: string): ModelInfo => ({ id, name: id, contextTokens: usualContext, capabilities: [] });

/** What a server lists without a date is as old as our own lists. */
const listsAsOf = Math.max(...modelProviders.flatMap(({ catalogue }) => catalogue.map(({ asOf }) => Date.parse(asOf))));

const abilitiesOf = ({ provider, modelId, said, group, capabilities }: ListedModel) =>
  said?.group === 'model' && group !== 'model' ? told(provider, modelId, capabilities) : capabilities;

/** None are a list from before servers were asked for more, or of names that the operator gave; some names tell that a model thinks. */
function told(provider: string, id: string, capabilities: ModelInfo['capabilities']): ModelInfo['capabilities'] {
  const known = capabilities.length === 0 ? untold : capabilities;
  return known.includes('reasoning') || !findProvider(provider)?.thinking(id) ? known : [...known, 'reasoning'];
}

const today = () => new Date().toISOString().slice(0, 10);

/** A UUIDv8 (RFC 9562 §5.8) made of the names, so that a model has the same id on every node and after every start. */
export function serviceId(provider: string, model: string): string {
  if (provider === 'built-in') return model === sample ? sampleService : builtInService;
  const hex = createHash('sha256').update(`${provider}/${model}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
