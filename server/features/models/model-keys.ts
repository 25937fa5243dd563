import { z } from 'zod';
import type { Locale } from '../../../shared/contracts/accounts.ts';
import type { KeyModel, ModelKey, ModelProviderInfo } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import { newId } from '../../infra/db.ts';
import type { ModelKeyTable } from './models.tables.ts';
import type { Caller } from '../../infra/http.ts';
import { leadsInside, wrongAddress } from '../../infra/outbound.ts';
import { isTextKey, translate } from '../../infra/translate.ts';
import type { ModelProvider } from '../../providers/models/model.ts';
import { findProvider, modelProviders } from '../../providers/models/registry.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { avatarOf, namedModel, refusedStates } from './models.ts';
import {
  changeModelKey,
  countModelKeys,
  deleteModelKey,
  findModelKey,
  insertModelKey,
  listModelKeys,
  saidOf,
  sealedPlace,
  type Abilities,
  type KeyProblem,
} from './models.store.ts';

interface Given {
  name?: string | undefined;
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
  models?: string | undefined;
}
type Settings = Pick<Given, 'apiKey' | 'baseUrl'>;

const maxKeys = 20;
const maxModels = 5000;
const askMs = 10_000;
/** The last four characters of a shorter key would reveal too much of it. */
const minHintedLength = 12;

export const listProviders = (): ModelProviderInfo[] =>
  modelProviders.flatMap(({ name, title, kind, settings, keyUrl, operator }) =>
    settings && kind !== 'built-in'
      ? [
          {
            name,
            title,
            kind,
            avatar: { url: avatarOf(name) },
            keyUrl,
            line: operator.line,
            settings: z.toJSONSchema(settings, { io: 'input' }),
          },
        ]
      : [],
  );

export const listOwnModelKeys = async ({ db }: Context, caller: Caller): Promise<ModelKey[]> =>
  (await listModelKeys(db, caller.workspace)).map((row) => toModelKey(row, caller.locale));

/** The key is stored whatever the provider answers; its state tells the answer. */
export async function createModelKey(
  context: Context,
  caller: Caller,
  { provider: name, ...given }: Given & { provider: string },
): Promise<ModelKey> {
  const { db, sealer } = context;
  const provider = findProvider(name);
  if (!provider?.settings) throw wrongField('provider', 'invalid');
  const settings = readSettings(provider, given);
  const named = namesIn(provider, given.models ?? '');
  const answer = await ask(context, caller, provider, { ...settings, named }, given);
  const now = Date.now();
  const uuid = newId(now);
  const row: ModelKeyTable = {
    uuid,
    workspace: caller.workspace,
    provider: provider.name,
    name: given.name ?? '',
    base_url: settings.baseUrl ?? null,
    sealed: settings.apiKey === undefined ? null : sealer.seal(settings.apiKey, sealedPlace(uuid)),
    hint: hintOf(settings),
    models: '[]',
    named: named.join(', '),
    abilities: '{}',
    ...answer,
    last_used_at: null,
    created_at: now,
    updated_at: now,
  };
  await db.transaction().execute(async (trx) => {
    if ((await countModelKeys(trx, caller.workspace)) >= maxKeys) throw new AppError('too-many', { limit: maxKeys });
    await insertModelKey(trx, row);
    await record(trx, caller, 'model-key.created', titleOf(row), factsOf(row));
  });
  return toModelKey(row, caller.locale);
}

/** What is not given stays; the provider is asked again when there is something new to ask it with. */
export async function updateModelKey(context: Context, caller: Caller, uuid: string, given: Given): Promise<ModelKey> {
  const { db, sealer } = context;
  const row = await mustFind(context, caller, uuid);
  const provider = providerOf(row);
  // The old secret was meant for the old address.
  if (
    row.sealed !== null &&
    given.apiKey === undefined &&
    given.baseUrl !== undefined &&
    given.baseUrl !== row.base_url
  )
    throw wrongField('apiKey', 'required');
  const known = secretsOf(context, row);
  const settings = readSettings(provider, {
    apiKey: given.apiKey ?? known.apiKey,
    baseUrl: given.baseUrl ?? known.baseUrl,
  });
  const named = namesIn(provider, given.models ?? row.named);
  const isNew = given.apiKey !== undefined || given.baseUrl !== undefined || given.models !== undefined;
  const answer = isNew ? await ask(context, caller, provider, { ...settings, named }, given) : {};
  const changes: Partial<ModelKeyTable> = {
    ...answer,
    ...(given.name !== undefined && { name: given.name }),
    ...(given.models !== undefined && { named: named.join(', ') }),
    ...(given.baseUrl !== undefined && { base_url: settings.baseUrl ?? null }),
    ...(given.apiKey !== undefined &&
      settings.apiKey !== undefined && {
        sealed: sealer.seal(settings.apiKey, sealedPlace(uuid)),
        hint: hintOf(settings),
      }),
  };
  return db.transaction().execute(async (trx) => {
    const changed = await changeModelKey(trx, row, changes);
    if (!changed) throw new AppError('conflict');
    await record(trx, caller, 'model-key.updated', titleOf(changed), {
      ...factsOf(changed),
      apiKey: given.apiKey === undefined ? 'kept' : 'changed',
    });
    return toModelKey(changed, caller.locale);
  });
}

