import type { OperatedService, Price, Service } from '../../../shared/contracts/services.ts';
import { AppError } from '../../../shared/errors.ts';
import type { Caller } from '../../infra/http.ts';
import { findProvider } from '../../providers/models/registry.ts';
import { record } from '../audit/audit.ts';
import type { Context } from '../../feature.ts';
import { serviceId } from './models.ts';
import { addServiceSetting, changeServiceSetting, deleteServiceSetting } from './models.store.ts';

interface AddedModel {
  provider: string;
  modelId: string;
  name: string;
  contextTokens: number;
  capabilities: Service['capabilities'];
  price: Price | null;
}

interface Changes {
  hidden?: boolean | undefined;
  name?: string | null | undefined;
  price?: Price | null | undefined;
  capabilities?: Service['capabilities'] | null | undefined;
  contextTokens?: number | null | undefined;
}

export async function addService(
  context: Context,
  caller: Caller,
  { provider, modelId, name, contextTokens, capabilities, price }: AddedModel,
): Promise<OperatedService> {
  const { db, models } = context;
  if (!findProvider(provider)?.settings)
    throw new AppError('validation-failed', { fields: [{ path: 'provider', code: 'invalid' }] });
  const uuid = serviceId(provider, modelId);
  if ((await models.operated()).some((service) => service.uuid === uuid)) throw new AppError('conflict');
  const pricedAt = price && new Date().toISOString().slice(0, 10);
  await db.transaction().execute(async (trx) => {
    const isNew = await addServiceSetting(trx, uuid, {
      provider,
      modelId,
      name,
      group: 'model',
      contextTokens,
      maxOutputTokens: null,
      capabilities: [...new Set(capabilities)],
      price,
      imagePrice: null,
      pricedAt,
    });
    if (!isNew) throw new AppError('conflict');
    await record(trx, caller, 'service.added', name, { provider, modelId, price });
  });
  models.forget();
  return mustFind(context, uuid);
}

export async function changeService(
  context: Context,
  caller: Caller,
  uuid: string,
  { hidden, name, price, capabilities, contextTokens }: Changes,
): Promise<OperatedService> {
  const { db, models } = context;
  const service = await mustFind(context, uuid);
  // Nobody's key is needed for it, so there is nothing to charge.
  if (price && service.provider === 'built-in')
    throw new AppError('validation-failed', { fields: [{ path: 'price', code: 'invalid' }] });
  const changes = {
    ...(hidden !== undefined && { hidden: hidden ? (1 as const) : (0 as const) }),
    ...(name !== undefined && { name }),
    ...(capabilities !== undefined && {
      capabilities: capabilities && JSON.stringify([...new Set(capabilities)]),
    }),
    ...(contextTokens !== undefined && { context_tokens: contextTokens }),
    ...(price !== undefined && { price: price && JSON.stringify(price), priced_at: price && Date.now() }),
  };
  if (Object.keys(changes).length === 0) return service;
  await db.transaction().execute(async (trx) => {
    await changeServiceSetting(trx, uuid, changes);
    await record(trx, caller, 'service.changed', service.name, {
      hidden,
      name,
      price,
      capabilities,
      contextTokens,
    });
  });
  models.forget();
  return mustFind(context, uuid);
}

export async function removeService({ db, models }: Context, caller: Caller, uuid: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const removed = await deleteServiceSetting(trx, uuid);
    if (!removed) throw new AppError('service-not-found');
    const { provider, modelId, name }: AddedModel = JSON.parse(removed.added ?? '{}');
    await record(trx, caller, 'service.removed', removed.name ?? name, { provider, modelId });
  });
  models.forget();
}

async function mustFind({ models }: Context, uuid: string): Promise<OperatedService> {
  const service = (await models.operated()).find((each) => each.uuid === uuid);
  if (!service) throw new AppError('service-not-found');
  return service;
}