export async function checkModelKey(context: Context, caller: Caller, uuid: string): Promise<ModelKey> {
  const row = await mustFind(context, caller, uuid);
  const changed = await changeModelKey(
    context.db,
    row,
    await ask(
      context,
      caller,
      providerOf(row),
      { ...secretsOf(context, row), named: namesIn(providerOf(row), row.named) },
      {},
    ),
  );
  if (!changed) throw new AppError('conflict');
  return toModelKey(changed, caller.locale);
}

export async function listKeyModels(context: Context, caller: Caller, uuid: string): Promise<KeyModel[]> {
  await mustFind(context, caller, uuid);
  return context.models.opened(caller.workspace, uuid);
}

interface Said {
  capabilities?: KeyModel['capabilities'] | null | undefined;
  contextTokens?: number | null | undefined;
  group?: KeyModel['group'] | null | undefined;
}

/** What is not given stays as it is; null goes back to what the server says. */
export async function changeKeyModel(
  context: Context,
  caller: Caller,
  { uuid, service }: { uuid: string; service: string },
  { capabilities, contextTokens, group }: Said,
): Promise<KeyModel> {
  const { db, models } = context;
  const row = await mustFind(context, caller, uuid);
  const opened = await models.opened(caller.workspace, uuid);
  const model = opened.find((each) => each.uuid === service);
  if (!model) throw new AppError('service-not-found');
  const said = saidOf(row);
  const { modelId } = model;
  const next = {
    ...said.get(modelId),
    ...(capabilities !== undefined && { capabilities: capabilities && [...new Set(capabilities)] }),
    ...(contextTokens !== undefined && { contextTokens }),
    ...(group !== undefined && { group }),
  };
  said.set(modelId, Object.fromEntries(Object.entries(next).filter(([, value]) => value !== null)));
  // What was said of models that are gone goes with them.
  const kept = opened.flatMap(({ modelId: id }): [string, Abilities][] => {
    const abilities = said.get(id);
    return abilities && Object.keys(abilities).length > 0 ? [[id, abilities]] : [];
  });
  await db.transaction().execute(async (trx) => {
    const changed = await changeModelKey(trx, row, { abilities: JSON.stringify(Object.fromEntries(kept)) });
    if (!changed) throw new AppError('conflict');
    await record(trx, caller, 'model-key.updated', titleOf(changed), {
      ...factsOf(changed),
      model: modelId,
      capabilities,
      contextTokens,
      group,
    });
  });
  const after = (await models.opened(caller.workspace, uuid)).find((each) => each.uuid === service);
  if (!after) throw new AppError('service-not-found');
  return after;
}

export async function removeModelKey({ db }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const removed = await deleteModelKey(trx, caller.workspace, uuid);
    if (!removed) throw new AppError('key-not-found');
    await record(trx, caller, 'model-key.deleted', titleOf(removed), factsOf(removed));
  });
}

type Answer = Pick<ModelKeyTable, 'state' | 'message' | 'checked_at'> & Partial<Pick<ModelKeyTable, 'models'>>;

/** Asks for the provider's list of models. An address that was just typed and may not be called is an error of the form; what else goes wrong is the key's state, and the models that it had stay. */
async function ask(
  { models }: Context,
  { operator }: Pick<Caller, 'operator'>,
  provider: ModelProvider,
  { apiKey, baseUrl, named }: Settings & { named: string[] },
  typed: Settings,
): Promise<Answer> {
  try {
    const found = await models
      .connect(provider.name, { apiKey, baseUrl })
      .listModels(AbortSignal.timeout(askMs))
      .catch((error: unknown) => {
        if (named.length > 0 && error instanceof AppError && error.code === 'provider-no-list') return [];
        throw error;
      });
    const unlisted = named.filter((id) => !found.some((model) => model.id === id)).map(namedModel);
    return {
      state: 'ready',
      message: null,
      models: JSON.stringify([...unlisted, ...found.slice(0, maxModels)]),
      checked_at: Date.now(),
    };
  } catch (error) {
    const problem = problemOf(error);
    const isRefused = problem.code === 'address-not-allowed' || (operator && leadsInside(error));
    if (isRefused && typed.baseUrl !== undefined && error instanceof AppError) throw wrongAddress('baseUrl', error);
    return {
      state: refusedStates[problem.code] ?? 'unreachable',
      message: JSON.stringify(problem),
      checked_at: Date.now(),
    };
  }
}

function problemOf(error: unknown): KeyProblem {
  if (error instanceof DOMException && error.name === 'TimeoutError')
    return { code: 'provider-unreachable', reason: '' };
  if (!(error instanceof AppError)) throw error;
  const reason = String(error.details['reason'] ?? '');
  // A name that does not resolve now may do so in a minute.
  if (error.code === 'address-not-allowed')
    return { code: reason === 'name' ? 'provider-unreachable' : error.code, reason: '' };
  return { code: error.code, reason };
}

function readSettings(provider: ModelProvider, { apiKey, baseUrl }: Settings): Settings {
  const given = { ...(apiKey !== undefined && { apiKey }), ...(baseUrl !== undefined && { baseUrl }) };
  const parsed = provider.settings?.strict().safeParse(given);
  if (parsed?.success) return { apiKey: asText(parsed.data['apiKey']), baseUrl: asText(parsed.data['baseUrl']) };
  const fields = (parsed?.error.issues ?? []).flatMap((issue) => {
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({ path: key, code: 'unknown-field', keys: key }));
    const path = issue.path.join('.');
    return [{ path, code: path in given ? 'invalid' : 'required' }];
  });
  throw new AppError('validation-failed', { fields });
}

/** A vendor has a list; what a person writes is one name after the other. */
const namesIn = (provider: ModelProvider, written: string): string[] =>
  provider.kind === 'server'
    ? [...new Set(written.split(/[,\n、]/).map((name) => name.trim()))].filter(Boolean).slice(0, maxNamed)
    : [];
const maxNamed = 200;

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined);

const wrongField = (path: string, code: string) => new AppError('validation-failed', { fields: [{ path, code }] });

async function mustFind({ db }: Context, caller: Caller, uuid: string): Promise<ModelKeyTable> {
  const row = await findModelKey(db, caller.workspace, uuid);
  if (!row) throw new AppError('key-not-found');
  return row;
}

function providerOf(row: ModelKeyTable): ModelProvider {
  const provider = findProvider(row.provider);
  if (!provider) throw new AppError('key-not-found');
  return provider;
}

const secretsOf = ({ sealer }: Context, row: ModelKeyTable): Settings => ({
  apiKey: row.sealed === null ? undefined : sealer.open(row.sealed, sealedPlace(row.uuid)),
  baseUrl: row.base_url ?? undefined,
});
const hintOf = ({ apiKey = '' }: Settings) => (apiKey.length < minHintedLength ? '' : apiKey.slice(-4));
const titleOf = (row: ModelKeyTable) => row.name || providerOf(row).title;
const factsOf = ({ provider, base_url, state, hint }: ModelKeyTable) => ({
  provider,
  state,
  hint,
  ...(base_url !== null && { host: new URL(base_url).host }),
});

function toModelKey(row: ModelKeyTable, locale: Locale): ModelKey {
  const models: unknown[] = JSON.parse(row.models);
  return {
    uuid: row.uuid,
    provider: row.provider,
    name: row.name,
    baseUrl: row.base_url,
    hint: row.hint,
    state: row.state,
    message: row.message === null ? null : sentenceOf(JSON.parse(row.message), locale),
    models: models.length,
    named: row.named,
    checkedAt: new Date(row.checked_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
    createdAt: new Date(row.created_at).toISOString(),
    updatedAt: new Date(row.updated_at).toISOString(),
  };
}

function sentenceOf({ code, reason }: KeyProblem, locale: Locale): string {
  const ofKeys = `models:problem.${code}`;
  const sentence = translate(locale, isTextKey(ofKeys) ? ofKeys : `errors:${code}`, { reason });
  return reason === '' || code === 'provider-refused'
    ? sentence
    : translate(locale, 'models:problem.said', { sentence, reason });
}
